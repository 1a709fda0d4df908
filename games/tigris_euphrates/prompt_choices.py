"""The questions within an action: wars, tiles for a conflict, monuments, treasures (tigris_euphrates#turn-4, #conflicts-3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.core.contract import ActionFormatError, Ask, IllegalAction, Option, Phrase
from games.tigris_euphrates import legality, places
from games.tigris_euphrates import prompt_phrases as phrases
from games.tigris_euphrates.actions import DECLINE, SUPPORTS, TREASURES, WARS, Action, Treasure, parse_action
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
from games.tigris_euphrates.legality import RULE
from games.tigris_euphrates.phrases import PHRASES
from games.tigris_euphrates.previews import consequences, stakes, treasures_to_take
from games.tigris_euphrates.state import ATTACK, REVOLT, State, squares_of
from games.tigris_euphrates.strengths import conflict_strengths, war_sides
from games.tigris_euphrates.view import View, most_to_add

WhyNot = tuple[Phrase, Phrase]


def _named(words: Sequence[str], legal: Sequence[Action]) -> Action | None:
    """Return the legal action that the prefix names."""
    try:
        action = parse_action(" ".join(words))
    except ActionFormatError:
        return None
    return action if action in legal else None


def _told(asked: Ask, view: View, state: State, action: Action | None, confirm: Phrase, back: str = "") -> Ask:
    """Return the question with a whole action in it, if one is chosen: the button, and what it would do."""
    if action is None:
        return asked
    told = consequences(view, state, action)
    text = str(action)
    return replace(asked, chosen=text, action=text, confirm=confirm, consequence=told[0], also=told[1:], back=back)


# Conflicts


def ask_war(view: View, state: State, words: Sequence[str]) -> Ask:
    """Ask the active seat which war is settled next (wars-2)."""
    roles = legality.pending_wars(state)
    action = _named(words, [WARS[role] for role in roles])
    options = []
    for role in roles:
        attacker, _ = war_sides(state, role)
        option = Option(
            str(WARS[role]),
            Phrase(phrases.OPTION_WAR, {"role": ROLES[role]}, RULE + "wars-2"),
            picture=SYMBOLS[ROLES[role]],
            selected=action == WARS[role],
            target=places.TARGETS[state.leaders[attacker * N_COLOURS + role]],
        )
        options.append(option)
    asked = Ask(Phrase(phrases.ASK_WAR, rule=RULE + "wars-2"), options)
    return _told(asked, view, state, action, Phrase(phrases.CONFIRM_WAR))


def ask_support(view: View, state: State, words: Sequence[str]) -> Ask:
    """Ask attacker or defender how many tiles are added (conflicts-3)."""
    seat = state.due
    kind = legality.support_kind(state)
    legal = SUPPORTS[kind][: state.hands[seat * N_COLOURS + kind] + 1]
    action = _named(words, legal)
    added = legal.index(action) if action in legal else 0
    options = []
    for count, support in enumerate(legal):
        params = {"n": count, "tile": KINDS[kind]}
        label = Phrase(phrases.OPTION_ADD if count else phrases.OPTION_ADD_NONE, params, RULE + "conflicts-3")
        target = f"hand-{KINDS[kind]}" if count == added + 1 else None  # a tile of the hand adds one more
        options.append(Option(str(support), label, SYMBOLS[KINDS[kind]], count, support == action, target))
    other = state.defender if seat == state.attacker else state.attacker
    asked = Ask(_support_title(state, other, kind), options, hint=_support_hint(view, state, other, kind))
    confirm = Phrase(phrases.CONFIRM_ADD if added else phrases.CONFIRM_ADD_NONE, {"n": added})
    return _told(asked, view, state, action, confirm)


def _support_title(state: State, other: int, kind: int) -> Phrase:
    params = {"seat": other, "role": ROLES[state.colour], "tile": KINDS[kind]}
    if state.conflict == REVOLT:
        return Phrase(phrases.ASK_REVOLT_ATTACK if state.phase == ATTACK else phrases.ASK_REVOLT_DEFENCE, params, RULE + "revolts-3")
    return Phrase(phrases.ASK_WAR_ATTACK if state.phase == ATTACK else phrases.ASK_WAR_DEFENCE, params, RULE + "wars-5")


def _support_hint(view: View, state: State, other: int, kind: int) -> Phrase:
    """Tell the strengths on the board, what the other has added or can add, who wins a tie, and what is at stake."""
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
        return Phrase(phrases.HINT_REVOLT_ATTACK if is_attacker else phrases.HINT_REVOLT_DEFENCE, params, RULE + "conflicts-4")
    return Phrase(phrases.HINT_WAR_ATTACK if is_attacker else phrases.HINT_WAR_DEFENCE, params, RULE + "conflicts-4")


# Monuments


def ask_monument(view: View, state: State, words: Sequence[str]) -> Ask:
    """Ask the active seat for a monument: which, and, where several squares of four are complete, on which (monuments-12)."""
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
        label = Phrase(phrases.OPTION_BUILD, {"monument": name}, RULE + "monuments-2")
        is_chosen = number == monument or text == " ".join(words)
        options.append(Option(text, label, SYMBOLS[name], selected=is_chosen))
    label = Phrase(phrases.OPTION_DECLINE, rule=RULE + "monuments-4")
    options.append(Option(str(DECLINE), label, selected=action == DECLINE, irreversible=True))
    title = Phrase(phrases.ASK_MONUMENT, rule=RULE + "monuments-1")
    why_not = _why_no_monument(state)
    if monument is None:
        confirm = Phrase(phrases.CONFIRM_DECLINE if action == DECLINE else phrases.CONFIRM_BUILD)
        return _told(Ask(title, options, why_not=why_not), view, state, action, confirm)
    name = MONUMENTS[monument][0]
    board = sum(1 << corner for corner in corners)
    groups = [(Phrase(phrases.GROUP_FOUR), board)]
    squares = places.square_options(f"build {name}", groups, " ".join(words), SYMBOLS[name])
    title = Phrase(phrases.ASK_MONUMENT_SQUARE, {"monument": name}, RULE + "monuments-12")
    entry = Phrase(phrases.ENTRY_SQUARE, rule=RULE + "components-6")
    asked = Ask(title, [*squares, *options], f"build {name}", back="", why_not=why_not, on_board=True, entry=entry)
    return _told(asked, view, state, action, Phrase(phrases.CONFIRM_BUILD), back=f"build {name}")


def _why_no_monument(state: State) -> list[WhyNot]:
    """Return why monuments with the colour of the four tiles are not offered: they stand already."""
    kind = legality.kind_at(state, state.placed)
    answer = PHRASES["refused.monument_taken"]
    return [
        (Phrase(phrases.WHY_MONUMENT, {"monument": name}), Phrase(answer, {"monument": name}, RULE + "monuments-3"))
        for number, (name, _, _) in enumerate(MONUMENTS)
        if (MONUMENTS_WITH[kind] & ~state.monuments_left) >> number & 1
    ]


# Treasures


def ask_treasure(view: View, state: State, words: Sequence[str]) -> Ask:
    """Ask the owner of a trader which treasure is taken (treasures-2, treasures-3)."""
    seat = state.due
    legal = legality.treasure_squares(state, seat)
    here = kingdom_at(state, state.leaders[seat * N_COLOURS + GREEN]) & state.treasures
    action = _named(words, [Treasure(square) for square in squares_of(legal)])
    options = places.square_options("treasure", [(Phrase(phrases.GROUP_TREASURES), legal)], " ".join(words), SYMBOLS["treasure"])
    title = Phrase(phrases.ASK_TREASURE, {"n": treasures_to_take(state, seat)}, RULE + "treasures-2")
    asked = Ask(
        title,
        options,
        why_not=_why_not_treasure(state, here & ~legal),
        on_board=True,
        closed=places.treasure_closed(state, seat, here),
        entry=Phrase(phrases.ENTRY_SQUARE, rule=RULE + "components-6"),
    )
    return _told(asked, view, state, action, Phrase(phrases.CONFIRM_TREASURE))


def _why_not_treasure(state: State, others: int) -> list[WhyNot]:
    """Return why treasures of the same kingdom wait (treasures-2)."""
    why_not = []
    for square in squares_of(others):
        try:
            legality.check(state, state.due, TREASURES[square])  # type: ignore[arg-type]
        except IllegalAction as error:
            answer = Phrase(PHRASES[error.reason], error.params, error.rule)
            why_not.append((Phrase(phrases.WHY_TREASURE, {"square": LABELS[square]}), answer))
    return why_not
