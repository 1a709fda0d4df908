"""Bot accounts: programs of people that sit at tables under a name of their own."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

MAX_ABOUT_CHARS: Final = 500
MOST_AT_ONCE: Final = 20


class FromWhom(models.TextChoices):
    """Whose challenges a bot takes. Its owner, and the owner's other bots, can always challenge it."""

    EVERYONE = "everyone", _("Everyone")
    FRIENDS = "friends", _("My friends")
    NOBODY = "nobody", _("Nobody but me")


class BotAccount(models.Model):
    """What a bot is, whose, and which challenges it takes. The row goes when the bot is closed; its `User` stays if its games count."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="bot_account")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="bot_accounts")
    about = models.CharField(max_length=MAX_ABOUT_CHARS, blank=True, default="")
    games = ArrayField(models.CharField(max_length=40), default=list, blank=True)  # keys, in the order of the shelf; empty: all
    paces = ArrayField(models.CharField(max_length=7), default=list, blank=True)  # kinds of paces; empty: all
    at_once = models.SmallIntegerField(default=4, validators=[MinValueValidator(1), MaxValueValidator(MOST_AT_ONCE)])
    from_whom = models.CharField(max_length=8, choices=FromWhom, default=FromWhom.EVERYONE)
    rated = models.BooleanField(default=True)  # whether challenges of it may be rated
    paused = models.BooleanField(default=False)  # it takes no challenges, and plays its games on
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("pk",)
        constraints = (models.CheckConstraint(condition=Q(at_once__gte=1, at_once__lte=MOST_AT_ONCE), name="bot_plays_1_to_20_at_once"),)

    def __str__(self) -> str:
        return f"bot {self.user_id} of {self.owner_id}"
