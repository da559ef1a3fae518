"""The table: everything before, between and after rounds. Commands in, cited events out."""

__all__: list[str] = []
