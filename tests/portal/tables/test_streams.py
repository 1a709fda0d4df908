"""What the lines of a program's stream say: the reader's view, what happened since, and what is over or gone."""

from __future__ import annotations

import json

import pytest
from django.core.cache import cache
from django.db import OperationalError

from portal.accounts import tokens
from portal.accounts.models import ApiToken
from portal.common import api_views
from portal.common.limits import Guesses
from portal.live.programs import OPENED, POSSIBLE
from portal.tables import feed, services
from portal.tables.feed import Feed
from portal.tables.models import ActionRecord, Seat, Table
from tests.portal.api.asking import ROOT, Person, code_of
from tests.portal.tables.driver import play_on
from tests.portal.tables.ending import end

pytestmark = pytest.mark.django_db
AS_AT_THE_TABLE = ("version", "game", "status", "my_seat", "view", "question", "legal", "due", "outcome")


def lines(person, path):
    answer = person.get(path)
    assert (answer.status_code, answer["Content-Type"], answer["Cache-Control"]) == (200, "application/x-ndjson", "no-store")
    return [json.loads(line) for line in answer.content.splitlines()]


@pytest.fixture
def turn(duel):
    """The duel, after some moves, at a moment when Alice is due."""
    return play_on(duel.pk, until=lambda now: now.table.due == [0] and now.table.version > 9).table


def test_a_line_is_what_the_table_says_from_the_reader_s_seat(turn, alice, bob):
    for person, kind in ((alice, "your_move"), (bob, "state")):
        mine, alive = lines(Person(person), "stream/")
        table = Person(person).get(f"tables/{turn.pk}/").json()
        assert {name: mine[name] for name in AS_AT_THE_TABLE} == {name: table[name] for name in AS_AT_THE_TABLE}
        assert (mine["type"], mine["table"], mine["events"]) == (kind, turn.pk, [])
        assert alive.keys() == {"type", "at"}
        assert lines(Person(person), f"tables/{turn.pk}/moves/")[0] | {"at": ""} == mine | {"at": ""}


def test_whoever_says_what_they_know_hears_what_happened_since(turn, alice):
    log = Person(alice).get(f"tables/{turn.pk}/log/").json()
    for since in (turn.version - 1, max(1, turn.version - 6), 0):
        (line, _alive) = lines(Person(alice), f"stream/?since={turn.pk}:{since}")
        expected = [event for event in reversed(log) if event["version"] > since]
        assert [(event["seq"], event["key"], event["text"]) for event in line["events"]] == [
            (event["seq"], event["key"], event["text"]) for event in expected
        ]
        assert expected
    assert [line["type"] for line in lines(Person(alice), f"stream/?since={turn.pk}:{turn.version}")] == ["alive"]
    assert [line["type"] for line in lines(Person(alice), f"tables/{turn.pk}/moves/?since={turn.version}")] == ["alive"]


def test_of_a_long_absence_the_records_tell(duel, alice):
    now = play_on(duel.pk, until=lambda now: now.table.seq > 60).table
    (line, _alive) = lines(Person(alice), f"stream/?since={now.pk}:1")
    told = [event["seq"] for event in line["events"]]
    records = ActionRecord.objects.filter(table=now, version__gt=1).order_by("seq")
    assert told == [record.seq for record in records for _event in record.events]
    assert len(set(told)) > 20


def test_the_end_is_told_once(turn, alice, charlie):
    end(turn.pk)
    over = Table.objects.get(pk=turn.pk)
    line, alive = lines(Person(alice), f"stream/?since={turn.pk}:{turn.version}")
    assert (line["type"], line["status"], line["legal"], line["version"]) == ("over", "finished", [], over.version)
    assert line["outcome"] == Person(alice).get(f"tables/{turn.pk}/").json()["outcome"]
    assert alive["type"] == "alive"
    assert [told["type"] for told in lines(Person(alice), f"stream/?since={turn.pk}:{over.version}")] == ["alive"]
    assert [told["type"] for told in lines(Person(alice), "stream/")] == ["alive"]
    assert lines(Person(charlie), f"tables/{turn.pk}/moves/")[0]["type"] == "over"


