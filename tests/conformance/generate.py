"""`make conformance`: writes the files of the conformance suite from law scripts, test vectors and figures.

The cases of a rulebook are made anew where its scripts or its clauses have changed, else kept: whether a case
hangs on a reading is found by playing it under every other value of every reading.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rich.progress import track

from twentyone.ledger.identity import rulebook_hash
from twentyone.odds.side_wagers import side_wagers
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.rulebook.coverage import paragraphs_of_path, scripts_of
from twentyone.script import COMMAND_FORMAT, FORMAT
from twentyone.script.commands import read_commands
from twentyone.script.schema import schema_text
from twentyone.suite.engine import PROTOCOL, answer
from twentyone.suite.files import runner
from twentyone.table.script import TABLE_FORMAT

ROOT = Path(__file__).parents[2]
SUITE = ROOT / "conformance"
VECTORS = ROOT / "tests" / "vectors" / "shoes.json"
LEVELS = {FORMAT: "rounds", COMMAND_FORMAT: "irregularities", TABLE_FORMAT: "table"}
KEPT = ("README.md", "run.py")
"""Files of the suite that people write; its schemas are theirs, too."""

FORM = 1
"""The form of the cases: one more where `make conformance` is to make them all anew."""

Case = dict[str, Any]


# -- what a case is made from


def digest(paths: Iterable[Path]) -> str:
    """One hash over files, their names among it."""
    rows = (f"{path.relative_to(ROOT)} {hashlib.sha256(path.read_bytes()).hexdigest()}\n" for path in sorted(paths))
    return hashlib.sha256("".join(rows).encode()).hexdigest()


def sources(book: str) -> str:
    """What the cases of a rulebook are made from: its scripts and its clauses; else the vectors."""
    paths = scripts_of(Rulebook.load(book)) if book else [VECTORS]
    read = rulebook_hash(Rulebook.load(book)) if book else ""
    return hashlib.sha256(f"{FORM} {digest(paths)} {read}".encode()).hexdigest()


def all_sources() -> dict[str, str]:
    """The same of every rulebook, and of what needs none."""
    return {book: sources(book) for book in ("", *rulebook_ids())}


# -- one case


def case_of(name: str, level: str, paragraphs: list[str], title: str, script: Case, expect: Case) -> Case:
    """A case, its mark not yet known."""
    return {
        "id": name,
        "level": level,
        "rulebook": script.get("rulebook", ""),
        "mark": "refused" if "refused" in expect else "must",
        "paragraphs": paragraphs,
        "title": title,
        "script": script,
        "expect": expect,
    }


def law_case(path: Path) -> Case:
    """The case of a law script: what is asked apart from what is expected."""
    body = json.loads(path.read_text(encoding="utf-8"))
    level, title = LEVELS[body["format"]], body.pop("title")
    expect, events, view = (body.pop(key, {}) for key in ("expect", "expect_events", "expect_view"))
    if "refused" in expect:
        expect = {"refused": expect["refused"], **({} if level == "rounds" else {"at": last_command(body)})}
    else:
        shown = {"table" if level == "table" else "result": expect, "events": events, "view": view}
        expect = {key: value for key, value in shown.items() if value}
    name = f"{body['rulebook']}/{path.parent.name}/{path.stem}"
    return case_of(name, level, paragraphs_of_path(path), title, body, expect)


def last_command(body: Case) -> int:
    """How many commands come before the last; each card of a text is one."""
    rows = body["commands"] if body["format"] == TABLE_FORMAT else list(read_commands(body["commands"]))
    return len(rows) - 1


def with_readings(case: Case, chosen: Mapping[str, str]) -> Case:
    """A case whose script names these readings."""
    submission = case["script"].get("submission", {})
    readings = {**submission.get("readings", {}), **chosen}
    return {**case, "script": {**case["script"], "submission": {**submission, "readings": readings}}}


def passes(case: Case) -> bool:
    return not runner().faults(case["expect"], answer({"id": 0, "script": case["script"]}))


def marked(case: Case) -> Case:
    """A case with its mark, with the readings that it hangs on, and with what it needs."""
    assert passes(case), f"{case['id']} is not what our own engine plays"
    given = case["script"].get("submission", {}).get("readings", {})
    readings = Rulebook.load(case["rulebook"]).readings if case["rulebook"] else ()
    needed = {one.name: given[one.name] for one in readings if given.get(one.name) in one.values}
    for reading in (reading for reading in readings if reading.name not in given):
        if any(not passes(with_readings(case, {reading.name: value})) for value in reading.values[1:]):
            needed[reading.name] = reading.values[0]
    if needed:
        case = {**with_readings(case, needed), "readings": needed}
        assert passes(case), f"{case['id']} is another case with its readings named"
        case["mark"] = "by-reading" if case["mark"] == "must" else case["mark"]
    return {**case, "needs": sorted({f"mark:{case['mark']}", *needs(case["script"])})}


def needs(script: Case) -> Iterator[str]:
    """What an engine must know to play a script."""
    submission = script.get("submission", {})
    yield from (f"submission:{key}" for key in submission if key != "readings")
    yield from (f"reading:{name}={value}" for name, value in submission.get("readings", {}).items())
    yield from (f"key:{key}" for key in ("wheel", "meters", "hot_spot") if key in script)
    if script["format"] not in LEVELS:
        yield f"figure:{script['format'].partition('/')[0]}"
        return
    rows = script.get("wagers", [])
    yield from (f"wager:{key}" for row in rows for key in row if key not in ("box", "player"))
    if len(rows) > 1:
        yield "boxes:several" if len({row["box"] for row in rows}) == len(rows) else "boxes:shared"
    for row in (*script.get("decisions", []), *script.get("commands", [])):
        yield from (f"{key}:{row[key]}" for key in ("action", "irregularity", "step", "do") if key in row)
        yield from (f"command:{key}" for key in COMMANDS if not isinstance(row, str) and key in row)
    texts = (script.get("cards", ""), *(row for row in script.get("commands", []) if isinstance(row, str)))
    yield from ("cards:face-up" for text in texts if "^" in text)
    yield from ("cards:unknown" for text in texts if "unknown" in text)


COMMANDS = ("confirmed", "reader", "spin", "turned", "follow", "seat", "relieve")
"""Commands of scripts that have a key of their own."""


# -- figures

IN_ORDER = (
    "8S 7H 8C KD 8D 3S 8H 2C 9D 5S 4H 6C KS 2D 3H",
    "AS 6H AC AD AH 5S 9C 2D 3S KS 8H 2H 4D",
    "8S AH 8C QD 8D 9S KS 3S 7D 2C 5H 6H 4C KC",
    "6S 5H 5C 6D 4D 7S 2C 9S 3D 8D KS 4C",
)
IN_ANY_ORDER = ("AS 8H 8C 3D KC", "7S 7H 6C 4D 9S")
"""The small shoes of which every round is counted."""


def figure_cases(book: str) -> Iterator[Case]:
    """What is counted and worked out for a rulebook."""
    plain, name = Rulebook.load(book), f"{book}/figures"
    for cards in (*IN_ORDER, *IN_ANY_ORDER):
        script: Case = {"format": "perft/1", "rulebook": book, "submission": {}, "wager": "10", "cards": cards}
        script = {**script, "any_order": True} if cards in IN_ANY_ORDER else script
        yield figured(f"{name}/perft-{cards.replace(' ', '-')}", "every round of these cards", script)
    for kind, submission in {"": {}, "-8-decks": {"decks": 8}, "-showcase": dict(plain.showcase)}.items():
        for wager in side_wagers(plain.under(submission)) if submission or not kind else ():
            script = {"format": "side-wager/1", "rulebook": book, "submission": submission, "wager": wager}
            yield figured(f"{name}/{wager}{kind}", "edge and chance of a wager beside the main one", script)
    script = {"format": "house-edge/1", "rulebook": book, "submission": {}}
    yield figured(f"{name}/house-edge", "expected loss of best play, as a share of the wager", script, within="1e-9")


def figured(name: str, title: str, script: Case, **more: str) -> Case:
    """A case whose figure our own engine works out."""
    expect = {"figure": answer({"id": 0, "script": script})["figure"], **more}
    return case_of(name, "figures", [], title, script, expect)


def vector_cases() -> Iterator[Case]:
    """Shoes and wheels out of seeds."""
    vectors = json.loads(VECTORS.read_text(encoding="utf-8"))
    for number, row in enumerate(vectors["shoes"], 1):
        expect = {key: row.pop(key) for key in ("commitment", "dealt")}
        yield case_of(f"shoe-{number}", "figures", [], "a shoe out of its seed", {"format": "shoe/1", **row},
                      {"figure": expect})  # fmt: skip
    for number, row in enumerate(vectors["wheels"], 1):
        drawn = [{key: spin.pop(key) for key in ("symbol", "hot_spot")} for spin in row["spins"]]
        figure = {"commitment": row.pop("commitment"), "spins": drawn}
        yield case_of(f"wheel-{number}", "figures", [], "the stops of a wheel out of its seed",
                      {"format": "wheel/1", **row}, {"figure": figure})  # fmt: skip


# -- files


def cases_of(book: str) -> list[Case]:
    """Every case of a rulebook; without one, of the vectors."""
    made = [*map(law_case, scripts_of(Rulebook.load(book))), *figure_cases(book)] if book else vector_cases()
    return [marked(case) for case in track([*made], book or "shoes and wheels")]


def write_cases(book: str) -> None:
    """The files of a rulebook's cases, one per level."""
    name, made = f"{book or 'shoes-and-wheels'}.jsonl", by_level(cases_of(book))
    for path in (SUITE / "cases").glob(f"*/{name}"):
        path.unlink()
    for level, cases in made.items():
        lines = (json.dumps(case, ensure_ascii=False, separators=(",", ":")) + "\n" for case in cases)
        path = SUITE / "cases" / level / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(lines), encoding="utf-8")


