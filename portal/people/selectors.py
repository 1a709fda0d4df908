"""What pages may read of profiles."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from portal.people.models import Profile


@dataclass(frozen=True, slots=True)
class Shown:
    """What a person shows: a text, and the address of a picture; both may be empty."""

    about: str = ""
    picture: str = ""


def shown_by(user_id: int) -> Shown:
    """Return what a person shows. One statement."""
    row = Profile.objects.filter(user_id=user_id).values_list("about", "digest").first()
    if row is None:
        return Shown()
    about, digest = row
    return Shown(about=about, picture=reverse("picture", args=[digest]) if digest else "")


def picture_of(digest: str) -> bytes | None:
    """Return a picture that somebody shows."""
    found = Profile.objects.filter(digest=digest, user__is_active=True).values_list("picture", flat=True).first() if digest else None
    return bytes(found) if found else None
