"""Notices that could not be delivered, in the admin: to read, without their text or address."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from portal.notices.models import Delivery
from portal.site.watching import Watched


@admin.register(Delivery)
class DeliveryAdmin(Watched[Delivery]):
    """What failed for good, and what was tried in vain and waits."""

    list_display = ("id", "user", "channel", "kind", "status", "why", "attempts", "due_at", "done_at")
    list_filter = ("channel", "status")
    list_select_related = ("user", "notice")
    ordering = ("-pk",)
    fields = ("user", "channel", "kind", "status", "why", "attempts", "due_at", "done_at")
    actions = None

    def get_queryset(self, request: HttpRequest) -> QuerySet[Delivery]:
        rows = super().get_queryset(request)
        return rows.filter(status=Delivery.Status.FAILED) | rows.filter(status=Delivery.Status.WAITING, attempts__gt=0)

    @admin.display(description=_("Subject"))
    def kind(self, delivery: Delivery) -> str:
        return delivery.notice.get_kind_display()
