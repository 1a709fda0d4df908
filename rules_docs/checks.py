"""What a rule book lacks or has wrong, for those who write and translate it: every finding has a place and says what to do."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings

from rules_docs import content, examples
from rules_docs.content import Book, Chapter, ChapterInfo, ContentError
from rules_docs.examples import ExampleError


@dataclass(slots=True)
class Findings:
    """What was found in a book: faults, which keep it from being shown, and what is not there or not up to date."""

    game: str
    faults: list[str] = field(default_factory=list)
    open: dict[str, list[str]] = field(default_factory=dict)  # by language
    drafts: dict[str, int] = field(default_factory=dict)  # chapters that nobody else has read, by language

    def note(self, lang: str, file: Path, line: int, text: str) -> None:
        self.open.setdefault(lang, []).append(str(ContentError(file, line, text)))


def check(game: str, root: Path = content.ROOT) -> Findings:
    """Read all of a book, and go on after a fault."""
    content.forget()
    found = Findings(game)
    try:
        book = content.book(game, root)
        content.places(game, root)
    except ContentError as error:
        found.faults.append(str(error))
        return found
    except FileNotFoundError as error:
        found.faults.append(str(ContentError(Path(error.filename), 1, "the chapter has no text in the source language; write it")))
        return found
    for info in book.chapters:
        _check_chapter(found, book, info, root)
    _check_examples(found, book, root)
    _check_book(found, book)
    return found


def _check_chapter(found: Findings, book: Book, info: ChapterInfo, root: Path) -> None:
    source = _read(found, book, info, book.source_language, root)
    for lang in book.languages:
        file = book.file(info, lang)
        if not file.is_file():
            found.note(
                lang,
                file,
                1,
                f"is missing; translate {book.file(info, book.source_language).name} of {book.source_language!r}, anchors included",
            )
            continue
        own = source if lang == book.source_language else _read(found, book, info, lang, root)
        if own is None:
            continue
        if own.title != info.title[lang]:
            found.faults.append(
                str(ContentError(file, 2, f"title {own.title!r} is not {info.title[lang]!r}, which book.toml has; make them the same"))
            )
        found.drafts[lang] = found.drafts.get(lang, 0) + (own.state == "draft")
        if source is not None and own is not source:
            _compare(found, book, info, lang, source, own)


def _read(found: Findings, book: Book, info: ChapterInfo, lang: str, root: Path) -> Chapter | None:
    try:
        return content.read_chapter(book, info, lang, root)
    except ContentError as error:
        found.faults.append(str(error))
        return None


def _compare(found: Findings, book: Book, info: ChapterInfo, lang: str, source: Chapter, own: Chapter) -> None:
    """Note what a translation lacks, in the order of the source, and whether the source has moved on."""
    file, from_file = book.file(info, lang), book.file(info, book.source_language)
    if own.source_revision < source.source_revision:
        text = f"is translated from revision {own.source_revision}, and the source is at {source.source_revision}"
        found.note(
            lang,
            file,
            _line_of(file, "source_revision"),
            f"{text}; see what has changed in {from_file.name}, then write source_revision: {source.source_revision}",
        )
    have = {block.anchor: block.line for block in own.blocks}
    line = 1
    for block in source.blocks:
        if block.anchor in have:
            line = have[block.anchor]
        elif block.example:
            found.note(
                lang, file, line, f"below here the line ::example {block.example} is missing; copy it from {from_file.name}:{block.line}"
            )
        elif block.kind == "heading":
            found.note(lang, file, line, f"below here a heading is missing; translate {from_file.name}:{block.line}")
        else:
            found.note(
                lang,
                file,
                line,
                f"below here {block.anchor} is missing; translate {from_file.name}:{block.line} and end it with {{#{block.anchor}}}",
            )


def _line_of(file: Path, key: str) -> int:
    lines = file.read_text("utf-8").splitlines()
    return next((number for number, line in enumerate(lines, 1) if line.startswith(key)), 1)


# ---------------------------------------------------------------- examples and titles


def _check_examples(found: Findings, book: Book, root: Path) -> None:
    for name in examples.example_names(book.game, root):
        file = examples.example_file(book.game, name, root)
        try:
            shown = examples.read_file(file, book.game)
            found.faults += [
                f"{content.short(file)}:1: {problem}; correct the example, or what it expects" for problem in examples.problems(shown)
            ]
        except ExampleError as error:
            found.faults.append(f"{content.short(file)}:1: {error}")
            continue
        if shown.anchor not in content.places(book.game, root):
            found.faults.append(
                str(ContentError(file, 1, f"anchor {shown.anchor!r} is in no chapter; name the paragraph that the example shows"))
            )
        texts = [("title", shown.title), ("intro", shown.intro), *((f"steps[{at}].note", step.note) for at, step in enumerate(shown.steps))]
        _check_texts(found, book, file, texts)


def _check_book(found: Findings, book: Book) -> None:
    file = book.folder / "how.json"
    if file.is_file():
        _check_texts(found, book, file, list(_walk(json.loads(file.read_text("utf-8")), "")))
    for key, texts in (("title", book.title), ("source_edition", book.source_edition)):
        for lang, _name in settings.LANGUAGES:
            if lang not in texts:
                found.note(
                    lang, book.folder / "book.toml", 1, f"{key}.{lang} is missing; every language of the site has it, even without the text"
                )


def _check_texts(found: Findings, book: Book, file: Path, texts: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
    for where, said in texts:
        for lang in book.languages:
            if said and not said.get(lang):
                found.note(lang, file, 1, f'{where} has no text in this language; add "{lang}": "…" to it')


def _walk(data: Any, where: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield what is given by language, wherever it is in a file."""
    if isinstance(data, dict):
        if data and all(key in dict(settings.LANGUAGES) for key in data):
            yield where, data
            return
        for key, value in data.items():
            yield from _walk(value, f"{where}.{key}".lstrip("."))
    elif isinstance(data, list):
        for at, value in enumerate(data):
            yield from _walk(value, f"{where}[{at}]")
