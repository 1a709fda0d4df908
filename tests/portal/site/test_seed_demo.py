"""seed_demo fills an empty portal and adds only what is missing."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from games.registry import GAMES
from portal.accounts.models import User
from portal.clubs.models import Club
from portal.ratings.models import Rating
from portal.site.management.commands import seed_demo
from portal.tables.models import Table
from tests.portal.tables.ending import nearly_end

pytestmark = pytest.mark.django_db


def seed(*args) -> dict:
    out = StringIO()
    call_command("seed_demo", "--json", *args, stdout=out, stderr=StringIO())
    return json.loads(out.getvalue())


def test_a_public_portal_is_asked_first(settings):
    settings.DEBUG = False
    with pytest.raises(CommandError, match="--yes"):
        seed()
    assert not User.objects.exists()


@pytest.fixture
def short_games(monkeypatch):
    """Games other than Ra skip to their final scoring where one has to finish; Ra shows that a whole game does."""
    play = seed_demo.Command._play

    def short(self, table_id, *, seed, until=None):
        if until is None and Table.objects.get(pk=table_id).game != "ra":
            nearly_end(table_id, seed=seed)
        play(self, table_id, seed=seed, **({} if until is None else {"until": until}))

    monkeypatch.setattr(seed_demo.Command, "_play", short)


def test_people_tables_and_standings(client, short_games):
    first = seed("--yes", "--games", "2")
    assert set(first["people"]) == {"Alice", "Bob", "Charlie"}
    assert len(set(first["people"].values())) == 3
    for key in GAMES:
        statuses = list(Table.objects.filter(game=key, club=None).order_by("status").values_list("status", flat=True))
        assert statuses == ["finished", "finished", "open", "playing"], key
    of_site = Rating.objects.filter(ladder__club=None, ladder__season=None).exclude(ladder__game="")
    assert set(of_site.values_list("ladder__game", "ladder__pool")) == {(key, pool) for key in GAMES for pool in ("people", "bots")}
    club = Club.objects.get()
    assert list(club.memberships.order_by("user__username").values_list("user__username", "role")) == [
        ("Alice", "owner"),
        ("Bob", "officer"),
    ]
    assert sorted(club.tables.values_list("status", flat=True)) == ["finished", "finished", "finished", "open", "playing"]
    assert club.seasons.count() == club.evenings.count() == club.announcements.count() == 1
    client.post(reverse("account_login"), {"login": "Alice", "password": first["people"]["Alice"]})
    assert "_auth_user_id" in client.session
    again = seed("--yes", "--games", "2")
    assert again == {"people": {"Alice": "", "Bob": "", "Charlie": ""}, "tables": []}
