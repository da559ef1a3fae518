"""Verify a ledger: chain, checkpoints, double entry, every shoe, every command dealt again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from twentyone.errors import TwentyoneError
from twentyone.ledger.audit import StreamAudit
from twentyone.ledger.chain import Chain, Fault
from twentyone.ledger.checkpoints import verify_checkpoints
from twentyone.ledger.house_audit import HouseAudit
from twentyone.ledger.keys import Keyring
from twentyone.ledger.rows import HOUSE
from twentyone.ledger.store import Store

__all__ = ["Report", "verify"]

TELL_EVERY = 500
"""Events between two calls of `progress`."""


class Report(NamedTuple):
    """The result of a verification."""

    faults: tuple[Fault, ...]
    """Each one sentence, with its stream and version."""
    unchecked: tuple[str, ...]
    """What could not be checked, and why."""
    counts: Mapping[str, int]
    """How much was checked."""

    @property
    def ok(self) -> bool:
        """Whether everything was checked and is right."""
        return not (self.faults or self.unchecked)

    def to_json(self) -> dict[str, Any]:
        """The report as plain JSON values."""
        faults = [{"stream": fault.stream, "version": fault.ver, "what": fault.what} for fault in self.faults]
        return {"ok": self.ok, "faults": faults, "unchecked": list(self.unchecked), "counts": dict(self.counts)}


def verify(
    store: Store,
    keyring: Keyring | None,
    checkpoints: str | Path | None,
    progress: Callable[[int], None] | None = None,
) -> Report:
    """Verify a whole ledger; `progress` is called with the number of events done."""
    chain, audits, house = Chain(), dict[str, StreamAudit](), HouseAudit()
    faults = [Fault(store.where, 0, what) for what in store.self_check()]
    faults += _follow(store, chain, audits, house, keyring, progress or _quiet)
    for audit in audits.values():
        audit.finish()
        faults += audit.faults
    faults += _finish_house(store, house)
    counts = _counts(chain, audits) | {"events of the house": house.events}
    unchecked = [*_unchecked(audits, keyring), *house.unchecked]
    if keyring is None:
        unchecked.append("checkpoints: their signatures need the key file")
    elif checkpoints is None or not Path(checkpoints).exists():
        unchecked.append("checkpoints: there is no such file, so a tail that was cut off or rehashed may pass")
    else:
        trail = verify_checkpoints(store, Path(checkpoints), keyring.signer.public_key())
        faults += trail.faults
        counts |= {"checkpoints": trail.checkpoints, "events after the last checkpoint": trail.uncovered}
        if not trail.checkpoints and not trail.faults:
            unchecked.append("checkpoints: the file holds none, so a tail that was cut off or rehashed may pass")
    return Report(tuple(faults), tuple(unchecked), counts)


def _quiet(_: int) -> None:
    """Report no progress."""


def _follow(
    store: Store,
    chain: Chain,
    audits: dict[str, StreamAudit],
    house: HouseAudit,
    keyring: Keyring | None,
    progress: Callable[[int], None],
) -> Iterator[Fault]:
    """One pass over all events, in the order of the ledger."""
    try:
        for event in store.read_all():
            if (fault := chain.follow(event)) is not None:
                yield fault
            house.follow(event)
            if event.stream != HOUSE:
                audit = audits.get(event.stream)
                if audit is None:
                    audit = audits[event.stream] = StreamAudit(event.stream, keyring, store.load_snapshot(event.stream))
                audit.follow(event)
            if chain.count % TELL_EVERY == 0:
                progress(chain.count)
    except TwentyoneError as failed:
        yield Fault(store.where, 0, f"cannot be read to its end: {failed}")
    progress(chain.count)


def _finish_house(store: Store, house: HouseAudit) -> list[Fault]:
    try:
        house.finish(store)
    except TwentyoneError as failed:
        house.faults.append(Fault(store.where, 0, f"the rows of the house cannot be read: {failed}"))
    return house.faults


def _unchecked(audits: Mapping[str, StreamAudit], keyring: Keyring | None) -> Iterator[str]:
    for audit in audits.values():
        if audit.broken:
            yield f"{audit.stream}: what follows the fault that stopped it was not dealt again"
        if audit.read_only:
            yield (
                f"{audit.stream}: {audit.read_only} commands were given under an earlier form of the procedure; chain, "
                "chips and shoes are checked, the version that wrote them deals them again"
            )
    held = sum(audit.held for audit in audits.values())
    if keyring is None and held:
        yield f"seals: without the key file the seeds of {held} shoes that are not over stay closed"


def _counts(chain: Chain, audits: Mapping[str, StreamAudit]) -> dict[str, int]:
    every = list(audits.values())
    return {
        "tables": len(every),
        "events": chain.count,
        "commands dealt again": sum(audit.commands for audit in every),
        "rounds": sum(audit.rounds for audit in every),
        "shoes sealed": sum(audit.shoes.sealed for audit in every if audit.shoes is not None),
        "shoes revealed": sum(audit.shoes.revealed for audit in every if audit.shoes is not None),
        "seeds still sealed": sum(audit.held for audit in every),
    }
