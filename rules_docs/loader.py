"""Puts rule books into the database: files to rows, all rows of a book replaced in one transaction."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone

from rules_docs import content, examples
from rules_docs.content import Block, ContentError
from rules_docs.models import Book, Chapter, Paragraph, Word
from rules_docs.search import fold


@dataclass(slots=True)
class ChapterRows:
    """A chapter in one language as it will be stored."""

    values: dict[str, Any]
    paragraphs: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of loading a book."""

    game: str
    languages: tuple[str, ...]
    chapters: int
    paragraphs: int  # anchors of the source
    missing: dict[str, list[str]]  # language -> anchors it lacks
    changed: bool


def load(game: str, *, check: bool = False, root: Path = content.ROOT) -> Report:
    """Read a rule book and store it. With `check` nothing is written. Equal content changes no row.

    Raises ContentError, one line that names file and line.
    """
    content.forget()
    rows, missing = read(game, root)
    digest = hashlib.sha256(json.dumps([asdict(row) for row in rows], sort_keys=True).encode()).hexdigest()
    book = content.book(game, root)
    report = Report(
        game,
        book.languages,
        len(book.chapters),
        len(content.places(game, root)),
        missing,
        changed=False,
    )
    if not check:
        changed = _store(game, rows, digest)
        report = Report(
            report.game,
            report.languages,
            report.chapters,
            report.paragraphs,
            missing,
            changed,
        )
    return report


def read(game: str, root: Path = content.ROOT) -> tuple[list[ChapterRows], dict[str, list[str]]]:
    """Return the rows of a book in all its languages, and the anchors each language lacks."""
    book = content.book(game, root)
    rows: list[ChapterRows] = []
    missing: dict[str, list[str]] = {}
    for info in book.chapters:
        source_file = book.file(info, book.source_language)
        if not source_file.is_file():
            raise ContentError(source_file, 1, "the chapter has no text in the source language")
        source = content.read_chapter(book, info, book.source_language, root)
        if source.title != info.title[book.source_language]:
            raise ContentError(source_file, 2, f"title {source.title!r} is not that of book.toml")
        for block in source.blocks:
            if block.example:
                examples.check_file(book.folder / "examples" / f"{block.example}.json", game)
        for lang in book.languages:
            own = None
            if lang == book.source_language:
                own = source
            elif (file := book.file(info, lang)).is_file():
                own = content.read_chapter(book, info, lang, root)
                if own.title != info.title[lang]:
                    raise ContentError(file, 2, f"title {own.title!r} is not that of book.toml")
            shown = own or source
            row = ChapterRows(
                {
                    "lang": lang,
                    "slug": info.slug,
                    "number": info.number,
                    "title": info.title[lang],
                    "source": shown.source,
                    "state": shown.state,
                    "is_missing": own is None,
                    "is_outdated": shown.source_revision < source.source_revision,
                }
            )
            have = {block.anchor: block for block in shown.blocks}
            for position, block in enumerate(source.blocks):
                mine = have.get(block.anchor) if own else None
                row.paragraphs.append(
                    _paragraph(
                        game,
                        lang,
                        position,
                        mine or block,
                        lang if mine else book.source_language,
                        info,
                        root,
                    )
                )
            lacking = [b.anchor for b in source.blocks if not b.example and b.kind != "heading" and (own is None or b.anchor not in have)]
            if lacking:
                missing.setdefault(lang, []).extend(lacking)
            rows.append(row)
    return rows, missing


def _paragraph(
    game: str,
    lang: str,
    position: int,
    block: Block,
    text_lang: str,
    info: content.ChapterInfo,
    root: Path,
) -> dict[str, Any]:
    place = content.places(game, root).get(block.anchor)
    return {
        "game": game,
        "lang": lang,
        "anchor": block.anchor,
        "position": position,
        "number": place.number if place else None,
        "kind": block.kind,
        "level": block.level,
        "section": block.section or info.title[text_lang],
        "html": block.html,
        "text": block.text if block.kind != "heading" else "",
        "example": block.example,
        "text_lang": text_lang,
    }


def _store(game: str, rows: list[ChapterRows], digest: str) -> bool:
    """Replace the rows of a book unless they are already the same; two loaders at once wait for each other."""
    with transaction.atomic():
        book, created = Book.objects.select_for_update().get_or_create(game=game, defaults={"digest": digest, "changed_at": timezone.now()})
        if not created and book.digest == digest:
            return False
        book.chapters.all().delete()
        chapters = Chapter.objects.bulk_create(Chapter(book=book, **row.values) for row in rows)
        Paragraph.objects.bulk_create(
            Paragraph(chapter=chapter, **values) for chapter, row in zip(chapters, rows, strict=True) for values in row.paragraphs
        )
        book.words.all().delete()
        Word.objects.bulk_create(Word(book=book, lang=lang, word=word, folded=fold(word)) for lang, word in _words(rows))
        book.digest, book.changed_at = digest, timezone.now()
        book.save()
    return True


def _words(rows: list[ChapterRows]) -> list[tuple[str, str]]:
    """Return the words of a book by language, each once; short ones are left out, as similarity search never uses them."""
    found = {
        (paragraph["lang"], word)
        for row in rows
        for paragraph in row.paragraphs
        if paragraph["text_lang"] == paragraph["lang"]
        for word in re.findall(r"[^\W\d_]{4,60}", paragraph["text"].lower())
    }
    return sorted(found)


def describe(report: Report, *, check: bool) -> str:
    """Return one line about a loaded book."""
    lacking = "".join(f"; {lang} lacks {len(anchors)}" for lang, anchors in report.missing.items())
    done = "read" if check else "loaded" if report.changed else "unchanged"
    return f"{report.game}: {report.chapters} chapters, {report.paragraphs} paragraphs in {', '.join(report.languages)}{lacking}; {done}"
