"""Why something that the player might look for is not offered, with its paragraph (act-3)."""

from __future__ import annotations

from collections.abc import Sequence

from games.after_the_flood import legality, refusals
from games.after_the_flood import prompt_phrases as phrases
from games.after_the_flood.actions import (
    DESTRUCTIONS,
    FOUNDS,
    GROWTHS,
    INVASIONS,
    MAKE_TOOL,
    PASS,
    PAYMENTS,
    PAYS,
    RECRUITINGS,
    REFOUND_HOME,
    REFOUNDINGS,
    SCRIBE_MOVES,
    TRADES,
    Action,
    Build,
    Destroy,
    Found,
    Invade,
    Pay,
    Place,
    Recruit,
    Refound,
    Reinforce,
    Relocate,
    Scribe,
    Trade,
)
from games.after_the_flood.components import (
    AREAS,
    AVAILABLE,
    EMPIRE_NAMES,
    FIRST_OTHER,
    GOODS,
    KINDS,
    PLACES,
    RECRUITS,
    SEATS,
    SPOTS,
    SUMER_EMPIRE,
    TOOL_MAKERS,
    USED_TOOL_MAKERS,
)
from games.after_the_flood.phrases import VOICE
from games.after_the_flood.prompt_facts import phrase
from games.after_the_flood.state import (
    ACTION,
    EQUIPPING,
    EXPANDING,
    GARRISONING,
    GROWING,
    MUSTERING,
    NO_EMPIRE,
    PAYING,
    PLACING,
    TRADING,
    State,
    areas_of,
)
from games.core.asking import WhyNot, answered
from games.core.contract import Phrase


def because_of(state: State, action: Action) -> Phrase | None:
    """Return why the due seat may not do `action`; None if it may."""
    return VOICE.why(refusals.check, state, state.active, action)


def why_not(state: State, steps: Sequence[Action]) -> list[WhyNot]:
    """Return what the player might look for in the first question of a phase, and why it is not there; `steps` are the steps offered."""
    phase = state.phase
    if phase == PAYING:
        return _why_not_pay(state, steps)
    if phase == ACTION:
        return [
            *_why_no_city(steps),
            *_why_no_workers(state, steps),
            *_why_no_trade(state, steps),
            *_why_no_tool(state),
            *_why_no_empire(state, steps),
            *_why_no_expansion(state, steps, 0),
            *answered(phrase(phrases.WHY_PASS), because_of(state, PASS)),
        ]
    if phase == PLACING:
        return _why_no_workers(state, steps)
    if phase == TRADING:
        return _why_no_tool(state)
    if phase in (MUSTERING, EQUIPPING):
        return _why_no_recruits(state, steps)
    if phase == GARRISONING and state.armies_available[state.active] < 2:
        return [(phrase(phrases.WHY_ONE_ARMY), VOICE.refused("too_few_armies", "found-8", n=2, held=1))]
    if phase == EXPANDING:
        return _why_no_expansion(state, steps, 1)
    if phase == GROWING:
        grown = [GROWTHS[area][()] for area in areas_of(state.cities[state.active] & state.grown)]
        return [pair for grow in grown for pair in answered(phrase(phrases.WHY_GROW, area=AREAS[grow.area]), because_of(state, grow))]
    return []


def _is_any(steps: Sequence[Action], *kinds: type) -> bool:
    return any(isinstance(action, kinds) for action in steps)


def _why_not_pay(state: State, steps: Sequence[Action]) -> list[WhyNot]:
    if not _is_any(steps, Pay):
        return [(phrase(phrases.WHY_ACT), phrase(phrases.BECAUSE_CANNOT_PAY, "pass-5"))]
    useless: list[WhyNot] = []
    for pay in PAYS:
        why = because_of(state, pay)
        if why is not None and why.text == VOICE.phrases["refused.nothing_left_to_do"]:
            useless.append((phrase(phrases.WHY_PAY, what=PAYMENTS[pay.what]), why))
    return useless


def _why_no_city(steps: Sequence[Action]) -> list[WhyNot]:
    if _is_any(steps, Build, Relocate):
        return []
    return [(phrase(phrases.WHY_CITY), phrase(phrases.BECAUSE_NO_FREE_AREA, "build-2"))]


def _why_no_workers(state: State, steps: Sequence[Action]) -> list[WhyNot]:
    seat = state.active
    found: list[WhyNot] = []
    if not _is_any(steps, Place):
        if state.is_placed:
            answer = VOICE.refused("placed_already", "place-1")
        elif not state.workers_available[seat]:
            answer = VOICE.refused("no_worker_available", "place-1")
        else:
            answer = phrase(phrases.BECAUSE_NO_GOOD, "place-1")
        found.append((phrase(phrases.WHY_PLACE), answer))
    if not _is_any(steps, Scribe):
        found += answered(phrase(phrases.WHY_SCRIBE), because_of(state, SCRIBE_MOVES[AVAILABLE][0]))
    return found


