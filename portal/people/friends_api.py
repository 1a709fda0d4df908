"""The API of friends: the list, requests, and what one may do about them; presence only as the page of friends shows it."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Final

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from portal.accounts.api import OwnView, person_or_404
from portal.accounts.models import User
from portal.common.api_views import CURSOR, DONE, READS, WRITES, Output, page_of_sorted, paged
from portal.friends import services
from portal.friends.selectors import circle_of, tie
from portal.people.api import TIE_CHOICES
from portal.people.friends_page import present

LISTS: Final = ("friends", "asking", "asked")


class FriendAnswer(Output):
    """A friend, or somebody who asks or was asked."""

    username = serializers.CharField()
    is_bot = serializers.BooleanField(help_text="Somebody's bot account.")
    since = serializers.DateTimeField(help_text="When you became friends, or when one of you asked.")
    is_here = serializers.BooleanField(help_text="Whether they are here, if you both show it.")
    is_at_table = serializers.BooleanField(help_text="Whether they have a table open at which they sit, if you both show it.")
    table = serializers.IntegerField(allow_null=True, help_text="That table, if you may see it.")


class TieAnswer(Output):
    """What somebody is to you now."""

    username = serializers.CharField()
    tie = serializers.ChoiceField(choices=TIE_CHOICES)


class FriendsView(OwnView):
    @extend_schema(
        operation_id="friends",
        summary="List friends and requests",
        parameters=[
            OpenApiParameter(
                "list",
                OpenApiTypes.STR,
                enum=LISTS,
                default="friends",
                description="`friends`, `asking` (people who ask you) or `asked` (people whom you have asked).",
            ),
            *CURSOR,
        ],
        responses={200: paged(FriendAnswer), **READS},
        tags=["friends"],
    )
    def get(self, request: Request) -> Response:
        """By name. A request that was declined looks like one that waits."""
        wanted = request.query_params.get("list", LISTS[0])
        if wanted not in LISTS:
            raise exceptions.ValidationError({"list": _("Choose one of these: %(names)s.") % {"names": ", ".join(LISTS)}})
        people = getattr(circle_of(self.user), wanted)
        rows, following = page_of_sorted(
            sorted(((f"{one.name.casefold()} {one.id}", one) for one in people), key=itemgetter(0)), request, of=f"friends.{wanted}"
        )
        here = {one.person.id: one for one in present(self.user, rows)} if wanted == LISTS[0] else {}
        told = []
        for row in rows:
            friend = here.get(row.id)
            told.append(
                {
                    "username": row.name,
                    "is_bot": row.is_bot,
                    "since": row.since,
                    "is_here": friend is not None and friend.is_here,
                    "is_at_table": friend is not None and friend.is_at_table,
                    "table": friend.table.pk if friend is not None and friend.table is not None else None,
                }
            )
        return Response({"next": following, "results": FriendAnswer(told, many=True).data})


class FriendView(OwnView):
    @extend_schema(
        operation_id="ask_friend",
        summary="Ask somebody to be friends",
        request=None,
        responses={200: TieAnswer, **WRITES},
        tags=["friends"],
    )
    def post(self, request: Request, username: str) -> Response:
        """Asking twice is asking once; somebody who has asked you is accepted. Nobody can tell whether they are blocked."""
        return answer_of(self.user, username, services.ask)

    @extend_schema(operation_id="end_friendship", summary="End a friendship", responses=DONE, tags=["friends"])
    def delete(self, request: Request, username: str) -> Response:
        """They aren't told."""
        services.end(user=self.user, person=person_or_404(username))
        return Response(status=204)


class AcceptView(OwnView):
    @extend_schema(
        operation_id="accept_friend", summary="Accept a request", request=None, responses={200: TieAnswer, **WRITES}, tags=["friends"]
    )
    def post(self, request: Request, username: str) -> Response:
        """From then on you are friends."""
        return answer_of(self.user, username, services.accept)


class DeclineView(OwnView):
    @extend_schema(operation_id="decline_friend", summary="Decline a request", request=None, responses=DONE, tags=["friends"])
    def post(self, request: Request, username: str) -> Response:
        """They aren't told."""
        services.decline(user=self.user, person=person_or_404(username))
        return Response(status=204)


class WithdrawView(OwnView):
    @extend_schema(operation_id="withdraw_request", summary="Withdraw your request", request=None, responses=DONE, tags=["friends"])
    def post(self, request: Request, username: str) -> Response:
        """404 if there is none, or it was accepted."""
        services.withdraw(user=self.user, person=person_or_404(username))
        return Response(status=204)


def answer_of(user: User, username: str, verb: Callable[..., object]) -> Response:
    """Do it, and say what the person is to `user` now."""
    person = person_or_404(username)
    verb(user=user, person=person)
    return Response({"username": person.username, "tie": tie(user, person).value})
