"""The REST and WebSocket interface."""
