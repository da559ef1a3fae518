"""The service's own records: what is noted and what is written stand in one file."""

from __future__ import annotations

from pathlib import Path

from twentyone.service.records import open_records

LINK = "INSERT INTO people_links (id, role, until) VALUES (?, ?, ?)"
LINKS = "SELECT id FROM people_links ORDER BY id"


def test_notes_and_statements_see_each_other(tmp_path: Path) -> None:
    """By whatever way they came, and after the file was closed."""
    records = open_records(str(tmp_path / "t.db"))
    records.note(LINK, ("a", "player", 1))
    assert records.run(LINK, ("b", "player", 1)) == 1
    records.note("UPDATE people_links SET until = ? WHERE id = ?", (2, "b"))
    assert records.rows("SELECT until FROM people_links WHERE id = ?", ("b",)) == [(2,)]
    records.close()
    again = open_records(str(tmp_path / "t.db"))
    assert again.rows(LINKS) == [("a",), ("b",)]
    again.close()