def _why_no_trade(state: State, steps: Sequence[Action]) -> list[WhyNot]:
    seat = state.active
    present = [
        place for place in legality.SELLERS if state.workers[seat * SPOTS + place] or state.armies[seat] >> (place + FIRST_OTHER) & 1
    ]
    found: list[WhyNot] = []
    for place in present:
        found += answered(phrase(phrases.WHY_TRADE_AREA, area=AREAS[place + FIRST_OTHER]), why_no_trade(state, place))
    if not present and not _is_any(steps, Trade):
        found.append((phrase(phrases.WHY_TRADE), phrase(phrases.BECAUSE_NO_TRADERS, "trade-1")))
    return found


def why_no_trade(state: State, place: int) -> Phrase | None:
    """Return why the seat can exchange nothing in an area that sells something; None if it can."""
    trades = [trade for gives in TRADES[place].values() for trade in gives.values()]
    reasons = [because_of(state, trade) for trade in trades]
    if None in reasons:
        return None
    base = state.active * KINDS
    for trade, why in zip(trades, reasons, strict=True):
        if state.goods[base + trade.give]:
            return why
    if "good" not in reasons[0].params:  # type: ignore[union-attr]
        return reasons[0]  # goods are not all that is missing
    taken = [GOODS[good] for good in range(KINDS) if any(trade.give == good for trade in trades)]
    return phrase(phrases.BECAUSE_NOTHING_TO_GIVE, "trade-3", area=PLACES[place], goods=taken)


def _why_no_tool(state: State) -> list[WhyNot]:
    at = state.active * SPOTS
    if not state.workers[at + TOOL_MAKERS] + state.workers[at + USED_TOOL_MAKERS]:
        return []
    return answered(phrase(phrases.WHY_TOOL), because_of(state, MAKE_TOOL))


def _why_no_empire(state: State, steps: Sequence[Action]) -> list[WhyNot]:
    offered = [FOUNDS[empire] for empire, _, _ in legality.OFFERED[state.turn]]
    if state.empires[state.active] != NO_EMPIRE:
        return answered(phrase(phrases.WHY_EMPIRE), because_of(state, offered[0]))
    found: list[WhyNot] = []
    for action in offered:
        question = phrase(phrases.WHY_THIS_EMPIRE, empire=EMPIRE_NAMES[action.empire])
        found += answered(question, because_of(state, action))
    assert len(found) + sum(isinstance(action, Found) for action in steps) == len(offered)
    return found


def _why_no_recruits(state: State, steps: Sequence[Action]) -> list[WhyNot]:
    if _is_any(steps, Recruit):
        return []
    held = [good for good in RECRUITS if state.goods[state.active * KINDS + good]]
    if held:
        return answered(phrase(phrases.WHY_RECRUIT), because_of(state, RECRUITINGS[held[0]]))
    if state.phase == EQUIPPING:
        return [(phrase(phrases.WHY_RECRUIT), VOICE.refused("equipping_begun", "found-6"))]
    goods = [GOODS[good] for good in RECRUITS]
    return [(phrase(phrases.WHY_RECRUIT), phrase(phrases.BECAUSE_NOTHING_TO_BUY_WITH, "found-15", goods=goods))]


def _why_no_expansion(state: State, steps: Sequence[Action], cost: int) -> list[WhyNot]:
    seat = state.active
    own = state.armies[seat]
    if _is_any(steps, Refound):
        answer = because_of(state, INVASIONS[0])
        return answered(phrase(phrases.WHY_INVADE), answer)
    if not _is_any(steps, Invade, Destroy, Reinforce) and (not own or state.armies_available[seat] <= cost):
        return answered(phrase(phrases.WHY_EXPAND), because_of(state, _way_to_expand(state)))
    found: list[WhyNot] = []
    if not _is_any(steps, Invade):
        found.append((phrase(phrases.WHY_INVADE), phrase(phrases.BECAUSE_NO_AREA_IN_REACH, "expand-2")))
    if not _is_any(steps, Destroy):
        cities = [area for rival in range(SEATS) if rival != seat for area in areas_of(state.cities[rival] & own)]
        if cities:
            found += answered(phrase(phrases.WHY_DESTROY), because_of(state, DESTRUCTIONS[cities[0]]))
        else:
            found.append((phrase(phrases.WHY_DESTROY), phrase(phrases.BECAUSE_NO_CITY_UNDER_ARMY, "destroy-1")))
    if not _is_any(steps, Reinforce):
        found.append((phrase(phrases.WHY_REINFORCE), phrase(phrases.BECAUSE_ALL_TWO, "expand-5")))
    return found


def _way_to_expand(state: State) -> Action:
    """Return the expansion to explain if none is possible: an invasion if armies are on the map, otherwise a return (expand-8)."""
    seat = state.active
    if state.armies[seat] or state.empires[seat] == NO_EMPIRE:
        return INVASIONS[0]
    return REFOUNDINGS[0] if legality.home_of(state, seat) == SUMER_EMPIRE else REFOUND_HOME
