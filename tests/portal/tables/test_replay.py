"""The replay: every step of a game from every seat, and what it keeps to itself while the game is not revealed."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.test import Client
from django.utils.html import escape

from games.core.contract import SCORER
from games.registry import GAMES, game
from portal.clubs.models import Club, Membership
from portal.tables import past, reel, refusals, selectors, services
from portal.tables.loading import load
from portal.tables.models import ActionRecord, Table
from portal.tables.replay import STEPS_AT_ONCE, Replay, replay_of, steps_of
from portal.tables.speaker import Speaker
from tests.portal.tables.driver import play_on
from tests.portal.tables.telling import play
from tests.portal.tables.test_reel import filled, replayed

pytestmark = pytest.mark.django_db


def opened(alice, key):
    seats = min(3, max(game(key).meta.seats))
    return services.create_table(owner=alice, game_key=key, seats=seats, bots=["apprentice"] * (seats - 1)).table.pk


@pytest.fixture(params=GAMES)
def finished(request, alice, fixed_secret):
    """A finished game of each kind, of Alice and bots."""
    return play(opened(alice, request.param))


@pytest.fixture
def ended(alice, fixed_secret):
    """A finished game of Babel, which is short."""
    return play(opened(alice, "babel"))


@pytest.fixture
def running(alice, fixed_secret):
    """Ra, some forty records old."""
    return play(opened(alice, "ra"), records=40)


def seen(loaded, user=None, seat="") -> Replay:
    return replay_of(loaded, selectors.page_of(loaded, user), seat=seat)


def speaker_of(replay: Replay) -> Speaker:
    return Speaker(replay.page.entry.key, "en", replay.page.names, replay.seat)


def test_every_step_is_what_the_engines_view_of_it_looks_like(finished):
    """All chunks, filled as the script fills them, against pictures that are drawn from scratch from a plain replay of the records."""
    states = replayed(finished)
    for seat in ("0", "1"):
        compare_steps(finished, states, seat)


def compare_steps(finished, states, seat):
    replay = seen(finished, seat=seat)
    speaker = speaker_of(replay)
    page = replace(selectors.page_of(finished, None), my_seat=int(seat) - 1 if seat != "0" else None)
    entries = past.line_of(finished)
    told = [(entry, lines) for entry in entries if (lines := reel.lines_of(entry, page))]
    texts = [speaker.say(line.event) for _, lines in told for line in lines]
    expected = [reel.picture_of(finished, page, speaker, reel.Follower(), states[0], ())]
    for entry, lines in told:
        fresh = reel.picture_of(finished, page, speaker, reel.Follower(), states[entry.seq], lines)
        points_last = entry.actor == SCORER  # points are told beside the pieces that earn them
        expected += [expected[-1]] * (len(lines) - 1) + [fresh] if points_last else [fresh] * len(lines)
    assert replay.count == len(texts) == len(expected) - 1 > 80
    steps = 0
    for first in range(1, replay.count + 1, STEPS_AT_ONCE):
        chunk = steps_of(replay, speaker, first)
        assert (chunk["first"], chunk["count"]) == (first, replay.count)
        markup = filled(chunk["base"]["board"] + chunk["base"]["players"], "")
        assert markup == expected[first - 1]["board"] + expected[first - 1]["players"]
        for number, step in enumerate(chunk["steps"], first):
            if "board" in step:
                markup = filled(step["board"] + step["players"], markup)
            assert markup == expected[number]["board"] + expected[number]["players"], number
            assert step["text"] == texts[number - 1]
            steps += 1
    assert steps == replay.count


def test_the_page_of_a_step_is_its_picture_with_its_words(finished):
    client = Client()
    replay = seen(finished, seat="0")
    speaker = speaker_of(replay)
    for step in (0, 1, replay.count // 2, replay.before_the_end, replay.count):
        page = client.get(f"/tables/{finished.table.pk}/replay/?step={step}&seat=0").content.decode()
        picture = replay.picture(step, speaker, reel.Follower())
        assert picture["board"] in page
        assert picture["players"] in page
        assert f"Step {step} of {replay.count}" in page
        assert f'value="{step}"' in page
        for way, to in (("first", 0), ("back", step - 1), ("on", step + 1), ("last", replay.count)):
            address = f'href="/tables/{finished.table.pk}/replay/?step={to}&amp;seat=0"'
            control = re.search(rf'<a [^>]*id="replay-{way}"[^>]*>', page)[0]
            assert (address in control) == (0 <= to <= replay.count and to != step), (step, way)
    assert "data-target" not in page, "nothing on the board of a replay can be played"


def test_the_slider_marks_turns_scorings_and_conflicts_and_the_rounds_find_theirs(finished):
    replay = seen(finished, seat="0")
    kinds = {kind: [step for step, found in replay.marks if found == kind] for kind in ("turn", "scoring", "conflict")}
    assert len(kinds["turn"]) > 10
    assert len(kinds["scoring"]) == len({step.entry for step in replay.steps if step.line.actor == SCORER}) >= 1
    for step in kinds["conflict"]:
        assert replay.steps[step - 1].line.event.key in finished.game.meta.conflicts
    known = set(finished.game.phrases)
    assert {
        *finished.game.meta.turn_marks,
        *finished.game.meta.conflicts,
        *finished.game.meta.round_scores,
        *finished.game.meta.clearings,
    } <= known
    # The result opens before the final scoring, and before the board was emptied for it.
    before = replay.before_the_end
    clearings = finished.game.meta.clearings
    assert replay.steps[before - 1].line.actor != SCORER
    if clearings:
        assert replay.steps[before].entry > replay.steps[before - 1].entry
        assert clearings & {step.line.event.key for step in replay.steps[before:]}
    else:
        assert all(step.line.actor == SCORER for step in replay.steps[before:])
    if finished.table.game == "ra":
        assert replay.state(before).ra_count or sum(replay.state(before).track), "tiles lie on the board"
    assert finished.game.actors(replay.state(replay.before_the_end)) != ()
    outcome = finished.game.outcome(finished.state)
    if not finished.game.meta.round_scores:
        assert set(map(len, replay.scored().values())) == {0}
        return
    for seat, steps in replay.scored().items():
        rounds = [sum(line.points for line in lines) for key, lines in outcome.derivation[seat] if key not in ("start", "closing")]
        assert len(steps) == len(rounds)
        for step, points in zip(steps, rounds, strict=True):
            event = replay.steps[step - 1].line.event
            assert event.params["seat"] == seat
            if "points" in event.params and finished.table.game != "history_of_the_world":  # there a marker may be moved further
                assert event.params["points"] == points


def test_once_it_is_over_everybody_may_look_from_every_seat(ended, alice, bob):
    for user, own in ((None, None), (bob, None), (alice, 0)):
        assert seen(ended, user).seat == own
        for seat in ("0", "1", "2"):
            assert seen(ended, user, seat).seat == (int(seat) - 1 if seat != "0" else None)
    assert len({steps_text(ended, seat) for seat in ("0", "1", "2")}) == 3, "each seat reads what it drew"


def steps_text(loaded, seat):
    replay = seen(loaded, None, seat)
    return "\n".join(replay.told(step, speaker_of(replay))["text"] for step in range(1, replay.count + 1))


def test_until_then_only_ones_own_view(running, alice, bob):
    assert seen(running, alice).seat == 0
    assert seen(running, alice, "1").seat == 0
    assert seen(running, bob).seat is seen(running, None).seat is None
    for user, seat in ((alice, "0"), (alice, "2"), (bob, "1"), (None, "1")):
        with pytest.raises(refusals.SeatHidden):
            seen(running, user, seat)
        client = Client()
        if user is not None:
            client.force_login(user)
        for address in ("replay/", "replay/steps/"):
            answer = client.get(f"/tables/{running.table.pk}/{address}?step=1&seat={seat}")
            assert answer.status_code == 404
            assert "revealed" in answer.content.decode()


def test_a_table_of_a_set_that_others_still_play_is_told_from_ones_own_seat(ended, alice):
    """The table is over, but its secret is that of others that are not."""
    page = selectors.page_of(ended, alice)
    sealed = replace(page, seal=replace(page.seal, secret=None))
    assert replay_of(ended, sealed).seat == 0
    for seat in ("0", "2"):
        with pytest.raises(refusals.SeatHidden):
            replay_of(ended, sealed, seat=seat)


def test_a_running_game_is_told_up_to_the_version_that_was_read(running, alice):
    before = seen(running, alice)
    play_on(running.table.pk, until=lambda now: now.table.seq > running.table.seq + 3)
    again = seen(running, alice)
    assert [step.line.seq for step in again.steps] == [step.line.seq for step in before.steps]
    assert max(step.line.version for step in again.steps) <= running.table.version
    assert seen(load(running.table.pk), alice).count > before.count


def test_what_was_undone_is_not_in_it(duel):
    due = duel.due[0]
    user = load(duel.pk).seats[due].user
    count = seen(load(duel.pk), user).count
    called = services.submit_action(table_id=duel.pk, user=user, action="call", expected_version=duel.version)
    assert seen(called, user).count == count + 1
    undone = services.undo_action(table_id=duel.pk, user=user, expected_version=called.table.version)
    assert seen(undone, user).count == count
    as_json = undone.game.state_to_json
    assert as_json(seen(undone, user).state(count)) == as_json(undone.state)


def test_a_table_that_did_not_start_has_none(alice):
    table_id = services.create_table(owner=alice, game_key="ra", seats=3).table.pk
    for _ in ("open", "abandoned"):
        for address in ("replay/", "replay/steps/?step=1"):
            answer = Client().get(f"/tables/{table_id}/{address}")
            assert answer.status_code == 404
            assert "started" in answer.content.decode()
        Table.objects.filter(pk=table_id).update(status="abandoned")


def test_a_game_that_was_closed_is_told_from_ones_own_seat(running, alice):
    Table.objects.filter(pk=running.table.pk).update(status="abandoned")
    loaded = load(running.table.pk)
    assert seen(loaded, alice).count > 20
    with pytest.raises(refusals.SeatHidden):
        seen(loaded, alice, "2")


ODD = ("x", "-1", "1.5", "1e3", "9" * 400, "%D9%A3", "%C2%B2", "%EF%BC%91", "%00", " 1")


@pytest.mark.parametrize("address", ["replay/", "replay/steps/"])
def test_odd_steps_and_seats_are_refused_in_words(ended, address):
    start, count = f"/tables/{ended.table.pk}/{address}", seen(ended).count
    client = Client()
    for odd in ODD:
        assert client.get(f"{start}?step={odd}").status_code == 400, odd
        assert client.get(f"{start}?step=1&seat={odd}").status_code == 400, odd
    for query in (f"step={count + 1}", "step=999999", "step=1&seat=3", "step=1&seat=999999"):
        assert client.get(f"{start}?{query}").status_code == 404, query
    assert client.get(f"{start}?step={count}").status_code == 200
    assert client.get(f"{start}").status_code == 200
    assert client.get(f"/tables/999999/{address}?step=1").status_code == 404
    assert client.post(start).status_code == 405


def test_a_seats_replay_is_never_kept(ended, running, alice):
    client = Client()
    client.force_login(alice)
    for table_id, query, control in (
        (ended.table.pk, "step=4&seat=0", "private, no-cache"),
        (ended.table.pk, "step=4&seat=1", "private, no-store"),
        (running.table.pk, "step=4", "private, no-store"),
        (running.table.pk, "step=4&seat=2", "private, no-store"),
    ):
        for address in ("replay/", "replay/steps/"):
            answer = client.get(f"/tables/{table_id}/{address}?{query}")
            assert answer["Cache-Control"] == control
            assert "Cookie" in answer["Vary"]


def test_a_step_costs_two_statements_and_a_replay_of_the_records(finished, django_assert_num_queries):
    client = Client()
    for address in ("replay/?step=40&seat=1", "replay/steps/?step=25&seat=1"):
        past._kept.clear()
        with django_assert_num_queries(2):
            assert client.get(f"/tables/{finished.table.pk}/{address}").status_code == 200


def test_positions_are_worked_out_from_the_nearest_kept_one(ended, monkeypatch):
    line = past.line_of(ended)
    states = replayed(ended)
    past._kept.clear()
    played = []
    monkeypatch.setattr(past, "_next", lambda *args, _next=past._next: played.append(args[1]) or _next(*args))
    as_json = ended.game.state_to_json
    for count in (60, 70, 65, 10, len(line)):
        assert as_json(past.state_at(ended, line, count)) == as_json(states[line[count - 1].seq])
    assert [line.index(next(entry for entry in line if entry.seq == seq)) for seq in played] == [*range(60), *range(60, 70)]
    assert as_json(past.state_at(ended, line, 0)) == as_json(states[0])


def test_private_tables_are_not_there_for_others(ended, alice, bob):
    club = Club.objects.create(slug="quiet", name="Quiet", is_private=True, link_code="c0de")
    Membership.objects.create(club=club, user=alice, role="owner")
    Table.objects.filter(pk=ended.table.pk).update(club=club)
    for user, status in ((None, 404), (bob, 404), (alice, 200)):
        client = Client()
        if user is not None:
            client.force_login(user)
        for address in ("replay/?step=3", "replay/steps/?step=1"):
            assert client.get(f"/tables/{ended.table.pk}/{address}").status_code == status


def test_the_line_is_that_of_the_record(ended):
    entries = past.line_of(ended)
    rows = list(ActionRecord.objects.filter(table_id=ended.table.pk).order_by("seq").values_list("seq", "actor", "text", "by"))
    assert [(entry.seq, entry.actor, entry.text) for entry in entries] == selectors.effective_line(rows)


def test_each_line_of_the_full_log_leads_to_its_step(ended, duel, alice):
    page = Client().get(f"/tables/{ended.table.pk}/log/").content.decode()
    replay = seen(ended)
    links = re.findall(r'href="/tables/\d+/replay/\?step=(\d+)&amp;seat=0" title', page)
    assert [int(step) for step in links] == list(range(replay.count, 0, -1))
    texts = [" ".join(text.split()) for text in re.findall(r"<span>\s*([^<]+?)\s*<", page[page.index('class="card card--flush log"') :])]
    said = [replay.told(step, speaker_of(replay))["text"] for step in range(replay.count, 0, -1)]
    assert texts == [" ".join(escape(text).split()) for text in said]
    # What was undone is in the log, and leads nowhere.
    due = duel.due[0]
    user = load(duel.pk).seats[due].user
    called = services.submit_action(table_id=duel.pk, user=user, action="call", expected_version=duel.version)
    services.undo_action(table_id=duel.pk, user=user, expected_version=called.table.version)
    page = Client().get(f"/tables/{duel.pk}/log/").content.decode()
    first, second, *others = re.findall(r'<li class="log__line">.*?</li>', page, re.DOTALL)
    assert "/replay/" not in first + second
    assert all("/replay/?step=" in line for line in others)


def test_finished_games_in_lists_lead_to_their_replay(ended, alice):
    for address in ("/people/alice/", "/"):
        client = Client()
        client.force_login(alice)
        assert f'href="/tables/{ended.table.pk}/replay/"' in client.get(address).content.decode()
