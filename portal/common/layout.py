"""Templates are laid out for readers; pages carry none of that.

A line break together with the indentation around it
- is nothing beside a tag, `<…>` or `{% … %}`, and at either end of a file or of the value of an attribute;
- is one space between words, values `{{ … }}` and the attributes of a tag.

So a space that must show beside a tag goes within a line, and a line may be broken between any two tags. Anything in `<pre>`,
`<script>`, `<style>`, `<textarea>` and in sentences (`{% blocktranslate %}`, which has `trimmed` for this) is left as it is. This happens
once, when a template is loaded. `tools/template_layout.py` lays out templates by the same rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from django.template import Origin, Template
from django.template.loaders import filesystem

SENTENCE: Final = r"\{% *blocktranslate\b.*?%\}.*?\{% *endblocktranslate *%\}"
MARK: Final = r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}"
QUOTED: Final = rf'"(?>{SENTENCE}|{MARK}|[^"])*+"|\'(?>{SENTENCE}|{MARK}|[^\'])*+\''
_UNIT: Final = re.compile(
    r"(?P<comment>\{% *comment *%\}.*?\{% *endcomment *%\}|\{#.*?#\})"
    rf"|(?P<sentence>{SENTENCE})"
    r"|(?P<block>\{%.*?%\})"
    r"|(?P<value>\{\{.*?\}\})"
    r"|(?P<raw><(?P<name>pre|script|style|textarea)\b.*?</(?P=name)>)"
    rf"|(?P<tag></?(?=[A-Za-z!{{])(?>{SENTENCE}|{MARK}|{QUOTED}|[^>\"'])*+>)"
    r"|(?P<space>\s+)"
    r"|(?P<word>(?:(?!\{%|\{\{|\{#|</?[A-Za-z!{])\S)+|.)",
    re.DOTALL,
)
_IN_TAG: Final = re.compile(rf"(?P<quoted>{QUOTED})|(?P<sentence>{SENTENCE})|(?P<mark>{MARK})|\s*\n\s*(?P<end>(?=\{{%|/?>))?", re.DOTALL)

TAGS: Final = frozenset({"tag", "block", "sentence", "raw", "comment"})


def units(source: str) -> Iterator[tuple[str, str]]:
    """Yield the kind and the text of everything in a template: comment, sentence, block, value, raw, tag, space or word."""
    for found in _UNIT.finditer(source):
        yield ("raw" if found["raw"] else str(found.lastgroup)), found[0]


def joined(source: str) -> str:
    """Return a template without its layout."""
    out: list[str] = []
    before, waiting = "block", ""
    for kind, text in units(source):
        if kind == "space":
            waiting += text
        elif kind != "comment":
            out.append(_space(waiting, is_beside_tag=before in TAGS or kind in TAGS))
            out.append(joined_tag(text) if kind == "tag" and "\n" in text else text)
            before, waiting = kind, ""
    return "".join(out) + _space(waiting, is_beside_tag=True)


def _space(text: str, *, is_beside_tag: bool) -> str:
    if "\n" not in text:
        return text
    return "" if is_beside_tag else " "


def joined_tag(tag: str) -> str:
    """Return a tag on one line; a condition inside it brings its own space, as in `<option{% if … %} selected{% endif %}>`."""

    def part(found: re.Match[str]) -> str:
        if found["quoted"]:
            return found[0][0] + joined(found[0][1:-1]) + found[0][0]
        return found["sentence"] or found["mark"] or (" " if found["end"] is None else "")

    return _IN_TAG.sub(part, tag)


class Loader(filesystem.Loader):
    """Loads the pages of the project without their layout."""

    def get_contents(self, origin: Origin) -> str:
        source = str(super().get_contents(origin))
        if not origin.name.endswith(".html"):
            return source  # mail is sent as written
        if self.engine.debug:
            Template(source, origin, str(origin.template_name), self.engine)  # an error reports the line of the source
        return joined(source)
