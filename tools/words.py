"""The word check: habits that a native writer of English does not have, in messages, pages, rule books, docs, docstrings and comments.

`python -m tools.words` prints `file:line: "reckon": write "calculate, work out, count"` for each find, and exits with 1 if there is one.
"""

from __future__ import annotations

import ast
import io
import json
import re
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
CATALOGUE: Final = "locale/hu/LC_MESSAGES/django.po"  # all message ids: `messages --check` keeps it in step with code and templates
FOR_PLAYERS: Final = (
    CATALOGUE,
    "templates/**/*.html",
    "templates/**/*.txt",
    "voice/glossary/en.toml",
    "rules_docs/content/*/en/**/*.md",
    "rules_docs/content/*/examples/*.json",
    "rules_docs/content/*/held.json",
)
PACKAGES: Final = ("archives", "clients", "games", "portal", "rules_docs", "tests", "tools", "voice")
FOR_DEVELOPERS: Final = (
    "README.md",
    "CHANGELOG.md",
    "docs/**/*.md",
    "clients/*/README.md",
    "games/*/README.md",
    "rules_docs/README.md",
    *(f"{package}/**/*.py" for package in PACKAGES),
)


@dataclass(frozen=True, slots=True)
class Habit:
    """Words to avoid, as a pattern, and what to write instead."""

    pattern: str
    write: str
    fine: dict[str, str] = field(default_factory=dict)  # legitimate uses: a pattern that covers the find, and the reason
    is_fine_for_developers: bool = False  # the word is also a name in the code


