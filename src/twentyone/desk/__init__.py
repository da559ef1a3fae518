"""The worker processes of the server: odds, charts, prices and simulations, worked out beside the tables."""

__all__: list[str] = []
