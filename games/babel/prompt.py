"""The question for the seat that is due: what can be done here, with the effect of each action (babel#turn-3, #powers-6).

Prefixes: "" · move medes · settle medes · build own · migrate medes · migrate medes persians · destroy · expel persians · skip other ·
halve medes 2 · end · discard · discard medes. The text of an option is the prefix that choosing it leads to. All actions of a turn
are in one list under headings; only a migration takes two steps, the column and the destination.

Targets, the pieces of the board that act as the same control (each belongs to one option at most):
    land-medes          a land: move there
    hand-medes          the cards of a people in the seat's hand: settle one; discard one in a halving
    stock-own           the seat's own stock: build from its top, or skip a level with it
    stock-other         the other stock, likewise
    column-medes        the seat's column in a land, even empty: where a migration starts, then where it goes
    run-medes-1         a run in the pawn's land, numbered among its people's runs from the inside: halve with it
    rival-temple        the other temple in the pawn's land: destroy it
    rival-top           its top level: steal it
    rival-medes         the cards of a people in the other column in the pawn's land: expel them
    rival-outermost     the outermost card of that column: bring its people over
Events name a land as `land_medes` (`land`, for a migration also `target`), which is a land's word for recent events. Why
something is not possible is in `Ask.why_not`; no place is closed by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from games.babel import legality
from games.babel import prompt_phrases as phrases
from games.babel.actions import (
    BUILDS,
    END,
    NO_ARGUMENT,
    OTHER,
    OWN,
    STOCKS,
    Action,
    Build,
    Discard,
    Migrate,
    Move,
    Power,
    Settle,
    parse_action,
    power,
)
from games.babel.components import LANDS, MIGRANTS, PEOPLE_OF, PEOPLES, POWER_PEOPLE, SYMBOLS, TOP_LEVEL
from games.babel.phrases import VOICE
from games.babel.previews import consequences, known_levels, label, land_id, migrants, run_length
from games.babel.state import ACTION, HALVING, QUARRY, RUNS_IN, State, height
from games.babel.view import View, known_state
from games.core.asking import WhyNot, answered, parsed, unless_cut, usable, with_action, with_free_targets, words_of
from games.core.contract import Ask, Option, Phrase

phrase: Final = VOICE.phrase
_LONGEST: Final = 400  # characters of a prefix; half of all people cards stay below it
_CONFIRM: Final = {
    "move": phrases.CONFIRM_MOVE,
    "settle": phrases.CONFIRM_SETTLE,
    "build": phrases.CONFIRM_BUILD,
    "migrate": phrases.CONFIRM_MIGRATE,
    "destroy": phrases.CONFIRM_DESTROY,
    "steal": phrases.CONFIRM_STEAL,
    "expel": phrases.CONFIRM_EXPEL,
    "switch": phrases.CONFIRM_SWITCH,
    "skip": phrases.CONFIRM_SKIP,
    "halve": phrases.CONFIRM_HALVE,
    "end": phrases.CONFIRM_END,
}
_POWER_TARGETS: Final = {"destroy": "rival-temple", "steal": "rival-top", "switch": "rival-outermost"}


def ask(view: View, chosen: str = "") -> Ask | None:
    """Return the question for the viewing seat, given what it has chosen so far; None if it is not due.

    An unusable prefix is cut back to its usable part; if it is a complete action that is not possible, `refusal` says why.
    """
    if view.seat is None or view.seat != view.due:
        return None
    state = known_state(view)
    words = words_of(chosen, _LONGEST)
    if state.phase == ACTION:
        asked = _ask_turn(state, words)
    elif state.phase == HALVING:
        asked = _ask_discard(state, words)
    else:
        return None
    return unless_cut(asked, words, lambda: _refusal(state, words))


def _refusal(state: State, words: Sequence[str]) -> Phrase | None:
    """Return why a prefix is unusable, if it is a complete action."""
    action = parsed(parse_action, " ".join(words))
    return None if action is None else _why(state, action)


def _why(state: State, action: Action) -> Phrase | None:
    """Return why the due seat may not do `action`; None if it may."""
    return VOICE.why(legality.check, state, state.due, action)


# A turn


def _ask_turn(state: State, words: Sequence[str]) -> Ask:
    legal = legality.legal_actions(state, state.due)
    texts = {str(action): action for action in legal}
    text = " ".join(words)
    source = PEOPLE_OF.get(words[1]) if len(words) > 1 and words[0] == "migrate" else None
    if source is not None and any(isinstance(action, Migrate) and action.source == source for action in legal):
        return _ask_migration(state, legal, source, text)
    asked = Ask(
        _title(state, legal),
        _turn_options(state, legal, text if text in texts else ""),
        hint=_hint(state),
        why_not=_why_not(state, legal),
    )
    return _told(asked, state, texts[text], "") if text in texts else asked


def _told(asked: Ask, state: State, action: Action, back: str) -> Ask:
    """Return the question for a complete action: the button, and what the action would do."""
    text = str(action)
    confirm = phrase(_CONFIRM[text.split(" ")[0]])
    return replace(with_action(asked, action, confirm, consequences(state, action)), chosen=text, back=back)


def _title(state: State, legal: Sequence[Action]) -> Phrase:
    pawn = state.pawns[state.due]
    if pawn == QUARRY:
        return phrase(phrases.ASK_QUARRY if len(legal) > 1 else phrases.ASK_QUARRY_END, "move-3")
    return phrase(phrases.ASK_LAND if len(legal) > 1 else phrases.ASK_LAND_END, "turn-3", land=land_id(pawn))


def _hint(state: State) -> Phrase | None:
    if legality.owes_first_level(state, state.due):
        return phrase(phrases.HINT_FIRST_LEVEL, "start-2")
    if state.deck_top:
        return phrase(phrases.HINT_DECK_TOP, "destroy-2", levels=known_levels(state))
    return None


def _turn_options(state: State, legal: Sequence[Action], chosen: str) -> list[Option]:
    options: list[Option] = []
    for action in legal:
        text, labelled = str(action), action
        if isinstance(action, Migrate):
            text = f"migrate {PEOPLES[action.source]}"
            if options and options[-1].text == text:
                continue
        options.append(
            Option(
                text,
                _migrate_label(state, action.source) if isinstance(action, Migrate) else label(state, labelled),
                picture=_picture(state, action),
                number=state.hands[state.due * LANDS + action.people] if isinstance(action, Settle) else None,
                selected=text == chosen,
                target=target(action),
                irreversible=action == END or (isinstance(action, Power) and action.verb == "halve"),
                group=_group(state, action),
            )
        )
    return with_free_targets(options)


def _migrate_label(state: State, source: int) -> Phrase:
    return phrase(phrases.OPTION_MIGRATE, "migration-1", land=land_id(source), cards=migrants(state, source))


def target(action: Action) -> str | None:
    """Return the id of the piece that acts as the control for an action of a turn; None for ending it."""
    match action:
        case Move(land):
            return f"land-{PEOPLES[land]}"
        case Settle(people):
            return f"hand-{PEOPLES[people]}"
        case Build(stock) | Power("skip", stock, _):
            return f"stock-{STOCKS[stock]}"
        case Migrate(source, _):
            return f"column-{PEOPLES[source]}"
        case Power("expel", people, _):
            return f"rival-{PEOPLES[people]}"
        case Power("halve", people, run):
            return f"run-{PEOPLES[people]}-{run}"
        case Power(verb, _, _):
            return _POWER_TARGETS[verb]
    return None


def _picture(state: State, action: Action) -> str | None:
    match action:
        case Move(land):
            return SYMBOLS[PEOPLES[land]]
        case Settle(people):
            return SYMBOLS[f"card_{PEOPLES[people]}"]
        case Build(stock):
            return SYMBOLS[f"temple_{legality.top_of(state, state.due, stock)}"]
        case Migrate(source, _):
            return SYMBOLS[PEOPLES[source]]
        case Power(verb, _, _):
            return SYMBOLS[f"power_{verb}"]
    return None


def _group(state: State, action: Action) -> Phrase:
    """Return the heading for an action of a turn."""
    seat = state.due
    pawn = state.pawns[seat]
    match action:
        case Move():
            return phrase(phrases.GROUP_MOVE, "move-1")
        case Settle():
            return phrase(phrases.GROUP_SETTLE, "settle-1", land=land_id(pawn))
        case Build():
            return phrase(phrases.GROUP_BUILD, "build-1", land=land_id(pawn))
        case Migrate():
            return phrase(phrases.GROUP_MIGRATION, "migration-4")
        case Power(verb, argument, run):
            people = argument if verb == "halve" else POWER_PEOPLE[verb]
            column = state.columns[seat * LANDS + pawn]
            runs = [(number, place) for found, number, place in RUNS_IN[column] if found == people]
            cards = {PEOPLES[people]: run_length(column, dict(runs)[run])}
            if len(runs) == 1:
                return phrase(phrases.GROUP_POWERS, "powers-1", run=cards)
            return phrase(phrases.GROUP_POWERS_RUN, "powers-4", n=run, run=cards)
    return phrase(phrases.GROUP_END, "turn-4")


# Why not


def _why_not(state: State, legal: Sequence[Action]) -> list[WhyNot]:
    """Return why something that the player might look for is not offered."""
    seat = state.due
    why_not: list[WhyNot] = []
    if state.pawns[seat] == QUARRY:
        why_not += answered(phrase(phrases.WHY_IN_QUARRY), VOICE.refused("pawn_in_quarry", "move-3"))
    else:
        why_not += answered(phrase(phrases.WHY_BUILD), _why(state, BUILDS[OWN]))
        why_not += answered(phrase(phrases.WHY_BUILD_OTHER, seat=1 - seat), _why(state, BUILDS[OTHER]))
    if state.migrated:
        why_not += answered(phrase(phrases.WHY_MIGRATE), VOICE.refused("migrated", "migration-4"))
    elif all(len(column) < MIGRANTS for column in state.columns[seat * LANDS : seat * LANDS + LANDS]):
        why_not += answered(phrase(phrases.WHY_MIGRATE), phrase(phrases.BECAUSE_NO_MIGRANTS, "migration-3"))
    if state.pawns[seat] != QUARRY:
        why_not += _why_no_power(state, legal)
    why_not += answered(phrase(phrases.WHY_END), _why(state, END))
    return why_not


def _why_no_power(state: State, legal: Sequence[Action]) -> list[WhyNot]:
    seat, pawn = state.due, state.pawns[state.due]
    own = state.columns[seat * LANDS : seat * LANDS + LANDS]
    runs = RUNS_IN[own[pawn]]
    if not runs:
        lands = [land_id(land) for land in range(LANDS) if RUNS_IN[own[land]]]
        if lands:
            return [(phrase(phrases.WHY_POWERS), phrase(phrases.BECAUSE_NO_RUN_ELSEWHERE, "powers-2", lands=lands))]
        return [(phrase(phrases.WHY_POWERS), phrase(phrases.BECAUSE_NO_RUN, "powers-1", land=land_id(pawn)))]
    offered = {action.verb for action in legal if isinstance(action, Power)}
    peoples = {people for people, _, _ in runs}
    why_not: list[WhyNot] = []
    for verb, people in POWER_PEOPLE.items():
        if people in peoples and verb not in offered:
            why_not += answered(phrase(phrases.WHY_POWER, power=f"power_{verb}"), _why_not_power(state, verb))
    if "halve" not in offered:
        why_not += answered(phrase(phrases.WHY_POWER, power="power_halve"), _why(state, power("halve", runs[0][0])))
    return why_not


def _why_not_power(state: State, verb: str) -> Phrase | None:
    """Return why a power with a run for it has no effect here (powers-5)."""
    if verb == "expel":
        return VOICE.refused("nobody_there", "expel-1")
    if verb != "skip":
        return _why(state, power(verb, NO_ARGUMENT))
    level = height(state.temples[state.due * LANDS + state.pawns[state.due]]) + 2
    if level > TOP_LEVEL:
        return VOICE.refused("no_such_level", "skip-1", n=TOP_LEVEL)
    for stock in (OWN, OTHER):
        if legality.top_of(state, state.due, stock) == level:
            return _why(state, power("skip", stock))  # there are too few settlers
    return phrase(phrases.BECAUSE_NOT_SKIPPED, "skip-2", level=level)


# A migration


def _ask_migration(state: State, legal: Sequence[Action], source: int, text: str) -> Ask:
    prefix = f"migrate {PEOPLES[source]}"
    actions = {str(action): action for action in legal if isinstance(action, Migrate) and action.source == source}
    options = [
        Option(
            name,
            label(state, action),
            picture=SYMBOLS[PEOPLES[action.target]],
            selected=name == text,
            target=f"column-{PEOPLES[action.target]}",
        )
        for name, action in actions.items()
    ]
    title = phrase(phrases.ASK_MIGRATION, "migration-1", land=land_id(source), cards=migrants(state, source))
    asked = Ask(title, options, prefix, back="", held=(f"column-{PEOPLES[source]}",))
    return _told(asked, state, actions[text], prefix) if text in actions else asked


# Half of a hand


def _ask_discard(state: State, words: Sequence[str]) -> Ask:
    seat = state.due
    hand = state.hands[seat * LANDS : seat * LANDS + LANDS]
    due = legality.halving_count(state, seat)
    chosen = usable(words[1:] if words[:1] == ["discard"] else [], PEOPLE_OF, hand, due)
    title = phrase(phrases.ASK_DISCARD, "halving-1", seat=1 - seat, n=due)
    hint = phrase(phrases.HINT_DISCARD, n=len(chosen), of=due)
    prefix = _discard_text(chosen)
    back = _discard_text(chosen[:-1]) if chosen else None
    asked = Ask(title, _discard_options(hand, chosen, due), prefix, hint=hint, back=back)
    if len(chosen) < due:
        return asked
    action = Discard(tuple(chosen))
    return with_action(asked, action, phrase(phrases.CONFIRM_DISCARD, n=due), consequences(state, action))


def _discard_text(chosen: Sequence[int]) -> str:
    return " ".join(["discard", *(PEOPLES[people] for people in chosen)]) if chosen else ""


def _discard_options(hand: Sequence[int], chosen: list[int], due: int) -> list[Option]:
    """Return the steps from the cards chosen so far: add a card, or remove one."""
    options = []
    targets = set()
    for people, name in enumerate(PEOPLES):
        left = hand[people] - chosen.count(people)
        if left and len(chosen) < due:
            targets.add(people)
            text = _discard_text(sorted([*chosen, people]))
            words = phrase(phrases.OPTION_GIVE, "halving-2", people=name)
            options.append(Option(text, words, SYMBOLS[f"card_{name}"], left, target=f"hand-{name}", irreversible=True))
    for people, name in enumerate(PEOPLES):
        if people in chosen:
            fewer = chosen[:]
            fewer.remove(people)
            words = phrase(phrases.OPTION_KEEP, "halving-2", people=name)
            target = None if people in targets else f"hand-{name}"
            options.append(Option(_discard_text(fewer), words, SYMBOLS[f"card_{name}"], chosen.count(people), selected=True, target=target))
    return options
