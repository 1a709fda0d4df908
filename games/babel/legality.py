"""What is allowed in Babel, and which paragraph forbids everything else (babel#move, #settle, #build, #migration, #powers)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NoReturn

from games.babel.actions import (
    BUILDS,
    END,
    MIGRATIONS,
    MOVES,
    OTHER,
    OWN,
    SCORE,
    SETTLES,
    Action,
    Build,
    Discard,
    Draw,
    End,
    Migrate,
    Move,
    Power,
    Reveal,
    Score,
    Settle,
    Start,
    power,
)
from games.babel.components import (
    ASSYRIANS,
    DRAW,
    HITTITES,
    LANDS,
    MEDES,
    MIGRANTS,
    PEOPLES,
    POWER_PEOPLE,
    REVEAL,
    SUMERIANS,
    TOP_LEVEL,
)
from games.babel.state import (
    DRAWING,
    HALVING,
    QUARRY,
    REVEALING,
    RUNS_IN,
    SCORING,
    START,
    State,
    deck_count,
    first_hand,
    hand_count,
    height,
)
from games.babel.state import END as GAME_OVER
from games.core.contract import CHANCE, SCORER, IllegalAction

RULE: Final = "babel#"
FIRST_TURNS: Final = 2  # each seat's own first turn is one of the first two


def top_of(state: State, seat: int, stock: int) -> int:
    """Return the playable level of `seat`'s own or the other stock; 0 if it is empty or kept for its owner (build-4, start-1)."""
    owner = seat if stock == OWN else 1 - seat
    cards = state.stocks[owner]
    if not cards or (owner != seat and state.reserved[owner] and len(cards) == 1):
        return 0
    return cards[-1]


def is_halving_possible(state: State, seat: int) -> bool:
    """Return whether the other seat holds at least two cards (halving-3)."""
    return hand_count(state, 1 - seat) >= 2


def halving_count(state: State, seat: int) -> int:
    """Return how many cards are half of the seat's hand, rounded down (halving-1)."""
    return hand_count(state, seat) // 2


def owes_first_level(state: State, seat: int) -> bool:
    """Return whether it is the seat's first turn, its first level 1 is not built yet, and it can still be built this turn.

    That takes a land with an empty site where the pawn is or can go, and a settler there: one that is already there, a card
    left in hand, or three migrants.

    Rules: babel#start-2, babel#start-3
    """
    if state.turn > FIRST_TURNS or not state.reserved[seat]:
        return False
    base = seat * LANDS
    cards = hand_count(state, seat)
    pawn = state.pawns[seat]
    for land in range(LANDS):
        if state.temples[base + land]:
            continue
        if pawn == land:
            left = cards
        elif state.hands[base + land]:
            left = cards - 1
        else:
            continue
        if left or state.columns[base + land]:
            return True
        if not state.migrated and any(len(state.columns[base + other]) >= MIGRANTS for other in range(LANDS) if other != land):
            return True
    return False


def legal_actions(state: State, actor: int) -> list[Action]:
    """Return every legal action of a due seat or the scorer, in a fixed order; [] for any other actor.

    A turn: moves, settlers, building, migration, powers, end.
    """
    phase = state.phase
    if phase == SCORING:
        return [SCORE] if actor == SCORER else []
    if phase > HALVING or actor != state.due:
        return []
    base = actor * LANDS
    if phase == HALVING:
        return list(_discards(tuple(state.hands[base : base + LANDS]), halving_count(state, actor)))
    hands = state.hands
    pawn = state.pawns[actor]
    held = [people for people in range(LANDS) if hands[base + people]]
    actions: list[Action] = [MOVES[people] for people in held if people != pawn]
    if pawn != QUARRY:
        actions += [SETTLES[people] for people in held]
        actions += builds(state, actor)
    if not state.migrated:
        columns = state.columns
        for source in range(LANDS):  # a list of the sources, for the check and random play too, would cost a tenth of the speed
            if len(columns[base + source]) >= MIGRANTS:
                row = MIGRATIONS[source]
                actions += [row[target] for target in range(LANDS) if target != source]
    if pawn != QUARRY and RUNS_IN[state.columns[base + pawn]]:
        actions += powers(state, actor)
    if not owes_first_level(state, actor):
        actions.append(END)
    return actions


def builds(state: State, seat: int) -> list[Action]:
    """Return the ways to build the next level in the pawn's land (build-1 .. build-4)."""
    at = seat * LANDS + state.pawns[seat]
    level = height(state.temples[at]) + 1
    if len(state.columns[at]) < level:
        return []
    return [BUILDS[stock] for stock in (OWN, OTHER) if top_of(state, seat, stock) == level]


