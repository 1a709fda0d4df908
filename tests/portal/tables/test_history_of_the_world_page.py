"""The table page of History of the World: every id once, few bytes, and after a move only the changes."""

from __future__ import annotations

import gzip
import re
from collections import Counter

import pytest
from django.test import Client

from games.core.rng import SeededRng
from portal.tables import services
from portal.tables.loading import load
from tests.portal.tables.driver import step

pytestmark = pytest.mark.django_db

GAME = "history_of_the_world"
PART = re.compile(r'<\w+[^>]*? id="([\w-]+)"[^>]*? data-h="([0-9a-f]+)"')
KEPT = re.compile(r'data-keep="([\w -]+)"')


@pytest.fixture
def conquest(alice, bob, charlie, fixed_secret):
    """Three people; Alice conquers in the second epoch."""
    state = {
        "phase": "conquest",
        "epoch": 2,
        "active": 0,
        "empires": ["persians", "macedonians", "romans"],
        "armies": [["zagros", "tigris", "levant", "nile"], ["crete", "pindus", "balkans"], ["apennines", "gaul", "atlas"]],
        "active_armies": ["zagros", "tigris"],
        "capitals": ["zagros", "crete"],
        "cities": ["nile"],
        "monuments": ["crete"],
        "turn": {"card": 6, "tokens": 2},
    }
    position = {
        "format": "ziggurat-position/1",
        "game": GAME,
        "rules_version": 1,
        "options": {},
        "seats": 3,
        "fill": "page",
        "state": state,
    }
    table_id = services.create_table(owner=alice, game_key=GAME, seats=3, position=position).table.pk
    for user in (bob, charlie):
        services.join_table(table_id=table_id, user=user)
    return load(table_id)


def reader(user):
    client = Client()
    client.force_login(user)
    return client


def test_a_page_names_each_element_once_and_is_small(conquest):
    for seat in conquest.seats:
        html = reader(seat.user).get(f"/tables/{conquest.table.pk}/").content
        ids = Counter(re.findall(r' id="([^"]+)"', html.decode()))
        assert [name for name, count in ids.items() if count > 1] == []
        assert len(gzip.compress(html)) < 20_700


def test_after_a_move_the_page_gets_what_has_changed(conquest):
    client, address = reader(conquest.seats[2].user), f"/tables/{conquest.table.pk}/region/"
    have = dict(PART.findall(client.get(f"/tables/{conquest.table.pk}/").content.decode()))
    sizes, rng = [], SeededRng(3)
    for _ in range(12):
        step(conquest.table.pk, rng)
        told = ",".join(f"{name}:{digest}" for name, digest in have.items())
        assert len(told) < 3000  # of the 4,000 that it reads
        body = client.get(address, headers={"X-Have": told, "HX-Request": "true"}).content
        kept = " ".join(KEPT.findall(body.decode())).split()
        assert {"ground", "names"} <= set(kept)
        have = {name: have[name] for name in kept} | dict(PART.findall(body.decode()))
        sizes.append(len(gzip.compress(body)))
    assert sorted(sizes)[len(sizes) // 2] < 3_000
    assert load(conquest.table.pk).table.version > conquest.table.version


def test_the_standing_order_is_folded_below_the_question(conquest):
    html = reader(conquest.seats[0].user).get(f"/tables/{conquest.table.pk}/").content.decode()
    fold = re.search(r'<details class="why-nots" id="aside-s-1">.*?</details>', html, re.DOTALL)[0]
    assert re.findall(r' id="(o-[\w-]+)"', fold) == ["o-guard"]
    assert " open" not in fold
    answers = re.search(r'<div class="answers" id="answers">.*?<div class="folds">', html, re.DOTALL)[0]
    assert "o-guard" not in answers
    assert "o-end" in answers
