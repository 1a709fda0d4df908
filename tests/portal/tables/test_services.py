"""The one way to act and everything around it: seats, permissions, undo, orders, chance, the end."""

from __future__ import annotations

import hashlib
import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.core.contract import CHANCE, SCORER
from games.core.records import verify_record
from games.registry import game
from portal.tables import refusals, selectors, services
from portal.tables.loading import load
from portal.tables.models import ActionRecord, Seat, Table

from .driver import play_on, snapshot

pytestmark = pytest.mark.django_db


def due_user(table_id):
    loaded = load(table_id)
    return loaded.seats[loaded.table.due[0]].user


def act(table_id, text, user=None, version=None):
    if version is None:
        version = Table.objects.get(pk=table_id).version
    return services.submit_action(table_id=table_id, user=user or due_user(table_id), action=text, expected_version=version)


# Before the start


def test_a_table_opens_with_the_commitment_of_its_secret(alice):
    loaded = services.create_table(owner=alice, game_key="ra", seats=4)
    table = Table.objects.get(pk=loaded.table.pk)
    assert table.commitment == hashlib.sha256(bytes(table.secret)).hexdigest()
    assert len(bytes(table.secret)) == 32
    assert (table.status, table.version, table.state) == ("open", 0, None)


def test_two_tables_have_two_secrets(alice):
    first, second = (services.create_table(owner=alice, game_key="ra", seats=4).table for _ in range(2))
    assert bytes(first.secret) != bytes(second.secret)


def test_a_table_full_of_bots_starts_at_once(alice):
    loaded = services.create_table(owner=alice, game_key="ra", seats=3, bots=["scribe", "apprentice"])
    table = Table.objects.get(pk=loaded.table.pk)
    assert (table.status, table.version) == ("playing", 1)
    assert [seat.bot_level for seat in loaded.seats] == ["", "scribe", "apprentice"]
    assert len({seat.bot_name for seat in loaded.seats}) == 3


def test_the_last_person_to_sit_down_starts_the_game(alice, bob):
    loaded = services.create_table(owner=alice, game_key="ra", seats=2)
    assert services.join_table(table_id=loaded.table.pk, user=bob).table.status == "playing"
    assert ActionRecord.objects.get(table_id=loaded.table.pk, seq=1).text.startswith("deal ")


def test_sitting_down_twice_takes_one_seat(alice, bob):
    table_id = services.create_table(owner=alice, game_key="ra", seats=4).table.pk
    for _ in range(2):
        services.join_table(table_id=table_id, user=bob)
    assert [seat.user for seat in load(table_id).seats] == [alice, bob, None, None]


def test_a_full_or_running_table_takes_nobody(table, charlie):
    with pytest.raises(refusals.WrongStatus):
        services.join_table(table_id=table.pk, user=charlie)


@pytest.mark.parametrize(
    "change",
    [
        {"game_key": "chess"},
        {"seats": 1},
        {"seats": 6},
        {"bots": ["oracle"]},
        {"bots": ["scribe"] * 4},
        {"options": {"nonsense": True}},
        {"options": {"open_fame": "yes"}},
        {"word": "x" * 61},
        {"word": "a\nb"},
        {"position": {"format": "nonsense"}},
    ],
)
def test_a_table_that_cannot_be_is_not_opened(alice, change):
    with pytest.raises(refusals.BadSetting):
        services.create_table(**{"owner": alice, "game_key": "ra", "seats": 4} | change)
    assert not Table.objects.exists()


def test_only_the_owner_starts_and_seats_bots(alice, bob, charlie):
    table_id = services.create_table(owner=alice, game_key="ra", seats=4).table.pk
    services.join_table(table_id=table_id, user=bob)
    for stranger in (bob, charlie):
        for attempt, more in (
            (services.start_table, {}),
            (services.add_bot, {"level": "scribe"}),
            (services.remove_bot, {"seat": 2}),
        ):
            before = snapshot(table_id)
            with pytest.raises(refusals.NotYourSeat):
                attempt(table_id=table_id, user=stranger, **more)
            assert snapshot(table_id) == before
    services.add_bot(table_id=table_id, user=alice, level="scribe")
    services.remove_bot(table_id=table_id, user=alice, seat=2)
    loaded = services.start_table(table_id=table_id, user=alice)
    assert loaded.table.status == "playing"
    assert [seat.bot_level for seat in loaded.seats] == ["", "", "apprentice", "apprentice"]


