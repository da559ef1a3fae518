"""Training: what somebody gets wrong comes back sooner; the chart's cells, counts, and the dealer's work."""

__all__: list[str] = []
