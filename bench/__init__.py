"""Measurements and long proofs; nothing here is imported by the package."""
