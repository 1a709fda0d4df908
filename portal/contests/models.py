"""Leagues of a season, their pairings, and honours. Seasons and duplicate sets themselves are in `portal.clubs.models`.

The tables of all of them belong to the app `clubs`, where their migrations are.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from portal.clubs.models import NAME_CHARS, Season


class Honour(models.Model):
    """A line of the hall of honours: written when a season is frozen or a league ends, never changed."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="honours")
    league = models.ForeignKey("clubs.League", null=True, on_delete=models.CASCADE, related_name="honours")  # null: the season's ladder
    pool = models.CharField(max_length=6, blank=True, default="")  # of the ladder
    game = models.CharField(max_length=40, blank=True, default="")  # "" = the ladder of all games
    rank = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="honours")
    name = models.CharField(max_length=150)  # as it was then; also of a bot
    value = models.CharField(max_length=40)  # "1724 ± 58", "11 points"
    games = models.PositiveIntegerField(default=0)

    class Meta:
        app_label = "clubs"
        ordering = ("season_id", "league_id", "pool", "game", "rank", "id")

    def __str__(self) -> str:
        return f"{self.season_id}: {self.rank}. {self.name}"


class League(models.Model):
    """A round robin or a league of a season: pairings with deadlines, standings by points."""

    class Form(models.TextChoices):
        ROUND_ROBIN = "round_robin"  # two seats: everybody meets everybody
        ROUNDS = "rounds"  # tables of any size and a number of rounds; everybody meets the others as evenly as possible

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="leagues")
    name = models.CharField(max_length=NAME_CHARS)
    game = models.CharField(max_length=40)
    form = models.CharField(max_length=11, choices=Form)
    seats = models.PositiveSmallIntegerField()
    options = models.JSONField(default=dict)
    rounds = models.PositiveSmallIntegerField()
    days_a_round = models.PositiveSmallIntegerField(default=7)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        app_label = "clubs"
        constraints = (models.UniqueConstraint(fields=["season", "name"], name="one_league_a_name"),)

    def __str__(self) -> str:
        return self.name


class Entrant(models.Model):
    """A player in a league: a member, or a bot of a level under a name of its own."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="entrants")
    number = models.PositiveSmallIntegerField()  # 0-based, in the order of the draw
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    bot_level = models.CharField(max_length=20, blank=True, default="")
    name = models.CharField(max_length=150)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        app_label = "clubs"
        ordering = ("league_id", "number")
        constraints = (
            models.UniqueConstraint(fields=["league", "number"], name="one_entrant_a_number"),
            models.UniqueConstraint(fields=["league", "user"], name="one_entrant_a_person", condition=Q(user__isnull=False)),
        )

    def __str__(self) -> str:
        return f"{self.league_id}/{self.number} {self.name}"


class Pairing(models.Model):
    """One game of a league: its round, its deadline and, once somebody has opened it, its table."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="pairings")
    round = models.PositiveSmallIntegerField()  # from 1
    number = models.PositiveSmallIntegerField()  # in the round, from 1
    deadline = models.DateTimeField()
    table = models.OneToOneField("tables.Table", null=True, blank=True, on_delete=models.SET_NULL, related_name="pairing")
    void_at = models.DateTimeField(null=True, blank=True)  # not played: nobody gets points

    class Meta:
        app_label = "clubs"
        ordering = ("league_id", "round", "number")
        constraints = (models.UniqueConstraint(fields=["league", "round", "number"], name="one_pairing_a_number"),)

    def __str__(self) -> str:
        return f"{self.league_id}/{self.round}.{self.number}"


class PairingSeat(models.Model):
    """An entrant's seat in a pairing. Place and points are written when the game ends, by the worker that rates it."""

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="seats")
    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="pairing_seats")
    seat = models.PositiveSmallIntegerField()
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    points = models.FloatField(null=True, blank=True)  # n - place; ties share
    score = models.IntegerField(null=True, blank=True)

    class Meta:
        app_label = "clubs"
        ordering = ("pairing_id", "seat")
        constraints = (
            models.UniqueConstraint(fields=["pairing", "seat"], name="one_entrant_a_seat"),
            models.UniqueConstraint(fields=["pairing", "entrant"], name="one_seat_an_entrant"),
        )

    def __str__(self) -> str:
        return f"{self.pairing_id}/{self.seat}"
