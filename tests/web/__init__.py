"""The live table, as people and programs meet it."""
