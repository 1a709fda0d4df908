"""Search in the rule pages: paragraphs that have any of the words, best first.

A word counts more the rarer it is, a paragraph the more of the question it has; what a paragraph is (rule, table, list of interpretations)
weighs in last. `index.py` has prepared the weights of stems; this package's README tells the whole story.
"""

from __future__ import annotations

import heapq
import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import pairwise
from math import log
from typing import Final

from django.conf import settings
from django.db import connection

from rules_docs import aids, excerpts
from rules_docs.excerpts import Excerpt
from rules_docs.index import SCALE, names
from rules_docs.lexicon import NUMERAL, SYNONYM_WEIGHT, Roots, lexicon, starts_with
from rules_docs.stems import is_telling, parts, stems, words
from voice import glossary

MAX_HITS: Final = 15
MAX_ELSEWHERE: Final = 4  # hits in other languages
MAX_TERMS: Final = 3
MAX_QUERY: Final = 200
MAX_WORDS: Final = 16
CANDIDATES: Final = 30
SATURATION: Final = 0.8
COVERAGE: Final = 1.6  # power of the share of the question that a paragraph has
NEAR_BY: Final = 3  # words apart
NEAR: Final = 0.5  # what words of the question side by side add
BEGUN_WEIGHT: Final = 0.3  # of words that only begin like the one asked for
STUB_WEIGHT: Final = 0.4  # of a stem that other words may share
KNOWN_FROM: Final = 0.5  # a word that only lesser stems answer may be misspelt
ALSO: Final = 0.3  # what a synonym adds to the word itself
PART_WEIGHT: Final = 0.5  # of the first half of a compound
NUMERAL_WEIGHT: Final = 0.5
MIN_BEGUN: Final = 3
MIN_MISSPELT: Final = 4
MAX_MISSPELT: Final = 4

# What a paragraph is weighs in at the end: a rule comes before a table of the same words, and both before a chapter that repeats rules.
KINDS: Final = {"text": 1.0, "list": 0.95, "note": 0.82, "table": 0.8, "example": 0.4}
CHAPTERS: Final = {
    "overview": 0.85,
    "readings": 0.45,
    "advice": 0.45,
    "background": 0.35,
    "variants": 0.6,
    "corrections": 0.4,
    "forgotten": 0.6,
    "sample-game": 0.5,
    "example": 0.5,
    "worked-turn": 0.5,
    "hidden-information": 0.95,
    "components": 0.85,
    "empires": 0.7,
    "cards": 0.7,
    "map": 0.5,
}

# The row without a stem says how many paragraphs there are.
_POSTINGS: Final = """
SELECT root, postings FROM rules_docs_root WHERE lang = %(lang)s AND root = ANY(%(roots)s) AND (%(game)s = '' OR book_id = %(game)s)
UNION ALL SELECT '', ARRAY[coalesce(sum((sizes->>%(lang)s)::int), 0)::int] FROM rules_docs_book
"""
_BEGUN: Final = """
SELECT DISTINCT asked.begun, w.folded FROM unnest(%s::text[]) AS asked(begun)
JOIN rules_docs_word w ON w.lang = %s AND w.folded >= asked.begun COLLATE "C" AND w.folded < (asked.begun || chr(1114109)) COLLATE "C"
"""
# Misspelt words are looked for among those alike in trigrams, and those with the same first letter and about as long.
_LIKE: Final = """
SELECT asked.word, w.folded FROM unnest(%(words)s::text[]) AS asked(word)
JOIN rules_docs_word w ON w.lang = %(lang)s AND w.folded %% asked.word
UNION
SELECT asked.word, w.folded FROM unnest(%(words)s::text[]) AS asked(word)
JOIN rules_docs_word w ON w.lang = %(lang)s
    AND w.folded >= left(asked.word, 1) COLLATE "C" AND w.folded < (left(asked.word, 1) || chr(1114109)) COLLATE "C"
    AND length(w.folded) BETWEEN length(asked.word) - 1 AND length(asked.word) + 1
"""
_ROWS: Final = """
SELECT p.id, p.game, c.slug, c.title, p.section, p.anchor, p.number, p.kind, p.text,
    CASE WHEN p.kind = 'table' THEN p.html ELSE '' END
FROM rules_docs_paragraph p JOIN rules_docs_chapter c ON c.id = p.chapter_id WHERE p.id = ANY(%s)
"""
_MINUS: Final = re.compile(r"(?<!\S)-(?=[^\W_])([^\W_]+)")
_QUOTED: Final = re.compile(r'["“”„«»]([^"“”„«»]*)["“”„«»]')


