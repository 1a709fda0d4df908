"""Stored standings: written when a game ends, in the order of finish numbers, never aggregated for a page.

Everything here but the clock can be recalculated from the finished games (`manage.py rebuild_standings`), row for row.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

MOST_SEATS = 8  # places are counted up to this one


class Pool(models.TextChoices):
    """`people`: games of two or more people and no bot. `bots`: every game with a bot in it, be it a level or a bot account."""

    PEOPLE = "people"
    BOTS = "bots"


class Ladder(models.Model):
    """A list of ratings: of one pool, in one game or all games together, on the whole site, in a club, or in a season of a club."""

    key = models.CharField(max_length=80, unique=True)  # people/ra, people/ra/club/7, people//season/12; "" = all games
    pool = models.CharField(max_length=6, choices=Pool)
    game = models.CharField(max_length=40, blank=True)
    club = models.ForeignKey("clubs.Club", null=True, on_delete=models.CASCADE, related_name="ladders")
    season = models.ForeignKey("clubs.Season", null=True, on_delete=models.CASCADE, related_name="ladders")  # then with its club
    players = models.PositiveIntegerField(default=0)  # ratings in it

    def __str__(self) -> str:
        return self.key


class Rating(models.Model):
    """Strength of a person, or of a bot level, on one ladder, with the other columns of a leaderboard."""

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="ratings")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="ratings")
    bot_level = models.CharField(max_length=20, blank=True, default="")
    mu = models.FloatField()
    sigma = models.FloatField()
    order_value = models.FloatField()  # mu - 2 sigma: the leaderboard's order
    games = models.PositiveIntegerField(default=0)
    wins = models.FloatField(default=0.0)  # shared at ties
    place_sum = models.PositiveIntegerField(default=0)
    seat_sum = models.PositiveIntegerField(default=0)  # seats at the tables of those games, without which a mean place says little
    trend = ArrayField(models.SmallIntegerField(), default=list)  # points after each of the last ten games, oldest first
    last_table = models.ForeignKey("tables.Table", null=True, on_delete=models.SET_NULL, related_name="+", db_index=False)
    last_at = models.DateTimeField(null=True)
    # Whether lists show it: no guest, no closed account. Kept by triggers of the database on both tables (migration 0004), so that
    # a page of a leaderboard skips the pages before it inside the index, without reading any account.
    is_listed = models.BooleanField(default=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["ladder", "user"], name="one_rating_a_person", condition=models.Q(user__isnull=False)),
            models.UniqueConstraint(fields=["ladder", "bot_level"], name="one_rating_a_bot", condition=models.Q(user__isnull=True)),
        )
        indexes = (models.Index(fields=["ladder", "-order_value", "id"], include=["is_listed"], name="rating_order"),)

    def __str__(self) -> str:
        return f"{self.ladder_id}/{self.bot_level or self.user_id}: {self.mu:.3f} ± {2 * self.sigma:.3f}"


class RatingChange(models.Model):
    """What one finished game did to one rating: kept, so that a profile can show where its number comes from.

    Ladders of all games and of seasons keep none, because they are made of the same games.
    """

    # No constraints in the database: games and ratings are never deleted one by one, and a million games make millions of rows.
    table = models.ForeignKey("tables.Table", on_delete=models.CASCADE, related_name="rating_changes", db_constraint=False)
    rating = models.ForeignKey(Rating, on_delete=models.CASCADE, related_name="changes", db_constraint=False, db_index=False)
    number = models.BigIntegerField()  # finish number of the game
    place = models.PositiveSmallIntegerField()
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu_after = models.FloatField()
    sigma_after = models.FloatField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["rating", "number"], name="one_change_a_game"),)

    def __str__(self) -> str:
        return f"{self.table_id}: {self.mu_before:.3f} -> {self.mu_after:.3f}"


class RankBucket(models.Model):
    """How many ratings of a ladder have their order value in [bucket, bucket + 1) / 4: a rank is a short sum, however many there are."""

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="buckets")
    bucket = models.SmallIntegerField()
    ratings = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["ladder", "bucket"], name="one_bucket_a_value"),)

    def __str__(self) -> str:
        return f"{self.ladder_id}/{self.bucket}: {self.ratings}"


class RatingClock(models.Model):
    """One row: the finish number up to which results are in the standings. The writer of standings holds its lock."""

    applied_up_to = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return str(self.applied_up_to)


# Sums of profiles and clubs


class Tally(models.Model):
    """How one person did in one seat of one game with a given number of seats. Games that they left count as last, without a score."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tallies")
    pool = models.CharField(max_length=6, choices=Pool)
    game = models.CharField(max_length=40)
    seats = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()  # 0-based; also the colour
    games = models.PositiveIntegerField(default=0)
    left = models.PositiveIntegerField(default=0)  # of them, left to a bot
    wins = models.FloatField(default=0.0)
    places = ArrayField(models.PositiveIntegerField(), default=list)  # how often 1st, 2nd, ...: MOST_SEATS long
    score_games = models.PositiveIntegerField(default=0)
    score_sum = models.BigIntegerField(default=0)
    best_score = models.IntegerField(null=True)
    best_table = models.ForeignKey("tables.Table", null=True, on_delete=models.SET_NULL, related_name="+", db_index=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["user", "game", "pool", "seats", "seat"], name="one_tally_a_seat"),)

    def __str__(self) -> str:
        return f"{self.user_id}/{self.game}: {self.games}"


