"""What a seat may not know is in no byte it gets: pages, fragments, API, refusals, headers, stream."""

from __future__ import annotations

import pytest

from portal.tables import services
from portal.tables.loading import load
from tests.portal.tables.driver import play_on

from .eyes import Eyes, assert_closed, differences
from .secrets import change_secrets, compare

pytestmark = pytest.mark.django_db


@pytest.fixture
def viewers(alice, bob, charlie):
    return {"alice": Eyes(alice), "bob": Eyes(bob), "charlie": Eyes(charlie), "visitor": Eyes()}


def positions(table_id, *conditions):
    """Play on and stop at each condition (of the spectator's view), from the second epoch."""
    for at, condition in enumerate(conditions):

        def reached(loaded, condition=condition):
            return loaded.table.status == "playing" and (view := loaded.game.view_for(loaded.state, None)).epoch > 1 and condition(view)

        loaded = play_on(table_id, seed=at + 1, until=reached)
        assert loaded.table.status == "playing", f"position {at} was not reached"
        yield loaded


def test_hidden_values_of_a_running_table_are_in_no_answer(table, viewers):
    for number, _ in enumerate(
        positions(
            table.pk,
            lambda view: view.phase == "turn" and view.due == 1,
            lambda view: view.phase == "auction" and view.due == 0,
        )
    ):
        compare(table.pk, viewers, ("bob", "charlie", "visitor"), at_table=number > 0)


def test_the_comparison_sees_what_is_not_hidden(table, viewers):
    """The same comparison finds the viewer's own fame, so it would find another's."""
    next(positions(table.pk, lambda view: view.due == 1))
    before = {name: viewers[name].see(table.pk, at_table=True) for name in ("alice", "bob")}
    change_secrets(table.pk, 1, seed=5)  # all but Bob's: Alice's fame among it
    changed = [line.split(": ", 1)[0] for line in differences(before["alice"], viewers["alice"].see(table.pk, at_table=True))]
    assert f"en /tables/{table.pk}/" in changed
    assert f"/api/v1/tables/{table.pk}/" in changed
    assert f"/api/v1/tables/{table.pk}/log/" in changed
    assert {"replay", "replay steps 1", "replay from 1", "replay from 2"} & set(changed) == {"replay", "replay steps 1", "replay from 1"}
    assert differences(before["bob"], viewers["bob"].see(table.pk, at_table=True)) == []


def test_the_sealed_stream_is_closed_until_the_end(duel, viewers):
    secret = bytes(load(duel.pk).table.secret)
    loaded = play_on(duel.pk, until=lambda loaded: loaded.game.view_for(loaded.state, None).epoch == 3)
    assert loaded.table.status == "playing"
    for name in ("alice", "visitor"):
        seen = viewers[name].see(duel.pk)
        assert_closed(seen, duel.pk, secret)
        assert b"The record is available once the game is over" in seen[f"en /verify/?table={duel.pk}"][2]
    play_on(duel.pk)
    assert secret.hex().encode() in viewers["visitor"].client.get(f"/tables/{duel.pk}/record/").content


def test_words_are_shown_to_others_after_the_start_only(alice, bob, charlie):
    table_id = services.create_table(owner=alice, game_key="ra", seats=4, word="quartz").table.pk
    services.join_table(table_id=table_id, user=bob, word="basalt")
    for eyes, own in ((Eyes(alice), b"quartz"), (Eyes(bob), b"basalt"), (Eyes(charlie), None), (Eyes(), None)):
        seen = eyes.see(table_id)
        for word in (b"quartz", b"basalt"):
            where = [name for name, (_, _, body) in seen.items() if word in body]
            assert bool(where) == (word == own), (eyes.user, word, where)
    services.start_table(table_id=table_id, user=alice)
    assert b"basalt" in Eyes().client.get(f"/tables/{table_id}/").content


def test_a_validator_of_one_viewer_does_not_serve_another(table, viewers):
    """With another viewer's ETag or version, a viewer gets their own page, never "not modified"."""
    next(positions(table.pk, lambda view: view.due == 1))
    for path in (f"/tables/{table.pk}/", f"/tables/{table.pk}/region/", f"/api/v1/tables/{table.pk}/"):
        own = viewers["alice"].client.get(path)
        tags = {"If-None-Match": own.headers["ETag"]} if "ETag" in own.headers else {}
        other = viewers["charlie"].client.get(path, headers={**tags, "If-Modified-Since": "Fri, 01 Jan 2100 00:00:00 GMT"})
        assert other.status_code == 200
        fresh = viewers["charlie"].client.get(path)
        assert len(other.content) == len(fresh.content)
        assert other.content != own.content


def test_languages_are_not_mixed_up(table, viewers):
    for path in (f"/tables/{table.pk}/", f"/tables/{table.pk}/region/"):
        first, second = (viewers["charlie"].client.get(path, headers={"Accept-Language": language}) for language in ("hu", "en"))
        assert first.headers["Content-Language"] == "hu"
        assert second.headers["Content-Language"] == "en"
        assert first.content != second.content
        assert "accept-language" in first.headers["Vary"].lower()
