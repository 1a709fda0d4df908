"""The table page in words: everything that the templates show, said in the reader's language.

The templates only loop and choose; everything is worked out and worded here, from a `TablePage`, which holds nothing that the viewer may
not know.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.template.loader import get_template
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext, ngettext

from games.registry import Entry
from portal.accounts.models import Confirm, LogDetail, Pace, User
from portal.accounts.pseudonyms import is_pseudonym
from portal.common.templatetags.site import level_name
from portal.tables.chain import chain_of
from portal.tables.clocks_said import shown_clock, turn_clock
from portal.tables.coach import add_way, coach_of
from portal.tables.drawn import add_drawn
from portal.tables.facts import facts_of
from portal.tables.hint import may_think_aloud
from portal.tables.inviting_page import inviting_context
from portal.tables.parts import Parts, joined, mark
from portal.tables.question import add_recent, mark_targets, option_of, question_of
from portal.tables.selectors import LogLine, TablePage
from portal.tables.speaker import Speaker
from portal.tables.voting_page import voting_context
from portal.tables.why import explained_for, why_address
from rules_docs.templatetags.books import book_address
from voice import drawing, glossary

UI_SPRITE: Final = "art/ui.svg"
UI_SYMBOLS: Final = (
    "i-warn",
    "i-down",
    "i-undo",
    "i-redo",
    "i-check",
    "i-close",
    "i-book",
    "i-play",
    "i-pause",
    "i-skip",
    "i-prev",
    "i-next",
    "i-plus",
    "i-machine",
    "i-clock",
)
COMMON_SYMBOLS: Final = (*(f"zg-seat-{n}" for n in range(1, 7)), "zg-dice", "zg-mark-last")
REEL_SPEEDS: Final[dict[str, str]] = {Pace.ONCE: "0", Pace.QUICK: "0.5", Pace.CALM: "1", Pace.STEPS: "-1"}  # as `reel.js` reads them
MISSED_IN_HEAD: Final = 3
TEMPLATE: Final = "tables/table.html"
PLAYER_TEMPLATE: Final = f"{TEMPLATE}#player"


@cache
def sprite_symbols(entry: Entry) -> SafeString:
    """Return every symbol that a table page of this game can need; they are outside the region that is replaced."""
    game_symbols = drawing.symbols(entry.sprite, [*drawing.sprite(entry.sprite), *COMMON_SYMBOLS])
    ui_symbols = drawing.symbols(UI_SPRITE, UI_SYMBOLS)
    return mark_safe(f'<svg class="svg-defs" aria-hidden="true" focusable="false"><defs>{game_symbols}{ui_symbols}</defs></svg>')


def table_context(
    page: TablePage,
    user: User | None,
    lang: str,
    *,
    chosen: str = "",
    token: str = "",
    notice: dict[str, Any] | None = None,
    rule: dict[str, Any] | None = None,
    have: str = "",
    is_away: bool = False,
    reel: dict[str, Any] | None = None,
    result: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the context of `tables/table.html` for one viewer; `have` says which parts the page already has.

    `reel` is what happened since the version that the page shows, as its script reads it; `result` is what the page of a
    finished game shows (`result.py`) instead of question and board.

    A page that is being looked at (`have` and not `is_away`) needs no summary of what was missed.
    """
    parts = Parts(have)
    speaker = Speaker(page.entry.key, lang, page.names, page.my_seat)
    looks_anew = is_away or not parts
    context: dict[str, Any] = {
        "page": page,
        "section": "play",
        "token": token,
        "notice": notice,
        "rule": rule,
        "reel": reel,
        "bot_fill": level_name(page.bot_fill),
        "facts": facts_of(page.entry, page.seat_count, page.options, page.pace, page.starts_at),
        "marks": _marks(page),
        "words": ", ".join(f"“{word}”" for word in page.seal.words if word),
        "turn": _turn(page, speaker),
        "log": _log(page, speaker, parts, shows_missed=looks_anew, shows_quiet=user is not None and user.log_detail == LogDetail.ALL),
        "keeps_strip": bool(parts),
        "stream": "same" if parts and page.stream else page.stream.url if page.stream else None,
        "missed": [],
        "ask": None,
        "explains": explained_for(page) is not None,
        **_addresses(page, lang),
        **_reader(user),
    }
    context["table_title"] = title = gettext("%(game)s, table %(id)s") % {"game": gettext(page.entry.game.meta.title), "id": page.id}
    context["head_title"] = f"{title}: {context['turn']['text']}"
    _add_steady(context, page, speaker, parts)
    context["seats"] = _seats(page)
    if page.status == "open":
        _add_joining(context, page, lang)
        context["status_html"] = parts.fresh("status", f"{TEMPLATE}#status", context)
        return context
    if result is not None:
        return context | result
    if looks_anew:
        context |= _missed(page, speaker)
    _add_game(context, page, speaker, parts, question=_question(user, chosen))
    context |= voting_context(page, lang)
    is_asking = context.get("vote") or context.get("questions")
    context["voting_html"] = parts.fresh("asking", "tables/_voting.html", context) if is_asking else ""
    context["status_html"] = parts.fresh("status", f"{TEMPLATE}#status", context)
    return context


