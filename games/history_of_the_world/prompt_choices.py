"""The answers to a question, and the button (history_of_the_world#turn-2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from games.core.asking import Said, Step
from games.core.contract import NO_SEAT, Option, Phrase
from games.history_of_the_world import battles, turns
from games.history_of_the_world import prompt_phrases as phrases
from games.history_of_the_world.actions import Ability, Action, Conquer, Give, Guard, Look, Play, Siege, Take, Zone, province_at
from games.history_of_the_world.components import EMPIRES, EVENTS, GUARDS, PROVINCES, SYMBOLS, ZONE_KIND, ZONES, Realm
from games.history_of_the_world.odds import battle_for, percents
from games.history_of_the_world.prompt_facts import (
    best_way,
    conquered,
    outcome_of,
    phrase,
    points_now,
    rival_of,
    ruined_of,
    standing,
)
from games.history_of_the_world.state import (
    AFTER,
    EFFECT,
    State,
    owner_of,
    realm_of,
)


def option_of(state: State, seat: int, node: str, step: Step[Action]) -> Option:
    """Return an answer: a step of the question at `node`."""
    is_final = step.text == str(step.action) and is_irreversible(state, step.action)
    return _SAYERS[step.action.verb](state, seat, node, step).option(step.text, False, is_final)


def is_irreversible(state: State, action: Action) -> bool:
    """Return whether a card is shown or chosen, or armies are lost. Battles are a turn's daily bread: their odds are told, nobody asks."""
    if action.verb == "end":
        return state.card_armies > 0
    return action.verb in ("look", "take", "keep", "give", "kingdom", "play")


def province_target(province: int) -> str:
    """Return the target of a province."""
    return f"province-{PROVINCES[province]}"


def _starts(realm: Realm) -> list[str]:
    return [PROVINCES[start] for start in realm.starts]


# The draft


def _look(state: State, seat: int, node: str, step: Step[Action]) -> Said:
    assert isinstance(step.action, Look)
    is_events = step.action.pile == "events"
    text = phrases.OPTION_LOOK_EVENTS if is_events else phrases.OPTION_LOOK_EMPIRES
    return Said(phrase(text, "draft-3"), SYMBOLS["improvement" if is_events else "capital"])


def card_label(is_event: bool, card: int) -> tuple[Phrase, str]:
    """Return the label and the picture of a card."""
    if is_event:
        event = EVENTS[card]
        if event.realm is not None:
            return phrase(phrases.OPTION_KINGDOM, "kingdom-1", card=event.name, n=event.realm.armies), SYMBOLS["kingdom"]
        return phrase(phrases.OPTION_IMPROVEMENT, "events-1", card=event.name), SYMBOLS["improvement"]
    empire = EMPIRES[card]
    label = phrase(phrases.OPTION_EMPIRE, "turn-1", card=empire.name, n=empire.armies, order=empire.order)
    return label, SYMBOLS["marauder" if empire.is_marauder else "capital"]


def _take(state: State, seat: int, node: str, step: Step[Action]) -> Said:
    assert isinstance(step.action, Take)
    card, is_event = step.action.card, step.action.is_event
    label, picture = card_label(is_event, card)
    name = (EVENTS if is_event else EMPIRES)[card].name
    return Said(label, picture, f"card-{name}", phrase(phrases.GROUP_CARDS, "draft-1"))


def _keep(state: State, seat: int, node: str, step: Step[Action]) -> Said:
    return Said(phrase(phrases.OPTION_KEEP, "draft-8"))


def _give(state: State, seat: int, node: str, step: Step[Action]) -> Said:
    assert isinstance(step.action, Give)
    return Said(phrase(phrases.OPTION_GIVE, "draft-8", seat=step.action.seat))


def _guard(state: State, seat: int, node: str, step: Step[Action]) -> Said:
    group = phrase(phrases.GROUP_GUARD, "battle-7")
    if not node:
        return Said(phrase(phrases.OPTION_GUARD, "battle-7", guard=GUARDS[state.guards[seat]]), SYMBOLS["fleet"], group=group, aside=True)
    assert isinstance(step.action, Guard)
    return Said(phrase(phrases.OPTION_GUARD_TO, "battle-7", guard=GUARDS[step.action.guard]), SYMBOLS["fleet"])


