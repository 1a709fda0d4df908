"""The chat in words: everything that its template shows, said in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.accounts.pseudonyms import name_of
from portal.tables.loading import Loaded
from portal.tables.watchers import watchers_of
from portal.talk import selectors
from portal.talk.models import MAX_LINE_CHARS, MAX_NOTE_CHARS, Line, Room
from portal.talk.rooms import OVER, rooms_for
from portal.talk.words import PHRASES, said

TEMPLATE: Final = "talk/talk.html"


def title_of(loaded: Loaded) -> str:
    """Return the name of a table."""
    return _("%(game)s, table %(id)s") % {"game": _(loaded.entry.game.meta.title), "id": loaded.table.pk}


def talk_context(
    loaded: Loaded, user: User | None, *, room: str = "", before: int | None = None, typed: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return what the template shows one reader; `typed` is what a refused form held."""
    typed = typed or {}
    rooms, listener = rooms_for(loaded, user), selectors.listener_of(loaded, user)
    shown = []
    newest = 0
    for one in rooms.read if not listener.is_muted else ():
        if before is not None and room in rooms.read and one != room:
            continue
        lines, has_earlier = selectors.lines_of(loaded, user, one, before=before)
        newest = max(newest, lines[-1].pk if lines else 0)
        shown.append(
            {
                "key": one.value,
                "title": _("Players' chat") if one == Room.PLAYERS else _("Spectators' chat"),
                "note": _said_to(one, is_over=loaded.table.status in OVER, is_private=_is_private(loaded)),
                "lines": told(lines, user),
                "since": lines[-1].pk if lines else 0,
                "earlier": f"?room={one.value}&before={lines[0].pk}" if has_earlier else "",
                "may_write": one in rooms.write and before is None,
                "typed": typed.get("text", "") if typed.get("room") == one else "",
            }
        )
    return {
        "id": loaded.table.pk,
        "entry": loaded.entry,
        "section": "play",
        "table_title": title_of(loaded),
        "has_company": loaded.has_company,
        "rooms": shown,
        "newest": newest,
        "is_earlier": before is not None,
        "listener": listener,
        "note": typed.get("note", listener.note),
        "watching": watchers_of(loaded, user),
        "phrases": [(key, _(text)) for key, text in PHRASES.items()],
        "most": MAX_LINE_CHARS,
        "most_note": MAX_NOTE_CHARS,
        "login_url": f"{reverse('account_login')}?next={reverse('table-talk', args=[loaded.table.pk])}",
    }


def told(lines: Sequence[Line], user: User | None) -> list[dict[str, Any]]:
    """Return lines in words. A hidden one keeps its place, so that answers to it still make sense."""
    return [
        {
            "id": line.pk,
            "name": name_of(line.writer) if line.writer is not None else _("Somebody who has left"),
            "profile": reverse("profile", args=[line.writer.username]) if line.writer is not None and line.writer.is_active else "",
            "text": _("Removed by a moderator.") if line.hidden_at else said(line.text, line.phrase),
            "is_hidden": line.hidden_at is not None,
            "is_mine": user is not None and line.writer_id == user.pk,
            "may_report": user is not None and line.writer_id not in (None, user.pk) and not line.hidden_at,
            "at": line.at,
            "when": when(line.at),
        }
        for line in lines
    ]


def when(at: datetime) -> str:
    """Return the time of a line, with the day if that is not today."""
    local = timezone.localtime(at)
    clock = date_format(local, "H:i")
    return clock if local.date() == timezone.localdate() else f"{date_format(local, 'MONTH_DAY_FORMAT')}, {clock}"


def _is_private(loaded: Loaded) -> bool:
    return loaded.table.club_id is not None or loaded.table.privacy != loaded.table.Privacy.PUBLIC


def _said_to(room: Room, *, is_over: bool, is_private: bool) -> str:
    """Say who reads what is written in a room."""
    if room == Room.SPECTATORS:
        return _("The game is over, so players can read this too.") if is_over else _("Players can't read this until the game is over.")
    return _("Everyone who can see this table can read this.") if is_private else _("Everyone can read this.")
