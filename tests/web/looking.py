"""A person before a table page: what he reads, presses and sees change. It waits for what is shown, never for time."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

__all__ = ["Looking", "enters", "fill"]


NOW = "() => fetch(`/api/v1/tables/${window.twentyone.id}`).then((answer) => answer.json()).then((it) => it.version)"
"""Asked from the page: how far the table is."""


ASKED = """(before) => {
  const { view } = window.twentyone;
  if (view.offer?.yours) return 'asked';
  return view.round > before && !['round', 'settled'].includes(view.phase) ? 'over' : null;
}"""
"""Whether the player is asked, or a round after `before` is over and its cards are picked up."""
READY = "[data-action=lay], [data-action=decline_cut], [data-action=have_looked]"
"""What a player may press while the cards are made ready, and once they are."""
MOST = 60
"""More decisions than one box can be asked in a round."""


class Looking:
    """Somebody who looks at a table."""

    def __init__(self, page: Page) -> None:
        self.page = page
        expect(page.locator("[data-part=round]")).not_to_be_empty()
        page.wait_for_function("() => window.twentyone?.view")

    def part(self, name: str) -> Locator:
        """A part of the page by its name."""
        return self.page.locator(f"[data-part={name}]")

    def asked(self, text: str) -> None:
        """The sentence under the felt says this."""
        expect(self.part("say")).to_contain_text(text)

    def story(self, text: str) -> None:
        """The story of the round tells this."""
        expect(self.part("story")).to_contain_text(text, ignore_case=True)

    def purse(self, text: str) -> None:
        """The header shows these chips."""
        expect(self.page.locator(".tw-head [data-part=purse]")).to_contain_text(text)

    def button(self, action: str) -> Locator:
        """The button of a decision."""
        return self.part("actions").locator(f"[data-action={action}]")

    def press(self, key: str, action: str) -> None:
        """A key alone, once its decision is offered; then what the table answers is seen."""
        self.current()
        expect(self.button(action)).to_be_visible()
        self.page.keyboard.press(key)
        self.settled()

    def clicks(self, *actions: str) -> None:
        """Buttons under the felt, one after the other; then what the table answers is seen."""
        for action in actions:
            self.current()
            self.button(action).click()
            self.settled()

    def made_ready(self) -> None:
        """The cards are made ready: he says that he has looked at them, and leaves the cut to the house."""
        for _ in range(MOST):
            shown = self.page.wait_for_selector(READY)
            action = shown.get_attribute("data-action") if shown is not None else None
            if action == "lay":
                return
            self.page.evaluate("(action) => document.querySelector(`[data-action=${action}]`)?.click()", action)
            self.settled()
        raise AssertionError("the cards are never ready")

    @property
    def version(self) -> int:
        """How far the table is that is shown."""
        return int(self.page.evaluate("() => window.twentyone.view.version"))

    def current(self) -> None:
        """The page shows the table as the server has it now."""
        now = self.page.evaluate(NOW)
        self.page.wait_for_function("now => window.twentyone.view.version >= now", arg=now)

    def settled(self) -> None:
        """What was given here is answered, and the answer is seen: now another may go on."""
        self.page.wait_for_function("() => window.twentyone.live.settled")

    @property
    def rounds(self) -> int:
        """How many rounds this table has begun."""
        return int(self.page.evaluate("() => window.twentyone.view.round"))

    def finishes(self, before: int) -> None:
        """By keys: stand where that is a decision, say no where it is not, until the round after `before` is over."""
        for _ in range(MOST):
            if self.page.wait_for_function(ASKED, arg=before).json_value() == "over":
                return
            version, offer = self.page.evaluate("() => [window.twentyone.view.version, window.twentyone.view.offer]")
            if offer and offer["yours"]:
                self.page.keyboard.press("n" if offer["optional"] else "s")
                self.page.wait_for_function("old => window.twentyone.view.version > old", arg=version)
        raise AssertionError(f"the round did not end: {self.part('say').inner_text()}")

    def card(self, name: str) -> Locator:
        """A card on the felt, as a screen reader names it."""
        return self.page.locator(".tw-live .tw-card", has=self.page.locator("title", has_text=re.compile(f"^{name}$")))

    def badge(self, text: str) -> Locator:
        """A total or a result on the felt."""
        return self.page.locator(".tw-live .tw-badge text", has_text=re.compile(f"^{re.escape(text)}$"))

    def sees(self, *cards: str) -> None:
        """These cards lie on the felt."""
        for name in cards:
            expect(self.card(name).first).to_be_attached()

    def does(self, step: str, **given: str | bool) -> None:
        """Staff: carry out the next step of the console, saying what it asks for; the table moves on."""
        self.current()
        form = self.part("now").locator(f"[data-step={step}]").first
        expect(form).to_be_visible()
        before = self.version
        if form.locator("[data-answer]").count():
            form.locator(f"[data-answer='{next(iter(given.values()))}']").click()
        else:
            fill(form, given)
            form.locator("button[type=submit]").click()
        self.settled()
        assert self.version > before, f"{step} was not carried out"

    def begins(self, says: str, **given: str | bool) -> None:
        """Staff: a guided action of the console, from its choice to `Do it`; then the table's answer is seen."""
        self.current()
        choice = self.part("choose").locator("option", has_text=re.compile(f"^{says}$", re.IGNORECASE))
        self.part("choose").select_option(choice.get_attribute("value"))
        self.page.click("[data-act=begin]")
        form = self.part("guide").locator("form")
        expect(form.locator("[data-act=do]")).to_be_visible()
        fill(form, given)
        form.locator("[data-act=do]").click()
        self.settled()

    def closes(self) -> None:
        """Staff: close the table at its console; the page names the chips at stake, and asks."""
        self.current()
        choice = self.part("choose").locator("option", has_text=re.compile("^close table$", re.IGNORECASE))
        self.part("choose").select_option(choice.get_attribute("value"))
        self.page.click("[data-act=begin]")
        self.page.get_by_role("button", name="Close the table").click()

    def accepted(self) -> None:
        """The guided action was carried out: its form is gone."""
        expect(self.part("guide").locator("form")).to_have_count(0)

    def refused(self, text: str) -> None:
        """The page says why something was not done, with a paragraph."""
        toast = self.page.locator(".tw-toast")
        expect(toast).to_contain_text(text, ignore_case=True)
        expect(toast.locator(".tw-chip")).to_be_visible()


def fill(form: Locator, given: dict[str, str | bool]) -> None:
    """Fill a form of the console in."""
    for name, value in given.items():
        field = form.locator(f"[name={name}]")
        if isinstance(value, bool):
            field.set_checked(value)
        elif field.evaluate("element => element.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)


def enters(dealer: Looking, cards: str) -> None:
    """The dealer enters cards at his console, one after the other; `??` lies face down."""
    for card in cards.split():
        dealer.does("card", **({} if card == "??" else {"card": card}))
