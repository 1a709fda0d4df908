"""Changes of profiles."""

from __future__ import annotations

import hashlib
from typing import IO

from portal.accounts.models import User
from portal.common.limits import count_use
from portal.common.texts import tidy
from portal.people import refusals
from portal.people.models import MAX_ABOUT_CHARS, Profile
from portal.people.pictures import small_picture

PICTURES_PER_HOUR = 20  # right or wrong: decoding one costs up to a second


def set_about(*, user: User, text: str) -> None:
    """Keep what a person says of themselves, without what can't be seen or turns the direction of the rest. Raises AboutTooLong."""
    about = tidy(text, keeps_lines=True)
    if len(about) > MAX_ABOUT_CHARS:
        raise refusals.AboutTooLong(limit=MAX_ABOUT_CHARS, count=len(about))
    Profile.objects.update_or_create(user=user, defaults={"about": about})


def set_picture(*, user: User, upload: IO[bytes], size: int) -> None:
    """Make a person's picture of an uploaded file. Raises TooManyPictures, and what `small_picture` raises."""
    count_use("picture", str(user.pk), limit=PICTURES_PER_HOUR, window_s=3600, refusal=refusals.TooManyPictures)
    picture = small_picture(upload, size)
    Profile.objects.update_or_create(user=user, defaults={"picture": picture, "digest": hashlib.sha256(picture).hexdigest()[:32]})


def remove_picture(*, user: User) -> None:
    """Remove a person's picture; without one, nothing happens."""
    Profile.objects.filter(user=user).update(picture=b"", digest="")
