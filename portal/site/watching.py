"""The admin's pages about people, tables and clubs: they can be read, and changed only by actions, each with a reason that is logged."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final, TypeVar

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from portal.common.refusals import Refusal

M = TypeVar("M", bound=Model)
REASON_CHARS: Final = 200

if TYPE_CHECKING:
    Base = admin.ModelAdmin
else:

    class Base(admin.ModelAdmin):
        def __class_getitem__(cls, _model: Any) -> Any:
            return cls


class ReasonForm(ActionForm):
    """The line of actions, with the reason."""

    reason = forms.CharField(label=_("Reason"), required=False, max_length=REASON_CHARS, strip=True)


class Watched(Base[M]):
    """Nothing can be added, edited or deleted. Filters and searches are those that are named, so that no hidden value can be found by asking."""

    action_form = ReasonForm
    list_per_page = 50
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Say whether the person may use the actions: no row can be edited, so its page has no form."""
        return obj is None and super().has_change_permission(request)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.fields or ()

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """Say whether a page may be asked for rows with a value. The admin allows every field of the row: hashes of passwords, hidden hands."""
        return any(lookup == name or lookup.startswith(f"{name}__") for name in self.list_filter if isinstance(name, str))

    def to_field_allowed(self, request: HttpRequest, to_field: str) -> bool:
        return to_field == self.opts.pk.name

    def act(
        self, request: HttpRequest, rows: QuerySet[M], what: str, do: Callable[[M], bool], keep: Callable[[M], bool] | None = None
    ) -> None:
        """Do something with each chosen row, log it with the reason, and say how many were changed. Without a reason, nothing is done."""
        reason = " ".join(str(request.POST.get("reason", "")).split())[:REASON_CHARS]
        if not reason:
            self.message_user(request, str(_("Write a reason beside the action. Nothing was changed.")), messages.ERROR)
            return
        done = 0
        for row in self._in_order(rows):
            if keep is not None and keep(row):
                continue
            try:
                is_changed = do(row)
            except Refusal as error:
                self.message_user(request, f"{row}: {error}", messages.ERROR)
                continue
            if is_changed:
                self.log_change(request, row, f"{what} {reason}")
                done += 1
        left = rows.count() - done
        told = ngettext("%(n)d was changed.", "%(n)d were changed.", done) % {"n": done}
        if left:
            told += " " + ngettext("%(n)d was left as it is.", "%(n)d were left as they are.", left) % {"n": left}
        self.message_user(request, told, messages.SUCCESS if done else messages.WARNING)

    def _in_order(self, rows: QuerySet[M]) -> Iterable[M]:
        return list(rows.order_by("pk"))
