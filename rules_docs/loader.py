"""Puts rule books into the database: files to rows, all rows of a book replaced in one transaction."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.db.models import Model
from django.utils import timezone

from rules_docs import aids, content, examples, held, index, teaching, terms
from rules_docs.content import Block, ContentError
from rules_docs.models import Book, Chapter, Paragraph, Root, Word


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

    Raises ContentError or TeachError, one line that names file and place.
    """
    for one in (content, teaching, terms, index, aids, held):
        one.forget()
    rows, missing = read(game, root)
    teaching.teaching_of(game, root)
    terms.definitions(game, root)  # a fault there is a fault of the book
    book = content.book(game, root)
    told = [[asdict(row) for row in rows], dict(book.title), [chapter.kind for chapter in book.chapters], terms.text(game, root)]
    digest = hashlib.sha256(f"{index.fingerprint()}{json.dumps(told, sort_keys=True)}".encode()).hexdigest()
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
    text = block.text if block.kind != "heading" else ""
    if block.example:
        file = content.book(game, root).folder / "examples" / f"{block.example}.json"
        text = index.example_text(examples.read_file(file, game), text_lang)
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
        "text": text,
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
        paragraphs = Paragraph.objects.bulk_create(
            Paragraph(chapter=chapter, **values) for chapter, row in zip(chapters, rows, strict=True) for values in row.paragraphs
        )
        _store_index(book, rows, [paragraph.pk for paragraph in paragraphs])
        book.digest, book.changed_at = digest, timezone.now()
        book.save()
    return True


def _store_index(book: Book, rows: list[ChapterRows], keys: list[int]) -> None:
    """Replace what the search keeps of a book. `keys` are the ids of its paragraphs in the order of the rows."""
    book.roots.all().delete()
    book.words.all().delete()
    book.sizes = {}
    numbered = iter(keys)
    found = [(next(numbered), values, row.values["title"]) for row in rows for values in row.paragraphs]
    for lang in sorted({values["lang"] for _, values, _ in found}):
        own = [one for one in found if one[1]["lang"] == lang]
        roots = index.postings(book.game, lang, own)
        known = index.vocabulary((values for _, values, _ in own), lang)
        _copy(Root, "root, postings", book, lang, ((root, _array(places)) for root, places in roots.items()))
        _copy(Word, "folded", book, lang, ((word,) for word in sorted(known)))
        book.sizes[lang] = sum(values["text_lang"] == lang and bool(values["text"]) for _, values, _ in own)


def _copy(model: type[Model], columns: str, book: Book, lang: str, rows: Iterable[tuple[str, ...]]) -> None:
    """Write rows of a book in a language; there are tens of thousands, and this takes a tenth of the time of `bulk_create`."""
    table = model._meta.db_table
    with connection.cursor() as cursor, cursor.copy(f"COPY {table} (book_id, lang, {columns}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row((book.pk, lang, *row))


def _array(places: Mapping[int, int]) -> str:
    return f"{{{','.join(f'{key},{weight}' for key, weight in places.items())}}}"


def describe(report: Report, *, check: bool) -> str:
    """Return one line about a loaded book."""
    lacking = "".join(f"; {lang} lacks {len(anchors)}" for lang, anchors in report.missing.items())
    done = "read" if check else "loaded" if report.changed else "unchanged"
    return f"{report.game}: {report.chapters} chapters, {report.paragraphs} paragraphs in {', '.join(report.languages)}{lacking}; {done}"