# Founding


def _kingdom(state: State, seat: int, node: str, step: Step[Action]) -> Said:
    event = EVENTS[turns.kingdom_in_hand(state, seat)]
    assert event.realm is not None
    label = phrase(phrases.OPTION_PLAY_KINGDOM, "kingdom-1", card=event.name, n=event.realm.armies, provinces=_starts(event.realm))
    return Said(label, SYMBOLS["kingdom"], f"card-{event.name}", phrase(phrases.GROUP_FOUND, "found-1"))


def _found(state: State, seat: int, node: str, step: Step[Action]) -> Said:
    realm = realm_of(state)
    label = phrase(phrases.OPTION_FOUND, "found-1", empire=realm.name, n=realm.armies, provinces=_starts(realm))
    return Said(label, SYMBOLS["marauder" if realm.is_marauder else "capital"], group=phrase(phrases.GROUP_FOUND, "found-1"))


def _play(state: State, seat: int, node: str, step: Step[Action]) -> Said:
    assert isinstance(step.action, Play)
    name = EVENTS[step.action.card].name
    label = phrase(phrases.OPTION_IMPROVEMENT, "events-1", card=name)
    return Said(label, SYMBOLS["improvement"], f"card-{name}", phrase(phrases.GROUP_IMPROVEMENTS, "events-1"))


def _place(state: State, province: int, picture: str, anchor: str) -> Said:
    """Return a province with what is there."""
    pieces = standing(state, province)
    text = phrases.OPTION_PROVINCE_WITH if pieces else phrases.OPTION_PROVINCE
    label = phrase(text, anchor, province=PROVINCES[province], pieces=pieces)
    return Said(label, SYMBOLS[picture], province_target(province))


def _bring(state: State, seat: int, node: str, step: Step[Action]) -> Said:
    return _place(state, province_at(step.action), "army", "found-5")


def _start(state: State, seat: int, node: str, step: Step[Action]) -> Said:
    return _place(state, province_at(step.action), "capital", "found-6")


# Conquest


def _conquer(state: State, seat: int, node: str, step: Step[Action]) -> Said:
    action = step.action
    assert isinstance(action, Conquer)
    province = action.province
    if node:
        return _way(state, action)
    best = best_way(state, province)
    target = province_target(province) if best in (None, action) else None
    name, is_fleet = PROVINCES[province], action.by_fleet
    points = points_now(outcome_of(state, action), seat) - points_now(state, seat)
    rival = rival_of(state, province)
    if rival is None:
        text = phrases.OPTION_EMPTY_FLEET if is_fleet else phrases.OPTION_EMPTY
        label = phrase(text, "conquest-2", province=name, points=points)
        return Said(label, SYMBOLS["army"], target, phrase(phrases.GROUP_PEACE, "conquest-2"))
    percent = percents(battle_for(conquered(state, action)))[0]
    text = phrases.OPTION_BATTLE_FLEET if is_fleet else phrases.OPTION_BATTLE
    label = phrase(text, "battle-1", province=name, seat=rival, percent=percent, points=points)
    return Said(label, SYMBOLS["fallen_army"], target, phrase(phrases.GROUP_BATTLE, "battle-1"))


def _way(state: State, action: Conquer) -> Said:
    percent = percents(battle_for(conquered(state, action)))[0]
    if action.by_fleet:
        return Said(phrase(phrases.OPTION_FLEET_BATTLE, "reach-4", percent=percent), SYMBOLS["fleet"])
    return Said(phrase(phrases.OPTION_LAND_BATTLE, "reach-4", percent=percent), SYMBOLS["army"])


def _fort(state: State, seat: int, node: str, step: Step[Action]) -> Said:
    if node or state.phase == EFFECT:
        return _place(state, province_at(step.action), "fort", "forts-2")
    if state.phase == AFTER:
        label = phrase(phrases.OPTION_FORT_FREE, "forts-3", n=state.forts_left)
    else:
        label = phrase(phrases.OPTION_FORT, "forts-1")
    return Said(label, SYMBOLS["fort"], group=phrase(phrases.GROUP_BUILD, "forts-1"))