def asked_context(page: TablePage, user: User | None, speaker: Speaker, parts: Parts, *, chosen: str) -> dict[str, Any]:
    """Return what depends on the question: its panel, board and players' areas, which `parts` are told of."""
    context: dict[str, Any] = {"page": page, "notice": None, "seats": _seats(page), **_addresses(page, speaker.lang), **_reader(user)}
    _add_game(context, page, speaker, parts, question=_question(user, chosen))
    return context


def _question(user: User | None, chosen: str) -> Callable[..., dict[str, Any]]:
    return partial(question_of, confirm=Confirm.MATTERS if user is None else user.confirm, typed=chosen)


def _seats(page: TablePage) -> list[dict[str, Any]]:
    """Return the seats, the reader's own first."""
    seats = [shown_seat(seat) | {"clock": shown_clock(seat, page.pace)} for seat in page.seats]
    return seats[page.my_seat or 0 :] + seats[: page.my_seat or 0]


def _addresses(page: TablePage, lang: str) -> dict[str, str | None]:
    is_told = page.seal.secret is not None
    return {
        "page_url": reverse("table", args=[page.id]),
        "region_url": reverse("table-region", args=[page.id]),
        "reel_url": reverse("table-reel", args=[page.id]),
        "act_url": reverse("table-act", args=[page.id]),
        "record_url": reverse("table-record", args=[page.id]) if is_told else None,
        "verify_url": f"{reverse('verify')}?table={page.id}" if is_told else None,
        "rules_url": book_address(page.entry.key, lang),
        "set_url": _set_address(page),
    }


@cache
def site_stamp() -> str:
    """Return what changes with each release of the site: the hash of its styles and scripts."""
    return str(getattr(staticfiles_storage, "manifest_hash", ""))[:6]


def _reader(user: User | None) -> dict[str, Any]:
    """Return the reader's settings for all tables, and what their page's script needs."""
    return {
        "recall_ms": settings.RECALL_MS,
        "site_stamp": site_stamp(),
        "may_act": user is not None,
        "reader": user,
        "pace": REEL_SPEEDS[user.pace] if user is not None else "",
        "hotkeys": user is None or user.hotkeys,
        "list_first": user is not None and user.list_first,
    }


def _missed(page: TablePage, speaker: Speaker) -> dict[str, Any]:
    """Return what happened since the reader last looked; {} for nothing."""
    if not page.log.missed:
        return {}
    quiet = page.entry.game.meta.quiet
    missed = [{"text": speaker.say(line.event)} for line in page.log.missed if line.event.key not in quiet]
    return {"missed": missed, "missed_count": len(missed), "missed_last": missed[-MISSED_IN_HEAD:]}


def _add_game(context: dict[str, Any], page: TablePage, speaker: Speaker, parts: Parts, *, question: Callable[..., dict[str, Any]]) -> None:
    """Add the chain of the turn, the question or what the table waits for, and the drawn scene."""
    context["chain"] = chain_of(page, speaker)
    context["may_think_aloud"] = may_think_aloud(page)
    context["coach"] = coach = coach_of(page, speaker)
    scene = page.entry.game.scene(page.view) if page.view is not None else None
    if scene is not None:
        add_recent(scene, page)
    if page.turn.ask is not None:
        context["ask"] = question(page, speaker)
        mark_targets(scene, page, context["ask"], speaker)
        if context["notice"] is not None:
            context["ask"]["refusal"] = None  # the notice says it
        if coach is not None:
            add_way(coach, page, context["ask"])
            context["ask"]["then"] = []  # a lesson takes no answers in advance
    else:
        context["waiting"] = _waiting(page, speaker)
        context["orders"] = [option_of(option, speaker, selected=is_set) for option, is_set in page.turn.orders]
    if scene is not None:
        add_drawn(context, scene, page, speaker, parts, PLAYER_TEMPLATE)
    context["action_html"] = parts.fresh("action", f"{TEMPLATE}#{'asking' if context['ask'] else 'waiting'}", context)


# Parts


