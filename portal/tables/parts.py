"""Pieces of the region as markup, cached between answers, here and in the page that has them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any, ClassVar, Final
from zlib import crc32

from django.template.loader import get_template
from django.utils.safestring import SafeString, mark_safe

MAX_KEPT_CHARS: Final = 12_000_000  # of markup in a process; a piece has some 300 characters, a row of squares 2,000
MAX_HAVE_CHARS: Final = 4000
HOLE: Final = "<i data-held></i>"  # where a piece includes others


class Parts:
    """Pieces of the region as markup: rendered once per content, and not sent to a page that has them already.

    A page lists what it has as `id:hash`; in place of such a piece it gets a mark, which it fills from its own copy. The key of a piece is
    everything that it is made of, so nothing of one viewer can reach another.
    """

    _rendered: ClassVar[dict[tuple[str, str, bytes], tuple[str, str]]] = {}
    _kept_chars: ClassVar[int] = 0

    def __init__(self, have: str = "") -> None:
        self._have = frozenset(have.split(",")) if len(have) <= MAX_HAVE_CHARS else frozenset()

    def part(self, part_id: str, template: str, lang: str, key: Any, context: Callable[[], dict[str, Any]]) -> str:
        """Return the piece with the element id `part_id`, or a mark if the page has it. `key` is everything it is made of."""
        wanted = (template, lang, blake2b(repr(key).encode(), digest_size=16).digest())
        found = self._rendered.get(wanted)
        if found is None:
            html = str(get_template(template).render(context()))
            # A frame around other pieces is always sent: it is small, and nothing says which pieces the page's copy has in it.
            digest = f"{crc32(html.encode() + wanted[2]):x}" if 'data-h="@"' in html else ""
            found = (html.replace('data-h="@"', f'data-h="{digest}"', 1), digest)
            Parts._keep(wanted, found)
        return self.given(part_id, *found)

    def given(self, part_id: str, html: str, digest: str) -> str:
        """Return what the page gets of a piece."""
        return mark(part_id) if self.has(part_id, digest) else html

    def held(self, part_id: str, html: str, inside: str) -> str:
        """Return a frame with the pieces that it includes."""
        return html.replace(HOLE, inside)

    @classmethod
    def _keep(cls, wanted: tuple[str, str, bytes], found: tuple[str, str]) -> None:
        if cls._kept_chars > MAX_KEPT_CHARS:
            cls._rendered.clear()
            cls._kept_chars = 0
        cls._rendered[wanted] = found
        cls._kept_chars += len(found[0])

    def fresh(self, part_id: str, template: str, context: dict[str, Any]) -> SafeString:
        """Return a piece that is rendered each time, or a mark if the page has exactly the same."""
        html = str(get_template(template).render(context))
        digest = f"{crc32(html.encode()):x}"
        return mark_safe(self.given(part_id, html.replace('data-h="@"', f'data-h="{digest}"', 1), digest))

    def has(self, part_id: str, digest: str) -> bool:
        return bool(digest) and f"{part_id}:{digest}" in self._have

    def __bool__(self) -> bool:
        """Whether the page has said what it has."""
        return self._have != {""}


def mark(part_id: str) -> str:
    """Return the mark for a piece that the page has."""
    return f'<i data-keep="{part_id}"></i>'


def joined(pieces: Sequence[str]) -> SafeString:
    """Join pieces of markup; neighbouring marks become one mark."""
    return mark_safe("".join(pieces).replace('"></i><i data-keep="', " "))
