"""The REST and WebSocket interface."""

__all__: list[str] = []
