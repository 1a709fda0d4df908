"""`python -m tools.template_layout [--check] [FOLDER OR FILE ...]`: lay out templates, or report those that are not.

Whatever does not fit on a line gets one element per line, indented by two; Django's blocks are laid out like elements. A line is broken
only where `portal.common.layout` removes the break, so the rendered output stays the same byte for byte. A sentence too long for a line
becomes a `{% blocktranslate trimmed %}` over several, with the same message id. With --check the exit code is 1 when a file would change or
has a line of more than 160 characters; only drawings may have those.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from portal.common.layout import MARK, QUOTED, SENTENCE, TAGS, joined_tag, units
from tools.printing import Doc, Fill, Group, IfBroken, Indent, Line, is_forced, printed

WIDTH: Final = 120
LONGEST: Final = 160
DRAWINGS: Final = frozenset({"ground.html", "plate.html", "emblem.html"})

_VOID: Final = re.compile(r"area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr")
_INLINE: Final = re.compile(
    r"a|abbr|b|bdi|br|button|cite|code|em|i|img|input|kbd|mark|progress|q|s|select|small|span|strong|sub|sup|svg|textarea|time|use"
)
SAYING: Final = frozenset({"translate", "noun", "say", "url", "static", "piece", "icon", "seat_mark"})  # tags that print a few words
BRANCHES: Final = frozenset({"else", "elif", "empty"})
_SENTENCE: Final = re.compile(r"\{% *blocktranslate(?P<options>.*?) *%\}(?P<body>.*?)\{% *endblocktranslate *%\}", re.DOTALL)
_PLURAL: Final = re.compile(r"\{% *plural *%\}")
_TRANSLATE: Final = re.compile(r"""\{% *translate (?P<quote>["'])(?P<text>.*?)(?P=quote)(?P<options>.*?) *%\}""")
_WORD: Final = re.compile(r"(?:\{\{.*?\}\}|\S)+")
_TAG_UNIT: Final = re.compile(
    rf"(?P<quoted>{QUOTED})|(?P<sentence>{SENTENCE})|(?P<mark>{MARK})|(?P<space> +)|(?P<other>[^ \"'{{]+|.)", re.DOTALL
)


@dataclass(slots=True)
class Node:
    """A unit of a template, or an element or block with its content: `rows` are its branches, each after a tag of `tags`."""

    kind: str  # as in `units`; "tag" for an element, "block" for a block
    tags: list[str]
    rows: list[list[Entry]] = field(default_factory=list)


@dataclass(slots=True)
class Entry:
    """A node and the white space before it as rendered; the last entry of a row has no node."""

    space: str
    node: Node | None


def name_of(tag: str) -> str:
    """Return the name of an element or of a block."""
    found = re.match(r"(?:\{% *|</?)([\w!-]+)", tag)
    return found[1] if found else ""


# -- From text to a tree --


@dataclass(slots=True)
class _Open:
    node: Node
    row: list[Entry] = field(default_factory=list)


def tree(source: str) -> list[Entry]:
    """Return the content of a template. Elements that are not closed in the block where they start remain single tags."""
    blocks = {name[3:] for name in re.findall(r"\{% *(end\w+)", source)}
    stack = [_Open(Node("root", []))]
    for space, kind, text in _spaced(source):
        name = name_of(text)
        if kind == "block" and name in blocks:
            stack[-1].row.append(Entry(space, Node("block", [text])))
            stack.append(_Open(stack[-1].row[-1].node or Node("root", [])))
        elif kind == "block" and (name in BRANCHES or name.removeprefix("end") in blocks):
            _leave_elements(stack)
            _end_row(stack[-1], space, text)
            if name not in BRANCHES:
                stack.pop()
        elif kind == "tag" and text.startswith("</"):
            _close(stack, space, text, name)
        elif kind == "tag" and name and not _VOID.fullmatch(name) and not text.startswith("<!") and not text.endswith("/>"):
            stack[-1].row.append(Entry(space, Node("tag", [joined_tag(text)])))
            stack.append(_Open(stack[-1].row[-1].node or Node("root", [])))
        elif kind == "end":
            _leave_elements(stack)
            stack[-1].row.append(Entry(space, None))
        else:
            stack[-1].row.append(Entry(space, Node(kind, [joined_tag(text) if kind == "tag" else text])))
    if len(stack) > 1:
        raise ValueError(f"{stack[-1].node.tags[0]} is not closed")
    return stack[0].row


def _spaced(source: str) -> Iterator[tuple[str, str, str]]:
    """Yield the white space before each unit as rendered, the kind of the unit and its text; finally an "end"."""
    space, before = "", "block"
    for kind, text in (*units(source), ("end", "")):
        if kind == "space":
            space += text
            continue
        if "\n" in space:
            space = "" if before in TAGS or kind in TAGS or kind == "end" else " "
        yield space, kind, text
        space, before = "", kind


def _end_row(open_: _Open, space: str, tag: str) -> None:
    open_.node.rows.append([*open_.row, Entry(space, None)])
    open_.node.tags.append(tag)
    open_.row = []


def _leave_elements(stack: list[_Open]) -> None:
    """Turn the elements that the innermost block leaves open into single tags."""
    while stack[-1].node.kind == "tag":
        inside = stack.pop()
        stack[-1].row += inside.row


def _close(stack: list[_Open], space: str, tag: str, name: str) -> None:
    around = []
    for open_ in reversed(stack):
        if open_.node.kind != "tag":
            break
        around.append(name_of(open_.node.tags[0]))
    if name not in around:
        stack[-1].row.append(Entry(space, Node("tag", [tag])))
        return
    while name_of(stack[-1].node.tags[0]) != name:
        inside = stack.pop()
        stack[-1].row += inside.row
    _end_row(stack[-1], space, tag)
    stack.pop()


# -- From the tree to a document --


def document(row: Sequence[Entry]) -> Doc:
    """Return the document of the content of an element, a block or a file: lines of one element each, or filled with words."""
    lines: list[list[Doc]] = []  # documents and places alternately
    before: Node | None = None
    for entry in row:
        if entry.node is None:
            if lines and entry.space:
                lines[-1][-1] = [lines[-1][-1], entry.space]
            break
        doc = shown(entry.node)
        place = _place(before, entry) if before else "line"
        if place == "line":
            lines.append([[entry.space, doc] if entry.space else doc])
        elif isinstance(place, Line):
            lines[-1] += [place, doc]
        else:
            lines[-1][-1] = [lines[-1][-1], place, doc]
        before = entry.node
    out: list[Doc] = []
    for line in lines:
        out += [Line(), Fill(line) if len(line) > 1 else line[0]]
    return out[1:]


def _place(before: Node, entry: Entry) -> Line | str:
    """Return what goes between two nodes: "line" where a broken row breaks, a place to fill, or text."""
    node = entry.node
    assert node is not None
    is_beside_tag = before.kind in TAGS or node.kind in TAGS
    if entry.space:
        return Line(" ") if entry.space == " " and not is_beside_tag else entry.space
    if not is_beside_tag or node.tags[0][0] in ",.;:!?)" or before.tags[-1][-1] in "(#":
        return ""
    if is_inline(before) and is_inline(node) and (is_words(before) or is_words(node)):
        return Line()
    return "line"


def is_words(node: Node) -> bool:
    if node.kind == "block" and not node.rows:
        return name_of(node.tags[0]) in SAYING and " as " not in node.tags[0]
    return node.kind in ("word", "value", "sentence")


def is_inline(node: Node) -> bool:
    """Return whether a node may share its line with words."""
    if node.rows:
        return _may_be_inline(node) and all(entry.node is None or is_inline(entry.node) for row in node.rows for entry in row)
    return is_words(node) or (node.kind == "tag" and _may_be_inline(node))


def _may_be_inline(node: Node) -> bool:
    name = name_of(node.tags[0])
    return name not in ("block", "partialdef") if node.kind == "block" else _INLINE.fullmatch(name) is not None


def shown(node: Node) -> Doc:
    """Return the document of a node."""
    if not node.rows:
        return _single(node.kind, node.tags[0])
    is_row = not _INLINE.fullmatch(name_of(node.tags[0])) and sum(_has_block(entry) for row in node.rows for entry in row) > 1
    out: list[Doc] = [_single(node.kind, node.tags[0])]
    for row, tag in zip(node.rows, node.tags[1:], strict=True):
        body, has_space = document(row), (row[0].space, row[-1].space)
        out.append(
            Indent(0 if node.tags[0].startswith("<html") else 2, ["" if has_space[0] else Line(), body]) if len(row) > 1 else row[0].space
        )
        out += ["" if has_space[1] and len(row) > 1 else Line(), tag]
    return Group(out, force=is_row or is_forced(out))


def _has_block(entry: Entry) -> bool:
    """Return whether an entry is, or contains, an element that cannot be in a line of words."""
    node = entry.node
    if node is None or is_words(node):
        return False
    if node.kind == "tag":
        return not _may_be_inline(node)
    return any(_has_block(inner) for row in node.rows for inner in row)


def _single(kind: str, text: str) -> Doc:
    if kind == "sentence":
        return sentence(text)
    if kind == "tag":
        return tag(text)
    return _translate(text) if kind == "block" else text


def sentence(text: str) -> Doc:
    """Return a `blocktranslate`: as it is if it fits on a line, else trimmed and filled."""
    found = _SENTENCE.fullmatch(text)
    assert found is not None
    options = re.sub(r"\btrimmed\b *", "", found["options"]).rstrip()
    bodies = _PLURAL.split(found["body"])
    if options != found["options"].rstrip():
        bodies = [re.sub(r"\s*\n\s*", " ", body.strip()) for body in bodies]
    if any("\n" in body or body != body.strip() or "  " in body for body in bodies):
        return text
    out: list[Doc] = [IfBroken(f"{{% blocktranslate trimmed{options} %}}", f"{{% blocktranslate{options} %}}")]
    for number, body in enumerate(bodies):
        if number:
            out += [Line(), "{% plural %}"]
        out.append(Indent(2, [Line(), _words(body)]))
    return Group([*out, Line(), "{% endblocktranslate %}"])


def _words(text: str) -> Doc:
    parts: list[Doc] = []
    for word in _WORD.findall(text):
        parts += [Line(" "), word]
    return Fill(parts[1:])


def _translate(text: str) -> Doc:
    """Return a tag of Django; a long sentence as a `blocktranslate`."""
    found = _TRANSLATE.fullmatch(text)
    if found is None or len(text) < WIDTH - 20:
        return text
    options = re.sub(r" as (\w+)", r" asvar \1", found["options"])
    start = f"{{% blocktranslate trimmed{options} %}}"
    return Group([start, Indent(2, [Line(), _words(found["text"])]), Line(), "{% endblocktranslate %}"], force=True)


def tag(text: str) -> Doc:
    """Return an HTML tag, broken between its attributes if it is too long."""
    rows: list[list[list[Doc]]] = [[[]]]  # by depth of conditions: chunks with places between them
    places: list[list[Doc]] = [[]]
    before, is_first = "", True  # the first attribute stays beside the name
    for found in _TAG_UNIT.finditer(text):
        kind, part = str(found.lastgroup), found[0]
        name = name_of(part) if kind == "mark" else ""
        if kind == "space" and not text.startswith("{%", found.end()) and not is_first:
            places[-1].append(Line(" "))
            rows[-1].append([])
        elif name in ("if", "for", "with"):
            if len(rows) == 1 and before != "space" and len(text) > 1 and found.start() > 1:
                places[-1].append(Line())
                rows[-1].append([])
            rows.append([[part]])
            places.append([])
        elif name.startswith("end") and len(rows) > 1:
            rows[-1][-1].append(part)
            done = _filled(rows.pop(), places.pop())
            rows[-1][-1].append(Indent(2, done))
        elif name in BRANCHES:
            places[-1].append(Line())
            rows[-1].append([part])
        else:
            rows[-1][-1].append(_quoted(part) if kind == "quoted" else sentence(part) if kind == "sentence" else part)
        before, is_first = kind, is_first and kind != "space"
    return Indent(4, _filled(rows[0], places[0]))


def _filled(chunks: list[list[Doc]], places: list[Doc]) -> Doc:
    out: list[Doc] = [chunks[0] if len(chunks[0]) != 1 else chunks[0][0]]
    for place, chunk in zip(places, chunks[1:], strict=True):
        out += [place, chunk]
    return Fill(out) if len(out) > 1 else out[0]


def _quoted(text: str) -> Doc:
    """Return the value of an attribute, laid out like a text of its own if it contains conditions or sentences."""
    if "{%" not in text:
        return _words(text) if len(text) > WIDTH else text
    place = Line() if text.startswith("{%", 1) else ""
    return Group([text[0], Indent(2, [place, document(tree(text[1:-1]))]), text[-1]])


# -- Files --


def laid_out(source: str) -> str:
    """Return a template in its layout."""
    lines = printed(document(tree(source)), WIDTH).split("\n")
    out: list[str] = []
    for line, behind in zip(lines, [*lines[1:], ""], strict=True):
        starts = line.startswith(("{% partialdef", "{% block ")) and behind.startswith(" ")
        if starts and out and out[-1]:
            out.append("")
        out.append(line)
        if line.startswith(("{% endpartialdef", "{% endblock %}")):
            out.append("")
    return "\n".join(out).strip() + "\n"


def faults(path: Path, source: str, wanted: str) -> Iterator[str]:
    """Yield the faults in the layout of a template."""
    if source != wanted:
        yield f"{path}: not laid out; `make fmt` does it"
    if path.name not in DRAWINGS:
        for number, line in enumerate(wanted.splitlines(), 1):
            if len(line) > LONGEST:
                yield f"{path}:{number}: {len(line)} characters"


def main(arguments: list[str]) -> int:
    is_check = "--check" in arguments
    wrong: list[str] = []
    for name in [it for it in arguments if it != "--check"] or ["templates"]:
        root = Path(name)
        for path in sorted(root.rglob("*.html")) if root.is_dir() else [root]:
            source = path.read_text(encoding="utf-8")
            wanted = laid_out(source)
            if is_check:
                wrong += faults(path, source, wanted)
            elif wanted != source:
                path.write_text(wanted, encoding="utf-8")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
