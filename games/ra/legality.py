"""What is allowed, and which paragraph forbids everything else (ra#turn-2, ra#draw-4, ra#auction-3, ra#gods-2, ra#disasters-4)."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations
from typing import Final

from games.core.contract import CHANCE, SCORER, IllegalAction
from games.ra.actions import BIDS, CALL, DRAW, PASS, SCORE, Action, Bid, Call, Deal, Discard, Draw, DrawnTile, Pass, Score, UseGods
from games.ra.components import (
    AUCTION_SPACES,
    CIV_END,
    CIV_FIRST,
    GOD,
    KINDS,
    MON_END,
    MON_FIRST,
    N_KINDS,
    RA,
)
from games.ra.state import (
    AUCTION,
    DEAL,
    DISCARD,
    DRAWING,
    END,
    NO_TILE,
    SCORING,
    SUNS_IN,
    TURN,
    VOLUNTARY,
    State,
)

FAMILIES: Final = {CIV_FIRST: "civilization", MON_FIRST: "monument"}


def takeable(state: State) -> list[int]:
    """Return the kinds on the auction track that a god may take, in canonical order (ra#gods-2)."""
    return sorted([kind for kind in state.track if kind != NO_TILE and kind != GOD])


def is_track_full(state: State) -> bool:
    """Return whether no auction space is empty (ra#draw-4)."""
    return len(state.track) - state.gaps == AUCTION_SPACES


def can_draw(state: State) -> bool:
    """Return whether a tile may be drawn: there is an empty auction space (ra#draw-4) and a tile to draw."""
    return len(state.track) - state.gaps != AUCTION_SPACES and bool(state.bag)


class _Answers(dict[int, tuple[Action, ...]]):
    """The bids for a mask of suns, ascending, then what else may be answered; each mask is worked out once."""

    def __init__(self, *more: Action) -> None:
        self.more = more

    def __missing__(self, suns: int) -> tuple[Action, ...]:
        answers = self[suns] = (*[BIDS[sun] for sun in SUNS_IN[suns]], *self.more)
        return answers


_BIDS: Final = _Answers()
_BIDS_AND_PASS: Final = _Answers(PASS)


def answers(state: State) -> tuple[Action, ...]:
    """Return how the due seat may answer an auction: bids that beat the best bid, ascending (ra#auction-3), then pass.

    Whoever called Ra voluntarily cannot pass if nobody has bid (ra#auction-4).
    """
    best = state.best_bid
    suns = state.suns_up[state.due] >> best << best
    if best or state.cause != VOLUNTARY or state.due != state.ra_player:
        return _BIDS_AND_PASS[suns]
    return _BIDS[suns]


def must_bid(state: State) -> bool:
    """Return whether the bidding seat cannot pass."""
    return answers(state)[-1] is not PASS


def suns_to_bid(state: State) -> tuple[int, ...]:
    """Return the due seat's suns that it may bid, ascending."""
    return tuple(answer.sun for answer in answers(state) if isinstance(answer, Bid))


def discard_due(state: State) -> tuple[int, int, int]:
    """Return the family of tiles that the due seat pays first (first kind and end), and how many tiles."""
    if state.lose_civilization:
        return CIV_FIRST, CIV_END, state.lose_civilization
    return MON_FIRST, MON_END, state.lose_monuments


def legal_actions(state: State, actor: int) -> list[Action]:
    """Return every legal action of a due seat or the scorer, in a fixed order; [] for any other actor.

    Turn: draw, call, then gods, fewer tiles first. Auction: bids ascending, then pass.
    """
    phase = state.phase
    if phase == SCORING:
        return [SCORE] if actor == SCORER else []
    if actor != state.due:
        return []
    if phase == TURN:
        actions: list[Action] = [DRAW, CALL] if can_draw(state) else [CALL]
        gods = state.tiles[actor * N_KINDS + GOD]
        if gods:
            actions += _god_actions(bytes(takeable(state)), gods)
        return actions
    if phase == AUCTION:
        return list(answers(state))
    if phase == DISCARD:
        first, end, count = discard_due(state)
        base = actor * N_KINDS
        return list(_discards(first, bytes(state.tiles[base + first : base + end]), count))
    return []


@lru_cache(maxsize=4096)
def _god_actions(tiles: bytes, gods: int) -> list[Action]:
    actions: list[Action] = []
    for count in range(1, min(gods, len(tiles)) + 1):
        actions += [UseGods(chosen) for chosen in sorted(set(combinations(tiles, count)))]
    return actions


@lru_cache(maxsize=4096)
def _discards(first: int, counts: bytes, due: int) -> tuple[Discard, ...]:
    """Return every way to choose `due` tiles from a family, each once."""
    ways: list[tuple[int, ...]] = [()]
    for offset, count in enumerate(counts):
        kind = first + offset
        left = sum(counts[offset + 1 :])  # what the kinds after this one can still supply
        ways = [way + (kind,) * n for way in ways for n in range(min(count, due - len(way)), -1, -1) if len(way) + n + left >= due]
    return tuple(Discard(way) for way in ways)


def check(state: State, actor: int, action: Action) -> None:
    """Raise IllegalAction, with the paragraph that forbids it, unless `actor` may do `action` now."""
    phase = state.phase
    if phase == END:
        raise IllegalAction("refused.finished", "ra#end-1")
    match action:
        case Deal() | DrawnTile():
            _check_chance(state, actor, action)
        case Score():
            if actor != SCORER or phase != SCORING:
                raise IllegalAction("refused.not_scoring", "ra#score-1")
        case _:
            if actor != state.due or phase in (SCORING, DRAWING, DEAL):
                _refuse_actor(state)
            _check_seat(state, action)


def _refuse_actor(state: State) -> None:
    if state.phase == SCORING:
        raise IllegalAction("refused.scoring_first", "ra#score-1")
    if state.phase in (DRAWING, DEAL):
        raise IllegalAction("refused.chance_first", "ra#draw-1" if state.phase == DRAWING else "ra#setup-5")
    rule = {AUCTION: "ra#auction-1", DISCARD: "ra#disasters-4"}.get(state.phase, "ra#turn-1")
    raise IllegalAction("refused.not_your_turn", rule, seat=state.due)


def _check_chance(state: State, actor: int, action: Deal | DrawnTile) -> None:
    if actor != CHANCE:
        raise IllegalAction("refused.not_by_hand", "ra#setup-5" if isinstance(action, Deal) else "ra#draw-1")
    if isinstance(action, Deal):
        if state.phase != DEAL or len(action.sets) != state.seats:
            raise IllegalAction("refused.deal", "ra#setup-5")
    elif state.phase != DRAWING:
        raise IllegalAction("refused.no_draw", "ra#draw-1")
    elif action.kind not in state.bag:
        raise IllegalAction("refused.tile_not_left", "ra#components-2", tile=KINDS[action.kind])


def _check_seat(state: State, action: Action) -> None:
    phase = state.phase
    match action:
        case Draw() | Call() | UseGods():
            if phase == AUCTION:
                raise IllegalAction("refused.bid_or_pass", "ra#auction-3")
            if phase == DISCARD:
                raise IllegalAction("refused.discard_first", "ra#disasters-4")
            if isinstance(action, Draw):
                check_draw(state)
            elif isinstance(action, UseGods):
                check_gods(state, action.tiles)
        case Bid(sun):
            if phase == DISCARD:
                raise IllegalAction("refused.discard_first", "ra#disasters-4")
            if phase != AUCTION:
                raise IllegalAction("refused.no_auction", "ra#auction-1")
            check_bid(state, sun)
        case Pass():
            if phase == TURN:
                raise IllegalAction("refused.turn_pass", "ra#turn-3")
            if phase == DISCARD:
                raise IllegalAction("refused.discard_first", "ra#disasters-4")
            if must_bid(state):
                raise IllegalAction("refused.caller_must_bid", "ra#auction-4")
        case Discard(tiles):
            if phase != DISCARD:
                raise IllegalAction("refused.nothing_to_discard", "ra#disasters-2")
            _check_discard(state, tiles)
        case _:
            raise IllegalAction("refused.not_by_hand", "ra#turn-2")


def check_draw(state: State) -> None:
    """Raise IllegalAction unless a tile may be drawn."""
    if is_track_full(state):
        raise IllegalAction("refused.track_full", "ra#draw-4")
    if not can_draw(state):
        raise IllegalAction("refused.bag_empty", "ra#draw-1")


def check_bid(state: State, sun: int) -> None:
    """Raise IllegalAction unless the due seat may bid `sun`."""
    if sun in suns_to_bid(state):
        return
    if state.suns_up[state.due] >> sun & 1:
        raise IllegalAction("refused.bid_too_low", "ra#auction-3", sun=sun, best=state.best_bid)
    if state.suns_down[state.due] >> sun & 1:
        raise IllegalAction("refused.sun_face_down", "ra#auction-8", sun=sun)
    raise IllegalAction("refused.sun_not_yours", "ra#auction-3", sun=sun)


def check_gods(state: State, tiles: tuple[int, ...]) -> None:
    """Raise IllegalAction unless the due seat may take `tiles` with its gods."""
    gods = state.tiles[state.due * N_KINDS + GOD]
    if not gods:
        raise IllegalAction("refused.no_god", "ra#gods-1")
    if GOD in tiles or RA in tiles:
        raise IllegalAction("refused.god_takes_no_god", "ra#gods-2")
    if len(tiles) > gods:
        raise IllegalAction("refused.too_few_gods", "ra#gods-3", n=len(tiles), gods=gods)
    there = takeable(state)
    for kind, count in Counter(tiles).items():
        if there.count(kind) < count:
            raise IllegalAction("refused.not_on_track", "ra#gods-1", tile=KINDS[kind])
    if not tiles or list(tiles) != sorted(tiles):
        raise IllegalAction("refused.not_on_track", "ra#gods-1", tile="tile")


def _check_discard(state: State, tiles: tuple[int, ...]) -> None:
    first, end, due = discard_due(state)
    base = state.due * N_KINDS
    family = FAMILIES[first]
    if any(not first <= kind < end for kind in tiles):
        raise IllegalAction("refused.wrong_family", "ra#disasters-6", family=family)
    if len(tiles) != due:
        raise IllegalAction("refused.wrong_number", "ra#disasters-2", n=due, family=family)
    for kind, count in Counter(tiles).items():
        if state.tiles[base + kind] < count:
            raise IllegalAction("refused.not_owned", "ra#disasters-2", tile=KINDS[kind])
    if list(tiles) != sorted(tiles):
        raise IllegalAction("refused.wrong_number", "ra#disasters-2", n=due, family=family)
