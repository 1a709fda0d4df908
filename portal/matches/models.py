"""Matches of bots: many games of the same players, who take every seat in turn."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

MOST_GAMES: Final = 1000
MOST_AT_ONCE: Final = 10


class Match(models.Model):
    """What is played, by whom, and how far it is. Game g is rotation g % seats of deal g // seats: player i sits in seat (i + g) % seats."""

    class State(models.TextChoices):
        QUEUED = "queued", _("Waiting for its turn")
        RUNNING = "running", _("Running")
        DONE = "done", _("Finished")
        CANCELLED = "cancelled", _("Cancelled")
        STOPPED = "stopped", _("Stopped")

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="matches")
    game = models.CharField(max_length=40)
    options = models.JSONField(default=dict)
    pace = models.JSONField()  # `portal/tables/pace.py`; always with a clock
    seats = models.PositiveSmallIntegerField()
    games = models.PositiveSmallIntegerField()  # whole rotations
    at_once = models.PositiveSmallIntegerField()
    is_rated = models.BooleanField(default=False)
    is_paired = models.BooleanField(default=False)  # the games of a deal share it; else each game has its own
    state = models.CharField(max_length=9, choices=State, default=State.QUEUED)
    reason = models.CharField(max_length=20, blank=True, default="")  # why it was stopped (`services.REASONS`) ...
    reason_name = models.CharField(max_length=150, blank=True, default="")  # ... and because of whom
    made_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)  # when the last of its games was over

    class Meta:
        indexes = (
            models.Index(fields=["id"], name="match_open", condition=Q(ended_at=None)),
            models.Index(fields=["owner", "-id"], name="match_of_owner"),
        )

    def __str__(self) -> str:
        return f"match {self.pk}: {self.games} games of {self.game}"


class Player(models.Model):
    """A bot account, or a level of the site's own bots. A bot account that is gone has no user."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="players")
    index = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    bot_level = models.CharField(max_length=20, blank=True, default="")
    name = models.CharField(max_length=150, blank=True, default="")  # of a bot account

    class Meta:
        ordering = ("match_id", "index")
        constraints = (models.UniqueConstraint(fields=["match", "index"], name="one_player_an_index"),)

    def __str__(self) -> str:
        return f"{self.match_id}/{self.index} {self.name or self.bot_level}"


class Game(models.Model):
    """A game of a match: written with its table, and again when its result may be known. Lists are by player; empty without a result."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="rows")
    number = models.PositiveSmallIntegerField()  # from 0
    table = models.OneToOneField("tables.Table", null=True, on_delete=models.SET_NULL, related_name="match_game")
    ended_at = models.DateTimeField(null=True, blank=True)
    places = ArrayField(models.PositiveSmallIntegerField(), default=list)
    scores = ArrayField(models.IntegerField(), default=list)
    left = ArrayField(models.BooleanField(), default=list)  # a level took the seat over, so the player counts as last

    class Meta:
        ordering = ("match_id", "number")
        constraints = (models.UniqueConstraint(fields=["match", "number"], name="one_game_a_number"),)
        indexes = (models.Index(fields=["match"], name="game_running", condition=Q(ended_at=None)),)

    def __str__(self) -> str:
        return f"{self.match_id}/{self.number}"
