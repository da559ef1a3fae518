"""The environments: what Gymnasium and PettingZoo ask of them, seeds, refusals, and that many at once are as one."""

from __future__ import annotations

import csv
import doctest
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from examples import tabular_agent
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import api_test, seed_test

from twentyone.errors import NotInstalled, Refused, SubmissionRefused
from twentyone.learn import ACTIONS, FIELDS, env_id, situation_of
from twentyone.learn.names import SETTLED
from twentyone.learn.players import TableEnv, box_gains
from twentyone.learn.single import GameEnv
from twentyone.learn.vector import GameVectorEnv
from twentyone.money import Amount
from twentyone.rulebook import Rulebook, rulebook_ids

ROOT = Path(__file__).parents[2]
STAND, HIT, SURRENDER, DECLINE = (ACTIONS.index(name) for name in ("stand", "hit", "surrender", "decline"))


def first_allowed(mask: np.ndarray) -> int:
    """A player who takes the first decision that is allowed."""
    return int(np.flatnonzero(mask)[0])


def rewards(env: GameEnv, seed: int, rounds: int = 30) -> list[float]:
    """What a player who hits whenever he may gains."""
    found = []
    for number in range(rounds):
        _, info = env.reset(seed=seed if number == 0 else None)
        over = False
        while not over:
            mask = info["action_mask"]
            _, reward, over, _, info = env.step(np.int64(HIT if mask[HIT] else first_allowed(mask)))
        found.append(reward)
    return found


def test_every_rulebook_has_its_environment() -> None:
    assert env_id("pa-spanish-21") == "twentyone/PaSpanish21-v0"
    ours = {name for name in gymnasium.registry if name.startswith("twentyone/")}
    assert ours == {env_id(book) for book in rulebook_ids()}
    assert len(ours) == 6


@pytest.mark.parametrize("book", rulebook_ids())
@pytest.mark.filterwarnings("error")
def test_gymnasium_finds_nothing_wrong(book: str) -> None:
    check_env(gymnasium.make(env_id(book)).unwrapped)


def test_a_fault_is_found_by_gymnasium() -> None:
    """A negative control: an environment that shows more than it says."""
    env = GameEnv("classic-blackjack")
    env.observation_space = gymnasium.spaces.MultiDiscrete([2] * len(FIELDS))
    with pytest.raises(AssertionError):
        check_env(env)


def test_a_seed_gives_the_same_rounds() -> None:
    env = GameEnv("classic-blackjack")
    assert rewards(env, 7) == rewards(env, 7) == rewards(GameEnv("classic-blackjack"), 7)
    assert rewards(env, 7) != rewards(env, 8)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_many_at_once_are_as_one(mode: str) -> None:
    """Row `i` plays what the single environment plays with the seed `seed + i`."""
    count, seed = 5, 40
    envs: Any = gymnasium.make_vec(env_id("pa-down-under-blackjack"), count, autoreset_mode=mode)
    singles = [GameEnv("pa-down-under-blackjack") for _ in range(count)]
    shown, info = envs.reset(seed=seed)
    alone = [env.reset(seed=seed + row) for row, env in enumerate(singles)]
    assert np.array_equal(shown, [one for one, _ in alone])
    rng, over = np.random.default_rng(1), np.zeros(count, bool)
    for _ in range(60):
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])
        before = over
        shown, gained, over, _, info = envs.step(actions)
        for row, env in enumerate(singles):
            if mode == "NextStep" and before[row]:
                assert np.array_equal(shown[row], env.reset()[0])
                assert gained[row] == 0
                continue
            last, reward, ended, _, _ = env.step(actions[row])
            assert (reward, ended) == (gained[row], over[row])
            if ended and mode == "SameStep":
                assert last[0] == info["final_obs"][row][0] == SETTLED
                last = env.reset()[0]
            assert np.array_equal(shown[row], last)


def test_rounds_that_are_over_wait_where_nothing_deals_them_again() -> None:
    envs = GameVectorEnv("classic-blackjack", 64, autoreset_mode=AutoresetMode.DISABLED)
    _, info = envs.reset(seed=3)
    over = np.zeros(64, bool)
    for _ in range(20):
        _, _, ended, _, info = envs.step(np.array([first_allowed(mask) for mask in info["action_mask"]]))
        assert not (over & ended).any()
        over |= ended
    assert over.all()
    shown, _ = envs.reset(options={"reset_mask": np.arange(64) < 60})
    assert (shown[60:, 0] == SETTLED).all()
    assert (shown[:60, 0] != SETTLED).any()


def test_what_is_not_allowed_changes_nothing() -> None:
    env = GameEnv("classic-blackjack")
    before, info = env.reset(seed=1, options={"cards": "10S 6H 6C KD"})
    assert not info["action_mask"][SURRENDER]
    shown, reward, over, _, info = env.step(np.int64(SURRENDER))
    assert info["refused"]
    assert (reward, over) == (0.0, False)
    assert np.array_equal(before, shown)
    assert env.refusal(SURRENDER).cite
    strict = GameEnv("classic-blackjack", strict=True)
    strict.reset(seed=1, options={"cards": "10S 6H 6C KD"})
    with pytest.raises(Refused, match="may not surrender"):
        strict.step(np.int64(SURRENDER))