def test_an_open_table_closes_when_its_owner_goes(alice, bob):
    table_id = services.create_table(owner=alice, game_key="ra", seats=4).table.pk
    services.join_table(table_id=table_id, user=bob)
    services.leave_table(table_id=table_id, user=bob)
    assert load(table_id).seats[1].user is None
    services.leave_table(table_id=table_id, user=alice)
    assert load(table_id).table.status == "abandoned"


# The one way to act


def test_an_action_is_recorded_with_the_chance_behind_it(duel):
    loaded = act(duel.pk, "draw")
    records = list(ActionRecord.objects.filter(table_id=duel.pk, version=loaded.table.version))
    assert [(record.actor >= 0, record.by) for record in records][:2] == [(True, "player"), (False, "chance")]
    assert records[0].text == "draw"
    assert records[1].text.startswith("tile ")
    assert loaded.table.version == duel.version + 1


def test_a_stored_table_equals_its_replayed_log(duel):
    loaded = play_on(duel.pk, until=lambda loaded: loaded.table.seq > 60)
    rules = game("ra")
    state = rules.setup(2, loaded.table.options)
    for record in ActionRecord.objects.filter(table_id=duel.pk):
        state, _ = rules.apply(state, record.actor, rules.parse_action(record.text))
    assert rules.state_to_json(state) == loaded.table.state


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("fly", refusals.BadAction),
        ("", refusals.BadAction),
        ("bid", refusals.BadAction),
        ("draw\x00", refusals.BadAction),
        ("d" * 100_000, refusals.BadAction),
        (None, refusals.BadAction),
        (["draw"], refusals.BadAction),
        ("score", refusals.TableRefusal),
        ("tile gold", refusals.TableRefusal),
        ("bid 13", refusals.Refused),
        ("pass", refusals.Refused),
        ("god gold", refusals.Refused),
        ("discard civ_art", refusals.Refused),
    ],
)
def test_a_bad_action_changes_nothing(duel, text, error):
    before = snapshot(duel.pk)
    with pytest.raises(error):
        act(duel.pk, text)
    assert snapshot(duel.pk) == before


def test_a_refusal_names_its_paragraph(duel):
    with pytest.raises(refusals.Refused) as caught:
        act(duel.pk, "pass")
    assert caught.value.rule.startswith("ra#")
    assert f"{caught.value.cause.reason}" in game("ra").phrases


@pytest.mark.parametrize("offset", [-1, 1, 1000])
def test_another_version_is_stale(duel, offset):
    before = snapshot(duel.pk)
    with pytest.raises(refusals.StaleTable):
        act(duel.pk, "draw", version=duel.version + offset)
    assert snapshot(duel.pk) == before


@pytest.mark.parametrize("version", [None, "1", 1.0, True])
def test_a_version_that_is_no_number_is_refused(duel, version):
    with pytest.raises(refusals.BadAction):
        services.submit_action(table_id=duel.pk, user=due_user(duel.pk), action="draw", expected_version=version)


@pytest.mark.parametrize("table_id", [0, -1, 10**30, 999_999, "1", None])
def test_an_unknown_table_is_not_found(alice, table_id):
    with pytest.raises(refusals.TableNotFound):
        services.submit_action(table_id=table_id, user=alice, action="draw", expected_version=1)


