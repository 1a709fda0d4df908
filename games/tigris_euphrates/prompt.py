"""The question for the seat that is due, step by step (tigris_euphrates#turn-2, #conflicts-3, #monuments-1, #treasures-3).

Prefixes: "" · tile temple · tile temple D2 · leader priest · leader priest D2 · withdraw priest · catastrophe · catastrophe D2 ·
swap · swap temple · pass · war trader · support 2 temple · build black_red · build black_red C5 · decline · treasure B2.
The text of an option is the prefix that choosing it leads to. When the question is about a square, the squares come
first, each under a heading, and then the other things that the seat could do instead.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from games.core.asking import WhyNot, answered, parsed, unless_cut, usable, with_action, words_of
from games.core.contract import Ask, Option, Phrase
from games.tigris_euphrates import legality, places
from games.tigris_euphrates import prompt_phrases as phrases
from games.tigris_euphrates.actions import PASS, Action, Catastrophe, Leader, Swap, Tile, Withdraw, parse_action
from games.tigris_euphrates.components import (
    ACTIONS_PER_TURN,
    DYNASTIES,
    FEWEST_TREASURES,
    KIND_OF,
    KINDS,
    LABELS,
    N_COLOURS,
    ROLE_OF,
    ROLES,
    SQUARE_OF,
    SQUARES,
    SYMBOLS,
)
from games.tigris_euphrates.phrases import VOICE
from games.tigris_euphrates.previews import consequences
from games.tigris_euphrates.prompt_choices import ask_monument, ask_support, ask_treasure, ask_war
from games.tigris_euphrates.state import ACTION, ATTACK, DEFENCE, MONUMENT, NOWHERE, TREASURE, WAR_CHOICE, State
from games.tigris_euphrates.view import View, known_state

phrase: Final = VOICE.phrase
_SQUARE: Final = re.compile(r"[A-Pa-p](?:1[01]|[1-9])")
_LONGEST: Final = 100  # characters of a prefix
_WITH_SQUARE: Final = {"tile": 3, "leader": 3, "catastrophe": 2, "build": 3, "treasure": 2}  # words of such an action


def ask(view: View, chosen: str = "") -> Ask | None:
    """Return the question for the viewing seat, given what it has chosen so far; None if it is not due.

    An unusable prefix is cut back to its usable part; if it is a complete action that is not possible, `refusal` says why.
    """
    if view.seat is None or view.seat != view.due:
        return None
    state = known_state(view)
    words = [word.upper() if _SQUARE.fullmatch(word) else word for word in words_of(chosen, _LONGEST)]
    if state.phase == ACTION:
        asked = _ask_turn(view, state, words)
    elif state.phase == WAR_CHOICE:
        asked = ask_war(view, state, words)
    elif state.phase in (ATTACK, DEFENCE):
        asked = ask_support(view, state, words)
    elif state.phase == MONUMENT:
        asked = ask_monument(view, state, words)
    elif state.phase == TREASURE:
        asked = ask_treasure(view, state, words)
    else:
        return None
    return unless_cut(asked, words, lambda: _refusal(state, words))


def _refusal(state: State, words: Sequence[str]) -> Phrase | None:
    """Return why a prefix is unusable, if it is a complete action or would be one except for its square."""
    action = parsed(parse_action, " ".join(words))
    if action is not None:
        return VOICE.why(legality.check, state, state.due, action)
    if len(words) != _WITH_SQUARE.get(words[0], 0) or words[-1] in SQUARE_OF:
        return None
    return phrase(phrases.BECAUSE_NO_SUCH_SQUARE, "components-6")


# A turn


def _ask_turn(view: View, state: State, words: Sequence[str]) -> Ask:
    verb, piece = (*words, "", "")[:2]
    if verb == "tile" and piece in KIND_OF:
        asked = _ask_tile(view, state, KIND_OF[piece], words)
    elif verb == "leader" and piece in ROLE_OF:
        asked = _ask_leader(view, state, ROLE_OF[piece], words)
    elif verb == "catastrophe":
        asked = _ask_catastrophe(view, state, words)
    elif verb == "swap":
        asked = _ask_swap(view, state, words)
    elif verb == "withdraw" and piece in ROLE_OF:
        asked = _ask_withdrawal(view, state, ROLE_OF[piece])
    elif verb == "pass":
        asked = _told(_first_question(state, "pass"), view, state, PASS, Phrase(phrases.CONFIRM_PASS))
    else:
        asked = None
    return asked if asked is not None else _first_question(state, "")


def _told(asked: Ask, view: View, state: State, action: Action, confirm: Phrase) -> Ask:
    """Return the question for a complete action: the button, and what the action would do."""
    return replace(with_action(asked, action, confirm, consequences(view, state, action)), chosen=str(action))


def _first_question(state: State, chosen: str) -> Ask:
    is_first = state.actions_left == ACTIONS_PER_TURN
    title = phrase(phrases.ASK_FIRST if is_first else phrases.ASK_SECOND, "turn-2")
    left = state.treasures.bit_count()
    hint = phrase(phrases.HINT_LAST_TURN, "end-1", n=left) if left < FEWEST_TREASURES else None
    back = "" if chosen else None
    return Ask(title, _turn_options(state, chosen), chosen, hint=hint, back=back, why_not=_why_not(state))


def _turn_options(state: State, chosen: str) -> list[Option]:
    """Return what the seat could start with; `chosen` is the start that it has chosen."""
    seat = state.due
    base = seat * N_COLOURS
    options = []

    def add(group: str, text: str, label: Phrase, picture: str | None = None, number: int | None = None, target: str | None = None) -> None:
        is_chosen = text == chosen
        is_last = text.startswith("withdraw") and _ends_turn(state)
        options.append(Option(text, label, picture, number, is_chosen, target, text == "pass", is_last, Phrase(group)))

    for kind, name in enumerate(KINDS):
        held = state.hands[base + kind]
        if held and legality.tile_squares(state, kind):
            label = phrase(phrases.OPTION_TILE, "tiles-1", tile=name)
            add(phrases.GROUP_TILE, f"tile {name}", label, SYMBOLS[name], held, f"hand-{name}")
    for role, name in enumerate(ROLES):
        square = state.leaders[base + role]
        if square == NOWHERE and legality.leader_squares(state, seat, role):
            label = phrase(phrases.OPTION_LEADER, "leaders-1", role=name)
            add(phrases.GROUP_LEADER, f"leader {name}", label, SYMBOLS[_leader_id(seat, role)], target=f"leader-{name}")
    for role, name in enumerate(ROLES):
        square = state.leaders[base + role]
        if square != NOWHERE and legality.leader_squares(state, seat, role):
            label = phrase(phrases.OPTION_LEADER_ON, "leaders-1", role=name, square=LABELS[square])
            add(phrases.GROUP_MOVE, f"leader {name}", label, SYMBOLS[_leader_id(seat, role)], target=places.TARGETS[square])
    for role, name in enumerate(ROLES):
        square = state.leaders[base + role]
        if square != NOWHERE:
            label = phrase(phrases.OPTION_LEADER_ON, "leaders-8", role=name, square=LABELS[square])
            add(phrases.GROUP_WITHDRAW, f"withdraw {name}", label, SYMBOLS[_leader_id(seat, role)])
    if state.catastrophes_left[seat]:
        label = phrase(phrases.OPTION_CATASTROPHE, "catastrophes-1")
        add(phrases.GROUP_MORE, "catastrophe", label, SYMBOLS["catastrophe"], state.catastrophes_left[seat])
    if any(state.hands[base : base + N_COLOURS]):
        add(phrases.GROUP_MORE, "swap", phrase(phrases.OPTION_SWAP, "swap-1"))
    add(phrases.GROUP_MORE, "pass", phrase(phrases.OPTION_PASS, "turn-3"))
    return options


def _ends_turn(state: State) -> bool:
    """Return whether tiles are drawn after the next action, which ends what can be undone."""
    return state.actions_left == 1


def _leader_id(seat: int, role: int) -> str:
    return f"{ROLES[role]}_{DYNASTIES[seat]}"


def _why_not(state: State) -> list[WhyNot]:
    """Return why something that the player might look for is not offered."""
    seat = state.due
    base = seat * N_COLOURS
    why_not = []
    if not any(state.hands[base : base + N_COLOURS]):
        why_not.append((Phrase(phrases.WHY_NO_TILES), phrase(phrases.BECAUSE_NO_TILES, "turn-5")))
    for kind, name in enumerate(KINDS):
        if state.hands[base + kind] and not legality.tile_squares(state, kind):
            answer = phrase(phrases.BECAUSE_NO_SQUARE_TILE, "tiles-2" if name == "farm" else "tiles-3")
            why_not.append((Phrase(phrases.WHY_TILE, {"tile": name}), answer))
    for role, name in enumerate(ROLES):
        if not legality.leader_squares(state, seat, role):
            is_in_hand = state.leaders[base + role] == NOWHERE
            question = Phrase(phrases.WHY_LEADER if is_in_hand else phrases.WHY_LEADER_MOVE, {"role": name})
            why_not.append((question, phrase(phrases.BECAUSE_NO_SQUARE_LEADER, "leaders-3")))
    if not state.catastrophes_left[seat]:
        none_left = VOICE.why(legality.check, state, seat, Catastrophe(SQUARES[0]))
        why_not += answered(phrase(phrases.WHY_CATASTROPHE), none_left)
    return why_not


def _ask_square(
    state: State,
    title: Phrase,
    prefix: str,
    groups: places.Groups,
    words: Sequence[str],
    picture: str,
    closed: Mapping[str, Phrase],
) -> Ask:
    """Return the question for a square: the squares under their headings, then what could be done instead."""
    costs = prefix == "catastrophe"
    squares = places.square_options(prefix, groups, " ".join(words), picture, irreversible=costs, recall=_ends_turn(state))
    return Ask(
        title,
        [*squares, *_turn_options(state, prefix)],
        prefix,
        back="",
        on_board=True,
        closed=closed,
        entry=phrase(phrases.ENTRY_SQUARE, "components-6"),
    )


def _ask_tile(view: View, state: State, kind: int, words: Sequence[str]) -> Ask | None:
    groups = places.tile_groups(state, state.due, kind)
    if not state.hands[state.due * N_COLOURS + kind] or not groups:
        return None
    name = KINDS[kind]
    title = phrase(phrases.ASK_TILE, "tiles-2" if name == "farm" else "tiles-3", tile=name)
    asked = _ask_square(state, title, f"tile {name}", groups, words, SYMBOLS[name], places.tile_closed(state, kind))
    square = _chosen_square(asked, words)
    if square is None:
        return asked
    asked = replace(asked, back=asked.chosen)
    return _told(asked, view, state, Tile(kind, square), Phrase(phrases.CONFIRM_TILE))


def _chosen_square(asked: Ask, words: Sequence[str]) -> int | None:
    """Return the square that the prefix names, if it is one of the options."""
    text = " ".join(words)
    is_offered = words[-1] in SQUARE_OF and any(option.text == text for option in asked.options)
    return SQUARE_OF[words[-1]] if is_offered else None


def _ask_leader(view: View, state: State, role: int, words: Sequence[str]) -> Ask | None:
    seat = state.due
    groups = places.leader_groups(state, seat, role)
    if not groups:
        return None
    is_moved = state.leaders[seat * N_COLOURS + role] != NOWHERE
    leader = _leader_id(seat, role)
    title = phrase(phrases.ASK_LEADER_MOVE if is_moved else phrases.ASK_LEADER, "leaders-3", leader=leader)
    prefix = f"leader {ROLES[role]}"
    asked = _ask_square(state, title, prefix, groups, words, SYMBOLS[leader], places.leader_closed(state, seat, role))
    square = _chosen_square(asked, words)
    if square is None:
        return replace(asked, hint=phrase(phrases.HINT_LEADER, "leaders-4"))
    asked = replace(asked, back=asked.chosen)
    confirm = Phrase(phrases.CONFIRM_LEADER_MOVE if is_moved else phrases.CONFIRM_LEADER)
    return _told(asked, view, state, Leader(role, square), confirm)


def _ask_withdrawal(view: View, state: State, role: int) -> Ask | None:
    if state.leaders[state.due * N_COLOURS + role] == NOWHERE:
        return None
    asked = _first_question(state, f"withdraw {ROLES[role]}")
    return _told(asked, view, state, Withdraw(role), Phrase(phrases.CONFIRM_WITHDRAW))


def _ask_catastrophe(view: View, state: State, words: Sequence[str]) -> Ask | None:
    if not state.catastrophes_left[state.due]:
        return None
    groups = places.catastrophe_groups(state)
    title = phrase(phrases.ASK_CATASTROPHE, "catastrophes-1")
    asked = _ask_square(state, title, "catastrophe", groups, words, SYMBOLS["catastrophe"], places.catastrophe_closed(state))
    square = _chosen_square(asked, words)
    if square is None:
        return asked
    asked = replace(asked, back=asked.chosen)
    return _told(asked, view, state, Catastrophe(square), Phrase(phrases.CONFIRM_CATASTROPHE))


# Swapping


def _ask_swap(view: View, state: State, words: Sequence[str]) -> Ask | None:
    base = state.due * N_COLOURS
    hand = state.hands[base : base + N_COLOURS]
    if not any(hand):
        return None
    kinds = usable(words[1:], KIND_OF, hand, sum(hand))
    prefix = _swap_text(kinds)
    title = phrase(phrases.ASK_SWAP, "swap-1")
    hint = phrase(phrases.HINT_SWAP, "swap-2")
    back = _swap_text(kinds[:-1]) if kinds else ""
    asked = Ask(title, _swap_options(hand, kinds), prefix, hint=hint, back=back)
    if not kinds:
        return asked
    return _told(asked, view, state, Swap(tuple(kinds)), Phrase(phrases.CONFIRM_SWAP, {"n": len(kinds)}))


def _swap_text(kinds: Sequence[int]) -> str:
    return " ".join(["swap", *(KINDS[kind] for kind in kinds)])


def _swap_options(hand: Sequence[int], kinds: list[int]) -> list[Option]:
    """Return the steps from the tiles chosen so far: add one, remove one, all. A swap always needs confirmation."""
    options = []
    for kind, name in enumerate(KINDS):
        left = hand[kind] - kinds.count(kind)
        if left:
            text = _swap_text(sorted([*kinds, kind]))
            label = phrase(phrases.OPTION_SWAP_MORE, "swap-1", tile=name)
            options.append(Option(text, label, SYMBOLS[name], left, target=f"hand-{name}", irreversible=True))
    for kind, name in enumerate(KINDS):
        if kind in kinds:
            fewer = kinds[:]
            fewer.remove(kind)
            label = phrase(phrases.OPTION_SWAP_LESS, "swap-1", tile=name)
            options.append(Option(_swap_text(fewer), label, SYMBOLS[name], kinds.count(kind), selected=True, irreversible=True))
    everything = [kind for kind, held in enumerate(hand) for _ in range(held)]
    if len(everything) > len(kinds) + 1:
        label = phrase(phrases.OPTION_SWAP_ALL, "swap-1", n=len(everything))
        options.append(Option(_swap_text(everything), label, irreversible=True))
    return options
