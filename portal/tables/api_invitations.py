"""The API of invitations: of the owner of an open table, of the invited person, and behind the code of a link or of a mail."""

from __future__ import annotations

from typing import Any, Final

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from portal.accounts.models import User
from portal.common.api_views import CURSOR, READS, WRITES, checked, page_of, page_of_sorted, paged
from portal.common.limits import count_use
from portal.tables import invitation_serializers as s
from portal.tables import invited, inviting, refusals
from portal.tables.access import load_for
from portal.tables.api_base import TablesView
from portal.tables.invite_views import FORMS_PER_HOUR, LINKS
from portal.tables.loading import Loaded, load
from portal.tables.lobby_views import JOINS_PER_HOUR
from portal.tables.models import Invitation, Table
from portal.tables.pace import pace_of
from portal.tables.seating import is_free
from portal.tables.serializers import TableAnswer

CLOSED: Final = "closed"
OWN_DEEDS: Final = (Invitation.State.ACCEPTED, Invitation.State.DECLINED)
WAYS: Final = (Invitation.Way.NAME, Invitation.Way.MAIL)


def _invitation_json(loaded: Loaded, found: Invitation | None, user: User | None) -> dict[str, Any]:
    """Return what an invited person sees, as on the page of the invitation; with `found=None`, whoever follows the table's link."""
    table = loaded.table
    owner = found.by if found is not None else table.owner
    is_open = table.status == Table.Status.OPEN
    # Otherwise it is read by the code of a mail, which may have been passed on.
    is_own = found is not None and user is not None and found.user_id == user.pk
    state = found.state if found is not None else None
    if found is not None and not found.is_open and not (is_own and state in OWN_DEEDS):
        state = CLOSED
    if inviting.tells_no_more(loaded, found, user):
        return dict.fromkeys(s.InvitationAnswer().fields) | {
            "id": found.pk if found is not None else None, "game": table.game, "state": state, "is_open": False, "players": [], "options": {},
            "may_watch": False,
        }  # fmt: skip
    return {
        "id": found.pk if found is not None else None,
        "table": table.pk,
        "game": table.game,
        "by": owner.username if owner is not None else None,
        "is_bot": owner is not None and owner.is_bot,
        "state": state,
        "is_open": is_open and (found is None or found.is_open),
        "made_at": found.made_at if found is not None else None,
        "expires_at": found.expires_at if found is not None else None,
        "players": [loaded.name_of(seat.index) for seat in loaded.seats if not is_free(seat)],
        "seat_count": table.seat_count,
        "free_seats": sum(map(is_free, loaded.seats)),
        "options": table.options,
        "is_rated": table.is_rated,
        "pace": pace_of(table.pace),
        "starts_at": table.starts_at if is_open else None,
        "terms": inviting.terms_of(table),
        "wish": {"seats": found.seats, "is_rated": found.is_rated, "message": found.message if is_own else ""}
        if found is not None and found.state == Invitation.State.COUNTERED
        else None,
        "may_watch": inviting.may_watch_by_link(loaded, found, user),
    }


class InvitationsView(TablesView):
    """Everything here is about an invitation, whose number is no table's."""

    def found(self, number: int) -> Invitation:
        return inviting.invitation_for(number, self.signed_in)

    def told(self, loaded: Loaded, found: Invitation | None, status: int = 200) -> Response:
        return Response(s.InvitationAnswer(_invitation_json(loaded, found, self.person)).data, status=status)

    def take(self, user: User) -> None:
        """Count an answer that takes a seat or asks for other settings. Raises TooManyJoins."""
        count_use("join", str(user.pk), limit=JOINS_PER_HOUR, window_s=3600, refusal=refusals.TooManyJoins)


class MyInvitationsView(InvitationsView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="invitations",
        summary="List invitations to you",
        parameters=CURSOR,
        responses={200: paged(s.InvitationRowAnswer), **READS},
        tags=["invitations"],
    )
    def get(self, request: Request) -> Response:
        """Those to open tables that you, or the owner after your suggestion, can still answer. Newest first."""
        mine = Invitation.objects.filter(invited.still_open(), user=self.signed_in, way__in=WAYS, table__status=Table.Status.OPEN)
        rows, following = page_of(
            mine.select_related("by", "table").only(
                "state", "made_at", "expires_at", "by__username", "by__is_bot", "table__game", "table__seat_count", "table__is_rated"
            ),
            request,
            of="invitations",
            by=("-made_at", "-pk"),
        )
        return Response({"next": following, "results": s.InvitationRowAnswer(rows, many=True).data})