class Meeting(models.Model):
    """How two people did against each other in one game; `low` is the one with the smaller id."""

    low = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    high = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    game = models.CharField(max_length=40)
    games = models.PositiveIntegerField(default=0)
    low_ahead = models.PositiveIntegerField(default=0)
    high_ahead = models.PositiveIntegerField(default=0)  # the rest: shared places
    last_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["low", "high", "game"], name="one_meeting_a_game"),)

    def __str__(self) -> str:
        return f"{self.low_id}-{self.high_id}/{self.game}: {self.low_ahead}-{self.high_ahead}"


class ClubRecord(models.Model):
    """A club's record in one game. The first to reach a value keeps it."""

    class Kind(models.TextChoices):
        HIGHEST = "highest"  # score of a person who played the game to its end
        CLOSEST = "closest"  # smallest lead of the winner over the second
        WIDEST = "widest"  # largest lead

    club = models.ForeignKey("clubs.Club", on_delete=models.CASCADE, related_name="records")
    game = models.CharField(max_length=40)
    seats = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=8, choices=Kind)
    value = models.IntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )  # of the score, or the winner
    table = models.ForeignKey("tables.Table", on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["club", "game", "seats", "kind"], name="one_record_a_kind"),)

    def __str__(self) -> str:
        return f"{self.club_id}/{self.game}/{self.kind}: {self.value}"


# What results say about the games and about the ratings


class SeatEffect(models.Model):
    """Results of one seat of one game with a given number of seats, beside what the ratings predicted before each game.

    Only games that everybody played to the end count.
    """

    pool = models.CharField(max_length=6, choices=Pool)
    game = models.CharField(max_length=40)
    seats = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()  # 0-based
    games = models.PositiveIntegerField(default=0)
    wins = models.FloatField(default=0.0)  # shared at ties
    expected = models.FloatField(default=0.0)  # sum of the predicted chances to win
    variance = models.FloatField(default=0.0)  # sum of p (1 - p)
    place_sum = models.PositiveBigIntegerField(default=0)
    score_sum = models.BigIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["game", "pool", "seats", "seat"], name="one_effect_a_seat"),)

    def __str__(self) -> str:
        return f"{self.game}/{self.seats}/{self.seat}: {self.games}"


class Calibration(models.Model):
    """Predictions in one tenth of the scale, and their outcomes. Only games that everybody played to the end count.

    `win`: chance to win, against wins. `ahead`: chance to finish before another seat, against the outcome; ties count half.
    `place`: expected place from 0 (first) to 1 (last), against the real one.
    """

    class Kind(models.TextChoices):
        WIN = "win"
        AHEAD = "ahead"
        PLACE = "place"

    pool = models.CharField(max_length=6, choices=Pool)
    game = models.CharField(max_length=40)
    kind = models.CharField(max_length=5, choices=Kind)
    tenth = models.PositiveSmallIntegerField()  # 0 to 9
    cases = models.PositiveIntegerField(default=0)
    predicted = models.FloatField(default=0.0)  # sums
    real = models.FloatField(default=0.0)
    variance = models.FloatField(default=0.0)  # sum of p (1 - p); of `place`, of squared errors

    class Meta:
        constraints = (models.UniqueConstraint(fields=["game", "pool", "kind", "tenth"], name="one_calibration_a_tenth"),)

    def __str__(self) -> str:
        return f"{self.game}/{self.kind}/{self.tenth}: {self.cases}"
