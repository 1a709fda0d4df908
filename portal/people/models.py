"""What a person shows on their page. It goes with the account (`portal.accounts.deleting`)."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import models

MAX_ABOUT_CHARS: Final = 300


class Profile(models.Model):
    """A sentence or two, and a picture: a small WebP that the site made. What was uploaded is not kept.

    The picture is in the database, so that backups have it. `digest` is part of its address, which can therefore be kept for ever.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="profile")
    about = models.CharField(max_length=MAX_ABOUT_CHARS, blank=True, default="")
    picture = models.BinaryField(default=bytes, blank=True)  # empty: none
    digest = models.CharField(max_length=32, blank=True, default="", db_index=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = "profile"

    def __str__(self) -> str:
        return f"profile of {self.user_id}"
