"""Clubs in the admin: members, log, and what is done when an owner is gone or a club has to close. No link by which people join is in it."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _

from portal.accounts.pseudonyms import shown
from portal.clubs.journal import line_of
from portal.clubs.models import Club, ClubEntry, Membership
from portal.common.templatetags.site import moment
from portal.site import moderating
from portal.site.watching import Watched

LINES = 50  # of the log


@admin.register(Club)
class ClubAdmin(Watched[Club]):
    """Clubs by name, private and closed ones too."""

    list_display = ("name", "owner", "member_count", "is_private", "created_at", "closed_at")
    list_filter = ("is_private",)
    search_fields = ("name", "slug")
    ordering = ("name",)
    fields = ("name", "page", "is_private", "joining", "member_count", "created_at", "closed_at", "members", "log")
    actions = ("close", "pass_on")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Club]:
        return super().get_queryset(request).defer("link_code")

    @admin.display(description=_("Page"))
    def page(self, club: Club) -> str:
        return format_html('<a href="{0}">{0}</a>', reverse("club", args=[club.slug]))

    @admin.display(description=_("Owner"))
    def owner(self, club: Club) -> str:
        found = Membership.objects.filter(club=club, role=Membership.Role.OWNER).select_related("user").first()
        return shown(found.user.username) if found is not None else ""

    @admin.display(description=_("Members"))
    def members(self, club: Club) -> str:
        rows = Membership.objects.filter(club=club).select_related("user").order_by("pk")
        people = [(reverse("admin:accounts_user_change", args=[row.user_id]), shown(row.user.username), row.role) for row in rows]
        return format_html_join(", ", '<a href="{}">{}</a> ({})', people)

    @admin.display(description=_("Log"))
    def log(self, club: Club) -> str:
        entries = ClubEntry.objects.filter(club=club).select_related("actor", "subject").order_by("-pk")[:LINES]
        return format_html_join("", "<p>{} {}</p>", [(moment(entry.at), line_of(entry).text) for entry in entries])

    @admin.action(description=_("Close the club"), permissions=["change"])
    def close(self, request: HttpRequest, clubs: QuerySet[Club]) -> None:
        self.act(request, clubs, "Closed the club.", moderating.close_club)

    @admin.action(description=_("Give a club without its owner to its oldest officer"), permissions=["change"])
    def pass_on(self, request: HttpRequest, clubs: QuerySet[Club]) -> None:
        self.act(request, clubs, "Gave the club to its oldest officer.", moderating.pass_on_club)
