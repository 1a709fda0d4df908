"""What an action of a due seat will do, told before it is taken. Effects are read off a position in which it has been taken.

Nothing is rolled: if dice follow, the odds are told, and what a win would bring.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from games.core.contract import NO_SEAT, Event, Phrase
from games.history_of_the_world import battles, draft, reach, turns
from games.history_of_the_world import prompt_phrases as phrases
from games.history_of_the_world.ability_phrases import ability_of, improvement_of
from games.history_of_the_world.actions import (
    Ability,
    Action,
    Bring,
    City,
    Conquer,
    Fort,
    Give,
    Guard,
    Look,
    Monument,
    Plain,
    Play,
    Siege,
    Start,
    Take,
    Target,
    Zone,
)
from games.history_of_the_world.components import (
    EMPIRES,
    EVENTS,
    GUARDS,
    PROVINCES,
    REGIONS,
    SIEGE_MOST,
    TERRAIN,
    TILES,
    ZONES,
    Realm,
)
from games.history_of_the_world.odds import Odds, battle_for, percents, reroll_for
from games.history_of_the_world.prompt_choices import besieged
from games.history_of_the_world.prompt_facts import (
    after,
    conquered,
    kingdom_held,
    level_changes,
    outcome_of,
    phrase,
    points_now,
    rival_of,
    ruined_of,
    standing,
    won,
)
from games.history_of_the_world.prompt_titles import drawn_card
from games.history_of_the_world.state import (
    AFTER,
    BRINGING,
    COLLISION,
    CONQUEST,
    EFFECT,
    FINISH,
    MONUMENT,
    POSTS,
    PREPARE,
    SCORING,
    STARTING,
    State,
    effects,
    owner_of,
    provinces_in,
    supply,
)

# Everything that one action does


def consequences(state: State, seat: int, action: Action) -> list[Phrase]:
    """Return what a legal action of a due seat does, the main thing first."""
    if action.verb in _APART:  # what follows is chance, or up to others
        return _APART[action.verb](state, seat, action)
    new, events = after(state, seat, action)
    told = _TELLERS[action.verb](state, new, seat, action, events)
    return [*told, *_tell_next(state, new, seat, events)]


def _tell_next(state: State, new: State, seat: int, events: Sequence[Event]) -> list[Phrase]:
    """Tell of the turn's points, of what is built automatically, and of what comes next."""
    told: list[Phrase] = []
    is_over = any(event.key == "kingdom_ended" for event in events)  # what comes after that is no longer due to this action
    if not is_over:
        told += _tell_points(state, new, seat)
    built = sum(event.key == "monument_built" for event in _own(events))
    if built > (state.phase == MONUMENT):
        told.append(phrase(phrases.THEN_BUILT, "monuments-1", n=built - (state.phase == MONUMENT)))
    if is_over:
        told.append(phrase(phrases.THEN_KINGDOM_OVER, "kingdom-2"))
    elif state.phase in (PREPARE, EFFECT) and not state.active_armies and new.active_armies and events[0].key not in _FOUNDINGS:
        told.append(phrase(phrases.THEN_EMPIRE, "found-1"))
    elif new.phase != state.phase and new.phase in _NEXT:
        text, anchor = _NEXT[new.phase]
        told.append(phrase(text, anchor))
    return told


_FOUNDINGS: Final = ("founded", "kingdom_played")
_NEXT: Final = {
    BRINGING: (phrases.THEN_BRING_NEXT, "found-5"),
    STARTING: (phrases.THEN_START_NEXT, "found-6"),
    EFFECT: (phrases.THEN_CHOOSE, "events-1"),
    AFTER: (phrases.THEN_AFTER, "forts-3"),
    MONUMENT: (phrases.THEN_CHOOSE_MONUMENT, "monuments-2"),
    FINISH: (phrases.THEN_FINISH, "events-1"),
    SCORING: (phrases.THEN_SCORING, "score-5"),
    COLLISION: (phrases.THEN_COLLISION, "score-6"),
}


def _own(events: Sequence[Event]) -> list[Event]:
    """Return what happens until a kingdom is done: the empire that follows is founded automatically."""
    keys = [event.key for event in events]
    return list(events[: keys.index("kingdom_ended")] if "kingdom_ended" in keys else events)