@dataclass(frozen=True, slots=True)
class Hit:
    """A paragraph that was found."""

    game: str
    chapter: str
    title: str
    section: str
    anchor: str
    number: int | None
    kind: str
    lang: str
    excerpt: Excerpt


@dataclass(frozen=True, slots=True)
class Meant:
    """A word of the question that was read as another."""

    said: str
    meant: str
    is_translated: bool = False


@dataclass(frozen=True, slots=True)
class TermHit:
    """A noun of the glossary that the question names."""

    game: str
    id: str
    name: str
    elsewhere: tuple[tuple[str, str], ...]  # language, noun


@dataclass(frozen=True, slots=True)
class Result:
    """What was found."""

    hits: Sequence[Hit] = ()
    is_cut: bool = False  # more paragraphs answer than these
    meant: Sequence[Meant] = ()
    unknown: Sequence[str] = ()
    terms: Sequence[TermHit] = ()
    aids: Sequence[aids.AidHit] = ()
    elsewhere: Sequence[Hit] = ()

    @property
    def count(self) -> int:
        return len(self.hits)


@dataclass(slots=True)
class _Term:
    """One word of the question, with the stems that answer it and how much each is worth."""

    said: str
    roots: dict[str, float]
    weight: float = 1.0
    places: dict[int, float] = field(default_factory=dict)  # paragraph -> how much it is about the word, 0-1
    is_known: bool = False


@dataclass(slots=True)
class _Query:
    terms: list[_Term]
    phrases: list[list[Roots]]
    unwanted: list[_Term]


def search(q: str, lang: str, game: str = "", *, limit: int = MAX_HITS, exact: bool = False) -> Result:
    """Return the paragraphs that answer `q` for a reader of `lang`, best first; with `game` only those of one book."""
    if lang not in settings.INTERFACE_LANGUAGES:
        return Result()
    q = unicodedata.normalize("NFKC", q[:MAX_QUERY])[:MAX_QUERY].replace("\x00", " ")
    query = _read(q, lang)
    if not query.terms:
        return Result()
    size = _look_up(query, lang, game)
    meant: list[Meant] = []
    unknown = [term for term in query.terms if not term.is_known and term.roots and NUMERAL not in term.roots]
    if unknown and not exact:
        meant = _mend(unknown, lang)
        if meant:
            _fetch(unknown, lang, game)
    hits, is_cut = _ranked(query, lang, size, limit)
    lost = [term.said for term in unknown if not term.is_known]
    elsewhere: list[Hit] = []
    if not game and (lost or any(one.is_translated for one in meant) or not hits):
        elsewhere = _elsewhere(q, lang)
    asked = [term.roots for term in query.terms if NUMERAL not in term.roots]
    brief = aids.lines(asked, lang, game) if asked and not query.phrases and not query.unwanted else []
    return Result(hits, is_cut, meant, lost, _terms(q, lang), brief, elsewhere)


# ---------------------------------------------------------------- the question


