"""The question for the seat that is due, step by step (ra#turn-2, ra#auction-3, ra#gods-1, ra#disasters-4).

Prefixes: "" · draw · call · god · god pharaoh nile · bid 12 · pass · discard · discard civ_art. The text of an option is the
prefix that choosing it leads to; for a tile that is already chosen, the prefix without it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from games.core.asking import WhyNot, answered, parsed, usable, words_of
from games.core.contract import NO_SEAT, Ask, Option, Phrase
from games.ra import legality, phrases
from games.ra.actions import Bid, Pass, UseGods, parse_action
from games.ra.components import (
    AUCTION_SPACES,
    CIV_FIRST,
    DISASTERS,
    GOD,
    KIND_OF,
    KINDS,
    N_KINDS,
    SUN_SYMBOL,
    SYMBOLS,
)
from games.ra.orders import orders_with_call
from games.ra.phrases import VOICE
from games.ra.state import AUCTION, DISCARD, FULL, NO_TILE, RA_TILE, SUNS_IN, TURN, State, next_in_play, track_count
from games.ra.view import View, known_state

_LONGEST: Final = 400  # characters of a prefix


def ask(view: View, chosen: str = "") -> Ask | None:
    """Return the question for the viewing seat, given what it has chosen so far; None if it is not due.

    An unusable prefix is cut back to its usable part.
    """
    if view.seat is None or view.seat != view.due:
        return None
    state = known_state(view)
    words = words_of(chosen, _LONGEST)
    if state.phase == TURN:
        return _ask_turn(state, words)
    if state.phase == AUCTION:
        return _ask_bid(state, words)
    if state.phase == DISCARD:
        return _ask_discard(state, words)
    return None


# A turn


def _ask_turn(state: State, words: Sequence[str]) -> Ask:
    can_draw = legality.can_draw(state)
    gods = state.tiles[state.due * N_KINDS + GOD]
    tiles = legality.takeable(state)
    if words[:1] == ["god"] and gods and tiles:
        return _ask_gods(state, words[1:], gods, tiles)
    chosen = words[0] if words[:1] == ["call"] or (words[:1] == ["draw"] and can_draw) else ""
    options = []
    if can_draw:
        options.append(Option("draw", Phrase(phrases.OPTION_DRAW, rule="ra#draw-1"), selected=chosen == "draw", target="bag", recall=True))
    options.append(
        Option(
            "call",
            Phrase(phrases.OPTION_CALL, rule="ra#ra-1"),
            picture="ra-figure",
            selected=chosen == "call",
            target="figure",
            irreversible=True,  # and the question has the bid to go with it
        )
    )
    if gods and tiles:
        options.append(Option("god", Phrase(phrases.OPTION_GOD, rule="ra#gods-1"), picture=SYMBOLS["god"]))
    why_not = _why_not_on_turn(state, can_draw, gods, tiles)
    title = _turn_title(state, can_draw, bool(gods and tiles))
    if chosen == "draw":
        return Ask(title, options, "draw", "draw", Phrase(phrases.CONFIRM_DRAW), _draw_consequence(state), back="", why_not=why_not)
    if chosen == "call":
        hint = Phrase(phrases.HINT_CALL_BID)
        consequence = _call_consequence(state)
        then = orders_with_call(SUNS_IN[state.suns_up[state.due]], state.auction_no + 1)
        confirm = Phrase(phrases.CONFIRM_CALL)
        label = Phrase(phrases.BID_WITH_CALL)
        return Ask(title, options, "call", "call", confirm, consequence, hint, back="", why_not=why_not, then=then, then_label=label)
    return Ask(title, options, why_not=why_not)


def _turn_title(state: State, can_draw: bool, can_use_god: bool) -> Phrase:
    if can_draw:
        return Phrase(phrases.ASK_TURN if can_use_god else phrases.ASK_TURN_PLAIN, rule="ra#turn-2")
    if not legality.is_track_full(state):
        return Phrase(phrases.ASK_TURN_NO_TILES, rule="ra#draw-1")
    return Phrase(phrases.ASK_TURN_FULL_GOD if can_use_god else phrases.ASK_TURN_FULL, rule="ra#ra-2")


def _why_not_on_turn(state: State, can_draw: bool, gods: int, tiles: list[int]) -> list[WhyNot]:
    why_not = answered(Phrase(phrases.WHY_DRAW), VOICE.why(legality.check_draw, state))
    if not gods:
        why_not.append((Phrase(phrases.WHY_GOD), VOICE.refused("no_god", "gods-1")))
    elif not tiles:
        why_not.append((Phrase(phrases.WHY_GOD), Phrase(phrases.BECAUSE_NOTHING_TO_TAKE, rule="ra#gods-2")))
    return why_not


def _draw_consequence(state: State) -> Phrase:
    if state.ra_count == state.ra_length - 1:
        return Phrase(phrases.THEN_DRAW_LAST_RA, rule="ra#epochs-3")
    return Phrase(phrases.THEN_DRAW, rule="ra#draw-2")


def _call_consequence(state: State) -> Phrase:
    params = {"n": track_count(state), "sun": state.centre}
    is_alone = next_in_play(state, state.due) == state.due
    if params["n"] == AUCTION_SPACES:
        return Phrase(phrases.THEN_CALL_FULL_ALONE if is_alone else phrases.THEN_CALL_FULL, params, "ra#auction-5")
    if is_alone:
        return Phrase(phrases.THEN_CALL_ALONE if params["n"] else phrases.THEN_CALL_ALONE_EMPTY, params, "ra#epochs-6")
    if params["n"]:
        return Phrase(phrases.THEN_CALL, params, "ra#auction-4")
    return Phrase(phrases.THEN_CALL_EMPTY, params, "ra#ra-3")


def _ask_gods(state: State, words: Sequence[str], gods: int, tiles: list[int]) -> Ask:
    chosen = usable(words, KIND_OF, Counter(tiles), min(gods, len(tiles)))
    left = Counter(chosen)
    options = []
    for space, kind in enumerate(state.track):
        if kind in (NO_TILE, GOD):
            continue
        is_chosen = left[kind] > 0
        left[kind] -= is_chosen
        if is_chosen or len(chosen) < gods:
            options.append(_tile_option("god", chosen, kind, is_chosen, f"track-{space}"))
        elif gods == 1:  # choosing another tile replaces the first
            options.append(_tile_option("god", [], kind, False, f"track-{space}"))
    most = min(gods, len(tiles))
    title = Phrase(phrases.ASK_GOD if most == 1 else phrases.ASK_GODS, {"n": most}, "ra#gods-1" if most == 1 else "ra#gods-3")
    why_not = answered(Phrase(phrases.WHY_GOD_TILE), VOICE.why(legality.check_gods, state, (GOD,))) if GOD in state.track else []
    if not chosen:
        return Ask(title, options, "god", hint=Phrase(phrases.HINT_GODS, rule="ra#gods-6"), back="", why_not=why_not)
    action = str(UseGods(tuple(chosen)))
    is_disaster = not DISASTERS.isdisjoint(chosen)
    consequence = Phrase(
        phrases.THEN_GOD_DISASTER if is_disaster else phrases.THEN_GOD,
        {"tiles": [KINDS[kind] for kind in chosen]},
        "ra#gods-7" if is_disaster else "ra#gods-1" if len(chosen) == 1 else "ra#gods-3",
    )
    confirm = Phrase(phrases.CONFIRM_GOD, {"n": len(chosen)})
    return Ask(title, options, action, action, confirm, consequence, back=_prefix("god", chosen[:-1]), why_not=why_not)


def _prefix(verb: str, kinds: Sequence[int]) -> str:
    if verb == "discard" and not kinds:
        return ""  # the question about a disaster starts with the tiles
    return " ".join([verb, *(KINDS[kind] for kind in kinds)])


def _tile_option(verb: str, chosen: list[int], kind: int, is_chosen: bool, target: str) -> Option:
    kinds = chosen[:]
    if is_chosen:
        kinds.remove(kind)
    else:
        kinds = sorted([*kinds, kind])
    label = Phrase(phrases.OPTION_TILE, {"tile": KINDS[kind]})
    costs = verb == "discard" or kind in DISASTERS
    return Option(_prefix(verb, kinds), label, picture=SYMBOLS[KINDS[kind]], selected=is_chosen, target=target, irreversible=costs)


# An auction


def _ask_bid(state: State, words: Sequence[str]) -> Ask:
    seat = state.due
    suns = legality.suns_to_bid(state)
    must = legality.must_bid(state)
    action = parsed(parse_action, " ".join(words))
    chosen = ""
    if (isinstance(action, Bid) and action.sun in suns) or (isinstance(action, Pass) and not must):
        chosen = str(action)
    options = [
        Option(
            f"bid {sun}",
            Phrase(phrases.OPTION_BID, {"n": sun}, "ra#auction-3"),
            picture=SUN_SYMBOL,
            number=sun,
            selected=chosen == f"bid {sun}",
            target=f"sun-{seat}-{sun}",
            irreversible=state.suns_up[seat] == 1 << sun,  # the seat would be out of the epoch
            recall=True,
        )
        for sun in suns
    ]
    if not must:
        options.append(Option("pass", Phrase(phrases.OPTION_PASS, rule="ra#auction-3"), selected=chosen == "pass", recall=True))
    title = _bid_title(state, suns, must)
    why_not = _why_not_bid(state, must)
    told = None if must else _auction_hint(state)
    if not chosen:
        return Ask(title, options, hint=told, why_not=why_not)
    if isinstance(action, Bid):
        hint = _last_sun_hint(state, action.sun) or told
        consequence = _bid_consequence(state, action.sun)
        return Ask(title, options, chosen, chosen, Phrase(phrases.CONFIRM_BID), consequence, hint, back="", why_not=why_not)
    confirm = Phrase(phrases.CONFIRM_PASS)
    return Ask(title, options, chosen, chosen, confirm, _pass_consequence(state), told, back="", why_not=why_not)


def _bid_title(state: State, suns: Sequence[int], must: bool) -> Phrase:
    if must:
        return Phrase(phrases.ASK_MUST_BID, rule="ra#auction-4")
    if not suns:
        return Phrase(phrases.ASK_ONLY_PASS, {"n": state.best_bid}, "ra#auction-3")
    if state.best_bid:
        return Phrase(phrases.ASK_BID_ABOVE, {"n": state.best_bid}, "ra#auction-3")
    return Phrase(phrases.ASK_BID, rule="ra#auction-3")


def _auction_hint(state: State) -> Phrase:
    """Tell who started the auction, and whose bid is the highest."""
    is_own, has_bid = state.ra_player == state.due, state.best_seat != NO_SEAT
    if state.cause == RA_TILE:
        drew = phrases.HINT_YOU_DREW_RA if is_own else phrases.HINT_DREW_RA
        drew_bid = phrases.HINT_YOU_DREW_RA_BID if is_own else phrases.HINT_DREW_RA_BID
        text, rule = (drew_bid if has_bid else drew), "ra#draw-2"
    else:
        called = phrases.HINT_YOU_CALLED if is_own else phrases.HINT_CALLED
        called_bid = phrases.HINT_YOU_CALLED_BID if is_own else phrases.HINT_CALLED_BID
        text, rule = (called_bid if has_bid else called), "ra#ra-1"
    params = {} if is_own else {"seat": state.ra_player}
    if has_bid:
        params |= {"n": state.best_bid, "other": state.best_seat}
    return Phrase(text, params, rule)


def _why_not_bid(state: State, must: bool) -> list[WhyNot]:
    seat = state.due
    why_not: list[WhyNot] = []
    for sun in SUNS_IN[state.suns_up[seat] | state.suns_down[seat]]:
        why_not += answered(Phrase(phrases.WHY_SUN, {"sun": sun}), VOICE.why(legality.check_bid, state, sun))
    if must:
        why_not.append((Phrase(phrases.WHY_PASS), VOICE.refused("caller_must_bid", "auction-4")))
    return why_not


def _last_sun_hint(state: State, sun: int) -> Phrase | None:
    if state.suns_up[state.due] != 1 << sun:
        return None
    if sum(state.suns_up) == 1 << sun:
        return Phrase(phrases.HINT_LAST_SUN_OF_ALL, rule="ra#epochs-2")
    return Phrase(phrases.HINT_LAST_SUN, rule="ra#epochs-1")


def _bid_consequence(state: State, sun: int) -> Phrase:
    if state.due == state.ra_player:
        params = {"n": sun, "tiles": track_count(state), "sun": state.centre}
        return Phrase(phrases.THEN_BID_LAST if params["tiles"] else phrases.THEN_BID_LAST_SUN, params, "ra#auction-8")
    return Phrase(phrases.THEN_BID if _can_be_beaten(state, sun) else phrases.THEN_BID_UNBEATEN, {"n": sun}, "ra#auction-3")


def _can_be_beaten(state: State, sun: int) -> bool:
    """Return whether a seat that bids after the due one has a higher face-up sun."""
    seat = state.due
    while seat != state.ra_player:
        seat = next_in_play(state, seat)
        if state.suns_up[seat] >> (sun + 1):
            return True
    return False


def _pass_consequence(state: State) -> Phrase:
    if state.due != state.ra_player:
        return Phrase(phrases.THEN_PASS, rule="ra#auction-1")
    if state.best_seat != NO_SEAT:
        return Phrase(phrases.THEN_PASS_WON, {"seat": state.best_seat, "n": state.best_bid}, "ra#auction-7")
    if state.cause == FULL:
        return Phrase(phrases.THEN_PASS_DROPPED, rule="ra#auction-5")
    return Phrase(phrases.THEN_PASS_STAY if track_count(state) else phrases.THEN_PASS_NOTHING, rule="ra#auction-6")


# Tiles lost to a disaster


def _ask_discard(state: State, words: Sequence[str]) -> Ask:
    first, end, due = legality.discard_due(state)
    base = state.due * N_KINDS
    have = Counter({kind: state.tiles[base + kind] for kind in range(first, end) if state.tiles[base + kind]})
    chosen = usable(words[1:] if words[:1] == ["discard"] else [], KIND_OF, have, due)
    picked = Counter(chosen)
    options = []
    for kind, count in have.items():
        for at in range(count):
            is_chosen = at < picked[kind]
            if is_chosen or len(chosen) < due:
                options.append(_tile_option("discard", chosen, kind, is_chosen, f"tile-{state.due}-{KINDS[kind]}-{at}"))
    text = phrases.ASK_DISCARD if first == CIV_FIRST else phrases.ASK_DISCARD_MONUMENTS
    title = Phrase(text, {"n": due}, "ra#disasters-4")
    hint = Phrase(phrases.HINT_DISCARD, {"n": len(chosen), "of": due})
    if not chosen:
        return Ask(title, options, "", hint=hint)
    prefix = _prefix("discard", chosen)
    back = _prefix("discard", chosen[:-1])
    if len(chosen) < due:
        return Ask(title, options, prefix, hint=hint, back=back)
    confirm = Phrase(phrases.CONFIRM_DISCARD, {"n": due})
    consequence = Phrase(phrases.THEN_DISCARD, {"tiles": [KINDS[kind] for kind in chosen]}, "ra#disasters-4")
    return Ask(title, options, prefix, prefix, confirm, consequence, hint, back=back)
