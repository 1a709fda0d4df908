"""The questions of History of the World: every action can be reached, and the sentences are correct (history_of_the_world#turn-2)."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from games.core.contract import CHANCE, IllegalAction
from games.core.rng import SeededRng
from games.history_of_the_world import prompt_phrases as phrases
from games.history_of_the_world.battles import rerolls, strengths
from games.history_of_the_world.components import EMPIRES, EVENTS, ICONS, PROVINCES, SYMBOLS, ZONES
from games.history_of_the_world.odds import battle, battle_for, percents
from games.history_of_the_world.state import NO_CARD, PHASES, effects
from games.history_of_the_world.view import is_called
from tests.engine.history_of_the_world import secrets
from tests.engine.history_of_the_world.builders import act, ask, data_of, due, game, play, position
from tests.engine.history_of_the_world.questions import ask_of, option, phrases_of, random_positions, walk

TARGET = re.compile(r"province-(\w+)|zone-(\w+)|card-(\w+)")
SHORT = {"passing", "bringing", "rerolling", "siege", "won", "ruining", "posting", "effect", "after", "monument", "finish", "collision"}


def told(asked):
    """Return the consequences of a chosen action: the values of each sentence."""
    return {phrase.text: phrase.params for phrase in (asked.consequence, *asked.also)}


def why(asked, question):
    """Return the paragraphs of the answers to a question in the list "why not"."""
    return [answer.rule for asked_for, answer in asked.why_not if asked_for.text == question]


def conquest(own="nile*", card=3, rivals="levant", **fields):
    """Return a position in which seat 0 conquers with the Egyptians."""
    fields.setdefault("empires", ["egyptians", "minoans", "sumerians"])
    return position(armies=[own, rivals, ""], card=card, **fields)


# Reaching every action


def test_choosing_options_reaches_exactly_the_legal_actions():
    phases, seats, drafts = Counter(), Counter(), Counter()
    for state, seat in random_positions(1, 8, every=37):
        assert {asked.action for asked in walk(state, seat)} - {None} == {str(action) for action in game.legal_actions(state, seat)}
        phases[PHASES[state.phase]] += 1
        seats[state.seats] += 1
        drafts[state.is_classic] += 1
    assert set(seats) == {3, 4, 5, 6}
    assert set(drafts) == {False, True}
    assert set(phases) >= {"draft", "prepare", "conquest", "siege"}


def test_the_short_phases_are_asked_for_completely_too():
    seen = Counter()
    for state, seat in random_positions(2, 16):
        phase = PHASES[state.phase]
        if phase not in SHORT or seen[phase] > 10:
            continue
        seen[phase] += 1
        assert {asked.action for asked in walk(state, seat)} - {None} == {str(action) for action in game.legal_actions(state, seat)}
    assert set(seen) >= SHORT - {"bringing"}


@pytest.mark.rule("history_of_the_world#found-5", "history_of_the_world#found-6")
def test_the_rare_questions_of_founding_reach_their_actions():
    for state in (
        conquest("nile levant", phase="bringing", card=0, rivals="crete"),
        position(phase="starting", epoch=4, empires=["mesoamericans", "vikings", "turks"], card=1),
    ):
        assert {asked.action for asked in walk(state, 0)} - {None} == {str(action) for action in game.legal_actions(state, 0)}
        assert ask(state).on_board


def test_each_whole_action_can_be_asked_for_at_once():
    rng = SeededRng(5)
    for state, seat in random_positions(3, 4, every=9):
        texts = [str(action) for action in game.legal_actions(state, seat)]
        for text in {texts[rng.below(len(texts), "t")] for _ in range(5)}:
            asked = ask_of(state, seat, text)
            assert (asked.chosen, asked.action, asked.refusal) == (text, text, None)
            assert asked.confirm is not None
            assert asked.consequence is not None
            assert ask_of(state, seat, asked.back).chosen == asked.back
            assert len([entry for entry in asked.options if entry.selected]) == 1


def test_nobody_else_is_asked():
    state = conquest()
    assert game.ask(game.view_for(state, 1)) is None
    assert game.ask(game.view_for(state, None)) is None
    assert game.ask(game.view_for(position(phase="end", epoch=5), 0)) is None


def test_every_question_is_well_formed():
    rng = SeededRng(4)
    known = {"province": PROVINCES, "zone": ZONES, "card": [card.name for card in (*EMPIRES, *EVENTS)]}
    for state, seat in random_positions(4, 4, every=29):
        for asked in walk(state, seat):
            texts = [entry.text for entry in asked.options]
            assert len(set(texts)) == len(texts)
            targets = [entry.target for entry in asked.options if entry.target]
            assert len(set(targets)) == len(targets)
            for target in (*targets, *asked.closed):
                kind, _, name = target.partition("-")
                assert TARGET.fullmatch(target)
                assert name in known[kind]
            assert not set(targets) & set(asked.closed)
            assert all(entry.picture in (None, *SYMBOLS.values()) for entry in asked.options)
            headings = [entry.group.text if entry.group else "" for entry in asked.options]
            assert [h for n, h in enumerate(headings) if n == 0 or headings[n - 1] != h] == list(dict.fromkeys(headings))
            assert phrases.GROUP_GUARD not in headings[:-1]
            assert asked.on_board or not asked.closed
            stem = texts[0].rpartition(" ")[0] if asked.stem is None else asked.stem
            for target, reason in asked.closed.items():
                if not rng.below(30, "closed"):
                    again = ask_of(state, seat, f"{stem} {target.partition('-')[2]}")
                    assert (again.action, again.refusal) == (None, reason)


# Cutting back


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("x" * 5000, ""),
        ("nonsense", ""),
        ("conquer", ""),
        ("conquer nowhere", ""),
        ("conquer levant", "conquer levant"),
        ("conquer levant fleet", "conquer levant fleet"),
        ("conquer anatolia fleet land", ""),
        ("conquer nubia fleet", ""),
        ("conquer gaul", "conquer gaul"),
        ("conquer mekong", ""),
        ("fort", "fort"),
        ("fort levant", "fort"),
        ("  fort   nile ", "fort nile"),
        ("FORT NILE", ""),
        ("guard", "guard"),
        ("guard losing", "guard"),
        ("play", ""),
        ("play i_plague", ""),
        ("end now", ""),
    ],
)
def test_a_prefix_of_no_use_is_cut_back(text, chosen):
    """The Levant is reached both over land and by fleet here, once the sea is open."""
    state = conquest(zones="mediterranean_sea")
    asked = ask(state, text)
    assert asked.chosen == chosen
    meant = {"conquer levant": "conquer levant land", "conquer gaul": "conquer gaul fleet"}.get(chosen, chosen)
    assert asked.action == (meant if meant in [str(action) for action in game.legal_actions(state, 0)] else None)


@pytest.mark.rule("history_of_the_world#reach-4")
def test_one_click_conquers_by_the_better_way_and_the_other_is_listed():
    """The Levant is reached both over land and by fleet; the fleet gives the defender a reroll."""
    asked = ask(conquest(zones="mediterranean_sea"))
    ways = {entry.text: entry.target for entry in asked.options if entry.text.startswith("conquer levant")}
    assert ways == {"conquer levant land": "province-levant", "conquer levant fleet": None}
    assert asked.on_board
    assert asked.stem == "conquer"
    targets = [entry.target for entry in asked.options if entry.text.startswith("conquer ")]
    assert set(targets) - {None} | set(asked.closed) == {f"province-{name}" for name in PROVINCES}
    chosen = ask(conquest(zones="mediterranean_sea"), "conquer levant")
    assert (chosen.action, chosen.back) == ("conquer levant land", "")
    assert ask(conquest(zones="mediterranean_sea"), "conquer levant fleet").back == ""


@pytest.mark.rule("history_of_the_world#reach-4", "history_of_the_world#abilities-2")
@pytest.mark.parametrize(
    ("rivals", "fields", "options"),
    [
        ("crete", {}, {"conquer levant fleet": "province-levant", "conquer levant land": None}),  # a post for nothing
        ("levant", {}, {"conquer levant": "province-levant"}),  # a post, or better odds
        ("crete", {"forts": "levant"}, {"conquer levant land": "province-levant", "conquer levant fleet": None}),
    ],
)
def test_the_way_is_asked_for_where_each_has_something(rivals, fields, options):
    state = conquest(rivals=rivals, zones="mediterranean_sea", epoch=4, empires=["portuguese", "vikings", "turks"], **fields)
    asked = ask(state)
    assert {entry.text: entry.target for entry in asked.options if entry.text.startswith("conquer levant")} == options
    if "conquer levant" in options:
        way = ask(state, "conquer levant")
        assert [entry.text for entry in way.options] == ["conquer levant land", "conquer levant fleet"]
        assert (way.action, way.back, way.on_board) == (None, "", False)
        assert ask(state, "conquer levant fleet").back == "conquer levant"


# Odds


def outcomes(state, dice):
    """Return how the battle ends for every roll, counted by playing it."""
    counted = Counter()
    for roll in product(range(1, 7), repeat=dice):
        _, events = game.apply(state, CHANCE, game.parse_action("roll " + " ".join(map(str, roll))))
        counted[next(event.key for event in events if event.key in ("won", "won_tie", "tied", "tied_saved", "lost"))] += 1
    return counted


@pytest.mark.rule(
    "history_of_the_world#battle-1",
    "history_of_the_world#defence-1",
    "history_of_the_world#defence-3",
    "history_of_the_world#defence-4",
    "history_of_the_world#siege-1",
    "history_of_the_world#battle-5",
)
@pytest.mark.parametrize(
    ("rivals", "forts", "text", "fields", "said"),
    [
        ("levant", "", "conquer levant land", {}, (58, 17, 25)),
        ("atlas", "", "conquer atlas land", {"own": "libya* tripolitania*"}, (42, 16, 42)),
        ("levant", "levant", "conquer levant land", {}, (39, 22, 39)),
        ("anatolia", "anatolia", "conquer anatolia land", {"own": "levant*"}, (22, 17, 61)),
        ("levant", "", "conquer levant land", {"events": "i_weaponry"}, (74, 12, 14)),
        ("levant", "", "siege army", {"phase": "siege", "target": "levant", "invading": True, "dice": [1, 2, 3]}, (74, 12, 14)),
        (
            "levant",
            "",
            "siege army",
            {"phase": "siege", "target": "levant", "invading": True, "dice": [1, 2, 3], "catapult": 4},
            (94, 4, 2),
        ),
        (
            "levant",
            "",
            "conquer levant land",
            {"epoch": 4, "empires": ["mongols", "vikings", "turks"]},
            (75, 0, 25),
        ),
        ("levant", "levant", "conquer levant land", {"epoch": 4, "empires": ["ottomans", "vikings", "turks"]}, (58, 17, 25)),
    ],
)
def test_the_odds_are_those_of_all_rolls(rivals, forts, text, fields, said):
    state = conquest(rivals=rivals, forts=forts, **fields)
    values = told(ask(state, text))[phrases.THEN_ODDS]
    rolling = play(state, text)
    counted = outcomes(rolling, 4 if forts and "ottomans" not in data_of(state)["empires"] else 3)
    every = sum(counted.values())
    shares = [counted["won"] + counted["won_tie"], counted["tied"] + counted["tied_saved"], counted["lost"]]
    assert (values["win"], values["tie"], values["lose"]) == percents(tuple(Fraction(share, every) for share in shares))
    assert (values["win"], values["tie"], values["lose"]) == said


def settled(state, text):
    """Return how a battle ends, as shares of all future dice: the attacker rerolls unless winning, the defender by the first order."""
    state, events = act(state, text)
    end = next((event.key for event in events if event.key in ("won", "won_tie", "tied", "lost")), None)
    if end is not None:
        return Counter({end.removesuffix("_tie"): Fraction(1)})
    if due(state) != CHANCE:
        attack, defence = strengths(state)
        return settled(state, "pass" if attack > defence or (attack == defence and effects(state, "win_ties")) else "reroll")
    found = Counter()
    for die in range(1, 7):
        for key, share in settled(state, f"again {die}").items():
            found[key] += share / 6
    return found


@pytest.mark.rule("history_of_the_world#battle-6", "history_of_the_world#defence-2", "history_of_the_world#battle-5")
@pytest.mark.parametrize(
    ("empire", "own", "text", "fields", "has"),
    [
        ("hittites", "anatolia*", "conquer levant land", {}, (1, 0)),
        ("hittites", "anatolia*", "conquer levant land", {"forts": "levant", "events": "i_weaponry"}, (1, 0)),
        ("french", "gaul*", "conquer rhineland land", {"events": "i_leader"}, (2, 0)),
        ("vikings", "scandinavia*", "conquer britannia fleet", {"zones": "north_sea"}, (1, 1)),
        ("vikings", "scandinavia*", "conquer britannia fleet", {"zones": "north_sea", "events": "i_stirrups"}, (1, 1)),
        ("spaniards", "gaul*", "conquer britannia fleet", {"zones": "atlantic_ocean", "forts": "britannia"}, (0, 1)),
    ],
)
def test_the_odds_count_rerolls_exactly(empire, own, text, fields, has):
    epoch = next(card.epoch for card in EMPIRES if card.name == empire)
    others = [card.name for card in EMPIRES if card.epoch == epoch and card.name != empire][:2]
    state = conquest(own=own, rivals=text.split()[1], **{"epoch": epoch, "empires": [empire, *others], **fields})
    rolling = play(state, text)
    assert rerolls(rolling) == has
    rolls = Counter((*sorted(roll[:2]), *sorted(roll[2:])) for roll in product(range(1, 7), repeat=4 if fields.get("forts") else 3))
    found = Counter()
    for roll, count in rolls.items():
        for key, share in settled(rolling, "roll " + " ".join(map(str, roll))).items():
            found[key] += share * count / rolls.total()
    assert battle_for(rolling) == (found["won"], found["tied"], found["lost"])
    values = told(ask(state, text))[phrases.THEN_ODDS]
    assert (values["win"], values["tie"], values["lose"]) == percents(battle_for(rolling))


@pytest.mark.rule("history_of_the_world#battle-6")
@pytest.mark.parametrize("dice", [[1, 4, 4], [5, 5, 6], [2, 3, 6], [6, 1, 3]])
def test_the_odds_of_a_reroll_are_those_of_all_dice(dice):
    fields = {"empires": ["hittites", "minoans", "sumerians"], "phase": "rerolling", "target": "levant", "invading": True}
    state = conquest(dice=dice, attack_rerolls=1, due=1, **fields)
    values = told(ask(state, "reroll"))[phrases.THEN_REROLL]
    counted = Counter()
    rolling = play(state, "reroll")
    for die in range(1, 7):
        _, events = act(rolling, f"again {die}")
        counted[next(event.key for event in events if event.key in ("won", "tied", "lost"))] += 1
    shares = tuple(Fraction(counted[key], 6) for key in ("won", "tied", "lost"))
    assert (values["win"], values["tie"], values["lose"]) == percents(shares)


def test_percents_add_up_and_never_call_the_possible_impossible():
    for edge, dice, again, ties in product(range(-1, 8), (1, 2), ((0, 0), (1, 0), (1, 1)), (False, True)):
        odds = battle(edge, dice, again, ties)
        shown = percents(odds)
        assert sum(odds) == 1
        assert sum(shown) == 100
        assert [bool(chance) for chance in odds] == [bool(value) for value in shown]


# Previews against what happens


def points(state, seat):
    """Return the points of the turn with the map as it is, from the view: the map, ruins and improvements."""
    view = game.view_for(state, seat)
    turn = data_of(state)["turn"]
    icons = sum(ICONS[PROVINCES.index(name)] for name in data_of(state)["active_armies"])
    extra = min(3, icons // 2) if "i_silk_road" in turn.get("events", []) else 0
    return view.projected[seat] + turn.get("plunder", 0) + turn.get("plunder_due", 0) + extra


def test_a_preview_of_what_is_certain_tells_the_points_that_come():
    seen = Counter()
    for state, seat in random_positions(6, 12, every=3):
        for action in game.legal_actions(state, seat):
            text = str(action)
            if seen[action.verb] > 12 or action.verb in ("take", "look", "keep", "give", "guard", "reroll", "pass", "siege", "up", "down"):
                continue
            values = told(ask_of(state, seat, text))
            after, events = game.apply(state, seat, action)
            if any(event.key in ("kingdom_ended", "attacked", "attacked_by_fleet") for event in events):
                continue
            seen[action.verb] += 1
            said = values.get(phrases.THEN_POINTS)
            before, then = points(state, seat), points(after, seat)
            assert (before, then) == ((said["m"], said["n"]) if said else (before, before)), text
    assert set(seen) >= {"conquer", "end", "done", "found", "kingdom", "play", "fort", "monument", "target", "retreat"}


def best_roll(state):
    """Return the position after the best roll of the attacker against the worst of the defender."""
    for dice in ("6 6 1", "6 6 1 1"):
        try:
            return game.apply(state, CHANCE, game.parse_action(f"roll {dice}"))[0]
        except IllegalAction as error:
            assert error.reason == "refused.chance_count"
    raise AssertionError("no such roll")


ANSWERS = {"rerolling": "pass", "reroll": "again 1", "ruining": "ruin", "won": "occupy", "posting": "skip"}  # until a battle is won


def test_a_preview_of_a_battle_tells_what_a_win_brings():
    seen = 0
    for state, seat in random_positions(7, 8, every=5):
        if PHASES[state.phase] != "conquest" or state.card_armies < 2:
            continue
        attacks = [entry.text for entry in ask_of(state, seat).options if entry.group.text == phrases.GROUP_BATTLE]
        for text in attacks[:1]:
            asked = ask_of(state, seat, text)
            if asked.action is None:
                asked = ask_of(state, seat, f"{text} fleet")
            said = told(asked)[phrases.THEN_IF_WON]
            rolled = best_roll(game.apply(state, seat, game.parse_action(asked.action))[0])
            while PHASES[rolled.phase] in ANSWERS:
                rolled, _ = act(rolled, ANSWERS[PHASES[rolled.phase]])
            assert PHASES[rolled.phase] in ("conquest", "collision")
            assert (points(state, seat), points(rolled, seat)) == (said["m"], said["n"]), text
            seen += 1
    assert seen > 20


@pytest.mark.rule(
    "history_of_the_world#ruin-1", "history_of_the_world#ruin-2", "history_of_the_world#ruin-4", "history_of_the_world#conquest-3"
)
def test_an_attack_says_who_defends_how_and_what_is_ruined():
    fields = {"epoch": 4, "empires": ["vikings", "mongols", "turks"], "zones": "mediterranean_sea"}
    state = conquest("tripolitania*", rivals="pindus", capitals="pindus", forts="pindus", tokens=1, **fields)
    asked = ask(state, "conquer pindus")
    values = told(asked)
    assert asked.action == "conquer pindus fleet"
    assert values[phrases.THEN_ATTACK_FLEET] == {"seat": 1, "province": "pindus"}
    assert values[phrases.THEN_DEFENCE_TERRAIN] == {"terrain": "mountain", "n": 1}
    assert {phrases.THEN_DEFENCE_FORT, phrases.THEN_DEFENCE_SEA, phrases.THEN_REROLLS_DEFENCE, phrases.THEN_FORT_GOES} <= set(values)
    assert values[phrases.THEN_REROLLS] == {"n": 1}
    assert values[phrases.THEN_RUINS] == {"what": "capital"}
    assert values[phrases.THEN_PLUNDER] == {"points": 1}
    assert values[phrases.THEN_CARD] == {"n": 2, "tokens": 1}
    assert values[phrases.THEN_LEVEL_IF_WON] == {"region": "southern_europe", "level": "presence"}
    assert not option(ask(state), "conquer pindus fleet").irreversible, "a turn has many battles; their odds are told"
    assert not option(ask(state), "conquer atlas land").irreversible


@pytest.mark.rule("history_of_the_world#conquest-2", "history_of_the_world#ruin-3")
def test_empty_and_own_provinces_are_occupied_without_dice():
    state = conquest("nile* libya", rivals="", cities="levant")
    values = told(ask(state, "conquer levant"))
    assert values[phrases.THEN_OCCUPY] == {"province": "levant"}
    assert values[phrases.THEN_TAKES_OVER] == {"pieces": ["city"]}
    assert phrases.THEN_ODDS not in values
    assert phrases.THEN_OCCUPY_ME in told(ask(state, "conquer libya"))
    groups = {entry.group.text for entry in ask(state).options if entry.text.startswith("conquer")}
    assert groups == {phrases.GROUP_PEACE}


# The questions of a turn


@pytest.mark.rule("history_of_the_world#kingdom-1", "history_of_the_world#epoch-4")
def test_a_kingdom_is_said_to_be_playable_only_now():
    state = conquest("", phase="prepare", card=0, hands=["k_shang i_plague", "", ""])
    asked = ask(state)
    assert asked.title.text == phrases.ASK_PREPARE_KINGDOM
    assert asked.hint.text == phrases.HINT_KINGDOM
    assert [entry.text for entry in asked.options] == ["kingdom", "found", "play i_plague", "guard"]
    assert option(asked, "kingdom").target == "card-k_shang"
    assert told(ask(state, "found"))[phrases.THEN_KINGDOM_LOST] == {"card": "k_shang"}
    later = ask(play(state, "found"))
    assert why(later, phrases.WHY_KINGDOM) == ["history_of_the_world#kingdom-1"]
    acting = ask(play(position(phase="prepare", hands=["k_phoenicians i_plague", "", ""]), "kingdom"))
    assert why(acting, phrases.WHY_IMPROVEMENTS) == ["history_of_the_world#kingdom-4"]


@pytest.mark.rule("history_of_the_world#found-2", "history_of_the_world#found-5")
def test_founding_says_what_is_cleared_and_what_is_missing():
    state = conquest("", phase="prepare", card=0, rivals="nile", capitals="nile", forts="nile", hands=["i_plague", "", ""])
    values = told(ask(state, "found"))
    assert values[phrases.THEN_CLEARED] == {"seat": 1, "province": "nile"}
    assert values[phrases.THEN_CLEARED_PIECES] == {"province": "nile", "pieces": ["capital", "fort"]}
    assert values[phrases.THEN_SETTLED] == {"province": "nile", "pieces": ["army", "capital"]}
    assert values[phrases.THEN_FOUNDED] == {"n": 4, "tokens": 0}


@pytest.mark.rule("history_of_the_world#conquest-3")
def test_ending_says_what_is_given_up():
    state = conquest(card=2, tokens=1)
    values = told(ask(state, "end"))
    assert values[phrases.THEN_END] == {"n": 2, "tokens": 1}
    asked = ask(state)
    assert option(asked, "end").irreversible
    others = [entry.text for entry in asked.options if not entry.text.startswith("conquer ")]
    assert others == ["fort", "end", "ability off", "guard"]
    assert len(others) < len(asked.options)
    spent = ask(conquest(card=0, hands=["i_plague", "", ""]))
    assert why(spent, phrases.WHY_CONQUER) == ["history_of_the_world#conquest-3"]
    assert not option(spent, "end").irreversible


@pytest.mark.rule("history_of_the_world#forts-2", "history_of_the_world#limits-1", "history_of_the_world#conquest-1")
def test_why_there_is_no_fort_and_no_conquest():
    full = conquest(forts="nile")
    assert why(ask(full), phrases.WHY_FORT) == ["history_of_the_world#forts-2"]
    fourteen = "levant anatolia zagros tigris mesopotamia crete pindus balkans gaul danube volga turan indus ganges"
    assert why(ask(conquest(forts=fourteen)), phrases.WHY_FORT) == ["history_of_the_world#limits-1"]
    island = conquest("australia*", epoch=5, empires=["british", "mughals", "russians"])
    assert why(ask(island), phrases.WHY_CONQUER) == ["history_of_the_world#conquest-1"]
    closed = ask(conquest()).closed
    assert closed["province-nile"].rule == "history_of_the_world#conquest-2"
    assert closed["province-gaul"].rule == "history_of_the_world#conquest-1"


@pytest.mark.rule("history_of_the_world#events-1", "history_of_the_world#events-3")
def test_an_improvement_says_what_it_will_do_or_why_it_cannot():
    state = conquest(hands=["i_plague i_weaponry i_masonry", "", ""], forts="nile levant")
    asked = ask(state)
    assert why(asked, phrases.WHY_CARD) == ["history_of_the_world#events-3"]
    chosen = ask(state, "play i_weaponry")
    assert chosen.also[0].params == {"n": 1}
    assert option(asked, "play i_weaponry").irreversible
    values = told(ask(state, "play i_masonry"))
    assert values[phrases.THEN_MONUMENTS] == {"n": 1, "m": 0}
    caravans = play(conquest(hands=["i_caravans", "", ""]), "play i_caravans")
    reach = told(ask(caravans, "zone sahara"))[phrases.THEN_ZONE_REACH]["provinces"]
    assert "atlas" in reach
    assert option(ask(caravans), "zone sahara").target == "zone-sahara"


@pytest.mark.rule("history_of_the_world#events-6", "history_of_the_world#ruin-2")
def test_an_improvement_may_hit_what_is_ones_own():
    fields = {"epoch": 2, "empires": ["romans", "persians", "han"], "hands": ["i_disaster", "", ""]}
    state = play(conquest(cities="nile", forts="nile", **fields), "play i_disaster")
    values = told(ask(state, "target nile"))
    assert values[phrases.THEN_RUINED] == {"province": "nile", "what": "city"}
    assert values[phrases.THEN_FORT_REMOVED] == {"province": "nile"}
    assert game.check_invariants(play(state, "target nile"), state) is None


@pytest.mark.rule("history_of_the_world#siege-2", "history_of_the_world#siege-4", "history_of_the_world#retreat-1")
def test_a_siege_names_its_price():
    fields = {"phase": "siege", "target": "levant", "invading": True, "dice": [1, 2, 3]}
    state = conquest(card=2, tokens=1, catapult=3, on_catapult=2, **fields)
    values = told(ask(state, "siege army"))
    assert values[phrases.THEN_SIEGE_ARMY] == {"n": 3}
    assert phrases.THEN_SIEGE_FULL in values
    assert values[phrases.THEN_CARD] == {"n": 1, "tokens": 1}
    assert told(ask(state, "siege token"))[phrases.THEN_CARD] == {"n": 2, "tokens": 0}
    assert told(ask(state, "retreat"))[phrases.THEN_RETREAT_CATAPULT] == {"n": 2}
    poor = ask(conquest(card=0, tokens=1, **fields))
    assert why(poor, phrases.WHY_SIEGE_ARMY) == ["history_of_the_world#siege-4"]
    assert why(ask(conquest(card=1, **fields)), phrases.WHY_SIEGE_TOKEN) == ["history_of_the_world#siege-4"]


@pytest.mark.rule("history_of_the_world#battle-6", "history_of_the_world#battle-7")
def test_a_defender_is_told_how_the_dice_lie():
    state = conquest(
        zones="mediterranean_sea", guards=["losing", "ask", "losing"], target="levant", invading=True, fleet=True, dice=[5, 2, 3],
        phase="rerolling", defence_rerolls=1, attacker="waits", due=2,
    )  # fmt: skip
    assert due(state) == 1
    asked = ask(state)
    assert option(asked, "reroll").number == 3
    values = told(ask(state, "pass"))
    assert phrases.THEN_STANDS_WON in values
    assert told(ask(state, "reroll"))[phrases.THEN_REROLL] == {"win": 66, "tie": 17, "lose": 17}


# The draft


@pytest.mark.rule("history_of_the_world#draft-1", "history_of_the_world#draft-3", "history_of_the_world#draft-5")
def test_cards_of_the_draft_are_told_with_what_does_not_stand_on_them():
    piles = {"empires": ["assyrians", "egyptians", "vedics"], "events": ["k_shang", "i_plague", "i_walls"]}
    state = position(phase="draft", armies=["", "mesopotamia", ""], cities="mesopotamia", draft=piles)
    asked = ask_of(state, 2)
    assert [entry.target for entry in asked.options] == ["card-assyrians", "card-egyptians", "card-vedics", None]
    assert all(entry.irreversible for entry in asked.options[:3])
    values = told(ask_of(state, 2, "take assyrians"))
    assert values[phrases.FACT_BUILDING] == {"building": "capital"}
    assert values[phrases.FACT_HELD] == {"seat": 1, "province": "mesopotamia"}
    assert values[phrases.FACT_STANDS] == {"province": "mesopotamia", "pieces": ["city"]}
    assert set(values) == {phrases.THEN_TAKE, phrases.FACT_BUILDING, phrases.FACT_HELD, phrases.FACT_STANDS}
    assert phrases.FACT_MARAUDER in told(ask_of(state, 2, "take vedics"))
    assert phrases.FACT_KEPT in told(ask_of(state, 0, "take i_plague"))
    assert phrases.FACT_KINGDOM_ONCE in told(ask_of(state, 0, "take k_shang"))
    piles = {"step": 1, "empires": ["sumerians", "egyptians"], "events": ["k_shang", "i_plague"]}
    middle = position(phase="draft", draft=piles, empires=[None, None, "minoans"], hands=["i_walls", "", ""])
    assert ask_of(middle, 1).title.text == phrases.ASK_LOOK
    assert option(ask_of(middle, 1), "look events").irreversible


@pytest.mark.rule("history_of_the_world#draft-8")
def test_the_classic_draft_asks_whom_the_card_goes_to():
    piles = {"empires": ["sumerians", "egyptians", "minoans"], "events": ["k_shang", "i_walls"], "card": "i_plague"}
    state = position(phase="passing", options={"draft": "classic"}, draft=piles)
    assert ask(state).title.params == {"card": "i_plague"}
    assert [entry.text for entry in ask(state).options] == ["keep", "give 1", "give 2"]
    piles = piles | {"step": 1, "given": 2, "events": ["k_shang"]}
    must = position(phase="passing", options={"draft": "classic"}, hands=["", "i_walls", ""], draft=piles)
    assert ask(must).title.text == phrases.ASK_MUST_GIVE
    assert why(ask(must), phrases.WHY_KEEP) == ["history_of_the_world#draft-8"]


@pytest.mark.rule("history_of_the_world#battle-7")
def test_the_standing_order_comes_last_and_says_what_it_does():
    asked = ask(conquest(), "guard")
    assert asked.hint.params == {"guard": "losing"}
    assert [entry.text for entry in asked.options] == ["guard tied", "guard never", "guard ask"]
    assert told(ask(conquest(), "guard ask")).keys() == {phrases.THEN_GUARD_ASK, phrases.THEN_GUARD_SECRET}


# Nothing hidden


def hidden_cards(state, seat):
    """Return the cards that a seat may not know: hands and empires of others, piles that it is not looking at."""
    view = game.view_for(state, seat)
    cards = {EVENTS[card].name for other in range(state.seats) if other != seat for card in state.hands[other]}
    cards |= {
        EMPIRES[card].name for other, card in enumerate(state.empires) if card != NO_CARD and other != seat and not is_called(state, other)
    }
    cards |= {EVENTS[card].name for card in state.pile_events} | {EMPIRES[card].name for card in state.pile_empires}
    return cards - set(view.pile) - {view.card}


@pytest.mark.rule("history_of_the_world#hidden-1")
def test_no_question_names_what_is_hidden_from_the_seat():
    rng = SeededRng(12)
    looked = 0
    for state, seat in random_positions(8, 8, every=41):
        secret = hidden_cards(state, seat)
        other = secrets.vary(state, seat, rng)
        for asked in walk(state, seat):
            assert ask_of(other, seat, asked.chosen) == asked
            for phrase in phrases_of(asked):
                for value in phrase.params.values():
                    named = set(value) if isinstance(value, list | dict) else {value}
                    assert not named & secret, phrase
            looked += bool(secret)
    assert looked > 150
