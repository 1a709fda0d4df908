"""The queue of reports in Django's admin. Moderators are staff with the right to change reports; each decision is in the admin's own log.

They see the reported line and nothing else of a table: a moderator may play on this site as well.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy, ngettext

from portal.talk.models import Line, Report, Silence
from portal.talk.words import said

if TYPE_CHECKING:
    Admin = admin.ModelAdmin[Report]
else:
    Admin = admin.ModelAdmin


@admin.register(Report)
class ReportAdmin(Admin):
    """Reports, those that wait first. Nothing in them can be edited: the actions decide."""

    list_display = ("said", "writer", "reason", "words", "by", "at", "state")
    list_filter = ("state", "reason")
    list_select_related = ("line__writer", "by")
    ordering = ("-state", "at")  # "waiting" is the last of the words
    fields = readonly_fields = ("said", "writer", "table", "said_at", "reason", "words", "by", "at", "state")
    actions = ("hide_lines", "leave_lines", "silence_for_a_day", "silence_for_a_week")

    @admin.display(description=gettext_lazy("Message"))
    def said(self, report: Report) -> str:
        return said(report.line.text, report.line.phrase)

    @admin.display(description=gettext_lazy("Writer"))
    def writer(self, report: Report) -> str:
        return str(report.line.writer or "")

    @admin.display(description=gettext_lazy("Table"))
    def table(self, report: Report) -> str:
        return str(report.line.table_id)

    @admin.display(description=gettext_lazy("Written"))
    def said_at(self, report: Report) -> Any:
        return report.line.at

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Report | None = None) -> bool:
        return False

    @admin.action(description=gettext_lazy("Hide the message"), permissions=["change"])
    def hide_lines(self, request: HttpRequest, reports: QuerySet[Report]) -> None:
        """Hide the lines for everybody; all reports of them are decided."""
        self._decide(request, reports, Report.State.HIDDEN, "Hid the message.", hides=True)

    @admin.action(description=gettext_lazy("Leave the message"), permissions=["change"])
    def leave_lines(self, request: HttpRequest, reports: QuerySet[Report]) -> None:
        """Leave the lines as they are, and show again those that were hidden."""
        self._decide(request, reports, Report.State.LEFT, "Left the message.", hides=False)

    @admin.action(description=gettext_lazy("Hide the message, and stop its writer for a day"), permissions=["change"])
    def silence_for_a_day(self, request: HttpRequest, reports: QuerySet[Report]) -> None:
        self._silence(request, reports, timedelta(days=1), "Hid the message and stopped its writer for a day.")

    @admin.action(description=gettext_lazy("Hide the message, and stop its writer for a week"), permissions=["change"])
    def silence_for_a_week(self, request: HttpRequest, reports: QuerySet[Report]) -> None:
        self._silence(request, reports, timedelta(days=7), "Hid the message and stopped its writer for a week.")

    def _silence(self, request: HttpRequest, reports: QuerySet[Report], span: timedelta, what: str) -> None:
        """Hide the lines, and let their writers write nothing for a while: never less than an earlier decision says."""
        until = timezone.now() + span
        with transaction.atomic():
            for person in {report.line.writer_id for report in reports if report.line.writer_id is not None}:
                silence, is_new = Silence.objects.select_for_update().get_or_create(user_id=person, defaults={"until": until})
                if not is_new and silence.until < until:
                    silence.until = until
                    silence.save(update_fields=["until"])
            self._decide(request, reports, Report.State.HIDDEN, what, hides=True)

    @transaction.atomic
    def _decide(self, request: HttpRequest, reports: QuerySet[Report], state: Report.State, what: str, *, hides: bool) -> None:
        chosen = list(reports)
        lines = Line.objects.filter(pk__in={report.line_id for report in chosen})
        if hides:
            lines.filter(hidden_at=None).update(hidden_at=timezone.now())
        else:
            lines.update(hidden_at=None)
        Report.objects.filter(line__in=lines).update(state=state)
        for report in chosen:
            self.log_change(request, report, what)
        told = ngettext("%(n)d report was decided.", "%(n)d reports were decided.", len(chosen)) % {"n": len(chosen)}
        self.message_user(request, told, messages.SUCCESS)
