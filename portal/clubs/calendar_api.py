"""The API of what a club tells its people: announcements, events with who is coming, and the log."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import exceptions, serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from portal.accounts.pseudonyms import shown
from portal.clubs import announcements, calendar, evenings
from portal.clubs.api import ClubsView
from portal.clubs.journal import line_of
from portal.clubs.member_views import CHANGES_PER_HOUR
from portal.clubs.models import TITLE_CHARS, Announcement, Evening
from portal.clubs.permissions import Verb, require
from portal.clubs.refusals import NoSuchEvening
from portal.clubs.settings_views import WRITINGS_PER_HOUR
from portal.common.api_views import CURSOR, DONE, FORBIDDEN, READS, WRITES, Input, Output, checked, page_of, paged

WHEN: Final = ("coming", "past")
COMING_CHOICES: Final = [("yes", "You are coming."), ("maybe", "You may be coming."), ("no", "You aren't coming.")]


class AnnouncementAnswer(Output):
    """An announcement of a club."""

    id = serializers.IntegerField()
    title = serializers.CharField()
    text = serializers.CharField(allow_blank=True)
    author = serializers.SerializerMethodField(help_text="Null if the account is gone.")
    at = serializers.DateTimeField()
    is_pinned = serializers.BooleanField()

    def get_author(self, announcement: Announcement) -> str | None:
        return shown(announcement.author.username) if announcement.author is not None else None


class EventAnswer(Output):
    """An event of a club: a club night, and who is coming."""

    id = serializers.IntegerField(source="evening.pk")
    title = serializers.CharField(source="evening.title")
    text = serializers.CharField(source="evening.text", allow_blank=True)
    game = serializers.CharField(source="evening.game", allow_blank=True, help_text="Empty for any.")
    starts_at = serializers.DateTimeField(source="evening.starts_at")
    is_cancelled = serializers.BooleanField(source="evening.called_off")
    is_over = serializers.BooleanField(help_text="Six hours after its start.")
    yes = serializers.ListField(child=serializers.CharField(), help_text="Who is coming.")
    maybe = serializers.ListField(child=serializers.CharField(), help_text="Who may be coming.")
    no = serializers.ListField(child=serializers.CharField(), help_text="Who isn't coming.")
    mine = serializers.SerializerMethodField(help_text="Your answer; null without one.")

    @extend_schema_field(serializers.ChoiceField(choices=COMING_CHOICES, allow_null=True))
    def get_mine(self, row: evenings.EveningRow) -> str | None:
        return row.mine or None


class ClubLineAnswer(Output):
    """A line of a club's log."""

    at = serializers.DateTimeField()
    what = serializers.CharField(help_text="Stable name of what happened, such as `joined`.")
    text = serializers.CharField(help_text="In your language.")


class AnnouncementRequest(Input):
    title = serializers.CharField(help_text=f"At most {TITLE_CHARS} characters.")
    text = serializers.CharField(required=False, allow_blank=True, default="", help_text="At most 2000 characters.")
    is_pinned = serializers.BooleanField(required=False, default=False, help_text="Pinned ones come first.")


class PinRequest(Input):
    is_pinned = serializers.BooleanField()


class EventFields(Input):
    title = serializers.CharField(required=False, help_text=f"At most {TITLE_CHARS} characters.")
    text = serializers.CharField(required=False, allow_blank=True, help_text="At most 2000 characters.")
    game = serializers.CharField(required=False, allow_blank=True, help_text="A key of `games/`; empty for any.")
    starts_at = serializers.DateTimeField(required=False, help_text="Without an offset, in your time zone.")


class EventRequest(EventFields):
    title = serializers.CharField(help_text=f"At most {TITLE_CHARS} characters.")
    starts_at = serializers.DateTimeField(help_text="Without an offset, in your time zone.")


class ComingRequest(Input):
    answer = serializers.ChoiceField(choices=COMING_CHOICES)


# Announcements


