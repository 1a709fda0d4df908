"""The rules for secretaries say what the portal does."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from portal.clubs.models import Club, Membership
from portal.clubs.permissions import Verb, may

WORDS = {
    Verb.VIEW: "look at pages, tables, ladders and seasons",
    Verb.OPEN_TABLE: "open tables of the club",
    Verb.SIT_DOWN: "sit down at tables of the club",
    Verb.ANSWER: "answer for an evening",
    Verb.READ_LOG: "read the log of the club",
    Verb.LEAVE: "leave the club",
    Verb.EDIT: "write what the club says about itself",
    Verb.INVITE: "invite people and send the link",
    Verb.DECIDE: "answer requests",
    Verb.REMOVE: "remove members of a lower role",
    Verb.BAN: "ban people of a lower role or none, and lift bans",
    Verb.ANNOUNCE: "make announcements",
    Verb.CALENDAR: "plan evenings",
    Verb.SEASONS: "make seasons and leagues",
    Verb.DUPLICATES: "open duplicate tables",
    Verb.SETTINGS: "change name, way in and privacy, and renew the link",
    Verb.ROLES: "make and unmake officers",
    Verb.HAND_OVER: "hand the club over",
    Verb.CLOSE: "close the club",
}


def test_the_table_of_roles_is_the_one_that_services_ask():
    text = (Path(settings.BASE_DIR) / "docs" / "clubs.md").read_text()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.split("\n## ")[1].splitlines() if line.startswith("|")]
    roles = [*Membership.Role.values, None]
    assert rows[0] == ["", "owner", "officer", "member", "everybody"] == ["", *(role or "everybody" for role in roles)]
    told = {row[0]: [cell == "yes" for cell in row[1:]] for row in rows[2:]}
    club = Club(is_private=False)
    assert told == {words: [may(verb, club, role) for role in roles] for verb, words in WORDS.items()}
    assert set(WORDS) == set(Verb)
