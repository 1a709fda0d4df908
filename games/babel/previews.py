"""What an action would do, told before it is confirmed. It is played on what the seat knows, so it is exact (babel#hidden-2).

`label` is one line for the list of possible actions; `consequences` says more about one action, the main thing first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from games.babel import prompt_phrases as phrases
from games.babel.actions import OWN, Action, Build, Discard, End, Migrate, Move, Power, Settle
from games.babel.components import LANDS, MIGRANTS, PEOPLES, POWER_PEOPLE, REVEAL, WIN_AHEAD
from games.babel.legality import builds, powers, reveal_count
from games.babel.phrases import VOICE
from games.babel.rules import step
from games.babel.state import ACTION, BY_LEAD, QUARRY, RUNS_IN, SCORING, State, deck_count, hand_count, height
from games.core.contract import Phrase

phrase: Final = VOICE.phrase
POWERS: Final = (*POWER_PEOPLE, "halve")


def land_id(land: int) -> str:
    """Return the glossary id of a land."""
    return f"land_{PEOPLES[land]}"


def names(cards: Iterable[int]) -> list[str]:
    """Return the glossary ids of people cards."""
    return [PEOPLES[people] for people in cards]


def run_lengths(column: bytes) -> dict[str, int]:
    """Return the peoples that have a run in a column, with the length of the longest."""
    lengths: dict[str, int] = {}
    for people, _, place in RUNS_IN[column]:
        lengths[PEOPLES[people]] = max(lengths.get(PEOPLES[people], 0), run_length(column, place))
    return lengths


def run_length(column: bytes, place: int) -> int:
    """Return how many consecutive cards of a column are equal, from `place` on."""
    end = place
    while end < len(column) and column[end] == column[place]:
        end += 1
    return end - place


def _after(state: State, action: Action) -> State:
    after = state.copy()
    step(after, action, None)
    return after


def _scores(state: State, seat: int) -> dict[str, int]:
    return {"score": state.scores[seat], "rival": state.scores[1 - seat]}


# One line for the list


def label(state: State, action: Action) -> Phrase:
    """Return what a legal action of the due seat does, in one line."""
    return _LABELS[type(action)](state, action)


def _label_move(state: State, action: Move) -> Phrase:
    own, other = state.due * LANDS + action.land, (1 - state.due) * LANDS + action.land
    counts = {
        "land": land_id(action.land),
        "n": len(state.columns[own]),
        "m": len(state.columns[other]),
        "height": height(state.temples[own]),
        "rival": height(state.temples[other]),
    }
    runs = run_lengths(state.columns[own])
    if runs:
        return phrase(phrases.OPTION_MOVE_RUN, "move-1", **counts, runs=runs)
    return phrase(phrases.OPTION_MOVE, "move-1", **counts)


def _label_settle(state: State, action: Settle) -> Phrase:
    column = _after(state, action).columns[state.due * LANDS + state.pawns[state.due]]
    params = {"people": PEOPLES[action.people], "n": len(column)}
    if len(column) == 1:
        return phrase(phrases.OPTION_SETTLE_FIRST, "settle-1", **params)
    runs = RUNS_IN[column]
    if runs and runs[-1][2] + run_length(column, runs[-1][2]) == len(column):
        return phrase(phrases.OPTION_SETTLE_RUN, "settle-1", **params, m=run_length(column, runs[-1][2]))
    return phrase(phrases.OPTION_SETTLE, "settle-1", **params)


def _label_build(state: State, action: Build) -> Phrase:
    seat = state.due
    after = _after(state, action)
    level = height(after.temples[seat * LANDS + state.pawns[seat]])
    if action.stock == OWN:
        return phrase(phrases.OPTION_BUILD, "build-2", n=level, **_scores(after, seat))
    return phrase(phrases.OPTION_BUILD_OTHER, "build-4", n=level, seat=1 - seat, **_scores(after, seat))


def _label_migrate(state: State, action: Migrate) -> Phrase:
    column = _after(state, action).columns[state.due * LANDS + action.target]
    params = {"land": land_id(action.target), "n": len(column)}
    runs = run_lengths(column)
    if runs:
        return phrase(phrases.OPTION_MIGRATE_TO_RUN, "migration-1", **params, runs=runs)
    return phrase(phrases.OPTION_MIGRATE_TO, "migration-1", **params)


def migrants(state: State, source: int) -> list[str]:
    """Return the three outermost cards of a column of the due seat, as glossary ids from the inside."""
    return names(state.columns[state.due * LANDS + source][-MIGRANTS:])


def _label_power(state: State, action: Power) -> Phrase:
    seat, land = state.due, state.pawns[state.due]
    other = 1 - seat
    facing = other * LANDS + land
    after = _after(state, action)
    verb = action.verb
    if verb == "destroy":
        return phrase(phrases.OPTION_DESTROY, "destroy-1", seat=other, n=height(state.temples[facing]), **_scores(after, seat))
    if verb == "steal":
        return phrase(phrases.OPTION_STEAL, "steal-1", seat=other, n=height(state.temples[facing]), **_scores(after, seat))
    if verb == "expel":
        return phrase(phrases.OPTION_EXPEL, "expel-1", seat=other, cards=_gone(state, after, facing))
    if verb == "switch":
        return phrase(phrases.OPTION_SWITCH, "switch-1", seat=other, cards=_gone(state, after, facing))
    if verb == "skip":
        text = phrases.OPTION_SKIP if action.argument == OWN else phrases.OPTION_SKIP_OTHER
        return phrase(text, "skip-1", seat=other, n=height(after.temples[seat * LANDS + land]), **_scores(after, seat))
    held = hand_count(state, other)
    return phrase(phrases.OPTION_HALVE, "halving-1", seat=other, n=held // 2, m=held)


def _gone(state: State, after: State, at: int) -> list[str]:
    """Return the cards that have left a column."""
    column, rest = state.columns[at], after.columns[at]
    return names(people for people in column if people not in rest)


def _label_end(state: State, action: End) -> Phrase:
    return phrase(phrases.OPTION_END, "turn-4")


# Everything that one action does


def consequences(state: State, action: Action) -> list[Phrase]:
    """Return what a legal action of the due seat does, the main thing first."""
    after = _after(state, action)
    told = _TELLERS[type(action)](state, after, action)
    if after.phase == SCORING:
        told.append(_win(state, after))
    elif after.phase == ACTION and not isinstance(action, Discard):  # after a halving the opponent's turn goes on
        told += _ready(state, after)
        if state.scores[state.due] < WIN_AHEAD <= after.scores[state.due]:
            other = 1 - state.due
            told.append(phrase(phrases.THEN_LAST_PHASE, "end-2", seat=other, rival=after.scores[other]))
    return told


def _win(state: State, after: State) -> Phrase:
    scores = _scores(after, state.due)
    if after.ending == BY_LEAD:
        return phrase(phrases.THEN_WIN_LEAD, "end-1", seat=1 - state.due, **scores)
    return phrase(phrases.THEN_WIN_TWENTY, "end-3", **scores)


def _ready(state: State, after: State) -> list[Phrase]:
    """Tell of a level or powers that become possible in the pawn's land."""
    seat = state.due
    if after.pawns[seat] == QUARRY:
        return []
    has_moved = state.pawns[seat] != after.pawns[seat]
    told = []
    at = seat * LANDS + after.pawns[seat]
    was_possible = not has_moved and builds(state, seat) and state.temples[at] == after.temples[at]
    if not was_possible and builds(after, seat):
        told.append(phrase(phrases.THEN_NOW_BUILD, "build-2", n=height(after.temples[at]) + 1))
    before = set() if has_moved else _verbs(state)
    ready = [f"power_{verb}" for verb in POWERS if verb in _verbs(after) - before]
    if ready:
        told.append(phrase(phrases.THEN_NOW_POWERS, "powers-1", powers=ready))
    return told


