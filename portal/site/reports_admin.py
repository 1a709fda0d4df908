"""The queue of reports in Django's admin. Moderators are staff with the right to change reports; each decision is in the admin's own log.

They see what was reported, as it was then, and nothing else of a table or a study: a moderator may play on this site as well.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.db import transaction
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from portal.people.models import Profile
from portal.site import moderating
from portal.studies.models import Move, Study
from portal.talk.models import Line, Report, Silence
from portal.talk.words import said

if TYPE_CHECKING:
    Admin = admin.ModelAdmin[Report]
else:
    Admin = admin.ModelAdmin

What = Report.What


@admin.register(Report)
class ReportAdmin(Admin):
    """Reports, those that wait first. Nothing in them can be edited: the actions decide."""

    list_display = ("said", "what", "person", "reason", "words", "by", "at", "state")
    list_filter = ("state", "what", "reason")
    list_select_related = ("line", "person", "by")
    ordering = ("-state", "at")  # "waiting" is the last of the words
    fields = readonly_fields = ("what", "said", "person", "page", "table", "said_at", "reason", "words", "by", "at", "state")
    actions = ("hide_lines", "leave_lines", "silence_for_a_day", "silence_for_a_week")

    @admin.display(description=gettext_lazy("Reported"))
    def said(self, report: Report) -> str:
        """Return the message, or what was reported as it was then; a picture as one."""
        if report.line is not None:
            return said(report.line.text, report.line.phrase)
        if report.what == What.PICTURE:
            data = base64.b64encode(bytes(report.picture)).decode()
            return format_html('<img src="data:image/webp;base64,{}" width="96" height="96" alt="{}">', data, report.get_what_display())
        return report.text

    @admin.display(description=gettext_lazy("Page"))
    def page(self, report: Report) -> str:
        return format_html('<a href="{0}">{0}</a>', report.path) if report.path else ""

    @admin.display(description=gettext_lazy("Table"))
    def table(self, report: Report) -> str:
        return str(report.line.table_id) if report.line is not None else ""

    @admin.display(description=gettext_lazy("Written"))
    def said_at(self, report: Report) -> Any:
        return report.line.at if report.line is not None else None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Report | None = None) -> bool:
        return False

    @admin.action(
        description=gettext_lazy("Remove it: hide a message or study, replace a name by a drawn one"),
        permissions=["change"],
    )
    def hide_lines(self, request: HttpRequest, reports: QuerySet[Report]) -> None:
        """Let nobody see any longer what was reported; all reports of it are decided."""
        self._decide(request, reports, "Removed it.")

    @admin.action(description=gettext_lazy("Leave it: show a message or study again if it was hidden"), permissions=["change"])
    def leave_lines(self, request: HttpRequest, reports: QuerySet[Report]) -> None:
        """Leave everything as it is, and show again what was only hidden: messages and studies."""
        chosen = self._chosen(request, reports)
        with transaction.atomic():
            Line.objects.filter(pk__in={report.line_id for report in chosen if report.line_id is not None}).update(hidden_at=None)
            Study.objects.filter(pk__in={report.study for report in chosen if report.what == What.STUDY}).update(hidden_at=None)
            self._close(request, chosen, Report.State.LEFT, "Left it.")

    @admin.action(description=gettext_lazy("Remove it, and stop the person from writing in chats for a day"), permissions=["change"])
    def silence_for_a_day(self, request: HttpRequest, reports: QuerySet[Report]) -> None:
        self._decide(request, reports, "Removed it and stopped the person for a day.", timedelta(days=1))

    @admin.action(description=gettext_lazy("Remove it, and stop the person from writing in chats for a week"), permissions=["change"])
    def silence_for_a_week(self, request: HttpRequest, reports: QuerySet[Report]) -> None:
        self._decide(request, reports, "Removed it and stopped the person for a week.", timedelta(days=7))

    def _chosen(self, request: HttpRequest, reports: QuerySet[Report]) -> list[Report]:
        """Return the reports that the moderator may decide: not about themselves, and a name of staff only as a superuser."""
        every = list(reports.select_related("line", "person").defer("picture"))
        chosen = [report for report in every if not _is_above(request, report)]
        if len(chosen) < len(every):
            told = _("A superuser decides reports about yourself, and about names of staff. They were left as they are.")
            self.message_user(request, told, messages.ERROR)
        return chosen

    @transaction.atomic
    def _decide(self, request: HttpRequest, reports: QuerySet[Report], what: str, span: timedelta | None = None) -> None:
        """Remove what was reported, and let its people write nothing for a while: never less than an earlier decision says."""
        chosen = self._chosen(request, reports)
        for report in chosen:
            _remove(report)
        if span is not None:
            until = timezone.now() + span
            for person in sorted({report.person_id for report in chosen if report.person_id is not None}):
                silence, is_new = Silence.objects.select_for_update().get_or_create(user_id=person, defaults={"until": until})
                if not is_new and silence.until < until:
                    silence.until = until
                    silence.save(update_fields=["until"])
        self._close(request, chosen, Report.State.HIDDEN, what)

    def _close(self, request: HttpRequest, chosen: Sequence[Report], state: Report.State, what: str) -> None:
        """Store a decision with all reports of the same things, and log it."""
        Report.objects.filter(line__in={report.line_id for report in chosen if report.line_id is not None}).update(state=state)
        for report in chosen:
            if report.line_id is None:
                same = Report.objects.filter(what=report.what, person=report.person_id, study=report.study, move=report.move)
                (same.filter(state=Report.State.WAITING) | same.filter(pk=report.pk)).update(state=state)
            self.log_change(request, report, what)
        told = ngettext("%(n)d report was decided.", "%(n)d reports were decided.", len(chosen)) % {"n": len(chosen)}
        self.message_user(request, told, messages.SUCCESS)


def _is_above(request: HttpRequest, report: Report) -> bool:
    """Say whether the moderator may not decide a report."""
    actor, person = request.user, report.person
    if person is None or getattr(actor, "is_superuser", False):
        return False
    return person.pk == actor.pk or (report.what == What.NAME and person.is_staff)


def _remove(report: Report) -> None:
    """Let nobody see what was reported. What the person has changed since then is removed with it, in the same place."""
    if report.line_id is not None:
        Line.objects.filter(pk=report.line_id, hidden_at=None).update(hidden_at=timezone.now())
    elif report.what == What.NAME and report.person is not None:
        if report.person.username == report.text:  # else somebody has replaced it already
            moderating.rename(report.person)
    elif report.what == What.ABOUT:
        Profile.objects.filter(user=report.person_id).update(about="")
    elif report.what == What.PICTURE:
        Profile.objects.filter(user=report.person_id).update(picture=b"", digest="")
    elif report.what == What.STUDY:
        Study.objects.filter(pk=report.study, hidden_at=None).update(hidden_at=timezone.now())
    elif report.what == What.COMMENT:
        Move.objects.filter(study=report.study, number=report.move).update(comment="", commented_by=None)
        Study.objects.filter(pk=report.study).update(version=F("version") + 1)  # open pages show it
