"""A house at the end of a period: purses, coupons in every state, a table with meters, accounts; everything closed."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.contracts.coupon_tables import CouponTable
from tests.contracts.coupon_tables import issue as issue_coupon
from tests.contracts.house_tables import NOW, bring, issue, leave, open_table
from tests.contracts.runner_driver import KEYRING, seeded_source
from tests.contracts.wheel_driver import WheelTable

from twentyone.ledger.backup import restore
from twentyone.ledger.checkpoints import write_checkpoint
from twentyone.ledger.coupons import void
from twentyone.ledger.keys import Keyring
from twentyone.ledger.rows import HOUSE
from twentyone.ledger.start import Files
from twentyone.ledger.store import Store, open_store, path_of
from twentyone.service.period_end import PeriodEnd, PeriodPlan
from twentyone.service.records import open_records
from twentyone.table import Command

__all__ = ["END", "House", "build"]

END = NOW + 1_000
"""When the period is closed."""


def build(folder: Path) -> None:
    """A ledger of a period that may be closed, with its files, in a folder."""
    keys = Keyring.create(folder / "old.key", seeded_source(21))
    assert keys.id == KEYRING.id
    with closing(open_store(str(folder / "old.db"), create=True)) as store:
        write_checkpoint(store, folder / "old.checkpoints", keys.signer, 0)
        _work(store)
        write_checkpoint(store, folder / "old.checkpoints", keys.signer, NOW)
    records = open_records(str(folder / "old.db"))
    records.run("INSERT INTO people_accounts VALUES ('fay', 'administrator', 'hash')")
    records.run("INSERT INTO people_factors VALUES ('fay', 'SECRET', 7, 5)")
    records.run("INSERT INTO people_sessions VALUES ('s', 'fay', 'administrator', 'c', 1)")
    records.run("INSERT INTO people_settings VALUES ('staff:one', '{}')")
    records.close()


def _work(store: Store) -> None:
    one = open_table(store, "one", "Ann", "Bob")
    issue(store, "Ann", "500", "k-1")
    issue(store, "Cy", "70.5", "k-2")
    one.handle(Command("fill", "floorperson", "Fay", args={"amount": "1000"}), "fill")
    one.handle(Command("set_limit", "operator", "Ono", args={"about": "tip", "amount": "20"}), "limit")
    bring(one, "Ann", "300", "k-4")
    one.handle(Command("tip", "player", "Ann", args={"amount": "10"}), "tip")
    leave(one, "Ann", "k-5")
    for number in ("A-1", "A-2", "A-3"):
        issue_coupon(store, number, ends=NOW + 10**7)
    store.append(HOUSE, 0, [void("A-3", "Fay", "test", NOW)], "void", "void")
    two = CouponTable(store, "two")
    two.wager().lay("A-1").play("win").collect()
    wheels = WheelTable(store, stream="wheels")
    wheels.clock = NOW
    wheels.until_spins(2)
    for runner in (one, two.runner, wheels.runner):
        runner.handle(Command("close_table", "floorperson", "Fay"), f"close {runner.stream}")


class House:
    """A copy of that house, in a folder of its own; the database of each period may be of either kind."""

    def __init__(self, template: Path, folder: Path, old: str = "", new: str = "") -> None:
        shutil.copytree(template, folder, dirs_exist_ok=True)
        self.folder = folder
        self.old, self.new = old or str(folder / "old.db"), new or str(folder / "new.db")
        if old:
            restore(folder / "old.db", old)
        self.files = Files(folder / "old.key", folder / "old.checkpoints")
        self.after = Files(folder / "new.key", folder / "new.checkpoints")
        self.archives = folder / "archives"

    def close(self, told: Any = lambda _: None, **changed: Any) -> dict[str, Any]:
        """Close the period."""
        plan = PeriodPlan(self.old, self.files, self.new, self.after, self.archives, "Fay")
        return PeriodEnd(plan._replace(**changed), lambda: END).work(told)

    @property
    def archive(self) -> Path:
        """The archive of the first period."""
        return self.archives / f"{Path(path_of(self.old) or 'postgres').name.removesuffix('.db')}-0001.db"
