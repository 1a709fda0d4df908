"""What all games' questions share: the words of a prefix, the tree of steps, headings, refusals. A game only writes its labels.

An unfinished choice is a prefix of an action's text. An unusable prefix is cut back to its usable part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Generic, ParamSpec, TypeVar

from games.core.contract import ActionFormatError, Ask, IllegalAction, Option, Phrase

P = ParamSpec("P")
Action = TypeVar("Action")
THEN: Final = " then "  # between the actions of a plan (contract.Plan)
WhyNot = tuple[Phrase, Phrase]  # a question a player might ask, and its answer


# Sentences


@dataclass(frozen=True, slots=True)
class Voice:
    """How a game says things: `rule` is the prefix of its anchors ("babel#"), `phrases` are its sentences by key."""

    rule: str
    phrases: Mapping[str, str]

    def phrase(self, text: str, anchor: str | None = None, /, **params: object) -> Phrase:
        """Return a sentence with its paragraph."""
        return Phrase(text, params, None if anchor is None else self.rule + anchor)

    def refused(self, reason: str, anchor: str, /, **params: object) -> Phrase:
        """Return the sentence of a refusal by its key without "refused."."""
        return self.phrase(self.phrases[f"refused.{reason}"], anchor, **params)

    def because(self, error: IllegalAction) -> Phrase:
        """Return the sentence of a refusal."""
        return Phrase(self.phrases[error.reason], error.params, error.rule)

    def why(self, check: Callable[P, object], *args: P.args, **params: P.kwargs) -> Phrase | None:
        """Return why `check` refuses, or None if it does not."""
        try:
            check(*args, **params)
        except IllegalAction as error:
            return self.because(error)
        return None


def answered(question: Phrase, answer: Phrase | None) -> list[WhyNot]:
    """Return a question with its answer, or nothing if there is no answer."""
    return [] if answer is None else [(question, answer)]


# Prefixes


def words_of(chosen: str, longest: int) -> list[str]:
    """Return the words of a prefix, or none if it is over `longest` characters."""
    return chosen.split() if len(chosen) <= longest else []


def cut_back(words: Sequence[str]) -> list[str]:
    """Return the prefix and every shorter prefix of it, longest first.

    >>> cut_back(["tile", "temple"])
    ['tile temple', 'tile', '']
    """
    return [" ".join(words[:count]) for count in range(len(words), -1, -1)]


def parsed(parse: Callable[[str], Action], text: str) -> Action | None:
    """Return the action that a text names, or None if it names none."""
    try:
        return parse(text)
    except ActionFormatError:
        return None


def usable(words: Iterable[str], index: Mapping[str, int], have: Sequence[int] | Mapping[int, int], most: int) -> list[int]:
    """Return the pieces that `words` name, in canonical order, up to the first word that is not available, at most `most` of them."""
    chosen: list[int] = []
    for word in words:
        piece = index.get(word)
        if piece is None or chosen.count(piece) >= have[piece] or len(chosen) == most:
            break
        chosen.append(piece)
    return sorted(chosen)


# Steps


@dataclass(frozen=True, slots=True)
class Step(Generic[Action]):
    """A step of a question: the prefix it leads to, the first legal action that starts with it, and all such actions."""

    text: str
    action: Action
    below: list[Action]


Tree = dict[str, dict[str, Step[Action]]]  # prefix -> the steps from it, by the prefix they lead to


def tree_of(legal: Mapping[str, Action], depths: Callable[[Sequence[str], Action], Iterable[int]]) -> Tree[Action]:
    """Return the steps from every prefix that leads to a legal action.

    `depths` lists, in ascending order, after how many words of an action there is a question.
    """
    tree: Tree[Action] = {"": {}}
    for text, action in legal.items():
        words = text.split(" ")
        node = ""
        for depth in depths(words, action):
            prefix = " ".join(words[:depth])
            tree[node].setdefault(prefix, Step(prefix, action, [])).below.append(action)
            tree.setdefault(prefix, {})
            node = prefix
        tree[node][text] = Step(text, action, [action])
    return tree


def asked_at(tree: Mapping[str, object], words: Sequence[str]) -> str:
    """Return the longest part of a prefix, from its start, that has a question."""
    return next(text for text in cut_back(words) if text in tree)


# Answers


@dataclass(frozen=True, slots=True)
class Said:
    """An answer: its label, what is drawn, its piece on the board, its heading, the number on the picture, whether it is folded."""

    label: Phrase
    picture: str | None = None
    target: str | None = None
    group: Phrase | None = None
    number: int | None = None
    aside: bool = False

    def option(self, text: str, is_chosen: bool, is_irreversible: bool) -> Option:
        """Return the answer as an option that leads to the prefix `text`."""
        return Option(
            text, self.label, self.picture, self.number, is_chosen, self.target, is_irreversible, group=self.group, aside=self.aside
        )


def under_headings(options: Sequence[Option]) -> list[Option]:
    """Return the options in the order of their headings."""
    headings = list(dict.fromkeys(option.group.text if option.group else "" for option in options))
    return sorted(options, key=lambda option: headings.index(option.group.text if option.group else ""))


def with_free_targets(options: Iterable[Option]) -> list[Option]:
    """Return the options; if several share a target, the first keeps it."""
    seen: set[str | None] = {None}
    out = []
    for option in options:
        out.append(replace(option, target=None) if option.target in seen else option)
        seen.add(option.target)
    return out


# Questions


def with_action(asked: Ask, action: object, confirm: Phrase, told: Sequence[Phrase]) -> Ask:
    """Return the question for a complete action: the button, and what the action would do, the main thing first."""
    return replace(asked, action=str(action), confirm=confirm, consequence=told[0], also=told[1:])


def unless_cut(asked: Ask, words: Sequence[str], refusal: Callable[[], Phrase | None]) -> Ask:
    """Return the question of a prefix, with the reason if the prefix was cut back."""
    return asked if asked.chosen == " ".join(words) else replace(asked, refusal=refusal())
