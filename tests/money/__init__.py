"""Many clients and all the money of a house: random work, sudden ends, and an account that knows no engine."""
