"""People in the admin: names and dates, what was reported, and what moderators do about it. No password, token, or session is in it."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _

from portal.accounts.models import SignIn, User
from portal.clubs.models import Membership
from portal.site import moderating
from portal.site.watching import Watched
from portal.talk.models import Report, Silence


@admin.register(User)
class PersonAdmin(Watched[User]):
    """Search by name; by address only for superusers, who alone read it."""

    list_display = ("username", "is_active", "is_guest", "is_staff", "date_joined", "last_login", "open_sign_ins", "reports")
    list_filter = ("is_active", "is_guest", "is_staff")
    ordering = ("-pk",)
    fields = (
        *("username", "page", "address", "is_active", "is_guest", "is_staff", "date_joined", "last_login"),
        *("open_sign_ins", "reports", "silenced_until", "clubs"),
    )
    actions = ("deactivate", "reactivate", "end_sessions", "rename")

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        known = super().get_queryset(request).defer("password")
        return known.annotate(
            sign_in_count=_count(SignIn.objects.filter(user=OuterRef("pk")), "user"),
            report_count=_count(Report.objects.filter(person=OuterRef("pk")), "person"),
        )

    def get_search_fields(self, request: HttpRequest) -> tuple[str, ...]:
        return ("username", "email") if _sees_addresses(request) else ("username",)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        self_fields: list[str] = ["full_address" if one == "address" and _sees_addresses(request) else one for one in self.fields]
        return self_fields

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.get_readonly_fields(request, obj)

    @admin.display(description=_("Page"))
    def page(self, person: User) -> str:
        return format_html('<a href="{0}">{0}</a>', reverse("profile", args=[person.username]))

    @admin.display(description=_("Email address"))
    def address(self, person: User) -> str:
        """Only so much of it that an operator can tell one from another."""
        name, _at, host = person.email.partition("@")
        return f"{name[:1]}…@…{host[-4:]}" if host else ""

    @admin.display(description=_("Email address"))
    def full_address(self, person: User) -> str:
        return person.email

    @admin.display(description=_("Signed-in devices"), ordering="sign_in_count")
    def open_sign_ins(self, person: User) -> int:
        return int(getattr(person, "sign_in_count", 0))

    @admin.display(description=_("Reports"), ordering="report_count")
    def reports(self, person: User) -> int:
        return int(getattr(person, "report_count", 0))

    @admin.display(description=_("May not write until"))
    def silenced_until(self, person: User) -> Any:
        return Silence.objects.filter(user=person).values_list("until", flat=True).first()

    @admin.display(description=_("Clubs"))
    def clubs(self, person: User) -> str:
        rows = Membership.objects.filter(user=person).select_related("club").order_by("club__name")
        links = [(reverse("admin:clubs_club_change", args=[row.club_id]), row.club.name, row.role) for row in rows]
        return format_html_join(", ", '<a href="{}">{}</a> ({})', links)

    @admin.action(description=_("Close the account until it is opened again"), permissions=["change"])
    def deactivate(self, request: HttpRequest, people: QuerySet[User]) -> None:
        self.act(request, people, "Closed the account.", moderating.deactivate, self._is_above(request))

    @admin.action(description=_("Open the account again"), permissions=["change"])
    def reactivate(self, request: HttpRequest, people: QuerySet[User]) -> None:
        self.act(request, people, "Opened the account again.", moderating.reactivate, self._is_above(request))

    @admin.action(description=_("Sign out everywhere"), permissions=["change"])
    def end_sessions(self, request: HttpRequest, people: QuerySet[User]) -> None:
        self.act(request, people, "Ended all sessions.", moderating.end_sessions, self._is_above(request))

    @admin.action(description=_("Replace the name with a random one"), permissions=["change"])
    def rename(self, request: HttpRequest, people: QuerySet[User]) -> None:
        self.act(request, people, "Replaced the name.", moderating.rename, self._is_above(request))

    @staticmethod
    def _is_above(request: HttpRequest) -> Any:
        """Nobody acts on themselves, and only superusers on staff."""
        actor = request.user
        return lambda person: person.pk == actor.pk or ((person.is_staff or person.is_superuser) and not actor.is_superuser)


def _sees_addresses(request: HttpRequest) -> bool:
    return bool(getattr(request.user, "is_superuser", False))


def _count(rows: QuerySet[Any], by: str) -> Any:
    counted = rows.order_by().values(by).annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)
