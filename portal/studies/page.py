"""A study in words: the board after a move, the question that is asked there, and the lines as a list. Built from views, never from states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.conf import settings
from django.template.loader import get_template
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.core.contract import Event
from games.registry import game
from portal.accounts.models import Confirm, User
from portal.accounts.pseudonyms import name_of
from portal.common.templatetags.site import level_name
from portal.live.tokens import CLUB_LIFETIME_S, make_token
from portal.live.wire import place_of_study
from portal.studies import lines, refusals
from portal.studies.access import Opened, club_told
from portal.studies.models import MAX_COMMENT_CHARS, Move, Study, Wish
from portal.studies.services import MAX_MOVES, tree
from portal.tables.drawn import add_drawn
from portal.tables.how import NEVER, page_of_position
from portal.tables.page import PLAYER_TEMPLATE, shown_seat
from portal.tables.parts import Parts
from portal.tables.question import add_recent, mark_targets, question_of
from portal.tables.selectors import Log, LogLine, SeatInfo, TablePage, Turn
from portal.tables.speaker import Speaker
from voice import glossary

TEMPLATE: Final = "studies/study.html"
ASKING: Final = "tables/table.html#asking"
MOST_INDENTS: Final = 4  # of lines that branch off from each other
SPECTATORS: Final = 0  # in place of the number of a seat
REASON: Final = {"!!": "strong", "!": "good", "!?": "interesting", "?!": "doubtful", "?": "bad"}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a reader is in a study: after which move, as which seat (None: as the seat that decides), with what chosen of an action."""

    number: int = 0
    seat: int | None = None  # its number from 1; SPECTATORS
    chosen: str = ""


def study_context(opened: Opened, user: User | None, lang: str, place: Place) -> dict[str, Any]:
    """Return what the template shows of a study after a move. Raises NoSuchMove, also for a seat that the game doesn't have.

    Two statements: the moves, and what bots are asked for.
    """
    study = opened.study
    found = tree(study)
    path = found.path(place.number)
    if place.seat is not None and place.seat > len(opened.names):
        raise refusals.NoSuchMove
    speaker = Speaker(study.game, lang, opened.names, None)
    sayings = {number: said_of(move, speaker) for number, move in found.moves.items()}
    here = found.moves.get(place.number)
    context: dict[str, Any] = {
        "study": study,
        "opened": opened,
        "entry": opened.entry,
        "place": place,
        "section": "play",
        "names": opened.names,
        "here": here,
        "said": sayings.get(place.number, []),
        "rows": _rows(found, place, sayings, study),
        "keys": _keys(found, place, study),
        "count": len(found.moves),
        "is_full": len(found.moves) >= MAX_MOVES,
        "shared": _shared(study, user),
        "may_write": _may_write(opened, here, user),
        "may_delete": _may_delete(opened, found, here, user),
        "may_promote": opened.is_owner and any(found.beside(move.number)[0] != move.number for move in path),
        "has_draws": here is not None and any(actor < 0 for actor, _event in here.events),
        "marks": [{"key": key, "label": label, "is_set": here is not None and key == here.mark} for key, label in Move.Mark.choices],
        "most_comment": MAX_COMMENT_CHARS,
        "commenter": _name(here.commented_by) if here is not None and here.comment else "",
        "may_report": user is not None and here is not None and here.comment and (here.commented_by or study.owner) != user,
        "owner_name": _name(study.owner),
        "owner_url": node_url(study, study.shown),
        "owner_is_here": study.shown == place.number,
        "here_url": node_url(study, place.number, place.seat),
        "stream": stream_url(study, user),
        "table_title": _("%(game)s, table %(id)s") % {"game": _(opened.entry.game.meta.title), "id": study.table_id},
        "table_url": reverse("table", args=[study.table_id]) if study.table_id is not None else None,
    }
    wishes = list(Wish.objects.filter(study=study, after=place.number))
    context["wishes"] = wishes
    context["thinking"] = [wish for wish in wishes if not wish.failed]
    context["failed"] = any(wish.failed for wish in wishes)
    try:
        state = lines.state_after(study, path)
    except refusals.LineLost as error:
        return context | {"lost": str(error), "due": [], "seats": []}
    return context | _position(opened, user, state, here, place, speaker)


