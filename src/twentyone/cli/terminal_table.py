"""The table of `twentyone play`: a real table, in memory only, whose staff follows the procedure between the rounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from twentyone.errors import TwentyoneError
from twentyone.ledger.keys import Keyring
from twentyone.ledger.live_shoe import LiveShoe
from twentyone.ledger.shoes import Custody
from twentyone.money import ZERO, Amount, dollars
from twentyone.round import Decision, Offer, Round, Wagers
from twentyone.round.wagers import check_wagers
from twentyone.rulebook import Rules
from twentyone.rulebook.wheels import weights_of
from twentyone.table import Command, NextStep, Table
from twentyone.table.follow import Follower, consent
from twentyone.table.health import Source
from twentyone.table.limits import MOST, limits_of
from twentyone.table.people import seated_at
from twentyone.table.rack import rack_cards
from twentyone.table.rounds import DEALER
from twentyone.table.words import Sentence, described

__all__ = ["OutOfCards", "TerminalTable", "assign_boxes", "signed"]

STAFF = Follower({"dealer": "the dealer", "floorperson": "the floorperson"})
"""Who works the table."""
PLAYERS_TURN = ("place_wager", "deal", "sit")
"""Steps that wait for players."""
TOLD = ("cover_card_seen", "cards_shuffled", "cut_made", "cover_card_inserted", "card_burned")
"""Events of the procedure that are shown."""
PURSE = 100
"""At the start of a round a player has this many times his wagers in chips, enough to double and split."""


class OutOfCards(TwentyoneError):
    """Neither the shoe nor the discard rack holds the next card."""


class TerminalTable:
    """A table with its shoe, and with players who wager the same on every round."""

    def __init__(self, rules: Rules, wagers: Sequence[Wagers], entropy: Source, clock: Callable[[], int]) -> None:
        weights_of(rules)
        check_wagers(rules, wagers)
        self.wagers = tuple(wagers)
        """What is wagered each round."""
        self.table = Table.new(rules)
        """The table as it stands; its events are those of the last command."""
        self.chips = dict.fromkeys((row.player for row in wagers), ZERO)
        """Each player's gain or loss since the start, without the round in progress."""
        self.inventory = ZERO
        """The gain or loss of the table inventory since the start, without the round in progress."""
        self.rounds = 0
        """Number of settled rounds."""
        self.news: list[Sentence] = []
        """What the staff did since it was last shown."""
        self._bought = dict(self.chips)
        self._live_shoe = LiveShoe("play", rules, Keyring.new(entropy), entropy)
        self._custody, self._clock = Custody(), clock
        self._open()

    @property
    def rules(self) -> Rules:
        """The rulebook under the submission."""
        return self.table.rules

    @property
    def round(self) -> Round:
        """The round on the table."""
        assert self.table.state.round is not None
        return self.table.state.round

    @property
    def foot(self) -> str:
        """The round number and the cards left, as a line."""
        state = self.table.state
        assert state.shoe is not None
        number = self.rounds + (state.phase == "round")
        return f"round {number} · {state.shoe.left} of {state.shoe.size} cards in the shoe"

    # -- the procedure

    def _give(self, do: str, role: str, by: str, **args: object) -> None:
        self._apply(Command(do, role, by, self._clock(), args))

    def _apply(self, command: Command) -> None:
        before = Table(self.rules, self.table.state)
        _, self.table, _, self._custody = self._live_shoe.apply(before, self._custody, command)
        self.news += [line for event in self.table.new_events if event.kind in TOLD for line in described(event)]

    def _do(self, step: NextStep) -> None:
        self._apply(STAFF.command(self.table, step, self._clock()))

    def _open(self) -> None:
        self._do(self.table.next_steps()[0])
        for player in self.chips:
            self._come(player)
        self._follow()

    def _come(self, player: str) -> None:
        """A player sits at his boxes; at one where another sits already he stands."""
        boxes = [row.box for row in self.wagers if row.player == player]
        free = [box for box in boxes if seated_at(self.table.state, box) == ""]
        if free:
            self._give("sit", "player", player, boxes=free)
        else:
            self._give("stand_behind", "player", player)

    def _follow(self) -> None:
        """Follow the procedure until players may wager; they decline the cut."""
        while (steps := self.table.next_steps(at=self._clock()))[0].do not in PLAYERS_TURN:
            self._do(next((step for step in steps if step.do == "decline_cut"), steps[0]))

    # -- rounds

    def deal(self, answer: Callable[[], None]) -> Round | None:
        """Play a round, with decisions by `answer`; none if the cards ran out and the round was abandoned."""
        before = self.table, self._custody
        try:
            self._wager()
            while self.table.state.phase == "round":
                answer() if isinstance(self.round.next, Offer) else self._bring()
        except OutOfCards:
            self.table, self._custody = before
            self._give("reshuffle", "floorperson", STAFF.staff["floorperson"])
            self._follow()
            return None
        self._book()
        return self.round

    def _wager(self) -> None:
        for player in self.chips:
            self._fill_purse(player)
        for row in self.wagers:
            for kind, amount in {"main": row.main, **row.sides}.items():
                for command in consent(self.rules, self.table.state, row.box, row.player, self._clock()):
                    self._apply(command)
                self._give("place_wager", "player", row.player, box=row.box, wager=kind, amount=str(amount))
        self._give("deal", "dealer", STAFF.staff["dealer"])

    def _fill_purse(self, player: str) -> None:
        own = [row for row in self.wagers if row.player == player]
        enough = min(PURSE * sum((row.main + sum(row.sides.values(), ZERO) for row in own), ZERO), MOST)
        if self.table.state.chips.get(player, ZERO) < enough:
            if limits_of(self.table.state.limits)["buy_in"] < enough:
                self._give("set_limit", "operator", "operator", about="buy_in", amount=str(MOST))
            self._give("buy_in", "dealer", STAFF.staff["dealer"], player=player, amount=str(enough))
            self._bought[player] = self._bought[player] + enough

    def _bring(self) -> None:
        """Bring what the round needs from the dealer; a discard rack of one card is burned and leaves none."""
        steps = self.table.next_steps()
        step = next((step for step in steps if step.do == "decline_cut"), steps[0])
        if step.do == "reload_rack" and len(rack_cards(self.table.state.rack)) < 2:
            raise OutOfCards("neither the shoe nor the discard rack holds a card for this round")
        self._do(step)

    def decide(self, decision: Decision) -> None:
        """A decision of a player, or the dealer's "decline" for the rest; refused where the text does not allow it."""
        amount = None if decision.amount is None else str(decision.amount)
        given = {"action": decision.action, "box": decision.box, "amount": amount, "hand": decision.hand}
        args = {name: value for name, value in given.items() if value is not None}
        if decision.player in (None, DEALER):
            self._give("decide", "dealer", STAFF.staff["dealer"], **args)
        else:
            self._give("decide", "player", decision.player or "", **args)

    def _book(self) -> None:
        chips, bought = self.table.state.chips, self._bought
        self.chips = {player: chips[player] - bought[player] for player in self.chips}
        self.inventory = chips["(inventory)"] + sum(bought.values(), ZERO)
        self.rounds += 1

    def clear(self) -> None:
        """Pick up the cards of a settled round, and reshuffle if that is due."""
        if self.table.state.phase == "settled":
            self._follow()

    def wager(self, amount: Amount) -> None:
        """Change the main wager of every box; refused where the rulebook does not allow it."""
        rows = tuple(replace(row, main=amount) for row in self.wagers)
        check_wagers(self.rules, rows)
        self.wagers = rows

    def farewell(self) -> str:
        """The totals."""
        gone = "The round in progress does not count. " if self.table.state.phase == "round" else ""
        chips = ", ".join(f"{player} {signed(amount)}" for player, amount in self.chips.items())
        count = f"{self.rounds} round{'' if self.rounds == 1 else 's'}"
        return f"{gone}{count}: {chips}; table inventory {signed(self.inventory)}."


def assign_boxes(boxes: int, players: list[str]) -> list[tuple[int, str]]:
    """Assign boxes to players: neighbouring boxes for each player, or several players per box.

    >>> assign_boxes(3, ["Ann", "Bob"])
    [(1, 'Ann'), (2, 'Ann'), (3, 'Bob')]
    >>> assign_boxes(1, ["Ann", "Bob"])
    [(1, 'Ann'), (1, 'Bob')]
    """
    count = len(players)
    if count <= boxes:
        return [(box, players[(box - 1) * count // boxes]) for box in range(1, boxes + 1)]
    return [(1 + number * boxes // count, player) for number, player in enumerate(players)]


def signed(amount: Amount) -> str:
    """A gain or loss with its sign.

    >>> signed(Amount("2.5")), signed(Amount("-1"))
    ('+$2.50', '-$1.00')
    """
    return f"+{dollars(amount)}" if amount > 0 else dollars(amount)
