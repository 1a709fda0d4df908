"""What operators tell everybody."""

from __future__ import annotations

from datetime import datetime

from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

TEXT_CHARS = 240
ONE_LINE = RegexValidator(r"\A[^\x00-\x1f\x7f]*\Z", _("Write one line, without special characters."))


class Announcement(models.Model):
    """A line under the header of every page, from one moment until another, for everybody who hasn't dismissed it.

    `{time}` in a text becomes `about_at` in the reader's time zone. A language without a text reads English.
    """

    class Level(models.TextChoices):
        NOTE = "note", _("Note")
        WARNING = "warning", _("Warning")

    level = models.CharField(max_length=8, choices=Level, default=Level.NOTE)
    text_en = models.CharField(_("English"), max_length=TEXT_CHARS, validators=[ONE_LINE], help_text=_("{time} becomes the time below."))
    text_hu = models.CharField(_("Hungarian"), max_length=TEXT_CHARS, blank=True, default="", validators=[ONE_LINE])
    text_ru = models.CharField(_("Russian"), max_length=TEXT_CHARS, blank=True, default="", validators=[ONE_LINE])
    about_at = models.DateTimeField(
        _("Time in the text"), null=True, blank=True, help_text=_("Each reader sees it in their own time zone.")
    )
    since = models.DateTimeField(_("Shown from"))
    until = models.DateTimeField(_("Shown until"))

    class Meta:
        verbose_name = _("announcement")
        verbose_name_plural = _("announcements")
        indexes = (models.Index(fields=["until"], name="announcement_until"),)
        constraints = (models.CheckConstraint(condition=models.Q(until__gt=models.F("since")), name="announcement_has_a_time"),)

    def __str__(self) -> str:
        return self.text_en

    def is_shown(self, now: datetime) -> bool:
        return self.since <= now < self.until

    def text(self, language: str) -> tuple[str, str]:
        """Return the text for readers of a language, and the language that it is in."""
        own = getattr(self, f"text_{language}", "")
        return (own, language) if own else (self.text_en, "en")
