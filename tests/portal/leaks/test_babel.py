"""Babel: hands, cards drawn and redoable moves are in no byte of any answer; the top of the deck is public."""

from __future__ import annotations

import re

import pytest
from django.core.cache import cache

from games.core.rng import SeededRng
from portal.tables import refusals, services, tasks
from portal.tables.loading import load
from portal.tables.models import ActionRecord, Table
from tests.engine.babel.builders import counts, data_from
from tests.engine.babel.secrets import vary
from tests.portal.tables.driver import play_on, snapshot

from .eyes import Eyes, differences, masked
from .secrets import SEATS, change_secrets, compare

pytestmark = pytest.mark.django_db

GAME = "babel"
# Alice acts first; both have runs, temples and cards that the other would like to know.
LANDS = """
    turn: 8
    0> medes | AHPP
    1  persians | HMMSS
    medes: AAAM 12 | PS 12
    persians: MMM . | MPP 123
    stocks: 4 2 | 3 5
"""


@pytest.fixture
def lands(alice, bob, fixed_secret):
    """A table at which both seats have drawn cards: it is Bob's turn, then Alice's again, and she has acted."""
    table = table_of(alice, bob, LANDS)
    act(table.pk, "end")
    act(table.pk, "end")
    assert load(table.pk).table.due == [0]
    return table


@pytest.fixture
def viewers(alice, bob, charlie):
    return {"alice": Eyes(alice, GAME), "bob": Eyes(bob, GAME), "charlie": Eyes(charlie, GAME), "visitor": Eyes(None, GAME)}


def table_of(alice, bob, picture, *, bots=(), **fields):
    state = data_from(picture) | fields
    position = {
        "format": "ziggurat-position/1",
        "game": GAME,
        "rules_version": 1,
        "options": {},
        "seats": 2,
        "fill": "lands",
        "state": state,
    }
    table_id = services.create_table(owner=alice, game_key=GAME, seats=2, bots=list(bots), position=position).table.pk
    if not bots:
        services.join_table(table_id=table_id, user=bob)
    return load(table_id).table


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


# Byte for byte


def test_hands_and_cards_drawn_are_in_no_answer_to_others(lands, viewers):
    act(lands.pk, "halve assyrians")
    act(lands.pk, some_half(lands.pk))
    loaded = load(lands.pk)
    assert {key for line in loaded.table.recent for event in line["e"] for key in event.get("s", ())} == {"0", "1"}
    shown = compare(lands.pk, viewers, ("alice", "bob", "visitor"))
    drawn = draws(lands.pk)
    assert len(drawn) == 2
    for name in ("bob", "visitor"):
        bodies = b"".join(content for request, (_, _, content) in shown[name].items() if "draw" not in request)
        assert not any(text.encode() in bodies for text in drawn), name


def draws(table_id):
    """Return what chance has drawn so far, as the record says it."""
    return list(ActionRecord.objects.filter(table_id=table_id, text__startswith="draw").values_list("text", flat=True))


def some_half(table_id):
    loaded = load(table_id)
    return str(loaded.game.legal_actions(loaded.state, 1)[-1])


def test_a_turn_in_the_making_shows_no_more_than_what_was_played(lands, viewers, alice):
    """With actions that can be undone, and some that could be redone."""
    act(lands.pk, "settle hittites", "migrate medes hittites", "move persians", "settle persians")
    undo(lands.pk, alice)
    undo(lands.pk, alice)
    table = load(lands.pk).table
    assert (len(table.line), len(table.undone)) == (2, 2)
    compare(lands.pk, viewers, ("alice", "bob", "charlie"), at_table=True)


def test_the_question_which_half_to_give_up_is_asked_of_one_seat_alone(lands, viewers):
    act(lands.pk, "halve assyrians")
    assert load(lands.pk).table.due == [1]
    compare(lands.pk, viewers, ("alice", "bob"), at_table=True)


def test_a_known_top_of_the_deck_is_told_to_everybody_and_the_hands_are_not(lands, viewers):
    act(lands.pk, "destroy")
    for name in viewers:
        api = viewers[name].client.get(f"/api/v1/tables/{lands.pk}/").json()["view"]
        assert api["deck_top"] == [1, 2], "everybody has seen the temple that lies there now"
        assert (api["hand"] is None) == (SEATS[name] is None)
    compare(lands.pk, viewers, ("bob", "visitor"), at_table=True)


def test_the_comparison_sees_what_is_not_hidden(lands, viewers):
    before = {name: viewers[name].see(lands.pk, at_table=True) for name in ("alice", "bob")}
    change_secrets(lands.pk, 1, seed=5)  # all but Bob's: Alice's hand and what she drew among it
    changed = [line.split(": ", 1)[0] for line in differences(before["alice"], viewers["alice"].see(lands.pk, at_table=True))]
    page, api = f"/tables/{lands.pk}/", f"/api/v1/tables/{lands.pk}/"
    assert {f"en {page}", f"ru {page}region/", f"en {page}log/", api, f"{api}log/"} <= set(changed)
    assert differences(before["bob"], viewers["bob"].see(lands.pk, at_table=True)) == []


