"""Tigris & Euphrates: hands, bag, swapped tiles, points and treasures of others are in no byte of any answer."""

from __future__ import annotations

import re

import pytest

from portal.tables import services, tasks
from portal.tables.loading import load
from portal.tables.models import ActionRecord
from tests.engine.tigris_euphrates.builders import data_from
from tests.portal.tables.driver import play_on

from .eyes import Eyes, differences
from .secrets import change_secrets, compare

pytestmark = pytest.mark.django_db

GAME = "tigris_euphrates"
# Bob must act; a bot is in seat 2. Everybody has points, treasures, swapped tiles; Bob can start a revolt against Alice on G3.
COURT = {
    "leaders": ["king F4, trader E4", "priest J7", "farmer A2"],
    "tiles": {"temple": "E5 H3", "settlement": "F5", "farm": "E3"},
    "hands": ["temple 2, farm 2, market 2", "temple 2, settlement 2, farm 1, market 1", "temple 3, farm 3"],
    "points": [{"red": [3, 1, 0, 0], "blue": 2}, {"green": [4, 0, 5, 0]}, {"black": 1}],
    "treasures": "B2 F3 I7 F10 K11 O9",
    "jokers": [1, 2, 1],
    "swapped": ["market 3", "settlement 1", "temple 1"],
    "active": 1,
    "turn": 20,
}


@pytest.fixture
def court(alice, bob, fixed_secret):
    return court_of(alice, bob, **COURT)


def court_of(alice, bob, *, options=None, **fields):
    state = data_from(**fields)
    position = {"format": "ziggurat-position/1", "game": GAME, "rules_version": 1, "fill": "court"}
    position |= {"options": options or {}, "seats": state.pop("seats"), "state": state}
    more = {"options": options, "bots": ["apprentice"], "position": position}
    table_id = services.create_table(owner=alice, game_key=GAME, seats=3, **more).table.pk
    return services.join_table(table_id=table_id, user=bob).table


@pytest.fixture
def viewers(alice, bob, charlie):
    return {"alice": Eyes(alice, GAME), "bob": Eyes(bob, GAME), "charlie": Eyes(charlie, GAME), "visitor": Eyes(None, GAME)}


def act(table_id, user, text):
    return services.submit_action(table_id=table_id, user=user, action=text, expected_version=load(table_id).table.version)


def test_hidden_values_of_a_turn_are_in_no_answer(court, viewers, bob):
    act(court.pk, bob, "swap settlement market")
    loaded = load(court.pk)
    assert loaded.table.due == [1]
    assert {key for line in loaded.table.recent for event in line["e"] if "s" in event for key in event["s"]} == {"1"}
    for name, words in (("bob", "bob swapped settlement and market"), ("alice", "bob swapped 2")):
        assert words in viewers[name].client.get(f"/tables/{court.pk}/log/").content.decode().replace("\xa0", " "), name
    shown = compare(court.pk, viewers, ("alice", "bob", "charlie"))
    for name in ("alice", "charlie"):
        assert not [request for request, (_, _, body) in shown[name].items() if b"swap settlement market" in body], name


def test_hidden_values_of_a_conflict_are_in_no_answer(court, viewers, bob, alice):
    act(court.pk, bob, "leader king G3")
    act(court.pk, bob, "support 1 temple")
    assert load(court.pk).table.due == [0]
    compare(court.pk, viewers, ("bob", "visitor"), at_table=True)


def test_the_comparison_sees_what_is_not_hidden(court, viewers):
    before = {name: viewers[name].see(court.pk, at_table=True) for name in ("alice", "bob")}
    change_secrets(court.pk, 1, seed=5)  # all but Bob's: Alice's hand and points among it
    changed = [line.split(": ", 1)[0] for line in differences(before["alice"], viewers["alice"].see(court.pk, at_table=True))]
    assert {f"en /tables/{court.pk}/", f"hu /tables/{court.pk}/region/", f"/api/v1/tables/{court.pk}/"} <= set(changed)
    assert differences(before["bob"], viewers["bob"].see(court.pk, at_table=True)) == []


@pytest.mark.parametrize("temples", [0, 2])
def test_a_defender_without_tiles_is_asked_like_one_who_has_some(alice, bob, temples):
    """Only the defender knows that nothing can be added: nobody answers for them."""
    hand = f"temple {temples}, farm {6 - temples}" if temples else "farm 6"
    table = court_of(alice, bob, **COURT | {"hands": [hand, *COURT["hands"][1:]]})
    act(table.pk, bob, "leader king G3")
    loaded = act(table.pk, bob, "support 1 temple")
    assert loaded.table.due == [0]
    version = loaded.table.version
    loaded = act(table.pk, alice, "support 0 temple")
    record = ActionRecord.objects.get(table_id=table.pk, version=version + 1, text="support 0 temple")
    assert record.by == "player"
    assert record.events[0]["k"] == "supported_none"


def test_numbers_of_others_are_drawn_with_open_totals_and_at_the_end_only(alice, bob, viewers, fixed_secret):
    for options, shown in (({}, 0), ({"open_totals": True}, 3)):
        table = court_of(alice, bob, options=options, **COURT)
        html = viewers["visitor"].client.get(f"/tables/{table.pk}/").content.decode()
        assert len(re.findall(r'<ul class="holdings te-points"', html)) == shown
        api = viewers["visitor"].client.get(f"/api/v1/tables/{table.pk}/").json()["view"]
        assert [points is not None for points in api["points"]] == [bool(shown)] * 3
        assert [jokers is not None for jokers in api["jokers"]] == [bool(shown)] * 3
        assert api["hands"] == api["swapped"] == [None] * 3


def test_the_record_is_open_at_the_end(court, viewers, bob):
    """Until then it is closed: `compare` asks for it."""
    act(court.pk, bob, "swap settlement market")
    secret = bytes(load(court.pk).table.secret).hex().encode()
    for name in ("alice", "visitor"):
        for path in (f"/tables/{court.pk}/record/", f"/api/v1/tables/{court.pk}/record/", f"/api/v1/tables/{court.pk}/record/?full=1"):
            assert viewers[name].client.get(path, headers=viewers[name].bearer).status_code == 409
    loaded = play_on(court.pk)
    assert loaded.table.status == "finished"
    record = viewers["visitor"].client.get(f"/tables/{court.pk}/record/").content
    assert secret in record
    assert b"swap settlement market" in record, "at the end everything can be checked"


def test_a_bot_is_given_what_its_seat_may_know(court, monkeypatch):
    """Its view has no secrets of others, and stays the same when everything hidden from it is changed."""
    loaded = play_on(court.pk, until=lambda loaded: loaded.table.due == [2])
    assert loaded.table.due == [2]
    own = loaded.game.view_for(loaded.state, 2)
    change_secrets(court.pk, 2, seed=3)
    given = []
    original = loaded.game.choose_action

    def spying(*args, **kwargs):
        given.append(args)
        return original(*args, **kwargs)

    monkeypatch.setitem(vars(loaded.game), "choose_action", spying)
    tasks.play_bot(court.pk, loaded.table.version, 2)
    ((view, level, _rng, *_budget),) = given
    assert level == "apprentice"
    assert view == own
    assert [hand is None for hand in view.hands] == [points is None for points in view.points] == [True, True, False]