def test_cards_submission_and_wagers_are_options() -> None:
    env = GameEnv("pa-spanish-21", submission={"decks": 8}, main="25", sides={"match_the_dealer": "5"})
    shown, info = env.reset(seed=1, options={"cards": "8S 7H 9C KD"})
    assert (shown[FIELDS.index("total")], env.round.rules.submission["decks"]) == (17, 8)
    asked = situation_of(env.game, shown, info["action_mask"])
    assert asked is not None
    assert (asked.phase, asked.total, asked.up) == ("first", 17, "7")
    _, reward, over, _, _ = env.step(np.int64(STAND))
    assert (over, reward) == (True, (-5) / 25)
    with pytest.raises(Refused, match="no further"):
        env.reset(options={"cards": "10S"})
    with pytest.raises(SubmissionRefused):
        GameEnv("pa-spanish-21", submission={"decks": 7})
    with pytest.raises(Refused, match=r"10\.3"):
        GameEnv("pa-spanish-21", main="10.3")


def test_a_round_without_a_decision_is_an_episode_too() -> None:
    env = GameEnv("classic-blackjack", render_mode="ansi")
    shown, info = env.reset(seed=1, options={"cards": "AS 6H KC KD"})
    assert shown[0] == SETTLED
    assert list(np.flatnonzero(info["action_mask"])) == [DECLINE]
    _, reward, over, _, _ = env.step(np.int64(DECLINE))
    assert (reward, over) == (1.5, True)
    assert "A♠ K♣" in str(env.render())


def test_a_blackjack_is_asked_where_it_may_still_be_given_up() -> None:
    env = GameEnv(
        "s13-spanish-21", submission={"hole_card": "unread", "readings": {"s13-blackjack-surrender": "allowed"}}
    )
    _, info = env.reset(seed=1, options={"cards": "KD 8D AD"})
    assert {option.action for option in env.round.legal()} == {"surrender", "stand"}
    assert list(np.flatnonzero(info["action_mask"])) == [STAND, SURRENDER]
    assert env.step(np.int64(SURRENDER))[1] == -0.5 == env.round.net["player_1"] / Amount("10")
    env.reset(options={"cards": "KD 8D AD"})
    assert env.step(np.int64(STAND))[1] == 1.5


# -- a table of several players


@pytest.mark.parametrize("book", rulebook_ids())
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_pettingzoo_finds_nothing_wrong(book: str) -> None:
    api_test(TableEnv(book), num_cycles=30)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_table_is_the_same_by_its_seed() -> None:
    seed_test(lambda: TableEnv("classic-blackjack"), num_cycles=30)


def test_the_players_share_what_the_round_gained() -> None:
    env = TableEnv("pa-spanish-21", 4)
    rng = np.random.default_rng(2)
    for seed in range(30):
        env.reset(seed=seed)
        for agent in env.agent_iter():
            shown, reward, over, _, _ = env.last()
            if over:
                assert reward == env.round.net[agent] / Amount("10")
                env.step(None)
            else:
                assert shown is not None
                env.step(int(rng.choice(np.flatnonzero(shown["action_mask"]))))
        assert sum(box_gains(env._rounds)) == env._told.gains[0]


def test_a_player_is_refused_with_the_paragraph() -> None:
    env = TableEnv("classic-blackjack", 2)
    env.reset(seed=4)
    with pytest.raises(Refused) as refused:
        env.step(ACTIONS.index("rescue"))
    assert refused.value.cite


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for package, module in (("pettingzoo", "twentyone.learn.players"), ("gymnasium", "twentyone.learn")):
        monkeypatch.setitem(sys.modules, package, None)
        monkeypatch.delitem(sys.modules, module)
        with pytest.raises(NotInstalled, match=rf"{package}.*twentyone\[learn\]"):
            import_module(module)


# -- documents and the example


def test_the_document_tells_what_happens() -> None:
    failed, tried = doctest.testfile(str(ROOT / "docs/learn.md"), module_relative=False)
    assert (failed, tried > 10) == (0, True)


def test_the_curve_of_the_document_ends_within_a_thousandth() -> None:
    rows = list(csv.DictReader((ROOT / "docs/learn-curve.csv").open(encoding="utf-8")))
    assert float(rows[0]["cost"]) > 0.01
    assert 0 <= float(rows[-1]["cost"]) < 0.001
    assert "polyline" in (ROOT / "docs/learn-curve.svg").read_text(encoding="utf-8")


def test_the_example_learns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two short stages: the second chart is worth more than the first, and both are charts for the game."""
    monkeypatch.setattr(tabular_agent, "FIRST_STAGE", 1 << 16)
    first, second = tabular_agent.learn("classic-blackjack", 100_000, seed=1)
    assert first.rounds < second.rounds
    assert second.edge < first.edge < 0.2
    second.chart.check(Rulebook.load("classic-blackjack").under())
    assert tabular_agent.svg_of([(10, 0.1), (100, 0.01)], "t").count("<circle") == 2
