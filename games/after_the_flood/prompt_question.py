"""The question about one action, step by step: the tree of its prefixes, its options and what they do (act-2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from games.after_the_flood import legality
from games.after_the_flood.actions import Action, Grow, Place, parse_action
from games.after_the_flood.components import VALUES
from games.after_the_flood.previews import consequences
from games.after_the_flood.prompt_basket import basket_of
from games.after_the_flood.prompt_choices import confirm_of, option_of
from games.after_the_flood.prompt_places import closed_of, is_beside_map, is_on_board
from games.after_the_flood.prompt_titles import hint_of, title_of
from games.after_the_flood.prompt_why import because_of, why_not
from games.after_the_flood.state import GROWING, TRADING, State
from games.core.asking import Step, Tree, asked_at, parsed, tree_of, under_headings, with_action, with_free_targets, words_of
from games.core.contract import Ask, Phrase

_LONGEST: Final = 80  # characters of a prefix; every action is shorter
_DEPTHS: Final = {  # verb -> after how many words there is a question
    "build": (1,),
    "relocate": (1, 2),
    "place": (2, 3),
    "scribe": (1, 2),
    "trade": (1, 2),
    "invade": (1,),
    "destroy": (1,),
    "reinforce": (1,),
    "refound": (1,),
    "grow": (2,),
}


def question(state: State, chosen: str = "") -> Ask:
    """Return the question for the due seat about one action, given what it has chosen so far.

    An unusable prefix is cut back to its usable part; if its next word is not possible, `refusal` says why. If only the number of
    workers is left to choose, the highest is preselected.
    """
    words = words_of(chosen, _LONGEST)
    legal = {str(action): action for action in legality.legal_actions(state, state.active)}
    tree = steps_of(state, legal)
    whole = " ".join(words)
    if whole in tree or whole in legal:
        node, text = _node(tree, legal, whole)
        return _question(state, tree, node, legal.get(text), text, whole)
    usable = asked_at(tree, words)
    asked = _question(state, tree, usable, None, usable, usable)
    return replace(asked, refusal=_refusal(state, asked, words[len(usable.split()) :], whole))


def steps_of(state: State, legal: dict[str, Action]) -> Tree[Action]:
    """Return the steps from every prefix that leads to a legal action."""

    def depths(words: Sequence[str], action: Action) -> list[int]:
        if isinstance(action, Place) and _is_only_count(state, action):
            return [2]
        is_asked = state.phase != TRADING  # otherwise the question is about areas at once
        return [depth for depth in _DEPTHS.get(words[0], ()) if depth < len(words) and (depth > 1 or is_asked)]

    tree = tree_of(legal, depths)
    for text, action in legal.items():
        if isinstance(action, Grow) and not action.luxuries:  # the city is chosen, and may already grow with this
            bare: Step[Action] = Step(text, action, [action])
            tree[text] = {text: bare} | tree.get(text, {})
    return tree


def _is_only_count(state: State, action: Place) -> bool:
    """Return whether a good can only place one worker: then its number is no question."""
    return min(VALUES[action.good], state.workers_available[state.active]) == 1


def _node(tree: Tree[Action], legal: dict[str, Action], whole: str) -> tuple[str, str]:
    """Return the prefix whose question is asked, and what is chosen."""
    if whole not in tree:
        return asked_at(tree, whole.split()), whole
    most = list(tree[whole])[-1]
    is_number = whole.count(" ") == 2  # of workers; before it, of a good that places one worker, the places are whole actions too
    return whole, most if is_number and isinstance(legal.get(most), Place) else whole


def _question(state: State, tree: Tree[Action], node: str, action: Action | None, text: str, chosen: str) -> Ask:
    """Return the question of a prefix; `text` is the chosen option; a number of workers may be chosen beyond the prefix."""
    steps = list(tree[node].values())
    options = under_headings([option_of(state, node, step, action is not None and step.text == text) for step in steps])
    options = [replace(option, is_place=False) if is_beside_map(option) else option for option in with_free_targets(options)]
    on_board = is_on_board(state, node, options[0].text)
    asked = Ask(
        title_of(state, node, steps),
        options,
        chosen,
        hint=hint_of(state, node, steps),
        back=_back(tree, node, text, action),
        why_not=() if node else why_not(state, [step.action for step in steps]),
        on_board=on_board,
        stem=_stem(state, node) if on_board else None,
        basket=None if node or action is not None else basket_of(state, steps),
        closed=closed_of(state, node, [option.target for option in options]) if on_board else {},
    )
    if action is None:
        return asked
    return with_action(asked, action, confirm_of(state, action), consequences(state, action))


def _stem(state: State, node: str) -> str | None:
    """Return the word that the places of a question about places start with, if there may be other answers, which are shown with it."""
    if not node and state.phase == GROWING:
        return "grow"
    return node if node.startswith(("place ", "scribe")) else None


def _back(tree: Tree[Action], node: str, chosen: str, action: Action | None) -> str | None:
    """Return the prefix one step back: from a chosen action its question, from a question the one before it."""
    if chosen != node and not isinstance(action, Place):
        return node
    if not node:
        return None
    return asked_at(tree, node.split()[:-1])


def _refusal(state: State, asked: Ask, rest: Sequence[str], text: str) -> Phrase | None:
    """Return why the first unusable word is not possible: a closed place, or an action that is not allowed."""
    for target in (target for word in rest for target in (f"area-{word}", f"box-{word}", word)):
        if target in asked.closed:
            return asked.closed[target]
    action = parsed(parse_action, text)
    return None if action is None else because_of(state, action)