def _city(state: State, seat: int, node: str, step: Step[Action]) -> Said:
    if node or state.phase == EFFECT:
        return _place(state, province_at(step.action), "city", "forts-3")
    return Said(phrase(phrases.OPTION_CITY, "forts-3", n=state.cities_left), SYMBOLS["city"], group=phrase(phrases.GROUP_BUILD, "forts-3"))


def _ability(state: State, seat: int, node: str, step: Step[Action]) -> Said:
    assert isinstance(step.action, Ability)
    text = phrases.OPTION_ABILITY_ON if step.action.is_used else phrases.OPTION_ABILITY_OFF
    return Said(phrase(text, "abilities-8"), group=phrase(phrases.GROUP_ABILITY, "abilities-8"))


def _end(state: State, seat: int, node: str, step: Step[Action]) -> Said:
    text = phrases.OPTION_END if state.card_armies else phrases.OPTION_END_NONE
    return Said(phrase(text, "conquest-3", n=state.card_armies), group=phrase(phrases.GROUP_END, "conquest-3"))


# Battles


def own_dice(state: State) -> tuple[int, ...]:
    """Return the dice of the side that is asked about a reroll (battle-6)."""
    return state.dice[:2] if state.rerolling_attacker else state.dice[2:]


def besieged(state: State, action: Siege) -> State:
    """Return the position after a siege has started, with an extra army (siege-1)."""
    new = state.copy()
    new.card_armies += 1
    battles.besiege(new, action, None)
    return new


def _reroll(state: State, seat: int, node: str, step: Step[Action]) -> Said:
    lowest = min(own_dice(state))
    return Said(phrase(phrases.OPTION_REROLL, "battle-6", n=lowest), number=lowest)


def _siege(state: State, seat: int, node: str, step: Step[Action]) -> Said:
    assert isinstance(step.action, Siege)
    is_army = step.action.piece == "army"
    percent = percents(battle_for(besieged(state, step.action)))[0]
    text = phrases.OPTION_SIEGE_ARMY if is_army else phrases.OPTION_SIEGE_TOKEN
    count = state.card_armies if is_army else state.tokens
    return Said(phrase(text, "siege-1", percent=percent), SYMBOLS["catapult" if is_army else "siege_token"], number=count)


def _ruin(state: State, seat: int, node: str, step: Step[Action]) -> Said:
    what = ruined_of(state, state.target)
    pieces = [*([what] if what else []), *(["fort"] if state.forts >> state.target & 1 else [])]
    return Said(phrase(phrases.OPTION_RUIN, "ruin-1", pieces=pieces), SYMBOLS[pieces[0]])


# Improvements and what follows


def _target(state: State, seat: int, node: str, step: Step[Action]) -> Said:
    province = province_at(step.action)
    owner, pieces = owner_of(state, province), standing(state, province)
    fields: dict[str, Any] = {"province": PROVINCES[province], "pieces": pieces}
    if owner == NO_SEAT:  # then there is something to ruin
        text = phrases.OPTION_TARGET_EMPTY
    else:
        text = phrases.OPTION_TARGET_WITH if pieces else phrases.OPTION_TARGET
        fields["seat"] = owner
    return Said(phrase(text, "events-1", **fields), SYMBOLS["fallen_army"], province_target(province))


def _zone(state: State, seat: int, node: str, step: Step[Action]) -> Said:
    assert isinstance(step.action, Zone)
    zone = step.action.zone
    picture = SYMBOLS["caravan" if ZONE_KIND[zone] == "barren" else "fleet"]
    return Said(phrase(phrases.OPTION_ZONE, "reach-1", zone=ZONES[zone]), picture, f"zone-{ZONES[zone]}")


def _done(state: State, seat: int, node: str, step: Step[Action]) -> Said:
    group = phrase(phrases.GROUP_END, "turn-2")
    if state.phase == EFFECT:
        return Said(phrase(phrases.OPTION_DONE_EFFECT, "forts-3"), group=group)
    if state.phase == AFTER:
        return Said(phrase(phrases.OPTION_DONE_AFTER, "monuments-1"), SYMBOLS["monument"], group=group)
    return Said(phrase(phrases.OPTION_DONE_FINISH, "score-5"), group=group)


