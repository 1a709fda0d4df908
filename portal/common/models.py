"""What operators say about the whole site."""

from __future__ import annotations

from datetime import datetime

from django.db import models


class Maintenance(models.Model):
    """One row: since when, and until when, pages can be read and nothing else. `since` and `until` may be some seconds ahead.

    Without `since` it was never on; with `since` and no `until` it is on.
    """

    since = models.DateTimeField(null=True, blank=True)
    until = models.DateTimeField(null=True, blank=True)
    expected_until = models.DateTimeField(null=True, blank=True)  # what people are told
    message = models.CharField(max_length=300, blank=True, default="")  # of the operators, in whatever language they wrote it
    is_followed = models.BooleanField(default=True)  # whether clocks and open pages have been told of its start or end

    class Meta:
        verbose_name_plural = "maintenance"

    def __str__(self) -> str:
        return f"{self.since} - {self.until}"

    def is_on(self, now: datetime) -> bool:
        """Whether it has begun, or is about to, and hasn't ended."""
        return self.since is not None and (self.until is None or now < self.until)
