"""Rule books as files: `book.toml`, chapters in Markdown with an anchor for every paragraph, read into plain values.

No database here. Every fault is a ContentError that names file and line. This package's README describes the format.
"""

from __future__ import annotations

import html
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import nh3
from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin

from games import registry
from voice import drawing, glossary

ROOT: Final = Path(__file__).resolve().parent / "content"
FALLBACK: Final = "en"
STATES: Final = ("draft", "reviewed")
_ANCHOR: Final = re.compile(r"\s*\{#([^}]*)\}\s*$")
_ANCHOR_NAME: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+$")
_MACRO: Final = re.compile(r"\[\[([^\[\]]+)\]\]")
_EXAMPLE: Final = re.compile(r"::example\s+([a-z0-9-]+)\s*$")
_FENCE: Final = "---"
_BLOCKS: Final = {
    "paragraph_open": "text",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "table_open": "table",
    "blockquote_open": "note",
    "dl_open": "list",
}


class ContentError(ValueError):
    """A rule book cannot be read: one line with file and line number."""

    def __init__(self, file: Path, line: int, message: str) -> None:
        super().__init__(f"{_short(file)}:{line}: {message}")


def _short(file: Path) -> str:
    return str(file.relative_to(ROOT.parent)) if file.is_relative_to(ROOT.parent) else str(file)


@dataclass(frozen=True, slots=True)
class ChapterInfo:
    """A chapter as named in `book.toml`."""

    slug: str
    number: int
    title: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Book:
    """A rule book as described in `book.toml`. `languages` starts with the source language."""

    game: str
    folder: Path
    title: Mapping[str, str]
    languages: tuple[str, ...]
    source_edition: Mapping[str, str]
    source_revision: int
    chapters: tuple[ChapterInfo, ...]
    retired: frozenset[str]

    @property
    def source_language(self) -> str:
        return self.languages[0]

    def shown_in(self, lang: str) -> str:
        """Return the language in which a reader of `lang` gets the book: that one, else English, else the source's."""
        return next((one for one in (lang, FALLBACK) if one in self.languages), self.source_language)

    def chapter(self, slug: str) -> ChapterInfo:
        """Return a chapter by its slug. Raises KeyError."""
        for chapter in self.chapters:
            if chapter.slug == slug:
                return chapter
        raise KeyError(slug)

    def title_in(self, lang: str) -> str:
        """Return the title for a reader of `lang`, who may have to read the book itself in another language."""
        return _in_language(self.title, lang)

    def edition_in(self, lang: str) -> str:
        """Return the sources of the book, for a reader of `lang`."""
        return _in_language(self.source_edition, lang)

    def file(self, chapter: ChapterInfo, lang: str) -> Path:
        return self.folder / lang / f"{chapter.number:02d}-{chapter.slug}.md"


@dataclass(frozen=True, slots=True)
class Place:
    """Where an anchor is: its chapter and the number of its paragraph there."""

    chapter: str
    number: int


@dataclass(frozen=True, slots=True)
class Block:
    """One piece of a chapter. `kind`: heading, text, list, table, note or example; `anchor` is its id in the page."""

    kind: str
    anchor: str
    html: str
    text: str
    section: str  # the heading it is under; "" before the first
    line: int
    level: int = 0  # of a heading
    example: str = ""  # file name of an example, without its ending


@dataclass(frozen=True, slots=True)
class Chapter:
    """One chapter in one language."""

    title: str
    source: str
    source_revision: int
    state: str
    blocks: tuple[Block, ...]


def _in_language(texts: Mapping[str, str], lang: str) -> str:
    return texts.get(lang) or texts.get(FALLBACK) or next(iter(texts.values()))


# ---------------------------------------------------------------- books


def book_keys(root: Path = ROOT) -> list[str]:
    """Return the games of the site that have a rule book."""
    return [key for key in written_keys(root) if key in registry.GAMES]


def written_keys(root: Path = ROOT) -> list[str]:
    """Return all games with a rule book: a book may be written, and cited by tests, before its game can be played."""
    return sorted(folder.name for folder in root.iterdir() if (folder / "book.toml").is_file())