def test_whoever_has_left_is_told_no_more_than_that(turn, alice, bob, charlie):
    services.leave_table(table_id=turn.pk, user=bob)
    expected = {"type": "gone", "table": turn.pk}
    for person in (bob, charlie):
        line, _alive = lines(Person(person), f"stream/?since={turn.pk}:1")
        assert line.pop("at")
        assert line == expected
    hidden = lines(Person(charlie), "stream/?since=987654:1")[0]
    assert (hidden["type"], hidden["table"]) == ("gone", 987654)


def test_a_private_table_is_hidden_from_its_stream(alice, bob, charlie):
    table = services.create_table(owner=alice, game_key="ra", seats=2, privacy="link").table
    assert code_of(Person(charlie).get(f"tables/{table.pk}/moves/")) == "table_not_found"
    assert Person().get(f"tables/{table.pk}/moves/").status_code == 404
    assert lines(Person(charlie), f"stream/?since={table.pk}:1")[0]["type"] == "gone"
    assert lines(Person(alice), "stream/")[0]["status"] == "open"


@pytest.mark.parametrize("since", ["17", "17:", ":4", "17:x", "17:4,", "0:1", "17:99999999999", f"{2**63}:1", "17:-1", "١:1"])
def test_what_is_no_list_of_versions_is_refused(alice, since):
    answer = Person(alice).get(f"stream/?since={since}")
    assert (answer.status_code, code_of(answer)) == (400, "invalid")


def test_too_many_tables_and_a_wrong_version_are_refused(turn, alice):
    answer = Person(alice).get("stream/?since=" + ",".join(f"{n}:1" for n in range(1, 502)))
    assert (answer.status_code, code_of(answer)) == (400, "invalid")
    assert Person(alice).get(f"tables/{turn.pk}/moves/?since=17:1").status_code == 400


def test_only_a_token_opens_a_stream_and_programs_may_say_what_they_take(turn, alice, client):
    client.force_login(alice)
    assert client.get(f"{ROOT}stream/").status_code == 401
    assert client.get(f"{ROOT}tables/{turn.pk}/moves/").content.splitlines()[0] != b""
    person = Person(alice)
    assert person.client.get(f"{ROOT}stream/", headers={"accept": "application/x-ndjson"}).status_code == 200
    refused = Person().client.get(f"{ROOT}stream/", headers={"accept": "application/x-ndjson"})
    assert (refused.status_code, refused["Content-Type"]) == (401, "application/problem+json")


def handed_over(alice, path):
    """Return what the server would hold: the opening that the view leaves in the environment."""
    client = Person(alice).client
    return client.get(ROOT + path, **{POSSIBLE: True}).wsgi_request.META[OPENED]


def test_a_held_stream_asks_again_whether_its_reader_may_read(turn, alice):
    opening = handed_over(alice, f"stream/?since={turn.pk}:3")
    assert (opening.person, opening.table, opening.had) == (alice.pk, None, {turn.pk: 3})
    assert Feed().may_read(opening)
    ApiToken.objects.all().delete()
    assert not Feed().may_read(opening)


def test_wrong_tokens_and_many_requests_from_the_same_place_keep_no_stream_alive(turn, alice, monkeypatch):
    """Else a thief with a stream that is open could make it outlive the token."""
    opening = handed_over(alice, "stream/")
    monkeypatch.setattr(tokens, "GUESSES", Guesses("api-token", limit=0, window_s=60))
    monkeypatch.setattr(api_views, "REQUESTS_A_MINUTE", 0)
    assert Person(alice).get("me/").status_code == 429
    assert Feed().may_read(opening), "and they end none"
    ApiToken.objects.all().delete()
    assert not Feed().may_read(opening)


