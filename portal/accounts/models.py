"""People: an account, or a guest that can become one; their API tokens; and the mail the portal has accepted for sending."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache
from typing import Any, ClassVar, Final

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.contrib.auth.models import AbstractUser, UserManager
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models.functions import Upper
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from portal.common.prepared import Columns, prepared_cursor

TOKEN_NAME_CHARS: Final = 60


class People(UserManager["User"]):
    """Reads the person of a session with one prepared statement: every request of somebody who is signed in begins with it."""

    use_in_migrations = False

    def get(self, *args: Any, **kwargs: Any) -> User:
        if args or list(kwargs) != ["pk"] or not isinstance(kwargs["pk"], int):
            return super().get(*args, **kwargs)
        columns, read = _by_key()
        with prepared_cursor() as cursor:
            cursor.execute(read, [kwargs["pk"]])
            row = cursor.fetchone()
        if row is None:
            raise self.model.DoesNotExist(f"no person {kwargs['pk']}")
        return columns.make(row)


@cache
def _by_key() -> tuple[Columns[User], str]:
    columns = Columns(User, "u")
    return columns, f"SELECT {columns.sql} FROM {columns.table} u WHERE u.id = %s"  # noqa: S608 (nothing in it comes from outside)


class Confirm(models.TextChoices):
    """When the table asks before it plays a person's move."""

    ALWAYS = "always", _("Always")
    MATTERS = "matters", _("When it matters")
    NEVER = "never", _("Never")


class Pace(models.TextChoices):
    """How fast the moves of others are shown."""

    ONCE = "once", _("At once")
    QUICK = "quick", pgettext_lazy("speed", "Quick")
    CALM = "calm", pgettext_lazy("speed", "Calm")
    STEPS = "steps", _("Step by step")


class Colours(models.TextChoices):
    """The colours of pieces and lands."""

    STANDARD = "standard", pgettext_lazy("colours", "Standard")
    SAFE = "safe", _("For colour-blind players")


class Pieces(models.TextChoices):
    """How the pieces are drawn."""

    FINE = "fine", pgettext_lazy("pieces", "Fine lines")
    BOLD = "bold", pgettext_lazy("pieces", "Bold lines")


class BoardSize(models.TextChoices):
    """How much of a wide window the board takes."""

    USUAL = "usual", pgettext_lazy("board size", "Usual")
    LARGE = "large", pgettext_lazy("board size", "Larger")


class LogDetail(models.TextChoices):
    """Whether the log has the lines that the next one makes plain."""

    SHORT = "short", pgettext_lazy("log", "Short")
    ALL = "all", _("Every event")


class User(AbstractUser):
    """A person. A guest has an unusable password and becomes an account when credentials are added."""

    is_guest = models.BooleanField(default=False)
    is_bot = models.BooleanField(default=False, db_default=False)  # a bot account (`portal/bots`): set when it is made, never changed
    language = models.CharField(max_length=2, blank=True, default="")
    time_zone = models.CharField(max_length=64, default="Europe/Budapest")
    quiet_from = models.TimeField(
        null=True, blank=True
    )  # local time, every day until `quiet_to`: clocks by correspondence stand still, and notices wait
    quiet_to = models.TimeField(null=True, blank=True)
    theme = models.CharField(max_length=5, blank=True, default="")  # "", light, dark
    confirm = models.CharField(max_length=7, choices=Confirm, default=Confirm.MATTERS, db_default=Confirm.MATTERS)
    hotkeys = models.BooleanField(default=True)
    list_first = models.BooleanField(default=False)  # the list of targets comes before the board
    pace = models.CharField(max_length=5, choices=Pace, default=Pace.CALM, db_default=Pace.CALM)
    sound = models.BooleanField(default=False, db_default=False)
    volume = models.SmallIntegerField(default=60, db_default=60, validators=[MinValueValidator(0), MaxValueValidator(100)])  # per cent
    colours = models.CharField(max_length=8, choices=Colours, default=Colours.STANDARD, db_default=Colours.STANDARD)
    pieces = models.CharField(max_length=4, choices=Pieces, default=Pieces.FINE, db_default=Pieces.FINE)
    board_size = models.CharField(max_length=5, choices=BoardSize, default=BoardSize.USUAL, db_default=BoardSize.USUAL)
    log_detail = models.CharField(max_length=5, choices=LogDetail, default=LogDetail.SHORT, db_default=LogDetail.SHORT)
    takes_invitations = models.BooleanField(default=True, db_default=True)  # to games; if not, nobody can invite the person
    shows_presence = models.BooleanField(default=False, db_default=False)  # to friends: that the person is here, or at a table
    shows_watching = models.BooleanField(default=True, db_default=True)  # to people at a table that the person watches: the name

    objects: ClassVar[People] = People()
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta(AbstractUser.Meta):
        indexes = (models.Index(fields=["id"], name="user_bots", condition=models.Q(is_bot=True)),)
        constraints = (
            models.UniqueConstraint(Upper("username"), name="username_without_case"),
            # Nobody signs in as a bot, by any way: there is no usable password, no address to reset one, and no right of an operator.
            models.CheckConstraint(
                condition=models.Q(is_bot=False)
                | models.Q(password__startswith=UNUSABLE_PASSWORD_PREFIX, email="", is_guest=False, is_staff=False, is_superuser=False),
                name="bots_cannot_sign_in",
            ),
        )