def _tell_points(state: State, new: State, seat: int) -> list[Phrase]:
    before, then = points_now(state, seat), points_now(new, seat)
    told = [] if before == then else [phrase(phrases.THEN_POINTS, "score-5", n=then, m=before)]
    return told + _tell_levels(state, new, seat, phrases.THEN_LEVEL)


def _tell_levels(state: State, new: State, seat: int, text: str) -> list[Phrase]:
    told = []
    for region, level in level_changes(state, new, seat):
        if TILES[state.epoch][REGIONS.index(region)] is None:
            continue
        if level:
            told.append(phrase(text, "score-1", region=region, level=level))
        else:
            told.append(phrase(phrases.THEN_LEVEL_LOST, "score-1", region=region))
    return told


# The draft


def _tell_look(state: State, seat: int, action: Look) -> list[Phrase]:
    return [phrase(phrases.THEN_LOOK, "draft-3")]


def card_facts(state: State, seat: int, is_event: bool, card: int, is_kept: bool = True) -> list[Phrase]:
    """Return what a card means to the seat that decides about it, besides what stands on it; `is_kept` if that seat gets it."""
    if not is_event:
        return _realm_facts(state, seat, EMPIRES[card], is_kept)
    event = EVENTS[card]
    if event.realm is not None:
        return [*_realm_facts(state, seat, event.realm, is_kept), phrase(phrases.FACT_KINGDOM_ONCE, "kingdom-1")]
    return [phrase(phrases.FACT_KEPT, "events-2")]


def _realm_facts(state: State, seat: int, realm: Realm, is_kept: bool) -> list[Phrase]:
    told = []
    if realm.is_marauder:
        told.append(phrase(phrases.FACT_MARAUDER, "abilities-3"))
    elif realm.building:
        told.append(phrase(phrases.FACT_BUILDING, "found-3", building=realm.building))
    for start in realm.starts:
        owner, pieces = owner_of(state, start), standing(state, start)
        if owner == seat:
            told.append(phrase(phrases.FACT_HELD_ME, "found-2", province=PROVINCES[start]))
        elif owner != NO_SEAT:
            told.append(phrase(phrases.FACT_HELD, "found-2", seat=owner, province=PROVINCES[start]))
        if pieces:
            told.append(phrase(phrases.FACT_STANDS, "found-2", province=PROVINCES[start], pieces=pieces))
    if is_kept and supply(state, seat) < realm.armies:
        told.append(phrase(phrases.FACT_SHORT, "found-5", n=supply(state, seat)))
    return told


def _tell_take(state: State, seat: int, action: Take) -> list[Phrase]:
    name = (EVENTS if action.is_event else EMPIRES)[action.card].name
    return [phrase(phrases.THEN_TAKE, "draft-5", card=name), *card_facts(state, seat, action.is_event, action.card)]


def _tell_keep(state: State, seat: int, action: Plain) -> list[Phrase]:
    facts = card_facts(state, seat, draft.is_event_round(state), state.chosen)
    return [phrase(phrases.THEN_KEEP, "draft-8", card=drawn_card(state)), *facts]


def _tell_give(state: State, seat: int, action: Give) -> list[Phrase]:
    facts = card_facts(state, seat, draft.is_event_round(state), state.chosen, is_kept=False)
    return [phrase(phrases.THEN_GIVE, "draft-8", seat=action.seat, card=drawn_card(state)), *facts]


def _tell_guard(state: State, seat: int, action: Guard) -> list[Phrase]:
    return [phrase(_GUARDS[GUARDS[action.guard]], "battle-7"), phrase(phrases.THEN_GUARD_SECRET, "hidden-1")]


_GUARDS: Final = {
    "losing": phrases.THEN_GUARD_LOSING,
    "tied": phrases.THEN_GUARD_TIED,
    "never": phrases.THEN_GUARD_NEVER,
    "ask": phrases.THEN_GUARD_ASK,
}


# Founding


