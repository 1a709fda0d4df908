"""What was played together is undone together and redone together, each action with its own record."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from django.urls import reverse

from games.core.contract import Event
from games.core.records import verify_record
from games.registry import game
from portal.tables import past, refusals, selectors, services
from portal.tables.chain import chain_of
from portal.tables.loading import load
from portal.tables.models import ActionRecord, Table
from portal.tables.recent import kept
from portal.tables.selectors import LogLine
from portal.tables.speaker import Speaker

from .driver import at_position, play_on
from .test_baskets import browser, post, texts

pytestmark = pytest.mark.django_db
BASKET = {"lot:equip grain": "2", "lot:equip gold": "1", "basket": "ready"}
PLAYED = ["equip grain", "equip grain", "equip gold", "ready"]


@pytest.fixture
def empire(alice):
    """A table of After the Flood where Alice equips an empire."""
    return at_position(alice, "after_the_flood/equip")


def undo(table, user):
    return services.undo_action(table_id=table.pk, user=user, expected_version=load(table.pk).table.version)


def redo(table, user):
    return services.redo_action(table_id=table.pk, user=user, expected_version=load(table.pk).table.version)


def act(table, user, action, before=()):
    version = load(table.pk).table.version
    return services.submit_action(table_id=table.pk, user=user, action=action, before=before, expected_version=version)


def as_json(loaded):
    return loaded.game.state_to_json(loaded.state)


def test_one_undo_takes_the_whole_basket_back_and_one_redo_plays_it_again(empire, alice):
    before = as_json(load(empire.pk))
    first = load(empire.pk).table.seq
    assert post(empire, alice, **BASKET).status_code == 303
    full = as_json(load(empire.pk))
    undone = undo(empire, alice)
    assert as_json(undone) == before
    assert texts(empire)[-1] == f"undo {first}", "nothing is deleted"
    assert undone.table.undone == [[undone.seat_of(alice), *PLAYED]]
    may = selectors.page_of(undone, alice).may
    assert (may.undo, may.redo) == (False, True)
    with pytest.raises(refusals.NothingToUndo):
        undo(empire, alice)
    again = redo(empire, alice)
    assert as_json(again) == full
    redone = list(ActionRecord.objects.filter(table=empire, by="redo").values_list("text", "version"))
    assert [text for text, _ in redone] == PLAYED, "each has its own record"
    assert len({version for _, version in redone}) == 1
    may = selectors.page_of(again, alice).may
    assert (may.undo, may.redo) == (True, False)
    assert as_json(undo(empire, alice)) == before, "what was redone together is undone together"


def test_actions_of_their_own_are_still_undone_one_by_one(empire, alice):
    act(empire, alice, "equip wood")
    act(empire, alice, "equip oil")
    middle = as_json(load(empire.pk))
    act(empire, alice, "ready", before=["equip grain", "equip tool"])
    assert as_json(undo(empire, alice)) == middle
    undone = undo(empire, alice)
    assert [entry[1:] for entry in undone.table.undone] == [["equip grain", "equip tool", "ready"], ["equip oil"]]
    redo(empire, alice)
    redo(empire, alice)
    assert texts(empire)[-4:] == ["equip oil", "equip grain", "equip tool", "ready"]


def test_a_move_made_otherwise_ends_what_can_be_redone(empire, alice):
    act(empire, alice, "ready", before=["equip grain"])
    undo(empire, alice)
    act(empire, alice, "equip wood")
    with pytest.raises(refusals.NothingToRedo):
        redo(empire, alice)


def test_tables_of_the_release_before_undo_one_by_one(empire, alice):
    """Their lines don't say what was played together."""
    act(empire, alice, "equip gold", before=["equip grain"])
    table = Table.objects.get(pk=empire.pk)
    table.line = [entry[:3] for entry in table.line]
    table.save(update_fields=["line"])
    undo(empire, alice)
    undone = undo(empire, alice)
    assert [entry[1:] for entry in undone.table.undone] == [["equip gold"], ["equip grain"]]
    assert undone.table.state == empire.state


def test_log_reel_replay_and_api_agree_on_what_was_undone(empire, alice):
    opened = load(empire.pk)
    played = act(empire, alice, "ready", before=["equip grain", "equip gold"])
    undone = undo(empire, alice)
    line = past.line_of(undone)
    assert [entry.text for entry in line] == texts(empire)[: opened.table.seq]
    before, moments = past.moments_since(undone, played.table.version, 40)  # of a page that still shows the basket
    assert (undone.game.state_to_json(before), moments) == (as_json(undone), [])
    page = selectors.page_of(undone, alice)
    told = page.log.lines[0]
    assert (told.by, told.event.key, told.event.params["n"]) == ("undo", "table.undone_all", 3)
    html = browser(alice).get(reverse("table", args=[empire.pk])).content.decode()
    assert "undid the last 3 actions." in html
    answer = browser(alice).get(f"/api/v1/tables/{empire.pk}/").json()
    assert (answer["can_undo"], answer["can_redo"]) == (False, True)
    redone = redo(empire, alice)
    assert [entry.text for entry in past.line_of(redone)][-3:] == ["equip grain", "equip gold", "ready"]


def test_the_record_of_a_game_with_an_undone_basket_verifies(empire, alice):
    act(empire, alice, "ready", before=["equip grain", "equip gold"])
    undo(empire, alice)
    redo(empire, alice)
    undo(empire, alice)
    act(empire, alice, "ready", before=["equip wood"])
    assert play_on(empire.pk).table.status == "finished"
    data = json.loads(json.dumps(selectors.record_of(empire.pk, full=True)))
    verdict = verify_record(data, game)
    assert verdict.is_good, verdict.problems
    assert verdict.sealed
    kinds = [entry[3] for entry in data["log"]]
    assert (kinds.count("undo"), kinds.count("redo")) == (2, 3)
    assert [text for _, text in data["actions"][:2]] == ["equip wood", "ready"], "what was undone isn't in the record"


def test_the_chain_of_a_turn_loses_all_that_was_undone_together(alice):
    """Babel shows its turns as chains."""
    opened = services.create_table(owner=alice, game_key="babel", seats=2, bots=["apprentice"])
    page = selectors.page_of(opened, alice)
    params = {"seat": 0, "people": "persians", "land": "land_persians"}

    def line(seq, key, by="player", **more):
        return LogLine(seq, seq, opened.table.created_at, 0, Event(key, params | more), by)

    start = line(1, "drew", "chance")
    moved = [line(seq, "moved") for seq in (2, 3, 4)]
    for undone, left in ((line(5, "table.undone_all", "undo", kept=2, n=2), 1), (line(5, "table.undone", "undo"), 2)):
        lines = [undone, *reversed(moved), start]
        chain = chain_of(replace(page, log=replace(page.log, told=lines)), Speaker("babel", "en", page.names, 0))
        assert len(chain["steps"]) == left


def test_older_lines_of_a_chained_turn_lose_all_that_was_undone_together():
    rules = game("babel")
    moved = {"k": "moved", "p": {"seat": 0}}

    def line(seq, event, by="player"):
        return {"q": seq, "n": seq, "a": 0, "b": by, "t": 0, "e": [event]}

    start = line(1, {"k": "drew", "p": {"seat": 0}}, "chance")
    undone = line(5, {"k": "table.undone_all", "p": {"seat": 0, "kept": 2, "n": 2}}, "undo")
    older = [start, *[line(seq, moved) for seq in (2, 3, 4)], undone]
    newest = [line(seq, moved) for seq in range(6, 26)]
    assert [entry["q"] for entry in kept([*older, *newest], rules)] == [1, 2, *range(6, 26)]
