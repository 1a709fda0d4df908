"""What the question of a position leads to: its inner positions, each as the pieces of the page that it changes.

The page's script asks for them once, in the background, so that choosing and going back need no request. They are drawn by the same
functions and templates as the page with the same choice, from the reader's view, so they hold nothing that a request would not give.
What is not in it is asked for as before.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import replace
from typing import Any, Final

from portal.accounts.models import Confirm, User
from portal.common.kept import Kept
from portal.tables.page import asked_context
from portal.tables.parts import Parts
from portal.tables.question import confirm_of, consequence_of
from portal.tables.selectors import TablePage
from portal.tables.speaker import Speaker

Told = tuple[Any, ...]

MOST_NODES: Final = 16
MOST_CHILDREN: Final = 14  # of one inner position; if it has more, none of them
MOST_TOLD: Final = 24  # actions of one inner position whose effect is told; if it has more, none of them
MOST_BYTES: Final = 24_000  # in gzip format
MOST_KEPT_BYTES: Final = 4_000_000  # of answers, in a process

_kept: Kept[bytes] = Kept(MOST_KEPT_BYTES, len)


class _Pieces(Parts):
    """Remembers the pieces of a position that a page could keep, by id."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}

    def given(self, part_id: str, html: str, digest: str) -> str:
        if digest:
            self.found[part_id] = html
        return html

    def held(self, part_id: str, html: str, inside: str) -> str:
        """A frame with a digest is one piece with what is in it."""
        whole = super().held(part_id, html, inside)
        if part_id in self.found:
            self.found = {other: found for other, found in self.found.items() if found not in inside}
            self.found[part_id] = whole
        return whole


def choices_of(page: TablePage, user: User | None, speaker: Speaker) -> str | None:
    """Return the inner positions of the question as JSON; None if nobody is asked here.

    `nodes` has for each partial choice, from "" on, which of the `pieces` it shows, and `told` what whole actions would do and how
    their button is called; for a choice that leads to many of them, only how it is called.
    """
    ask = page.turn.ask
    if ask is None:
        return None
    confirm = Confirm.MATTERS if user is None else user.confirm
    list_first = user is not None and user.list_first
    key = (page.id, page.seal.commitment, page.version, page.my_seat, speaker.lang, confirm, list_first, tuple(page.names))
    kept = _kept.get(key)
    if kept is not None:
        return zlib.decompress(kept).decode()
    made = _made(page, user, speaker)
    _kept.put(key, zlib.compress(made.encode(), 1))
    return made


def _made(page: TablePage, user: User | None, speaker: Speaker) -> str:
    nodes: dict[str, dict[str, str]] = {}
    told: dict[str, Told] = {}
    waiting = [""]
    for prefix in waiting:  # those nearest to the question come first; it grows meanwhile
        nodes[prefix], leaves, further = _node(page, user, speaker, prefix)
        if len(leaves) <= MOST_TOLD:
            told.update((leaf, _told(page, speaker, leaf)) for leaf in leaves if leaf not in told)
        elif leaves:
            told[prefix] = ("", _told(page, speaker, leaves[0])[1])
        if len(further) <= MOST_CHILDREN:
            waiting += [text for text in further if text not in waiting]
        if len(nodes) == MOST_NODES:
            break
    names = list(nodes)
    while (size := len(zlib.compress((made := _as_json(page, {name: nodes[name] for name in names}, told)).encode()))) > MOST_BYTES:
        if len(names) == 1:
            return _as_json(page, {}, {})
        names = names[: max(1, min(len(names) - 1, len(names) * MOST_BYTES // size))]  # about as many as fit, in two or three tries
    return made


def _node(page: TablePage, user: User | None, speaker: Speaker, prefix: str) -> tuple[dict[str, str], list[str], list[str]]:
    """Return the pieces of an inner position, the actions that one click plays there, and the choices it leads to."""
    parts = _Pieces()
    ask = page.entry.game.ask(page.view, prefix) if prefix else page.turn.ask
    context = asked_context(replace(page, turn=replace(page.turn, ask=ask)), user, speaker, parts, chosen=prefix)
    asked = context["ask"]
    leaves = [option["text"] for option in asked["options"] if option["posts"]]
    further = [option["text"] for option in asked["options"] if not option["posts"]]
    return parts.found, leaves, further


def _told(page: TablePage, speaker: Speaker, action: str) -> Told:
    """Return what a whole action would do, the words of its button, and the odds if it leads to dice."""
    ask = page.entry.game.ask(page.view, action)
    assert ask is not None
    return consequence_of(ask, speaker), confirm_of(ask, speaker), *([ask.odds] if ask.odds else [])


def _as_json(page: TablePage, nodes: dict[str, dict[str, str]], told: dict[str, Told]) -> str:
    """Return the answer. Pieces that are alike everywhere are left out; the others are side by side, which packs well."""
    ids = list(dict.fromkeys(part_id for node in nodes.values() for part_id in node))
    pieces: dict[str, list[str]] = {}
    shown: dict[str, list[int]] = {name: [] for name in nodes}
    for part_id in ids:
        variants = list(dict.fromkeys(node.get(part_id, "") for node in nodes.values()))
        if len(variants) > 1:
            pieces[part_id] = variants
            for name, node in nodes.items():
                shown[name].append(variants.index(node.get(part_id, "")))
    answer = {"version": page.version, "pieces": pieces, "nodes": shown, "told": told}
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
