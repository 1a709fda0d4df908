"""The questions within an action: wars, tiles for a conflict, monuments, treasures (tigris_euphrates#turn-4, #conflicts-3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from games.core.asking import WhyNot, answered, parsed, with_action
from games.core.contract import Ask, Option, Phrase
from games.tigris_euphrates import legality, places
from games.tigris_euphrates import prompt_phrases as phrases
from games.tigris_euphrates.actions import DECLINE, SUPPORTS, WARS, Action, Treasure, parse_action
from games.tigris_euphrates.components import (
    COLOURS,
    GREEN,
    KINDS,
    LABELS,
    MONUMENT_OF,
    MONUMENTS,
    MONUMENTS_WITH,
    N_COLOURS,
    ROLES,
    SYMBOLS,
)
from games.tigris_euphrates.kingdoms import kingdom_at
from games.tigris_euphrates.phrases import VOICE
from games.tigris_euphrates.previews import consequences, stakes, treasures_to_take
from games.tigris_euphrates.state import ATTACK, REVOLT, State, squares_of
from games.tigris_euphrates.strengths import conflict_strengths, war_sides
from games.tigris_euphrates.view import View, most_to_add

phrase: Final = VOICE.phrase


def _told(asked: Ask, view: View, state: State, action: Action | None, confirm: Phrase, back: str = "") -> Ask:
    """Return the question for a complete action, if one is chosen: the button, and what the action would do."""
    if action is None:
        return asked
    return replace(with_action(asked, action, confirm, consequences(view, state, action)), chosen=str(action), back=back)


def _named(words: Sequence[str], legal: Sequence[Action]) -> Action | None:
    """Return the legal action that the prefix names."""
    action = parsed(parse_action, " ".join(words))
    return action if action in legal else None


# Conflicts


def ask_war(view: View, state: State, words: Sequence[str]) -> Ask:
    """Ask the active seat which war to resolve next (wars-2)."""
    roles = legality.pending_wars(state)
    action = _named(words, [WARS[role] for role in roles])
    options = []
    for role in roles:
        attacker, _ = war_sides(state, role)
        option = Option(
            str(WARS[role]),
            phrase(phrases.OPTION_WAR, "wars-2", role=ROLES[role]),
            picture=SYMBOLS[ROLES[role]],
            selected=action == WARS[role],
            target=places.TARGETS[state.leaders[attacker * N_COLOURS + role]],
        )
        options.append(option)
    asked = Ask(phrase(phrases.ASK_WAR, "wars-2"), options)
    return _told(asked, view, state, action, Phrase(phrases.CONFIRM_WAR))


def ask_support(view: View, state: State, words: Sequence[str]) -> Ask:
    """Ask the attacker or defender how many tiles to add (conflicts-3)."""
    seat = state.due
    kind = legality.support_kind(state)
    legal = SUPPORTS[kind][: state.hands[seat * N_COLOURS + kind] + 1]
    action = _named(words, legal)
    added = legal.index(action) if action in legal else 0
    options = []
    for count, support in enumerate(legal):
        params = {"n": count, "tile": KINDS[kind]}
        label = phrase(phrases.OPTION_ADD if count else phrases.OPTION_ADD_NONE, "conflicts-3", **params)
        target = f"hand-{KINDS[kind]}" if count == added + 1 else None  # choosing a tile in hand adds another
        options.append(Option(str(support), label, SYMBOLS[KINDS[kind]], count, support == action, target, irreversible=True))
    other = state.defender if seat == state.attacker else state.attacker
    asked = Ask(_support_title(state, other, kind), options, hint=_support_hint(view, state, other, kind))
    confirm = Phrase(phrases.CONFIRM_ADD if added else phrases.CONFIRM_ADD_NONE, {"n": added})
    return _told(asked, view, state, action, confirm)


def _support_title(state: State, other: int, kind: int) -> Phrase:
    params = {"seat": other, "role": ROLES[state.colour], "tile": KINDS[kind]}
    if state.conflict == REVOLT:
        return phrase(phrases.ASK_REVOLT_ATTACK if state.phase == ATTACK else phrases.ASK_REVOLT_DEFENCE, "revolts-3", **params)
    return phrase(phrases.ASK_WAR_ATTACK if state.phase == ATTACK else phrases.ASK_WAR_DEFENCE, "wars-5", **params)


def _support_hint(view: View, state: State, other: int, kind: int) -> Phrase:
    """Tell the strengths on the board, what the opponent has added or can add, who wins a tie, and what is at stake."""
    attack, defence = conflict_strengths(state)
    win, lose = stakes(state)
    is_attacker = state.phase == ATTACK
    if not is_attacker:
        attack, defence, win, lose = defence, attack, lose, win
    params = {
        "seat": other,
        "n": attack,
        "m": defence,
        "win": win,
        "lose": lose,
        "most": most_to_add(view, other, kind),
        "added": state.added,
        "colour": COLOURS[kind],
    }
    if state.conflict == REVOLT:
        return phrase(phrases.HINT_REVOLT_ATTACK if is_attacker else phrases.HINT_REVOLT_DEFENCE, "conflicts-4", **params)
    return phrase(phrases.HINT_WAR_ATTACK if is_attacker else phrases.HINT_WAR_DEFENCE, "conflicts-4", **params)


# Monuments


def ask_monument(view: View, state: State, words: Sequence[str]) -> Ask:
    """Ask the active seat for a monument: which one and, if several 2x2 squares are complete, on which of them (monuments-12)."""
    builds = legality.monument_options(state)
    corners = sorted({build.square for build in builds})
    action = _named(words, [*builds, DECLINE])
    monument = None
    if words[:1] == ["build"] and len(words) > 1 and len(corners) > 1:
        monument = MONUMENT_OF.get(words[1])
        monument = monument if monument in [build.monument for build in builds] else None
    options = []
    for number in dict.fromkeys(build.monument for build in builds):
        name = MONUMENTS[number][0]
        text = f"build {name} {LABELS[corners[0]]}" if len(corners) == 1 else f"build {name}"
        label = phrase(phrases.OPTION_BUILD, "monuments-2", monument=name)
        is_chosen = number == monument or text == " ".join(words)
        options.append(Option(text, label, SYMBOLS[name], selected=is_chosen))
    label = phrase(phrases.OPTION_DECLINE, "monuments-4")
    options.append(Option(str(DECLINE), label, selected=action == DECLINE, irreversible=True))
    title = phrase(phrases.ASK_MONUMENT, "monuments-1")
    why_not = _why_no_monument(state)
    if monument is None:
        confirm = Phrase(phrases.CONFIRM_DECLINE if action == DECLINE else phrases.CONFIRM_BUILD)
        return _told(Ask(title, options, why_not=why_not), view, state, action, confirm)
    name = MONUMENTS[monument][0]
    board = sum(1 << corner for corner in corners)
    groups = [(Phrase(phrases.GROUP_FOUR), board)]
    squares = places.square_options(f"build {name}", groups, " ".join(words), SYMBOLS[name])
    title = phrase(phrases.ASK_MONUMENT_SQUARE, "monuments-12", monument=name)
    entry = phrase(phrases.ENTRY_SQUARE, "components-6")
    asked = Ask(title, [*squares, *options], f"build {name}", back="", why_not=why_not, on_board=True, entry=entry)
    return _told(asked, view, state, action, Phrase(phrases.CONFIRM_BUILD), back=f"build {name}")


def _why_no_monument(state: State) -> list[WhyNot]:
    """Return why monuments with the colour of the four tiles are not offered: they are already built."""
    kind = legality.kind_at(state, state.placed)
    return [
        (phrase(phrases.WHY_MONUMENT, monument=name), VOICE.refused("monument_taken", "monuments-3", monument=name))
        for number, (name, _, _) in enumerate(MONUMENTS)
        if (MONUMENTS_WITH[kind] & ~state.monuments_left) >> number & 1
    ]


# Treasures


def ask_treasure(view: View, state: State, words: Sequence[str]) -> Ask:
    """Ask the owner of a trader which treasure to take (treasures-2, treasures-3)."""
    seat = state.due
    legal = legality.treasure_squares(state, seat)
    here = kingdom_at(state, state.leaders[seat * N_COLOURS + GREEN]) & state.treasures
    action = _named(words, [Treasure(square) for square in squares_of(legal)])
    options = places.square_options("treasure", [(Phrase(phrases.GROUP_TREASURES), legal)], " ".join(words), SYMBOLS["treasure"])
    title = phrase(phrases.ASK_TREASURE, "treasures-2", n=treasures_to_take(state, seat))
    asked = Ask(
        title,
        options,
        why_not=_why_not_treasure(state, here & ~legal),
        on_board=True,
        closed=places.treasure_closed(state, seat, here),
        entry=phrase(phrases.ENTRY_SQUARE, "components-6"),
    )
    return _told(asked, view, state, action, Phrase(phrases.CONFIRM_TREASURE))


def _why_not_treasure(state: State, others: int) -> list[WhyNot]:
    """Return why other treasures of the same kingdom must wait (treasures-2)."""
    why_not: list[WhyNot] = []
    for square in squares_of(others):
        answer = VOICE.why(legality.check, state, state.due, Treasure(square))
        why_not += answered(phrase(phrases.WHY_TREASURE, square=LABELS[square]), answer)
    return why_not