class InvitationView(InvitationsView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="invitation", summary="See an invitation to you", responses={200: s.InvitationAnswer, **READS}, tags=["invitations"]
    )
    def get(self, request: Request, invitation: int) -> Response:
        """What you would agree to, and who sits there already."""
        found = self.found(invitation)
        return self.told(load(found.table_id), found)


class AcceptView(InvitationsView):
    @extend_schema(
        operation_id="accept_invitation",
        summary="Accept an invitation",
        request=s.AcceptRequest,
        responses={200: TableAnswer, **WRITES},
        tags=["invitations"],
    )
    def post(self, request: Request, invitation: int) -> Response:
        """You take a seat; the game starts when the last one is taken. 409 `terms_changed` if the settings aren't those of your `terms`."""
        user, values = self.signed_in, checked(s.AcceptRequest, request.data)
        self.take(user)
        return self.answer(inviting.accept(invitation_id=invitation, user=user, terms=values["terms"]))


class DeclineView(InvitationsView):
    @extend_schema(
        operation_id="decline_invitation",
        summary="Decline an invitation",
        request=None,
        responses={204: OpenApiResponse(description="Done."), **WRITES},
        tags=["invitations"],
    )
    def post(self, request: Request, invitation: int) -> Response:
        """The seat that was kept for you is free again."""
        inviting.decline(invitation_id=invitation, user=self.signed_in)
        return Response(status=204)


class SuggestView(InvitationsView):
    @extend_schema(
        operation_id="suggest_change",
        summary="Suggest a change",
        request=s.SuggestRequest,
        responses={200: s.InvitationAnswer, **WRITES},
        tags=["invitations"],
    )
    def post(self, request: Request, invitation: int) -> Response:
        """Ask the owner for another number of players, another rating, or just say something. Your seat stays kept; if the owner agrees, you have it."""
        user, values = self.signed_in, checked(s.SuggestRequest, request.data)
        self.take(user)
        loaded = inviting.counter(invitation_id=invitation, user=user, **_wish(values, load(self.found(invitation).table_id).table))
        return self.told(loaded, self.found(invitation))


class BehindLink(InvitationsView):
    """Behind the code of a table's link, or of a mailed invitation. Whoever guesses codes is stopped."""

    def behind(self, code: str) -> tuple[Loaded, Invitation | None]:
        """Return the table, and the invitation if the code was mailed. Raises InvitationNotFound and TooManyGuesses."""
        LINKS.check(self.request._request)
        try:
            return load(inviting.table_of_link(code).pk), None
        except refusals.InvitationNotFound:
            try:
                found = inviting.invitation_of_code(code)
            except refusals.InvitationNotFound:
                LINKS.count(self.request._request)
                raise
            return load(found.table_id), found


class LinkView(BehindLink):
    @extend_schema(
        operation_id="link",
        summary="See what a link leads to",
        responses={200: s.InvitationAnswer, **READS},
        tags=["invitations"],
    )
    def get(self, request: Request, code: str) -> Response:
        """The code is the end of a table's link, or of the link in a mail."""
        return self.told(*self.behind(code))


class LinkAcceptView(BehindLink):
    @extend_schema(
        operation_id="accept_link",
        summary="Take a seat by a link",
        request=s.AcceptRequest,
        responses={200: TableAnswer, **WRITES},
        tags=["invitations"],
    )
    def post(self, request: Request, code: str) -> Response:
        """As `accept_invitation`. If you sit there already, nothing changes."""
        user, values = self.signed_in, checked(s.AcceptRequest, request.data)
        _loaded, found = self.behind(code)
        self.take(user)
        if found is None:
            return self.answer(inviting.join_by_link(code=code, user=user, terms=values["terms"]))
        return self.answer(inviting.accept(invitation_id=found.pk, user=user, terms=values["terms"], code=code))


class LinkSuggestView(BehindLink):
    @extend_schema(
        operation_id="suggest_by_link",
        summary="Suggest a change by a link",
        request=s.SuggestRequest,
        responses={200: s.InvitationAnswer, **WRITES},
        tags=["invitations"],
    )
    def post(self, request: Request, code: str) -> Response:
        """As `suggest_change`. From then on a seat is kept for you, as if you had been invited by name."""
        user, values = self.signed_in, checked(s.SuggestRequest, request.data)
        loaded, found = self.behind(code)
        self.take(user)
        wish = _wish(values, loaded.table)
        if found is None:
            loaded = inviting.counter_by_link(code=code, user=user, **wish)
        else:
            loaded = inviting.counter(invitation_id=found.pk, user=user, code=code, **wish)
        own = Invitation.objects.select_related("by").filter(invited.still_open(), table=loaded.table, user=user).first()
        return self.told(loaded, own)


