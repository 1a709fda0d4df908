"""The rules for secretaries match what the portal does."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from portal.clubs.models import Club, Membership
from portal.clubs.permissions import Verb, may

WORDS = {
    Verb.VIEW: "view pages, tables, leaderboards and seasons",
    Verb.OPEN_TABLE: "open club tables",
    Verb.SIT_DOWN: "take seats at club tables",
    Verb.ANSWER: "answer an event",
    Verb.READ_LOG: "read the club's log",
    Verb.LEAVE: "leave the club",
    Verb.EDIT: "edit the club's description",
    Verb.INVITE: "invite people and share the link",
    Verb.DECIDE: "answer requests",
    Verb.REMOVE: "remove members of a lower role",
    Verb.BAN: "ban people of a lower role or none, and lift bans",
    Verb.ANNOUNCE: "make announcements",
    Verb.CALENDAR: "plan events",
    Verb.SEASONS: "create seasons and leagues",
    Verb.DUPLICATES: "open duplicate tables",
    Verb.SETTINGS: "change the name, how people join, and privacy, and renew the link",
    Verb.ROLES: "appoint and dismiss officers",
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
