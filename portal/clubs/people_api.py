"""The API of the people of a club: members and their roles, requests, invitations from both sides, bans."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from portal.accounts.models import User
from portal.accounts.pseudonyms import shown
from portal.clubs import entry_views, members, services, ways_in
from portal.clubs.api import ROLE_CHOICES, ClubAnswer, ClubsView
from portal.clubs.member_views import INVITATIONS_PER_HOUR
from portal.clubs.models import Ban, Invitation
from portal.clubs.permissions import Verb, require
from portal.clubs.selectors import ranked_members
from portal.common.api_views import CURSOR, DONE, FORBIDDEN, READS, WRITES, Input, Output, checked, page_of, paged


class MemberAnswer(Output):
    """A member of a club."""

    username = serializers.CharField(source="name")
    role = serializers.ChoiceField(choices=ROLE_CHOICES)
    joined_at = serializers.DateTimeField()


class ClubRequestAnswer(Output):
    """Somebody who asks to join."""

    id = serializers.IntegerField()
    username = serializers.CharField(source="user.username")
    message = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField()


class ClubInvitedAnswer(Output):
    """Somebody whom the club has invited, and who hasn't answered."""

    id = serializers.IntegerField()
    username = serializers.CharField(source="user.username")
    by = serializers.SerializerMethodField(help_text="Who invited them; null if that account is gone.")
    at = serializers.DateTimeField()

    def get_by(self, invitation: Invitation) -> str | None:
        return shown(invitation.by.username) if invitation.by is not None else None


class ClubInvitationAnswer(Output):
    """An invitation to a club that waits for your answer."""

    id = serializers.IntegerField()
    club = serializers.CharField(source="club.slug")
    name = serializers.CharField(source="club.name")
    by = serializers.SerializerMethodField(help_text="Who invited you; null if that account is gone.")
    at = serializers.DateTimeField()

    def get_by(self, invitation: Invitation) -> str | None:
        return shown(invitation.by.username) if invitation.by is not None else None


class BanAnswer(Output):
    """Somebody who can't join in any way."""

    id = serializers.IntegerField()
    username = serializers.CharField(source="user.username")
    by = serializers.SerializerMethodField(help_text="Who banned them; null if that account is gone.")
    reason = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField()

    def get_by(self, ban: Ban) -> str | None:
        return shown(ban.by.username) if ban.by is not None else None


class RoleRequest(Input):
    role = serializers.ChoiceField(choices=ROLE_CHOICES, help_text="`owner` hands the club over, and makes you an officer.")


class PersonRequest(Input):
    username = serializers.CharField(max_length=150)


class BanRequest(PersonRequest):
    reason = serializers.CharField(required=False, allow_blank=True, default="", help_text="For officers only: at most 300 characters.")