class AnnouncementsView(ClubsView):
    @extend_schema(
        operation_id="club_announcements",
        summary="List announcements",
        parameters=CURSOR,
        responses={200: paged(AnnouncementAnswer), **READS},
        tags=["clubs"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Pinned ones first, then the newest."""
        rows = self.page.club.announcements.select_related("author")
        found, following = page_of(rows, request, of="club-announcements", by=("-is_pinned", "-id"))
        return Response({"next": following, "results": AnnouncementAnswer(found, many=True).data})

    @extend_schema(
        operation_id="announce",
        summary="Announce something",
        request=AnnouncementRequest,
        responses={201: AnnouncementAnswer, **WRITES},
        tags=["clubs"],
    )
    def post(self, request: Request, slug: str) -> Response:
        """For officers. Anyone who sees the club can read it."""
        self.count("club-write", limit=WRITINGS_PER_HOUR)
        club = self.page.club
        require(Verb.ANNOUNCE, club, self.user)
        made = announcements.announce(club=club, actor=self.user, **checked(AnnouncementRequest, request.data))
        return Response(AnnouncementAnswer(made).data, status=201)


class AnnouncementView(ClubsView):
    @extend_schema(
        operation_id="pin_announcement", summary="Pin an announcement, or unpin it", request=PinRequest, responses=DONE, tags=["clubs"]
    )
    def patch(self, request: Request, slug: str, pk: int) -> Response:
        """Twice is once."""
        page = self.changing(Verb.ANNOUNCE)
        announcements.pin(club=page.club, actor=self.user, announcement_id=pk, **checked(PinRequest, request.data))
        return Response(status=204)

    @extend_schema(operation_id="delete_announcement", summary="Delete an announcement", responses=DONE, tags=["clubs"])
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """The log keeps its title."""
        page = self.changing(Verb.ANNOUNCE)
        announcements.delete_announcement(club=page.club, actor=self.user, announcement_id=pk)
        return Response(status=204)


# Events


class EventsView(ClubsView):
    @extend_schema(
        operation_id="club_events",
        summary="List events",
        parameters=[
            OpenApiParameter(
                "when",
                OpenApiTypes.STR,
                enum=WHEN,
                default="coming",
                description="`coming` (the next one first) or `past` (the last one first).",
            ),
            *CURSOR,
        ],
        responses={200: paged(EventAnswer), **READS},
        tags=["clubs"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """An event is past six hours after its start. Cancelled ones stay in the list."""
        page, when = self.page, request.query_params.get("when", WHEN[0])
        if when not in WHEN:
            raise exceptions.ValidationError({"when": _("Choose one of these: %(names)s.") % {"names": ", ".join(WHEN)}})
        is_past = when == "past"
        by = ("-starts_at", "id") if is_past else ("starts_at", "id")
        rows, following = page_of(evenings.held(page.club, is_past=is_past), request, of=f"club-events.{when}", by=by)
        told = [evenings.row_of(evening, page.user, is_over=is_past) for evening in rows]
        return Response({"next": following, "results": EventAnswer(told, many=True).data})

    @extend_schema(
        operation_id="plan_event", summary="Plan an event", request=EventRequest, responses={201: EventAnswer, **WRITES}, tags=["clubs"]
    )
    def post(self, request: Request, slug: str) -> Response:
        """For officers. Members are told."""
        self.count("club-write", limit=WRITINGS_PER_HOUR)
        club = self.page.club
        require(Verb.CALENDAR, club, self.user)
        return event_of(self, calendar.create_evening(club=club, actor=self.user, **checked(EventRequest, request.data)).pk, 201)


class EventView(ClubsView):
    @extend_schema(
        operation_id="change_event", summary="Change an event", request=EventFields, responses={200: EventAnswer, **WRITES}, tags=["clubs"]
    )
    def patch(self, request: Request, slug: str, pk: int) -> Response:
        """What you leave out stays. The answers are kept."""
        self.count("club-write", limit=WRITINGS_PER_HOUR)
        club = self.page.club
        require(Verb.CALENDAR, club, self.user)
        values = checked(EventFields, request.data)
        found = Evening.objects.filter(club=club, pk=pk).first()
        if found is None:
            raise NoSuchEvening
        kept: dict[str, Any] = {name: getattr(found, name) for name in ("title", "text", "game", "starts_at")}
        return event_of(self, calendar.edit_evening(club=club, actor=self.user, evening_id=pk, **kept | values).pk)


class CancelEventView(ClubsView):
    @extend_schema(operation_id="cancel_event", summary="Cancel an event", request=None, responses=DONE, tags=["clubs"])
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """It stays in the calendar, marked. Members are told."""
        page = self.changing(Verb.CALENDAR)
        calendar.call_off(club=page.club, actor=self.user, evening_id=pk)
        return Response(status=204)


class AnswerEventView(ClubsView):
    @extend_schema(
        operation_id="answer_event",
        summary="Say whether you are coming",
        request=ComingRequest,
        responses={200: EventAnswer, **WRITES},
        tags=["clubs"],
    )
    def put(self, request: Request, slug: str, pk: int) -> Response:
        """A later answer replaces an earlier one."""
        self.count("club-answer", limit=CHANGES_PER_HOUR)
        club = self.page.club
        require(Verb.ANSWER, club, self.user)
        calendar.answer(club=club, user=self.user, evening_id=pk, **checked(ComingRequest, request.data))
        return event_of(self, pk)


def event_of(view: ClubsView, evening_id: int, status: int = 200) -> Response:
    """Answer with an event as its reader sees it."""
    found = evenings.with_answers(Evening.objects.all()).get(pk=evening_id)
    row = evenings.row_of(found, view.viewer, is_over=evenings.is_over(found))
    return Response(EventAnswer(row).data, status=status)


# The log


class LogView(ClubsView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="club_log",
        summary="Read the club's log",
        parameters=CURSOR,
        responses={200: paged(ClubLineAnswer), **READS, **FORBIDDEN},
        tags=["clubs"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """For members: who did what to whom, the newest first."""
        club = self.page.club
        require(Verb.READ_LOG, club, self.user)
        rows, following = page_of(club.entries.select_related("actor", "subject"), request, of="club-log", by=("-id",))
        told = [{"at": entry.at, "what": entry.verb, "text": line_of(entry).text} for entry in rows]
        return Response({"next": following, "results": ClubLineAnswer(told, many=True).data})