def by_level(cases: Iterable[Case]) -> dict[str, list[Case]]:
    found: dict[str, list[Case]] = {}
    for case in cases:
        found.setdefault(case["level"], []).append(case)
    return found


def suite_files() -> list[Path]:
    """Every file of the suite but its manifest."""
    cases = (path for level in runner().LEVELS for path in sorted((SUITE / "cases" / level).glob("*.jsonl")))
    return [*(SUITE / name for name in KEPT), *sorted((SUITE / "schemas").glob("*.json")), *cases]


def manifest(made: Mapping[str, str]) -> dict[str, Any]:
    """What the suite consists of; `made`: from what the cases of each book were made."""
    cases = [json.loads(line) for path in suite_files() if path.suffix == ".jsonl" for line in path.open("rb")]
    counts = {
        level: dict(sorted(Counter(case["mark"] for case in found).items())) for level, found in by_level(cases).items()
    }
    books = [Rulebook.load(book) for book in rulebook_ids()]
    return {
        "protocol": PROTOCOL,
        "cases": {level: counts[level] for level in runner().LEVELS if level in counts},
        "rulebooks": {
            book.id: {
                "title": book.title,
                "source": book.source,
                "prefix": book.prefix,
                "readings": {reading.name: list(reading.values) for reading in book.readings},
            }
            for book in books
        },
        "files": {
            path.relative_to(SUITE).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in suite_files()
        },
        "sources": dict(made),
    }


def main() -> None:
    """Make anew what has changed; the manifest is written after each book, so that an interrupted run goes on."""
    path, now = SUITE / "manifest.json", all_sources()
    known = json.loads(path.read_text(encoding="utf-8"))["sources"] if path.exists() else {}
    made = {book: known[book] for book in now if book in known}
    (SUITE / "schemas" / "round-script.schema.json").write_text(schema_text(), encoding="utf-8")
    for book in now:
        if made.get(book) != now[book]:
            write_cases(book)
        made = {**made, book: now[book]}
        path.write_text(json.dumps(manifest(made), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