class LinkDeclineView(BehindLink):
    @extend_schema(
        operation_id="decline_by_link",
        summary="Decline a mailed invitation",
        request=None,
        responses={204: OpenApiResponse(description="Done."), **WRITES},
        tags=["invitations"],
    )
    def post(self, request: Request, code: str) -> Response:
        """A table's own link can't be declined: 404."""
        user = self.signed_in
        _loaded, found = self.behind(code)
        if found is None:
            raise refusals.InvitationNotFound
        inviting.decline(invitation_id=found.pk, user=user, code=code)
        return Response(status=204)


class LinkWatchView(BehindLink):
    @extend_schema(
        operation_id="watch_by_link", summary="Watch by a link", request=None, responses={200: TableAnswer, **WRITES}, tags=["invitations"]
    )
    def post(self, request: Request, code: str) -> Response:
        """From then on you see a table that only people with its link see, without sitting there."""
        user = self.signed_in
        _loaded, found = self.behind(code)
        if found is not None:
            raise refusals.InvitationNotFound
        self.take(user)
        return self.answer(inviting.watch_by_link(code=code, user=user))


# The owner's side


class TableInvitationsView(TablesView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="table_invitations",
        summary="List invitations to your table",
        parameters=CURSOR,
        responses={200: paged(s.InvitedAnswer), **READS, **WRITES},
        tags=["invitations"],
    )
    def get(self, request: Request, pk: int) -> Response:
        """The last invitation of each person or address, oldest first, without withdrawn ones. Only for the owner, before the start."""
        table = _of_owner(pk, self.signed_in)
        found = [(f"{one.id:020}", one) for one in sorted(invited.invited_to(table), key=lambda one: one.id)]
        rows, following = page_of_sorted(found, request, of="table-invitations")
        return Response({"next": following, "results": s.InvitedAnswer(rows, many=True).data})

    @extend_schema(
        operation_id="invite",
        summary="Invite somebody",
        request=s.InviteRequest,
        responses={201: s.InvitedAnswer, **WRITES},
        tags=["invitations"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """By name, or by email if there is an @ in it. A free seat is kept for seven days, or until they answer."""
        user, values = self.signed_in, checked(s.InviteRequest, request.data)
        count_use("invite", str(user.pk), limit=FORMS_PER_HOUR, window_s=3600, refusal=refusals.TooManyInvitations)
        invitation = inviting.invite_somebody(table_id=pk, user=user, who=values["who"])
        return Response(s.InvitedAnswer(invited.shown(invitation)).data, status=201)


def _of_owner(pk: int, user: User) -> Table:
    """Return the open table of its owner. Raises TableNotFound, OwnerOnly, AlreadyStarted and TableClosed."""
    table = load_for(pk, user).table
    if table.owner_id != user.pk:
        raise refusals.OwnerOnly
    if table.status != Table.Status.OPEN:
        raise refusals.AlreadyStarted if table.status == Table.Status.PLAYING else refusals.TableClosed
    return table


class TableInvitationView(TablesView):
    @extend_schema(
        operation_id="withdraw_invitation", summary="Withdraw an invitation", responses={200: TableAnswer, **WRITES}, tags=["invitations"]
    )
    def delete(self, request: Request, pk: int, invitation: int) -> Response:
        """Its seat is free again."""
        return self.answer(inviting.take_back(table_id=pk, user=self.signed_in, invitation_id=invitation))


class AnswerSuggestionView(TablesView):
    @extend_schema(
        operation_id="answer_suggestion",
        summary="Answer a suggested change",
        request=s.AgreeRequest,
        responses={200: TableAnswer, **WRITES},
        tags=["invitations"],
    )
    def post(self, request: Request, pk: int, invitation: int) -> Response:
        """If you agree, your table gets those settings and the person a seat. If not, they may still accept the present ones."""
        values = checked(s.AgreeRequest, request.data)
        verb = inviting.grant if values["agrees"] else inviting.insist
        return self.answer(verb(table_id=pk, user=self.signed_in, invitation_id=invitation))


class TableLinkView(TablesView):
    @extend_schema(
        operation_id="renew_link",
        summary="Give your table a new link",
        request=None,
        responses={200: TableAnswer, **WRITES},
        tags=["invitations"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """The old link stops working at once, also for people who only watch by it. Your table has it in `link`."""
        return self.answer(inviting.renew_link(table_id=pk, user=self.signed_in))


def _wish(values: dict[str, Any], table: Table) -> dict[str, Any]:
    """Return what somebody asks for; what they leave out stays as it is."""
    return {
        "seats": values.get("seats", table.seat_count),
        "is_rated": values.get("is_rated", table.is_rated),
        "message": values["message"],
    }
