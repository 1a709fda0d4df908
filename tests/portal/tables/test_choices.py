"""What a question leads to, for the page's script: the same as a request for each choice would give."""

from __future__ import annotations

import json
import zlib
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from games.core.rng import SeededRng
from games.registry import GAMES, game
from portal.common.kept import Kept
from portal.tables import choices, selectors, services
from portal.tables.loading import load
from portal.tables.speaker import Speaker
from tests.portal.leaks.eyes import masked
from tests.portal.tables.driver import play_on, step

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
POSITIONS = 6  # of each game, with something to choose
LIMIT = 400


@pytest.fixture(autouse=True)
def nothing_kept():
    choices._kept.clear()


def new_table(owner, key):
    seats = min(3, max(game(key).meta.seats))
    return services.create_table(owner=owner, game_key=key, seats=seats, bots=["apprentice"] * (seats - 1)).table.pk


def asked(pk, user, rng=None):
    """Play on until the person is asked for something with a choice; return the page of it."""
    rng = rng or SeededRng(3)
    for _ in range(LIMIT):
        loaded = load(pk)
        page = selectors.page_of(loaded, user)
        if page.turn.ask is not None and len(page.turn.legal) > 1:
            return page
        assert step(pk, rng)
    raise AssertionError("nobody is asked")


def client_for(user):
    client = Client()
    client.force_login(user)
    return client


def address(pk):
    return reverse("table-choices", args=[pk])


def region(client, pk, prefix):
    response = client.get(reverse("table", args=[pk]), {"a": prefix} if prefix else {}, headers=HTMX)
    assert response.status_code == 200
    return masked(response.content).decode()


@pytest.mark.parametrize("confirm", ["always", "matters", "never"])
@pytest.mark.parametrize("key", GAMES)
def test_every_choice_is_as_a_request_would_give_it(key, confirm, alice, fixed_secret):
    alice.confirm = confirm
    alice.save()
    pk, client, rng = new_table(alice, key), client_for(alice), SeededRng(3)
    seen = 0
    for _ in range(POSITIONS if confirm == "matters" else 2):
        page = asked(pk, alice, rng)
        told = client.get(address(pk), {"v": page.version}).json()
        assert told["version"] == page.version
        start = region(client, pk, "")
        for prefix, node in told["nodes"].items():
            expected, changed = region(client, pk, prefix), start
            for variants, at, first in zip(told["pieces"].values(), node, told["nodes"][""], strict=True):
                if variants[first] and variants[at]:
                    assert changed.count(variants[first]) == 1
                    changed = changed.replace(variants[first], variants[at])
                elif variants[first] != variants[at]:  # a piece that is there only sometimes: the script asks the server
                    assert (variants[at] or variants[first]) in (expected if variants[at] else start)
                    break
            else:
                assert changed == expected, prefix
                seen += prefix != ""
        for _ in range(3):
            step(pk, rng)
    assert seen or confirm == "never"  # then a question of one step leads nowhere


@pytest.mark.parametrize("key", GAMES)
def test_the_effect_of_an_action_is_what_its_own_page_says(key, alice, fixed_secret):
    pk, client, rng = new_table(alice, key), client_for(alice), SeededRng(3)
    for _ in range(3):
        page = asked(pk, alice, rng)
        told = client.get(address(pk)).json()["told"]
        for action, (effect, button) in [(action, words) for action, words in told.items() if words[0]][:8]:
            html = unescape(region(client, pk, action))
            assert f'value="{action}"' in html
            assert action in page.turn.legal
            assert effect in html
            assert button in html[html.index('id="confirm"') :]
        step(pk, rng)


def test_only_who_is_asked_gets_it_and_only_for_the_version_on_the_page(alice, bob, fixed_secret):
    pk = new_table(alice, "ra")
    page = asked(pk, alice)
    mine = client_for(alice)
    for client in (client_for(bob), Client()):
        assert (client.get(address(pk)).status_code, client.get(address(pk)).content) == (204, b"")
    for other in (page.version - 1, page.version + 1, "x", ""):
        assert mine.get(address(pk), {"v": other}).status_code == 204
    response = mine.get(address(pk), {"v": page.version})
    assert response.status_code == 200
    assert response["Cache-Control"] == "private, no-store"
    assert response["X-Table-Version"] == str(page.version)
    assert mine.post(address(pk)).status_code == 405
    assert mine.get(address(10**6)).status_code == 404
    play_on(pk, until=lambda now: now.table.status == "finished")
    assert mine.get(address(pk)).status_code == 204


def test_it_takes_no_more_statements_than_the_page_and_is_made_once(alice, fixed_secret, django_assert_num_queries, monkeypatch):
    pk = new_table(alice, "tigris_euphrates")
    version = asked(pk, alice).version
    client = client_for(alice)
    with django_assert_num_queries(2):  # person, table
        first = client.get(address(pk), {"v": version})
    monkeypatch.setattr(choices, "_made", None)
    with django_assert_num_queries(2):
        again = client.get(address(pk), {"v": version})
    assert first.content == again.content
    monkeypatch.undo()
    hungarian = client.get(address(pk), {"v": version}, headers={"Accept-Language": "hu"})
    assert hungarian.content != first.content
    alice.confirm = "always"
    alice.save()
    assert client.get(address(pk), {"v": version}).json()["told"] == {}


def test_it_stays_within_its_limits(alice, fixed_secret, monkeypatch):
    pk = new_table(alice, "tigris_euphrates")
    page = asked(pk, alice)
    speaker = Speaker(page.entry.key, "en", page.names, page.my_seat)
    whole = json.loads(choices.choices_of(page, alice, speaker))
    assert 1 < len(whole["nodes"]) <= choices.MOST_NODES
    assert {len(found) for found in whole["pieces"].values()} <= set(range(2, choices.MOST_NODES + 1))
    for most in (9_000, 400):
        choices._kept.clear()
        monkeypatch.setattr(choices, "MOST_BYTES", most)
        made = choices.choices_of(page, alice, speaker)
        assert len(zlib.compress(made.encode())) <= most
        assert len(json.loads(made)["nodes"]) < len(whole["nodes"])
    choices._kept.clear()
    monkeypatch.setattr(choices, "MOST_CHILDREN", 0)
    assert list(json.loads(choices.choices_of(page, alice, speaker))["nodes"]) == [""]
    choices._kept.clear()
    monkeypatch.undo()
    monkeypatch.setattr(choices, "_kept", Kept(10, len))
    choices.choices_of(page, alice, speaker)
    assert len(choices._kept) == 0
