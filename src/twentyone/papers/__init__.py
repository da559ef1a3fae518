"""Papers that an operator hands in with a submission: one content, rendered as HTML and as PDF."""

__all__: list[str] = []