def test_a_check_counts_as_no_request_and_no_guess(turn, alice, monkeypatch):
    opening = handed_over(alice, "stream/")
    counted = []
    monkeypatch.setattr(api_views, "use", lambda *given, **more: counted.append(given))
    monkeypatch.setattr(Guesses, "count", lambda *given: counted.append(given))
    assert Feed().may_read(opening)
    ApiToken.objects.all().delete()
    assert not Feed().may_read(opening)
    assert counted == []


def test_what_is_for_bots_alone_is_in_no_line(alice, bob, charlie):
    table = services.create_table(owner=alice, game_key="ra", seats=2, bots=["apprentice"]).table
    now = play_on(table.pk, until=lambda now: now.state.epoch > 1 and 0 in now.table.due)
    assert now.game.view_for(now.state, 0).remembered
    for person in (alice, charlie):
        line = lines(Person(person), f"tables/{table.pk}/moves/")[0]
        assert "remembered" not in line["view"]
        assert line["view"] == Person(person).get(f"tables/{table.pk}/").json()["view"]


def test_with_an_older_copy_of_the_database_a_program_hears_what_counts_now(turn, alice):
    line, _alive = lines(Person(alice), f"stream/?since={turn.pk}:{turn.version + 5}")
    assert (line["type"], line["version"], line["events"]) == ("your_move", turn.version, [])


def test_a_held_stream_ends_for_a_closed_account_and_a_table_that_is_hidden_by_now(turn, alice, charlie):
    opening = handed_over(charlie, f"tables/{turn.pk}/moves/")
    assert Feed().may_read(opening)
    Table.objects.filter(pk=turn.pk).update(privacy="link")
    assert not Feed().may_read(opening)
    mine = handed_over(alice, "stream/")
    alice.is_active = False
    alice.save()
    assert not Feed().may_read(mine)


def watches(client, table):
    """As whom the program of a client is counted among the spectators of a table: person and whether by name."""
    opening = client.get(f"{ROOT}tables/{table.pk}/moves/", **{POSSIBLE: True}).wsgi_request.META[OPENED]
    return (opening.watches.viewer, opening.watches.is_named) if opening.watches is not None else None


def test_a_program_that_follows_a_table_is_a_spectator_by_name_if_its_person_shows_that(turn, alice, charlie):
    assert turn.privacy == Table.Privacy.PUBLIC
    assert watches(Person().client, turn) == (0, False)
    assert watches(Person(charlie).client, turn) == (charlie.pk, True)
    charlie.shows_watching = False
    charlie.save()
    assert watches(Person(charlie).client, turn) == (charlie.pk, False)
    assert watches(Person(alice).client, turn) is None, "players don't watch"
    assert handed_over(charlie, "stream/").watches is None


def test_whoever_may_come_back_is_no_spectator_and_nobody_is_when_the_game_is_over(turn, charlie, alice):
    Seat.objects.filter(table=turn, index=0).update(user=None, left_user=alice, is_away=True)
    assert watches(Person(alice).client, turn) is None
    Seat.objects.filter(table=turn, index=0).update(is_away=False)
    assert watches(Person(alice).client, turn) == (alice.pk, True), "she has left for good"
    end(turn.pk)
    assert watches(Person(charlie).client, turn) is None


def test_a_held_stream_finds_out_that_its_reader_sits_down_or_hides(alice, charlie):
    table = services.create_table(owner=alice, game_key="ra", seats=3).table
    opening = handed_over(charlie, f"tables/{table.pk}/moves/")
    charlie.shows_watching = False
    charlie.save()
    assert Feed().may_read(opening)
    assert (opening.watches.viewer, opening.watches.is_named) == (charlie.pk, False)
    services.join_table(table_id=table.pk, user=charlie)
    (line,) = Feed().lines(table.pk, [(opening, None)])
    assert (json.loads(line.body)["my_seat"], opening.watches) == (1, None)


