"""What archives there are, and figures from their games. The files are in `settings.ARCHIVES_DIR`; all of it can be made again from the tables."""

from __future__ import annotations

from django.db import models


class Archive(models.Model):
    """The games of one game that ended in one month."""

    game = models.CharField(max_length=40)
    month = models.DateField()  # its first day
    rows = models.PositiveIntegerField()
    manifest = models.JSONField()
    source = models.CharField(max_length=80)  # what it was made from (`source.Source`)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ("game", "-month")
        constraints = (models.UniqueConstraint(fields=["game", "month"], name="one_archive_a_month"),)

    def __str__(self) -> str:
        return f"{self.game} {self.month:%Y-%m}"


class Figures(models.Model):
    """Totals of all archived games of a game, for one number of players and kind of company (`archives.figures.Totals` as JSON)."""

    game = models.CharField(max_length=40)
    seats = models.PositiveSmallIntegerField()
    company = models.CharField(max_length=6)
    games = models.PositiveIntegerField()
    totals = models.JSONField()
    made_from = models.CharField(max_length=64)  # the checksum of the archives' checksums

    class Meta:
        ordering = ("game", "seats", "company")
        constraints = (models.UniqueConstraint(fields=["game", "seats", "company"], name="one_figures_a_group"),)

    def __str__(self) -> str:
        return f"{self.game} {self.seats} {self.company}"


class OpeningMove(models.Model):
    """A move in the openings of a group of games, after `after`: the moves before it, each with a line break."""

    game = models.CharField(max_length=40)
    seats = models.PositiveSmallIntegerField()
    company = models.CharField(max_length=6)
    after = models.TextField(blank=True)
    move = models.TextField()
    games = models.PositiveIntegerField()
    wins = models.PositiveBigIntegerField()  # in parts of `archives.figures.WIN`, of whoever made it
    places = models.PositiveBigIntegerField()
    squares = models.PositiveBigIntegerField()  # of places
    table = models.BigIntegerField()  # the latest game with it

    class Meta:
        ordering = ("-games", "move")
        constraints = (models.UniqueConstraint(fields=["game", "seats", "company", "after", "move"], name="one_move_a_line"),)

    def __str__(self) -> str:
        return f"{self.game} {self.seats} {self.after!r} {self.move}"
