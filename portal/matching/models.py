"""People who look for a table."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Search(models.Model):
    """One person looks for others to play one game with. The row goes soon after a table is found, when they stop, or when it has expired."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="searches")
    game = models.CharField(max_length=40)
    kind = models.CharField(max_length=8)  # of the pace: `pace.Kind`
    seats = models.PositiveSmallIntegerField(default=0)  # players; 0: any number
    is_rated = models.BooleanField(default=True)
    points = models.IntegerField()  # rating in this game when the search began, as people see it
    made_at = models.DateTimeField()
    seen_at = models.DateTimeField()  # when its page last asked
    table = models.ForeignKey("tables.Table", null=True, blank=True, on_delete=models.CASCADE, related_name="+")  # once it is found
    found_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["user", "game"], name="one_search_a_game"),)
        indexes = (models.Index(fields=["game", "kind", "made_at"], name="search_waiting", condition=models.Q(table__isnull=True)),)

    def __str__(self) -> str:
        return f"{self.user_id} {self.game} {self.kind}"
