"""Verify a ledger: chain, checkpoints, double entry, every shoe and wheel, every command dealt again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from twentyone.errors import TwentyoneError
from twentyone.ledger.access import read_access
from twentyone.ledger.audit import StreamAudit
from twentyone.ledger.chain import Chain, Fault
from twentyone.ledger.checkpoints import Checkpoint, read_trail, verify_checkpoints
from twentyone.ledger.codec import OPENED, read_body
from twentyone.ledger.face_down import opened_cards
from twentyone.ledger.house_audit import HouseAudit
from twentyone.ledger.kept_law import laws_of
from twentyone.ledger.keys import Keyring
from twentyone.ledger.period_audit import PeriodAudit
from twentyone.ledger.public_keys import PublicKey
from twentyone.ledger.rounds_audit import RoundsAudit
from twentyone.ledger.rows import ACCESS, HOUSE, StoredEvent
from twentyone.ledger.store import Store
from twentyone.ledger.timestamps import moment
from twentyone.ledger.unique_seeds import repeated_seeds
from twentyone.ledger.witness import examine_cosigned

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
    closed: tuple[str, ...] = ()
    """What only the secret key opens, for whoever verifies with the public one."""
    trusted: tuple[str, ...] = ()
    """What was taken on trust, because a checkpoint that was named covers it."""

    @property
    def ok(self) -> bool:
        """Whether everything that the keys at hand open was checked and is right."""
        return not (self.faults or self.unchecked)

    def to_json(self) -> dict[str, Any]:
        """The report as plain JSON values."""
        faults = [{"stream": fault.stream, "version": fault.ver, "what": fault.what} for fault in self.faults]
        said = {"unchecked": list(self.unchecked), "closed": list(self.closed), "trusted": list(self.trusted)}
        return {"ok": self.ok, "faults": faults, **said, "counts": dict(self.counts)}


def verify(
    store: Store,
    keyring: Keyring | None,
    checkpoints: str | Path | None,
    progress: Callable[[int], None] | None = None,
    public: PublicKey | None = None,
    since: Checkpoint | None = None,
    witness: PublicKey | None = None,
) -> Report:
    """Verify a ledger, with its key file or its public key; `progress` is called with the events done.

    `since`: a checkpoint whose commands are trusted to have been dealt rightly; `witness`: who must have cosigned.
    """
    chain, audits, house, rounds = Chain(), dict[str, StreamAudit](), HouseAudit(), RoundsAudit(store)
    periods = PeriodAudit()
    faults = [Fault(store.where, 0, what) for what in store.self_check()]
    trusted = {stream: ver for stream, (ver, _) in since.heads.items()} if since is not None else {}
    faults += _follow(store, chain, audits, house, rounds, periods, keyring, progress or _quiet, trusted)
    faults += rounds.finish(store.where, keyring)
    for audit in audits.values():
        audit.finish()
        faults += audit.faults
    faults += repeated_seeds(seed for audit in audits.values() for seed in audit.seeds)
    faults += _finish_house(store, house)
    periods.finish(store, {name: audit.end for name, audit in audits.items()})
    faults += periods.faults
    counts = _counts(chain, audits) | {"events of the house": house.events}
    counts |= {"events of access": seen} if (seen := chain.heads.get(ACCESS, (0, ""))[0]) else {}
    counts |= {"rounds in the list": rounds.compared} if rounds.compared else {}
    unchecked, closed = [*_unchecked(audits), *house.unchecked], tuple(_closed(audits, keyring))
    if keyring is not None:
        public = PublicKey.of(keyring)
    elif public is None:
        unchecked, closed = [*unchecked, *closed], ()
    else:
        faults += _other_key(store, public)
    if public is None:
        unchecked.append("checkpoints: their signatures need the key file or the public key")
    elif checkpoints is None or not Path(checkpoints).exists():
        unchecked.append("checkpoints: there is no such file, so a tail that was cut off or rehashed may pass")
    else:
        trail = verify_checkpoints(store, Path(checkpoints), public.verifier)
        faults += trail.faults
        counts |= {"checkpoints": trail.checkpoints, "events after the last checkpoint": trail.uncovered}
        if witness is not None:
            faults += _cosigned(Path(checkpoints), public, witness, counts)
        if not trail.checkpoints and not trail.faults:
            unchecked.append("checkpoints: the file holds none, so a tail that was cut off or rehashed may pass")
    return Report(tuple(faults), tuple(unchecked), counts, closed, (*_on_trust(audits, since), *periods.trusted()))


def _on_trust(audits: Mapping[str, StreamAudit], since: Checkpoint | None) -> Iterator[str]:
    if since is not None:
        commands = sum(audit.on_trust for audit in audits.values())
        yield (
            f"checkpoint {since.number} of {moment(since.at)} (UTC): the {commands:,} commands up to it were not dealt "
            "again; their chain, chips, shoes and the house's money were examined"
        )


def _cosigned(path: Path, public: PublicKey, witness: PublicKey, counts: dict[str, int]) -> list[Fault]:
    """What a witness has cosigned, held against the checkpoints."""
    points = read_trail(path, public.verifier).checkpoints
    found = examine_cosigned(Path(f"{path}.cosigned"), points, public.id, witness)
    after = counts["events"] - found.events
    counts |= {"last cosigned checkpoint": found.number, "events after the last cosigned checkpoint": max(0, after)}
    return found.faults


def _quiet(_: int) -> None:
    """Report no progress."""


def _other_key(store: Store, public: PublicKey) -> Iterator[Fault]:
    """Streams that were begun with another key than the public one belongs to."""
    for stream in store.streams():
        first = store.born(stream)
        with suppress(TwentyoneError, ValueError):  # what cannot be read is named by the audit of its stream
            named = read_body(first).get("key", public.id) if first is not None else public.id
            if named != public.id:
                yield Fault(stream, 1, f"was sealed with key {named}, the public key is that of {public.id}")


def _follow(
    store: Store,
    chain: Chain,
    audits: dict[str, StreamAudit],
    house: HouseAudit,
    rounds: RoundsAudit,
    periods: PeriodAudit,
    keyring: Keyring | None,
    progress: Callable[[int], None],
    trusted: Mapping[str, int],
) -> Iterator[Fault]:
    """One pass over all events, in the order of the ledger."""
    try:
        opened, laws = opened_cards(_openings(store)), laws_of(store)
        for event in store.read_all():
            if (fault := chain.follow(event)) is not None:
                yield fault
            house.follow(event)
            periods.follow(event)
            if event.stream == ACCESS:
                yield from _access_faults(event)
            elif event.stream != HOUSE:
                audit = audits.get(event.stream)
                if audit is None:
                    saved, known = store.load_snapshot(event.stream), opened.get(event.stream)
                    up_to = trusted.get(event.stream, 0)
                    audit = audits[event.stream] = StreamAudit(event.stream, keyring, saved, known, laws, up_to)
                audit.follow(event)
            if (fault := rounds.follow(event)) is not None:
                yield fault
            if chain.count % TELL_EVERY == 0:
                progress(chain.count)
    except TwentyoneError as failed:
        yield Fault(store.where, 0, f"cannot be read to its end: {failed}")
    progress(chain.count)


def _access_faults(event: StoredEvent) -> Iterator[Fault]:
    try:
        read_access(event)
    except TwentyoneError as wrong:
        yield Fault(event.stream, event.ver, str(wrong))


def _openings(store: Store) -> Iterator[StoredEvent]:
    """The events that open cards, as far as the ledger can be read; what is wrong with them is found by the audit."""
    with suppress(TwentyoneError):
        for event in store.read_all():
            with suppress(TwentyoneError):
                if opened_cards([event] if event.type == OPENED else ()):
                    yield event


def _finish_house(store: Store, house: HouseAudit) -> list[Fault]:
    try:
        house.finish(store)
    except TwentyoneError as failed:
        house.faults.append(Fault(store.where, 0, f"the rows of the house cannot be read: {failed}"))
    return house.faults


def _unchecked(audits: Mapping[str, StreamAudit]) -> Iterator[str]:
    for audit in audits.values():
        if audit.broken:
            yield f"{audit.stream}: what follows the fault that stopped it was not dealt again"
        if audit.read_only:
            yield (
                f"{audit.stream}: {audit.read_only} commands were given under an earlier form of the procedure; chain, "
                "chips and shoes are checked, the version that wrote them deals them again"
            )


def _closed(audits: Mapping[str, StreamAudit], keyring: Keyring | None) -> Iterator[str]:
    for audit in audits.values():
        if audit.unseen:
            yield (
                f"{audit.stream}: without the key file its hole card is unknown, so the last {audit.unseen} commands "
                "of its round in progress are not dealt again"
            )
    held = sum(audit.held for audit in audits.values())
    if keyring is None and held:
        yield f"seals: without the key file {held} seeds of shoes and wheels that are not over stay closed"


def _counts(chain: Chain, audits: Mapping[str, StreamAudit]) -> dict[str, int]:
    every = list(audits.values())
    wheels = [audit.wheels for audit in every if audit.wheels is not None and audit.wheels.sealed]
    turned = {
        "wheel seeds sealed": sum(wheel.sealed for wheel in wheels),
        "wheel seeds revealed": sum(wheel.revealed for wheel in wheels),
        "spins": sum(wheel.spins for wheel in wheels),
    }
    return {
        "tables": len(every),
        "events": chain.count,
        "commands dealt again": sum(audit.commands for audit in every),
        "rounds": sum(audit.rounds for audit in every),
        "shoes sealed": sum(audit.shoes.sealed for audit in every if audit.shoes is not None),
        "shoes revealed": sum(audit.shoes.revealed for audit in every if audit.shoes is not None),
        **(turned if wheels else {}),
        "seeds still sealed": sum(audit.held for audit in every),
    }
