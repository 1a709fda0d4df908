"""Everything that the site has of a person comes as one archive, and nothing that they may not know."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from portal.accounts import services
from portal.accounts.models import User
from portal.accounts.own_tokens import make_token
from portal.clubs import services as clubs
from portal.friends import services as friends
from portal.notices.models import Device, Hook
from portal.site.export import archive_of
from portal.tables import services as tables
from portal.tables.models import ActionRecord, Table
from portal.talk.models import Line
from tests.portal.tables.conftest import alice, bob, charlie, duel, fixed_secret, table
from tests.portal.tables.ending import end

__all__ = ["alice", "bob", "charlie", "duel", "fixed_secret", "table"]
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_counted():
    cache.clear()


def unpacked(content: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_the_archive_has_the_persons_data_and_its_age(client, alice, duel):
    clubs.create_club(owner=alice, name="Enlil")
    Line.objects.create(table=duel, room="players", writer=alice, text="Good luck!", at=timezone.now())
    Line.objects.create(table=duel, room="players", writer=None, text="Not hers.", at=timezone.now())
    end(duel.pk)
    client.force_login(alice)
    answer = client.post(reverse("export"))
    assert answer["Content-Type"] == "application/zip"
    assert "no-store" in answer["Cache-Control"]
    files = unpacked(answer.content)
    assert {name for name in files if "/" not in name} == {
        "README.txt", "profile.json", "settings.json", "games.json", "ratings.json", "clubs.json", "notices.json", "chat.json", "studies.json",
        "friends.json", "bots.json", "matches.json",
    }  # fmt: skip
    assert json.loads(files["profile.json"])["email"] == "alice@example.org"
    assert json.loads(files["clubs.json"])["clubs"][0]["name"] == "Enlil"
    assert [line["text"] for line in json.loads(files["chat.json"])["messages"]] == ["Good luck!"]
    game = json.loads(files["games.json"])["games"][0]
    assert (game["table"], game["status"], game["seat"]) == (duel.pk, "finished", 1)
    assert game["place"] in (1, 2)
    assert json.loads(files[f"records/{duel.pk}.json"])["table"] == duel.pk
    assert all("created_at" in json.loads(text) for name, text in files.items() if name.endswith(".json") and "/" not in name)


def test_friends_are_in_it_as_their_page_shows_them(alice, bob, charlie):
    dora, erik = (User.objects.create_user(name) for name in ("dora", "erik"))
    friends.ask(user=bob, person=alice)
    friends.accept(user=alice, person=bob)
    friends.ask(user=charlie, person=alice)
    for person in (dora, erik):
        friends.ask(user=alice, person=person)
    friends.decline(user=erik, person=alice)
    found = json.loads(unpacked(archive_of(alice))["friends.json"])
    assert {name: [one["name"] for one in found[name]] for name in ("friends", "asked_by_me", "asked_by_others")} == {
        "friends": ["bob"],
        "asked_by_me": ["dora", "erik"],
        "asked_by_others": ["charlie"],
    }
    assert {frozenset(one) for one in found["asked_by_me"]} == {frozenset({"name", "since"})}
    assert json.loads(unpacked(archive_of(erik))["friends.json"])["asked_by_others"] == []


def test_no_secret_is_in_it(alice):
    token = make_token(user=alice).text
    Hook.objects.create(user=alice, url="https://hooks.example.org/1", secret="signs-the-posts")
    Device.objects.create(user=alice, endpoint="https://push.example.org/abc", key="public-key", auth="auth-key", name="Firefox")
    everything = "".join(unpacked(archive_of(alice)).values())
    assert "hooks.example.org" in everything
    assert "Firefox" in everything
    for secret in (token, "signs-the-posts", "push.example.org", "public-key", "auth-key", alice.password):
        assert secret not in everything


def test_a_running_game_gives_away_nothing_hidden(alice, duel):
    """What only the state, the sealed draws and other seats know changes; the archive doesn't."""
    ActionRecord.objects.create(table=duel, seq=900, version=900, actor=0, text="my move", by="player", at=duel.started_at)
    ActionRecord.objects.create(table=duel, seq=901, version=900, actor=1, text="their move", by="player", at=duel.started_at)
    ActionRecord.objects.create(table=duel, seq=902, version=900, actor=-1, text="a draw", by="chance", at=duel.started_at)
    before = unpacked(archive_of(alice))["games.json"]
    assert "my move" in before
    assert "their move" not in before
    assert "a draw" not in before
    assert not [name for name in unpacked(archive_of(alice)) if name.startswith("records/")]
    Table.objects.filter(pk=duel.pk).update(secret=b"x" * 32, state={"other": "state"}, recent=[])
    duel.seats.filter(index=1).update(order="a hidden answer", word="a word")
    after = unpacked(archive_of(alice))["games.json"]
    assert json.loads(before)["games"] == json.loads(after)["games"]


def test_results_of_tables_that_one_may_no_longer_see_are_left_out(alice, bob, duel):
    end(duel.pk)
    club = clubs.create_club(owner=alice, name="Enlil")
    clubs.change_settings(club=club, actor=alice, name="Enlil", is_private=True, joining="open")
    Table.objects.filter(pk=duel.pk).update(club=club)
    duel.seats.filter(index=1).update(user=None, left_user=bob)
    game = json.loads(unpacked(archive_of(bob))["games.json"])["games"][0]
    assert "place" not in game
    assert "status" not in game


def test_it_is_limited_and_ones_own(client, alice):
    assert client.post(reverse("export")).url.startswith(reverse("account_login"))
    client.force_login(alice)
    assert client.get(reverse("export")).status_code == 405
    assert [client.post(reverse("export")).status_code for _ in range(4)] == [200, 200, 200, 429]
    guest = services.create_guest(address="198.51.100.7")
    other = Client()
    other.force_login(guest)
    assert f'action="{reverse("export")}"' in other.get(reverse("settings")).content.decode(), "guests are offered it too"
    assert other.post(reverse("export")).status_code == 200
    assert "alice" not in "".join(unpacked(archive_of(User.objects.get(pk=guest.pk))).values())


def test_statements_do_not_grow_with_games(alice, bob, duel, django_assert_max_num_queries):
    for _ in range(3):
        loaded = tables.create_table(owner=alice, game_key="ra", seats=2)
        tables.join_table(table_id=loaded.table.pk, user=bob)
    with django_assert_max_num_queries(33):
        archive_of(alice)
