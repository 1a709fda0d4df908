"""People: an account, or a guest that can become one."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """A person. A guest has an unusable password and is turned into an account by adding credentials."""

    is_guest = models.BooleanField(default=False)
    language = models.CharField(max_length=2, blank=True, default="")
    time_zone = models.CharField(max_length=64, default="Europe/Budapest")
    theme = models.CharField(max_length=5, blank=True, default="")  # "", light, dark
    confirm_moves = models.BooleanField(default=True)
    hotkeys = models.BooleanField(default=True)
    list_first = models.BooleanField(default=False)  # the list of targets stands before the board

    REQUIRED_FIELDS: ClassVar[list[str]] = []
