"""Rule books as files: `book.toml`, chapters in Markdown with an anchor for every paragraph, read into plain values.

No database here. Every fault is a ContentError that names file and line. This package's README describes the format.
"""

from __future__ import annotations

import html
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
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
KINDS: Final = ("rules", "advice", "background", "variants")  # of chapters: only the first has rules
RESERVED: Final = ("p", "when", "whole", "grammar", "aid", "glossary")  # in the addresses of a book beside its chapters
RESERVED_KEYS: Final = ("search", "glossary", "offline")  # beside the books
_ANCHOR: Final = re.compile(r"\s*\{#([^}]*)\}\s*$")
_ANCHOR_NAME: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+$")
_MACRO: Final = re.compile(r"\[\[([^\[\]]+)\]\]")
_EXAMPLE: Final = re.compile(r"::example\s+([a-z0-9-]+)\s*$")
_NAMED: Final = re.compile(r'<span data-term="(?P<id>[^"]+)">(?P<noun>[^<]*)</span>')
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
    """A rule book cannot be read: one line with file and line number, what is wrong, and what to do."""

    def __init__(self, file: Path, line: int, message: str) -> None:
        super().__init__(f"{short(file)}:{line}: {message}")


def short(file: Path) -> str:
    """Return a file as the repository names it."""
    base = ROOT.parent.parent
    return str(file.relative_to(base)) if file.is_relative_to(base) else str(file)


@dataclass(frozen=True, slots=True)
class ChapterInfo:
    """A chapter as named in `book.toml`."""

    slug: str
    number: int
    title: Mapping[str, str]
    kind: str = "rules"  # one of KINDS

    @property
    def is_rules(self) -> bool:
        return self.kind == "rules"


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
    retired: Mapping[str, str]  # retired anchor -> the one that took its place, or ""

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
    if game in RESERVED_KEYS:
        raise ContentError(file, 1, f"{game!r} is the address of another page; choose another key for the game")
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
        kind = entry.get("kind", "rules")
        if kind not in KINDS:
            raise ContentError(file, 1, f"chapter {number} is of kind {kind!r}, which is not one of {', '.join(KINDS)}")
        slug = _get(file, entry, "slug", str)
        if slug in RESERVED:
            raise ContentError(file, 1, f"chapter {number}: {slug!r} is the address of another page; choose another slug")
        chapters.append(ChapterInfo(slug, number, title, kind))
    edition = data.get("source_edition", "")
    return Book(
        game=game,
        folder=folder,
        title=_get(file, data, "title", dict),
        languages=ordered,
        source_edition=edition if isinstance(edition, dict) else {source: edition},
        source_revision=_get(file, data, "source_revision", int),
        chapters=tuple(chapters),
        retired=_retired(file, _get(file, data, "retired", dict)),
    )


def _retired(file: Path, data: Mapping[str, Any]) -> Mapping[str, str]:
    for anchor, successor in data.items():
        if not isinstance(successor, str):
            raise ContentError(file, 1, f'retired: {anchor!r} needs the anchor that took its place, or ""')
        if successor in data:
            raise ContentError(
                file, 1, f"retired: {anchor!r} leads to {successor!r}, which was retired too; name the paragraph that is there now"
            )
    return data


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
                    f"{anchor!r} is no anchor; write small letters, digits and hyphens, like auction-3",
                )
            if anchor in found:
                raise ContentError(
                    file,
                    line,
                    f"{anchor!r} stands already in chapter {found[anchor].chapter!r}; give this paragraph an anchor of its own",
                )
            if anchor in the_book.retired:
                raise ContentError(file, line, f"{anchor!r} was retired and may not be used again; take one that was never used")
            number += 1
            found[anchor] = Place(chapter.slug, number)
    for anchor, successor in the_book.retired.items():
        if successor and successor not in found:
            raise ContentError(the_book.folder / "book.toml", 1, f"retired: {anchor!r} leads to {successor!r}, which no chapter has")
    return found


Written = Mapping[str, tuple[Path, int]]  # anchor -> file and line