HABITS: Final = (
    Habit(r"\b(?:the|a|its|their) begin\b|\bbeginning of\b|\bat the beginning\b", "start"),
    Habit(r"\b(?:begin(?:s|ning)?|began) again\b", "restart, place your empire again"),
    Habit(
        r"(?:^|[.;:] )Who\b(?! (?:is|are|was|were|did|does|do|can|may|made|met|finished|knows)\b)[^?.!|]*\.(?:\s|$)|\bonly who\b",
        "anyone who, the player who",
    ),
    Habit(r"\breckon\w*", "calculate, work out, count"),
    Habit(r"\banew\b", "again, from scratch"),
    Habit(r"\bno(?:thing|body)? (?:\w+ ){0,5}any more\b", "no longer, nothing else"),
    Habit(
        r"\b(?:gives?|gave|given|giving) up\b",
        "discard, return, pay",
        {r"\bgive up (?:both actions|your second action)\b": "neither cards, tiles nor goods", r"\bdoes not give up\.": "keeps fighting"},
    ),
    Habit(r"\bcall(?:s|ed|ing)? off\b", "break off, end the attack; cancel"),
    Habit(r"\b(?:an|the|in) own\b", "your own, your"),
    Habit(r"\bthe other one\b", "the rest, the others, your opponent"),
    Habit(
        r"\b(?:lies?|lay|lying|stands?|standing|stood) (?:on|in|at|beside|under|there|face)\b",
        "is, there is",
        {r"\bskill lies in\b": "not a piece", r"\bstands? in for\b": "replaces"},
        is_fine_for_developers=True,
    ),
    Habit(r"\((?:not needed|if you like)\)", "optional"),
    Habit(r"\bone more\b|\bmore \w+ of yours\b", "extra, another", {r"\bone more than\b": "arithmetic"}),
    Habit(r"\bevenings?\b", "event, club night"),
    Habit(r"\blet(?:s|ting)? (?:them |him |her |\w+ )?in\b", "sign in, sign up; accept"),
    Habit(r"\bseat counts?\b", "player count, seats"),
    Habit(r"\bpoints given\b", "scoring, score"),
    Habit(
        r"\b(?:takes?|took|taken|taking) (?:it |them )?back\b|\bdone? (?:it )?again\b|\bdo it again\b",
        "undo, redo; withdraw",
        {r"\btake back the army\b": "a piece goes home"},
    ),
    Habit(r", for (?:it|he|she|they|there|this|that|we|you|nobody) (?:is|are|was|were|has|have|had|can|may|must|will)\b", "because, since"),
    Habit(r"\bderivations?\b", "details, breakdown", is_fine_for_developers=True),
    Habit(r"\bdraw (?:is|was) sealed\b", "provably fair draws"),
    Habit(r"\bladders?\b", "standings, leaderboard", is_fine_for_developers=True),
    Habit(r"\b(?:our|own|another|a|an open) readings?\b(?!-)|\breadings\b(?!-)", "house rule, interpretation"),
    Habit(r"\bexamples? that (?:is|are) played\b", "worked example"),
    Habit(r"\bbots? of the levels?\b", "Scribe bots"),
    Habit(r"\b(?:opened|done|moved|decided|used|placed|not) so(?=[.;,!)]|$)", "like this, with these settings"),
    Habit(r"\bthat is no (?!longer|more)[a-z]+\b|\bis no (?:text|number|date|action|record)\b", "this must be, is not a"),
    Habit(r"\b(?:has|have) to lie\b|\bmust lie\b", "must be"),
    Habit(r"\bvery many\b", "too many"),
    Habit(r"\bmail address(?:es)?\b", "email address"),
)
_CODE: Final = re.compile(
    r"(?s:\{% comment %\}.*?\{% endcomment %\})|\{#[^}]*#?\}|\[\[[^\]]*\]\]|`[^`\n]*`|\{%.*?%\}|\{\{.*?\}\}|<(?:style|script)\b.*?</\w+>|<[^>]*>",
    re.DOTALL,
)
_ENGLISH: Final = re.compile(r'"en": ("(?:[^"\\]|\\.)*")')  # a title, an introduction or a note of a worked example
_SENTENCE: Final = re.compile(r'("[^"]+\.")')  # the name of a test, as the rule pages show it
_MESSAGE: Final = re.compile(r'^msgid(?:_plural)? ((?:".*"\n)+)', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Find:
    file: str
    line: int
    words: str
    write: str

    def __str__(self) -> str:
        return f'{self.file}:{self.line}: "{" ".join(self.words.split())}": write "{self.write}"'


def check(root: Path = ROOT, habits: tuple[Habit, ...] = HABITS) -> Iterator[Find]:
    """Yield every find in what people read."""
    for patterns, is_for_players in ((FOR_PLAYERS, True), (FOR_DEVELOPERS, False)):
        for file in sorted({file for pattern in patterns for file in root.glob(pattern)}):
            for line, text in _texts(file):
                for start, words, write in finds(text, habits, is_for_players=is_for_players):
                    yield Find(file.relative_to(root).as_posix(), line + text.count("\n", 0, start), words, write)


def finds(text: str, habits: tuple[Habit, ...] = HABITS, *, is_for_players: bool = True) -> Iterator[tuple[int, str, str]]:
    """Yield (place in the text, words, what to write instead) for each find."""
    for habit in habits:
        if habit.is_fine_for_developers and not is_for_players:
            continue
        fine = [match.span() for pattern in habit.fine for match in re.finditer(pattern, text, re.IGNORECASE)]
        for match in re.finditer(habit.pattern, text, re.IGNORECASE | re.MULTILINE):
            if not any(start <= match.start() and match.end() <= end for start, end in fine):
                yield match.start(), match.group(), habit.write


def _texts(file: Path) -> Iterator[tuple[int, str]]:
    """Yield (line, text) of what people read in a file: messages, English examples, docstrings and comments, or all of it without markup."""
    text = file.read_text("utf-8")
    if file.suffix == ".po":
        for match in _MESSAGE.finditer(text):
            sentence = "".join(re.findall(r'"(.*)"', match[1])).replace('\\"', '"').replace("\\n", " ")
            yield text.count("\n", 0, match.start()) + 1, sentence
    elif file.suffix == ".json":
        for match in (_SENTENCE if file.name == "held.json" else _ENGLISH).finditer(text):
            yield text.count("\n", 0, match.start()) + 1, json.loads(match[1])
    elif file.suffix == ".py":
        for line, words in _docstrings_and_comments(text):
            yield line, _without_code(words)
    else:
        yield 1, _without_code(text)


def _docstrings_and_comments(source: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            docstring = ast.get_docstring(node, clean=False)
            if docstring is not None:
                yield node.body[0].lineno, docstring
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string.lstrip("# ")


def _without_code(text: str) -> str:
    """Blank code, markup and anchors, keeping the lines."""
    return _CODE.sub(lambda match: re.sub(r"[^\n]", "\0", match[0]), text)


def main() -> int:
    found = list(check())
    for find in found:
        print(find)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