def test_one_reading_serves_both_players_and_each_gets_their_own_view(turn, alice, bob, django_assert_num_queries):
    openings = [handed_over(person, "stream/") for person in (alice, bob)]
    with django_assert_num_queries(1):
        first, second = Feed().lines(turn.pk, [(opening, turn.version - 1) for opening in openings])
    assert (json.loads(first.body)["my_seat"], json.loads(second.body)["my_seat"]) == (0, 1)
    assert json.loads(second.body)["legal"] == []


def test_a_line_that_cannot_be_made_is_a_fault_for_its_reader_alone(turn, alice, bob, charlie, monkeypatch, caplog):
    openings = [handed_over(person, "stream/") for person in (alice, bob)]
    made = feed.page_of

    def broken(loaded, user):
        if user == alice:
            raise KeyError("no such piece")
        return made(loaded, user)

    monkeypatch.setattr(feed, "page_of", broken)
    first, second = Feed().lines(turn.pk, [(opening, turn.version - 1) for opening in openings])
    fault = json.loads(first.body)
    assert fault.pop("at")
    assert fault == {"type": "fault", "table": turn.pk, "version": turn.version}
    assert not first.is_last
    assert json.loads(second.body)["type"] == "state"
    assert f"line of table {turn.pk} at version {turn.version} not made" in caplog.text
    assert Feed().lines(turn.pk, [(openings[0], turn.version)]) == [None]
    hidden = handed_over(charlie, "stream/")
    assert json.loads(Feed().lines(turn.pk, [(hidden, None)])[0].body)["type"] == "gone"


def test_an_event_that_cannot_be_said_holds_up_no_move(turn, alice, monkeypatch, caplog):
    said = feed.line_json
    lost = []

    def broken(line, speaker):
        if not lost or line.seq == lost[0]:
            lost[:] = [line.seq]
            raise KeyError("no such sentence")
        return said(line, speaker)

    (whole, _alive) = lines(Person(alice), f"stream/?since={turn.pk}:1")
    monkeypatch.setattr(feed, "line_json", broken)
    (line, _alive) = lines(Person(alice), f"stream/?since={turn.pk}:1")
    assert (whole["events_missing"], line["events_missing"]) == (False, True)
    assert line["events"] == [event for event in whole["events"] if event["seq"] != lost[0]]
    assert line["events"] and line["legal"] == whole["legal"]
    assert f"of step {lost[0]} of table {turn.pk} can't be said" in caplog.text


def test_a_database_that_is_away_is_no_fault(turn, alice, monkeypatch):
    def away(loaded, user):
        raise OperationalError("away")

    monkeypatch.setattr(feed, "page_of", away)
    with pytest.raises(OperationalError):
        Feed().lines(turn.pk, [(handed_over(alice, "stream/"), None)])


def test_all_people_are_looked_up_together(turn, alice, bob, charlie, django_assert_num_queries):
    waiting = services.create_table(owner=charlie, game_key="babel", seats=2).table
    with django_assert_num_queries(2):
        theirs, versions = Feed().look([alice.pk, bob.pk, charlie.pk], [turn.pk, 987654])
    assert theirs == {alice.pk: {turn.pk: turn.version}, bob.pk: {turn.pk: turn.version}, charlie.pk: {waiting.pk: waiting.version}}
    assert versions == {turn.pk: turn.version}
    with django_assert_num_queries(2):
        seats, fixed = Feed().seated([turn.pk, waiting.pk], [bob.pk, charlie.pk])
    assert (seats, list(fixed)) == ({turn.pk: [bob.pk], waiting.pk: [charlie.pk]}, [turn.pk])


def test_sentences_are_in_the_reader_s_language(turn, alice):
    alice.language = "hu"
    alice.save(update_fields=["language"])
    cache.clear()
    opening = handed_over(alice, "stream/")
    (line,) = Feed().lines(turn.pk, [(opening, 0)])
    assert json.loads(line.body)["question"] == Person(alice).get(f"tables/{turn.pk}/").json()["question"]
