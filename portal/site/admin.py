"""What operators say to everybody, in Django's admin: maintenance, and announcements. Each change is in the admin's log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.common.models import Maintenance
from portal.live.publish import publish_news
from portal.site import clubs_admin, deliveries_admin, news, people_admin, reports_admin, tables_admin  # noqa: F401 - the admin looks for this module alone
from portal.site.models import ONE_LINE, Announcement
from portal.tables import upkeep

if TYPE_CHECKING:
    AnnouncementAdminBase = admin.ModelAdmin[Announcement]
    MaintenanceAdminBase = admin.ModelAdmin[Maintenance]
    MaintenanceFormBase = forms.ModelForm[Maintenance]
else:
    AnnouncementAdminBase = MaintenanceAdminBase = admin.ModelAdmin
    MaintenanceFormBase = forms.ModelForm


@admin.register(Announcement)
class AnnouncementAdmin(AnnouncementAdminBase):
    """Lines under the header. All processes show them within some seconds, open tables at once."""

    list_display = ("text_en", "level", "since", "until")
    list_filter = ("level",)
    ordering = ("-until",)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        return {"since": timezone.now()} | super().get_changeform_initial_data(request)

    def save_model(self, request: HttpRequest, obj: Announcement, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        _told()

    def delete_model(self, request: HttpRequest, obj: Announcement) -> None:
        super().delete_model(request, obj)
        _told()

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        super().delete_queryset(request, queryset)
        _told()


def _told() -> None:
    news.kept.forget()
    publish_news()


class MaintenanceForm(MaintenanceFormBase):
    """On or off, for how long, and a sentence."""

    is_on = forms.BooleanField(
        label=_("On"), required=False, help_text=_("People can read pages, and change nothing. All clocks stand still.")
    )
    minutes = forms.IntegerField(
        label=_("Minutes"),
        required=False,
        min_value=1,
        max_value=int(upkeep.LONGEST.total_seconds() // 60),
        help_text=_("How long it will probably take, from now. People are told until when. Nothing ends by itself."),
    )
    message = forms.CharField(
        label=_("Message"),
        required=False,
        max_length=upkeep.MESSAGE_CHARS,
        validators=[ONE_LINE],
        help_text=_("People read it as you write it, in every language."),
        widget=forms.TextInput(attrs={"size": 80}),
    )

    class Meta:
        model = Maintenance
        fields = ("message",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["is_on"].initial = self.instance.is_on(timezone.now()) and self.instance.until is None

    def clean(self) -> dict[str, Any]:
        """Raises ValidationError for minutes or a message of a maintenance that is off: they would be lost without a word."""
        found = super().clean() or self.cleaned_data
        if not found.get("is_on") and found.get("minutes"):
            raise ValidationError({"minutes": _("Switch maintenance on, or leave this empty.")})
        return found


@admin.register(Maintenance)
class MaintenanceAdmin(MaintenanceAdminBase):
    """One page with one switch. The list leads there."""

    form = MaintenanceForm
    fields = ("is_on", "minutes", "message", "since", "until", "expected_until")
    readonly_fields = ("since", "until", "expected_until")

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Lead to the page. Raises PermissionDenied."""
        if not self.has_view_or_change_permission(request):
            raise PermissionDenied
        Maintenance.objects.get_or_create(pk=1)
        return HttpResponseRedirect(reverse("admin:common_maintenance_change", args=[1]))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Maintenance | None = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Maintenance, form: Any, change: bool) -> None:
        """Switch, as the command does: nothing of the form is stored in another way."""
        if form.cleaned_data["is_on"]:
            upkeep.begin(minutes=form.cleaned_data["minutes"], message=form.cleaned_data["message"].strip())
        else:
            upkeep.end()
        obj.refresh_from_db()

    def construct_change_message(self, request: HttpRequest, form: Any, formsets: Any, add: bool = False) -> Any:
        found = form.cleaned_data
        if not found["is_on"]:
            return "Switched maintenance off."
        minutes = f" for {found['minutes']} minutes" if found["minutes"] else ""
        return f"Switched maintenance on{minutes}. {found['message']}".strip()