def _tell_found(state: State, new: State, seat: int, action: Plain, events: Sequence[Event]) -> list[Phrase]:
    told = []
    if action.verb == "kingdom":
        told.append(phrase(phrases.THEN_KINGDOM, "kingdom-2", card=EVENTS[turns.kingdom_in_hand(state, seat)].name))
    founded = next(event for event in events if event.key in ("founded", "kingdom_founded"))
    told.append(phrase(phrases.THEN_FOUNDED, "found-1", n=founded.params["n"], tokens=founded.params["tokens"]))
    told += _tell_starts(state, seat, events)
    if action.verb == "found" and kingdom_held(state, seat):
        told.append(phrase(phrases.THEN_KINGDOM_LOST, "epoch-4", card=EVENTS[turns.kingdom_in_hand(state, seat)].name))
    return told


def _tell_starts(state: State, seat: int, events: Sequence[Event]) -> list[Phrase]:
    """Tell what is cleared and placed at the start (found-2, found-3)."""
    told = []
    for event in _own(events):
        if not event.key.startswith("settled_start"):
            continue
        name = event.params["province"]
        province = PROVINCES.index(name)
        owner, pieces = owner_of(state, province), standing(state, province)
        if owner == seat:
            told.append(phrase(phrases.THEN_CLEARED_ME, "found-2", province=name))
        elif owner != NO_SEAT:
            told.append(phrase(phrases.THEN_CLEARED, "found-2", seat=owner, province=name))
        if pieces:
            told.append(phrase(phrases.THEN_CLEARED_PIECES, "found-2", province=name, pieces=pieces))
        building = event.params["building"]
        placed = ["army", *([building] if building != "army" else []), *(["fort"] if event.key.endswith("fort") else [])]
        told.append(phrase(phrases.THEN_SETTLED, "found-3", province=name, pieces=placed))
    return told


def _tell_bring(state: State, new: State, seat: int, action: Bring, events: Sequence[Event]) -> list[Phrase]:
    return [phrase(phrases.THEN_BRING, "found-5", province=PROVINCES[action.province]), *_tell_starts(state, seat, events)]


def _tell_start(state: State, new: State, seat: int, action: Start, events: Sequence[Event]) -> list[Phrase]:
    return _tell_starts(state, seat, events)


# Conquest


def _tell_conquer(state: State, seat: int, action: Conquer) -> list[Phrase]:
    province = action.province
    left = phrase(phrases.THEN_CARD, "conquest-3", n=state.card_armies - 1, tokens=state.tokens)
    if rival_of(state, province) is not None:
        return [*_tell_attack(state, seat, action), left]
    name = PROVINCES[province]
    is_own = bool(state.armies[seat] >> province & 1)
    told = [phrase(phrases.THEN_OCCUPY_ME if is_own else phrases.THEN_OCCUPY, "conquest-2", province=name)]
    pieces = standing(state, province)
    if pieces and not is_own:
        told.append(phrase(phrases.THEN_TAKES_OVER, "ruin-3", pieces=pieces))
    new, events = after(state, seat, action)
    told += _tell_monument_count(state, outcome_of(state, action))
    return [*told, left, *_tell_next(state, new, seat, events)]


def _tell_attack(state: State, seat: int, action: Conquer) -> list[Phrase]:
    """Tell of a battle: the opponent, the defence, the odds, and what a win brings (battle-1 .. battle-4)."""
    province = action.province
    text = phrases.THEN_ATTACK_FLEET if action.by_fleet else phrases.THEN_ATTACK
    fight = conquered(state, action)
    told = [phrase(text, "battle-1", seat=rival_of(state, province), province=PROVINCES[province])]
    return [*told, *_tell_defence(fight), *_tell_odds(fight), *_tell_win(state, won(fight), seat, province)]


def _tell_defence(fight: State) -> list[Phrase]:
    told = []
    if bonus := battles.defence_bonus(fight):
        told.append(phrase(phrases.THEN_DEFENCE_TERRAIN, "defence-1", terrain=TERRAIN[fight.target], n=bonus))
    if battles.defence_dice(fight) > 1:
        told.append(phrase(phrases.THEN_DEFENCE_FORT, "defence-3"))
    if battles.rerolls(fight)[1]:
        told.append(phrase(phrases.THEN_DEFENCE_SEA, "defence-2"))
    return told


