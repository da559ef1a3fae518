"""A whole house under fire, in one process, from one seed: see `world.py`."""
