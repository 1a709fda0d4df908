"""Names of people: compared without case, and never made of look-alike letters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from django.db.models import Value
from django.db.models.functions import Upper

from portal.accounts import refusals
from portal.accounts.models import User
from portal.accounts.pseudonyms import DELETED_PREFIX

GUEST_PREFIX: Final = "guest-"  # no account may take a name that starts like this
FEWEST_CHARS: Final = 2
MOST_CHARS: Final = 24  # of a new name: it must fit on a seat panel
_NAME: Final = re.compile(r"[^\W_](?:[\w.-]*[^\W_])?")
MAX_NAME_CHARS: Final = 150  # what the column holds; new names are shorter
_TOGETHER: Final = {
    "HIRAGANA": "CJK",
    "KATAKANA": "CJK",
    "KATAKANA-HIRAGANA": "CJK",
    "HANGUL": "CJK",
    "BOPOMOFO": "CJK",
}  # scripts that are written together


def tidy_name(name: str) -> str:
    """Return a name as it is compared and stored: letters composed, wide and styled letters made plain."""
    return " ".join(unicodedata.normalize("NFKC", name).split())


def mixes_scripts(name: str) -> bool:
    """Say whether the letters of a name come from several scripts, such as a Cyrillic `а` among Latin letters."""
    scripts = {unicodedata.name(c, "?").split()[0] for c in name if c.isalpha()}
    return len({_TOGETHER.get(script, script) for script in scripts}) > 1


def new_name(text: str, *, guest: User | None = None, may_be_taken: bool = False) -> str:
    """Return a name that somebody chooses, tidied. `guest` is the guest who takes it, if any. Raises BadValue."""
    name = tidy_name(text)
    if not FEWEST_CHARS <= len(name) <= MOST_CHARS or not _NAME.fullmatch(name):
        raise refusals.BadName
    if mixes_scripts(name):
        raise refusals.MixedScripts
    if name.lower().startswith(GUEST_PREFIX):
        raise refusals.NameOfGuests
    if name.lower().startswith(DELETED_PREFIX):
        raise refusals.NameOfDeleted
    taken = User.objects.filter(username__iexact=name)
    if guest is not None:
        taken = taken.exclude(pk=guest.pk)
    if not may_be_taken and taken.exists():
        raise refusals.NameTaken
    return name


def people_named(names: Iterable[str]) -> dict[str, User]:
    """Return the people with open accounts that have these names, in any case, by the name that was asked for."""
    asked = {name: (name, tidy_name(name)) for name in names if len(name) <= MAX_NAME_CHARS and name.isprintable()}
    wanted = {form for forms in asked.values() for form in forms if form}  # names given before they were tidied are found as they are
    if not wanted:
        return {}
    found = User.objects.annotate(key=Upper("username")).filter(key__in=[Upper(Value(name)) for name in sorted(wanted)], is_active=True)
    by_key = {user.username.casefold(): user for user in found}
    people = {name: by_key.get(form.casefold()) or by_key.get(tidied.casefold()) for name, (form, tidied) in asked.items()}
    return {name: user for name, user in people.items() if user is not None}


def person_named(name: str) -> User | None:
    """Return the person with an open account who has this name, in any case."""
    return people_named([name]).get(name)
