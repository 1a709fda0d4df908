"""The API of clubs: finding and founding them, what they say and allow, and the ways in and out; the same services as the pages."""

from __future__ import annotations

from operator import itemgetter
from typing import Any, ClassVar, Final, cast

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from portal.accounts.models import User
from portal.clubs import entry_views, members, refusals, selectors, services, ways_in
from portal.clubs.member_views import CHANGES_PER_HOUR
from portal.clubs.models import NAME_CHARS, Ban, Club
from portal.clubs.permissions import Verb, require, role_of
from portal.clubs.selectors import ClubPage, ClubRow, club_for
from portal.common.api_views import CURSOR, DONE, READS, WRITES, ApiView, Input, Output, checked, page_of, page_of_sorted, paged, problems
from portal.common.limits import count_use

LISTS: Final = ("public", "mine", "asked")
JOINING_CHOICES: Final = [
    ("open", "Anyone can join at once."),
    ("request", "An officer accepts or declines."),
    ("invitation", "By invitation or link only."),
]
ROLE_CHOICES: Final = [
    ("owner", "One in each club; may do everything but leave."),
    ("officer", "Decides who joins, announces, plans events, seasons and duplicate tables."),
    ("member", "Plays at the club's tables."),
]
WAY_CHOICES: Final = [
    ("member", "You are a member."),
    ("closed", "Nobody joins: the club is closed for good."),
    ("visitor", "Sign in first."),
    ("guest", "Create an account first."),
    ("banned", "You are banned."),
    ("invited", "An invitation waits for your answer."),
    ("asked", "Your request waits for an answer."),
    ("open", "You can join at once."),
    ("request", "You can ask to join."),
    ("invitation", "You need an invitation or the link."),
]
MAY_CHOICES: Final = [
    ("view", "See the club's pages, tables, leaderboards and seasons."),
    ("open_table", "Open club tables."),
    ("sit_down", "Take seats at club tables."),
    ("answer", "Say whether you are coming to an event."),
    ("read_log", "Read the club's log."),
    ("leave", "Leave the club."),
    ("edit", "Change the description."),
    ("invite", "Invite people, and share the link."),
    ("decide", "Answer requests to join."),
    ("remove", "Remove members of a lower role."),
    ("ban", "Ban people of a lower role or none, and lift bans."),
    ("announce", "Make announcements."),
    ("calendar", "Plan events."),
    ("seasons", "Create seasons and leagues."),
    ("duplicates", "Open duplicate tables."),
    ("settings", "Change the name, how people join, and privacy, and renew the link."),
    ("roles", "Appoint and dismiss officers."),
    ("hand_over", "Hand the club over."),
    ("close", "Close the club."),
]


class ClubRowAnswer(Output):
    """A club in a list."""

    slug = serializers.CharField(source="club.slug", help_text="In addresses.")
    name = serializers.CharField(source="club.name")
    about = serializers.CharField(allow_blank=True, help_text="In your language, or in the first that the club has.")
    members = serializers.IntegerField(source="club.member_count")
    is_private = serializers.BooleanField(source="club.is_private")
    is_closed = serializers.SerializerMethodField()
    joining = serializers.ChoiceField(source="club.joining", choices=JOINING_CHOICES, help_text="How people join.")
    role = serializers.ChoiceField(choices=ROLE_CHOICES, allow_null=True, help_text="Yours, in your own clubs.")
    requests = serializers.IntegerField(help_text="Requests that wait for you as an officer, in your own clubs.")

    def get_is_closed(self, row: ClubRow) -> bool:
        return row.club.closed_at is not None


