"""After the Flood: only future dice are secret. No byte has them before the roll, and nobody sees another's partial choices."""

from __future__ import annotations

import secrets

import pytest
from django.core.cache import cache

from games.core.contract import CHANCE
from portal.tables import refusals, services
from portal.tables.loading import load
from portal.tables.models import ActionRecord, Table
from tests.portal.faults.cases.after_the_flood import state_of
from tests.portal.faults.refusals import table_of
from tests.portal.tables.driver import play_on, snapshot

from .eyes import Eyes, assert_closed, assert_not_kept, differences, masked

pytestmark = pytest.mark.django_db

GAME = "after_the_flood"
# Alice acts first; armies of Bob and Charlie are beside hers.
FRONT = {
    "turn": 3,
    "goods": ["grain 4 metal tool", "textile 3", "wood 3 oil"],
    "workers": ["amorites 2 irrigation scribes tool_makers", "hittites", "kassites akkad 2"],
    "available": [5, 4, 6],
    "armies": ["mittani assyria", "egypt amorites", "umma 2 sippar babylon"],
    "armies_available": [6, 2, 3],
    "cities": ["ur umma", "nippur", "uruk shuruppak"],
    "empires": ["mittani", "egypt", "sumer"],
    "ranking": [0, 1, 2],
}


@pytest.fixture
def front(alice, bob, charlie, fixed_secret):
    return table_of("after_the_flood", (alice, bob, charlie), state_of(FRONT))


@pytest.fixture
def viewers(alice, bob, charlie):
    return {"alice": Eyes(alice, GAME), "bob": Eyes(bob, GAME), "charlie": Eyes(charlie, GAME), "visitor": Eyes(None, GAME)}


def act(table_id, *texts):
    for text in texts:
        loaded = load(table_id)
        user = loaded.seats[loaded.table.due[0]].user
        loaded = services.submit_action(table_id=table_id, user=user, action=text, expected_version=loaded.table.version)
    return loaded


def undo(table_id, user):
    return services.undo_action(table_id=table_id, user=user, expected_version=load(table_id).table.version)


def redo(table_id, user):
    return services.redo_action(table_id=table_id, user=user, expected_version=load(table_id).table.version)


def rolls(table_id):
    return list(ActionRecord.objects.filter(table_id=table_id, actor=CHANCE, text__startswith="roll").order_by("seq"))


def assert_dice_to_come_are_in_no_answer(table_id, viewers, meanwhile=None, *, at_table=False):
    """With another sealed stream, and so other future dice, everybody gets the same bytes; `meanwhile(name)` happens in between."""
    kept = Table.objects.filter(pk=table_id).values("secret").get()
    for name in viewers:
        before = viewers[name].see(table_id, at_table=at_table)
        assert_closed(before, table_id, bytes(kept["secret"]))
        assert_not_kept(before, table_id)
        if meanwhile is not None:
            meanwhile(name)
        Table.objects.filter(pk=table_id).update(secret=secrets.token_bytes(32))
        assert differences(before, viewers[name].see(table_id, at_table=at_table)) == [], name
        Table.objects.filter(pk=table_id).update(**kept)


# Dice


@pytest.mark.rule("after_the_flood#hidden-1")
def test_dice_are_in_no_answer_before_they_are_rolled_and_a_choice_in_the_making_is_seen_by_nobody_else(front, viewers):
    assert rolls(front.pk) == []

    def alice_chooses(name):
        rows = snapshot(front.pk)
        for prefix in ("invade babylon", "place grain guti 1", "scribe available guti", "build nippur", "pass"):
            page = viewers["alice"].client.get(f"/tables/{front.pk}/", {"a": prefix})
            assert page.status_code == 200
        assert 'id="confirm"' in page.content.decode()
        assert snapshot(front.pk) == rows, name

    assert_dice_to_come_are_in_no_answer(front.pk, viewers, meanwhile=alice_chooses)


@pytest.mark.rule("after_the_flood#hidden-1")
def test_dice_of_the_next_roll_are_in_no_answer_after_the_first(front, viewers):
    act(front.pk, "invade babylon")
    assert len(rolls(front.pk)) == 1
    assert_dice_to_come_are_in_no_answer(front.pk, viewers, at_table=True)


