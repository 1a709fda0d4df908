"""The bots of After the Flood: answers in simple positions, and the scribe's calculations (see `test_every_bot` for the rest)."""

from __future__ import annotations

import pytest

from games.after_the_flood import game, legality
from games.after_the_flood.actions import Grow
from games.after_the_flood.apprentice import reason_of
from games.after_the_flood.bot import explained
from games.after_the_flood.components import GROWTH_POINTS, KINDS, LUXURIES, WOOD
from games.after_the_flood.evaluation import Outlook
from games.after_the_flood.search import Search, follow
from games.after_the_flood.state import BIDDING, GROWING, ROLLING, State
from games.core.rng import SeededRng
from tests.engine.after_the_flood.builders import due, play, position
from tests.engine.played import choices_met

LEVELS = ("apprentice", "journeyman", "scribe")
DEFAULTS = {spec.key: spec.default for spec in game.meta.options}


def answer(state: State, level: str = "scribe", seed: int = 1) -> str:
    return str(game.choose_action(game.view_for(state, due(state)), level, SeededRng(seed)).action)


def rest_of_turn(state: State, level: str, seat: int = 0) -> tuple[list[str], State]:
    """Play until the scoring of the turn is due, the others passing; return the seat's answers and the position."""
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


# Simple positions


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


def goods_without_a_city() -> State:
    """All cities of the seat have grown; a city of another, which its armies can destroy, would make room for another."""
    return position(
        turn=4,
        active=0,
        goods=["wood 2 tool oil gold lapis", "", ""],
        available=[0, 0, 0],
        empires=["hittites", None, None],
        ranking=[0],
        armies=["babylon hittites", "", ""],
        armies_available=[5, 0, 0],
        cities=["ur eridu lagash", "babylon sippar nippur", "umma uruk shuruppak"],
        grown=["ur", "eridu", "lagash"],
    )


@pytest.mark.rule("after_the_flood#destroy-1", "after_the_flood#build-1", "after_the_flood#growth-2")
def test_the_scribe_destroys_and_builds_there_when_its_goods_lack_a_city():
    state = goods_without_a_city()
    texts, end = rest_of_turn(state, "scribe")
    assert "destroy babylon" in texts
    assert "build babylon" in texts
    assert [(grower, len(goods)) for grower, _, goods in end.growths] == [(0, 4)]


@pytest.mark.rule("after_the_flood#found-3")
def test_the_scribe_does_not_pass_without_an_empire_that_it_can_found():
    state = position(
        turn=4,
        active=0,
        workers=["egypt 4", "egypt 1", "egypt"],
        available=[0, 0, 0],
        cities=["ur sippar eridu", "babylon nippur umma", "uruk shuruppak lagash"],
        grown=["ur", "sippar", "eridu"],
    )
    texts, _ = rest_of_turn(state, "scribe")
    assert "found egypt" in texts


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
    # two defenders, worse equipped, one army: the only area it can still take is a free one
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


# Variety, and what was weighed


def test_no_two_games_of_scribes_open_alike():
    openings = set()
    for seed in range(3):
        state, rng, line = play(game.setup(3, DEFAULTS), "order 0 1 2"), SeededRng(seed), []
        for _ in range(12):
            line.append(game.choose_action(game.view_for(state, due(state)), "scribe", rng).action)
            state, _ = game.apply(state, due(state), line[-1])
        openings.add(tuple(line))
    assert len(openings) > 1


@pytest.mark.parametrize("level", ["journeyman", "scribe"])
def test_the_weighed_actions_and_the_places_of_the_choice_are_told(level):
    state = play(game.setup(3, DEFAULTS), "order 0 1 2")
    choice = game.choose_action(game.view_for(state, 0), level, SeededRng(1))
    assert choice.action in [action for action, _ in choice.ranked]
    area = str(choice.action).removeprefix("build ")
    assert choice.marks == (f"area-{area}",)
    assert set(choice.marks) <= set(game.scene(game.view_for(state, 0))["targets"])


@pytest.mark.parametrize("level", ["journeyman", "scribe"])
def test_an_action_is_not_credited_with_the_rest_of_the_turn(level):
    state = play(game.setup(3, DEFAULTS), "order 0 1 2")
    choice = game.choose_action(game.view_for(state, 0), level, SeededRng(1))
    said = {key: value for key, value, _ in choice.reasons}
    assert said["ahead"] == pytest.approx(dict(choice.ranked)[choice.action], abs=0.06)
    assert said["build"] < said["ahead"]
    groups = [value for key, value in said.items() if key not in ("build", "ahead")]
    assert not groups or abs(sum(groups) - said["build"]) < 1.5, "what is left out is small"


@pytest.mark.rule("after_the_flood#destroy-1", "after_the_flood#build-1")
def test_destroying_a_city_is_explained_by_the_city_that_can_follow():
    state = goods_without_a_city()
    search = Search(state, Outlook(state, 0))
    said = {key: value for key, value, _ in explained(search, game.parse_action("destroy babylon"), 20.0)}
    assert 0.0 < said["destroy"] < said["rebuild"] + said.get("rivals", 0.0)


@pytest.mark.rule("after_the_flood#found-4", "after_the_flood#found-8", "after_the_flood#expand-5")
def test_each_kind_of_answer_has_a_reason_of_its_own():
    keys = {}
    for state, seat in choices_met("after_the_flood", 200):
        choice = game.choose_action(game.view_for(state, seat), "scribe", SeededRng(1))
        keys.setdefault(str(choice.action).split()[0], set()).update(key for key, _, _ in choice.reasons)
    assert keys["garrison"] <= {"garrison_other", "only"}
    assert "garrison_other" in keys["garrison"]
    assert reason_of(game.parse_action("reinforce ur"), 1.0) == ("reinforce", 1.0, "after_the_flood#expand-5")


@pytest.mark.rule("after_the_flood#growth-2")
def test_growth_is_explained_by_its_points():
    found = 0
    for state, seat in choices_met("after_the_flood", 200):
        if game.view_for(state, seat).phase == "growing":
            choice = game.choose_action(game.view_for(state, seat), "scribe", SeededRng(1))
            if isinstance(choice.action, Grow):
                assert list(choice.reasons) == [("grow", GROWTH_POINTS[len(choice.action.luxuries)], "after_the_flood#growth-1")]
                found += 1
    assert found


# The scribe's calculations


def most_growth(state: State, seat: int) -> int:
    """Return the most points from growth, by trying everything."""
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