def powers(state: State, seat: int) -> list[Action]:
    """Return the powers that have an effect in the pawn's land, run by run (powers-1 .. powers-6)."""
    land = state.pawns[seat]
    at = seat * LANDS + land
    facing = (1 - seat) * LANDS + land
    column = state.columns[at]
    rival = state.columns[facing]
    found: list[Action] = []
    can_halve = is_halving_possible(state, seat)
    for people, run, _ in RUNS_IN[column]:
        if people == ASSYRIANS:
            if state.temples[facing]:
                found.append(power("destroy", run=run))
        elif people == HITTITES:
            level = height(state.temples[facing])
            if level > height(state.temples[at]) and len(column) >= level:
                found.append(power("steal", run=run))
        elif people == MEDES:
            found += [power("expel", other, run) for other in range(LANDS) if other in rival]
        elif people == SUMERIANS:
            if rival:
                found.append(power("switch", run=run))
        else:
            level = height(state.temples[at]) + 2
            if len(column) >= level:
                found += [power("skip", stock, run) for stock in (OWN, OTHER) if top_of(state, seat, stock) == level]
        if can_halve:
            found.append(power("halve", people, run))
    return found


@lru_cache(maxsize=128)
def _discards(hand: tuple[int, ...], due: int) -> tuple[Discard, ...]:
    """Return every way to discard `due` cards of a hand; those with most cards of the first peoples come first."""
    ways: list[tuple[int, ...]] = [()]
    left = sum(hand)
    for people, count in enumerate(hand):
        left -= count
        longer = []
        for way in ways:
            missing = due - len(way)
            longer += [way + (people,) * n for n in range(min(count, missing), max(missing - left, 0) - 1, -1)]
        ways = longer
    return tuple([Discard(way) for way in ways])


# Refusals


def check(state: State, actor: int, action: Action) -> None:
    """Raise IllegalAction, with the paragraph that forbids it, unless `actor` may do `action` now."""
    phase = state.phase
    if phase == GAME_OVER:
        _refuse("refused.finished", "end-1")
    match action:
        case Start() | Draw() | Reveal():
            _check_chance(state, actor, action)
        case Score():
            if actor != SCORER or phase != SCORING:
                _refuse("refused.not_scoring", "score-1")
        case _:
            if actor != state.due or phase > HALVING:
                _refuse_actor(state)
            _check_seat(state, action)


def _refuse(reason: str, anchor: str, **params: Any) -> NoReturn:
    raise IllegalAction(reason, RULE + anchor, **params)


def _refuse_actor(state: State) -> NoReturn:
    if state.phase == SCORING:
        _refuse("refused.scoring_first", "score-1")
    if state.phase in (START, DRAWING):
        _refuse("refused.people_first", "people-1")
    if state.phase == REVEALING:
        _refuse("refused.temples_first", "temples-1")
    if state.phase == HALVING:
        _refuse("refused.halving_first", "halving-2", seat=state.due)
    _refuse("refused.not_your_turn", "turn-1", seat=state.due)


def draw_count(state: State) -> int:
    """Return how many people cards `due` draws now: its first hand or three, but no more than there are (setup-4, people-1, people-3)."""
    wanted = DRAW if state.turn else first_hand(state, state.due)
    return min(wanted, sum(state.people_deck) + sum(state.discards))


def reveal_count(state: State) -> int:
    """Return how many temple cards are turned up now (temples-1, end-6)."""
    return min(REVEAL, deck_count(state))


def _check_chance(state: State, actor: int, action: Start | Draw | Reveal) -> None:
    if actor != CHANCE:
        _refuse("refused.not_by_hand", "people-1")
    if isinstance(action, Start):
        if state.phase != START:
            _refuse("refused.no_start", "setup-6")
    elif isinstance(action, Draw):
        _check_draw(state, action)
    else:
        _check_reveal(state, action)


def _check_draw(state: State, action: Draw) -> None:
    if state.phase != DRAWING:
        _refuse("refused.no_draw", "people-1")
    if len(action.peoples) != draw_count(state):
        _refuse("refused.draw_count", "people-1", n=draw_count(state))
    deck = state.people_deck
    is_last = len(action.peoples) > sum(deck)  # all of the deck, then the rest from the discard pile: people-2
    for people in range(LANDS):
        count = action.peoples.count(people)
        there = deck[people] + (state.discards[people] if is_last else 0)
        if count > there or (is_last and count < deck[people]):
            _refuse("refused.card_not_there", "people-2", people=PEOPLES[people])


