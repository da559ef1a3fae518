"""The table as a terminal shows it: layout, questions, settled wagers, entries. Only this module prints."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from rich.box import ROUNDED, SIMPLE_HEAD
from rich.console import Console, Group, JustifyMethod, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from twentyone.cards import Card
from twentyone.cli.person import Question, words
from twentyone.cli.terminal_table import TerminalTable, signed
from twentyone.money import ZERO, Amount, dollars
from twentyone.round import Round
from twentyone.round import events as e
from twentyone.round.events import HandRef
from twentyone.round.play import Play
from twentyone.round.state import Hand, HandWager
from twentyone.round.view import HIDDEN
from twentyone.round.words import kept_words
from twentyone.rulebook import HandFacts, Rulebook
from twentyone.rulebook.clauses import Range
from twentyone.rulebook.totals import dealer_limit

__all__ = ["Screen"]

SUITS = {"S": "bold", "H": "bold red", "D": "bold bright_blue", "C": "bold green"}
LAW, TURN, LOSS = "yellow", "bold yellow", "red"
HOLE_CARD = "??"
VERBS = {"win": "wins", "lose": "loses", "push": "is returned", "rescued": "is taken back", "void": "is void"}
ROOMY = 90
"""A terminal with at least this many columns has room for padding in tables."""


class Screen:
    """A console that can show a table."""

    def __init__(self, no_color: bool, clears: bool) -> None:
        self.console = Console(no_color=no_color or None, highlight=False)
        self._clears = clears and self.console.is_terminal
        self._symbols = not self.console.options.ascii_only

    # -- cards

    def card(self, card: Card) -> Text:
        """A card in its suit's colour."""
        return Text(card.symbol if self._symbols else card.name, SUITS[card.suit])

    def cards(self, cards: Iterable[Card]) -> Text:
        """Some cards in a row."""
        return Text(" ").join(self.card(card) for card in cards)

    # -- the layout

    def show_round(self, round_: Round, chips: Mapping[str, Amount], foot: str, turn: Question | None = None) -> None:
        """Draw the layout: dealer above, boxes below, chips at the edge."""
        if self._clears:
            self.console.clear()
        book = round_.rules.rulebook
        body = Group(self._dealer(round_), Text(), self._boxes(round_, turn))
        edge = " · ".join(f"{player} {signed(amount)}" for player, amount in chips.items())
        self.console.print(
            Panel(
                body,
                title=Text(f"{book.title} · {book.source}"),
                title_align="left",
                subtitle=Text(f"{edge} · {foot}"),
                subtitle_align="left",
                border_style="green",
                box=ROUNDED,
            )
        )

    def _dealer(self, round_: Round) -> Text:
        seen = round_.seen_by("player")["dealer"]
        shown = [Card(name) for name in seen["cards"] if name != HIDDEN]
        line = Text().append("Dealer  ", "bold").append_text(self.cards(shown))
        if len(shown) < len(seen["cards"]):
            line.append(f" {HOLE_CARD}", "bold")
        facts = round_.rules.dealer_hand(tuple(shown))
        if not shown:
            return line
        if not round_.state.shown:
            line.append(f"   shows {facts.points}")
            if seen["range"]:
                line.append(f", hole card {seen['range']}: {_ranks(round_, seen['range'])}", TURN)
            return line
        return line.append(f"   {_total(facts, dealer_limit(round_.rules))}")

    def _boxes(self, round_: Round, turn: Question | None) -> Table:
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
        for head in ("", "box", "player", "cards", "total", "wagers", "result"):
            table.add_column(head, no_wrap=head not in ("player", "wagers"), overflow="fold")
        play = Play(round_.rules, round_.state)
        for ref, hand in play.each_hand():
            asked = turn is not None and (turn.box, turn.hand) == ref
            name = str(ref.box) if len(round_.state.hands[ref.box]) == 1 else f"{ref.box}.{ref.number}"
            table.add_row(
                Text("▶" if self._symbols else ">", TURN) if asked else "",
                Text(name, TURN if asked else ""),
                Text("\n".join(hand_wager.player for hand_wager in hand.wagers)),
                self._hand_cards(hand),
                Text(_total(play.facts(ref), round_.rules.limit)),
                Text("\n".join(_wagers(round_, ref, hand_wager) for hand_wager in hand.wagers)),
                Text("\n").join(_result(round_, ref, hand_wager) for hand_wager in hand.wagers),
            )
        return table

    def _hand_cards(self, hand: Hand) -> Text:
        if hand.away:
            return Text("in the rack", "dim")
        line = self.cards(hand.cards)
        if hand.chance is not None:
            line.append(" less ", "dim").append_text(self.card(hand.chance))
        return line

    # -- what happened

    def news(self, round_: Round, since: int) -> str | None:
        """Print the events from this one on; returns the last paragraph cited."""
        cite = None
        for event, line in _story(round_, since, self):
            cite = event.cite
            self.console.print(Text("  ").append_text(line).append(f"  {_short(round_, event.cite)}", LAW))
        return cite

    def procedure(self, table: TerminalTable) -> None:
        """Print what the staff did since the last call: cover card, shuffle, cut, burn."""
        for line in table.news:
            cite = line.cite.removeprefix(table.rules.rulebook.prefix)
            self.console.print(Text(f"  {line.says}", "dim").append(f"  {cite}", LAW))
        table.news.clear()

    def settled(self, round_: Round) -> str | None:
        """Print a table of every settled wager; returns the last paragraph cited."""
        gap = 1 if self.console.width > ROOMY else 0
        table = Table(box=SIMPLE_HEAD, padding=(0, gap, 0, 0), header_style="bold", caption_justify="left")
        for head in ("box", "hand", "player", "wager", "amount", "outcome", "odds", "net", "paragraph"):
            folds = head in ("player", "wager", "paragraph")
            side: JustifyMethod = "right" if head in ("amount", "odds", "net") else "left"
            table.add_column(head, justify=side, no_wrap=not folds, overflow="fold", min_width=6 if folds else None)
        rows = sorted(round_.state.rows, key=lambda row: (row.box is None, row.box or 0, row.hand or 0))
        for row in rows:
            table.add_row(*_cells(round_, row))
        table.caption = f"paragraphs of {round_.rules.rulebook.source}"
        self.console.print(table)
        return rows[-1].cite if rows else None

    # -- questions

    def question(self, round_: Round, question: Question) -> None:
        """Print a question: the legal answers, and dimmed the others."""
        self.console.print(Text(question.text, "bold"))
        line = Text("  ")
        for choice in question.choices:
            line.append(choice.key, TURN).append(f" {choice.says}   ")
        self.console.print(line)
        for barred in question.barred:
            said = f"  {barred.key} {barred.says}: {barred.why}  {_short(round_, barred.cite)}"
            self.console.print(Text(said, "dim"))

    def say(self, text: str, style: str = "") -> None:
        """One line."""
        self.console.print(Text(text, style), soft_wrap=True)

    def refuse(self, why: str) -> None:
        """Print why an answer is not accepted."""
        self.say(f"  {why}", LOSS)

    # -- pages

    def menu(self, books: Iterable[Rulebook]) -> None:
        """The rulebooks, numbered."""
        table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
        for number, book in enumerate(books, 1):
            table.add_row(Text(str(number), TURN), Text(book.title, "bold"), book.source, Text(book.id, "dim"))
        self.console.print(Text("Which rulebook?", "bold"), table)

    def keys(self, keys: Iterable[tuple[str, str]]) -> None:
        """What each key does."""
        table = Table(box=None, padding=(0, 2, 0, 2), show_header=False)
        for key, says in keys:
            table.add_row(Text(key, TURN), Text(says))
        self.console.print(table)

    def entry(self, book: Rulebook, paragraph: str) -> None:
        """What a rulebook says under a paragraph."""
        try:
            entry = book.entry(paragraph)
        except KeyError:
            self.refuse(f"{book.id} has no paragraph {paragraph!r}")
            return
        parts: list[RenderableType] = [Text(entry.words)]
        parts += [Text(f"{note.kind}: {note.text}", "dim") for note in entry.notes]
        parts += [Text("\n" + entry.fence, "dim")] if entry.fence else []
        title = Text(f"{book.cite(entry.paragraph)} {entry.title}".strip(), LAW)
        self.console.print(Panel(Group(*parts), title=title, title_align="left", border_style=LAW, box=ROUNDED))


