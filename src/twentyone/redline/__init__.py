"""Two laws held against each other: paragraphs aligned, clauses field by field, rounds dealt under both, the price."""

from twentyone.redline.compare import compare
from twentyone.redline.html import as_page, as_parts
from twentyone.redline.model import FieldChange, Provision, Redline, RedlineRow, Version
from twentyone.redline.rounds import DealtRounds, RoundPair, deal_both
from twentyone.redline.versions import amended_version, asked_versions, fingerprint, folder_version, named_version

__all__ = [
    "DealtRounds",
    "FieldChange",
    "Provision",
    "Redline",
    "RedlineRow",
    "RoundPair",
    "Version",
    "amended_version",
    "as_page",
    "as_parts",
    "asked_versions",
    "compare",
    "deal_both",
    "fingerprint",
    "folder_version",
    "named_version",
]