def test_nobody_acts_for_another_seat(duel, alice, bob, charlie):
    due = due_user(duel.pk)
    other = bob if due == alice else alice
    before = snapshot(duel.pk)
    with pytest.raises(refusals.NotDue):
        act(duel.pk, "draw", user=other)
    with pytest.raises(refusals.NotYourSeat):
        act(duel.pk, "draw", user=charlie)
    with pytest.raises(refusals.NotYourSeat):
        services.submit_action(table_id=duel.pk, user=other, actor=duel.due[0], action="draw", expected_version=duel.version)
    for actor in (CHANCE, SCORER):
        with pytest.raises(refusals.NotYourSeat):
            services.submit_action(table_id=duel.pk, user=due, actor=actor, action="score", expected_version=duel.version)
    assert snapshot(duel.pk) == before


def test_a_finished_table_takes_no_action(duel):
    play_on(duel.pk)
    table = Table.objects.get(pk=duel.pk)
    user = load(duel.pk).seats[0].user
    before = snapshot(duel.pk)
    with pytest.raises(refusals.WrongStatus):
        services.submit_action(table_id=duel.pk, user=user, action="draw", expected_version=table.version)
    with pytest.raises(refusals.WrongStatus):
        services.leave_table(table_id=duel.pk, user=user)
    assert snapshot(duel.pk) == before


def statements(table_id):
    user, version = due_user(table_id), Table.objects.get(pk=table_id).version
    with CaptureQueriesContext(connection) as queries:
        act(table_id, "draw", user=user, version=version)
    return [query["sql"] for query in queries if not query["sql"].startswith(("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT"))]


def test_a_move_costs_four_statements_early_and_late(duel):
    """Lock and read, write the records, write the snapshot, tell whose turn it is; a request also reads the person."""

    def can_draw(loaded):
        due = loaded.table.due
        return bool(due) and due[0] >= 0 and "draw" in map(str, loaded.game.legal_actions(loaded.state, due[0]))

    early = statements(duel.pk)
    play_on(duel.pk, until=lambda loaded: loaded.table.seq > 60 and can_draw(loaded))
    late = statements(duel.pk)
    assert len(early) == 4, early
    assert len(late) in (3, 4), late  # whoever goes on is told nothing


def test_chance_follows_from_secret_and_words_alone(alice, bob, fixed_secret):
    def first_draws(words):
        table_id = services.create_table(owner=alice, game_key="ra", seats=2, word=words[0]).table.pk
        services.join_table(table_id=table_id, user=bob, word=words[1])
        play_on(table_id, until=lambda loaded: loaded.table.seq > 40)
        return list(ActionRecord.objects.filter(table_id=table_id, actor=CHANCE).values_list("text", flat=True))

    assert first_draws(["x", "y"]) == first_draws(["x", "y"])
    assert first_draws(["x", "y"]) != first_draws(["x", "z"])


# Undo


def reach_a_call(table_id):
    """Play until a seat may call and the person due acts without chance."""
    return play_on(table_id, until=lambda loaded: loaded.table.status == "playing" and not loaded.table.line and loaded.table.due[0] >= 0)


def test_a_call_can_be_taken_back_until_somebody_else_acts(duel):
    loaded = reach_a_call(duel.pk)
    user, state, seq = due_user(duel.pk), loaded.table.state, loaded.table.seq
    after = act(duel.pk, "call")
    assert selectors.page_of(after, user).may.undo
    undone = services.undo_action(table_id=duel.pk, user=user, expected_version=after.table.version)
    assert undone.table.state == state
    assert undone.table.version == after.table.version + 1
    assert list(ActionRecord.objects.filter(table_id=duel.pk, seq__gt=seq).values_list("by", flat=True)) == ["player", "undo"]
    again = act(duel.pk, "call")
    assert game("ra").state_to_json(again.state) == after.table.state