# -- parts of the layout


def _short(round_: Round, cite: str) -> str:
    return cite.removeprefix(round_.rules.rulebook.prefix)


def _ranks(round_: Round, name: str) -> str:
    return " ".join(rank for row in round_.rules.all(Range) if row.name == name for rank in row.ranks)


def _total(facts: HandFacts, limit: int) -> str:
    if not facts.cards:
        return ""
    if facts.blackjack:
        return "Blackjack"
    kind = "bust" if facts.points > limit else "soft" if facts.soft else "hard"
    return f"{kind} {facts.points}"


def _wagers(round_: Round, ref: HandRef, hand_wager: HandWager) -> str:
    parts = [(hand_wager.wager, hand_wager.amount), ("double", hand_wager.double), ("second_chance", hand_wager.chance)]
    if ref.number == 1:
        parts += [
            (side.wager, side.amount)
            for side in round_.state.sides
            if (side.box, side.player) == (ref.box, hand_wager.player) and not side.settled
        ]
    return ", ".join(f"{words(wager)} {dollars(amount)}" for wager, amount in parts if amount)


def _result(round_: Round, ref: HandRef, hand_wager: HandWager) -> Text:
    rows = [row for row in round_.state.rows if (row.box, row.hand, row.player) == (*ref, hand_wager.player)]
    if not rows:
        return Text("surrendered" if hand_wager.surrendered else "rescued" if hand_wager.rescued else "")
    net = ZERO
    for row in rows:
        net = net + row.net
    outcomes = ", ".join(dict.fromkeys(row.outcome for row in rows))
    return Text(f"{outcomes} {signed(net)}", LOSS if net < 0 else "")


