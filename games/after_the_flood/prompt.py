"""The question for the seat that is due, step by step (after_the_flood#act-2).

Prefixes: "" · build · build ur · relocate · relocate ur · relocate ur umma · place textile · place textile egypt · place textile egypt 2 ·
scribe · scribe available · scribe available egypt · trade · trade egypt · trade egypt gold textile · invade · destroy · reinforce ·
refound, each with an area · grow ur · grow ur tool oil. All other actions are one step. The text of an option is the prefix that
choosing it leads to. While one trades, areas are asked for at once.

Targets, the pieces of the board that are the same control (each belongs to one option at most):
    area-ur, box-weaving, available    a place: where to, or where from
    good-wood                          a good in the own hand: give it up
    empire-guti                        an empire of the turn: start it
A place that is not possible where places are asked for is in `Ask.closed`, with the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from games.after_the_flood import legality
from games.after_the_flood.actions import Action, Grow, Place, parse_action
from games.after_the_flood.previews import consequences
from games.after_the_flood.prompt_choices import confirm_of, option_of
from games.after_the_flood.prompt_places import closed_of, is_on_board
from games.after_the_flood.prompt_titles import Step, hint_of, title_of
from games.after_the_flood.prompt_why import because_of, why_not
from games.after_the_flood.state import TRADING, State
from games.after_the_flood.view import View, known_state
from games.core.contract import ActionFormatError, Ask, Option, Phrase

_LONGEST: Final = 80  # characters of a prefix; every action is shorter
_DEPTHS: Final = {  # verb -> the numbers of words after which something is asked
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

Tree = dict[str, dict[str, Step]]  # prefix -> the steps from it


def ask(view: View, chosen: str = "") -> Ask | None:
    """Return the question for the viewing seat, given what it has chosen so far; None when it is not due.

    A prefix that is of no use is cut back to the part that is; where its next word is not possible, `refusal` says why. Where only
    the number of workers is left to choose, the highest is chosen at first.
    """
    if not view.is_due or view.seat is None:
        return None
    state = known_state(view)
    words = chosen.split() if len(chosen) <= _LONGEST else []
    legal = {str(action): action for action in legality.legal_actions(state, view.seat)}
    tree = _tree(state, legal)
    whole = " ".join(words)
    if whole in tree or whole in legal:
        node, text = _node(tree, legal, whole)
        return _question(state, tree, node, legal.get(text), text, whole)
    usable = next(text for text in _cut_back(words) if text in tree)
    asked = _question(state, tree, usable, None, usable, usable)
    return replace(asked, refusal=_refusal(state, asked, words[len(usable.split()) :], whole))


def _cut_back(words: Sequence[str]) -> list[str]:
    """Return the prefix and all of its beginnings, the longest first."""
    return [" ".join(words[:count]) for count in range(len(words), -1, -1)]


def _tree(state: State, legal: dict[str, Action]) -> Tree:
    """Return the steps from every prefix that leads to a legal action."""
    tree: Tree = {"": {}}
    for text, action in legal.items():
        words = text.split(" ")
        depths = [depth for depth in _DEPTHS.get(words[0], ()) if depth < len(words) and (depth > 1 or state.phase != TRADING)]
        node = ""
        for depth in depths:
            prefix = " ".join(words[:depth])
            tree[node].setdefault(prefix, Step(prefix, action, [])).below.append(action)
            tree.setdefault(prefix, {})
            node = prefix
        tree[node][text] = Step(text, action, [action])
        if isinstance(action, Grow) and not action.luxuries:  # the city is chosen, and may already grow with that
            tree[text] = {text: Step(text, action, [action])}
    return tree


def _node(tree: Tree, legal: dict[str, Action], whole: str) -> tuple[str, str]:
    """Return the prefix whose question is asked, and what is chosen."""
    if whole not in tree:
        return next(text for text in _cut_back(whole.split()) if text in tree), whole
    most = list(tree[whole])[-1]
    return whole, most if isinstance(legal.get(most), Place) else whole


def _question(state: State, tree: Tree, node: str, action: Action | None, text: str, chosen: str) -> Ask:
    """Return the question of a prefix, `text` being the option that is chosen; a number of workers may be chosen beyond the prefix."""
    steps = list(tree[node].values())
    options = _with_free_targets([option_of(state, node, step, action is not None and step.text == text) for step in steps])
    on_board = is_on_board(state, node, options[0].text)
    asked = Ask(
        title_of(state, node, steps),
        options,
        chosen,
        hint=hint_of(state, node, steps),
        back=_back(tree, node, text, action),
        why_not=() if node else why_not(state, [step.action for step in steps]),
        on_board=on_board,
        closed=closed_of(state, node, [option.target for option in options]) if on_board else {},
    )
    if action is None:
        return asked
    told = consequences(state, action)
    return replace(asked, action=text, confirm=confirm_of(state, action), consequence=told[0], also=told[1:])


def _back(tree: Tree, node: str, chosen: str, action: Action | None) -> str | None:
    """Return the prefix one step back: from a chosen action its question, from a question the one before it."""
    if chosen != node and not isinstance(action, Place):
        return node
    if not node:
        return None
    return next(text for text in _cut_back(node.split()[:-1]) if text in tree)


def _with_free_targets(options: list[Option]) -> list[Option]:
    """Return the options under their headings in turn; of those that share a target the first keeps it."""
    seen: set[str] = set()
    out = []
    headings = list(dict.fromkeys(option.group.text if option.group else "" for option in options))
    for option in sorted(options, key=lambda option: headings.index(option.group.text if option.group else "")):
        out.append(replace(option, target=None) if option.target in seen else option)
        if option.target is not None:
            seen.add(option.target)
    return out


def _refusal(state: State, asked: Ask, rest: Sequence[str], text: str) -> Phrase | None:
    """Return why the first word that is of no use is not possible: a closed place, or an action that is not allowed."""
    for target in (target for word in rest for target in (f"area-{word}", f"box-{word}", word)):
        if target in asked.closed:
            return asked.closed[target]
    try:
        action = parse_action(text)
    except ActionFormatError:
        return None
    return because_of(state, action)