class Vacation(models.Model):
    """A time for which a person's clocks by correspondence stand still. Its beginning is local midnight, or the moment it was entered."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="vacations")
    since = models.DateTimeField()
    until = models.DateTimeField()

    class Meta:
        ordering = ("since",)

    def __str__(self) -> str:
        return f"{self.user_id}: {self.since} - {self.until}"

    @property
    def last_moment(self) -> datetime:
        """A moment of its last day: it ends with the midnight after."""
        return self.until - timedelta(seconds=1)


class Block(models.Model):
    """Somebody whom a person wants to hear nothing from. Nobody but that person is told of it (`blocks.py`)."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="blocks", db_index=False)  # the constraint has an index
    blocked = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["user", "blocked"], name="one_block_a_person"),)

    def __str__(self) -> str:
        return f"{self.user_id} blocks {self.blocked_id}"


class ApiToken(models.Model):
    """What the database keeps of a token with which a program acts in a person's name: never the token itself."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    digest = models.CharField(max_length=64, unique=True)  # SHA-256 of the token, in hexadecimal digits
    by_sign_in = models.BooleanField(default=False)  # the API gave it for name and password; otherwise made in the settings
    name = models.CharField(
        max_length=TOKEN_NAME_CHARS, blank=True, default="", db_default=""
    )  # the owner's; empty: of a sign-in, or older than names
    scopes = models.CharField(max_length=60, default="read play club admin", db_default="read play club admin")  # as `scopes.written`
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)  # none: it works until it is revoked
    used_at = models.DateTimeField(null=True, blank=True)  # to the hour (`tokens.EVERY`)

    def __str__(self) -> str:
        return f"API token {self.pk}"

    @property
    def counted_as(self) -> str:
        """Whose requests are counted together."""
        return str(self.pk)


class SignIn(models.Model):
    """A browser in which somebody is signed in to an account: what their settings list. It keeps no address, and of the browser only the name."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="sign_ins")
    key = models.CharField(max_length=40, unique=True)  # of the session
    browser = models.CharField(max_length=60)
    created_at = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField()  # to the hour (`sign_ins.EVERY`)

    def __str__(self) -> str:
        return f"{self.browser} of {self.user_id}"


class OutgoingMail(models.Model):
    """A mail that was accepted for sending. The row stays until it is delivered, whatever happens to queue and workers.

    The content is emptied on delivery: it may hold a link that resets a password.
    """

    sender = models.CharField(max_length=254)
    recipients = models.JSONField()
    subject = models.CharField(max_length=998)
    body = models.TextField(blank=True, default="")
    html = models.TextField(blank=True, default="")
    headers = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)
    due_at = models.DateTimeField()  # not before this moment
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=300, blank=True, default="")
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = (models.Index(fields=["due_at"], name="mail_due", condition=models.Q(sent_at__isnull=True)),)

    def __str__(self) -> str:
        return f"{self.subject} ({'sent' if self.sent_at else 'due'})"
