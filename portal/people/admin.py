"""Profiles in Django's admin: moderators, staff with the right to change profiles, remove pictures and texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy, ngettext

from portal.people.models import Profile

if TYPE_CHECKING:
    Admin = admin.ModelAdmin[Profile]
else:
    Admin = admin.ModelAdmin


@admin.register(Profile)
class ProfileAdmin(Admin):
    """Profiles, the newest changes first. Nothing in them can be edited: the actions decide."""

    list_display = ("user", "about", "shown", "changed_at")
    list_select_related = ("user",)
    search_fields = ("user__username",)
    ordering = ("-changed_at",)
    fields = readonly_fields = ("user", "about", "shown", "changed_at")
    actions = ("remove_pictures", "remove_texts")

    @admin.display(description=gettext_lazy("Picture"))
    def shown(self, profile: Profile) -> str:
        return (
            format_html('<img src="{}" width="64" height="64" alt="">', reverse("picture", args=[profile.digest])) if profile.digest else ""
        )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Profile | None = None) -> bool:
        return False

    @admin.action(description=gettext_lazy("Remove the picture"), permissions=["change"])
    def remove_pictures(self, request: HttpRequest, profiles: QuerySet[Profile]) -> None:
        self._change(request, profiles, "Removed the picture.", picture=b"", digest="")

    @admin.action(description=gettext_lazy("Remove the text"), permissions=["change"])
    def remove_texts(self, request: HttpRequest, profiles: QuerySet[Profile]) -> None:
        self._change(request, profiles, "Removed the text.", about="")

    def _change(self, request: HttpRequest, profiles: QuerySet[Profile], what: str, **values: object) -> None:
        chosen = list(profiles.defer("picture"))
        Profile.objects.filter(pk__in=[profile.pk for profile in chosen]).update(**values)
        for profile in chosen:
            self.log_change(request, profile, what)
        told = ngettext("%(n)d profile was changed.", "%(n)d profiles were changed.", len(chosen)) % {"n": len(chosen)}
        self.message_user(request, told, messages.SUCCESS)
