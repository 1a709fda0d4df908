"""Second factors in Django's admin: for somebody who has lost phone and recovery codes, an operator removes theirs. Keys are shown to nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.mfa import admin as allauth_admin  # registers a page that shows the keys; it has to be there to be taken away
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.http import HttpRequest
from oauth2_provider import admin as _oauth_admin  # noqa: F401 (registers what is taken away below)
from oauth2_provider import models as oauth_models

if TYPE_CHECKING:
    Admin = admin.ModelAdmin[Authenticator]
else:
    Admin = admin.ModelAdmin

admin.site.unregister(allauth_admin.Authenticator)
# Codes and tokens of applications aren't for anybody's eyes, and applications belong to the people who registered them.
for model in (oauth_models.Application, oauth_models.Grant, oauth_models.AccessToken, oauth_models.RefreshToken, oauth_models.IDToken):
    admin.site.unregister(model)


@admin.register(Authenticator)
class AuthenticatorAdmin(Admin):
    """The list, and deletion."""

    list_display = ("user", "type", "created_at", "last_used_at")
    list_filter = ("type",)
    search_fields = ("user__username",)
    fields = readonly_fields = ("user", "type", "created_at", "last_used_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Authenticator | None = None) -> bool:
        return False
