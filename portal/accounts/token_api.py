"""The API of one's own API tokens."""

from __future__ import annotations

from typing import Any, ClassVar

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from portal.accounts.api import OwnView
from portal.accounts.models import TOKEN_NAME_CHARS, ApiToken
from portal.accounts.own_tokens import MOST_DAYS, make_token, revoke_token, tokens_of
from portal.accounts.refusals import NoTokensForApps
from portal.common.api_views import CURSOR, READS, WRITES, Input, Output, checked, page_of, paged
from portal.common.limits import allow, seconds_left

MADE_PER_HOUR = 30
SCOPE_CHOICES = [
    ("read", "See what the person can see."),
    ("play", "Change anything that no other scope is for: play, talk, answer."),
    ("club", "Act in the person's clubs."),
    ("admin", "Change the account: settings, blocked people, tokens."),
]


class OwnTokenAnswer(Output):
    """A token of yours, never the token itself."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField(help_text="Empty for one that a program got with your name and password, or that is older than names.")
    scopes = serializers.SerializerMethodField()
    by_sign_in = serializers.BooleanField(help_text="A program got it with your name and password.")
    at = serializers.DateTimeField(source="created_at")
    expires_at = serializers.DateTimeField(allow_null=True, help_text="Null: it works until you revoke it.")
    used_at = serializers.DateTimeField(allow_null=True, help_text="Its last use, to the hour; null before the first.")
    is_this = serializers.SerializerMethodField(help_text="The request came with it.")

    def get_scopes(self, row: ApiToken) -> list[str]:
        return row.scopes.split()

    def get_is_this(self, row: ApiToken) -> bool:
        return bool(row == self.context["auth"])


class MadeTokenAnswer(OwnTokenAnswer):
    """A new token. This is the only answer that shows it."""

    token = serializers.SerializerMethodField()

    def get_token(self, _row: ApiToken) -> str:
        return str(self.context["text"])


class TokenInput(Input):
    """A token for a program of yours."""

    name = serializers.CharField(max_length=TOKEN_NAME_CHARS, help_text="What it is for; only you see it.")
    scopes = serializers.ListField(
        child=serializers.ChoiceField(choices=SCOPE_CHOICES), allow_empty=False, help_text="None that the asking token lacks."
    )
    days = serializers.IntegerField(
        min_value=1,
        max_value=MOST_DAYS,
        required=False,
        allow_null=True,
        default=None,
        help_text="How long it works; null: until you revoke it, or until the asking token expires.",
    )


class TokensView(OwnView):
    reads: ClassVar[str] = "admin"
    scope: ClassVar[str] = "admin"

    @property
    def by(self) -> ApiToken | None:
        return self.request.auth if isinstance(self.request.auth, ApiToken) else None

    @extend_schema(
        operation_id="tokens",
        summary="List your API tokens",
        parameters=CURSOR,
        responses={200: paged(OwnTokenAnswer), **READS},
        tags=["people"],
    )
    def get(self, request: Request) -> Response:
        """The newest first."""
        rows, following = page_of(tokens_of(self.user), request, of="tokens", by=("-created_at", "-pk"))
        return Response({"next": following, "results": OwnTokenAnswer(rows, many=True, context=self._told()).data})

    @extend_schema(
        operation_id="make_token",
        summary="Create an API token",
        request=TokenInput,
        responses={201: MadeTokenAnswer, **WRITES},
        tags=["people"],
    )
    def post(self, request: Request) -> Response:
        """Keep `token`: it can't be shown again. A token can't create one that does more, or works longer, than itself. Guests can't have tokens; at most 20 a person."""
        if self.request.auth is not None and self.by is None:
            raise NoTokensForApps
        values: dict[str, Any] = checked(TokenInput, request.data)
        if not allow("api-tokens", str(self.user.pk), limit=MADE_PER_HOUR, window_s=3600):
            raise exceptions.Throttled(seconds_left(3600), detail=_("Too many tokens this hour."))
        made = make_token(user=self.user, by=self.by, **values)
        return Response(MadeTokenAnswer(made.row, context=self._told(made.text)).data, status=201)

    def _told(self, text: str = "") -> dict[str, Any]:
        return {"auth": self.by, "text": text}


class TokenView(OwnView):
    scope: ClassVar[str] = "admin"

    @extend_schema(
        operation_id="revoke_token",
        summary="Revoke an API token",
        responses={204: OpenApiResponse(description="Done."), **WRITES},
        tags=["people"],
    )
    def delete(self, _request: Request, pk: int) -> Response:
        """It stops working at once, even the one that this request came with."""
        revoke_token(user=self.user, token_id=pk)
        return Response(status=204)
