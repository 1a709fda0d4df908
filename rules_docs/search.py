"""Search in the rule pages: by the language's stems, without accents in Hungarian; by similar words when nothing is found."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import Final

from django.db import connection
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from rules_docs.models import SEARCH_CONFIGS, WORDS_CONFIG

MAX_HITS: Final = 30
MAX_QUERY: Final = 200
MAX_ALIKE: Final = 6
SHOWN_WHOLE: Final = 420  # longest paragraph shown whole, in characters
# A hyphen that neither joins two words nor stands before one that is unwanted. PostgreSQL would nest a run of them, and only 32 deep.
_STRAY_HYPHEN: Final = re.compile(r"""-(?![\w"])|(?<=[^\w\s])-""")
START, STOP = "\x02", "\x03"  # placeholders for <mark> until the rest is escaped

# The best rows are picked first, and only those are cut into excerpts.
_BY_STEM: Final = """
WITH query AS (SELECT websearch_to_tsquery(%(config)s::regconfig, %(q)s) AS whole, to_tsquery(%(config)s::regconfig, %(prefix)s) AS begun),
best AS (
    SELECT p.id, ts_rank(p.search, q.whole) + 0.5 * ts_rank(p.search, q.begun) AS rank
    FROM rules_docs_paragraph p, query q
    WHERE p.lang = %(lang)s AND p.text_lang = p.lang AND p.text <> '' AND p.search @@ (q.whole || q.begun)
    ORDER BY rank DESC, p.id LIMIT %(limit)s
)
SELECT p.game, c.slug, c.title, p.section, p.anchor, p.number,
    ts_headline(%(shown)s::regconfig, p.text, q.whole || q.begun,
        CASE WHEN length(p.text) <= %(short)s THEN %(marks)s || ', HighlightAll=true' ELSE %(marks)s || %(cut)s END)
FROM best JOIN rules_docs_paragraph p USING (id) JOIN rules_docs_chapter c ON c.id = p.chapter_id, query q
ORDER BY best.rank DESC, p.id
"""
_LIKE: Final = """
SELECT DISTINCT ON (asked.nr) asked.nr, w.word
FROM unnest(%(words)s::text[]) WITH ORDINALITY AS asked(word, nr)
JOIN rules_docs_word w ON w.lang = %(lang)s AND w.folded %% asked.word
ORDER BY asked.nr, similarity(w.folded, asked.word) DESC, w.word
"""
_MARKS: Final = f"StartSel={START}, StopSel={STOP}"
_CUT: Final = ', MaxWords=50, MinWords=30, MaxFragments=2, FragmentDelimiter=" … "'


@dataclass(frozen=True, slots=True)
class Hit:
    """A paragraph that was found; `excerpt` is safe HTML with the words marked."""

    game: str
    chapter: str
    title: str
    section: str
    anchor: str
    number: int
    excerpt: SafeString


@dataclass(slots=True)
class Group:
    """The hits of one game, best first."""

    game: str
    hits: list[Hit] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a search. `alike` has the words of the book that replaced unknown ones."""

    groups: list[Group]
    count: int
    alike: str = ""


def search(q: str, lang: str) -> Result:
    """Return the paragraphs of a language that answer `q`, grouped by game, games in the order of their best hit."""
    q = re.sub(r"[\x00-\x1f]+", " ", q).strip()[:MAX_QUERY]
    q = _STRAY_HYPHEN.sub(" ", q)
    words = re.findall(r"\w+", q)
    if not words or lang not in SEARCH_CONFIGS:
        return Result([], 0)
    groups = _by_stem(q, words, lang)
    if groups or not _prefix_query(q, words):
        return Result(groups, sum(len(group.hits) for group in groups))
    meant = _alike(words, lang)
    groups = _by_stem(" ".join(meant), meant, lang) if meant else []
    return Result(groups, sum(len(group.hits) for group in groups), " ".join(meant) if groups else "")


def fold(word: str) -> str:
    """Return a word in small letters without accents.

    >>> fold("Napkövek")
    'napkovek'
    """
    apart = unicodedata.normalize("NFKD", word.lower())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def _by_stem(q: str, words: list[str], lang: str) -> list[Group]:
    prefix = _prefix_query(q, words)
    values: dict[str, str | int] = {
        "config": SEARCH_CONFIGS[lang],
        "shown": WORDS_CONFIG if prefix and lang != "en" else SEARCH_CONFIGS[lang],
        "q": q,
        "prefix": prefix,
        "lang": lang,
        "limit": MAX_HITS,
        "marks": _MARKS,
        "cut": _CUT,
        "short": SHOWN_WHOLE,
    }
    with connection.cursor() as cursor:
        cursor.execute(_BY_STEM, values)
        rows = cursor.fetchall()
    groups: dict[str, Group] = {}
    for game, chapter, title, section, anchor, number, excerpt in rows:
        marked = mark_safe(str(escape(excerpt)).replace(START, "<mark>").replace(STOP, "</mark>"))
        groups.setdefault(game, Group(game)).hits.append(Hit(game, chapter, title, section, anchor, number, marked))
    return list(groups.values())


def _alike(words: list[str], lang: str) -> list[str]:
    """Return the most similar word of the books for each word; words without one are left out."""
    with connection.cursor() as cursor:
        cursor.execute(_LIKE, {"words": [fold(word) for word in words[:MAX_ALIKE]], "lang": lang})
        return [word for _, word in cursor.fetchall()]


def _prefix_query(q: str, words: list[str]) -> str:
    """Return a tsquery that matches every word as a prefix; none for a query with operators ("…", -word)."""
    if '"' in q or re.search(r"(^|\s)-\w", q) or re.search(r"\bor\b", q, re.IGNORECASE):
        return ""
    return " & ".join(f"{word}:*" for word in words if len(word) > 2)
