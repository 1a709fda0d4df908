"""The bots of After the Flood: what they may look at, what they answer in plain positions, and that each level beats the one below."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.after_the_flood import game, legality
from games.after_the_flood.bot import LEVELS as ALL_LEVELS
from games.after_the_flood.components import GROWTH_POINTS, KINDS, LUXURIES, WOOD
from games.after_the_flood.evaluation import Outlook
from games.after_the_flood.search import Search, follow
from games.after_the_flood.state import BIDDING, GROWING, ROLLING, State
from games.core.rng import SeededRng
from games.core.simulate import Match, play_game
from tests.engine.after_the_flood.builders import due, play, position

LEVELS = ("apprentice", "scribe")
ANCHORS = {
    match
    for file in (Path(__file__).parents[3] / "rules_docs" / "content" / "after_the_flood" / "en").glob("*.md")
    for match in re.findall(r"\{#([a-z0-9-]+)\}", file.read_text(encoding="utf-8"))
}
DEFAULTS = {spec.key: spec.default for spec in game.meta.options}


def answer(state: State, level: str = "scribe", seed: int = 1) -> str:
    return str(game.choose_action(game.view_for(state, due(state)), level, SeededRng(seed)).action)


def rest_of_turn(state: State, level: str, seat: int = 0) -> tuple[list[str], State]:
    """Play until the points of the turn are due, the others passing; return what the seat answered, and the position then."""
    rng, texts = SeededRng(3), []
    while (actor := due(state)) >= -1:
        if actor == -1:
            action = game.sample_chance(state, rng)
        elif actor == seat:
            action = game.choose_action(game.view_for(state, seat), level, rng).action
            texts.append(str(action))
        else:
            legal = {str(action): action for action in game.legal_actions(state, actor)}
            action = legal.get("pass") or legal["done"]
        state, _ = game.apply(state, actor, action)
        assert len(texts) < 200
    return texts, state


def some_positions(count: int, every: int = 7) -> list[State]:
    """Return positions with a choice, from games of apprentices, all phases among them."""
    rng, found, phases = SeededRng("positions"), [], set()
    while len(found) < count:
        state = game.setup(3, DEFAULTS)
        while actors := game.actors(state):
            actor = actors[0]
            if actor < 0:
                action = game.sample_chance(state, rng) if actor == -1 else game.legal_actions(state, actor)[0]
            else:
                legal = game.legal_actions(state, actor)
                if len(legal) > 1 and (state.phase not in phases or rng.below(every, "keep") == 0):
                    phases.add(state.phase)
                    found.append(state)
                # now and then something odd, so that positions differ
                level = "random" if rng.below(6, "odd") == 0 else "apprentice"
                action = game.choose_action(game.view_for(state, actor), level, rng).action
            state, _ = game.apply(state, actor, action)
    return found[:count]


# What every level promises


@pytest.mark.parametrize(
    ("bots", "games"),
    [
        (("random", "random", "random"), 2),
        (("apprentice", "random", "apprentice"), 3),
        (("apprentice", "apprentice", "apprentice"), 3),
        (("scribe", "scribe", "scribe"), 1),
    ],
)
def test_every_answer_is_allowed_and_every_game_ends_by_its_rule(bots, games):
    for number in range(games):
        played = play_game(game, Match("after_the_flood", 3, bots, 3), number)  # raises at an answer that is not allowed
        assert f"end.{played.reason}" in game.phrases
        assert sum(played.wins) == 1
        assert played.moves < 1500


def test_the_lobby_offers_all_levels_but_the_random_one():
    assert set(game.meta.bot_levels) == set(ALL_LEVELS) - {"random"}


@pytest.mark.parametrize("level", LEVELS)
def test_an_answer_follows_from_view_and_generator_alone(level):
    phases = set()
    for state in some_positions(40):
        phases.add(state.phase)
        seat = due(state)
        view = game.view_for(state, seat)
        first = game.choose_action(view, level, SeededRng(9))
        assert game.choose_action(view, level, SeededRng(9)) == first
        assert view == game.view_for(state, seat)
        assert first.action in game.legal_actions(state, seat)
        if level == "scribe":
            assert game.choose_action(view, level, SeededRng(10)) == first
            assert game.choose_action(view, level, SeededRng(9), 0.01).action in game.legal_actions(state, seat)
    assert len(phases) >= 10


@pytest.mark.parametrize("level", LEVELS)
def test_reasons_can_be_said_and_cite_paragraphs(level):
    seen = set()
    for state in some_positions(40):
        reasons = game.choose_action(game.view_for(state, due(state)), level, SeededRng(1)).reasons
        assert reasons
        for key, value, rule in reasons:
            seen.add(key)
            assert f"bot.{key}" in game.phrases
            assert isinstance(value, float)
            assert rule is None or rule.removeprefix("after_the_flood#") in ANCHORS
    assert len(seen) >= 8


@pytest.mark.parametrize("level", LEVELS)
def test_the_only_possible_answer_is_given_and_said_to_be_the_only_one(level):
    state = position(
        phase="paying", turn=5, active=0, passed=[1], cities=["ur sippar", "babylon nippur umma", "uruk eridu lagash shuruppak"]
    )
    assert [str(action) for action in game.legal_actions(state, 0)] == ["pass"]
    choice = game.choose_action(game.view_for(state, 0), level, SeededRng(1))
    assert (str(choice.action), choice.reasons[0][0]) == ("pass", "only")


@pytest.mark.parametrize(("level", "seat"), [("master", 0), ("scribe", 1), ("scribe", None)])
def test_unknown_levels_and_seats_that_are_not_due_get_no_answer(level, seat):
    with pytest.raises(ValueError, match=r"no bot|not due"):
        game.choose_action(game.view_for(position(turn=1, active=0), seat), level, SeededRng(1))


def test_the_random_level_picks_among_all_that_is_allowed():
    state = position(phase="growing", passed=[0, 1, 2], turn=2, active=0, goods=["wood 2 oil", "", ""], cities=["ur", "", ""])
    assert {answer(state, "random", seed) for seed in range(40)} == {"grow ur", "grow ur oil", "done"}


# Plain positions


@pytest.mark.rule("after_the_flood#build-1")
@pytest.mark.parametrize("level", LEVELS)
def test_a_city_is_built_first_of_all(level):
    state = play(game.setup(3, DEFAULTS), "order 0 1 2")
    for _ in range(3):
        text = answer(state, level)
        assert text.startswith("build ")
        state = play(state, text)


@pytest.mark.rule("after_the_flood#growth-2")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("turn", [2, 5])
def test_a_city_grows_for_20_points_when_it_can(level, turn):
    state = position(
        phase="growing", passed=[0, 1, 2], turn=turn, active=0, goods=["grain 3 wood 2 tool oil gold lapis", "", ""], cities=["ur", "", ""]
    )
    assert answer(state, level) == "grow ur tool oil gold lapis"


@pytest.mark.rule("after_the_flood#expand-3")
@pytest.mark.parametrize("level", LEVELS)
def test_an_undefended_area_is_entered_rather_than_armies_lost(level):
    state = position(
        turn=3,
        active=0,
        passed=[],
        empires=["mittani", None, None],
        ranking=[0],
        armies=["mittani", "", ""],
        armies_available=[4, 0, 0],
        cities=["ur sippar eridu lagash", "babylon nippur umma", "uruk shuruppak"],
        grown=["ur", "sippar", "eridu", "lagash"],
    )
    assert answer(state, level).startswith("invade ")


@pytest.mark.rule("after_the_flood#trade-1", "after_the_flood#growth-2")
def test_the_scribe_trades_for_the_goods_that_its_city_lacks():
    state = position(
        turn=5,
        active=0,
        goods=["grain 2 metal textile 2 tool", "", ""],
        empires=["elam", None, None],
        ranking=[0],
        armies=["elam", "", ""],
        available=[0, 0, 0],
        workers=["amorites 2 mittani egypt kassites tool_makers", "", ""],
        cities=["ur", "sippar babylon nippur umma", "shuruppak uruk lagash eridu"],
    )
    _, end = rest_of_turn(state, "scribe")
    assert [(grower, len(goods)) for grower, _, goods in end.growths] == [(0, 4)]


@pytest.mark.rule("after_the_flood#trade-1", "after_the_flood#place-1")
def test_the_scribe_sends_the_traders_that_its_city_needs():
    state = position(
        turn=5,
        active=0,
        goods=["grain 3 wood 2 tool oil textile", "", ""],
        empires=["elam", None, None],
        ranking=[0],
        armies=["elam", "", ""],
        workers=["amorites irrigation", "", ""],
        available=[2, 0, 0],
        cities=["ur", "sippar babylon nippur umma", "shuruppak uruk lagash eridu"],
    )
    texts, end = rest_of_turn(state, "scribe")
    assert [(grower, len(goods)) for grower, _, goods in end.growths] == [(0, 3)], texts


@pytest.mark.rule("after_the_flood#build-3")
@pytest.mark.parametrize("level", LEVELS)
def test_nobody_moves_cities_to_and_fro(level):
    state = position(
        turn=2, active=0, goods=["grain 4", "", ""], available=[3, 0, 0], cities=["ur lagash eridu umma", "", ""], grown=["ur", "eridu"]
    )
    texts, _ = rest_of_turn(state, level)
    assert len([text for text in texts if text.startswith("relocate")]) <= 2
    assert len(texts) < 60


@pytest.mark.rule("after_the_flood#combat-4")
def test_the_scribe_goes_on_at_good_odds_and_stops_without_hope():
    fields = {"phase": "attacking", "turn": 4, "active": 0, "passed": [1, 2], "empires": ["hittites", "kassites", None]}
    fields |= {"doing": {"target": "babylon", "fight": "invasion"}, "cities": ["ur", "uruk", "sippar"]}
    good = position(ranking=[0, 1], armies=["amorites", "babylon", ""], armies_available=[3, 0, 0], **fields)
    assert answer(good) == "attack"
    # two defenders, worse equipped, one army: it can take no area any more but a free one
    bad = position(ranking=[1, 0], armies=["amorites", "babylon 2", ""], armies_available=[2, 0, 0], **fields)
    assert answer(bad) == "stop"


@pytest.mark.rule("after_the_flood#pass-2")
def test_the_scribe_bids_no_good_that_a_city_can_use():
    state = position(phase="bidding", turn=5, active=0, passed=[0], goods=["wood 2 tool oil gold lapis", "", ""], cities=["ur", "", ""])
    assert state.phase == BIDDING
    assert answer(state) == "done"


@pytest.mark.rule("after_the_flood#pass-3")
@pytest.mark.parametrize("level", LEVELS)
def test_a_worker_of_no_use_pays_for_an_area(level):
    state = position(
        phase="paying",
        turn=3,
        active=0,
        passed=[1, 2],
        available=[2, 0, 0],
        empires=["mittani", None, None],
        ranking=[0],
        armies=["mittani", "", ""],
        armies_available=[4, 0, 0],
        cities=["ur sippar eridu lagash", "babylon nippur umma", "uruk shuruppak"],
    )
    assert answer(state, level) == "pay worker"


# The reckoning of the scribe


def most_growth(state: State, seat: int) -> int:
    """Return the most points of growth, by trying everything."""
    best = 0
    for action in legality.growths(state, seat):
        new = state.copy()
        new.goods[seat * KINDS + WOOD] -= 2
        for good in action.luxuries:  # type: ignore[union-attr]
            new.goods[seat * KINDS + good] -= 1
        new.grown |= 1 << action.area  # type: ignore[union-attr]
        best = max(best, GROWTH_POINTS[len(action.luxuries)] + most_growth(new, seat))  # type: ignore[union-attr]
    return best


@pytest.mark.rule("after_the_flood#growth-2")
def test_growth_without_trade_is_reckoned_exactly_in_the_last_turn():
    rng, worths = SeededRng("growth"), set()
    for _ in range(40):
        goods = {"wood": rng.below(6, "n")} | {good: rng.below(3, "n") for good in ("tool", "oil", "gold", "lapis")}
        held = " ".join(f"{good} {count}" for good, count in goods.items() if count)
        state = position(phase="growing", passed=[0, 1, 2], turn=5, active=0, goods=[held or "grain", "", ""], cities=["ur eridu", "", ""])
        worth = Outlook(state, 0).closed_purse.best(state, 0, is_open=False)
        worths.add(worth)
        assert worth == most_growth(state, 0)
    assert len(worths) > 6


@pytest.mark.rule("after_the_flood#combat-1", "after_the_flood#combat-5")
@pytest.mark.parametrize(("ranking", "chance"), [([0, 1], 30 / 36), ([1, 0], 21 / 36)])
def test_a_fight_of_one_army_against_one_is_weighed_by_the_odds_of_its_roll(ranking, chance):
    state = position(
        turn=4,
        active=0,
        empires=["hittites", "kassites", None],
        ranking=ranking,
        armies=["amorites", "babylon", ""],
        armies_available=[1, 0, 0],
    )
    state = follow(state, game.parse_action("invade babylon"))
    assert state.phase == ROLLING
    outlook = Outlook(state, 0)
    won, lost = (outlook.value(follow(state, game.parse_action(dice))) for dice in ("roll 6 6", "roll 1 1"))
    assert won > lost
    assert Search(state, outlook).fight(state) == pytest.approx(chance * won + (1 - chance) * lost)


def test_every_luxury_more_is_worth_more_to_a_city_that_can_grow():
    worths = []
    for count in range(len(LUXURIES) + 1):
        held = " ".join(["wood 2", "lapis", "gold", "oil", "tool"][: count + 1])
        state = position(phase="growing", passed=[0, 1, 2], turn=4, active=0, goods=[held, "", ""], cities=["ur", "", ""])
        assert state.phase == GROWING
        worths.append(Outlook(state, 0).value(state, is_open=False))
    assert worths == sorted(worths)
    assert len(set(worths)) == 5


# Each level beats the one below


@pytest.mark.parametrize(("better", "below"), [("apprentice", "random"), ("scribe", "apprentice")])
def test_a_level_beats_the_one_below_from_every_seat(better, below):
    match = Match("after_the_flood", 3, (better, below, below), 11)
    assert [play_game(game, match, number).wins[0] for number in range(3)] == [1.0, 1.0, 1.0]
