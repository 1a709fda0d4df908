"""A person's own data in one archive: JSON files and a note that explains them.

Of games it has what the person did, and how finished ones ended as far as the person may see it. Nothing is read from a state, so nothing
that is hidden in a running game can be in it; secrets (password, tokens, the keys of devices and webhooks) are left out.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from portal.accounts.models import ApiToken, Block, User, Vacation
from portal.accounts.oauth import allowed_by, apps_of
from portal.bots.models import BotAccount
from portal.bots.selectors import bots_of
from portal.clubs.models import Announcement, Attendance, Membership
from portal.common.refusals import Refusal
from portal.contests.models import Honour
from portal.friends.selectors import circle_of
from portal.matches.selectors import matches, page_of_match
from portal.notices.models import Device, Hook, Notice, Reach
from portal.people.models import Profile
from portal.ratings.models import Rating, RatingChange
from portal.studies.models import Move, Study
from portal.tables.access import visible
from portal.tables.models import ActionRecord, Invitation, Seat, Table
from portal.tables.play import BY_HAND
from portal.tables.selectors import record_of
from portal.talk.models import Line, Listener

RECORDS: Final = 50  # the newest; older ones are offered one by one on the pages of their tables
_SETTINGS: Final = (
    "language", "time_zone", "quiet_from", "quiet_to", "theme", "confirm", "hotkeys", "list_first", "pace", "sound", "volume", "colours",
    "pieces", "board_size", "log_detail", "takes_invitations", "shows_presence", "shows_watching",
)  # fmt: skip


def archive_of(user: User) -> bytes:
    """Return the archive, made of what the database holds now."""
    made_at = timezone.now()
    shown, bots = Profile.objects.filter(user=user).first(), list(bots_of(user))
    files: dict[str, Any] = {
        "profile.json": _profile(user, bots) | {"about": shown.about if shown is not None else ""},
        "settings.json": {name: getattr(user, name) for name in _SETTINGS} | {"vacations": _rows(Vacation, user, "since", "until")},
        "games.json": _games(user),
        "ratings.json": _ratings(user),
        "clubs.json": _clubs(user),
        "notices.json": _notices(user),
        "chat.json": _chat(user),
        "studies.json": _studies(user),
        "friends.json": _friends(user),
        "bots.json": {"bots": [_games_of_bot(bot, user) for bot in bots]},
        "matches.json": {"matches": _matches(user)},
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", _note(user, made_at.strftime("%Y-%m-%d %H:%M UTC")))
        for name, content in files.items():
            archive.writestr(name, _json(content | {"created_at": made_at}))
        for number, record in _records(user):
            archive.writestr(f"records/{number}.json", _json(record))
        if shown is not None and shown.picture:
            archive.writestr("picture.webp", bytes(shown.picture))
    return packed.getvalue()


# Parts


def _json(content: Any) -> str:
    return json.dumps(content, ensure_ascii=False, indent=1, default=lambda value: value.isoformat())


def _rows(model: Any, user: User, *fields: str) -> list[dict[str, Any]]:
    return list(model.objects.filter(user=user).order_by("pk").values(*fields))


def _profile(user: User, bots: Sequence[BotAccount]) -> dict[str, Any]:
    return {
        "name": user.username,
        "is_guest": user.is_guest,
        "joined_at": user.date_joined,
        "last_sign_in_at": user.last_login,
        "email": user.email,
        "addresses": _rows(EmailAddress, user, "email", "verified"),
        "second_factors": _rows(Authenticator, user, "type", "created_at", "last_used_at"),
        "applications": list(apps_of(user).values("name", "redirect_uris", "created")),
        "applications_that_may_act": [{"name": one.application.name, "scopes": one.scopes} for one in allowed_by(user)],
        "bots": [_bot(bot) for bot in bots],
        "api_tokens": _rows(ApiToken, user, "name", "scopes", "created_at", "expires_at", "used_at", "by_sign_in"),
    }


def _bot(bot: BotAccount) -> dict[str, Any]:
    rules = {name: getattr(bot, name) for name in ("about", "games", "paces", "at_once", "from_whom", "rated", "paused", "made_at")}
    return {"name": bot.user.username, **rules, "api_tokens": _rows(ApiToken, bot.user, "name", "created_at", "expires_at", "used_at")}


def _games(user: User) -> dict[str, Any]:
    """Return the person's tables with their own actions; results only of tables that they may see."""
    seats = Seat.objects.filter(Q(user=user) | Q(left_user=user)).select_related("table").defer("table__state", "table__recent")
    found = list(seats.order_by("-table_id", "index"))
    seen = set(visible(Table.objects.filter(pk__in=[seat.table_id for seat in found]), user).values_list("pk", flat=True))
    own: dict[tuple[int, int], list[dict[str, Any]]] = defaultdict(list)
    played = ActionRecord.objects.filter(table__in={seat.table_id for seat in found}, by__in=(*BY_HAND, "order", "undo"))
    for table_id, actor, by, text, at in played.order_by("table_id", "seq").values_list("table_id", "actor", "by", "text", "at"):
        own[table_id, actor].append({"action": text, "by": by, "at": at})
    return {"games": [_game(seat, own.get((seat.table_id, seat.index), []), user, may_see=seat.table_id in seen) for seat in found]}


