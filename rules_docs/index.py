"""What the search keeps of a book: for each stem, the paragraphs that have it and how much each is about it.

A paragraph is also found by the words of its heading, its chapter and its game. Such a word counts most for the first paragraph
below it, which is where a chapter says what the thing is.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from rules_docs import content
from rules_docs.examples import Example
from rules_docs.lexicon import NUMERAL, lexicon
from rules_docs.stems import parts, stems, words

SCALE: Final = 100  # weights are kept as whole hundredths
USUAL_LENGTH: Final = 40  # words of a paragraph of average length
LEAST_LENGTH: Final = 40  # what a shorter one counts as
LENGTH_SHARE: Final = 0.35  # how much of a paragraph's length counts against it
HEADING, HEADING_FIRST = 0.8, 4.0
CHAPTER, CHAPTER_FIRST = 0.4, 4.0
LEADING, LEAD = 5, 0.6  # words that a paragraph opens with: it is likely about them
BOLD: Final = 3.0  # a paragraph sets the word in bold that it explains
GAME: Final = 2.0
NAMED_AS_WELL: Final = 0.5  # what a text adds that says the name of its game
PART: Final = 0.6  # of a compound
_LINK: Final = re.compile(r'<a class="rule-ref".*?</a>', re.DOTALL)
_TAG: Final = re.compile(r"<[^>]+>")
_BOLD: Final = re.compile(r"<strong>(.*?)</strong>", re.DOTALL)
SHORTEST_WORD: Final = 4  # kept to correct misspelt words
LONGEST_WORD: Final = 60  # that the database holds

Row = Mapping[str, Any]


def example_text(shown: Example, lang: str) -> str:
    """Return title, introduction and notes of a worked example, one line each; in English where the language lacks them."""
    texts = [shown.title, shown.intro, *(step.note for step in shown.steps)]
    return "\n".join(said for text in texts if (said := text.get(lang) or text.get(content.FALLBACK, "")))


@cache
def fingerprint() -> str:
    """Return a digest of what decides how a book is kept, so that books are loaded again after it changed."""
    folder = Path(__file__).resolve().parent
    files = [folder / "index.py", folder / "stems.py", *sorted((folder / "synonyms").glob("*.toml"))]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


@cache
def names(game: str, lang: str) -> frozenset[str]:
    """Return the stems of what a game is called in a language and in English."""
    titles = f"{content.book(game).title_in(lang)} {content.book(game).title_in(content.FALLBACK)}"
    return frozenset(root for word in words(titles) if word not in lexicon(lang).stop for root in stems(word, lang))


def postings(game: str, lang: str, rows: Iterable[tuple[int, Row, str]]) -> dict[str, dict[int, int]]:
    """Return {stem: {id of paragraph: weight}} for the paragraphs of a book in a language: (id, values, title of its chapter)."""
    found: dict[str, dict[int, int]] = defaultdict(dict)
    named = names(game, lang)
    rows = list(rows)
    known = vocabulary((row for _, row, _ in rows), lang)
    before: Mapping[str, Any] = {}
    chapter_before = ""
    for key, row, chapter in rows:
        if row["text_lang"] != lang or not row["text"]:
            continue
        weights: dict[str, float] = defaultdict(float)
        spoken = words(_own_text(row))
        length = max(len(spoken), LEAST_LENGTH)  # else asides of a few words come first
        _add(weights, spoken, 1 / (1 - LENGTH_SHARE + LENGTH_SHARE * length / USUAL_LENGTH), lang)
        _add(weights, set(spoken[:LEADING]), LEAD, lang)
        _add(weights, {part for word in spoken for part in parts(word, lang, known)}, PART, lang)
        if row["kind"] != "table":
            _add(weights, {word for bold in _BOLD.findall(row["html"]) for word in words(bold)}, BOLD, lang)
        starts = row["section"] != before.get("section") or chapter != chapter_before
        if row["section"] != chapter:
            heading = words(row["section"])
            split = {part for word in heading for part in parts(word, lang, known)}
            _add(weights, {*heading, *split}, HEADING_FIRST if starts else HEADING, lang)
        _add(weights, set(words(chapter)), CHAPTER_FIRST if chapter != chapter_before else CHAPTER, lang)
        for root in named:
            weights[root] = GAME + min(weights[root], NAMED_AS_WELL)
        numerals = lexicon(lang).numerals
        if any(word.isdigit() or word in numerals for word in spoken):
            weights[NUMERAL] = 1
        for root, weight in weights.items():
            found[root][key] = max(1, round(weight * SCALE))
        before, chapter_before = row, chapter
    return found


def _own_text(row: Row) -> str:
    """Return the text of a paragraph without the links to others, which name their chapters."""
    return _TAG.sub(" ", _LINK.sub(" ", row["html"])) if row["html"] else row["text"]


def vocabulary(rows: Iterable[Row], lang: str) -> set[str]:
    """Return the words of a book in a language, to finish words that have only begun and to correct misspelt ones."""
    return {
        word
        for row in rows
        if row["text_lang"] == lang
        for word in words(f"{row['text']} {row['section']}")
        if len(word) >= SHORTEST_WORD and word.isalpha() and len(word) <= LONGEST_WORD
    }


def _add(weights: dict[str, float], spoken: Iterable[str], weight: float, lang: str) -> None:
    for word in spoken:
        for root in stems(word, lang):
            if len(root) <= LONGEST_WORD:
                weights[root] += weight


def forget() -> None:
    """Read synonyms and the names of the games again at the next use (after their files changed)."""
    fingerprint.cache_clear()
    names.cache_clear()
    lexicon.cache_clear()