def written(the_book: Book, lang: str) -> Written:
    """Return file and line of every paragraph and worked example that a language of a book has, in reading order."""
    found: dict[str, tuple[Path, int]] = {}
    for chapter in the_book.chapters:
        file = the_book.file(chapter, lang)
        if not file.is_file():
            continue
        for line, text in _open(file)[1]:
            if (anchor := _ANCHOR.search(text)) is not None:
                found[anchor[1]] = (file, line)
            elif (example := _EXAMPLE.match(text)) is not None:
                found[example_anchor(example[1])] = (file, line)
    return found


def anchor_at(line: str) -> str:
    """Return the anchor that a line of a chapter ends with; "" for none."""
    match = _ANCHOR.search(line)
    return match[1] if match else ""


def example_anchor(name: str) -> str:
    """Return the anchor of a worked example in its chapter."""
    return f"example-{name.removeprefix('example-')}"


def paragraph_label(game: str, anchor: str, lang: str) -> str:
    """Return the words of a link to a paragraph: chapter and number, "The auction 3". Raises KeyError for an unknown anchor."""
    return _label(book(game), places(game)[anchor], lang)


def paragraph_address(game: str, anchor: str, lang: str) -> str:
    """Return the address of a paragraph in its chapter, in the language in which a reader of `lang` gets the book."""
    from django.urls import reverse

    place = places(game)[anchor]
    return f"{reverse('rules:chapter', args=[book(game).shown_in(lang), game, place.chapter])}#{anchor}"


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
            raise ContentError(file, 1, f"front matter lacks {key!r}; add a line '{key}: …' between the first two ---")
    if head["state"] not in STATES:
        raise ContentError(
            file, 1, f"state {head['state']!r} is not one of {', '.join(STATES)}; write draft until somebody else has read the chapter"
        )
    if not head["source_revision"].isdigit():
        raise ContentError(
            file, 1, f"source_revision {head['source_revision']!r} is no number; write the one of the text you translated from"
        )
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
    try:
        lines = file.read_text("utf-8").splitlines()
    except UnicodeDecodeError as error:
        at = file.read_bytes()[: error.start].count(b"\n") + 1
        raise ContentError(file, at, "is not UTF-8; save the file in this encoding") from None
    if not lines or lines[0].strip() != _FENCE:
        raise ContentError(
            file, 1, "expected front matter; start the file with ---, then title, source, source_revision and state, then --- again"
        )
    head: dict[str, str] = {}
    for number, line in enumerate(lines[1:], 2):
        if line.strip() == _FENCE:
            return head, list(enumerate(lines[number:], number + 1)), number + 1
        key, colon, value = line.partition(":")
        if not colon:
            raise ContentError(file, number, f"expected 'key: value', found {line!r}; the front matter has nothing else")
        head[key.strip()] = value.strip()
    raise ContentError(file, len(lines), "front matter is not closed; put a line --- below it")


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
                    raise self.fault(line, f"there is no example {match[1]!r}; write examples/{match[1]}.json, or correct the name")
                yield Block(
                    "example",
                    example_anchor(match[1]),
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
                    raise self.fault(line, "a heading takes no anchor; move it to the paragraph below")
                section = text
                waiting.append((line, section, markup, text, int(opening.tag[1])))
                continue
            kind = _BLOCKS.get(opening.type)
            if kind is None:
                raise self.fault(
                    line,
                    f"{opening.type.removesuffix('_open')} is not used in rule books; write a paragraph, a list, a table or a note (>)",
                )
            if len(here) != 1:
                raise self.fault(
                    line,
                    "ends with no anchor; end it with the one of this paragraph in the source language, like {#auction-3}"
                    if not here
                    else f"has {len(here)} anchors; keep one, or part the paragraphs by an empty line",
                )
            for at, title, inside, plain_text, level in waiting:
                yield Block("heading", f"on-{here[0]}", inside, plain_text, title, at, level)
            waiting.clear()
            yield Block(kind, here[0], markup, text, section, line)
        if waiting:
            raise self.fault(waiting[0][0], "no paragraph stands under this heading; write one, or remove the heading")

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
                raise self.fault(line, f"{match[1]!r} is not an anchor of the source language; use the one that the paragraph has there")
            if self.places[match[1]].chapter != self.chapter.slug:
                raise self.fault(
                    line,
                    f"{match[1]!r} belongs to chapter {self.places[match[1]].chapter!r}; move the paragraph there",
                )
            rest = text[: match.start()]
            plain.append(rest)
            owner = at
            while owner >= 0 and not plain[owner].strip():
                owner -= 1
            if owner < 0 or owner in anchors:
                raise self.fault(line, f"{match[1]!r} belongs to no paragraph; put it at the end of one")
            anchors[owner] = match[1]
        return anchors, plain

    def _render(self, group: list[Token], line: int) -> tuple[str, str]:
        """Return clean HTML of one block, without the outer tag of a paragraph or heading, and its plain text."""
        inner = group[1:-1] if group[0].type in ("paragraph_open", "heading_open") else group
        raw = _markdown().renderer.render(inner, _markdown().options, {"reader": self, "line": line})
        clean = nh3.clean(raw, tags=set(_TAGS), attributes=_ATTRIBUTES, link_rel=None)
        text = html.unescape(re.sub(r"<[^>]+>", " ", IN_WORDS.sub("", _NAMED.sub(r"\g<noun>", clean))))
        return self._nouns(clean, line), re.sub(r"\s+", " ", text).strip()

    def _nouns(self, clean: str, line: int) -> str:
        """Make every noun of the glossary a link to its entry, with its picture where the book asks for one."""

        def picture(match: re.Match[str]) -> str:
            try:
                symbol = drawing.symbol_id(self.book.game, match[1])
            except KeyError as error:
                raise self.fault(line, str(error.args[0])) from None
            return (
                f'<a class="term piece-name" href="{term_mark(match[1])}">'
                f'<svg class="piece piece--inline" viewBox="0 0 64 64" aria-hidden="true"><use href="sprite:{symbol}"/></svg>{match[2]}</a>'
            )

        drawn = re.sub(r'<span data-piece="([^"]+)">([^<]*)</span>', picture, clean)
        return _NAMED.sub(lambda match: f'<a class="term" href="{term_mark(match["id"])}">{match["noun"]}</a>', drawn)

    def macro(self, content: str, line: int) -> str:
        """Return the HTML of `[[content]]`."""
        kind, colon, rest = content.partition(":")
        game = self.book.game
        if colon and kind in ("tile", "term"):
            try:
                noun = html.escape(glossary.noun(game, rest, self.lang))
            except KeyError as error:
                raise self.fault(line, str(error.args[0])) from None
            return f'<span data-{"piece" if kind == "tile" else "term"}="{html.escape(rest)}">{noun}</span>'
        anchor, _, words = content.partition("|")
        if anchor not in self.places:
            raise self.fault(line, f"[[{content}]] leads to no paragraph{self._near(anchor)}")
        here = self.places[anchor].chapter == self.chapter.slug
        label = words or (str(self.places[anchor].number) if here else _label(self.book, self.places[anchor], self.lang))
        css = "" if words else ' class="rule-ref"'
        return f'<a{css} href="{html.escape(self._address(anchor))}">{html.escape(label)}</a>'

    def _near(self, anchor: str) -> str:
        near = get_close_matches(anchor, self.places, 1, 0.5)
        return f"; did you mean {near[0]}?" if near else "; write an anchor of this book"

    def _address(self, anchor: str) -> str:
        from django.urls import reverse

        return f"{reverse('rules:chapter', args=[self.lang, self.book.game, self.places[anchor].chapter])}#{anchor}"


def term_mark(noun_id: str) -> str:
    """Return what stands in stored HTML for the address of a glossary entry."""
    return f"term:{noun_id}/"


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
LONG: Final = 24  # characters of a cell: a narrow screen gives its column room, so that the row is not as high as it has words
IN_WORDS: Final = re.compile(r"</?(?:a|b|code|em|s|span|strong|sub|sup)\b[^>]*>")  # tags with no space where they stand
_ATTRIBUTES: Final[dict[str, set[str]]] = {
    "*": {"class", "lang"},
    "a": {"href"},
    "ol": {"start"},
    "span": {"data-piece", "data-term"},
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
    for at, token in enumerate(state.tokens):
        if (css := _CLASSES.get(token.type)) is None:
            continue
        if "right" in str(token.attrs.pop("style", "")):
            css += f" {css}--num"
        if token.type == "td_open" and len(state.tokens[at + 1].content) > LONG:
            css += f" {css}--long"
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