def _games_of_bot(bot: BotAccount, owner: User) -> dict[str, Any]:
    """Return what a bot account has played and said; results only of tables that its owner may see, so nothing of a sealed deal."""
    player = bot.user
    seats = Seat.objects.filter(Q(user=player) | Q(left_user=player)).select_related("table").defer("table__state", "table__recent")
    found = list(seats.order_by("-table_id", "index"))
    seen = set(visible(Table.objects.filter(pk__in=[seat.table_id for seat in found]), owner).values_list("pk", flat=True))
    games = [_game(seat, [], player, may_see=seat.table_id in seen) for seat in found]
    for game in games:
        del game["my_actions"]  # many; whoever may see the table gets them from its record
    return {"name": player.username, "games": games, **_ratings(player), "messages": _said(player)}


def _matches(user: User) -> list[dict[str, Any]]:
    """Return the matches of bots that the person has started, with the results that may be known."""
    fields = ("game", "options", "pace", "games", "at_once", "is_rated", "is_paired", "state", "made_at", "ended_at")
    return [
        {
            "match": match.pk,
            **{name: getattr(match, name) for name in fields},
            "players": [
                {"name": player.name, "level": player.bot_level, "games": line.games, "wins": line.wins, "mean_score": line.mean_score}
                for player, line in zip(page.players, page.lines, strict=True)
            ],
        }
        for match in matches().filter(owner=user).order_by("pk")
        for page in (page_of_match(match),)
    ]


def _game(seat: Seat, actions: list[dict[str, Any]], user: User, *, may_see: bool) -> dict[str, Any]:
    table = seat.table
    told = {
        "table": table.pk,
        "game": table.game,
        "seat": seat.index + 1,
        "left_to_a_bot": seat.left_user_id == user.pk,
        "started_at": table.started_at,
        "my_actions": actions,
    }
    if not may_see:
        return told
    ended = {"finished_at": table.finished_at, "place": seat.place, "score": seat.score} if table.status == Table.Status.FINISHED else {}
    return told | {"status": table.status, "is_rated": table.is_rated, "created_at": table.created_at, **ended}


def _ratings(user: User) -> dict[str, Any]:
    changes = RatingChange.objects.filter(rating__user=user).order_by("number").annotate(ladder=F("rating__ladder__key"))
    fields = ("ladder", "table_id", "place", "mu_before", "sigma_before", "mu_after", "sigma_after")
    ratings = Rating.objects.filter(user=user).order_by("ladder__key").annotate(on=F("ladder__key"))
    return {"ratings": list(ratings.values("on", "mu", "sigma", "games", "wins", "last_at")), "changes": list(changes.values(*fields))}


def _clubs(user: User) -> dict[str, Any]:
    clubs = Membership.objects.filter(user=user).order_by("joined_at").annotate(name=F("club__name"))
    honours = Honour.objects.filter(user=user).annotate(season_name=F("season__name"))
    announced = Announcement.objects.filter(author=user).order_by("pk")
    nights = Attendance.objects.filter(user=user).annotate(title=F("evening__title"), starts_at=F("evening__starts_at"))
    return {
        "clubs": list(clubs.values("name", "role", "joined_at")),
        "announcements": list(announced.values("title", "text", "at")),
        "club_nights": list(nights.values("title", "starts_at", "answer")),
        "honours": list(honours.values("season_name", "game", "rank", "value", "games")),
    }