class ClubAnswer(Output):
    """A club as you see it."""

    slug = serializers.CharField(help_text="In addresses.")
    name = serializers.CharField()
    about_en = serializers.CharField(allow_blank=True)
    about_hu = serializers.CharField(allow_blank=True)
    about_ru = serializers.CharField(allow_blank=True)
    members = serializers.IntegerField()
    is_private = serializers.BooleanField(help_text="Only members see it, its tables and its leaderboards.")
    joining = serializers.ChoiceField(choices=JOINING_CHOICES, help_text="How people join.")
    created_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)
    role = serializers.ChoiceField(choices=ROLE_CHOICES, allow_null=True, help_text="Yours; null if you aren't a member.")
    way_in = serializers.ChoiceField(choices=WAY_CHOICES, help_text="How you can join.")
    may = serializers.ListField(child=serializers.ChoiceField(choices=MAY_CHOICES), help_text="What you may do there.")
    link = serializers.CharField(allow_null=True, help_text="Anyone who has it and an account can join. Null unless you may invite people.")


class LinkAnswer(Output):
    """The club behind a link."""

    slug = serializers.CharField()
    name = serializers.CharField()
    about = serializers.CharField(allow_blank=True)
    members = serializers.IntegerField()
    is_private = serializers.BooleanField()
    role = serializers.ChoiceField(choices=ROLE_CHOICES, allow_null=True, help_text="Yours; null if you aren't a member.")
    is_banned = serializers.BooleanField(help_text="Whether you are banned, so that the link doesn't help.")


class ClubFields(Input):
    name = serializers.CharField(required=False, help_text=f"At most {NAME_CHARS} characters. Public clubs have different names.")
    is_private = serializers.BooleanField(required=False)
    joining = serializers.ChoiceField(required=False, choices=JOINING_CHOICES)
    about_en = serializers.CharField(required=False, allow_blank=True, help_text="At most 2000 characters.")
    about_hu = serializers.CharField(required=False, allow_blank=True)
    about_ru = serializers.CharField(required=False, allow_blank=True)


class FoundingRequest(ClubFields):
    name = serializers.CharField(help_text=f"At most {NAME_CHARS} characters. Public clubs have different names.")


class MessageRequest(Input):
    message = serializers.CharField(required=False, allow_blank=True, default="", help_text="For the officers: at most 300 characters.")


class NameRequest(Input):
    name = serializers.CharField(help_text="The club's name, to confirm it.")


class ClubsView(ApiView):
    """About clubs. What somebody may not see of them answers as if it weren't there."""

    scope: ClassVar[str] = "club"

    @property
    def viewer(self) -> User | None:
        return self.request.user if isinstance(self.request.user, User) else None

    @property
    def user(self) -> User:
        """The caller of an operation for which one has to be signed in."""
        return cast(User, self.request.user)

    @property
    def page(self) -> ClubPage:
        """The club of the address, as it is now. Raises ClubNotFound."""
        return club_for(self.kwargs["slug"], self.viewer)

    def count(self, what: str, *, limit: int) -> None:
        """Count one use of `what` in this hour, together with the pages. Raises TooMany."""
        count_use(what, str(self.user.pk), limit=limit)

    def changing(self, verb: Verb) -> ClubPage:
        """Return the club of a change that `verb` allows. Raises ClubNotFound, NotAllowed, WrongMoment and TooMany."""
        self.count("club-change", limit=CHANGES_PER_HOUR)
        page = self.page
        require(verb, page.club, self.user)
        return page

    def told(self, status: int = 200, slug: str = "") -> Response:
        """Answer with the club as its reader sees it now."""
        return Response(club_json(club_for(slug or self.kwargs["slug"], self.viewer)), status=status)


def club_json(page: ClubPage) -> dict[str, Any]:
    """Return a club as one reader sees it; one statement besides that of the club, for strangers."""
    club = page.club
    found = {
        **{name: getattr(club, name) for name in ("slug", "name", "about_en", "about_hu", "about_ru")},
        **{name: getattr(club, name) for name in ("is_private", "joining", "created_at", "closed_at")},
        "members": club.member_count,
        "role": page.role,
        "way_in": selectors.way_in(page),
        "may": [verb.value for verb in Verb if verb in page.may],
        "link": link_of(club) if Verb.INVITE in page.may else None,
    }
    return dict(ClubAnswer(found).data)


