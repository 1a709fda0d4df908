"""Goods that are spent together: one form, several records, all of them or none; with script or without."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse

from games import registry
from games.core.contract import CHANCE
from games.core.records import POSITION_FORMAT
from games.core.rng import SeededRng
from portal.tables import refusals, services
from portal.tables.models import ActionRecord, Table

from .driver import POSITIONS, at_position

GOODS = {"grain": 3, "wood": 2, "metal": 1, "textile": 1, "tool": 1, "oil": 1, "gold": 1}


@pytest.fixture
def empire(alice):
    """A table of After the Flood where Alice equips an empire."""
    return at_position(alice, "after_the_flood/equip")


def texts(table):
    return list(ActionRecord.objects.filter(table=table).order_by("seq").values_list("text", flat=True))


def browser(user):
    client = Client()
    client.force_login(user)
    return client


def post(table, user, **fields):
    return browser(user).post(reverse("table-act", args=[table.pk]), {"expected_version": table.version} | fields)


def test_the_page_has_a_field_for_each_good(empire, alice):
    html = browser(alice).get(reverse("table", args=[empire.pk])).content.decode()
    for good, count in GOODS.items():
        assert f'name="lot:equip {good}"' in html
        assert f'id="lot-equip-{good}-have"' in html
        field = html.partition(f'name="lot:equip {good}"')[2].partition(">")[0]
        assert f'max="{count}"' in field
    assert 'name="basket" value="ready"' in html
    assert 'name="lot:equip lapis"' not in html, "there is none"
    assert 'id="o-ready"' not in html, "the basket's button does it"
    for other in ("recruit-grain", "recruit-metal"):
        assert f'id="o-{other}"' in html


def test_one_form_plays_each_good_with_its_own_record(empire, alice):
    before = texts(empire)
    answer = post(
        empire, alice, **{"lot:equip grain": "2", "lot:equip gold": "1", "lot:equip wood": "", "lot:equip oil": "0", "basket": "ready"}
    )
    assert answer.status_code == 303
    assert texts(empire)[len(before) :] == ["equip grain", "equip grain", "equip gold", "ready"]
    assert len(set(ActionRecord.objects.filter(table=empire, by="player").values_list("version", flat=True))) == 1
    now = Table.objects.get(pk=empire.pk)
    assert now.version == empire.version + 1
    undone = browser(alice).post(reverse("table-undo", args=[empire.pk]), {"expected_version": now.version})
    assert undone.status_code == 303
    assert texts(empire)[-1].startswith("undo ")


def test_an_empty_basket_is_only_its_last_action(empire, alice):
    assert post(empire, alice, basket="ready").status_code == 303
    assert texts(empire)[-1] == "ready"


@pytest.mark.parametrize(
    ("fields", "status", "said"),
    [
        ({"lot:equip gold": "2", "basket": "ready"}, 422, "gold"),
        ({"lot:equip grain": "1", "basket": "build ur"}, 422, ""),
        ({"lot:equip grain": "99", "basket": "ready"}, 400, ""),
        ({"lot:equip grain": "-1", "basket": "ready"}, 400, ""),
        ({"lot:equip grain": "x", "basket": "ready"}, 400, ""),
        ({"lot:equip sand": "1", "basket": "ready"}, 400, ""),
        ({"lot:ready": "1", "basket": "ready"}, 422, ""),
        ({"lot:equip grain": "1", "basket": ""}, 400, ""),
    ],
)
def test_all_of_it_or_nothing(empire, alice, fields, status, said):
    before = texts(empire)
    answer = post(empire, alice, **fields)
    assert answer.status_code == status
    assert said in answer.content.decode()
    assert 'id="notice"' in answer.content.decode()
    assert texts(empire) == before
    assert Table.objects.get(pk=empire.pk).version == empire.version


def test_nothing_follows_where_chance_or_another_seat_is_due(empire, alice):
    """Dice of an action that is refused in the end would have been seen."""
    attack = json.loads((POSITIONS / "after_the_flood/attack.json").read_text())
    opened = services.create_table(
        owner=alice, game_key="after_the_flood", seats=3, bots=["apprentice", "apprentice"], options={}, position=attack
    )
    version = opened.table.version
    for before, action in ((["invade amorites"], "stop"), (["pass"], "pass")):
        seen = texts(opened.table)
        counters = Table.objects.get(pk=opened.table.pk).counters
        with pytest.raises((refusals.NotDue, refusals.Refused)):
            services.submit_action(table_id=opened.table.pk, user=alice, action=action, before=before, expected_version=version)
        assert texts(opened.table) == seen
        assert Table.objects.get(pk=opened.table.pk).counters == counters


def looking_at_piles():
    """Return a position of History of the World in which a seat decides which pile of hidden cards it looks at first, and that seat."""
    game = registry.game("history_of_the_world")
    rng = SeededRng(1)
    state = game.setup(3, {})
    while True:
        actor = game.actors(state)[0]
        if actor == CHANCE:
            action = game.sample_chance(state, rng)
        else:
            legal = [str(action) for action in game.legal_actions(state, actor)]
            if "look events" in legal:
                break
            action = game.parse_action(legal[0])
        state, _events = game.apply(state, actor, action)
    version = game.meta.rules_version
    told = {"format": POSITION_FORMAT, "game": game.meta.key, "rules_version": version, "options": {}, "seats": 3}
    return told | {"state": game.state_to_json(state)}, actor


def test_nothing_follows_what_shows_hidden_cards(alice):
    """Whoever looks at a pile can't try a card of it in the same form: a refusal would tell whether the card is there."""
    position, seat = looking_at_piles()
    opened = services.create_table(
        owner=alice,
        game_key="history_of_the_world",
        seats=3,
        bots=["apprentice", "apprentice"],
        options={},
        position=position,
        owner_seat=seat,
    )
    table = opened.table
    seen = texts(table)
    taken = []
    for text in (str(action) for action in opened.game.legal_actions(_looked(opened, seat), seat)):
        taken.append(text)
        with pytest.raises(refusals.NotDue):
            services.submit_action(table_id=table.pk, user=alice, action=text, before=["look events"], expected_version=table.version)
    assert taken
    assert texts(table) == seen


def _looked(opened, seat):
    return opened.game.apply(opened.state, seat, opened.game.parse_action("look events"))[0]


def test_only_the_own_seat_fills_a_basket(empire, bob):
    answer = post(empire, bob, **{"lot:equip grain": "1", "basket": "ready"})
    assert answer.status_code == 403
    assert "data-basket" not in browser(bob).get(reverse("table", args=[empire.pk])).content.decode()


def test_a_bid_of_all_goods_needs_no_end(alice):
    """When nothing is left to bid the action ends by itself, and another seat may be asked."""
    table = at_position(alice, "after_the_flood/trade")
    passed = services.submit_action(table_id=table.pk, user=alice, action="pass", expected_version=table.version).table
    before = texts(passed)
    lots = {"lot:bid grain": "2", "lot:bid metal": "1", "lot:bid textile": "2", "lot:bid tool": "1"}
    assert post(passed, alice, **lots, basket="done").status_code == 303
    assert texts(passed)[len(before) :] == ["bid grain"] * 2 + ["bid metal"] + ["bid textile"] * 2 + ["bid tool"]
