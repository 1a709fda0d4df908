"""Studies in Django's admin, for moderators: those that others can see, and hiding one. Each decision is in the admin's own log.

They see the title and the comments, and nothing of the game: a moderator may play on this site as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy, ngettext

from portal.studies.models import Study

if TYPE_CHECKING:
    Admin = admin.ModelAdmin[Study]
else:
    Admin = admin.ModelAdmin


@admin.register(Study)
class StudyAdmin(Admin):
    """Studies that are open to more people than their owner. Nothing in them can be edited: the actions decide."""

    list_display = ("title", "owner", "visibility", "changed_at", "hidden_at")
    list_filter = ("visibility",)
    list_select_related = ("owner",)
    ordering = ("-changed_at",)
    fields = readonly_fields = ("title", "owner", "visibility", "comments", "changed_at", "hidden_at")
    actions = ("hide", "show")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Study]:
        return super().get_queryset(request).exclude(visibility=Study.Visibility.ME).defer("position")

    @admin.display(description=gettext_lazy("Comments"))
    def comments(self, study: Study) -> str:
        return "\n".join(study.moves.exclude(comment="").order_by("number").values_list("comment", flat=True))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Study | None = None) -> bool:
        return False

    @admin.action(description=gettext_lazy("Hide from everyone but the owner"), permissions=["change"])
    def hide(self, request: HttpRequest, studies: QuerySet[Study]) -> None:
        for study in studies.filter(hidden_at=None):
            Study.objects.filter(pk=study.pk).update(hidden_at=timezone.now())
            self.log_change(request, study, "Hid the study.")
        self._told(request, studies)

    @admin.action(description=gettext_lazy("Show again"), permissions=["change"])
    def show(self, request: HttpRequest, studies: QuerySet[Study]) -> None:
        for study in studies.exclude(hidden_at=None):
            Study.objects.filter(pk=study.pk).update(hidden_at=None)
            self.log_change(request, study, "Showed the study again.")
        self._told(request, studies)

    def _told(self, request: HttpRequest, studies: QuerySet[Study]) -> None:
        count = studies.count()
        self.message_user(request, ngettext("%(n)d study", "%(n)d studies", count) % {"n": count}, messages.SUCCESS)