def _read(q: str, lang: str) -> _Query:
    """Take a question apart: words, phrases in quotation marks, words shut out by a hyphen."""
    phrases = [[stems(word, lang) for word in words(part)] for part in _QUOTED.findall(q)]
    unwanted = [_term(word, lang) for part in _MINUS.findall(q) for word in words(part)[:1]][:4]
    rest = _MINUS.sub(" ", q) if unwanted else q
    spoken = words(rest)[: MAX_WORDS * 2]
    if not spoken:
        return _Query([], [], [])
    lex = lexicon(lang)
    roots = [stems(word, lang) for word in spoken]
    terms: list[_Term] = []
    at = 0
    while at < len(spoken):
        for said, meant in lex.phrases:
            if starts_with(roots[at:], said):
                name = " ".join(spoken[at : at + len(said)])
                terms += [_Term(name, dict.fromkeys(one, 1.0)) for one in meant]
                at += len(said)
                break
        else:
            if spoken[at] not in lex.stop and (len(spoken[at]) > 1 or spoken[at].isdigit()):
                terms.append(_term(spoken[at], lang))
            at += 1
    if not terms:
        terms = [_term(word, lang) for word in spoken]
    if any(starts_with(roots[at:], said) for at in range(len(roots)) for said in lex.number):
        terms.append(_Term(NUMERAL, {NUMERAL: 1.0}, NUMERAL_WEIGHT))
    different = {tuple(sorted(term.roots)): term for term in reversed(terms)}
    return _Query(list(reversed(different.values()))[:MAX_WORDS], [phrase for phrase in phrases if len(phrase) > 1][:4], unwanted)


def _term(word: str, lang: str) -> _Term:
    same = lexicon(lang).same
    roots: dict[str, float] = {}
    for root in stems(word, lang):
        for other in same.get(root, ()):
            roots.setdefault(other, SYNONYM_WEIGHT)
    for part in parts(word, lang, known=()):
        roots |= dict.fromkeys(stems(part, lang), PART_WEIGHT)
        for root in stems(part, lang):
            for other in same.get(root, ()):
                roots.setdefault(other, SYNONYM_WEIGHT)
    for root in stems(word, lang):
        roots[root] = 1.0 if is_telling(root, word, lang) else STUB_WEIGHT
    return _Term(word, roots)


# ---------------------------------------------------------------- words in the index


def _look_up(query: _Query, lang: str, game: str) -> int:
    """Find the paragraphs of each word, unfinished words included; return how many paragraphs there are."""
    begun = {term.said for term in query.terms if len(term.said) >= MIN_BEGUN and term.said.isalpha()}
    longer: dict[str, list[str]] = defaultdict(list)
    if begun:
        with connection.cursor() as cursor:
            cursor.execute(_BEGUN, [sorted(begun), lang])
            for said, folded in cursor.fetchall():
                longer[said].append(folded)
    for term in query.terms:
        term.is_known = term.said in longer
        for folded in longer.get(term.said, ()):
            for root in stems(folded, lang):
                if len(root) >= len(term.said) or lang != "hu":
                    term.roots.setdefault(root, BEGUN_WEIGHT)
    return _fetch([*query.terms, *query.unwanted], lang, game)


def _fetch(terms: Sequence[_Term], lang: str, game: str) -> int:
    """Find the paragraphs of the stems of each word; return how many paragraphs there are."""
    halves = {term.said: _halves(term.said, lang) for term in terms}
    wanted = {root for term in terms for root in term.roots} | {part for pairs in halves.values() for pair in pairs for part in pair}
    found = _postings(sorted(wanted), lang, game)
    size = found.pop("")[0][0]
    for term in terms:
        for first, second in halves[term.said]:
            if first in found and second in found:
                term.roots.setdefault(first, PART_WEIGHT)
        own: dict[int, float] = {}
        others: dict[int, float] = {}
        for root, worth in term.roots.items():
            best = own if worth == 1 else others
            for places in found.get(root, ()):
                term.is_known = term.is_known or worth >= KNOWN_FROM
                numbers = iter(places)
                for key, weight in zip(numbers, numbers, strict=True):
                    about = worth * weight * (1 + SATURATION) / (weight + SATURATION * SCALE)
                    if about > best.get(key, 0.0):
                        best[key] = about
        term.places = {key: own.get(key, 0.0) + others.get(key, 0.0) * (ALSO if key in own else 1) for key in own.keys() | others.keys()}
    return size


