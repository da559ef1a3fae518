"""What a table remembers of its story, packed and loose."""

from __future__ import annotations

import pytest

from twentyone.service.lines import PARTS, StoryLine
from twentyone.service.story import LOOSE, PACKS, TOGETHER, Story

ALL = LOOSE + TOGETHER * PACKS
"""Lines that are remembered at least."""


def _line(number: int) -> StoryLine:
    """One line; two of three events have a second one."""
    ver, part = divmod(number, 3)
    return StoryLine(ver * PARTS + part, f"box {number % 7} is dealt 7♥", "58 Pa. Code § 635a.7(e)", "CardDealt", ver)


@pytest.mark.parametrize("at_once", [1, 4, 130])
def test_whoever_listens_gets_the_lines_that_he_does_not_know(at_once: int) -> None:
    told, story = [_line(number) for number in range(1, 2 * ALL)], Story()
    for first in range(0, len(told), at_once):
        story.extend(told[first : first + at_once])
        known = told[: first + at_once]
        for back in (0, 1, LOOSE - 1, LOOSE + 1, LOOSE + TOGETHER, ALL - 1):
            place = max(0, len(known) - back)
            assert story.after(known[place - 1].n if place else 0) == known[place:]


def test_older_lines_are_forgotten() -> None:
    story = Story()
    story.extend(_line(number) for number in range(1, 5 * ALL))
    remembered = story.after(0)
    assert ALL <= len(remembered) < ALL + TOGETHER
    assert remembered[-1] == _line(5 * ALL - 1)


def test_somebody_who_knows_all_but_the_last_lines_needs_no_pack(monkeypatch: pytest.MonkeyPatch) -> None:
    story = Story()
    story.extend(_line(number) for number in range(1, ALL))
    monkeypatch.setattr("twentyone.service.story._unpack", lambda _: pytest.fail("a pack was opened"))
    assert len(story.after(_line(ALL - LOOSE).n)) == LOOSE - 1
