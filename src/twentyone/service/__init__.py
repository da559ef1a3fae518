"""The application layer: what people do at tables, over the ledger, for any page or program."""

__all__: list[str] = []