def _marks(page: TablePage) -> list[dict[str, str | None]]:
    """Return what the table belongs to (club, league, duplicate set; unrated), with a URL if the viewer may go there."""
    marks: list[dict[str, str | None]] = []
    circle = page.circle
    if circle is not None:
        is_open = not circle.is_private or circle.role is not None
        marks.append({"text": circle.name, "url": reverse("club", args=[circle.slug]) if is_open else None})
        if circle.league_id is not None:
            url = reverse("league", args=[circle.slug, circle.league_id]) if is_open else None
            marks.append({"text": circle.league_name, "url": url})
        if circle.set_id is not None:
            marks.append({"text": gettext("Duplicate: %(name)s") % {"name": circle.set_name}, "url": _set_address(page)})
    if page.by_link:
        marks.append({"text": gettext("only by link"), "url": None})
    if not page.is_rated:
        marks.append({"text": gettext("unrated"), "url": None})
    if page.lesson is not None:
        marks.append({"text": gettext("lesson"), "url": reverse("learn", args=[page.entry.key])})
    if page.by_hand:
        marks.append({"text": gettext("one person plays all seats"), "url": None})
    return marks


def _set_address(page: TablePage) -> str | None:
    circle = page.circle
    if circle is None or circle.set_id is None or (circle.is_private and circle.role is None):
        return None
    return reverse("club-duplicate", args=[circle.slug, circle.set_id])


def _turn(page: TablePage, speaker: Speaker) -> dict[str, Any]:
    """Return the text of the turn bar."""
    since = page.turn.due_since.replace(microsecond=0) if page.status == "playing" and page.turn.due_since else None
    is_mine = page.my_seat is not None and page.my_seat in page.turn.due
    if page.status == "open":
        text = gettext("This table has not started yet")
    elif page.status == "abandoned":
        text = gettext("This table was closed")
    elif page.status == "finished":
        text = gettext("The game is over")
    elif is_mine:
        text = gettext("Your move")
    elif page.turn.waiting_for == ["scoring"]:
        text = gettext("The points are being counted")
    else:
        text = gettext("Waiting for %(names)s") % {"names": glossary.and_list(page.turn.waiting_for, speaker.lang)}
    clock = turn_clock(page)
    return {"text": text, "is_mine": is_mine, "since": since if clock is None else None, "clock": clock}


def _by(by: str) -> str:
    """Return the note behind a log line that no person chose."""
    return {
        "auto": gettext("(only possible move)"),
        "redo": gettext("(redone)"),
        "order": gettext("(answered in advance)"),
        "substitute": gettext("(simple fallback move: the bot failed)"),
    }.get(by, "")


def _add_steady(context: dict[str, Any], page: TablePage, speaker: Speaker, parts: Parts) -> None:
    """Add what rarely changes: rule drawer, seal, leaving, the tab of the players, the token of the form."""

    def part(part_id: str, name: str, *key: Any) -> SafeString:
        return mark_safe(parts.part(part_id, f"{TEMPLATE}#{name}", speaker.lang, (page.id, key), lambda: context))

    token = context["token"]
    context["drawer_html"] = part("rule-drawer", "drawer", context["rule"])
    context["seal_html"] = part("seal", "seal", page.seal.commitment, page.seal.secret, page.seal.words, page.is_sealed)
    context["tab_html"] = mark_safe(parts.part("players-all", f"{TEMPLATE}#tab", speaker.lang, None, dict))
    context["leaving_html"] = part("leaving", "leaving", page.bot_fill, page.by_hand)
    context["token_html"] = mark_safe(
        mark("csrf") if parts.has("csrf", "1") else get_template(f"{TEMPLATE}#token").render({"token": token})
    )


def _log(page: TablePage, speaker: Speaker, parts: Parts, *, shows_missed: bool, shows_quiet: bool) -> SafeString:
    """Return the lines of the log, newest first, with a divider where the reader last looked; quiet ones if the reader wants every event."""
    missed = {(line.seq, id(line)) for line in page.log.missed if shows_missed}
    lines = []
    was_missed = False
    explains = explained_for(page) is not None
    clock = get_current_timezone_name()
    first = {line.seq: id(line) for line in page.log.lines if line.event.key not in page.entry.game.meta.quiet}  # of what was done together
    for number, line in enumerate(page.log.lines):
        if line.event.key in page.entry.game.meta.quiet and not shows_quiet:
            continue
        is_missed = (line.seq, id(line)) in missed
        # Events of one record are numbered from its last one, so that the numbers never change.
        line_id = f"l{line.seq}-{sum(other.seq == line.seq for other in page.log.lines[:number])}"
        event = line.event
        why = why_address(page, line.actor, line.by, line.seq) if explains and first.get(line.seq) == id(line) else None
        key = (line_id, page.id, event.key, event.params, line.by, line.at, line.actor, page.names, page.my_seat, clock, why)
        html = parts.part(line_id, f"{TEMPLATE}#logline", speaker.lang, key, partial(_line_context, line, line_id, speaker, why))
        if was_missed and not is_missed:
            lines.append(parts.part("break", f"{TEMPLATE}#logbreak", speaker.lang, None, dict))
        lines.append(html)
        was_missed = is_missed
    return joined(lines)


