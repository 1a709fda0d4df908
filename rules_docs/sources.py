"""Coverage of the sources: which paragraph of a book tells each paragraph of the rule book that it was written from.

`content/<game>/sources.toml` lists every paragraph, list, table, example, picture and side note of the source, named in our own words, with
the anchors that cover it or the reason why it is left out. The source itself isn't needed: the list has the count below each heading.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rules_docs import content
from rules_docs.content import ContentError

FILE: Final = "sources.toml"
KINDS: Final = ("text", "list", "table", "side note", "example", "picture")
_RANGE: Final = re.compile(r"(.+-)(\d+)\.\.(\d+)$")
_ENTRY: Final = re.compile(r"\s*\{ n = ")
_OWN: Final = re.compile(r"\s*\{ anchors = ")
_HEADING: Final = "[[headings]]"


@dataclass(frozen=True, slots=True)
class Entry:
    """One paragraph of the source: the anchors that cover it, why it (or part of it) is left out, or both."""

    number: int
    kind: str
    what: str
    anchors: tuple[str, ...]
    left_out: str
    line: int


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the source, with the number of its paragraphs as they were counted."""

    title: str
    count: int
    entries: tuple[Entry, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Own:
    """Paragraphs and examples of ours that no paragraph of the source stands behind, and why we have them."""

    anchors: tuple[str, ...]
    why: str
    line: int


@dataclass(frozen=True, slots=True)
class Sources:
    """The list of one book."""

    file: Path
    revision: int  # of the source, when it was counted
    headings: tuple[Heading, ...]
    own: tuple[Own, ...]


def read(game: str, root: Path = content.ROOT) -> Sources:
    """Return the list of a book. Raises ContentError."""
    file = root / game / FILE
    if not file.is_file():
        raise ContentError(file, 1, "the book has no list of its source; see rules_docs/README.md")
    text = file.read_text("utf-8")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ContentError(file, 1, str(error)) from None
    headings = _tables(file, data, "headings")
    counted = [_tables(file, heading, "entries") for heading in headings]
    own = _tables(file, data, "own")
    lines = text.splitlines()
    entry_lines = _lines(file, lines, _ENTRY, sum(map(len, counted)), "{ n = …")
    own_lines = _lines(file, lines, _OWN, len(own), "{ anchors = …")
    heading_lines = [at for at, line in enumerate(lines, 1) if line.strip() == _HEADING]
    next_line = iter(entry_lines)
    return Sources(
        file=file,
        revision=_value(file, 1, data, "source_revision", int),
        headings=tuple(
            Heading(
                title=_value(file, line, heading, "title", str),
                count=_value(file, line, heading, "count", int),
                entries=tuple(_entry(file, next(next_line), entry) for entry in entries),
                line=line,
            )
            for heading, entries, line in zip(headings, counted, heading_lines, strict=True)
        ),
        own=tuple(
            Own(_anchors(file, line, _value(file, line, one, "anchors", list)), _value(file, line, one, "why", str), line)
            for one, line in zip(own, own_lines, strict=True)
        ),
    )


def problems(game: str, root: Path = content.ROOT) -> list[str]:
    """Return what is wrong with the coverage of a book, each as one line: file, line, what to do. [] when all is well."""
    book = content.book(game, root)
    found = list(_lagging(book))
    try:
        sources = read(game, root)
        written = {lang: content.written(book, lang) for lang in book.languages}
    except ContentError as error:
        return [*found, str(error)]
    return [*found, *_miscounted(book, sources), *_lost(sources, written), *_unexplained(book, sources, written[book.source_language])]


# ---------------------------------------------------------------- checks


def _lagging(book: content.Book) -> Iterator[str]:
    """A chapter written from an older revision of the source has to be compared with the source again."""
    for info in book.chapters:
        for lang in book.languages:
            file = book.file(info, lang)
            if not file.is_file():
                yield _problem(file, 1, f"the chapter is missing; write it in {lang!r}")
                continue
            for at, line in enumerate(file.read_text("utf-8").splitlines(), 1):
                key, _, value = line.partition(":")
                if key == "source_revision" and value.strip() != str(book.source_revision):
                    yield _problem(
                        file,
                        at,
                        f"written from revision {value.strip()} of the source, but book.toml is at {book.source_revision}; "
                        "compare the chapter with the source, then set the number",
                    )


def _miscounted(book: content.Book, sources: Sources) -> Iterator[str]:
    """Numbers run from 1 to the count of each heading, and every entry says what it is and where it went."""
    if sources.revision != book.source_revision:
        yield _problem(
            sources.file,
            1,
            f"counted in revision {sources.revision} of the source, but book.toml is at {book.source_revision}; "
            "count its paragraphs again, then set source_revision",
        )
    for heading in sources.headings:
        for due, entry in enumerate(heading.entries, 1):
            if entry.number != due:
                yield _problem(sources.file, entry.line, f"{heading.title!r} goes on with {entry.number}; its next paragraph is {due}")
                break
        else:
            if len(heading.entries) != heading.count:
                told = f"{heading.title!r} has {len(heading.entries)} entries, but the source has {heading.count} paragraphs"
                yield _problem(sources.file, heading.line, f"{told} there; add those that are missing, or mend the count")
        for entry in heading.entries:
            if entry.kind not in KINDS:
                yield _problem(sources.file, entry.line, f"kind {entry.kind!r} is not one of {', '.join(KINDS)}")
            if not entry.what.strip():
                yield _problem(sources.file, entry.line, "say in a few words what the paragraph is about (what = …)")
            if not entry.anchors and not entry.left_out.strip():
                yield _problem(sources.file, entry.line, "name the paragraphs that cover it (in = …), or say why it is left out (out = …)")
    for own in sources.own:
        if not own.why.strip():
            yield _problem(sources.file, own.line, "say why we have these paragraphs (why = …)")


def _lost(sources: Sources, written: Mapping[str, content.Written]) -> Iterator[str]:
    """Every anchor named stands in every language of the book."""
    named = [(entry.line, anchor) for heading in sources.headings for entry in heading.entries for anchor in entry.anchors]
    named += [(own.line, anchor) for own in sources.own for anchor in own.anchors]
    for line, anchor in named:
        lacking = [lang for lang, places in written.items() if anchor not in places]
        if len(lacking) == len(written):
            yield _problem(
                sources.file, line, f"no paragraph or example has the anchor {anchor!r}; write it, or name the one that covers this"
            )
        elif lacking:
            yield _problem(sources.file, line, f"{anchor!r} is missing in {', '.join(lacking)}; translate it there")


def _unexplained(book: content.Book, sources: Sources, places: content.Written) -> Iterator[str]:
    """Every paragraph and example of the book is covered by an entry, or listed as ours; not both."""
    covering = {anchor for heading in sources.headings for entry in heading.entries for anchor in entry.anchors}
    own: dict[str, int] = {}
    for one in sources.own:
        for anchor in one.anchors:
            if anchor in own:
                yield _problem(sources.file, one.line, f"{anchor!r} is already listed as ours in line {own[anchor]}; name it once")
            elif anchor in covering:
                yield _problem(sources.file, one.line, f"{anchor!r} covers an entry below; take it off the list of what is ours")
            own.setdefault(anchor, one.line)
    for anchor, (file, line) in places.items():
        if anchor not in covering and anchor not in own:
            told = f"nothing in {book.game}/{FILE} names {anchor!r}"
            yield _problem(file, line, f"{told}; add it to the entry that it covers, or to own with the reason")


# ---------------------------------------------------------------- reading


def _problem(file: Path, line: int, message: str) -> str:
    return str(ContentError(file, line, message))


def _tables(file: Path, data: Mapping[str, Any], key: str) -> Sequence[Mapping[str, Any]]:
    tables = data.get(key, [])
    if not isinstance(tables, list) or not all(isinstance(one, dict) for one in tables):
        raise ContentError(file, 1, f"{key}: expected a list of tables")
    return tables


def _lines(file: Path, lines: Sequence[str], mark: re.Pattern[str], expected: int, shown: str) -> Sequence[int]:
    """Return the line of each entry: TOML does not tell, so each stands on a line of its own."""
    found = [at for at, line in enumerate(lines, 1) if mark.match(line)]
    if len(found) != expected:
        raise ContentError(file, 1, f"every entry starts a line of its own with {shown}; {expected} entries, {len(found)} such lines")
    return found


def _value(file: Path, line: int, data: Mapping[str, Any], key: str, kind: type) -> Any:
    if not isinstance(data.get(key), kind):
        raise ContentError(file, line, f"{key}: expected {kind.__name__}, found {type(data.get(key)).__name__}")
    return data[key]


def _entry(file: Path, line: int, data: Mapping[str, Any]) -> Entry:
    if unknown := set(data) - {"n", "kind", "what", "in", "out"}:
        raise ContentError(file, line, f"{', '.join(sorted(unknown))}: not known here (n, kind, what, in, out)")
    return Entry(
        number=_value(file, line, data, "n", int),
        kind=_value(file, line, data, "kind", str),
        what=_value(file, line, data, "what", str),
        anchors=_anchors(file, line, _value(file, line, {"in": [], **data}, "in", list)),
        left_out=_value(file, line, {"out": "", **data}, "out", str),
        line=line,
    )


def _anchors(file: Path, line: int, names: Sequence[Any]) -> tuple[str, ...]:
    """Return anchors one by one; `readings-3..5` stands for three of them."""
    found: list[str] = []
    for name in names:
        if not isinstance(name, str):
            raise ContentError(file, line, f"{name!r} is no anchor")
        match = _RANGE.match(name)
        found += [f"{match[1]}{n}" for n in range(int(match[2]), int(match[3]) + 1)] if match else [name]
    return tuple(found)