def _verbs(state: State) -> set[str]:
    return {action.verb for action in powers(state, state.due) if isinstance(action, Power)}


def _tell_move(state: State, after: State, action: Move) -> list[Phrase]:
    params = {"people": PEOPLES[action.land], "land": land_id(action.land), "n": hand_count(after, state.due)}
    return [phrase(phrases.THEN_MOVE, "move-1", **params)]


def _tell_settle(state: State, after: State, action: Settle) -> list[Phrase]:
    land = state.pawns[state.due]
    return [phrase(phrases.THEN_SETTLE, "settle-1", land=land_id(land), n=len(after.columns[state.due * LANDS + land]))]


def _tell_build(state: State, after: State, action: Build) -> list[Phrase]:
    return _tell_raised(state, after, action.stock, "build-1")


def _tell_raised(state: State, after: State, stock: int, anchor: str) -> list[Phrase]:
    """Tell of a level built from a stock, and of the card that is then on top of the stock."""
    seat, land = state.due, state.pawns[state.due]
    level = height(after.temples[seat * LANDS + land])
    told = [phrase(phrases.THEN_BUILD, anchor, land=land_id(land), n=level, **_scores(after, seat))]
    left = after.stocks[seat if stock == OWN else 1 - seat]
    if left:
        return [*told, phrase(phrases.THEN_STOCK, "build-4", n=left[-1])]
    return [*told, phrase(phrases.THEN_STOCK_EMPTY, "build-4")]