def node_url(study: Study, number: int, seat: int | None = None) -> str:
    """Return the address of a move, as seen from a seat if one was chosen."""
    if seat is not None:
        return reverse("study-as", args=[study.pk, number, seat])
    return reverse("study-move", args=[study.pk, number]) if number else reverse("study", args=[study.pk])


def link_of(study: Study) -> str:
    """Return the address of a study's link, as it is sent to others."""
    return f"{settings.BASE_URL}{reverse('study-by-link', args=[study.link_code])}"


def stream_url(study: Study, user: User | None) -> str:
    """Return the address of the study's events. It is valid for minutes, because what the owner lets somebody see can end."""
    viewer = user.pk if user is not None and user.pk else 0
    is_shown = bool(viewer) and user is not None and user.shows_presence
    token = make_token(place_of_study(study.pk), viewer, CLUB_LIFETIME_S, is_shown=is_shown)
    return f"/events/studies/{study.pk}/?token={token}"


# The board and its question


def _position(opened: Opened, user: User | None, state: Any, here: Move | None, place: Place, speaker: Speaker) -> dict[str, Any]:
    entry, rules, names = opened.entry, opened.entry.game, opened.names
    due = rules.actors(state)
    seat = next(iter(due), None) if place.seat is None else place.seat - 1 if place.seat else None
    view = rules.view_for(state, seat)
    infos = [SeatInfo(index, name, None, None, "", False, index in due, "", None) for index, name in enumerate(names)]
    told = [LogLine(number, 1, NEVER, actor, event, "") for number, (actor, event) in enumerate(_events(here) if here is not None else [])]
    page = page_of_position(entry, infos, view, Log(told[::-1], [], []))
    ask = rules.ask(view, place.chosen) if opened.may_add and seat in due else None
    if ask is not None:
        legal = [str(action) for action in rules.legal_for_view(view)]
        page = replace(page, my_seat=seat, turn=Turn(due=due, ask=ask, legal=legal))
    scene = rules.scene(view)
    add_recent(scene, page)
    context: dict[str, Any] = {"seats": [shown_seat(info) for info in infos]}
    if ask is not None:
        question = question_of(page, speaker, confirm=Confirm.MATTERS if user is None else user.confirm, typed=place.chosen)
        question["then"] = []  # nobody answers in advance here
        mark_targets(scene, page, question, speaker)
        context["action_html"] = _asking(page, question, opened.study, place, user)
    add_drawn(context, scene, page, speaker, Parts(), PLAYER_TEMPLATE)
    return {
        "board_html": context["board_html"],
        "players_html": context["players_html"],
        "action_html": context.get("action_html"),
        "asked_seat": seat + 1 if ask is not None and seat is not None else None,
        "asked_name": names[seat] if ask is not None and seat is not None else "",
        "due": [{"number": index + 1, "name": names[index], "url": node_url(opened.study, place.number, index + 1)} for index in due],
        "seats": _seats(opened.study, names, place, seat),
        "levels": [{"key": level, "name": level_name(level)} for level in rules.meta.bot_levels],
        "result": _result(opened, state, speaker.lang),
    }


def _asking(page: TablePage, question: dict[str, Any], study: Study, place: Place, user: User | None) -> SafeString:
    """Return the question as a table asks it; its buttons send the form around it."""
    context = {
        "page": page,
        "ask": question,
        "act_url": reverse("study-play", args=[study.pk, place.number]),
        "list_first": user is not None and user.list_first,
    }
    return SafeString(get_template(ASKING).render(context))


def _seats(study: Study, names: Sequence[str], place: Place, seat: int | None) -> list[dict[str, Any]]:
    """Return from which seats one may look, everybody's view first."""
    everybody = {"number": None, "name": _("Everyone"), "url": node_url(study, place.number, SPECTATORS), "is_shown": seat is None}
    return [
        everybody,
        *(
            {"number": index + 1, "name": name, "url": node_url(study, place.number, index + 1), "is_shown": index == seat}
            for index, name in enumerate(names)
        ),
    ]


def _result(opened: Opened, state: Any, lang: str) -> str:
    """Return how a game ended in which nobody has anything left to decide; "" for one that goes on."""
    outcome = opened.entry.game.outcome(state)
    if outcome is None:
        return ""
    order = sorted(range(len(outcome.places)), key=lambda seat: (outcome.places[seat], seat))
    points = [_("%(name)s: %(points)s") % {"name": opened.names[seat], "points": outcome.scores[seat]} for seat in order]
    return glossary.and_list(points, lang)


