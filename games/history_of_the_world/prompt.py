"""The question for a seat that is due, step by step (history_of_the_world#turn-2).

Prefixes: "" · conquer · conquer nile (where both ways lead there) · fort · city · guard. All other actions are one step; forts, cities and
targets of an improvement are asked for at once. The text of an option is the prefix that choosing it leads to.

Targets, the pieces of the board that are the same control (each belongs to one option at most):
    province-nile      a place: to conquer, to build in, to be hit
    zone-sahara        a zone that gets a disc
    card-i_plague      an event in the own hand, a card of the pile
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from games.core.contract import ActionFormatError, Ask, Option, Phrase
from games.history_of_the_world import legality
from games.history_of_the_world.actions import Act, parse_action
from games.history_of_the_world.previews import consequences
from games.history_of_the_world.prompt_choices import Step, confirm_of, option_of
from games.history_of_the_world.prompt_titles import hint_of, title_of
from games.history_of_the_world.prompt_why import because_of, closed_of, why_not
from games.history_of_the_world.state import BRINGING, EFFECT, MONUMENT, STARTING, State
from games.history_of_the_world.view import View, known_state

_LONGEST: Final = 80  # characters of a prefix; every action of a seat is shorter
_DEPTHS: Final = {"conquer": (1, 2), "fort": (1,), "city": (1,), "guard": (1,)}  # numbers of words after which something is asked
_ON_BOARD: Final = ("conquer", "fort", "city")
_PLACES_AT_ONCE: Final = (BRINGING, STARTING, EFFECT, MONUMENT)

Tree = dict[str, dict[str, Step]]  # prefix -> the steps from it


def ask(view: View, chosen: str = "") -> Ask | None:
    """Return the question for the viewing seat, given what it has chosen so far; None when it is not due.

    A prefix that is of no use is cut back to the part that is; where its next word is not possible, `refusal` says why. A province to
    which one way leads is conquered by it.
    """
    if not view.is_due or view.seat is None:
        return None
    state, seat = known_state(view), view.seat
    words = chosen.split() if len(chosen) <= _LONGEST else []
    legal = {str(action): action for action in legality.legal_actions(state, seat)}
    tree = _tree(state, legal)
    whole = " ".join(words)
    if whole in tree or whole in legal:
        node, text = _node(tree, whole)
        return _question(state, seat, tree, node, legal.get(text), whole)
    usable = next(text for text in _cut_back(words) if text in tree and _is_asked(tree, text))
    asked = _question(state, seat, tree, usable, None, usable)
    return replace(asked, refusal=_refusal(state, seat, asked, words[len(usable.split()) :], whole))


def _cut_back(words: Sequence[str]) -> list[str]:
    """Return the prefix and all of its beginnings, the longest first."""
    return [" ".join(words[:count]) for count in range(len(words), -1, -1)]


def _tree(state: State, legal: dict[str, Act]) -> Tree:
    """Return the steps from every prefix that leads to a legal action."""
    tree: Tree = {"": {}}
    for text, action in legal.items():
        words = text.split(" ")
        is_flat = state.phase in _PLACES_AT_ONCE and action.verb != "guard"
        node = ""
        for depth in () if is_flat else _DEPTHS.get(action.verb, ()):
            prefix = " ".join(words[:depth])
            tree[node].setdefault(prefix, Step(prefix, action, [])).below.append(action)
            tree.setdefault(prefix, {})
            node = prefix
        tree[node][text] = Step(text, action, [action])
    return tree


def _is_asked(tree: Tree, node: str) -> bool:
    """Return whether a prefix has a question of its own: a single way to a province has none."""
    return not node.startswith("conquer ") or len(tree[node]) > 1


def _node(tree: Tree, whole: str) -> tuple[str, str]:
    """Return the prefix whose question is asked, and the action or prefix that is meant; a single way to a province is no question."""
    if whole.startswith("conquer "):
        stem = " ".join(whole.split(" ")[:2])
        if not _is_asked(tree, stem):
            return "conquer", next(iter(tree[stem]))
    if whole in tree:
        return whole, whole
    return next(text for text in _cut_back(whole.split()) if text in tree), whole


def _question(state: State, seat: int, tree: Tree, node: str, action: Act | None, chosen: str) -> Ask:
    steps = list(tree[node].values())
    options = [option_of(state, seat, node, step, action is not None and action in step.below) for step in steps]
    options = _under_headings(options)
    on_board = node in _ON_BOARD or (not node and state.phase in _PLACES_AT_ONCE)
    asked = Ask(
        title_of(state, seat, node),
        options,
        chosen,
        hint=hint_of(state, seat, node),
        back=_back(tree, node, action),
        why_not=() if node else why_not(state, seat),
        on_board=on_board,
        closed=closed_of(state, seat, node, [option.target for option in options]) if on_board else {},
    )
    if action is None:
        return asked
    told = consequences(state, seat, action)
    return replace(asked, action=str(action), confirm=confirm_of(state, action), consequence=told[0], also=told[1:])


def _back(tree: Tree, node: str, action: Act | None) -> str | None:
    """Return the prefix one step back: from a chosen action its question, from a question the one before it."""
    if action is not None:
        return node
    if not node:
        return None
    return next(text for text in _cut_back(node.split()[:-1]) if text in tree)


def _under_headings(options: list[Option]) -> list[Option]:
    """Return the options under their headings in turn."""
    headings = list(dict.fromkeys(option.group.text if option.group else "" for option in options))
    return sorted(options, key=lambda option: headings.index(option.group.text if option.group else ""))


def _refusal(state: State, seat: int, asked: Ask, rest: Sequence[str], text: str) -> Phrase | None:
    """Return why the first word that is of no use is not possible: a closed place, or an action that is not allowed."""
    for word in rest:
        if f"province-{word}" in asked.closed:
            return asked.closed[f"province-{word}"]
    for whole in (text, f"{text} land"):
        try:
            action = parse_action(whole)
        except ActionFormatError:
            continue
        return because_of(state, seat, action)
    return None