def test_pieces_of_markup_kept_for_one_viewer_are_not_shown_to_another(lands, viewers):
    """Each gets the same page whoever asked before, with empty and with full caches."""
    act(lands.pk, "settle hittites")
    for eyes in viewers.values():
        body(eyes, f"/tables/{lands.pk}/")  # a page records what its reader has seen, so not between two others
    for path in (f"/tables/{lands.pk}/", f"/tables/{lands.pk}/region/", f"/tables/{lands.pk}/?a=destroy"):
        alone = {}
        for name in viewers:
            cache.clear()
            alone[name] = body(viewers[name], path)
        cache.clear()
        for name in (*viewers, *reversed(viewers)):
            assert body(viewers[name], path) == alone[name], (name, path)
        assert len({alone["alice"], alone["bob"], alone["visitor"]}) == 3


def body(eyes, path):
    return masked(eyes.client.get(path, headers={"Accept-Language": "ru"}).content)


KNOWN = r"drew (?:\d )?(?:Assyrian|Hittite|Mede|Sumerian|Persian)"


def test_cards_drawn_are_said_to_who_drew_them(lands, viewers):
    assert len(draws(lands.pk)) == 2
    for name, others in (("alice", "bob drew 3"), ("bob", "alice drew 3")):
        log = viewers[name].client.get(f"/tables/{lands.pk}/log/", headers={"Accept-Language": "en"}).content.decode().replace("\xa0", " ")
        assert re.search(f"{name} {KNOWN}", log)
        assert (f"{others} people cards" in log, f"{name} drew 3 people" in log) == (True, False)
        assert not re.search(f"{others.split()[0]} {KNOWN}", log)
    log = viewers["charlie"].client.get(f"/tables/{lands.pk}/log/", headers={"Accept-Language": "en"}).content.decode()
    assert "people cards" in log.replace("\xa0", " ")
    assert not re.search(KNOWN, log.replace("\xa0", " "))


# Undo and redo


def test_what_could_be_done_again_is_seen_by_its_seat_alone(lands, viewers, alice):
    act(lands.pk, "settle hittites", "settle persians")
    undo(lands.pk, alice)
    kept = load(lands.pk).table.undone
    assert kept == [[0, "settle persians"]]
    seen = {name: viewers[name].see(lands.pk, at_table=True) for name in ("alice", "bob", "visitor")}
    for undone in ([], [[0, "move hittites"], [0, "destroy"]]):
        Table.objects.filter(pk=lands.pk).update(undone=undone)
        for name in ("bob", "visitor"):
            assert differences(seen[name], viewers[name].see(lands.pk, at_table=True)) == [], name
    Table.objects.filter(pk=lands.pk).update(undone=[])
    assert differences(seen["alice"], viewers["alice"].see(lands.pk, at_table=True))
    api = {name: viewers[name].client.get(f"/api/v1/tables/{lands.pk}/").json() for name in viewers}
    assert not any("undone" in answer for answer in api.values())


@pytest.mark.parametrize("how", ["page", "api"])
def test_nothing_is_done_again_by_another_seat_or_a_stranger(lands, viewers, alice, how):
    act(lands.pk, "settle hittites")
    version = undo(lands.pk, alice).table.version
    before = snapshot(lands.pk)
    for name, status in (("bob", 409), ("charlie", 403)):
        if how == "page":
            answer = viewers[name].client.post(f"/tables/{lands.pk}/redo/", {"expected_version": version})
        else:
            answer = viewers[name].client.post(
                f"/api/v1/tables/{lands.pk}/redo/", {"expected_version": version}, content_type="application/json"
            )
        assert answer.status_code == status, name
        assert b"ittite" not in answer.content if how == "api" else True
    assert snapshot(lands.pk) == before


@pytest.mark.rule("babel#hidden-5")
def test_what_was_tried_and_taken_back_stays_in_the_log_of_everybody(lands, viewers, alice):
    """A card settled and then undone has been seen: the log does not pretend otherwise."""
    act(lands.pk, "settle hittites")
    undo(lands.pk, alice)
    for name in viewers:
        log = viewers[name].client.get(f"/tables/{lands.pk}/log/", headers={"Accept-Language": "en"}).content.decode()
        assert "alice settled 1 Hittite in Media." in log.replace("\xa0", " "), name
        assert "alice undid the last action." in log, name