def _tell_odds(fight: State) -> list[Phrase]:
    told = []
    if bonus := battles.attack_bonus(fight):
        told.append(phrase(phrases.THEN_BONUS, "battle-5", n=bonus))
    told.append(_odds_said(phrases.THEN_ODDS, "battle-1", battle_for(fight)))
    if effects(fight, "win_ties"):
        told.append(phrase(phrases.THEN_TIES_WON, "abilities-2"))
    mine, theirs = battles.rerolls(fight)
    if mine:
        told.append(phrase(phrases.THEN_REROLLS, "battle-6", n=mine))
    if theirs:
        told.append(phrase(phrases.THEN_REROLLS_DEFENCE, "defence-2"))
    return told


def _odds_said(text: str, anchor: str, odds: Odds) -> Phrase:
    win, tie, lose = percents(odds)
    return phrase(text, anchor, win=win, tie=tie, lose=lose)


def _tell_win(state: State, new: State, seat: int, province: int) -> list[Phrase]:
    """Tell what is ruined, and what the province would bring."""
    told = []
    what = ruined_of(state, province)
    if what is not None:
        told.append(phrase(phrases.THEN_RUINS, "ruin-1", what=what))
    if state.forts >> province & 1:
        told.append(phrase(phrases.THEN_FORT_GOES, "ruin-2"))
    if effects(state, "optional_ruin") and standing(state, province):
        told.append(phrase(phrases.THEN_SPARE, "abilities-2"))
    plunder = new.plunder + new.plunder_due - state.plunder - state.plunder_due
    if plunder:
        told.append(phrase(phrases.THEN_PLUNDER, "ruin-4", points=plunder))
    told.append(phrase(phrases.THEN_IF_WON, "score-5", n=points_now(new, seat), m=points_now(state, seat)))
    told += _tell_levels(state, new, seat, phrases.THEN_LEVEL_IF_WON)
    return told + _tell_monument_count(state, new)


def _tell_monument_count(state: State, new: State) -> list[Phrase]:
    before, then = turns.monument_count(state), turns.monument_count(new)
    return [] if before == then else [phrase(phrases.THEN_MONUMENTS, "monuments-1", n=then, m=before)]


def _tell_fort(state: State, new: State, seat: int, action: Fort, events: Sequence[Event]) -> list[Phrase]:
    name = PROVINCES[action.province]
    if state.phase == CONQUEST:
        left = phrase(phrases.THEN_CARD, "conquest-3", n=state.card_armies - 1, tokens=state.tokens)
        return [phrase(phrases.THEN_FORT, "forts-1", province=name), left]
    given = (state.effect_left if state.phase == EFFECT else state.forts_left) - 1
    return [phrase(phrases.THEN_FORT_FREE, "forts-3", province=name, n=given)]


def _tell_city(state: State, new: State, seat: int, action: City, events: Sequence[Event]) -> list[Phrase]:
    return [phrase(phrases.THEN_CITY, "forts-3", province=PROVINCES[action.province])]


def _tell_ability(state: State, new: State, seat: int, action: Ability, events: Sequence[Event]) -> list[Phrase]:
    text = phrases.THEN_ABILITY_ON if action.is_used else phrases.THEN_ABILITY_OFF
    ability = ability_of(EMPIRES[state.empires[seat]])
    assert ability is not None
    return [phrase(text, "abilities-8"), ability, *_tell_monument_count(state, new)]


def _tell_end(state: State, new: State, seat: int, action: Plain, events: Sequence[Event]) -> list[Phrase]:
    if state.card_armies or state.tokens:
        return [phrase(phrases.THEN_END, "conquest-3", n=state.card_armies, tokens=state.tokens)]
    return [phrase(phrases.THEN_END_NONE, "conquest-3")]


# Battles


def _tell_reroll(state: State, seat: int, action: Plain) -> list[Phrase]:
    return [_odds_said(phrases.THEN_REROLL, "battle-6", reroll_for(state)), _stands(state), *_tell_other_side(state)]


def _tell_pass(state: State, seat: int, action: Plain) -> list[Phrase]:
    return [phrase(phrases.THEN_PASS, "battle-6"), _stands(state), *_tell_other_side(state)]


