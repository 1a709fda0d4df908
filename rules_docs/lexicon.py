"""What people type and what the books say: stop words, synonyms and phrases of a language, from `synonyms/<lang>.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from rules_docs.stems import is_telling, stems, words

FOLDER: Final = Path(__file__).resolve().parent / "synonyms"
NUMERAL: Final = "#"  # stands in the index for any number; no word of a text can be it
SYNONYM_WEIGHT: Final = 0.7

Roots = tuple[str, ...]  # the stems of one word
Phrase = tuple[Roots, ...]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The synonyms of a language, by stem. `phrases` are longest first, each with the words that take its place."""

    stop: frozenset[str]
    number: tuple[Phrase, ...]  # phrases that ask for a number
    numerals: frozenset[str]
    same: Mapping[str, frozenset[str]]  # stem -> stems of words that mean the same
    phrases: tuple[tuple[Phrase, tuple[frozenset[str], ...]], ...]


@cache
def lexicon(lang: str) -> Lexicon:
    """Return the synonyms of a language; a language without a file has none."""
    file = FOLDER / f"{lang}.toml"
    data = tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}
    same: dict[str, set[str]] = {}
    phrases: list[tuple[Phrase, tuple[frozenset[str], ...]]] = []
    for group in data.get("same", ()):
        roots = {said: _telling(words(said)[0], lang) for said in group if len(words(said)) == 1}
        for said in group:
            others = frozenset[str]().union(*(theirs for other, theirs in roots.items() if other != said))
            if said not in roots:
                phrases.append((_phrase(said, lang), (others,)))
                continue
            for root in roots[said]:
                same.setdefault(root, set()).update(others)
    for said, meant in data.get("also", {}).items():
        phrases.append((_phrase(said, lang), tuple(frozenset(r for w in words(entry) for r in _telling(w, lang)) for entry in meant)))
    phrases.sort(key=lambda pair: -len(pair[0]))
    return Lexicon(
        stop=frozenset(words(data.get("stop", ""))),
        number=tuple(_phrase(said, lang) for said in data.get("number", ())),
        numerals=frozenset(words(data.get("numerals", ""))),
        same={root: frozenset(others) for root, others in same.items()},
        phrases=tuple(phrases),
    )


def _telling(folded: str, lang: str) -> frozenset[str]:
    """Return the stems of a word without those cut so short that other words share them."""
    return frozenset(root for root in stems(folded, lang) if is_telling(root, folded, lang))


def _phrase(said: str, lang: str) -> Phrase:
    return tuple(stems(word, lang) for word in words(said))


def starts_with(spoken: Sequence[Roots], said: Phrase) -> bool:
    """Whether a run of words begins with a phrase: word by word they share a stem."""
    return len(spoken) >= len(said) and all(set(a) & set(b) for a, b in zip(spoken, said, strict=False))