def _cells(round_: Round, row: e.WagerSettled) -> tuple[RenderableType, ...]:
    return (
        str(row.box or "-"),
        str(row.hand or "-"),
        Text(row.player),
        words(row.wager),
        dollars(row.amount),
        f"{row.outcome}, kept" if kept_words(row) else row.outcome,
        str(row.odds or "-"),
        Text(signed(row.net), LOSS if row.net < 0 else ""),
        Text(_short(round_, row.cite), LAW),
    )


# -- the story of a round


def _story(round_: Round, since: int, screen: Screen) -> Iterator[tuple[e.Event, Text]]:
    """The events worth a line; the cards of the initial deal are already on the layout."""
    step = ""
    for index, event in enumerate(round_.events):
        if isinstance(event, e.StepBegun):
            step = event.step
        if index < since or (isinstance(event, e.CardDealt) and (step == "deal" or event.face_down)):
            continue
        wording = _STORIES.get(type(event))
        if wording is not None:
            yield event, wording(event, screen)


def _card_dealt(event: e.CardDealt, screen: Screen) -> Text:
    hand = f", hand {event.hand}," if event.hand is not None and event.hand > 1 else ""
    who = f"box {event.box}{hand}" if event.box is not None else "the dealer"
    drawn = Text(f"{who} draws ").append_text(screen.card(event.card))
    return drawn.append(", sideways") if event.sideways else drawn


def _decision(event: e.DecisionTaken, _: Screen) -> Text:
    amount = f" {dollars(event.amount)}" if event.amount else ""
    choice = f" hand {event.choice}" if event.action == "designate" else ""
    return Text(f"{event.player}, box {event.box}: {words(event.action)}{amount}{choice}")


def _wager_settled(event: e.WagerSettled, _: Screen) -> Text:
    box = f", box {event.box}" if event.box is not None else ""
    odds = f" {event.odds.win} to {event.odds.lay}" if event.odds is not None else ""
    verb = VERBS.get(event.outcome, event.outcome)
    text = f"{event.player}{box}: {words(event.wager)} {verb}{odds}{kept_words(event)}, {signed(event.net)}"
    return Text(text, LOSS if event.net < 0 else "")


def _hole_card(event: e.HoleCardExposed | e.HoleCardRevealed, screen: Screen) -> Text:
    return Text("the hole card is ").append_text(screen.card(event.card))


def _set_aside(event: e.CardSetAside, screen: Screen) -> Text:
    return Text().append_text(screen.card(event.card)).append(" is set aside")


_STORIES: dict[type[e.Event], Callable[[Any, Screen], Text]] = {
    e.BlackjackAnnounced: lambda event, _: Text(f"box {event.box} has a Blackjack"),
    e.CardDealt: _card_dealt,
    e.CardSetAside: _set_aside,
    e.DecisionTaken: _decision,
    e.HandCalledDead: lambda event, _: Text(f"hand {event.hand} of box {event.box} is dead"),
    e.HoleCardExposed: _hole_card,
    e.HoleCardRead: lambda event, _: Text(f"the card reader: {'' if event.blackjack else 'no '}Blackjack"),
    e.HoleCardRevealed: _hole_card,
    e.MeterReset: lambda event, _: Text(f"the meter {words(event.meter)} pays {dollars(event.paid)}"),
    e.MeterRestored: lambda event, _: Text(f"the meter {words(event.meter)} shows {dollars(event.paid)} again"),
    e.RackShuffled: lambda *_: Text("the shoe ran out: the discard rack is shuffled"),
    e.RangeAnnounced: lambda event, _: Text(f"the hole card is {event.range} ({event.light} light)"),
    e.RoundVoided: lambda *_: Text("the round is void"),
    e.WagerSettled: _wager_settled,
    e.WheelSpun: lambda event, _: Text(f"the {words(event.wheel)} wheel stops at {event.symbol}, box {event.box}"),
}