def test_undo_is_refused_after_chance_another_seat_or_twice(duel):
    act(duel.pk, "draw")
    for user in [seat.user for seat in load(duel.pk).seats]:
        with pytest.raises(refusals.NothingToUndo):
            services.undo_action(table_id=duel.pk, user=user, expected_version=load(duel.pk).table.version)
    reach_a_call(duel.pk)
    caller = due_user(duel.pk)
    act(duel.pk, "call")
    other = due_user(duel.pk)
    assert other != caller
    legal = load(duel.pk).game.legal_actions(load(duel.pk).state, load(duel.pk).table.due[0])
    act(duel.pk, str(legal[0]))
    with pytest.raises(refusals.NothingToUndo):
        services.undo_action(table_id=duel.pk, user=caller, expected_version=load(duel.pk).table.version)


def redo(table_id, user):
    return services.redo_action(table_id=table_id, user=user, expected_version=load(table_id).table.version)


def test_what_was_taken_back_can_be_done_again_once(duel):
    reach_a_call(duel.pk)
    user = due_user(duel.pk)
    called = act(duel.pk, "call")
    services.undo_action(table_id=duel.pk, user=user, expected_version=called.table.version)
    seq = load(duel.pk).table.seq
    assert selectors.page_of(load(duel.pk), user).may.redo
    again = redo(duel.pk, user)
    assert again.table.state == called.table.state
    assert list(ActionRecord.objects.filter(table_id=duel.pk, seq__gt=seq).values_list("by", "text")) == [("redo", "call")]
    page = selectors.page_of(load(duel.pk), user)
    assert (page.may.undo, page.may.redo) == (True, False)
    with pytest.raises(refusals.NothingToRedo):
        redo(duel.pk, user)
    undone = services.undo_action(table_id=duel.pk, user=user, expected_version=load(duel.pk).table.version)
    assert undone.table.undone == [[undone.table.due[0], "call"]]
    play_on(duel.pk)
    data = selectors.record_of(duel.pk, full=True)
    assert verify_record(data, game).is_good
    assert [entry[3] for entry in data["log"]].count("redo") == 1


def test_redo_is_gone_when_anybody_has_acted_otherwise_and_is_nobody_elses(duel, charlie):
    reach_a_call(duel.pk)
    user = due_user(duel.pk)
    called = act(duel.pk, "call")
    services.undo_action(table_id=duel.pk, user=user, expected_version=called.table.version)
    other = next(seat.user for seat in load(duel.pk).seats if seat.user != user)
    before = snapshot(duel.pk)
    with pytest.raises(refusals.NothingToRedo):
        redo(duel.pk, other)
    with pytest.raises(refusals.NotYourSeat):
        redo(duel.pk, charlie)
    assert snapshot(duel.pk) == before
    assert not selectors.page_of(load(duel.pk), other).may.redo
    act(duel.pk, "draw")
    assert load(duel.pk).table.undone == []
    with pytest.raises(refusals.NothingToRedo):
        redo(duel.pk, user)


def test_a_stranger_undoes_nothing(duel, charlie):
    reach_a_call(duel.pk)
    act(duel.pk, "call")
    before = snapshot(duel.pk)
    with pytest.raises(refusals.NotYourSeat):
        services.undo_action(table_id=duel.pk, user=charlie, expected_version=load(duel.pk).table.version)
    assert snapshot(duel.pk) == before


# The end and the record


def test_a_finished_game_has_places_and_a_record_that_verifies(duel, table):
    for table_id in (duel.pk, table.pk):
        loaded = play_on(table_id)
        assert loaded.table.status == "finished"
        assert sorted(seat.place for seat in loaded.seats)[0] == 1
        data = json.loads(json.dumps(selectors.record_of(table_id)))
        verdict = verify_record(data, game)
        assert verdict.is_good, verdict.problems
        assert verdict.sealed
        assert verdict.chance > 20
    numbers = Table.objects.filter(finish_number__isnull=False).order_by("finished_at").values_list("finish_number", flat=True)
    assert list(numbers) == [1, 2]


def test_an_undone_action_is_not_in_the_record_but_in_the_full_log(duel):
    reach_a_call(duel.pk)
    user = due_user(duel.pk)
    after = act(duel.pk, "call")
    services.undo_action(table_id=duel.pk, user=user, expected_version=after.table.version)
    play_on(duel.pk)
    data = selectors.record_of(duel.pk, full=True)
    assert verify_record(data, game).is_good
    assert len(data["log"]) == len(data["actions"]) + 2
    assert "undo" in {entry[3] for entry in data["log"]}


