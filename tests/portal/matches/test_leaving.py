"""What the export of one's data has of matches and bots, and what is left of them when an account is deleted."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from portal.accounts.deleting import delete_person
from portal.accounts.models import User
from portal.bots.challenging import challenge
from portal.matches.feeding import feed
from portal.matches.models import Match
from portal.site.export import archive_of
from portal.site.moderating import deactivate
from portal.tables.models import Table
from portal.talk.services import say
from tests.portal.tables.ending import end

pytestmark = pytest.mark.django_db


def exported(user, name):
    with zipfile.ZipFile(io.BytesIO(archive_of(user))) as packed:
        return json.loads(packed.read(name))


def test_the_export_has_the_matches_that_somebody_started(alice, bob, match_of, gilga, shamash, play_all):
    match, _opened = play_all(match_of("gilga", levels=["apprentice"], games=2))
    match_of("shamash", owner=bob, levels=["apprentice"])
    (told,) = exported(alice, "matches.json")["matches"]
    assert {key: told[key] for key in ("match", "game", "games", "state", "is_paired", "is_rated")} == {
        "match": match.pk,
        "game": "ra",
        "games": 2,
        "state": "done",
        "is_paired": True,
        "is_rated": False,
    }
    assert [(one["name"], one["level"], one["games"]) for one in told["players"]] == [("gilga", "", 2), ("", "apprentice", 2)]
    assert sum(one["wins"] for one in told["players"]) == 2
    assert exported(bob, "matches.json")["matches"][0]["state"] == "queued"


def test_the_export_has_what_ones_bots_played_and_said(alice, bob, gilga, shamash):
    table = challenge(by=bob, bots=["gilga"], game="ra", seats=2).table
    say(table_id=table.pk, user=gilga.user, room="players", text="Hello")
    say(table_id=table.pk, user=bob, room="players", text="Not Gilga's")
    end(table.pk)
    (told,) = exported(alice, "bots.json")["bots"]
    assert (told["name"], [line["text"] for line in told["messages"]]) == ("gilga", ["Hello"])
    (game,) = told["games"]
    assert (game["table"], game["seat"], game["status"]) == (table.pk, 2, "finished")
    assert game["place"] in (1, 2) and "my_actions" not in game
    (other,) = exported(bob, "bots.json")["bots"]
    assert (other["name"], other["games"], other["messages"]) == ("shamash", [], [])


def test_nothing_of_a_sealed_deal_is_in_the_export(alice, match_of, gilga):
    match = match_of("gilga", levels=["apprentice"], games=2)
    feed()
    over, runs = match.rows.order_by("number").values_list("table_id", flat=True)
    end(over)
    feed()
    (told,) = exported(alice, "bots.json")["bots"]
    assert {game["table"] for game in told["games"]} == {over, runs}
    assert not any({"place", "score", "finished_at", "status"} & game.keys() for game in told["games"])
    (of_match,) = exported(alice, "matches.json")["matches"]
    assert [(one["games"], one["wins"], one["mean_score"]) for one in of_match["players"]] == [(0, 0, None)] * 2
    end(runs)
    feed()
    assert all(game["status"] == "finished" for game in exported(alice, "bots.json")["bots"][0]["games"])


def test_the_export_asks_as_often_however_many_matches_there_are(alice, match_of, gilga, play_all):
    play_all(match_of("gilga", levels=["apprentice"], games=2))
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            archive_of(alice)
        counts.append(len(queries))
        play_all(match_of("gilga", levels=["apprentice"], games=2))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("has_played", [False, True])
def test_matches_outlive_the_account_of_whoever_started_them(alice, bob, match_of, gilga, shamash, play_all, has_played):
    done, _opened = play_all(match_of("gilga", levels=["apprentice"], games=2))
    if has_played:  # then an empty row of hers stays, under a pseudonym
        end(challenge(by=alice, bots=["shamash"], game="ra", seats=2).table.pk)
    runs = match_of("gilga", "shamash", games=4)
    feed()
    delete_person(user=alice)
    assert User.objects.filter(pk=alice.pk).exists() == has_played
    assert list(Match.objects.filter(pk__in=(done.pk, runs.pk)).values_list("owner", flat=True)) == [None, None]
    for _ in range(3):
        for table in Table.objects.filter(status="playing"):
            end(table.pk)
        feed()
    assert list(Match.objects.order_by("pk").values_list("state", flat=True)) == ["done", "cancelled"]
    for match in (done, runs):
        page = Client().get(f"/matches/{match.pk}/").content.decode()
        told = Client().get(f"/api/v1/matches/{match.pk}/").json()
        assert "Started by" not in page and told["owner"] is None
        assert "Deleted player" in page and told["players"][0]["name"].startswith("Deleted player")
        for text in (page, json.dumps(told)):
            assert "gilga" not in text and "alice" not in text
        assert told["played"] > 0, "its results stay"


def test_a_person_whose_account_is_closed_has_no_link(alice, match_of, gilga):
    match = match_of("gilga", levels=["apprentice"])
    page = Client().get(f"/matches/{match.pk}/").content.decode()
    assert 'href="/people/alice/"' in page
    deactivate(alice)
    page = Client().get(f"/matches/{match.pk}/").content.decode()
    assert 'href="/people/alice/"' not in page and "<bdi>alice</bdi>" in page