def _line_context(line: LogLine, line_id: str, speaker: Speaker, why: str | None) -> dict[str, Any]:
    return {"line": log_line(line, speaker) | {"id": line_id, "why": why}}


def log_line(line: LogLine, speaker: Speaker) -> dict[str, Any]:
    """Return a log line in words, with its link and the number of its seat."""
    seat = line.event.params.get("seat", line.actor)
    return {
        "text": speaker.say(line.event),
        "by": _by(line.by),
        "rule": speaker.rule(line.event.rule),
        "number": seat + 1 if isinstance(seat, int) and seat >= 0 else None,
        "version": line.version,
        "at": line.at,
        "is_mine": speaker.me is not None and line.actor == speaker.me,
    }


def shown_seat(seat: Any) -> dict[str, Any]:
    """Return a seat as the templates read it."""
    if seat.is_kept and seat.left_name:
        note = gettext("%(level)s bot, for %(name)s") % {"level": level_name(seat.bot_level), "name": seat.left_name}
    elif seat.bot_level:
        note = gettext("%(level)s bot") % {"level": level_name(seat.bot_level)}
    elif seat.is_me:
        note = gettext("you")
    else:
        note = ""
    profile = reverse("profile", args=[seat.username]) if seat.username and not is_pseudonym(seat.username) else None
    return {"info": seat, "number": seat.index + 1, "note": note, "profile": profile, "fact": note if seat.is_me or seat.is_kept else ""}


def _add_joining(context: dict[str, Any], page: TablePage, lang: str) -> None:
    """Add the panel of a table that has not started."""
    free = sum(seat.is_free for seat in page.seats)
    fill = level_name(page.bot_fill)
    if page.invited is not None:
        title = gettext("You are invited")
        text = gettext("A seat is kept for you.")
        consequence = ""
    elif page.may.start:
        title = gettext("Start when you're ready")
        text = ""
        consequence = (
            ngettext("A bot takes the free seat. Its level: %(level)s.", "Bots take the free seats. Their level: %(level)s.", free)
            if free
            else gettext("All seats are taken.")
        ) % {"level": fill}
    elif page.my_seat is not None:
        title = gettext("You are at this table")
        text = (
            gettext("It starts when all seats are taken or a club officer starts it.")
            if page.circle is not None and page.circle.set_id is not None
            else gettext("It starts when all seats are taken or its owner starts it.")
        )
        consequence = ""
    elif page.may.join:
        title = gettext("A seat is free")
        text = gettext("The game starts when all seats are taken or the table's owner starts it.")
        consequence = ""
    elif free and page.kept >= free:
        title = gettext("No seat is free right now")
        text = gettext("The free seats are kept for invited people. You can watch the game here.")
        consequence = ""
    elif free and page.circle is not None:
        title = gettext("Club table")
        text = gettext("Only club members can join. You can watch the game here.")
        consequence = ""
    else:
        title = gettext("All seats are taken")
        text = gettext("You can watch the game here.")
        consequence = ""
    if page.starts_at is not None and (page.my_seat is not None or page.may.join):
        text = gettext("The game starts at the time above, if all seats are taken by then; otherwise when the last one is taken.")
    context |= {
        "free_count": free,
        "joining": {"title": title, "text": text, "consequence": consequence},
        "inviting": inviting_context(page, context["reader"]) if page.is_owner else None,
        "sign_in_url": f"{reverse('account_login')}?{urlencode({'next': context['page_url']})}",
        "bot_levels": [{"key": level, "name": level_name(level)} for level in page.entry.game.meta.bot_levels],
    }


def _waiting(page: TablePage, speaker: Speaker) -> dict[str, Any]:
    if page.turn.orders:
        return {"title": gettext("Answer in advance"), "text": gettext("This answer will be used automatically on your turn.")}
    if page.status == "abandoned":
        agreed = any(line.event.key == "table.called_off" for line in page.log.lines[:1])
        text = gettext("All players agreed to end the game without a result.") if agreed else ""
        return {"title": gettext("This table was closed"), "text": text}
    if page.may.come_back:
        return {
            "title": gettext("You ran out of time"),
            "text": gettext("A bot is playing for you until you come back. You'll get at least a minute for your next move."),
        }
    if page.my_seat is None:
        return {"title": gettext("You are watching"), "text": gettext("You see what everyone at the table sees.")}
    if page.turn.waiting_for == ["scoring"]:
        return {"title": gettext("Points"), "text": gettext("The score is being worked out. The result will appear here automatically.")}
    return {"title": gettext("Nothing to do right now"), "text": gettext("This page updates automatically.")}
