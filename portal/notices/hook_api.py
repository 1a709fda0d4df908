"""The API of a person's webhook: what became of it, and whether moves are posted to it. Its address is set on the page of notice settings, which shows the secret."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from portal.accounts.api import OwnView
from portal.common.api_views import DONE, READS, WRITES, Input, Output, checked
from portal.notices import hooks
from portal.notices.models import Hook
from portal.notices.refusals import NoWebhook


class WebhookAnswer(Output):
    """Your webhook, never its secret."""

    url = serializers.CharField()
    posts_moves = serializers.BooleanField(source="takes_moves", help_text="Each table is posted to it, too, whenever it waits for you.")
    is_on = serializers.SerializerMethodField(help_text="False after ten failures in a row, or one 410.")
    failures = serializers.IntegerField(help_text="One after the other, since it last worked.")
    said = serializers.CharField(allow_blank=True, help_text="Its last answer, or what went wrong.")
    said_at = serializers.DateTimeField(allow_null=True)

    def get_is_on(self, hook: Hook) -> bool:
        return hook.off_at is None


class WebhookInput(Input):
    """What you leave out stays."""

    posts_moves = serializers.BooleanField(required=False, help_text="Post each table to it, too, whenever it waits for you.")
    is_on = serializers.BooleanField(required=False, help_text="Post to it. Turned on again, its failures are forgotten.")


class WebhookView(OwnView):
    reads: ClassVar[str] = "admin"  # addresses of webhooks are often secrets themselves
    scope: ClassVar[str] = "admin"

    @extend_schema(operation_id="webhook", summary="See your webhook", responses={200: WebhookAnswer, **READS}, tags=["notices"])
    def get(self, _request: Request) -> Response:
        """404 if you have none. Set its address in the notice settings of the site."""
        return self._answer()

    @extend_schema(
        operation_id="change_webhook",
        summary="Turn your webhook on or off, or its moves",
        request=WebhookInput,
        responses={200: WebhookAnswer, **WRITES},
        tags=["notices"],
    )
    def patch(self, request: Request) -> Response:
        """`posts_moves` has each of your turns posted, as `your_move` of the stream."""
        values: dict[str, Any] = checked(WebhookInput, request.data)
        hooks.change_hook(self.user, takes_moves=values.get("posts_moves"), is_on=values.get("is_on"))
        return self._answer()

    @extend_schema(operation_id="remove_webhook", summary="Remove your webhook", responses=DONE, tags=["notices"])
    def delete(self, _request: Request) -> Response:
        """Nothing is posted from now on. Without one, nothing happens."""
        hooks.remove_hook(self.user)
        return Response(status=204)

    def _answer(self) -> Response:
        hook = Hook.objects.filter(user=self.user).first()
        if hook is None:
            raise NoWebhook
        return Response(WebhookAnswer(hook).data)