@pytest.mark.rule("babel#hidden-4")
def test_nothing_that_showed_something_can_be_taken_back_and_looked_at_again(lands, alice, bob):
    """Halving, revealed cards and drawn cards end undo, and redo is forgotten."""
    half = "halve assyrians"
    act(lands.pk, "settle hittites", "settle persians")
    undo(lands.pk, alice)
    act(lands.pk, half)
    assert load(lands.pk).table.undone == []
    undo(lands.pk, alice)  # nobody has answered yet, so nothing has been revealed
    redo(lands.pk, alice)
    assert load(lands.pk).table.due == [1]
    act(lands.pk, some_half(lands.pk))
    refused_both(lands.pk, alice, bob)
    act(lands.pk, "settle persians")
    undo(lands.pk, alice)
    act(lands.pk, "end")  # two temple cards are revealed, and Bob draws
    assert load(lands.pk).table.due == [1]
    refused_both(lands.pk, alice, bob)


def refused_both(table_id, *users):
    table = load(table_id).table
    assert (table.line, table.undone) == ([], [])
    before = snapshot(table_id)
    for user in users:
        with pytest.raises(refusals.NothingToUndo):
            undo(table_id, user)
        with pytest.raises(refusals.NothingToRedo):
            redo(table_id, user)
    assert snapshot(table_id) == before


def test_what_was_taken_back_is_not_done_again_in_a_later_turn(lands, alice):
    act(lands.pk, "settle hittites")
    undo(lands.pk, alice)
    act(lands.pk, "end", "end")
    assert load(lands.pk).table.due == [0]
    with pytest.raises(refusals.NothingToRedo):
        redo(lands.pk, alice)


def test_an_end_of_a_turn_draws_the_same_cards_whatever_was_tried_before(alice, bob, fixed_secret):
    """Trying and undoing neither advances nor reads the sealed stream."""
    found = []
    for tried in ((), ("settle hittites", "destroy", "move persians")):
        table = table_of(alice, bob, LANDS)
        if tried:
            act(table.pk, *tried)
            for _ in tried:
                undo(table.pk, alice)
        assert load(table.pk).table.counters == {}
        found.append(act(table.pk, "end").table.counters)
    assert found[0] == found[1] != {}


# What the service does on its own


@pytest.mark.rule("babel#halving-2", "babel#readings-14")
@pytest.mark.parametrize("hand", ["MM", "MMMMM", "HM"])
def test_a_half_without_a_choice_is_given_up_by_its_owner(alice, bob, fixed_secret, hand):
    """Only the owner knows that there is nothing to choose: discarding a half at once would reveal the other half."""
    table = table_of(alice, bob, LANDS.replace("HMMSS", hand))
    loaded = act(table.pk, "halve assyrians")
    assert loaded.table.due == [1]
    version = loaded.table.version
    act(table.pk, some_half(table.pk))
    record = ActionRecord.objects.get(table_id=table.pk, version=version + 1)
    assert (record.by, record.actor) == ("player", 1)


@pytest.mark.parametrize("level", ["apprentice", "scribe"])
def test_a_bot_is_given_what_its_seat_may_know(alice, fixed_secret, monkeypatch, level):
    """Its view holds nothing of the other hand, and neither it nor the answer changes with what is hidden."""
    table = table_of(alice, None, LANDS, bots=[level], active=1, turn=9)
    loaded = load(table.pk)
    assert loaded.table.due == [1]
    own = loaded.game.view_for(loaded.state, 1)
    answer = str(loaded.game.choose_action(own, level, SeededRng(1)).action)
    for seed in range(3):
        other = loaded.game.view_for(vary(loaded.state, 1, SeededRng(seed)), 1)
        assert str(loaded.game.choose_action(other, level, SeededRng(1)).action) == answer
    change_secrets(table.pk, 1, seed=3)
    given = []
    original = loaded.game.choose_action

    def spying(*args, **kwargs):
        given.append(args)
        return original(*args, **kwargs)

    monkeypatch.setitem(vars(loaded.game), "choose_action", spying)
    tasks.play_bot(table.pk, loaded.table.version, 1)
    ((view, asked, _rng, *_budget),) = given
    assert (view, asked) == (own, level)
    assert view.hand == counts("HMMSS")


def test_the_record_is_open_at_the_end(lands, viewers):
    """Until then it is closed: `compare` asks for it."""
    secret = bytes(load(lands.pk).table.secret).hex().encode()
    drawn = draws(lands.pk)
    for name in ("bob", "visitor"):
        for path in (f"/tables/{lands.pk}/record/", f"/api/v1/tables/{lands.pk}/record/", f"/api/v1/tables/{lands.pk}/record/?full=1"):
            assert viewers[name].client.get(path, headers=viewers[name].bearer).status_code == 409
    assert play_on(lands.pk).table.status == "finished"
    record = viewers["visitor"].client.get(f"/tables/{lands.pk}/record/").content
    assert secret in record
    assert all(text.encode() in record for text in drawn), "at the end everything can be checked"
