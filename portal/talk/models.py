"""Chat at tables: what was said, how far each person has read, what was reported, and who may not write for a while."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

MAX_LINE_CHARS: Final = 500
MAX_NOTE_CHARS: Final = 2000
MAX_REASON_CHARS: Final = 300
MAX_COPY_CHARS: Final = 1000  # of what is reported: as long as the longest, a comment in a study


class Room(models.TextChoices):
    """Players and spectators talk apart, so that nobody who sees more than a player can tip one."""

    PLAYERS = "players", _("Players")
    SPECTATORS = "watchers", _("Spectators")


class Line(models.Model):
    """One thing that somebody said: a text, or the key of a phrase, which each reader reads in their own language.

    Lines of one table are committed in the order of their keys (`services.say`), so a reader who has one has all before it.
    """

    table = models.ForeignKey("tables.Table", on_delete=models.CASCADE, related_name="lines_said", db_index=False)  # the index below
    room = models.CharField(max_length=8, choices=Room)
    writer = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    text = models.CharField(max_length=MAX_LINE_CHARS, blank=True, default="")
    phrase = models.CharField(max_length=20, blank=True, default="")
    at = models.DateTimeField()
    hidden_at = models.DateTimeField(null=True, blank=True)  # by a moderator

    class Meta:
        indexes = (models.Index(fields=["table", "room", "id"], name="line_of_room"),)

    def __str__(self) -> str:
        return f"line {self.pk} at table {self.table_id}"


class Listener(models.Model):
    """What a person has at a table besides what they say: how far they have read, whether they have muted it, and notes to themselves.

    Nobody else reads any of it.
    """

    table = models.ForeignKey(
        "tables.Table", on_delete=models.CASCADE, related_name="listeners", db_index=False
    )  # the constraint has an index
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    seen = models.BigIntegerField(default=0)  # the key of the last line
    is_muted = models.BooleanField(default=False)
    note = models.CharField(max_length=MAX_NOTE_CHARS, blank=True, default="")

    class Meta:
        constraints = (models.UniqueConstraint(fields=["table", "user"], name="one_listener_a_table"),)

    def __str__(self) -> str:
        return f"{self.user_id} at table {self.table_id}"


class Report(models.Model):
    """Something that somebody thinks others should not have to read or see. A moderator decides.

    Of a line, the line says it. Of anything else there is a copy of how it was when it was reported, because it can change; it belongs to parts that
    are above this one, so it is named by plain numbers and a path.
    """

    class What(models.TextChoices):
        LINE = "line", pgettext_lazy("reported", "Message")
        NAME = "name", pgettext_lazy("reported", "Name")
        ABOUT = "about", pgettext_lazy("reported", "Text of a profile")
        PICTURE = "picture", pgettext_lazy("reported", "Picture")
        STUDY = "study", pgettext_lazy("reported", "Title of a study")
        COMMENT = "comment", pgettext_lazy("reported", "Comment in a study")

    class Reason(models.TextChoices):
        RUDE = "rude", _("Insults or hate")
        LEWD = "lewd", _("Indecent or violent")
        TIPS = "tips", _("Gives away hidden information")
        SPAM = "spam", _("Advertising or spam")
        OTHER = "other", pgettext_lazy("reason", "Something else")

    class State(models.TextChoices):
        WAITING = "waiting", pgettext_lazy("report", "Waiting")
        HIDDEN = "hidden", pgettext_lazy("report", "Removed")
        LEFT = "left", pgettext_lazy("report", "Left as it is")

    what = models.CharField(max_length=7, choices=What, default=What.LINE, verbose_name=_("What"))
    line = models.ForeignKey(Line, null=True, on_delete=models.CASCADE, related_name="reports", db_index=False)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="+")  # whose it is
    study = models.PositiveBigIntegerField(default=0)
    move = models.PositiveIntegerField(default=0)  # of the study, for a comment
    path = models.CharField(max_length=200, blank=True, default="")
    text = models.CharField(max_length=MAX_COPY_CHARS, blank=True, default="")
    picture = models.BinaryField(default=bytes, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+", verbose_name=_("Reported by"))
    reason = models.CharField(max_length=5, choices=Reason, verbose_name=_("Reason"))
    words = models.CharField(max_length=MAX_REASON_CHARS, blank=True, default="", verbose_name=_("Details"))
    at = models.DateTimeField(verbose_name=_("Time"))
    state = models.CharField(max_length=7, choices=State, default=State.WAITING, verbose_name=pgettext_lazy("report", "State"))

    class Meta:
        verbose_name = pgettext_lazy("chat", "report")
        verbose_name_plural = pgettext_lazy("chat", "reports")
        constraints = (
            models.UniqueConstraint(fields=["line", "by"], name="one_report_a_person"),
            models.UniqueConstraint(
                fields=["person", "what", "study", "move", "by"],
                condition=models.Q(state="waiting") & ~models.Q(what="line"),
                name="one_waiting_report_a_person",
            ),
        )
        indexes = (models.Index(fields=["at"], name="report_waiting", condition=models.Q(state="waiting")),)

    def __str__(self) -> str:
        return f"report {self.pk}"


class Silence(models.Model):
    """Until when a person may not write in any chat."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="silence")
    until = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.user_id} until {self.until}"