def link_of(club: Club) -> str:
    """Return the address with which anyone can join."""
    return f"{settings.BASE_URL}{reverse('club-join-link', args=[club.link_code])}"


class ClubListView(ClubsView):
    @extend_schema(
        operation_id="clubs",
        summary="List clubs",
        parameters=[
            OpenApiParameter(
                "list",
                OpenApiTypes.STR,
                enum=LISTS,
                default="public",
                description="`public` (the largest first), `mine` (by name, closed ones last) or `asked` (public clubs that you have asked to join).",
            ),
            OpenApiParameter("q", OpenApiTypes.STR, description="Only public clubs whose name contains this."),
            *CURSOR,
        ],
        responses={200: paged(ClubRowAnswer), **READS},
        tags=["clubs"],
    )
    def get(self, request: Request) -> Response:
        """Private clubs are listed to their members only."""
        wanted = request.query_params.get("list", LISTS[0])
        if wanted not in LISTS:
            raise exceptions.ValidationError({"list": _("Choose one of these: %(names)s.") % {"names": ", ".join(LISTS)}})
        if wanted == "public":
            search = request.query_params.get("q", "").strip()[:NAME_CHARS]
            clubs, following = page_of(selectors.open_to_all(search), request, of="clubs", by=("-member_count", "id"))
            rows = [selectors.row_of(club) for club in clubs]
        elif self.viewer is None:
            raise exceptions.NotAuthenticated
        else:
            found = selectors.my_clubs(self.viewer)
            if wanted == "asked":
                asked = [one.club for one in selectors.requests_of(self.viewer) if not one.club.is_private]
                found = [selectors.row_of(club) for club in asked]
            keys = [(f"{row.club.closed_at is not None:d} {row.club.name.casefold()} {row.club.pk}", row) for row in found]
            rows, following = page_of_sorted(sorted(keys, key=itemgetter(0)), request, of=f"clubs.{wanted}")
        return Response({"next": following, "results": ClubRowAnswer(rows, many=True).data})

    @extend_schema(
        operation_id="found_club", summary="Create a club", request=FoundingRequest, responses={201: ClubAnswer, **WRITES}, tags=["clubs"]
    )
    def post(self, request: Request) -> Response:
        """You own it. Three a day; guests can't."""
        self.count("club", limit=entry_views.FORMS_PER_HOUR)
        values = checked(FoundingRequest, request.data)
        entry_views.require_few_founded(self.user)
        return self.told(201, services.create_club(owner=self.user, **values).slug)


class ClubView(ClubsView):
    @extend_schema(operation_id="club", summary="See a club", responses={200: ClubAnswer, **READS}, tags=["clubs"])
    def get(self, request: Request, slug: str) -> Response:
        """What it says of itself, how people join, and what you may do there."""
        return self.told()

    @extend_schema(
        operation_id="change_club", summary="Change a club", request=ClubFields, responses={200: ClubAnswer, **WRITES}, tags=["clubs"]
    )
    def patch(self, request: Request, slug: str) -> Response:
        """What you leave out stays. Officers change the description, the owner everything. All of it changes, or nothing."""
        page = self.changing(Verb.EDIT)
        values = checked(ClubFields, request.data)
        with transaction.atomic():
            club = services.lock(page.club)
            for service, names in (
                (services.edit_texts, ("about_en", "about_hu", "about_ru")),
                (services.change_settings, ("name", "is_private", "joining")),
            ):
                if values.keys() & set(names):
                    service(club=club, actor=self.user, **{name: values.get(name, getattr(club, name)) for name in names})
        return self.told()


class CloseView(ClubsView):
    @extend_schema(
        operation_id="close_club", summary="Close a club", request=NameRequest, responses={200: ClubAnswer, **WRITES}, tags=["clubs"]
    )
    def post(self, request: Request, slug: str) -> Response:
        """For good. Send its name to confirm it. Open tables close, games in play go on."""
        page = self.changing(Verb.CLOSE)
        if checked(NameRequest, request.data)["name"].strip() != page.club.name:
            raise refusals.WrongClubName
        services.close_club(club=page.club, actor=self.user)
        return self.told()