def test_other_dice_come_with_another_stream_and_everybody_is_told_them(alice, bob, charlie, fixed_secret, viewers):
    """So the comparison is between dice that would differ."""
    found = set()
    for number in range(6):
        table = table_of("after_the_flood", (alice, bob, charlie), state_of(FRONT))
        Table.objects.filter(pk=table.pk).update(secret=bytes([number]) * 32)
        act(table.pk, "invade babylon")
        (roll,) = rolls(table.pk)
        found.add(roll.text)
        first, second = roll.text.split()[1:]
        for name in viewers:
            log = viewers[name].client.get(f"/tables/{table.pk}/log/", headers={"Accept-Language": "en"}).content.decode()
            assert f"rolled {first} + {second} = " in log.replace("\xa0", " "), name
    assert len(found) > 1


def test_what_is_tried_and_taken_back_moves_no_dice(alice, bob, charlie, fixed_secret):
    found = []
    quiet = FRONT | {"cities": ["ur umma", "", "uruk shuruppak"], "armies": ["amorites", "", "babylon"]}
    for tried in ((), ("build nippur",), ("place grain egypt 1", "scribe available guti"), ("invade egypt", "reinforce egypt")):
        table = table_of("after_the_flood", (alice, bob, charlie), state_of(quiet))
        if tried:
            act(table.pk, *tried)
        while load(table.pk).table.line:
            undo(table.pk, alice)
        assert load(table.pk).table.counters == {}
        act(table.pk, "invade babylon")
        found.append([roll.text for roll in rolls(table.pk)])
    assert len(found[0]) == 1
    assert all(texts == found[0] for texts in found)


@pytest.mark.rule("after_the_flood#hidden-2")
def test_steps_are_taken_back_up_to_the_last_roll_and_no_further(front, alice, bob, charlie):
    act(front.pk, "invade hittites")  # nobody defends
    undo(front.pk, alice)
    redo(front.pk, alice)
    undo(front.pk, alice)
    act(front.pk, "invade babylon")
    rolled = rolls(front.pk)
    assert len(rolled) == 1
    refused_all(front.pk, alice, bob, charlie)
    act(front.pk, "stop" if "stop" in legal(front.pk) else "reinforce mittani")
    undo(front.pk, alice)
    refused_undo(front.pk, alice)
    assert [roll.pk for roll in rolls(front.pk)] == [roll.pk for roll in rolled]


def legal(table_id):
    loaded = load(table_id)
    return [str(action) for action in loaded.game.legal_actions(loaded.state, loaded.table.due[0])]


def refused_all(table_id, *users):
    table = load(table_id).table
    assert (table.line, table.undone) == ([], [])
    before = snapshot(table_id)
    for user in users:
        refused_undo(table_id, user)
        with pytest.raises(refusals.NothingToRedo):
            redo(table_id, user)
    assert snapshot(table_id) == before


def refused_undo(table_id, user):
    with pytest.raises(refusals.NothingToUndo):
        undo(table_id, user)


def test_the_record_is_open_at_the_end(front, viewers):
    """Until then it is closed to everybody who saw the table."""
    act(front.pk, "invade babylon")
    secret = bytes(load(front.pk).table.secret).hex().encode()
    assert play_on(front.pk).table.status == "finished"
    record = viewers["visitor"].client.get(f"/tables/{front.pk}/record/").content
    assert secret in record, "at the end everything can be checked"


# Plans


@pytest.mark.parametrize("name", ["bob", "charlie", "visitor"])
def test_who_is_not_asked_gets_no_question_and_no_preview(front, viewers, name):
    for prefix in ("invade babylon", "place grain guti 1", "pass"):
        page = body(viewers[name], f"/tables/{front.pk}/?a={prefix.replace(' ', '+')}")
        assert b'id="confirm"' not in page
    api = viewers[name].client.get(f"/api/v1/tables/{front.pk}/", headers=viewers[name].bearer).json()
    assert not api["legal"]


def test_pieces_of_markup_kept_for_one_viewer_are_not_shown_to_another(front, viewers):
    """Each gets the same page whoever asked before, with empty and with full caches."""
    act(front.pk, "place grain guti 1")
    for eyes in viewers.values():
        body(eyes, f"/tables/{front.pk}/")  # a page records what its reader has seen, so not between two others
    for path in (f"/tables/{front.pk}/", f"/tables/{front.pk}/region/", f"/tables/{front.pk}/?a=scribe"):
        alone = {}
        for name in viewers:
            cache.clear()
            alone[name] = body(viewers[name], path)
        cache.clear()
        for name in (*viewers, *reversed(viewers)):
            assert body(viewers[name], path) == alone[name], (name, path)
        assert len(set(alone.values())) == 4


def body(eyes, path):
    return masked(eyes.client.get(path, headers={"Accept-Language": "hu"}).content)
