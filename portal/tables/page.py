"""The table page in words: everything that the templates show, said in the reader's language.

The templates loop and choose; what is to be worked out or worded is worked out here, from a `TablePage`, which holds
nothing that the viewer may not know.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, ClassVar, Final
from urllib.parse import urlencode
from zlib import crc32

from django.template.loader import get_template
from django.urls import NoReverseMatch, reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext, ngettext

from games.core.contract import Event, IllegalAction, Option, Phrase, ScoreLine
from games.registry import Entry
from portal.accounts.models import User
from portal.common.templatetags.site import level_name
from portal.tables.phrases import SITE_PHRASES
from portal.tables.selectors import LogLine, TablePage
from rules_docs import drawing, glossary, wording
from rules_docs.content import paragraph_label
from rules_docs.pages import drawer

UI_SPRITE: Final = "art/ui.svg"
UI_SYMBOLS: Final = ("i-warn", "i-down", "i-undo", "i-check", "i-close", "i-book", "i-play", "i-plus", "i-machine", "i-clock")
COMMON_SYMBOLS: Final = (*(f"zg-seat-{n}" for n in range(1, 7)), "zg-dice")
MISSED_IN_HEAD: Final = 3
TEMPLATE: Final = "tables/table.html"
MAX_RENDERED: Final = 20_000  # pieces of markup kept in a process, of some 300 bytes each
MAX_HAVE_CHARS: Final = 4000


@dataclass(frozen=True, slots=True)
class Speaker:
    """Says the sentences of one table to one reader."""

    game: str
    lang: str
    names: Sequence[str]
    me: int | None

    def say(self, what: Phrase | Event | IllegalAction) -> str:
        if isinstance(what, Event) and what.key in SITE_PHRASES:
            text = wording.translate(SITE_PHRASES[what.key], self.lang)
            return wording.fill(text, what.params, self.lang, names=self.names, game=self.game)
        return wording.say(what, self.lang, names=self.names, me=self.me, game=self.game)

    def key(self, key: str, **params: Any) -> str:
        return wording.say_key(self.game, key, self.lang, names=self.names, **params)

    def rule(self, rule: str | None) -> dict[str, str] | None:
        """Return address and words of a link to a paragraph ("ra#auction-3")."""
        return rule_link(rule, self.lang) if rule else None


@cache
def rule_link(rule: str, lang: str) -> dict[str, str]:
    """Return address and words of a link to a paragraph; the anchor itself as words where no book has it."""
    game, _, anchor = rule.partition("#")
    try:
        label = paragraph_label(game, anchor, lang)
    except (KeyError, OSError):
        label = anchor
    return {"url": reverse("rules:paragraph", args=[lang, game, anchor]), "label": label}


def opened_rule(rule: str, lang: str) -> dict[str, Any] | None:
    """Return what the rule drawer shows of a paragraph; None when no book is loaded that has it."""
    game, _, anchor = rule.partition("#")
    return drawer(game, anchor, lang)


class Parts:
    """Pieces of the region as markup: rendered once per content, and not sent to a page that has them already.

    A page tells what it has as `id:hash`; such a piece is answered by a mark that the page fills from itself. The key of a
    piece is all that it is made of, so nothing of one viewer can reach another.
    """

    _rendered: ClassVar[dict[tuple[str, str, str], tuple[str, str]]] = {}

    def __init__(self, have: str = "") -> None:
        self._have = frozenset(have.split(",")) if len(have) <= MAX_HAVE_CHARS else frozenset()

    def part(self, part_id: str, template: str, lang: str, key: Any, context: Callable[[], dict[str, Any]]) -> str:
        """Return the piece with the element id `part_id`, or the mark that the page has it. `key` is what it is made of."""
        wanted = (template, lang, repr(key))
        found = self._rendered.get(wanted)
        if found is None:
            if len(self._rendered) >= MAX_RENDERED:
                self._rendered.clear()
            html = str(get_template(template).render(context()))
            digest = f"{crc32((html + wanted[2]).encode()):x}"
            found = self._rendered[wanted] = (html.replace('data-h="@"', f'data-h="{digest}"', 1), digest)
        return mark(part_id) if self.has(part_id, found[1]) else found[0]

    def fresh(self, part_id: str, template: str, context: dict[str, Any]) -> SafeString:
        """Return a piece that is rendered anew each time, or the mark that the page has the very same."""
        html = str(get_template(template).render(context))
        digest = f"{crc32(html.encode()):x}"
        return mark_safe(mark(part_id) if self.has(part_id, digest) else html.replace('data-h="@"', f'data-h="{digest}"', 1))

    def has(self, part_id: str, digest: str) -> bool:
        return f"{part_id}:{digest}" in self._have

    def __bool__(self) -> bool:
        """Whether the page has told what it has."""
        return self._have != {""}


def mark(part_id: str) -> str:
    """Return what stands for a piece that the page has."""
    return f'<i data-keep="{part_id}"></i>'


def joined(pieces: Sequence[str]) -> SafeString:
    """Return pieces of markup as one; neighbouring marks become one mark."""
    return mark_safe("".join(pieces).replace('"></i><i data-keep="', " "))


@cache
def sprite_symbols(entry: Entry) -> SafeString:
    """Return every symbol that a table page of this game can need; it stands outside the region that is replaced."""
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
) -> dict[str, Any]:
    """Return the context of `tables/table.html` for one viewer; `have` tells which parts the page has already.

    A page that is being looked at (`have` and not `is_away`) needs no summary of what was missed.
    """
    parts = Parts(have)
    speaker = Speaker(page.entry.key, lang, page.names, page.my_seat)
    title = gettext("%(game)s, table %(id)s") % {"game": page.entry.game.meta.title, "id": page.id}
    context: dict[str, Any] = {
        "page": page,
        "table_title": title,
        "page_url": reverse("table", args=[page.id]),
        "region_url": reverse("table-region", args=[page.id]),
        "act_url": reverse("table-act", args=[page.id]),
        "record_url": _address("table-record", page.id) if page.secret else None,
        "verify_url": f"{_address('verify')}?table={page.id}" if page.secret and _address("verify") else None,
        "rules_url": _address("rules:book", lang, page.entry.key),
        "section": "play",
        "token": token,
        "may_act": user is not None,
        "hotkeys": user.hotkeys if user is not None else True,
        "list_first": user is not None and user.list_first,
        "notice": notice,
        "rule": rule,
        "bot_fill": level_name(page.bot_fill),
        "facts": _facts(page),
        "words": ", ".join(f"“{word}”" for word in page.words if word),
        "turn": _turn(page, speaker),
        "log": _log(page, speaker, parts, shows_missed=is_away or not parts),
        "stream": "same" if parts and page.stream_url else page.stream_url,
        "missed": [],
        "ask": None,
    }
    _add_steady(context, page, speaker, parts)
    context["head_title"] = f"{title}: {context['turn']['text']}"
    context["seats"] = [_seat(seat) for seat in page.seats]
    if page.my_seat is not None:
        context["seats"] = context["seats"][page.my_seat :] + context["seats"][: page.my_seat]
    if page.status == "open":
        _add_joining(context, page, lang)
        context["status_html"] = parts.fresh("status", f"{TEMPLATE}#status", context)
        return context
    if page.missed and (is_away or not parts):
        quiet = page.entry.game.meta.quiet
        missed = [{"text": speaker.say(line.event)} for line in page.missed if line.event.key not in quiet]
        context |= {"missed": missed, "missed_count": len(missed), "missed_last": missed[-MISSED_IN_HEAD:]}
    scene = page.entry.game.scene(page.view) if page.view is not None else None
    if page.ask is not None:
        context["ask"] = _ask(page, speaker, confirm=user is None or user.confirm_moves)
        _mark_targets(scene, context["ask"]["options"])
    else:
        context["waiting"] = _waiting(page, speaker)
        context["orders"] = [_option(option, speaker, selected=is_set) for option, is_set in page.orders]
    if scene is not None:
        _add_drawn(context, scene, page, speaker, parts)
    context["status_html"] = parts.fresh("status", f"{TEMPLATE}#status", context)
    context["action_html"] = parts.fresh("action", f"{TEMPLATE}#{'asking' if context['ask'] else 'waiting'}", context)
    if page.outcome is not None:
        context["result"] = _result(page, speaker)
        context["head_title"] = context["result"]["title"]
        context["again_url"] = _address("lobby")
    return context


# Parts


def _address(name: str, *args: Any) -> str | None:
    try:
        return reverse(name, args=args)
    except NoReverseMatch:
        return None


def _facts(page: TablePage) -> list[str]:
    meta = page.entry.game.meta
    facts = [ngettext("%(n)s player", "%(n)s players", page.seat_count) % {"n": page.seat_count}]
    for option in meta.options:
        value = page.options.get(option.key, option.default)
        if value is True:
            facts.append(gettext(option.label))
        elif value is not False and value != option.default:
            facts.append(f"{gettext(option.label)}: {gettext(str(value))}")
    return facts


def _turn(page: TablePage, speaker: Speaker) -> dict[str, Any]:
    """Return what the turn bar says."""
    since = page.due_since.replace(microsecond=0) if page.status == "playing" and page.due_since else None
    is_mine = page.my_seat is not None and page.my_seat in page.due
    if page.status == "open":
        text = gettext("This table has not started yet")
    elif page.status == "abandoned":
        text = gettext("This table was closed")
    elif page.status == "finished":
        text = gettext("The game is over")
    elif is_mine:
        text = gettext("Your move")
    elif page.waiting_for == ["scoring"]:
        text = gettext("The points are being counted")
    else:
        text = gettext("Waiting for %(names)s") % {"names": glossary.and_list(page.waiting_for, speaker.lang)}
    return {"text": text, "is_mine": is_mine, "since": since}


def _by(by: str) -> str:
    """Return the note behind a log line that no person chose."""
    return {
        "auto": gettext("(only possible move)"),
        "order": gettext("(by standing order)"),
        "substitute": gettext("(a simple move in place of the bot)"),
    }.get(by, "")


def _add_steady(context: dict[str, Any], page: TablePage, speaker: Speaker, parts: Parts) -> None:
    """Add what hardly ever changes: rule drawer, seal, leaving, the token of the form."""

    def part(part_id: str, name: str, *key: Any) -> SafeString:
        return mark_safe(parts.part(part_id, f"{TEMPLATE}#{name}", speaker.lang, (page.id, key), lambda: context))

    token = context["token"]
    context["drawer_html"] = part("rule-drawer", "drawer", context["rule"])
    context["seal_html"] = part("seal", "seal", page.commitment, page.secret, page.words)
    context["leaving_html"] = part("leaving", "leaving", page.bot_fill)
    context["token_html"] = mark_safe(
        mark("csrf") if parts.has("csrf", "1") else get_template(f"{TEMPLATE}#token").render({"token": token})
    )


def _log(page: TablePage, speaker: Speaker, parts: Parts, *, shows_missed: bool) -> SafeString:
    """Return the lines of the log, newest first, with a line where one last looked."""
    missed = {(line.seq, id(line)) for line in page.missed if shows_missed}
    lines = []
    was_missed = False
    clock = get_current_timezone_name()
    for number, line in enumerate(page.log):
        if line.event.key in page.entry.game.meta.quiet:
            continue
        is_missed = (line.seq, id(line)) in missed
        # Events of one record are numbered from its last one, which never changes.
        line_id = f"l{line.seq}-{sum(other.seq == line.seq for other in page.log[:number])}"
        event = line.event
        key = (line_id, page.id, event.key, event.params, line.by, line.at, line.actor, page.names, page.my_seat, clock)
        html = parts.part(line_id, f"{TEMPLATE}#logline", speaker.lang, key, partial(_line_context, line, line_id, speaker))
        if was_missed and not is_missed:
            lines.append(parts.part("break", f"{TEMPLATE}#logbreak", speaker.lang, None, dict))
        lines.append(html)
        was_missed = is_missed
    return joined(lines)


def _line_context(line: LogLine, line_id: str, speaker: Speaker) -> dict[str, Any]:
    return {"line": log_line(line, speaker) | {"id": line_id}}


def log_line(line: LogLine, speaker: Speaker) -> dict[str, Any]:
    """Return a log line in words, with its link and the number of the seat that it is about."""
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


def _seat(seat: Any) -> dict[str, Any]:
    if seat.bot_level:
        note = gettext("bot of the level %(level)s") % {"level": level_name(seat.bot_level)}
    elif seat.is_me:
        note = gettext("you")
    else:
        note = ""
    profile = _address("profile", seat.username) if seat.username else None
    return {"info": seat, "number": seat.index + 1, "note": note, "profile": profile, "fact": note if seat.is_me else ""}


def _add_joining(context: dict[str, Any], page: TablePage, lang: str) -> None:
    """Add what the panel of a table that has not started says."""
    free = sum(seat.is_free for seat in page.seats)
    fill = level_name(page.bot_fill)
    if page.can_start:
        title = gettext("Start when you like")
        text = ""
        consequence = (
            ngettext("A bot of the level %(level)s takes the free seat.", "Bots of the level %(level)s take the free seats.", free)
            if free
            else gettext("All seats are taken.")
        ) % {"level": fill}
    elif page.my_seat is not None:
        title = gettext("You sit at this table")
        text = gettext("It starts when the seats are taken or its owner starts it.")
        consequence = ""
    elif page.can_join:
        title = gettext("A seat is free")
        text = gettext("The game starts when the seats are taken or the owner of the table starts it.")
        consequence = ""
    else:
        title = gettext("All seats are taken")
        text = gettext("You can watch the game from here.")
        consequence = ""
    context |= {
        "free_count": free,
        "joining": {"title": title, "text": text, "consequence": consequence},
        "sign_in_url": f"{reverse('account_login')}?{urlencode({'next': context['page_url']})}",
        "bot_levels": [{"key": level, "name": level_name(level)} for level in page.entry.game.meta.bot_levels],
    }


def _waiting(page: TablePage, speaker: Speaker) -> dict[str, Any]:
    if page.orders:
        return {"title": gettext("Answer in advance"), "text": gettext("Your answer is given for you when it is your turn.")}
    if page.status == "abandoned":
        return {"title": gettext("This table was closed"), "text": ""}
    if page.my_seat is None:
        return {"title": gettext("You are watching"), "text": gettext("You see what everybody at the table may see.")}
    if page.waiting_for == ["scoring"]:
        return {"title": gettext("Points"), "text": gettext("The scorer counts; the result appears here by itself.")}
    return {"title": gettext("Nothing to do just now"), "text": gettext("The page follows the game by itself.")}


# The question


def _href(prefix: str) -> str:
    return "?" + urlencode({"a": prefix}) if prefix else "?"


def _option(option: Option, speaker: Speaker, *, selected: bool | None = None) -> dict[str, Any]:
    return {
        "id": "o-" + (option.target or option.text.replace(" ", "-")),
        "text": option.text,
        "href": _href(option.text),
        "label": speaker.say(option.label),
        "picture": option.picture,
        "number": option.number,
        "selected": option.selected if selected is None else selected,
        "target": option.target,
        "irreversible": option.irreversible,
        "posts": False,
    }


def _ask(page: TablePage, speaker: Speaker, *, confirm: bool) -> dict[str, Any]:
    """Return the question in words. Without confirming, a choice that is a whole action is a button that sends it.

    What cannot be taken back asks nevertheless.
    """
    ask = page.ask
    assert ask is not None
    options = [_option(option, speaker) for option in ask.options]
    if not confirm:
        for option in options:
            longer = option["text"] + " "
            is_whole = option["text"] in page.legal and not any(text.startswith(longer) for text in page.legal)
            option["posts"] = is_whole and not option["irreversible"]
    whys = []
    for question, answer in ask.why_not:
        whys.append({"question": speaker.say(question), "answer": speaker.say(answer), "rule": speaker.rule(answer.rule or question.rule)})
    return {
        "title": speaker.say(ask.title),
        "rule": speaker.rule(ask.title.rule),
        "options": options,
        "action": ask.action,
        "confirm": speaker.say(ask.confirm) if ask.confirm else gettext("Confirm"),
        "consequence": " ".join(speaker.say(phrase) for phrase in (ask.consequence, *ask.also) if phrase),
        "hint": speaker.say(ask.hint) if ask.hint else "",
        "back": _href(ask.back) if ask.back is not None else None,
        "why_not": whys,
        "then": [_option(option, speaker) for option in ask.then],
        "then_label": speaker.say(ask.then_label) if ask.then_label else gettext("Answer in advance"),
    }


def _mark_targets(scene: Any, options: Sequence[dict[str, Any]]) -> None:
    """Make the pieces that an option names links of the board."""
    for option in options:
        target = scene["targets"].get(option["target"]) if option["target"] else None
        if target is not None:
            target |= {"href": option["href"], "label": option["label"], "is_chosen": option["selected"]}


# What is drawn


def _add_drawn(context: dict[str, Any], scene: dict[str, Any], page: TablePage, speaker: Speaker, parts: Parts) -> None:
    """Add the board and, to each seat, what lies before it."""
    drawn = {
        "scene": scene,
        "view": page.view,
        "entry": page.entry,
        "lang": speaker.lang,
        "names": page.names,
        "on_table": True,
        "static_only": False,
    }
    template = page.entry.board_template
    pieces = []
    for name, values in scene["parts"].items():
        pieces.append(parts.part(name, f"{template}#{name}", speaker.lang, (page.names, [scene[value] for value in values]), lambda: drawn))
    context["board_html"] = joined(pieces)
    players = []
    for seat in context["seats"]:
        player = scene["players"][seat["info"].index]
        seat["is_out"] = player["is_out"]
        facts = [seat["fact"]] if seat["fact"] else []
        facts += [speaker.say(note) for note in player["notes"]]
        seat["fact"] = ", ".join(facts)
        held = [
            (name, f"{name}-{player['number']}", (player["number"], page.names, [player[value] for value in values]))
            for name, values in scene["held"].items()
        ]
        shown: Callable[[], dict[str, Any]] = partial(dict, drawn, player=player)
        holdings = joined([parts.part(part_id, f"{template}#{name}", speaker.lang, key, shown) for name, part_id, key in held])
        head = (seat["info"].name, seat["info"].is_due, seat["info"].bot_level, seat["is_out"], seat["fact"])
        section = parts.part(f"seat-{player['number']}", f"{TEMPLATE}#player", speaker.lang, (head, held), partial(dict, seat=seat))
        players.append(section.replace("<i data-held></i>", holdings))
    context["players_html"] = joined(players)


# The end


def _result(page: TablePage, speaker: Speaker) -> dict[str, Any]:
    outcome = page.outcome
    assert outcome is not None
    order = sorted(range(page.seat_count), key=lambda index: (outcome.places[index], index))
    winners = [page.names[index] for index in order if outcome.places[index] == 1]
    points = outcome.scores[order[0]]
    title = ngettext("%(names)s won with %(points)s point", "%(names)s won with %(points)s points", points) % {
        "names": glossary.and_list(winners, speaker.lang),
        "points": points,
    }
    places = [
        {
            "place": outcome.places[index],
            "number": index + 1,
            "name": page.names[index],
            "note": _seat(page.seats[index])["note"],
            "profile": _seat(page.seats[index])["profile"],
            "points": outcome.scores[index],
        }
        for index in order
    ]
    shown_open = page.my_seat if page.my_seat is not None else order[0]
    derivation = [_derivation(page, speaker, index) | {"is_open": index == shown_open} for index in order]
    return {"title": title, "lede": speaker.key(f"end.{outcome.reason}"), "places": places, "derivation": derivation}


def _signed(points: int) -> str:
    return wording.fill("{n:signed}", {"n": points}, "en")


def _derivation(page: TablePage, speaker: Speaker, index: int) -> dict[str, Any]:
    assert page.outcome is not None
    rounds = []
    sums = []
    for key, lines in page.outcome.derivation[index]:
        points = sum(line.points for line in lines)
        sums.append(points)
        rounds.append(
            {
                "name": speaker.key(f"round.{key}"),
                "points": _signed(points),
                "lines": [_score_line(line, page.entry, speaker) for line in lines],
            }
        )
    return {
        "number": index + 1,
        "name": page.names[index],
        "points": page.outcome.scores[index],
        "rounds": rounds,
        "sum": " ".join(_signed(points) for points in sums),
    }


def _score_line(line: ScoreLine, entry: Entry, speaker: Speaker) -> dict[str, Any]:
    return {
        "text": speaker.key(f"score.{line.key}"),
        "points": _signed(line.points),
        "rule": speaker.rule(line.rule),
        "pieces": [_piece(entry, noun_id, count, speaker.lang) for noun_id, count in line.pieces.items()],
    }


def _piece(entry: Entry, noun_id: str, count: int, lang: str) -> dict[str, Any]:
    try:
        symbol = drawing.symbol_id(entry.key, noun_id)
    except KeyError:
        symbol = None
    return {"symbol": symbol, "name": glossary.noun(entry.key, noun_id, lang), "count": count}