class LinkView(ClubsView):
    @extend_schema(
        operation_id="renew_club_link",
        summary="Make a new link to a club",
        request=None,
        responses={200: ClubAnswer, **WRITES},
        tags=["clubs"],
    )
    def post(self, request: Request, slug: str) -> Response:
        """The old one no longer works."""
        services.renew_link(club=self.changing(Verb.SETTINGS).club, actor=self.user)
        return self.told()


# Joining and leaving


class JoinView(ClubsView):
    @extend_schema(
        operation_id="join_club", summary="Join an open club", request=None, responses={200: ClubAnswer, **WRITES}, tags=["clubs"]
    )
    def post(self, request: Request, slug: str) -> Response:
        """At once."""
        self.count("club-join", limit=entry_views.JOINS_PER_HOUR)
        ways_in.join(club=self.page.club, user=self.user)
        return self.told()


class AskView(ClubsView):
    @extend_schema(
        operation_id="ask_club", summary="Ask to join a club", request=MessageRequest, responses={200: ClubAnswer, **WRITES}, tags=["clubs"]
    )
    def post(self, request: Request, slug: str) -> Response:
        """An officer accepts or declines, and you are told."""
        self.count("club-ask", limit=entry_views.REQUESTS_PER_HOUR)
        page = self.page
        ways_in.ask(club=page.club, user=self.user, **checked(MessageRequest, request.data))
        return self.told()


class WithdrawView(ClubsView):
    @extend_schema(
        operation_id="withdraw_club_request", summary="Withdraw your request to join", request=None, responses=DONE, tags=["clubs"]
    )
    def post(self, request: Request, slug: str) -> Response:
        """Possible until it is answered, even when the club has become private."""
        ways_in.withdraw_request(club=entry_views.club_asked(slug, self.user), user=self.user)
        return Response(status=204)


class LeaveView(ClubsView):
    @extend_schema(operation_id="leave_club", summary="Leave a club", request=None, responses=DONE, tags=["clubs"])
    def post(self, request: Request, slug: str) -> Response:
        """You give back your seats at its open tables; games in play stay yours. The owner hands the club over first."""
        members.leave(club=self.page.club, user=self.user)
        return Response(status=204)


class JoinByLinkView(ClubsView):
    """Behind a club's link. Whoever guesses codes is stopped."""

    def behind(self, code: str) -> Club:
        """Return the club. Raises ClubNotFound and TooManyGuesses."""
        request = self.request._request
        entry_views.LINKS.check(request)
        try:
            return services.club_by_code(code)
        except refusals.DeadLink:
            entry_views.LINKS.count(request)
            raise

    @extend_schema(
        operation_id="club_link",
        summary="See the club behind a link",
        responses={200: LinkAnswer, **READS, **problems(409)},
        tags=["clubs"],
    )
    def get(self, request: Request, code: str) -> Response:
        """The code is the end of the club's link."""
        club, user = self.behind(code), self.viewer
        role = role_of(club, user)
        if role is None and club.closed_at is not None:
            raise refusals.ClosedForGood
        found = {
            **{name: getattr(club, name) for name in ("slug", "name", "is_private")},
            "about": selectors.about_of(club)[0],
            "members": club.member_count,
            "role": role,
            "is_banned": user is not None and Ban.objects.filter(club=club, user=user).exists(),
        }
        return Response(LinkAnswer(found).data)

    @extend_schema(
        operation_id="join_club_by_link", summary="Join by a link", request=None, responses={200: ClubAnswer, **WRITES}, tags=["clubs"]
    )
    def post(self, request: Request, code: str) -> Response:
        """However else people join the club."""
        self.count("club-join", limit=entry_views.JOINS_PER_HOUR)
        club = self.behind(code)
        ways_in.join_by_link(code=code, user=self.user)
        return self.told(slug=club.slug)