@cache
def book(game: str, root: Path = ROOT) -> Book:
    """Return the description of a rule book. Raises KeyError when there is none, ContentError when it is faulty."""
    folder = root / game
    file = folder / "book.toml"
    if not file.is_file():
        raise KeyError(game)
    try:
        data = tomllib.loads(file.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ContentError(file, 1, str(error)) from None
    source = _get(file, data, "source_language", str)
    languages = _get(file, data, "languages", list)
    if source not in languages:
        raise ContentError(file, 1, f"source_language {source!r} is not one of languages")
    ordered = (source, *(lang for lang in languages if lang != source))
    chapters = []
    for number, entry in enumerate(_get(file, data, "chapters", list), 1):
        title = _get(file, entry, "title", dict)
        for lang in ordered:
            if lang not in title:
                raise ContentError(file, 1, f"chapter {number} has no title in {lang!r}")
        chapters.append(ChapterInfo(_get(file, entry, "slug", str), number, title))
    edition = data.get("source_edition", "")
    return Book(
        game=game,
        folder=folder,
        title=_get(file, data, "title", dict),
        languages=ordered,
        source_edition=edition if isinstance(edition, dict) else {source: edition},
        source_revision=_get(file, data, "source_revision", int),
        chapters=tuple(chapters),
        retired=frozenset(_get(file, data, "retired", list)),
    )


def _get(file: Path, data: Mapping[str, Any], key: str, kind: type) -> Any:
    if not isinstance(data.get(key), kind):
        raise ContentError(
            file,
            1,
            f"{key}: expected {kind.__name__}, found {type(data.get(key)).__name__}",
        )
    return data[key]


@cache
def places(game: str, root: Path = ROOT) -> Mapping[str, Place]:
    """Return the place of every anchor of a book, in reading order; numbers run through each chapter."""
    found: dict[str, Place] = {}
    the_book = book(game, root)
    for chapter in the_book.chapters:
        file = the_book.file(chapter, the_book.source_language)
        _, lines, _ = _open(file)
        number = 0
        for line, text in lines:
            match = _ANCHOR.search(text)
            if match is None:
                continue
            anchor = match[1]
            if not _ANCHOR_NAME.match(anchor):
                raise ContentError(
                    file,
                    line,
                    f"{anchor!r} is no anchor (small letters, digits, hyphens: auction-3)",
                )
            if anchor in found:
                raise ContentError(
                    file,
                    line,
                    f"{anchor!r} stands already in chapter {found[anchor].chapter!r}",
                )
            if anchor in the_book.retired:
                raise ContentError(file, line, f"{anchor!r} was retired and may not be used again")
            number += 1
            found[anchor] = Place(chapter.slug, number)
    return found


def paragraph_label(game: str, anchor: str, lang: str) -> str:
    """Return the words of a link to a paragraph: chapter and number, "The auction 3". Raises KeyError for an unknown anchor."""
    return _label(book(game), places(game)[anchor], lang)


def paragraph_address(game: str, anchor: str, lang: str) -> str:
    """Return the address of a paragraph in its chapter, in the language in which a reader of `lang` gets the book."""
    from django.urls import reverse

    the_book = book(game)
    place = places(game)[anchor]
    return f"{reverse('rules:chapter', args=[the_book.shown_in(lang), game, place.chapter])}#{anchor}"


def book_address(game: str, lang: str) -> str:
    """Return the address of a book, in the language in which a reader of `lang` gets it. Raises KeyError when there is none."""
    from django.urls import reverse

    return reverse("rules:book", args=[book(game).shown_in(lang), game])


# ---------------------------------------------------------------- chapters


def read_chapter(the_book: Book, chapter: ChapterInfo, lang: str, root: Path = ROOT) -> Chapter:
    """Return a chapter in a language, its Markdown turned into clean HTML. Raises ContentError, FileNotFoundError."""
    file = the_book.file(chapter, lang)
    head, lines, first = _open(file)
    for key in ("title", "source", "source_revision", "state"):
        if key not in head:
            raise ContentError(file, 1, f"front matter lacks {key!r}")
    if head["state"] not in STATES:
        raise ContentError(file, 1, f"state {head['state']!r} is not one of {', '.join(STATES)}")
    if not head["source_revision"].isdigit():
        raise ContentError(file, 1, f"source_revision {head['source_revision']!r} is no number")
    blocks = tuple(_Reader(the_book, chapter, lang, file, root).blocks(lines, first))
    return Chapter(
        head["title"],
        head["source"],
        int(head["source_revision"]),
        head["state"],
        blocks,
    )


def _open(file: Path) -> tuple[dict[str, str], list[tuple[int, str]], int]:
    """Return front matter, body lines with their numbers in the file, and the number of the first."""
    lines = file.read_text("utf-8").splitlines()
    if not lines or lines[0].strip() != _FENCE:
        raise ContentError(file, 1, "expected front matter between --- lines")
    head: dict[str, str] = {}
    for number, line in enumerate(lines[1:], 2):
        if line.strip() == _FENCE:
            return head, list(enumerate(lines[number:], number + 1)), number + 1
        key, colon, value = line.partition(":")
        if not colon:
            raise ContentError(file, number, f"expected 'key: value', found {line!r}")
        head[key.strip()] = value.strip()
    raise ContentError(file, len(lines), "front matter is not closed by ---")


class _Reader:
    """Turns the body of one chapter into blocks."""

    def __init__(self, the_book: Book, chapter: ChapterInfo, lang: str, file: Path, root: Path) -> None:
        self.book, self.chapter, self.lang, self.file = the_book, chapter, lang, file
        self.places = places(the_book.game, root)

    def fault(self, line: int, message: str) -> ContentError:
        return ContentError(self.file, line, message)

    def blocks(self, lines: Sequence[tuple[int, str]], first: int) -> Iterator[Block]:
        anchors, plain = self._take_anchors(lines)
        tokens = _markdown().parse("\n".join(plain), {"reader": self})
        section, waiting = "", list[tuple[int, str, str, str, int]]()
        for group in _top_level(tokens):
            opening = group[0]
            start, end = opening.map or (0, 0)  # every top-level block has its lines
            line = first + start
            here = [anchors[at] for at in range(start, end) if at in anchors]
            source = "\n".join(plain[start:end]).strip()
            if match := _EXAMPLE.match(source):
                if not (self.book.folder / "examples" / f"{match[1]}.json").is_file():
                    raise self.fault(line, f"there is no example {match[1]!r}")
                yield Block(
                    "example",
                    f"example-{match[1].removeprefix('example-')}",
                    "",
                    "",
                    section,
                    line,
                    example=match[1],
                )
                continue
            markup, text = self._render(group, line)
            if opening.type == "heading_open":
                if here:
                    raise self.fault(line, "a heading takes no anchor; the paragraph below it does")
                section = text
                waiting.append((line, section, markup, text, int(opening.tag[1])))
                continue
            kind = _BLOCKS.get(opening.type)
            if kind is None:
                raise self.fault(
                    line,
                    f"{opening.type.removesuffix('_open')} is not used in rule books",
                )
            if len(here) != 1:
                raise self.fault(
                    line,
                    "ends with no anchor like {#auction-3}" if not here else f"has {len(here)} anchors",
                )
            for at, title, inside, plain_text, level in waiting:
                yield Block("heading", f"on-{here[0]}", inside, plain_text, title, at, level)
            waiting.clear()
            yield Block(kind, here[0], markup, text, section, line)
        if waiting:
            raise self.fault(waiting[0][0], "no paragraph stands under this heading")

    def _take_anchors(self, lines: Sequence[tuple[int, str]]) -> tuple[dict[int, str], list[str]]:
        """Cut off the anchors; one on a line of its own belongs to the last line of text above it."""
        anchors: dict[int, str] = {}
        plain: list[str] = []
        for at, (line, text) in enumerate(lines):
            match = _ANCHOR.search(text)
            if match is None:
                plain.append(text)
                continue
            if match[1] not in self.places:
                raise self.fault(line, f"{match[1]!r} is not an anchor of the source language")
            if self.places[match[1]].chapter != self.chapter.slug:
                raise self.fault(
                    line,
                    f"{match[1]!r} belongs to chapter {self.places[match[1]].chapter!r}",
                )
            rest = text[: match.start()]
            plain.append(rest)
            owner = at
            while owner >= 0 and not plain[owner].strip():
                owner -= 1
            if owner < 0 or owner in anchors:
                raise self.fault(line, f"{match[1]!r} belongs to no paragraph")
            anchors[owner] = match[1]
        return anchors, plain

    def _render(self, group: list[Token], line: int) -> tuple[str, str]:
        """Return clean HTML of one block, without the outer tag of a paragraph or heading, and its plain text."""
        inner = group[1:-1] if group[0].type in ("paragraph_open", "heading_open") else group
        raw = _markdown().renderer.render(inner, _markdown().options, {"reader": self, "line": line})
        clean = nh3.clean(raw, tags=set(_TAGS), attributes=_ATTRIBUTES, link_rel=None)
        text = html.unescape(re.sub(r"<[^>]+>", " ", clean))
        return self._pictures(clean, line), re.sub(r"\s+", " ", text).strip()

    def _pictures(self, clean: str, line: int) -> str:
        def picture(match: re.Match[str]) -> str:
            try:
                symbol = drawing.symbol_id(self.book.game, match[1])
            except KeyError as error:
                raise self.fault(line, str(error.args[0])) from None
            return (
                f'<span class="piece-name"><svg class="piece piece--inline" viewBox="0 0 64 64" aria-hidden="true">'
                f'<use href="sprite:{symbol}"/></svg>{match[2]}</span>'
            )

        return re.sub(r'<span data-piece="([^"]+)">([^<]*)</span>', picture, clean)

    def macro(self, content: str, line: int) -> str:
        """Return the HTML of `[[content]]`."""
        kind, colon, rest = content.partition(":")
        game = self.book.game
        if colon and kind in ("tile", "term"):
            try:
                noun = html.escape(glossary.noun(game, rest, self.lang))
            except KeyError as error:
                raise self.fault(line, str(error.args[0])) from None
            return f'<span data-piece="{html.escape(rest)}">{noun}</span>' if kind == "tile" else noun
        anchor, _, words = content.partition("|")
        if anchor not in self.places:
            raise self.fault(line, f"[[{content}]] leads to no paragraph")
        here = self.places[anchor].chapter == self.chapter.slug
        label = words or (str(self.places[anchor].number) if here else _label(self.book, self.places[anchor], self.lang))
        css = "" if words else ' class="rule-ref"'
        return f'<a{css} href="{html.escape(self._address(anchor))}">{html.escape(label)}</a>'

    def _address(self, anchor: str) -> str:
        from django.urls import reverse

        return f"{reverse('rules:chapter', args=[self.lang, self.book.game, self.places[anchor].chapter])}#{anchor}"


def _label(the_book: Book, place: Place, lang: str) -> str:
    return f"{the_book.chapter(place.chapter).title[the_book.shown_in(lang)]}\u00a0{place.number}"


_TAGS: Final = frozenset(
    (
        "a",
        "b",
        "blockquote",
        "br",
        "code",
        "dd",
        "div",
        "dl",
        "dt",
        "em",
        "li",
        "ol",
        "p",
        "s",
        "span",
        "strong",
        "sub",
        "sup",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
        "tr",
        "ul",
    )
)
_ATTRIBUTES: Final[dict[str, set[str]]] = {
    "*": {"class", "lang"},
    "a": {"href"},
    "ol": {"start"},
    "span": {"data-piece"},
    "th": {"scope"},
}
_CLASSES: Final = {
    "table_open": "table",
    "th_open": "table__head",
    "td_open": "table__cell",
    "tr_open": "table__row",
    "bullet_list_open": "bullets",
    "ordered_list_open": "bullets bullets--numbers",
    "dl_open": "terms",
}


@cache
def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table").use(deflist_plugin)
    markdown.inline.ruler.before("link", "macro", _macro_rule)
    markdown.add_render_rule("macro", _render_macro)
    markdown.core.ruler.push("classes", _add_classes)
    return markdown


def _macro_rule(state: StateInline, silent: bool) -> bool:
    match = _MACRO.match(state.src, state.pos)
    if match is None:
        return False
    if not silent:
        state.push("macro", "", 0).content = match[1]
    state.pos = match.end()
    return True


def _render_macro(
    renderer: Any,
    tokens: Sequence[Token],
    at: int,
    options: Any,
    env: Mapping[str, Any],
) -> str:
    return str(env["reader"].macro(tokens[at].content, env["line"]))


def _add_classes(state: Any) -> None:
    """Give tables and lists the classes of the style sheet; numbers are right-aligned by class, not by style."""
    for token in state.tokens:
        if (css := _CLASSES.get(token.type)) is None:
            continue
        if "right" in str(token.attrs.pop("style", "")):
            css += f" {css}--num"
        token.attrSet("class", css)
        if token.type == "th_open":
            token.attrSet("scope", "col")


def _top_level(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """Cut a token list into its top-level blocks."""
    depth, group = 0, list[Token]()
    for token in tokens:
        group.append(token)
        depth += token.nesting
        if depth == 0:
            yield group
            group = []


def forget() -> None:
    """Read all books again at the next use (after their files changed)."""
    book.cache_clear()
    places.cache_clear()