@pytest.mark.parametrize(
    "tamper",
    [
        lambda data: data["chance"].update(secret="00" * 32),
        lambda data: data["chance"]["words"].__setitem__(0, "another"),
        lambda data: data["result"]["scores"].__setitem__(0, 99),
        lambda data: data["actions"].pop(),
        lambda data: next(a for a in data["actions"][5:] if a[0] == CHANCE).__setitem__(1, "tile earthquake"),
    ],
)
def test_a_tampered_record_does_not_verify(duel, tamper):
    play_on(duel.pk)
    data = json.loads(json.dumps(selectors.record_of(duel.pk)))
    tamper(data)
    assert not verify_record(data, game).is_good


def test_the_record_and_the_secret_are_closed_while_the_game_runs(duel, alice):
    with pytest.raises(refusals.WrongStatus):
        selectors.record_of(duel.pk)
    page = selectors.table_page(duel.pk, alice)
    assert page.seal.secret is None
    assert bytes(duel.secret).hex() not in repr(page)


# Leaving


def test_a_bot_takes_the_seat_of_a_person_who_leaves(duel, alice):
    loaded = services.leave_table(table_id=duel.pk, user=alice)
    seat = loaded.seats[0]
    assert (seat.user, seat.left_user, seat.bot_level) == (None, alice, "apprentice")
    with pytest.raises(refusals.NotYourSeat):
        services.submit_action(table_id=duel.pk, user=alice, action="draw", expected_version=loaded.table.version)
    assert play_on(duel.pk).table.status == "finished"
    assert verify_record(selectors.record_of(duel.pk), game).is_good


def test_taking_back_wakes_a_bot_that_decides_at_the_same_time(duel, monkeypatch):
    """Ra never lets several seats decide at once, so the engine is patched to say so."""
    owner = load(duel.pk).seats[duel.due[0]].user
    services.submit_action(table_id=duel.pk, user=owner, action="call", expected_version=duel.version)
    other = load(duel.pk)
    Seat.objects.filter(pk=other.seats[1 - duel.due[0]].pk).update(user=None, bot_level="apprentice", bot_name="Nabu")
    monkeypatch.setitem(vars(other.game), "actors", lambda state: (0, 1))
    undone = services.undo_action(table_id=duel.pk, user=owner, expected_version=other.table.version)
    assert (undone.table.due, undone.table.waits_for) == ([0, 1], Table.Waits.BOT)


def test_a_person_can_be_in_so_many_games_with_bots_at_once(alice, bob, monkeypatch):
    monkeypatch.setattr(services, "GAMES_WITH_BOTS", 2)
    monkeypatch.setattr(services, "GUEST_GAMES_WITH_BOTS", 1)
    first = services.create_table(owner=alice, game_key="ra", seats=2, bots=["apprentice"]).table
    services.create_table(owner=alice, game_key="ra", seats=2, bots=["apprentice"])
    with pytest.raises(refusals.TooManyGames):
        services.create_table(owner=alice, game_key="ra", seats=2, bots=["apprentice"])
    waiting = services.create_table(owner=alice, game_key="ra", seats=2).table  # for people
    with pytest.raises(refusals.TooManyGames):
        services.start_table(table_id=waiting.pk, user=alice)
    services.join_table(table_id=waiting.pk, user=bob)
    assert load(waiting.pk).table.status == Table.Status.PLAYING
    services.leave_table(table_id=first.pk, user=alice)
    services.create_table(owner=alice, game_key="ra", seats=2, bots=["apprentice"])

    bob.is_guest = True
    services.create_table(owner=bob, game_key="ra", seats=2, bots=["apprentice"])
    with pytest.raises(refusals.TooManyGames):
        services.create_table(owner=bob, game_key="ra", seats=2, bots=["apprentice"])