def _tell_migrate(state: State, after: State, action: Migrate) -> list[Phrase]:
    base = state.due * LANDS
    column = after.columns[base + action.target]
    left = len(after.columns[base + action.source])
    told = [phrase(phrases.THEN_MIGRATE, "migration-1", land=land_id(action.target), n=len(column), m=left)]
    runs = run_lengths(column)
    return [*told, phrase(phrases.THEN_IN_A_ROW, "powers-1", runs=runs)] if runs else told


def _tell_power(state: State, after: State, action: Power) -> list[Phrase]:
    seat, land = state.due, state.pawns[state.due]
    other = 1 - seat
    own, facing = seat * LANDS + land, other * LANDS + land
    people = action.argument if action.verb == "halve" else POWER_PEOPLE[action.verb]
    cost = phrase(phrases.THEN_COST, "powers-1", people=PEOPLES[people], n=len(after.columns[own]))
    left = len(after.columns[facing])
    told: list[Phrase]
    if action.verb == "destroy":
        told = [phrase(phrases.THEN_DESTROY, "destroy-2", seat=other, levels=known_levels(after), **_scores(after, seat))]
    elif action.verb == "steal":
        heights = {"n": height(after.temples[own]), "m": height(after.temples[facing])}
        told = [phrase(phrases.THEN_STEAL, "steal-4", seat=other, **heights, **_scores(after, seat))]
    elif action.verb == "expel":
        told = [phrase(phrases.THEN_EXPEL, "expel-1", seat=other, n=left), *_rival_runs(state, after, facing)]
    elif action.verb == "switch":
        told = [phrase(phrases.THEN_SWITCH, "switch-1", seat=other, n=left), *_rival_runs(state, after, facing)]
    elif action.verb == "skip":
        told = _tell_raised(state, after, action.argument, "skip-1")
    else:
        told = [phrase(phrases.THEN_HALVE, "halving-2", seat=other)]
    return [told[0], cost, *told[1:]]


def _rival_runs(state: State, after: State, facing: int) -> list[Phrase]:
    """Tell of runs that form in the other column because a gap closes (expel-2)."""
    before = run_lengths(state.columns[facing])
    runs = {people: length for people, length in run_lengths(after.columns[facing]).items() if length > before.get(people, 0)}
    return [phrase(phrases.THEN_RIVAL_RUN, "expel-2", seat=1 - state.due, runs=runs)] if runs else []


def known_levels(state: State) -> str:
    """Return the known levels among the temple cards that will be turned up at the end of this turn, in deck order."""
    return ", ".join(map(str, state.deck_top[::-1][:REVEAL]))


def _tell_end(state: State, after: State, action: End) -> list[Phrase]:
    seat, other = state.due, 1 - state.due
    count = reveal_count(state)
    if count == deck_count(state):
        told = [phrase(phrases.THEN_END_LAST, "end-5", **_scores(state, seat))]
        if state.scores[seat] == state.scores[other]:
            held, rival = hand_count(state, seat), hand_count(state, other)
            text, anchor = (phrases.THEN_END_DRAWN, "end-11") if held == rival else (phrases.THEN_END_HANDS, "end-7")
            told.append(phrase(text, anchor, n=held, m=rival))
        return told
    told = [phrase(phrases.THEN_END, "temples-1", seat=other)]
    known = min(count, len(state.deck_top))
    if known:
        text = phrases.THEN_END_KNOWN if known == count else phrases.THEN_END_KNOWN_ONE
        told.append(phrase(text, "destroy-2", levels=known_levels(state)))
    if state.stocks[other]:
        told.append(phrase(phrases.THEN_OPEN, "build-4", seat=other, n=state.stocks[other][-1]))
    else:
        told.append(phrase(phrases.THEN_OPEN_ONE, "build-4", seat=other))
    if hand_count(state, seat):
        told.append(phrase(phrases.THEN_HAND, "turn-4", n=hand_count(state, seat)))
    if state.reserved[seat]:
        told.append(phrase(phrases.THEN_FIRST_LEVEL, "start-3"))
    return told


def _tell_discard(state: State, after: State, action: Discard) -> list[Phrase]:
    base = state.due * LANDS
    kept = {people: after.hands[base + index] for index, people in enumerate(PEOPLES) if after.hands[base + index]}
    return [phrase(phrases.THEN_DISCARD, "halving-2", cards=names(action.peoples), kept=kept)]


_LABELS: Final[dict[type, Callable[[State, Any], Phrase]]] = {
    Move: _label_move,
    Settle: _label_settle,
    Build: _label_build,
    Migrate: _label_migrate,
    Power: _label_power,
    End: _label_end,
}
_TELLERS: Final[dict[type, Callable[[State, State, Any], list[Phrase]]]] = {
    Move: _tell_move,
    Settle: _tell_settle,
    Build: _tell_build,
    Migrate: _tell_migrate,
    Power: _tell_power,
    End: _tell_end,
    Discard: _tell_discard,
}