def _check_reveal(state: State, action: Reveal) -> None:
    if state.phase != REVEALING:
        _refuse("refused.no_reveal", "temples-1")
    count = reveal_count(state)
    if len(action.levels) != count:
        _refuse("refused.reveal_count", "temples-1", n=count)
    known = state.deck_top[-count:] if state.deck_top else b""
    left = list(action.levels)
    for level in known:
        if level not in left:
            _refuse("refused.level_not_next", "destroy-2", n=level)
        left.remove(level)
    for level in left:
        if left.count(level) > state.deck[level]:
            _refuse("refused.level_not_there", "components-2", n=level)


def _check_seat(state: State, action: Action) -> None:
    seat = state.due
    if state.phase == HALVING:
        if not isinstance(action, Discard):
            _refuse("refused.halve_hand", "halving-2")
        _check_discard(state, action)
        return
    base = seat * LANDS
    match action:
        case Move(land):
            if state.pawns[seat] == land:
                _refuse("refused.pawn_is_there", "move-2", people=PEOPLES[land])
            if not state.hands[base + land]:
                _refuse("refused.card_not_held", "move-1", people=PEOPLES[land])
        case Settle(people):
            _check_pawn(state)
            if not state.hands[base + people]:
                _refuse("refused.card_not_held", "settle-1", people=PEOPLES[people])
        case Build(stock):
            _check_pawn(state)
            if action not in builds(state, seat):
                _explain_level(state, stock, height(state.temples[base + state.pawns[seat]]) + 1, "refused.not_next_level", "build-2")
        case Migrate(source, _):
            if state.migrated:
                _refuse("refused.migrated", "migration-4")
            if len(state.columns[base + source]) < MIGRANTS:
                _refuse("refused.too_few_migrants", "migration-3", people=PEOPLES[source])
        case Power():
            _check_pawn(state)
            if action not in powers(state, seat):
                _explain_power(state, action)
        case End():
            if owes_first_level(state, seat):
                _refuse("refused.first_level", "start-2")
        case _:
            _refuse("refused.nothing_to_discard", "halving-2")


def _check_pawn(state: State) -> None:
    if state.pawns[state.due] == QUARRY:
        _refuse("refused.pawn_in_quarry", "move-3")


def _explain_level(state: State, stock: int, level: int, reason: str, anchor: str) -> NoReturn:
    """Say why `level` cannot be built from the top of a stock: it is not there, or the settlers are too few."""
    seat = state.due
    if level > TOP_LEVEL:
        _refuse("refused.no_such_level", anchor, n=TOP_LEVEL)
    owner = seat if stock == OWN else 1 - seat
    cards = state.stocks[owner]
    if not cards:
        _refuse("refused.stock_empty", "build-4")
    if not top_of(state, seat, stock):
        _refuse("refused.level_reserved", "start-1")
    if cards[-1] != level:
        _refuse(reason, anchor, n=cards[-1], level=level)
    column = state.columns[seat * LANDS + state.pawns[seat]]
    _refuse("refused.too_few_settlers", "build-3", n=level, held=len(column))


def _explain_power(state: State, action: Power) -> NoReturn:
    seat = state.due
    land = state.pawns[seat]
    at = seat * LANDS + land
    facing = (1 - seat) * LANDS + land
    people = action.argument if action.verb == "halve" else POWER_PEOPLE[action.verb]
    column = state.columns[at]
    if not any(found == people and run == action.run for found, run, _ in RUNS_IN[column]):
        _refuse("refused.no_run", "powers-1", people=f"people_{PEOPLES[people]}", land=f"land_{PEOPLES[land]}")
    if action.verb == "destroy":
        _refuse("refused.no_temple_there", "destroy-1")
    if action.verb == "steal":
        level = height(state.temples[facing])
        if not level:
            _refuse("refused.no_temple_there", "steal-1")
        if level <= height(state.temples[at]):
            _refuse("refused.not_higher", "steal-2", n=level)
        _refuse("refused.too_few_settlers", "steal-3", n=level, held=len(column))
    if action.verb == "expel":
        _refuse("refused.nobody_to_expel", "expel-1", people=PEOPLES[action.argument])
    if action.verb == "switch":
        _refuse("refused.nobody_there", "switch-1")
    if action.verb == "skip":
        _explain_level(state, action.argument, height(state.temples[at]) + 2, "refused.not_skipped_level", "skip-1")
    _refuse("refused.hand_too_small", "halving-3")


def _check_discard(state: State, action: Discard) -> None:
    base = state.due * LANDS
    due = halving_count(state, state.due)
    if len(action.peoples) != due:
        _refuse("refused.discard_count", "halving-1", n=due)
    for people in range(LANDS):
        if action.peoples.count(people) > state.hands[base + people]:
            _refuse("refused.card_not_held", "halving-2", people=PEOPLES[people])