class MembersView(ClubsView):
    @extend_schema(
        operation_id="club_members",
        summary="List the members",
        parameters=CURSOR,
        responses={200: paged(MemberAnswer), **READS},
        tags=["clubs"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """The owner, the officers, then everybody else by name."""
        rows, following = page_of(ranked_members(self.page.club), request, of="club-members", by=("rank", "name"))
        return Response({"next": following, "results": MemberAnswer(rows, many=True).data})


class MemberView(ClubsView):
    def member(self, username: str) -> User:
        """Return a person by their name. Raises BadValue if nobody has it."""
        return members.person_named(username)

    @extend_schema(
        operation_id="set_club_role",
        summary="Give a member a role",
        request=RoleRequest,
        responses={200: ClubAnswer, **WRITES},
        tags=["clubs"],
    )
    def put(self, request: Request, slug: str, username: str) -> Response:
        """Only the owner does that. There is always one owner, whose role can't be taken."""
        page = self.changing(Verb.ROLES)
        role = checked(RoleRequest, request.data)["role"]
        person = self.member(username)
        if role == "owner":
            services.hand_over(club=page.club, actor=self.user, member=person)
        else:
            services.set_officer(club=page.club, actor=self.user, member=person, is_officer=role == "officer")
        return self.told()

    @extend_schema(operation_id="remove_member", summary="Remove a member", responses=DONE, tags=["clubs"])
    def delete(self, request: Request, slug: str, username: str) -> Response:
        """Somebody of a lower role than yours. They may come back."""
        page = self.changing(Verb.REMOVE)
        members.remove(club=page.club, actor=self.user, member=self.member(username))
        return Response(status=204)


# Requests


class RequestsView(ClubsView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="club_requests",
        summary="List requests to join",
        parameters=CURSOR,
        responses={200: paged(ClubRequestAnswer), **READS, **FORBIDDEN},
        tags=["clubs"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """For officers, the oldest first."""
        club = self.page.club
        require(Verb.DECIDE, club, self.user)
        rows, following = page_of(club.requests.select_related("user"), request, of="club-requests", by=("id",))
        return Response({"next": following, "results": ClubRequestAnswer(rows, many=True).data})


class AcceptRequestView(ClubsView):
    @extend_schema(operation_id="accept_club_request", summary="Accept a request to join", request=None, responses=DONE, tags=["clubs"])
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """They are a member from then on, and are told."""
        return decided(self, pk, granted=True)


class DeclineRequestView(ClubsView):
    @extend_schema(operation_id="decline_club_request", summary="Decline a request to join", request=None, responses=DONE, tags=["clubs"])
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """They are told, and may ask again."""
        return decided(self, pk, granted=False)


def decided(view: ClubsView, pk: int, *, granted: bool) -> Response:
    """Answer a request, and say that it is done."""
    page = view.changing(Verb.DECIDE)
    ways_in.decide(club=page.club, actor=view.user, request_id=pk, granted=granted)
    return Response(status=204)


# Invitations


class InvitedView(ClubsView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="club_invited",
        summary="List a club's invitations",
        parameters=CURSOR,
        responses={200: paged(ClubInvitedAnswer), **READS, **FORBIDDEN},
        tags=["clubs"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Those that wait for an answer, for officers, the oldest first."""
        club = self.page.club
        require(Verb.INVITE, club, self.user)
        rows, following = page_of(club.invitations.select_related("user", "by"), request, of="club-invited", by=("id",))
        return Response({"next": following, "results": ClubInvitedAnswer(rows, many=True).data})

    @extend_schema(
        operation_id="invite_to_club",
        summary="Invite somebody to a club",
        request=PersonRequest,
        responses={201: ClubInvitedAnswer, **WRITES},
        tags=["clubs"],
    )
    def post(self, request: Request, slug: str) -> Response:
        """By name: anybody who has an account and isn't a member."""
        self.count("club-invite", limit=INVITATIONS_PER_HOUR)
        club = self.page.club
        require(Verb.INVITE, club, self.user)  # before saying anything about names
        person = members.person_named(checked(PersonRequest, request.data)["username"])
        return Response(ClubInvitedAnswer(ways_in.invite(club=club, actor=self.user, person=person)).data, status=201)


class InvitedPersonView(ClubsView):
    @extend_schema(operation_id="withdraw_club_invitation", summary="Withdraw an invitation to a club", responses=DONE, tags=["clubs"])
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Possible until it is answered."""
        page = self.changing(Verb.INVITE)
        ways_in.withdraw_invitation(club=page.club, actor=self.user, invitation_id=pk)
        return Response(status=204)


class InvitationsView(ClubsView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="club_invitations",
        summary="List your invitations to clubs",
        parameters=CURSOR,
        responses={200: paged(ClubInvitationAnswer), **READS},
        tags=["clubs"],
    )
    def get(self, request: Request) -> Response:
        """Those that wait for your answer, the newest first."""
        rows = Invitation.objects.filter(user=self.user, club__closed_at=None).select_related("club", "by")
        found, following = page_of(rows, request, of="club-invitations", by=("-id",))
        return Response({"next": following, "results": ClubInvitationAnswer(found, many=True).data})


class AcceptInvitationView(ClubsView):
    @extend_schema(
        operation_id="accept_club_invitation",
        summary="Accept an invitation to a club",
        request=None,
        responses={200: ClubAnswer, **WRITES},
        tags=["clubs"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """You are a member from then on."""
        self.count("club-join", limit=entry_views.JOINS_PER_HOUR)
        return self.told(slug=ways_in.answer_invitation(invitation_id=pk, user=self.user, accepted=True).slug)


class DeclineInvitationView(ClubsView):
    @extend_schema(
        operation_id="decline_club_invitation", summary="Decline an invitation to a club", request=None, responses=DONE, tags=["clubs"]
    )
    def post(self, request: Request, pk: int) -> Response:
        """The club's log says so."""
        self.count("club-join", limit=entry_views.JOINS_PER_HOUR)
        ways_in.answer_invitation(invitation_id=pk, user=self.user, accepted=False)
        return Response(status=204)


# Bans


class BansView(ClubsView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="club_bans",
        summary="List bans",
        parameters=CURSOR,
        responses={200: paged(BanAnswer), **READS, **FORBIDDEN},
        tags=["clubs"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """For officers, the oldest first."""
        club = self.page.club
        require(Verb.BAN, club, self.user)
        rows, following = page_of(club.bans.select_related("user", "by"), request, of="club-bans", by=("id",))
        return Response({"next": following, "results": BanAnswer(rows, many=True).data})

    @extend_schema(operation_id="ban", summary="Ban somebody", request=BanRequest, responses={201: BanAnswer, **WRITES}, tags=["clubs"])
    def post(self, request: Request, slug: str) -> Response:
        """By name, a member of a lower role than yours or anybody else: no way into the club is open to them, until you lift the ban."""
        page = self.changing(Verb.BAN)
        values = checked(BanRequest, request.data)
        person = members.person_named(values["username"])
        return Response(BanAnswer(members.ban(club=page.club, actor=self.user, person=person, reason=values["reason"])).data, status=201)


class BanView(ClubsView):
    @extend_schema(operation_id="lift_ban", summary="Lift a ban", responses=DONE, tags=["clubs"])
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """They may join again by any way that is open to others."""
        page = self.changing(Verb.BAN)
        members.lift_ban(club=page.club, actor=self.user, ban_id=pk)
        return Response(status=204)
