"""Stored ratings: written when a game ends, never aggregated for a page."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Rating(models.Model):
    """Strength of a person, or of a bot level, in one game and one pool.

    Pool `people`: games of two or more people and no bot. Pool `bots`: every game with a bot in it.
    """

    class Pool(models.TextChoices):
        PEOPLE = "people"
        BOTS = "bots"

    pool = models.CharField(max_length=6, choices=Pool)
    game = models.CharField(max_length=40)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="ratings")
    bot_level = models.CharField(max_length=20, blank=True, default="")
    mu = models.FloatField()
    sigma = models.FloatField()
    order_value = models.FloatField()  # mu - 2 sigma: the leaderboard's order
    games = models.PositiveIntegerField(default=0)
    wins = models.FloatField(default=0.0)  # shared at ties
    last_table = models.ForeignKey("tables.Table", null=True, on_delete=models.SET_NULL, related_name="+")
    last_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["pool", "game", "user"], name="one_rating_a_person", condition=models.Q(user__isnull=False)),
            models.UniqueConstraint(fields=["pool", "game", "bot_level"], name="one_rating_a_bot", condition=models.Q(user__isnull=True)),
        )
        indexes = (models.Index(fields=["pool", "game", "-order_value", "id"], name="rating_order"),)

    def __str__(self) -> str:
        return f"{self.pool}/{self.game}/{self.bot_level or self.user_id}: {self.mu:.3f} ± {2 * self.sigma:.3f}"


class RatingChange(models.Model):
    """What one finished game did to one rating: kept, so that a profile can show where its number comes from."""

    table = models.ForeignKey("tables.Table", on_delete=models.CASCADE, related_name="rating_changes")
    rating = models.ForeignKey(Rating, on_delete=models.CASCADE, related_name="changes")
    place = models.PositiveSmallIntegerField()
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu_after = models.FloatField()
    sigma_after = models.FloatField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["table", "rating"], name="one_change_a_game"),)

    def __str__(self) -> str:
        return f"{self.table_id}: {self.mu_before:.3f} -> {self.mu_after:.3f}"


class RatingClock(models.Model):
    """One row: the finish number up to which results are in the ratings."""

    applied_up_to = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return str(self.applied_up_to)
