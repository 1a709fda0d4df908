"""Finished games of last year in the tables, with all their records, and a folder for their archives."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from archives.selfplay import Plan, play
from games.registry import game
from portal.accounts.models import User
from portal.tables.models import ActionRecord, Seat, Table
from tests.archives.conftest import rows_of

OCTOBER = datetime(2025, 10, 3, 12, tzinfo=UTC)
_numbers = count(1)


@pytest.fixture(autouse=True)
def folder(tmp_path, settings):
    settings.ARCHIVES_DIR = tmp_path / "archives"
    return settings.ARCHIVES_DIR


def person(name, **values):
    return User.objects.get_or_create(username=name, defaults=values)[0]


def finished(row, *people, at=OCTOBER, undone=False, **values):
    """Store a row of self-play as a finished table of some people and bots (None), in their order by seat."""
    number = next(_numbers)
    table = Table.objects.create(
        **{
            "game": row["game"], "seat_count": row["seats"], "options": row["options"], "rules_version": row["rules_version"],
            "status": "finished", "finish_number": number, "started_at": at - timedelta(hours=1), "finished_at": at,
            "outcome": row["result"], "secret": bytes.fromhex(row["chance"]["secret"]), "commitment": row["chance"]["commitment"],
        } | values
    )  # fmt: skip
    for index, user in enumerate(people or [None] * row["seats"]):
        bot = {} if user is not None else {"bot_level": "apprentice", "bot_name": f"Bot {index}"}
        place, score = row["result"]["places"][index], row["result"]["scores"][index]
        Seat.objects.create(table=table, index=index, user=user, place=place, score=score, **bot)
    records = [(actor, text, "bot" if actor >= 0 else "chance") for actor, text in row["actions"]]
    if undone:  # the last action is made, undone and made again
        records[-1:] = [records[-1], (0, f"undo {len(records) - 1}", "undo"), records[-1]]
    ActionRecord.objects.bulk_create(
        ActionRecord(table=table, seq=seq, version=seq, actor=actor, text=text, by=by, at=at)
        for seq, (actor, text, by) in enumerate(records, 1)
    )
    return table


def ra(*people, number=0, **values):
    return finished(rows_of("ra")[number], *people, **values)


def three(*people, **values):
    """A game of Ra for three."""
    return finished(play(game("ra"), Plan("ra", ("apprentice",) * 3, 5), 1), *people, **values)
