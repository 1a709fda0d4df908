"""The API of whom a person blocks."""

from __future__ import annotations

from typing import ClassVar, cast

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import exceptions, serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from portal.accounts import blocks
from portal.accounts.models import Block, User
from portal.accounts.names import person_named
from portal.common.api_views import CURSOR, READS, WRITES, ApiView, Output, page_of, paged


class BlockAnswer(Output):
    """Somebody whom you block."""

    username = serializers.CharField(source="blocked.username")
    is_bot = serializers.BooleanField(source="blocked.is_bot", help_text="Somebody's bot account.")
    at = serializers.DateTimeField()


class OwnView(ApiView):
    """About what is the caller's own: only for people who are signed in."""

    permission_classes = (IsAuthenticated,)

    @property
    def user(self) -> User:
        return cast(User, self.request.user)


def person_or_404(name: str) -> User:
    """Return the person with an open account who has this name. Raises NotFound."""
    person = person_named(name)
    if person is None:
        raise exceptions.NotFound(_("There is no player with this name."))
    return person


class BlocksView(OwnView):
    scope: ClassVar[str] = "admin"

    @extend_schema(
        operation_id="blocks",
        summary="List whom you block",
        parameters=CURSOR,
        responses={200: paged(BlockAnswer), **READS},
        tags=["people"],
    )
    def get(self, request: Request) -> Response:
        """The last one first. You don't see what they write, and they can't invite you. They aren't told."""
        rows, following = page_of(Block.objects.filter(user=self.user).select_related("blocked"), request, of="blocks", by=("-at", "-pk"))
        return Response({"next": following, "results": BlockAnswer(rows, many=True).data})


class BlockView(OwnView):
    scope: ClassVar[str] = "admin"

    @extend_schema(
        operation_id="block",
        summary="Block somebody",
        request=None,
        responses={204: OpenApiResponse(description="Done."), **WRITES},
        tags=["people"],
    )
    def put(self, request: Request, username: str) -> Response:
        """Twice is once. Friendship and requests between you end, and their invitations to you are declined."""
        blocks.block(user=self.user, person=person_or_404(username))
        return Response(status=204)

    @extend_schema(
        operation_id="unblock", summary="Unblock somebody", responses={204: OpenApiResponse(description="Done."), **WRITES}, tags=["people"]
    )
    def delete(self, request: Request, username: str) -> Response:
        """Does nothing if you don't block them. People who have closed their account can be unblocked too."""
        found = Block.objects.filter(user=self.user, blocked__username__iexact=username).values_list("blocked_id", flat=True).first()
        blocks.unblock(user=self.user, person_id=found if found is not None else person_or_404(username).pk)
        return Response(status=204)
