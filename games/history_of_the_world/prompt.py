"""The question for a seat that is due, step by step (history_of_the_world#turn-2).

Prefixes: "" · conquer nile (if there are two ways and neither is better) · fort · city · guard. All other actions are one step: provinces
within reach are asked for at once, and so are forts, cities and targets of improvements. The text of an option is the prefix that choosing
it leads to.

Targets, the pieces of the board that act as the same control (each belongs to one option at most):
    province-nile      a place: to conquer, to build in, to be hit
    zone-sahara        a zone that gets a disc
    card-i_plague      an event in the seat's hand, a card of the pile
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from games.core.asking import Step, Tree, asked_at, parsed, tree_of, under_headings, with_action, words_of
from games.core.contract import Ask, Option, Phrase
from games.history_of_the_world import legality
from games.history_of_the_world.actions import Action, Conquer, parse_action
from games.history_of_the_world.previews import consequences
from games.history_of_the_world.prompt_choices import confirm_of, option_of
from games.history_of_the_world.prompt_facts import best_way
from games.history_of_the_world.prompt_titles import hint_of, title_of
from games.history_of_the_world.prompt_why import because_of, closed_of, why_not
from games.history_of_the_world.state import BRINGING, CONQUEST, EFFECT, MONUMENT, STARTING, State
from games.history_of_the_world.view import View, known_state

_LONGEST: Final = 80  # characters of a prefix; every action of a seat is shorter
_DEPTHS: Final = {"fort": (1,), "city": (1,), "guard": (1,)}  # after how many words there is a question
_ON_BOARD: Final = ("fort", "city")
_PLACES_AT_ONCE: Final = (BRINGING, STARTING, EFFECT, MONUMENT)


def ask(view: View, chosen: str = "") -> Ask | None:
    """Return the question for the viewing seat, given what it has chosen so far; None if it is not due.

    An unusable prefix is cut back to its usable part; if its next word is not possible, `refusal` says why. A province that is named
    without a way is conquered in the better way.
    """
    if not view.is_due or view.seat is None:
        return None
    state, seat = known_state(view), view.seat
    words = words_of(chosen, _LONGEST)
    legal = {str(action): action for action in legality.legal_actions(state, seat)}
    tree = _tree(state, legal)
    whole = " ".join(words)
    way = None if whole in tree else _meant_way(state, words)
    if way is not None and str(way) in legal:
        return _question(view, state, seat, tree, "", way, whole)
    if whole in tree or whole in legal:
        return _question(view, state, seat, tree, asked_at(tree, words), legal.get(whole), whole)
    usable = asked_at(tree, words)
    asked = _question(view, state, seat, tree, usable, None, usable)
    return replace(asked, refusal=_refusal(state, seat, asked, words[len(usable.split()) :], whole))


def _tree(state: State, legal: dict[str, Action]) -> Tree[Action]:
    """Return the steps from every prefix that leads to a legal action."""

    def depths(words: Sequence[str], action: Action) -> tuple[int, ...]:
        if isinstance(action, Conquer):
            return (2,) if best_way(state, action.province) is None else ()
        is_flat = state.phase in _PLACES_AT_ONCE and action.verb != "guard"
        return () if is_flat else _DEPTHS.get(action.verb, ())

    return tree_of(legal, depths)


def _meant_way(state: State, words: Sequence[str]) -> Conquer | None:
    """Return the conquest that "conquer nile" means."""
    action = parsed(parse_action, " ".join([*words, "land"]))
    return best_way(state, action.province) if isinstance(action, Conquer) else None


def _question(view: View, state: State, seat: int, tree: Tree[Action], node: str, action: Action | None, chosen: str) -> Ask:
    steps = list(tree[node].values())
    options = under_headings(_options(view, state, seat, node, steps))
    if action is not None:
        options = [replace(option, selected=action in tree[node][option.text].below) for option in options]
    is_conquest = not node and state.phase == CONQUEST and isinstance(steps[0].action, Conquer)
    on_board = node in _ON_BOARD or is_conquest or (not node and state.phase in _PLACES_AT_ONCE)
    asked = Ask(
        title_of(state, seat, node),
        options,
        chosen,
        hint=hint_of(state, seat, node),
        back=_back(tree, node, action),
        why_not=() if node else why_not(state, seat),
        on_board=on_board,
        stem="conquer" if is_conquest else None,
        closed=closed_of(state, seat, node, [option.target for option in options]) if on_board else {},
    )
    if action is None:
        return asked
    told = consequences(state, seat, action)
    return replace(with_action(asked, action, confirm_of(state, action), told), odds=_odds_in(told))


_latest: tuple[View, str, list[Option]] | None = None  # a page asks what each of many answers would do, and they stay the same


def _options(view: View, state: State, seat: int, node: str, steps: Sequence[Step[Action]]) -> list[Option]:
    """Return the answers to a question, none of them selected."""
    global _latest
    kept = _latest
    if kept is not None and kept[0] is view and kept[1] == node:
        return kept[2]
    options = [option_of(state, seat, node, step) for step in steps]
    _latest = (view, node, options)
    return options


def _odds_in(told: Sequence[Phrase]) -> tuple[int, int, int] | None:
    """Return the odds that the sentences about an action tell."""
    return next(((said.params["win"], said.params["tie"], said.params["lose"]) for said in told if "win" in said.params), None)


def _back(tree: Tree[Action], node: str, action: Action | None) -> str | None:
    """Return the prefix one step back: from a chosen action its question, from a question the one before it."""
    if action is not None:
        return node
    if not node:
        return None
    return asked_at(tree, node.split()[:-1])


def _refusal(state: State, seat: int, asked: Ask, rest: Sequence[str], text: str) -> Phrase | None:
    """Return why the first unusable word is not possible: a closed place, or an action that is not allowed."""
    for word in rest:
        if f"province-{word}" in asked.closed:
            return asked.closed[f"province-{word}"]
    for whole in (text, f"{text} land"):
        action = parsed(parse_action, whole)
        if action is not None:
            return because_of(state, seat, action)
    return None