def _monument(state: State, seat: int, node: str, step: Step[Action]) -> Said:
    return _place(state, province_at(step.action), "monument", "monuments-2")


def _marker(state: State, seat: int, node: str, step: Step[Action]) -> Said:
    is_up = step.action.verb == "up"
    space = turns.free_space(state, 1 if is_up else -1)
    return Said(phrase(phrases.OPTION_UP if is_up else phrases.OPTION_DOWN, "score-6", n=space), number=space)


def _plain(text: str, anchor: str, picture: str | None = None) -> Callable[[State, int, str, Step[Action]], Said]:
    symbol = None if picture is None else SYMBOLS[picture]
    return lambda state, seat, node, step: Said(phrase(text, anchor), symbol)


_SAYERS: Final[dict[str, Callable[[State, int, str, Step[Action]], Said]]] = {
    "look": _look,
    "take": _take,
    "keep": _keep,
    "give": _give,
    "guard": _guard,
    "kingdom": _kingdom,
    "found": _found,
    "play": _play,
    "bring": _bring,
    "start": _start,
    "conquer": _conquer,
    "fort": _fort,
    "city": _city,
    "end": _end,
    "ability": _ability,
    "reroll": _reroll,
    "pass": _plain(phrases.OPTION_PASS, "battle-6"),
    "siege": _siege,
    "retreat": _plain(phrases.OPTION_RETREAT, "retreat-1", "fallen_army"),
    "occupy": _plain(phrases.OPTION_OCCUPY, "conquest-2", "army"),
    "raid": _plain(phrases.OPTION_RAID, "abilities-2", "marauder"),
    "ruin": _ruin,
    "spare": _plain(phrases.OPTION_SPARE, "abilities-2", "city"),
    "post": _plain(phrases.OPTION_POST, "abilities-2", "fort"),
    "skip": _plain(phrases.OPTION_SKIP, "abilities-1"),
    "target": _target,
    "zone": _zone,
    "done": _done,
    "monument": _monument,
    "up": _marker,
    "down": _marker,
}


# The button


def confirm_of(state: State, action: Action) -> Phrase:
    """Return what the button says."""
    if isinstance(action, Conquer):
        is_fight = rival_of(state, action.province) is not None
        text = phrases.CONFIRM_ATTACK if is_fight else phrases.CONFIRM_OCCUPY_AT
        return phrase(text, None, province=PROVINCES[action.province])
    if isinstance(action, Ability):
        return phrase(phrases.CONFIRM_ABILITY_ON if action.is_used else phrases.CONFIRM_ABILITY_OFF)
    return phrase(_CONFIRM[action.verb])


_CONFIRM: Final = {
    "look": phrases.CONFIRM_LOOK,
    "take": phrases.CONFIRM_TAKE,
    "keep": phrases.CONFIRM_KEEP,
    "give": phrases.CONFIRM_GIVE,
    "guard": phrases.CONFIRM_GUARD,
    "kingdom": phrases.CONFIRM_KINGDOM,
    "found": phrases.CONFIRM_FOUND,
    "play": phrases.CONFIRM_PLAY,
    "bring": phrases.CONFIRM_BRING,
    "start": phrases.CONFIRM_START,
    "fort": phrases.CONFIRM_FORT,
    "city": phrases.CONFIRM_CITY,
    "end": phrases.CONFIRM_END,
    "reroll": phrases.CONFIRM_REROLL,
    "pass": phrases.CONFIRM_PASS,
    "siege": phrases.CONFIRM_ROLL,
    "retreat": phrases.CONFIRM_RETREAT,
    "occupy": phrases.CONFIRM_OCCUPY,
    "raid": phrases.CONFIRM_RAID,
    "ruin": phrases.CONFIRM_RUIN,
    "spare": phrases.CONFIRM_SPARE,
    "post": phrases.CONFIRM_FORT,
    "skip": phrases.CONFIRM_SKIP,
    "target": phrases.CONFIRM_TARGET,
    "zone": phrases.CONFIRM_ZONE,
    "done": phrases.CONFIRM_DONE,
    "monument": phrases.CONFIRM_MONUMENT,
    "up": phrases.CONFIRM_MARKER,
    "down": phrases.CONFIRM_MARKER,
}