def _postings(roots: list[str], lang: str, game: str) -> dict[str, list[Sequence[int]]]:
    found: dict[str, list[Sequence[int]]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(_POSTINGS, {"lang": lang, "roots": roots, "game": game})
        for root, places in cursor.fetchall():
            found[root].append(places)
    return found


def _halves(word: str, lang: str) -> list[tuple[str, str]]:
    """Return the ways of cutting a Hungarian compound in two; both halves must be words of the books."""
    if lang != "hu" or not 9 <= len(word) <= 30:
        return []
    return [(word[:at], second) for at in range(4, len(word) - 3) for second in stems(word[at:], lang)[-3:]]


def _mend(unknown: Sequence[_Term], lang: str) -> list[Meant]:
    """Give words that no book has the stems of what they may have meant: the noun of another language, or a word spelt alike."""
    meant = []
    misspelt = []
    for term in unknown:
        if noun := _translated(term.said, lang):
            meant.append(Meant(term.said, noun, is_translated=True))
            term.roots = {root: 1.0 for word in words(noun) for root in stems(word, lang)}
        elif MIN_MISSPELT <= len(term.said) <= 30 and term.said.isalpha():
            misspelt.append(term)
    if misspelt:
        with connection.cursor() as cursor:
            cursor.execute(_LIKE, {"words": sorted({term.said for term in misspelt})[:MAX_MISSPELT], "lang": lang})
            alike: dict[str, list[str]] = defaultdict(list)
            for said, folded in cursor.fetchall():
                alike[said].append(folded)
        for term in misspelt:
            near = [(steps, len(folded), folded) for folded in alike[term.said] if (steps := _distance(term.said, folded)) is not None]
            if near:
                folded = min(near)[2]
                meant.append(Meant(term.said, folded))
                term.roots = _term(folded, lang).roots
    return meant


def _distance(a: str, b: str) -> int | None:
    """Return how many letters must be changed, added, dropped or swapped with the next; None when they are too many."""
    most = 1 if len(a) < 6 else 2 if len(a) < 10 else 3
    if abs(len(a) - len(b)) > most:
        return None
    older: list[int] = []
    old = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            cost = min(old[j] + 1, row[-1] + 1, old[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return None
        older, old = old, row
    return old[-1] if old[-1] <= most else None


# ---------------------------------------------------------------- the glossary and other languages


@cache
def _nouns(lang: str) -> Mapping[str, tuple[tuple[str, str], ...]]:
    """Return the nouns of a language by their stems: {stems: ((game, id), …)}."""
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for game, entries in glossary.sections(lang).items():
        for noun, entry in entries.items():
            forms = [entry] if isinstance(entry, str) else list(entry.values())
            for said in {" ".join(words(form)) for form in forms}:
                found[said].append((game, noun))
    return {said: tuple(dict.fromkeys(places)) for said, places in found.items()}


def _translated(word: str, lang: str) -> str:
    """Return the noun of `lang` for a noun of another language; "" when the glossary has none."""
    for other in settings.INTERFACE_LANGUAGES:
        if other != lang:
            for form in (word, *stems(word, other)):
                for game, noun in _nouns(other).get(form, ()):
                    return glossary.noun(game, noun, lang)
    return ""


def _terms(q: str, lang: str) -> list[TermHit]:
    """Return the nouns that the whole question names, one for each game."""
    said = " ".join(words(q))
    found: dict[str, TermHit] = {}
    for game, noun in _nouns(lang).get(said, ()):
        others = tuple((code, glossary.noun(game, noun, code)) for code in settings.INTERFACE_LANGUAGES if code != lang)
        found.setdefault(game, TermHit(game, noun, glossary.noun(game, noun, lang), others))
    return list(found.values())[:MAX_TERMS]


def _elsewhere(q: str, lang: str) -> list[Hit]:
    """Return hits in the languages that know every word of the question."""
    found: list[Hit] = []
    for other in settings.INTERFACE_LANGUAGES:
        if other == lang:
            continue
        query = _read(q, other)
        size = _look_up(query, other, "") if query.terms else 0
        own = [term for term in query.terms if NUMERAL not in term.roots]
        if own and all(term.is_known for term in own):
            found += _ranked(query, other, size, MAX_ELSEWHERE)[0]
    return found[:MAX_ELSEWHERE]


# ---------------------------------------------------------------- ranking


def _ranked(query: _Query, lang: str, size: int, limit: int) -> tuple[list[Hit], bool]:
    """Return the best hits, best first, and whether there are more."""
    scores: dict[int, float] = defaultdict(float)
    covered: dict[int, float] = defaultdict(float)
    whole = 0.0
    for term in query.terms:
        rarity = term.weight * log(1 + (size - len(term.places) + 0.5) / (len(term.places) + 0.5)) if term.places else 0.0
        whole += rarity
        for key, about in term.places.items():
            scores[key] += rarity * about
            covered[key] += rarity * about if about < 1 else rarity
    only_numbers = {key for term in query.terms if NUMERAL in term.roots for key in term.places}
    only_numbers -= {key for term in query.terms if NUMERAL not in term.roots for key in term.places}
    without = {key for term in query.unwanted for key in term.places}
    if not whole:
        return [], False
    found = {
        key: score * (covered[key] / whole) ** COVERAGE for key, score in scores.items() if key not in without and key not in only_numbers
    }
    wide = CANDIDATES * 4 if query.phrases else CANDIDATES
    best = heapq.nlargest(wide, found.items(), key=lambda pair: (pair[1], -pair[0]))
    with connection.cursor() as cursor:
        cursor.execute(_ROWS, [[key for key, _ in best]])
        rows = {row[0]: row for row in cursor.fetchall()}
    wanted = {root for term in query.terms for root in term.roots if root != NUMERAL}
    asked = [frozenset(term.roots) for term in query.terms if term.places and NUMERAL not in term.roots]
    answers: dict[str, tuple[int, ...]] = {}  # word of a text -> the words of the question that it answers
    kept = []
    for key, score in best:
        row = rows.get(key)
        if row is None:
            continue
        spoken = _spoken(f"{row[4]} {row[8]}") if query.phrases or len(asked) > 1 else ()
        if query.phrases and not _has_phrases([stems(word, lang) for word in spoken], query.phrases):
            continue
        for word in spoken:
            if word not in answers:
                own = stems(word, lang)
                answers[word] = tuple(at for at, roots in enumerate(asked) if not roots.isdisjoint(own))
        named = names(row[1], lang)  # it stands for the whole game, wherever the text says it
        near = _nearness([answers[word] for word in spoken], [at for at, roots in enumerate(asked) if roots.isdisjoint(named)])
        kept.append((score * KINDS.get(row[7], 1.0) * CHAPTERS.get(row[2], 1.0) * (1 + NEAR * near), -key, row))
    kept.sort(reverse=True)
    hits = [
        Hit(game, slug, title, section, anchor, number, kind, lang, excerpts.excerpt(kind, text, html, wanted, lang))
        for _, _, (_, game, slug, title, section, anchor, number, kind, text, html) in kept[:limit]
    ]
    return hits, len(kept) > limit


@lru_cache(maxsize=4096)
def _spoken(text: str) -> tuple[str, ...]:
    return tuple(words(text))


def _has_phrases(spoken: Sequence[Roots], phrases: Sequence[Sequence[Roots]]) -> bool:
    return all(any(starts_with(spoken[at:], tuple(phrase)) for at in range(len(spoken))) for phrase in phrases)


def _nearness(spoken: Sequence[tuple[int, ...]], asked: Sequence[int]) -> float:
    """Return the share of neighbouring words of the question that stand within three words of each other in a text."""
    if len(asked) < 2 or not spoken:
        return 0.0
    places: dict[int, list[int]] = {at: [] for at in asked}
    for place, answered in enumerate(spoken):
        for at in answered:
            if at in places:
                places[at].append(place)
    pairs = list(pairwise(asked))
    return sum(any(0 < abs(a - b) <= NEAR_BY for a in places[one] for b in places[other]) for one, other in pairs) / len(pairs)
