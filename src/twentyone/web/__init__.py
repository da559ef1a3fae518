"""The web: REST and WebSocket under `/api/v1`, the pages, and what protects them."""

__all__: list[str] = []
