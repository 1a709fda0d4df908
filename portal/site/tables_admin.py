"""Tables in the admin: whether a game moves, and what can be done if it doesn't. Position, secret, log and answers in advance aren't read at all."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from portal.accounts.pseudonyms import shown
from portal.site import moderating
from portal.site.watching import Watched
from portal.tables.clocks_said import counted_down
from portal.tables.models import Seat, Table

READ = (
    *("id", "game", "status", "version", "seq", "seat_count", "waits_for", "due_since", "nudges", "privacy", "is_rated", "pace", "clocks"),
    *("alarm_at", "club", "duplicate", "created_at", "started_at", "finished_at"),
)


@admin.register(Table)
class TableAdmin(Watched[Table]):
    """The newest tables first. A search finds the number, or a player's name."""

    list_display = ("id", "game", "status", "players", "version", "waits_for", "due_since", "nudges", "created_at")
    list_filter = ("status", "game", "waits_for")
    search_fields = ("=id", "=seats__user__username")
    ordering = ("-pk",)
    fields = (
        *(
            "id",
            "page",
            "game",
            "status",
            "players",
            "clock",
            "version",
            "records",
            "waits_for",
            "due_since",
            "nudges",
            "privacy",
            "is_rated",
        ),
        *("club", "created_at", "started_at", "finished_at"),
    )
    actions = ("end", "wake")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Table]:
        return super().get_queryset(request).only(*READ)

    @admin.display(description=_("Page"))
    def page(self, table: Table) -> str:
        return format_html('<a href="{0}">{0}</a>', reverse("table", args=[table.pk]))

    @admin.display(description=_("Players"))
    def players(self, table: Table) -> str:
        seats = table.seats.select_related("user").defer("order", "word", "user__password")
        return ", ".join(_name(seat) for seat in seats)

    @admin.display(description=_("Clock"))
    def clock(self, table: Table) -> str:
        left = table.clocks.get("left", []) if table.clocks else []
        return ", ".join(counted_down(milliseconds // 1000) for milliseconds in left)

    @admin.display(description=_("Log entries"))
    def records(self, table: Table) -> int:
        return table.seq

    @admin.action(description=_("End the game without a result"), permissions=["change"])
    def end(self, request: HttpRequest, tables: QuerySet[Table]) -> None:
        self.act(request, tables, "Ended the game without a result.", lambda table: moderating.end_table(table.pk))

    @admin.action(description=_("Ask its bots again"), permissions=["change"])
    def wake(self, request: HttpRequest, tables: QuerySet[Table]) -> None:
        self.act(request, tables, "Asked its bots again.", lambda table: moderating.wake_bots(table.pk))


def _name(seat: Seat) -> Any:
    return shown(seat.user.username) if seat.user is not None else seat.bot_name or "–"
