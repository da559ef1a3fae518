"""Whatever carries out a clause, imported: it registers itself (`law.CARRIERS`) for those who list what carries."""

import twentyone.round
import twentyone.script
import twentyone.table.layout
import twentyone.table.table  # noqa: F401

__all__: list[str] = []
