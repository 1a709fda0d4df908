"""Notices: what a person is told, and what became of it."""

from __future__ import annotations

import uuid
from typing import Final

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
    FRIEND = "friend", _("Friends")
    TEST = "test", _("Test")  # what the person asked for in the settings; it can't be chosen


CHOSEN: Final = tuple(kind for kind in Kind if kind != Kind.TEST)


class Channel(models.TextChoices):
    """Where notices go besides the page, which has them all."""

    MAIL = "mail", _("Email")
    PUSH = "push", _("Push")
    HOOK = "hook", _("Webhook")


BOTS: Final = "bots"  # the fact that says which of the names are those of bot accounts


class Notice(models.Model):
    """Something that a person is told, written in the transaction in which it happened.

    `key` names the sentence and `facts` fills it (`sentences.py`): names, a game's key, moments; never anything that somebody may not know.
    Names are as they are stored: each reader gets them in their own language.
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
    planned_at = models.DateTimeField(null=True, blank=True)  # when its deliveries were written

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
            models.Index(fields=["made_at"], name="notice_unplanned", condition=Q(planned_at=None, withdrawn_at=None, read_at=None)),
        )

    def __str__(self) -> str:
        return f"{self.kind}.{self.key} for {self.user_id}"

    @property
    def is_live(self) -> bool:
        """Whether it is still worth sending: a turn that was taken, and what has been read on the page, is not."""
        return self.withdrawn_at is None and (self.read_at is None or self.kind == Kind.TEST)


class Reach(models.Model):
    """Where a person wants to be reached. Without a row, as `settings.DEFAULTS` say."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="reach")
    choices = models.JSONField(default=dict)  # kind -> channels
    digests = models.JSONField(default=list)  # kinds of which mail comes once a day
    time_breaks_through = models.BooleanField(default=True)  # "time running out" comes in quiet hours too
    mail_off_at = models.DateTimeField(null=True, blank=True)  # the address was refused
    mail_error = models.CharField(max_length=300, blank=True, default="")

    def __str__(self) -> str:
        return f"reach of {self.user_id}"


class Hook(models.Model):
    """A person's own address that notices are posted to. The secret signs them, so it has to be kept readable."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="hook")
    url = models.CharField(max_length=500)
    secret = models.CharField(max_length=64)
    failures = models.PositiveSmallIntegerField(default=0)  # one after the other
    off_at = models.DateTimeField(null=True, blank=True)
    said = models.CharField(max_length=300, blank=True, default="")  # the last answer or error
    said_at = models.DateTimeField(null=True, blank=True)
    takes_moves = models.BooleanField(default=False, db_default=False)  # also gets the table whenever it waits for the person

    def __str__(self) -> str:
        return f"hook of {self.user_id}"


class PostedMove(models.Model):
    """The newest version of a table that somebody's webhook has been asked to answer. `table_id` is a plain number, as in a notice."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    table_id = models.PositiveBigIntegerField()
    taken = models.PositiveIntegerField(default=0)  # the version that the receiver has accepted; 0: none
    version = models.PositiveIntegerField()  # the one that was tried last
    attempts = models.PositiveSmallIntegerField(default=0)  # to post that version
    due_at = models.DateTimeField(db_index=True)  # that version isn't tried again before

    class Meta:
        constraints = (models.UniqueConstraint(fields=["user", "table_id"], name="one_posted_move_a_table"),)

    def __str__(self) -> str:
        return f"move at table {self.table_id} for {self.user_id}"


class Device(models.Model):
    """A browser that takes notices by web push."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="devices")
    endpoint = models.CharField(max_length=500, unique=True)  # at the browser's push service
    key = models.CharField(max_length=100)  # its public key
    auth = models.CharField(max_length=40)
    name = models.CharField(max_length=60)
    made_at = models.DateTimeField(auto_now_add=True)
    off_at = models.DateTimeField(null=True, blank=True)
    said = models.CharField(max_length=300, blank=True, default="")  # the last error

    def __str__(self) -> str:
        return f"{self.name} of {self.user_id}"


class Delivery(models.Model):
    """One notice on its way by one channel. The row says what has become of it; `uid` tells the receiver which ones are the same."""

    class Status(models.TextChoices):
        WAITING = "waiting"  # until `due_at`
        HANDED = "handed"  # to the queue of mail
        SENT = "sent"
        DROPPED = "dropped"  # no longer wanted; `why`
        FAILED = "failed"  # for good; `why`

    uid = models.UUIDField(default=uuid.uuid4, editable=False)
    notice = models.ForeignKey(Notice, on_delete=models.CASCADE, related_name="deliveries", db_index=False)  # the constraint has an index
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    channel = models.CharField(max_length=4, choices=Channel)
    version = models.PositiveIntegerField()  # of the notice: a later turn makes this delivery stale
    status = models.CharField(max_length=7, choices=Status, default=Status.WAITING)
    why = models.CharField(max_length=300, blank=True, default="")
    is_digest = models.BooleanField(default=False)
    is_held = models.BooleanField(default=False)  # by quiet hours
    due_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    done_at = models.DateTimeField(null=True, blank=True)
    mail = models.ForeignKey("accounts.OutgoingMail", null=True, blank=True, on_delete=models.SET_NULL, related_name="deliveries")

    class Meta:
        constraints = (models.UniqueConstraint(fields=["notice", "version", "channel"], name="one_delivery_a_channel"),)
        indexes = (models.Index(fields=["channel", "due_at"], name="delivery_due", condition=Q(status="waiting")),)

    def __str__(self) -> str:
        return f"{self.channel} of notice {self.notice_id}: {self.status}"

    @property
    def is_live(self) -> bool:
        """Whether it still says what is so. The notice has to be freshly read."""
        return self.version == self.notice.version and self.notice.is_live

    @property
    def why_stale(self) -> str:
        """Return why it no longer does: the turn is over, or it has been read."""
        return "read" if self.version == self.notice.version and self.notice.withdrawn_at is None else "moved"