def _tell_other_side(state: State) -> list[Phrase]:
    others = state.defence_rerolls if state.rerolling_attacker else state.attack_rerolls
    return [phrase(phrases.THEN_OTHER_REROLLS, "battle-6")] if others else []


def _stands(state: State) -> Phrase:
    """Return who wins with the current dice (battle-2 .. battle-4)."""
    attack, defence = battles.strengths(state)
    if attack > defence or (attack == defence and effects(state, "win_ties")):
        return phrase(phrases.THEN_STANDS_WON, "battle-2")
    if attack == defence:
        return phrase(phrases.THEN_STANDS_TIED, "battle-3")
    return phrase(phrases.THEN_STANDS_LOST, "battle-4")


def _tell_siege(state: State, seat: int, action: Siege) -> list[Phrase]:
    fight = besieged(state, action)
    bonus = battles.attack_bonus(fight) - battles.attack_bonus(_unbesieged(state))
    text = phrases.THEN_SIEGE_ARMY if action.piece == "army" else phrases.THEN_SIEGE_TOKEN
    told = [phrase(text, "siege-1" if action.piece == "army" else "siege-6", n=bonus)]
    if fight.catapult > SIEGE_MOST:
        told.append(phrase(phrases.THEN_SIEGE_FULL, "siege-2"))
    left = phrase(phrases.THEN_CARD, "conquest-3", n=fight.card_armies - 1, tokens=fight.tokens)
    return [*told, *_tell_defence(fight), *_tell_odds(fight), *_tell_win(state, won(fight), seat, state.target), left]


def _unbesieged(state: State) -> State:
    new = state.copy()
    new.catapult = new.catapult_armies = 0
    return new


def _tell_retreat(state: State, new: State, seat: int, action: Plain, events: Sequence[Event]) -> list[Phrase]:
    told = [phrase(phrases.THEN_RETREAT, "retreat-1", seat=owner_of(state, state.target), province=PROVINCES[state.target])]
    if state.catapult_armies:
        told.append(phrase(phrases.THEN_RETREAT_CATAPULT, "retreat-1", n=state.catapult_armies))
    return told


def _tell_won(state: State, new: State, seat: int, action: Plain, events: Sequence[Event]) -> list[Phrase]:
    name = PROVINCES[state.target]
    if action.verb == "occupy":
        return [phrase(phrases.THEN_OCCUPY_WON, "conquest-2", province=name)]
    return [phrase(phrases.THEN_RAID, "abilities-2", province=name), phrase(phrases.THEN_RAID_ON, "abilities-2")]


def _tell_ruin(state: State, new: State, seat: int, action: Plain, events: Sequence[Event]) -> list[Phrase]:
    if action.verb == "spare":
        return [phrase(phrases.THEN_SPARED, "abilities-2", pieces=standing(state, state.target))]
    return _tell_ruins(events)


def _tell_ruins(events: Sequence[Event]) -> list[Phrase]:
    told = []
    for event in events:
        if event.key == "ruined":
            told.append(phrase(phrases.THEN_RUINED, "ruin-1", province=event.params["province"], what=event.params["what"]))
        elif event.key == "fort_removed":
            told.append(phrase(phrases.THEN_FORT_REMOVED, "ruin-2", province=event.params["province"]))
    return told


def _tell_post(state: State, new: State, seat: int, action: Plain, events: Sequence[Event]) -> list[Phrase]:
    left = sum(params["max_per_turn"] for params in effects(state, "fort_on_fleet_conquest")) - state.uses[POSTS]
    if action.verb == "post":
        return [phrase(phrases.THEN_FORT_FREE, "abilities-2", province=PROVINCES[state.target], n=left - 1)]
    return [phrase(phrases.THEN_SKIP, "abilities-1", n=left)]


# Improvements


