"""Who is friends with whom, and who has asked to be."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Greatest, Least


class Friendship(models.Model):
    """What there is between two people: one row for both, however often they ask each other.

    To the person who asked, a request that is not heard looks like one that waits: nothing tells them that it was declined, or that they are
    blocked.
    """

    class State(models.TextChoices):
        WAITING = "waiting"  # for an answer
        UNHEARD = "unheard"  # the asked person declined, or blocks the one who asked
        DROPPED = "dropped"  # an unheard request that was withdrawn: kept for a while, so that asking again isn't heard either
        FRIENDS = "friends"

    asker = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    asked = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    state = models.CharField(max_length=7, choices=State, default=State.WAITING)
    made_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)  # when it was accepted, declined or not heard

    class Meta:
        constraints = (
            models.UniqueConstraint(Least("asker", "asked"), Greatest("asker", "asked"), name="one_friendship_a_pair"),
            models.CheckConstraint(condition=~Q(asker=F("asked")), name="nobody_befriends_themselves"),
        )
        verbose_name = "friendship"

    def __str__(self) -> str:
        return f"{self.asker_id} and {self.asked_id}: {self.state}"
