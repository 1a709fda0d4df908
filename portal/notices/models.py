"""Notices: what a person is told, and what became of it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Kind(models.TextChoices):
    """What a notice is about; each person chooses by kind where notices reach them."""

    TURN = "turn", _("My turn")
    TIME = "time", _("Time running out")
    INVITATION = "invitation", _("Invitations")
    GAME = "game", _("A game starts or ends")
    CLUB = "club", _("Clubs")
    SEASON = "season", _("Seasons and leagues")
    MENTION = "mention", _("Mentions in chat")


class Notice(models.Model):
    """Something that a person is told, written in the transaction in which it happened.

    `key` names the sentence and `facts` fills it (`sentences.py`): names, a game's key, moments; never anything that somebody may not know.
    `table_id` is a plain number, because tables are above this part. A turn has one row for each person and table until something of it has been sent:
    the next turn takes its place, so several turns are one notice.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices", db_index=False)
    kind = models.CharField(max_length=10, choices=Kind)
    key = models.CharField(max_length=20)
    facts = models.JSONField(default=dict)
    path = models.CharField(max_length=200)  # of the page that it leads to
    table_id = models.PositiveBigIntegerField(null=True, blank=True)
    version = models.PositiveIntegerField(default=0)  # of the table
    turns = models.PositiveSmallIntegerField(default=1)  # that this notice stands for
    is_unsent = models.BooleanField(default=True)  # nothing of it has left the site
    made_at = models.DateTimeField()
    read_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)  # no longer true: the turn is over

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["user", "table_id"], condition=Q(kind=Kind.TURN, is_unsent=True), name="one_unsent_turn_a_table"
            ),
        )
        indexes = (
            models.Index(fields=["user", "-made_at"], name="notice_inbox"),
            models.Index(fields=["user"], name="notice_unread", condition=Q(read_at=None, withdrawn_at=None)),
            models.Index(fields=["table_id"], name="notice_of_table", condition=Q(withdrawn_at=None)),
        )

    def __str__(self) -> str:
        return f"{self.kind}.{self.key} for {self.user_id}"