def _tell_play(state: State, new: State, seat: int, action: Play, events: Sequence[Event]) -> list[Phrase]:
    event = EVENTS[action.card]
    told = [phrase(phrases.THEN_PLAY, "events-1", card=event.name)]
    if (does := improvement_of(event)) is not None:
        told.append(does)
    gains = [happened.params for happened in events if happened.key == "gained"]
    told += [phrase(phrases.THEN_GAINED, "events-4", n=gain["n"], tokens=gain["tokens"]) for gain in gains]
    if new.turn_events != state.turn_events and new.active_armies == state.active_armies:
        told += _tell_monument_count(state, new)
    return told


def _tell_target(state: State, new: State, seat: int, action: Target, events: Sequence[Event]) -> list[Phrase]:
    province = action.province
    name, owner = PROVINCES[province], owner_of(state, province)
    told: list[Phrase] = []
    if any(event.key == "replaced" for event in events):
        told.append(phrase(phrases.THEN_REPLACE, "events-5", seat=owner, province=name))
    elif any(event.key == "removed" for event in events):
        text = phrases.THEN_REMOVE_ME if owner == seat else phrases.THEN_REMOVE
        told.append(phrase(text, "events-6", seat=owner, province=name))
    told += _tell_ruins(events)
    if new.phase == EFFECT:
        told.append(phrase(phrases.THEN_MORE_CHOICES, "events-3", n=new.effect_left))
    return told


def _tell_zone(state: State, new: State, seat: int, action: Zone, events: Sequence[Event]) -> list[Phrase]:
    told = [phrase(phrases.THEN_ZONE, "reach-1", zone=ZONES[action.zone])]
    before, then = (land | fleet for land, fleet in (reach.reach(state.active_armies, zones) for zones in (state.zones, new.zones)))
    if then & ~before:
        told.append(
            phrase(phrases.THEN_ZONE_REACH, "reach-1", provinces=[PROVINCES[province] for province in provinces_in(then & ~before)])
        )
    return told


# After the conquest


def _tell_done(state: State, new: State, seat: int, action: Plain, events: Sequence[Event]) -> list[Phrase]:
    if state.phase == FINISH:
        return [phrase(phrases.THEN_DONE_FINISH, "score-5")]
    if state.phase == EFFECT:
        return [phrase(phrases.THEN_NO_MORE, "forts-3", n=state.effect_left)]
    told = [phrase(phrases.THEN_DONE_AFTER, "monuments-1")]
    forts, cities = turns.granted_sites(state)
    if forts:
        told.append(phrase(phrases.THEN_NO_MORE, "forts-3", n=state.forts_left))
    if cities:
        told.append(phrase(phrases.THEN_DONE_AFTER_CITY, "forts-3", n=state.cities_left))
    return told


def _tell_monument(state: State, new: State, seat: int, action: Monument, events: Sequence[Event]) -> list[Phrase]:
    left = state.monuments_left - 1
    return [phrase(phrases.THEN_MONUMENT, "monuments-1", province=PROVINCES[action.province], n=left)]


def _tell_marker(state: State, seat: int, action: Plain) -> list[Phrase]:
    return [phrase(phrases.THEN_MARKER, "score-6", n=turns.free_space(state, 1 if action.verb == "up" else -1))]


_APART: Final[dict[str, Callable[[State, int, Any], list[Phrase]]]] = {
    "look": _tell_look,
    "take": _tell_take,
    "keep": _tell_keep,
    "give": _tell_give,
    "guard": _tell_guard,
    "conquer": _tell_conquer,
    "reroll": _tell_reroll,
    "pass": _tell_pass,
    "siege": _tell_siege,
    "up": _tell_marker,
    "down": _tell_marker,
}
_TELLERS: Final[dict[str, Callable[[State, State, int, Any, Sequence[Event]], list[Phrase]]]] = {
    "kingdom": _tell_found,
    "found": _tell_found,
    "play": _tell_play,
    "bring": _tell_bring,
    "start": _tell_start,
    "fort": _tell_fort,
    "city": _tell_city,
    "end": _tell_end,
    "ability": _tell_ability,
    "retreat": _tell_retreat,
    "occupy": _tell_won,
    "raid": _tell_won,
    "ruin": _tell_ruin,
    "spare": _tell_ruin,
    "post": _tell_post,
    "skip": _tell_post,
    "target": _tell_target,
    "zone": _tell_zone,
    "done": _tell_done,
    "monument": _tell_monument,
}
