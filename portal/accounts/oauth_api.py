"""The API of the applications that one has registered (OAuth)."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiResponse, extend_schema
from oauth2_provider.models import Application
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from portal.accounts import oauth
from portal.accounts.api import OwnView
from portal.accounts.oauth import MOST_REDIRECTS, NAME_CHARS, REDIRECT_CHARS, Acting
from portal.accounts.refusals import NoAppsForApps, NoSuchApp
from portal.common.api_views import CURSOR, READS, WRITES, Input, Output, checked, page_of, paged


class ApplicationAnswer(Output):
    """An application that you have registered, never its secret."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    client_id = serializers.CharField(help_text="What it calls itself when it asks people, and for tokens.")
    redirects = serializers.SerializerMethodField(help_text="The addresses to which people may return, letter by letter.")
    is_confidential = serializers.SerializerMethodField(help_text="It runs on a server and has a secret.")
    at = serializers.DateTimeField(source="created")

    def get_redirects(self, row: Any) -> list[str]:
        return list(row.redirect_uris.split())

    def get_is_confidential(self, row: Any) -> bool:
        return bool(row.client_type == Application.CLIENT_CONFIDENTIAL)


class MadeApplicationAnswer(ApplicationAnswer):
    """A new application. This is the only answer that shows its secret."""

    client_secret = serializers.SerializerMethodField(help_text="Null for one that isn't confidential.")

    def get_client_secret(self, _row: Any) -> str | None:
        return self.context["secret"] or None


class ApplicationChange(Input):
    """What to change of an application; what you leave out stays."""

    name = serializers.CharField(max_length=NAME_CHARS, required=False, help_text="People decide by it.")
    redirects = serializers.ListField(
        child=serializers.CharField(max_length=REDIRECT_CHARS),
        required=False,
        allow_empty=False,
        max_length=MOST_REDIRECTS,
        help_text="Addresses that start with `https://`, or with `http://localhost` for a program on people's own machines, without `#`.",
    )


class ApplicationInput(ApplicationChange):
    """A new application."""

    is_confidential = serializers.BooleanField(required=False, default=False, help_text="It runs on a server, where it can keep a secret.")

    def get_fields(self) -> dict[str, Any]:
        fields: dict[str, Any] = super().get_fields()
        fields["name"].required = fields["redirects"].required = True
        return fields


class ApplicationsView(OwnView):
    reads: ClassVar[str] = "admin"
    scope: ClassVar[str] = "admin"

    @extend_schema(
        operation_id="applications",
        summary="List the applications that you have registered",
        parameters=CURSOR,
        responses={200: paged(ApplicationAnswer), **READS},
        tags=["people"],
    )
    def get(self, request: Request) -> Response:
        """The newest first."""
        rows, following = page_of(Application.objects.filter(user=self.user), request, of="applications", by=("-created", "-pk"))
        return Response({"next": following, "results": ApplicationAnswer(rows, many=True).data})

    @extend_schema(
        operation_id="register_application",
        summary="Register an application",
        request=ApplicationInput,
        responses={201: MadeApplicationAnswer, **WRITES},
        tags=["people"],
    )
    def post(self, request: Request) -> Response:
        """Keep `client_secret`: it can't be shown again. Guests can't register applications; at most ten a person. An application can't register others."""
        _refuse_applications(request)
        values = checked(ApplicationInput, request.data)
        made = oauth.register(user=self.user, **values | {"redirects": "\n".join(values["redirects"])})
        return Response(MadeApplicationAnswer(made.row, context={"secret": made.secret}).data, status=201)


class ApplicationView(OwnView):
    reads: ClassVar[str] = "admin"
    scope: ClassVar[str] = "admin"

    @extend_schema(
        operation_id="application",
        summary="See an application that you have registered",
        responses={200: ApplicationAnswer, **READS},
        tags=["people"],
    )
    def get(self, _request: Request, pk: int) -> Response:
        """Its secret is never shown again."""
        row = Application.objects.filter(user=self.user, pk=pk).first()
        if row is None:
            raise NoSuchApp
        return Response(ApplicationAnswer(row).data)

    @extend_schema(
        operation_id="change_application",
        summary="Change an application that you have registered",
        request=ApplicationChange,
        responses={200: ApplicationAnswer, **WRITES},
        tags=["people"],
    )
    def patch(self, request: Request, pk: int) -> Response:
        """Tokens that people have given it go on working. Its name and its addresses are all that can change."""
        _refuse_applications(request)
        values = checked(ApplicationChange, request.data)
        if "redirects" in values:
            values["redirects"] = "\n".join(values["redirects"])
        return Response(ApplicationAnswer(oauth.change(user=self.user, app_id=pk, **values)).data)

    @extend_schema(
        operation_id="remove_application",
        summary="Remove an application that you have registered",
        responses={204: OpenApiResponse(description="Done."), **WRITES},
        tags=["people"],
    )
    def delete(self, request: Request, pk: int) -> Response:
        """For good: it can act for nobody from now on."""
        _refuse_applications(request)
        oauth.remove(user=self.user, app_id=pk)
        return Response(status=204)


def _refuse_applications(request: Request) -> None:
    """Raises NoAppsForApps for an application that acts for somebody: with another's address it would get what people allow that other one."""
    if isinstance(request.auth, Acting):
        raise NoAppsForApps
