"""The catalogues of sentences: found in code and templates, kept as .po files, compiled to .mo. Pure Python, by Babel.

Sentences of the games are marked with `N_()` and `NC_()`, those of the site with Django's functions and template tags. The .mo files
are built where they are needed and not kept in the repository.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation.template import templatize

DOMAIN: Final = "django"
SOURCE: Final = "en"  # the sentences in the code
LANGUAGES: Final = tuple(code for code, _name in settings.LANGUAGES if code != SOURCE)
SOURCES: Final = ("games", "portal", "rules_docs", "voice")
KEYWORDS: Final = {
    "_": None,
    "N_": None,
    "NC_": ((1, "c"), 2),
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}
_LINE_START: Final = re.compile(r"^[ \t]+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class State:
    """How complete a catalogue is."""

    language: str
    total: int
    missing: list[str]  # sentences without a translation
    unused: list[str]  # translations of sentences that are gone


def po_file(language: str) -> Path:
    return Path(settings.LOCALE_PATHS[0]) / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def sentences() -> Catalog:
    """Return every sentence of code and templates, without translations."""
    found = Catalog(project="Ziggurat", charset="utf-8")
    for path in _files():
        for line, message, comments, context in _extracted(path):
            found.add(message, locations=[(path.relative_to(settings.BASE_DIR).as_posix(), line)], auto_comments=comments, context=context)
    return found


def read(language: str) -> Catalog:
    """Return the catalogue of a language; an empty one when there is none yet."""
    file = po_file(language)
    if not file.is_file():
        return Catalog(locale=language, domain=DOMAIN, project="Ziggurat")
    with file.open("rb") as stream:
        return read_po(stream, locale=language, domain=DOMAIN)


def update(language: str, found: Catalog) -> State:
    """Bring the .po file of a language up to the sentences; translations of sentences that are gone are dropped."""
    catalogue = read(language)
    catalogue.update(found, no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    file = po_file(language)
    file.parent.mkdir(parents=True, exist_ok=True)
    out = io.BytesIO()
    write_po(out, catalogue, width=130, sort_by_file=True, include_lineno=False)
    text = re.sub(
        rb'"(POT-Creation-Date|PO-Revision-Date|Last-Translator|Language-Team|Generated-By|Report-Msgid-Bugs-To): .*\n', b"", out.getvalue()
    )
    file.write_bytes(re.sub(rb"\A(#.*\n)+", b"", text.lstrip()))
    return state(language, found)


def state(language: str, found: Catalog) -> State:
    """Return what a catalogue lacks and what it has in excess."""
    catalogue = read(language)
    missing = []
    wanted = set()
    for message in found:
        if not message.id:
            continue
        key = _first(message.id)
        wanted.add((key, message.context))
        known = catalogue.get(message.id, message.context)
        strings = known.string if known is not None and isinstance(known.string, tuple | list) else [known.string if known else ""]
        if known is None or known.fuzzy or not all(strings):
            missing.append(key)
    unused = []
    for message in catalogue:
        key = _first(message.id)
        if key and (key, message.context) not in wanted:
            unused.append(key)
    return State(language, len(wanted), missing, unused)


def compile_all() -> list[Path]:
    """Compile every catalogue whose .mo file is missing or older; return those that were written."""
    written = []
    for language in LANGUAGES:
        po = po_file(language)
        mo = po.with_suffix(".mo")
        if not po.is_file() or (mo.is_file() and mo.stat().st_mtime >= po.stat().st_mtime):
            continue
        temporary = mo.with_suffix(".mo.new")
        with temporary.open("wb") as out:
            write_mo(out, read(language))
        temporary.replace(mo)
        written.append(mo)
    return written


def _files() -> Iterator[Path]:
    base = Path(settings.BASE_DIR)
    for source in SOURCES:
        yield from sorted(path for path in (base / source).rglob("*.py") if "migrations" not in path.parts)
    yield from sorted(path for path in (base / "templates").rglob("*") if path.suffix in (".html", ".txt"))


def _extracted(path: Path) -> Iterator[tuple[int, str | tuple[str, ...], list[str], str | None]]:
    """Yield (line, message, comments, context) of one file."""
    text = path.read_text("utf-8")
    if path.suffix != ".py":
        # Everything but sentences becomes a run of letters; without indents it reads as Python.
        text = _LINE_START.sub("", templatize(text, origin=path.name))
    stream = io.BytesIO(text.encode("utf-8"))
    yield from extract("python", stream, keywords=KEYWORDS, comment_tags=("Translators:",))


def _first(ids: str | list[str] | tuple[str, ...]) -> str:
    """Return the id of a sentence: the singular if it has plurals."""
    return ids if isinstance(ids, str) else ids[0]