# The lines


def _events(move: Move) -> list[tuple[int, Event]]:
    """Return what happened with a move. A study shows everything, so what one seat knew is told as that seat knew it."""
    found = []
    for actor, data in move.events:
        of = data.get("p", {}).get("seat", actor)
        own = data.get("s", {}).get(str(of), {})
        found.append((actor, Event(data["k"], {**data.get("p", {}), **own}, data.get("r"), {of: own} if own else {})))
    return found


def said_of(move: Move, speaker: Speaker) -> list[str]:
    """Return what happened with a move in sentences, the player's own deed first."""
    meta = game(speaker.game).meta
    own: list[str] = []
    others: list[str] = []
    events = _events(move)
    for actor, event in [one for one in events if one[1].key not in meta.quiet] or events:
        teller = replace(speaker, me=next(iter(event.secret))) if event.secret and _tells_secret(speaker, event) else speaker
        is_deed = actor == move.seat and event.key not in meta.leads
        (own if is_deed else others).append(teller.say(event))
    return [*own, *others] or [move.text]


def _tells_secret(speaker: Speaker, event: Event) -> bool:
    """Whether the game has a sentence of its own for those who know what an event hides from others."""
    return f"{event.key}.known" in game(speaker.game).phrases


def _rows(found: lines.Tree, place: Place, sayings: dict[int, list[str]], study: Study) -> list[dict[str, Any]]:
    """Return the moves in reading order: each, then the lines that branch off beside it, then what follows it."""
    rows: list[dict[str, Any]] = []
    waiting: list[tuple[int, int, bool]] = []  # number, how deep, whether a line starts with it; the next one last

    def add(number: int, depth: int, *, starts: bool) -> None:
        move = found.moves[number]
        rows.append(
            {
                "move": move,
                "number": number,
                "url": node_url(study, number, place.seat),
                "seat": move.seat + 1,
                "text": sayings[number][0],
                "mark": move.mark,
                "mark_word": move.get_mark_display() if move.mark else "",
                "mark_class": REASON.get(move.mark, ""),
                "comment": move.comment,
                "bot": level_name(move.bot) if move.bot else "",
                "level": min(depth, MOST_INDENTS),
                "starts": starts,
                "is_here": number == place.number,
                "is_shown": number == study.shown,
            }
        )

    def wait(after: int, depth: int) -> None:
        """What comes after a move: the main line goes on when the others have been told."""
        first, *others = found.after.get(after, ()) or (0,)
        if not first:
            return
        add(first, depth, starts=False)
        waiting.append((first, depth, False))
        waiting.extend((other, depth + 1, True) for other in reversed(others))

    wait(0, 0)
    while waiting:
        number, depth, starts = waiting.pop()
        if starts:
            add(number, depth, starts=True)
        wait(number, depth)
    return rows


def _keys(found: lines.Tree, place: Place, study: Study) -> dict[str, str | None]:
    """Return the addresses of the moves before and after, and of the alternatives above and below; None where there is none."""

    def url(number: int | None) -> str | None:
        return None if number is None else node_url(study, number, place.seat)

    here = place.number
    after = found.after.get(here, ())
    beside = list(found.beside(here)) if here else []
    at = beside.index(here) if here else 0
    return {
        "back": url(found.before[here] if here else None),
        "on": url(after[0] if after else None),
        "up": url(beside[at - 1] if at else None),
        "down": url(beside[at + 1] if at + 1 < len(beside) else None),
        "start": url(0) if here else None,
    }


# Who may do what


def _may_write(opened: Opened, here: Move | None, user: User | None) -> bool:
    if here is None or not opened.may_add:
        return False
    return opened.is_owner or not (here.comment or here.mark) or here.commented_by == user


def _may_delete(opened: Opened, found: lines.Tree, here: Move | None, user: User | None) -> bool:
    if here is None or user is None or not opened.may_add:
        return False
    return opened.is_owner or all(found.moves[one].author_id == user.pk for one in found.below(here.number))


def _name(user: User | None) -> str:
    return name_of(user) if user is not None else ""


def _shared(study: Study, user: User | None) -> str:
    """Return who can see the study, in a few words."""
    club = club_told(study, user)
    if study.hidden_at is not None:
        return _("Hidden by a moderator: only its owner sees it.")
    if club is not None:
        return _("Club: %(name)s") % {"name": club.name}
    return str(study.get_visibility_display())
