"""What is written of the chat: lines, how far somebody has read, muting, notes, reports. Every verb asks first who may see the table."""

from __future__ import annotations

from typing import Any, Final

from django.db import connection, transaction
from django.utils import timezone

from portal.accounts.models import User
from portal.common.limits import count_use
from portal.common.templatetags.site import moment
from portal.common.texts import tidy
from portal.live.publish import publish_talk
from portal.notices import inbox
from portal.notices.models import Kind
from portal.tables.access import load_for
from portal.tables.loading import Loaded
from portal.talk import mentions, refusals
from portal.talk.models import MAX_COPY_CHARS, MAX_REASON_CHARS, Line, Listener, Report, Silence
from portal.talk.rooms import is_told_to_all, rooms_for
from portal.talk.selectors import line_for
from portal.talk.words import PHRASES, line_of, note_of

LINES_PER_MINUTE: Final = 20
LINES_PER_DAY: Final = 300
REPORTS_PER_DAY: Final = 30
_ORDER: Final = 0x7A69  # the first key of our advisory locks; the second is the table's number


def say(*, table_id: int, user: User | None, room: str, text: str = "", phrase: str = "") -> Line:
    """Say something in a room of a table: a text, or a phrase by its key.

    Raises TableNotFound, SignInToChat, NoChatHere, UnknownRoom, PlayersOnly, NotWhilePlaying, UnknownPhrase, NothingSaid, LineTooLong, Silenced
    and TooManyLines.
    """
    with transaction.atomic():
        loaded = load_for(table_id, user)
        if not loaded.has_company:
            raise refusals.NoChatHere
        if user is None:
            raise refusals.SignInToChat
        where = rooms_for(loaded, user).require(room)
        if phrase and phrase not in PHRASES:
            raise refusals.UnknownPhrase
        said = "" if phrase else line_of(text)
        _require_voice(user)
        with connection.cursor() as cursor:  # keys are given in the order in which lines of a table are committed
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [_ORDER, table_id % 2**31])
        line = Line.objects.create(table=loaded.table, room=where, writer=user, text=said, phrase=phrase, at=timezone.now())
        mentions.tell(loaded, line, user)
        if is_told_to_all(loaded, where):
            transaction.on_commit(lambda: publish_talk(table_id), robust=True)
    return line


def _require_voice(user: User) -> None:
    """Raises Silenced, TooManyLines and TooManyLinesToday."""
    silence = Silence.objects.filter(user=user, until__gt=timezone.now()).first()
    if silence is not None:
        raise refusals.Silenced(until=moment(silence.until))
    count_use("talk", str(user.pk), limit=LINES_PER_MINUTE, window_s=60, refusal=refusals.TooManyLines)
    count_use("talk-day", str(user.pk), limit=LINES_PER_DAY, window_s=86400, refusal=refusals.TooManyLinesToday)


def mark_read(loaded: Loaded, user: User, newest: int) -> None:
    """Note that somebody has read a table's chat up to a line; a mention there is then no longer news."""
    mine = Listener.objects.filter(table=loaded.table, user=user)
    if not mine.filter(seen__lt=newest).update(seen=newest):  # what was read in the other room may be newer
        Listener.objects.bulk_create([Listener(table=loaded.table, user=user, seen=newest)], ignore_conflicts=True)
    inbox.read(user, table_id=loaded.table.pk, kind=Kind.MENTION)


def mute(*, table_id: int, user: User, is_muted: bool) -> None:
    """Mute the chat of a table for one person, or let them hear it again. Raises TableNotFound."""
    loaded = load_for(table_id, user)
    Listener.objects.update_or_create(table=loaded.table, user=user, defaults={"is_muted": is_muted})
    if is_muted:
        inbox.read(user, table_id=table_id, kind=Kind.MENTION)


def keep_note(*, table_id: int, user: User, text: str) -> None:
    """Keep what somebody notes for themselves at a table. Raises TableNotFound and NoteTooLong."""
    loaded = load_for(table_id, user)
    Listener.objects.update_or_create(table=loaded.table, user=user, defaults={"note": note_of(text)})


def report(*, table_id: int, user: User, line_id: int, reason: str, words: str = "") -> Report:
    """Report a line to the moderators; the same line again changes nothing.

    Raises TableNotFound, NoSuchLine, OwnLine, ChooseReason, ReasonTooLong and TooManyReports.
    """
    line = line_for(load_for(table_id, user), user, line_id)
    if line.writer_id == user.pk:
        raise refusals.OwnLine
    return _store(user, reason, words, {"line": line}, {"person": line.writer})


def report_other(
    *,
    user: User,
    what: Report.What,
    person: User,
    reason: str,
    words: str,
    path: str,
    text: str = "",
    picture: bytes = b"",
    study: int = 0,
    move: int = 0,
) -> Report:
    """Report something of a person other than a message, as it is now; the same while a report of it waits changes nothing.

    Raises OwnThing, ChooseReason, ReasonTooLong and TooManyReports.
    """
    if person.pk == user.pk:
        raise refusals.OwnThing
    same = {"what": what, "person": person, "study": study, "move": move, "state": Report.State.WAITING}
    return _store(user, reason, words, same, {"path": path, "text": text[:MAX_COPY_CHARS], "picture": picture})


def _store(user: User, reason: str, words: str, same: dict[str, Any], more: dict[str, Any]) -> Report:
    """Store a report, unless `user` has made the same one. Raises ChooseReason, ReasonTooLong and TooManyReports."""
    if reason not in Report.Reason.values:
        raise refusals.ChooseReason
    told = tidy(words)
    if len(told) > MAX_REASON_CHARS:
        raise refusals.ReasonTooLong(limit=MAX_REASON_CHARS)
    found = Report.objects.filter(by=user, **same).first()
    if found is not None:
        return found
    count_use("talk-report", str(user.pk), limit=REPORTS_PER_DAY, window_s=86400, refusal=refusals.TooManyReports)
    return Report.objects.get_or_create(by=user, **same, defaults={"reason": reason, "words": told, "at": timezone.now(), **more})[0]


def forget(*, user: User, **_signal: object) -> bool:
    """Delete what somebody who goes for good has said, and the reports of them; says that nothing of it has to stay."""
    Line.objects.filter(writer=user).delete()
    Report.objects.filter(person=user).delete()
    return False