def _chat(user: User) -> dict[str, Any]:
    notes = Listener.objects.filter(user=user).exclude(note="").order_by("table_id")
    blocked = Block.objects.filter(user=user).order_by("pk").annotate(name=F("blocked__username"))
    return {
        "messages": _said(user),
        "notes": list(notes.values("table_id", "note")),
        "blocked": list(blocked.values("name")),
    }


def _said(user: User) -> list[dict[str, Any]]:
    said = Line.objects.filter(writer=user).order_by("pk")
    return [dict(line) for line in said.values("table_id", "room", "text", "phrase", "at")]


def _studies(user: User) -> dict[str, Any]:
    """Return the person's studies with their lines, and what they wrote in those of others; nobody else's words."""
    own: dict[int, list[dict[str, Any]]] = defaultdict(list)
    moves = Move.objects.filter(study__owner=user).order_by("study_id", "number").annotate(after=F("parent__number"))
    for row in moves.values("study_id", "number", "after", "seat", "text", "bot", "comment", "commented_by", "mark", "made_at"):
        move: dict[str, Any] = dict(row)
        is_own = move.pop("commented_by") == user.pk
        own[move.pop("study_id")].append(move if is_own else move | {"comment": "", "mark": ""})
    studies = Study.objects.filter(owner=user).order_by("pk")
    told = studies.values("pk", "title", "game", "table_id", "step", "position", "visibility", "made_at", "changed_at")
    comments = Move.objects.filter(commented_by=user).exclude(study__owner=user).order_by("pk").annotate(title=F("study__title"))
    return {
        "studies": [study | {"moves": own[study["pk"]]} for study in told],
        "comments": list(comments.values("title", "comment", "mark")),
    }


def _friends(user: User) -> dict[str, Any]:
    """Return friends and requests as their page shows them: a request that was declined looks like one that waits."""
    circle = circle_of(user)
    lists = {"friends": circle.friends, "asked_by_me": circle.asked, "asked_by_others": circle.asking}
    return {name: [{"name": person.name, "since": person.since} for person in people] for name, people in lists.items()}


def _notices(user: User) -> dict[str, Any]:
    invited = Invitation.objects.filter(user=user).order_by("pk")
    return {
        "notices": _rows(Notice, user, "kind", "key", "facts", "made_at", "read_at"),
        "choices": _rows(Reach, user, "choices", "digests", "time_breaks_through"),
        "webhooks": _rows(Hook, user, "url", "takes_moves"),
        "devices": _rows(Device, user, "name", "made_at"),
        "invitations": list(invited.values("table_id", "state", "made_at", "answered_at")),
    }


def _records(user: User) -> list[tuple[int, Any]]:
    """Return the records of the newest finished games, as the pages of their tables offer them; those that are still sealed are left out."""
    finished = Table.objects.filter(seats__user=user, status=Table.Status.FINISHED).order_by("-finished_at").distinct()
    found = []
    for number in list(finished.values_list("pk", flat=True)[:RECORDS]):
        try:
            found.append((number, record_of(number, user)))
        except Refusal:
            continue
    return found


def _note(user: User, made_at: str) -> str:
    return "\n".join(
        (
            _("Data of %(name)s on Ziggurat, as it was on %(at)s.") % {"name": user.username, "at": made_at},
            "",
            "profile.json: " + _("name, addresses, and when API tokens and second factors were created"),
            "picture.webp: " + _("the picture of your profile, if you have one"),
            "settings.json: " + _("settings and vacations"),
            "games.json: " + _("your tables, what you did there, and how they ended"),
            "ratings.json: " + _("your ratings, and what each game did to them"),
            "clubs.json: " + _("your clubs, announcements, club nights and honours"),
            "notices.json: " + _("notices and invitations to you, and where they are sent"),
            "chat.json: " + _("what you said in chats, your notes at tables, and people you have blocked"),
            "studies.json: " + _("your studies with their lines, and your comments in those of others"),
            "friends.json: " + _("your friends, and who has asked to be"),
            "bots.json: " + _("the games, ratings and messages of your bots"),
            "matches.json: " + _("the matches of bots that you started"),
            "records/: " + _("records of your newest finished games (%(n)d at most)") % {"n": RECORDS},
            "",
            _("Not included: passwords, tokens and keys, what is hidden in games in progress, and other people's data."),
            "",
        )
    )
