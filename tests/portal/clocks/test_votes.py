"""What the people at a table decide together: the right to a say, what follows, and what can't be asked."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
import time_machine
from django.urls import reverse

from portal.accounts.models import User
from portal.notices.models import Kind as Topic
from portal.notices.models import Notice
from portal.ratings.models import Rating
from portal.ratings.services import apply_pending
from portal.tables import handing, lists, refusals, selectors, services, votes, voting
from portal.tables.loading import load
from portal.tables.models import ActionRecord, Table
from portal.tables.pace import Pace

from .conftest import DAYS, LIVE

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)


@pytest.fixture
def clock():
    with time_machine.travel(NOON, tick=False) as machine:
        yield machine


def names(loaded, user):
    return [(one.what, one.about) for one in votes.questions(loaded, user)]


def ask(loaded, user, what, about=None):
    return voting.ask(table_id=loaded.table.pk, user=user, what=what, about=about)


def answer(loaded, user, *, agrees, at=None):
    at = loaded.table.vote["at"] if at is None else at
    return voting.answer(table_id=loaded.table.pk, user=user, at=at, agrees=agrees)


def play(loaded, text=None):
    due = loaded.table.due[0]
    action = text or str(loaded.game.legal_actions(loaded.state, due)[0])
    return services.submit_action(
        table_id=loaded.table.pk, user=loaded.seats[due].user, action=action, expected_version=loaded.table.version
    )


def test_what_may_be_asked_depends_on_the_table(opened, alice, bob, charlie):
    loaded = opened(Pace())
    assert names(loaded, alice) == [("call_off", None)]
    assert names(loaded, charlie) == names(loaded, None) == []
    loaded = opened(LIVE)
    due = loaded.table.due[0]
    assert names(loaded, bob) == [("time", due), ("save", None), ("no_clocks", None), ("call_off", None)]
    assert names(opened(DAYS), alice)[-2:] == [("no_clocks", None), ("call_off", None)], "nobody has to be there at the same time"
    alone = services.create_table(owner=alice, game_key="ra", seats=2, bots=["apprentice"])
    assert names(alone, alice) == []


def test_both_have_to_agree_to_end_a_game_without_a_result(opened, alice, bob):
    loaded = ask(opened(Pace()), alice, "call_off")
    version = loaded.table.version
    assert votes.vote_of(loaded).missing == (1,)
    loaded = answer(loaded, alice, agrees=True)  # again: nothing more happens
    assert (loaded.table.version, loaded.table.status) == (version, "playing")
    loaded = answer(loaded, bob, agrees=True)
    table = Table.objects.get(pk=loaded.table.pk)
    assert (table.status, table.due, table.waits_for, table.finish_number, table.vote) == ("abandoned", [], "", None, {})
    apply_pending()
    assert not Rating.objects.exists()
    told = Notice.objects.filter(kind=Topic.GAME)
    assert {(bob.pk, "asked"), (alice.pk, "called_off")} <= {(notice.user_id, notice.key) for notice in told}
    assert not Notice.objects.filter(kind=Topic.TURN, withdrawn_at=None, read_at=None).exists()
    with pytest.raises(refusals.WrongStatus):
        ask(loaded, alice, "call_off")


def test_one_no_is_enough_and_the_game_goes_on(opened, alice, bob):
    loaded = opened(Pace())
    before = loaded.table.state
    loaded = answer(ask(loaded, alice, "call_off"), bob, agrees=False)
    assert (loaded.table.vote, loaded.table.status, loaded.table.state) == ({}, "playing", before)
    page = selectors.page_of(load(loaded.table.pk), bob)
    assert [line.event.key for line in page.log.lines[:2]] == ["table.disagreed", "table.asked.call_off"]
    asked = ask(loaded, bob, "call_off")
    with pytest.raises(refusals.AlreadyAsking):
        ask(asked, alice, "call_off")
    withdrawn = answer(asked, bob, agrees=False)
    assert selectors.page_of(load(withdrawn.table.pk), bob).log.lines[0].event.key == "table.withdrawn"


def test_a_question_does_not_make_a_prepared_move_stale(opened, alice, bob):
    loaded = opened(Pace())
    version, due = loaded.table.version, loaded.table.due[0]
    ask(loaded, loaded.seats[1 - due].user, "call_off")
    action = str(loaded.game.legal_actions(loaded.state, due)[0])
    moved = services.submit_action(table_id=loaded.table.pk, user=loaded.seats[due].user, action=action, expected_version=version)
    assert moved.table.vote["what"] == "call_off"  # it still waits


def test_an_answer_names_its_question(opened, alice, bob, clock):
    loaded = ask(opened(Pace()), alice, "call_off")
    first = loaded.table.vote["at"]
    loaded = answer(loaded, alice, agrees=False)
    clock.shift(1)
    loaded = ask(loaded, alice, "call_off")
    with pytest.raises(refusals.QuestionGone):
        answer(loaded, bob, agrees=True, at=first)
    assert Table.objects.get(pk=loaded.table.pk).status == "playing"


def test_strangers_and_watchers_have_no_say(opened, alice, bob, charlie):
    loaded = ask(opened(Pace()), alice, "call_off")
    for verb in (lambda: ask(loaded, charlie, "call_off"), lambda: answer(loaded, charlie, agrees=True)):
        with pytest.raises(refusals.NoSeatHere):
            verb()
    hidden = services.create_table(owner=alice, game_key="ra", seats=2, bots=[], privacy=Table.Privacy.LINK)
    with pytest.raises(refusals.TableNotFound):
        ask(hidden, charlie, "call_off")


def test_more_time_is_half_of_the_clock(opened, clock):
    loaded = opened(LIVE)
    due = loaded.table.due[0]
    asker, other = loaded.seats[due].user, loaded.seats[1 - due].user
    clock.shift(400)
    loaded = ask(loaded, asker, "time", due)
    assert votes.vote_of(loaded).missing == (1 - due,)
    loaded = answer(loaded, other, agrees=True)
    assert round(loaded.table.clocks["left"][due] / 1000) == 615 - 400 + 300
    assert load(loaded.table.pk).table.alarm_at.timestamp() == pytest.approx(NOON.timestamp() + 400 + 515 - 60)


def test_the_others_give_a_seat_back_to_somebody_who_ran_out_of_time(opened, clock):
    loaded = opened(LIVE)
    due = loaded.table.due[0]
    gone, other = loaded.seats[due].user, loaded.seats[1 - due].user
    clock.shift(700)
    handing.ring(loaded.table.pk)
    loaded = load(loaded.table.pk)
    assert loaded.seats[due].is_away
    assert ("time", due) in names(loaded, other)
    loaded = load(ask(loaded, other, "time", due).table.pk)  # nobody else has a say: it is done
    assert (loaded.seats[due].user, loaded.seats[due].is_away, loaded.seats[due].bot_level) == (gone, False, "")
    assert loaded.table.clocks["left"][due] >= 300_000
    assert loaded.table.vote == {}
    assert loaded.table.waits_for == "person"


def test_the_rest_may_end_a_game_that_somebody_has_left(opened, alice, bob):
    loaded = opened(Pace())
    services.leave_table(table_id=loaded.table.pk, user=bob)
    ask(loaded, alice, "call_off")
    assert Table.objects.get(pk=loaded.table.pk).status == "abandoned"


def test_whoever_leaves_takes_the_question_along(opened, alice, bob):
    loaded = ask(opened(Pace()), alice, "call_off")
    services.leave_table(table_id=loaded.table.pk, user=bob)
    table = Table.objects.get(pk=loaded.table.pk)
    assert (table.status, table.vote) == ("playing", {})


def test_without_clocks_nobody_runs_out_of_time(opened, alice, bob, clock):
    loaded = answer(ask(opened(DAYS), alice, "no_clocks"), bob, agrees=True)
    table = Table.objects.get(pk=loaded.table.pk)
    assert (table.pace, table.clocks, table.alarm_at) == ({}, {}, None)
    loaded = play(load(loaded.table.pk))
    assert loaded.table.alarm_at is None


def test_a_live_game_is_saved_for_another_day_and_its_clocks_go_on_from_there(opened, clock):
    loaded = opened(LIVE)
    due = loaded.table.due[0]
    mover, other = loaded.seats[due].user, loaded.seats[1 - due].user
    clock.shift(100)
    before = list(loaded.table.clocks["left"])
    loaded = answer(ask(loaded, other, "save"), mover, agrees=True)
    left = before[due] - 100_000
    assert (loaded.table.pace, loaded.table.clocks, loaded.table.alarm_at) == ({}, {}, None)
    assert loaded.table.saved["left"][due] == left
    assert [row.pace for row in lists.table_rows(selectors.my_tables(mover), mover)] == ["Saved for another day"]
    clock.shift(3 * 86_400)
    handing.ring(loaded.table.pk)
    loaded = load(loaded.table.pk)
    assert not any(seat.is_away for seat in loaded.seats)
    assert ("resume", None) in names(loaded, mover)
    assert ("save", None) not in names(loaded, mover)
    loaded = answer(ask(loaded, mover, "resume"), other, agrees=True)
    table = Table.objects.get(pk=loaded.table.pk)
    assert (table.saved, table.pace) == ({}, LIVE.to_json())
    assert table.clocks["left"][due] == left, "neither more nor less than was left"
    assert table.alarm_at.timestamp() == pytest.approx(NOON.timestamp() + 100 + 3 * 86_400 + left / 1000 - 60)
    clock.shift(left / 1000 + 1)
    handing.ring(loaded.table.pk)
    assert load(loaded.table.pk).seats[due].is_away


def replayed(loaded):
    """Return the position that the records lead to, played again from the start."""
    state = loaded.game.setup(loaded.table.seat_count, loaded.table.options)
    for entry in voting.line_of(loaded):
        state, _ = loaded.game.apply(state, entry.actor, loaded.game.parse_action(entry.text))
    return state


def both_bid(loaded):
    """Play Ra to the moment after one bid, which the other player is to top or not: nothing was drawn since."""
    while True:
        due = loaded.table.due[0]
        legal = [str(action) for action in loaded.game.legal_actions(loaded.state, due)]
        if bids := [text for text in legal if text.startswith("bid")]:
            before = loaded.table.state
            return due, before, play(loaded, bids[0])
        loaded = play(loaded, "call" if "call" in legal else legal[0])


def test_a_move_is_undone_when_all_agree(opened, fixed_secret):
    mover, before, loaded = both_bid(opened(Pace(), game="ra"))
    user, other = loaded.seats[mover].user, loaded.seats[1 - mover].user
    assert ("take_back", None) not in names(loaded, user)  # their own undo will do
    secret, counters = bytes(loaded.table.secret), dict(loaded.table.counters)
    raised = next(str(action) for action in loaded.game.legal_actions(loaded.state, 1 - mover) if str(action).startswith("bid"))
    moved = services.submit_action(table_id=loaded.table.pk, user=other, action=raised, expected_version=loaded.table.version)
    assert moved.table.counters == counters, "the bid was not the last of the auction"
    assert ("take_back", None) in names(moved, user)
    loaded = load(answer(ask(moved, user, "take_back"), other, agrees=True).table.pk)
    assert loaded.table.state == before
    assert loaded.table.due == [mover]
    assert (bytes(loaded.table.secret), loaded.table.counters) == (secret, counters)
    assert not loaded.table.line
    assert loaded.game.state_to_json(replayed(loaded)) == before  # a replay agrees
    page = selectors.page_of(loaded, user)
    assert page.log.lines[0].event.key == "table.taken_back"
    assert loaded.table.vote == {}


def test_a_move_that_something_was_learned_by_stays(opened, alice, bob):
    loaded = opened(Pace(), game="ra")
    first = loaded.seats[loaded.table.due[0]].user
    loaded = play(loaded, "draw")
    assert ("take_back", None) not in names(loaded, first)
    with pytest.raises(refusals.CannotAsk):
        ask(loaded, first, "take_back")


def test_whoever_plays_on_says_no_to_undoing(opened, fixed_secret):
    mover, _, loaded = both_bid(opened(Pace(), game="ra"))
    table = loaded.table
    table.vote = {"what": "take_back", "seat": mover, "agreed": [mover], "at": 1, "about": None, "kept": table.seq - 1}
    table.save(update_fields=["vote"])
    services.submit_action(table_id=table.pk, user=loaded.seats[1 - mover].user, action="pass", expected_version=table.version)
    assert Table.objects.get(pk=table.pk).vote == {}


@pytest.mark.parametrize("circle", [SimpleNamespace(set_id=None, league_id=3), SimpleNamespace(set_id=4, league_id=None)])
def test_games_of_leagues_and_sets_are_played_to_the_end(alice, monkeypatch, opened, circle):
    loaded = opened(Pace())
    monkeypatch.setattr(votes, "circle_of", lambda loaded, user: circle)
    assert names(loaded, alice) == []
    monkeypatch.setattr(votes, "circle_of", lambda loaded, user: SimpleNamespace(set_id=None, league_id=None))
    assert names(loaded, alice) == [("call_off", None)]


def test_nobody_asks_without_end(opened, alice, bob):
    loaded = opened(Pace())
    for _ in range(voting.PER_HOUR):
        loaded = answer(ask(loaded, alice, "call_off"), bob, agrees=False)
    with pytest.raises(refusals.TooManyQuestions):
        ask(loaded, alice, "call_off")


@pytest.mark.parametrize("what", ["", "time", "time 9", "time -1", "call_off 1", "give me everything", "\u202e", "x" * 5000])
def test_nonsense_changes_nothing(opened, client, alice, what):
    loaded = opened(LIVE)
    client.force_login(alice)
    before = Table.objects.get(pk=loaded.table.pk).version
    response = client.post(reverse("table-ask", args=[loaded.table.pk]), {"what": what}, follow=False)
    assert response.status_code == 409
    assert Table.objects.get(pk=loaded.table.pk).version == before
    response = client.post(reverse("table-answer", args=[loaded.table.pk]), {"yes": what})
    assert response.status_code == 409
    assert Table.objects.get(pk=loaded.table.pk).version == before


def test_the_page_asks_those_who_have_not_answered(opened, client, alice, bob, charlie):
    loaded = opened(Pace())
    url = reverse("table", args=[loaded.table.pk])
    client.force_login(alice)
    assert 'id="ask-call_off"' in client.get(url).content.decode()
    assert client.post(reverse("table-ask", args=[loaded.table.pk]), {"what": "call_off"}).status_code == 303
    page = client.get(url).content.decode()
    assert 'id="withdraw-question"' in page
    assert 'id="agree"' not in page
    client.force_login(bob)
    page = client.get(url).content.decode()
    assert "alice asks to end the game without a result." in page
    at = load(loaded.table.pk).table.vote["at"]
    client.force_login(charlie)
    assert "alice asks to end" not in client.get(url).content.decode()
    client.force_login(bob)
    assert client.post(reverse("table-answer", args=[loaded.table.pk]), {"yes": at}).status_code == 303
    assert "All players agreed to end the game without a result." in client.get(url).content.decode()


def test_votes_are_no_moves(opened, alice, bob):
    loaded = answer(ask(opened(Pace()), alice, "call_off"), bob, agrees=False)
    for _ in range(4):
        loaded = play(load(loaded.table.pk))
    by = list(ActionRecord.objects.filter(table=loaded.table).values_list("by", flat=True))
    assert by.count("leave") == 2
    assert loaded.game.state_to_json(replayed(loaded)) == loaded.table.state


def test_a_person_of_another_table_is_nobody_here(opened, db):
    loaded = opened(Pace())
    guest = User.objects.create_user("guest-x", None, None)
    with pytest.raises(refusals.NoSeatHere):
        ask(loaded, guest, "call_off")
