"""The end of a period: its ledger is closed for ever and archived, and the next one begins with what it leaves.

Each step can be done again: killed between any two of them, the same call goes on. Until the event is stored that
closes the ledger, nothing has changed; from then on only the next one can be played on.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, NamedTuple

from twentyone.ledger.archives import ARCHIVED, BEGUN, Archives, digest_of
from twentyone.ledger.backup import copy_events
from twentyone.ledger.balances import closing_balances, opening_events, table_ends
from twentyone.ledger.canonical import fingerprint
from twentyone.ledger.carried import TableEnd, not_at_rest
from twentyone.ledger.chain import heads_digest
from twentyone.ledger.checkpoints import Checkpoint, read_last, read_trail, write_checkpoint
from twentyone.ledger.codec import SCHEMA, read_body
from twentyone.ledger.evidence import open_evidence
from twentyone.ledger.keys import Keyring
from twentyone.ledger.one_process import only_process
from twentyone.ledger.periods import CLOSED, CLOSED_KEY, Link, begun_in, closed_in, identity_in
from twentyone.ledger.postgres import PostgresStore
from twentyone.ledger.private_files import OWN_FILES, OWNER_ONLY
from twentyone.ledger.public_keys import PublicKey
from twentyone.ledger.rows import ACCESS, HOUSE, Batch, LedgerRefused, NewEvent, NoSuchLedger
from twentyone.ledger.sqlite import sync_folder
from twentyone.ledger.start import Files, refuse_shared_database
from twentyone.ledger.store import Store, open_store, path_of, without_secrets
from twentyone.ledger.verify import verify
from twentyone.service.carried_people import carry_people, people_there, waiting_approvals
from twentyone.service.held_accounts import mark_accounts
from twentyone.service.people_audit import with_people
from twentyone.service.records import open_records
from twentyone.version import __version__

__all__ = ["PeriodEnd", "PeriodPlan"]

Told = Callable[[str], None]
"""Called with the name of each step when it is done."""


class PeriodPlan(NamedTuple):
    """Which period is to be closed, and where the next one is."""

    ledger: str
    """The ledger that is closed."""
    files: Files
    """Its key and its checkpoints."""
    after: str
    """The ledger that follows it."""
    after_files: Files
    """The key and the checkpoints of that one: the key is the same."""
    folder: Path
    """Where the archive goes."""
    by: str
    """Who closes it."""


class PeriodEnd:
    """Closes a period, step by step."""

    def __init__(self, plan: PeriodPlan, clock: Callable[[], int]) -> None:
        self._plan, self._clock = plan, clock
        self._exits = ExitStack()
        self._store: Store
        self._ends: dict[str, TableEnd] = {}

    def work(self, told: Told = lambda _: None, progress: Callable[[int], None] | None = None) -> dict[str, Any]:
        """Do what is left to do; what was done, for a program."""
        with self._exits:
            self._open()
            self._progress = progress
            for step in (
                self._examine,
                self._sign_before,
                self._close,
                self._sign,
                self._archive,
                self._list,
                self._hand_over,
                self._begin,
                self._mark_people,
                self._sign_next,
                self._list_next,
            ):
                step()
                told(step.__name__.strip("_"))
            return self._done()

    def _open(self) -> None:
        plan = self._plan
        if plan.ledger == plan.after:
            raise LedgerRefused(f"{_name(plan.after)} is the ledger that is to be closed: name a new one")
        refuse_shared_database(plan.ledger)
        self._store = self._exits.enter_context(closing(open_store(plan.ledger)))
        if self._store.read_only:
            raise LedgerRefused(f"{self._store.where} lies where nothing can be written: close the ledger itself")
        self._exits.enter_context(only_process(plan.ledger, "`twentyone archive close`"))
        self._keys = Keyring.load(plan.files.key)
        plan.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._archives = Archives(plan.folder)
        self._exits.enter_context(self._archives.locked())

    # -- before anything is written

    def _examine(self) -> None:
        """Refuse where the period cannot be closed; `_last` is the number up to which the ledger was looked at."""
        store, plan = self._store, self._plan
        self._last, closed = store.settled(), closed_in(store)
        self._refuse_next(closed)
        self._ends = table_ends(store, self._progress)
        self._balances = closing_balances(store, self._ends)
        if closed is not None:
            if closed.body["balances"] != self._balances.digest:
                raise LedgerRefused(f"{store.where} was closed with other balances than it holds: verify it")
            return
        for why in self._obstacles():
            raise LedgerRefused(f"{store.where} cannot be closed now: {why}; nothing was changed")
        report = verify(store, self._keys, plan.files.checkpoints, self._progress)
        report = with_people(report, plan.ledger, store, self._keys)
        for what in (*report.faults, *report.unchecked):
            raise LedgerRefused(f"{store.where} cannot be closed: verify does not find it well ({what})")

    def _obstacles(self) -> Iterator[str]:
        serving = self._store.serving() if isinstance(self._store, PostgresStore) else []
        if serving:
            yield f"it is served by {', '.join(serving)}: stop that first"
        for name, end in self._ends.items():
            for why in not_at_rest(end):
                yield f"the table {name}: {why}"
        for number, row in self._store.read_derived("coupons"):
            if row[5] == "laid":
                yield f"the coupon {number} lies at {row[6]}: let its round end"
        yield from waiting_approvals(self._plan.ledger, self._clock())

    def _refuse_next(self, closed: Link | None) -> None:
        """The next ledger is new, or is what an interrupted call has left."""
        plan, name = self._plan, _name(self._plan.after)
        if closed is not None and closed.body["next"]["name"] != name:
            raise LedgerRefused(
                f"{self._store.where} was closed, and {closed.body['next']['name']} follows it, not {name}: two "
                "ledgers that follow one would both spend its money"
            )
        if (
            closed is not None
            and self._archives.has_begun(closed.body["next"]["identity"])
            and not _events_in(plan.after)
        ):
            raise LedgerRefused(
                f"period {closed.body['next']['number']} was begun already, and {name} does not hold it: find it, or "
                "restore its backup; begun twice, both would spend the same money"
            )
        if plan.after_files.key.exists() and Keyring.load(plan.after_files.key).id != self._keys.id:
            raise LedgerRefused(f"{plan.after_files.key} is another key: the periods of a house have the same one")
        if closed is None and self._file.exists():
            raise LedgerRefused(f"{self._file} exists already: name another folder for the archive")
        if closed is None and (_events_in(plan.after) or people_there(plan.after)):
            raise LedgerRefused(f"{name} holds something already: name a new ledger")

    # -- the period that ends

    def _sign_before(self) -> None:
        path = self._plan.files.checkpoints
        last = read_last(path, self._keys.signer.public_key())[0]
        if closed_in(self._store) is None and (last is None or last.heads != self._store.heads()):
            write_checkpoint(self._store, path, self._keys.signer, self._clock())

    def _close(self) -> None:
        """Store the event after which there is none."""
        store, plan, at = self._store, self._plan, self._clock()
        if closed_in(store) is None:
            heads = store.heads()
            identity, number = identity_in(store)
            digest = heads_digest(heads)
            after = fingerprint(["period", identity, number + 1, digest, self._keys.id])
            body = {
                "identity": identity,
                "number": number,
                "by": plan.by,
                "from": next(store.read_all()).ts,
                "events": sum(ver for ver, _ in heads.values()),
                "heads": digest,
                "balances": self._balances.digest,
                "next": {"identity": after, "number": number + 1, "name": _name(plan.after)},
            }
            event = NewEvent(CLOSED, body, at, SCHEMA)
            store.append_last(Batch(HOUSE, 0, [event], CLOSED_KEY, fingerprint([CLOSED, body])), self._last)
        closed = closed_in(store)
        assert closed is not None
        self._closed = closed

    def _sign(self) -> None:
        """Sign the end, once: the next ledger names this checkpoint."""
        if self._last_point() is None:
            write_checkpoint(self._store, self._plan.files.checkpoints, self._keys.signer, self._clock())
        point = self._last_point()
        assert point is not None
        self._point = point

    def _last_point(self) -> Checkpoint | None:
        trail = read_trail(self._plan.files.checkpoints, self._keys.signer.public_key())
        end = (self._closed.event.ver, self._closed.event.hash)
        return next((point for point in trail.checkpoints if point.heads.get(HOUSE) == end), None)

    # -- its archive

    @property
    def _file(self) -> Path:
        stem = Path(_name(self._plan.ledger)).name.removesuffix(".db")
        return self._plan.folder / f"{stem}-{identity_in(self._store)[1]:04d}.db"

    def _archive(self) -> None:
        """The events, the checkpoints and the public key, each whole or not there."""
        if self._archives.find(self._closed.body["identity"]) is not None:
            return
        target = self._file
        for end in OWN_FILES:  # what a broken-off call has left
            target.with_name(f"{target.name}.part{end}").unlink(missing_ok=True)
        if target.exists():  # it has its name, so it is whole
            self._refuse_other(target)
        else:
            copy_events(self._store, target, _scaled(self._progress))
        public = json.dumps(PublicKey.of(self._keys).to_json()) + "\n"
        _write(target.with_name(f"{target.name}.checkpoints"), self._plan.files.checkpoints.read_bytes())
        _write(target.with_name(f"{target.name}.pub"), public.encode())
        target.chmod(0o400)

    def _refuse_other(self, target: Path) -> None:
        with closing(open_evidence(target)) as there:
            if there.heads() != self._store.heads():
                raise LedgerRefused(f"{target} is another ledger: name another folder for the archive")

    def _list(self) -> None:
        """The archive comes into the list of its folder."""
        closed, target = self._closed, self._file
        if self._archives.find(closed.body["identity"]) is not None:
            return
        heads = self._store.heads()
        line = {
            "did": ARCHIVED,
            "name": _name(self._plan.ledger),
            "file": target.name,
            "identity": closed.body["identity"],
            "number": closed.body["number"],
            "from": closed.body["from"],
            "to": closed.event.ts,
            "by": closed.body["by"],
            "at": closed.event.ts,
            "events": closed.body["events"] + 1,
            "heads": heads_digest(heads),
            "bytes": target.stat().st_size,
            "sha256": digest_of(target),
            "checkpoints": digest_of(target.with_name(f"{target.name}.checkpoints")),
            "checkpoint": self._checkpoint,
            "key": self._keys.id,
            "next": closed.body["next"]["identity"],
        }
        self._archives.add(line, self._keys)

    @property
    def _checkpoint(self) -> dict[str, Any]:
        return {"number": self._point.number, "digest": self._point.digest}

    # -- the period that begins

    def _hand_over(self) -> None:
        """Key, first checkpoint and people, for a ledger that has no event yet."""
        plan = self._plan
        if _events_in(plan.after):
            return
        if not plan.after_files.key.exists():
            _write(plan.after_files.key, plan.files.key.read_bytes())
        carry_people(plan.ledger, plan.after)

    def _begin(self) -> None:
        """The first events of the next ledger, all of them or none."""
        plan, closed = self._plan, self._closed
        with closing(open_store(plan.after, create=True)) as after:
            first = self._first_events()
            if after.settled():
                begun, due = begun_in(after), read_body(first[0])
                if begun is None or any(begun.body[name] != due[name] for name in ("identity", "before", "balances")):
                    raise LedgerRefused(f"{after.where} is not the ledger that follows {self._store.where}")
                return
            if not _signed(plan.after_files.checkpoints):
                write_checkpoint(after, plan.after_files.checkpoints, self._keys.signer, closed.event.ts)
            after.take_over(first)

    def _mark_people(self) -> None:
        """The accounts that went over are held against the next ledger from its beginning."""
        plan = self._plan
        if people_there(plan.after):
            with closing(open_store(plan.after)) as after, closing(open_records(plan.after)) as people:
                if not after.version(ACCESS):
                    mark_accounts(after, people, self._keys.sealing, self._closed.event.ts)

    def _first_events(self) -> list[Any]:
        closed = self._closed
        begun = {
            "identity": closed.body["next"]["identity"],
            "number": closed.body["next"]["number"],
            "key": self._keys.id,
            "software": __version__,
            "before": {
                "identity": closed.body["identity"],
                "number": closed.body["number"],
                "name": _name(self._plan.ledger),
                "last": closed.event.gseq,
                "hash": closed.event.hash,
                "heads": heads_digest(self._store.heads()),
                "checkpoint": self._checkpoint,
            },
        }
        return opening_events(self._store, self._balances, self._ends, begun, closed.event.ts)

    def _sign_next(self) -> None:
        """Sign what the next ledger begins with, unless it is."""
        path = self._plan.after_files.checkpoints
        trail = read_trail(path, self._keys.signer.public_key())
        with closing(open_store(self._plan.after)) as after:
            if not any(point.heads for point in trail.checkpoints):
                write_checkpoint(after, path, self._keys.signer, self._clock())

    def _list_next(self) -> None:
        """The list says that the next period has begun: it does not begin a second time."""
        after = self._closed.body["next"]
        if not self._archives.has_begun(after["identity"]):
            said = {"did": BEGUN, "identity": after["identity"], "number": after["number"], "file": after["name"]}
            self._archives.add({**said, "at": self._closed.event.ts}, self._keys)

    def _done(self) -> dict[str, Any]:
        body = self._closed.body
        return {
            "closed": _name(self._plan.ledger),
            "period": body["number"],
            "identity": body["identity"],
            "next": body["next"],
            "events": body["events"] + 1,
            "checkpoint": self._checkpoint,
            "archive": str(self._file),
            "tables": len(self._balances.tables),
            "purses": len(self._balances.purses),
            "coupons": len(self._balances.coupons),
        }


def _name(ledger: str) -> str:
    """What a ledger is called in another: a file by its name alone, wherever it lies."""
    path = path_of(ledger)
    return without_secrets(ledger) if path is None else Path(path).name


def _events_in(ledger: str) -> int:
    """The last number of a ledger; 0 where there is none yet."""
    path = path_of(ledger)
    if path is not None and (not Path(path).exists() or not Path(path).stat().st_size):
        return 0
    try:
        with closing(open_store(ledger)) as store:
            return store.settled()
    except NoSuchLedger:
        return 0


def _signed(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def _scaled(progress: Callable[[int], None] | None) -> Callable[[int, int], None] | None:
    return None if progress is None else lambda done, _: progress(done)


def _write(path: Path, content: bytes) -> None:
    """A file for its owner alone, whole or not there."""
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    sync_folder(path.parent)
