"""The reel: what others did, step by step, each with the pictures of that position as this reader may see it."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import pytest
from django.test import Client

from games.core.rng import SeededRng
from games.registry import GAMES, game
from portal.tables import past, reel, selectors, services
from portal.tables.loading import event_for, load
from portal.tables.models import ActionRecord
from portal.tables.page import COMMON_SYMBOLS
from portal.tables.speaker import Speaker
from tests.portal.tables.driver import play_on, step
from voice import drawing

pytestmark = pytest.mark.django_db
MARK = re.compile(r'<i data-keep="([\w -]+)"></i>')
STEPS = re.compile(r'<script id="reel-steps" type="application/json">(.*?)</script>', re.DOTALL)
HTMX = {"HX-Request": "true"}
ALL = 1000


@pytest.fixture(params=GAMES)
def running(request, alice, fixed_secret):
    """A table of each game with Alice and bots, some forty records old."""
    seats = min(3, max(game(request.param).meta.seats))
    loaded = services.create_table(owner=alice, game_key=request.param, seats=seats, bots=["apprentice"] * (seats - 1))
    play_on(loaded.table.pk, until=lambda now: now.table.seq >= 40)
    return load(loaded.table.pk)


@pytest.fixture(autouse=True)
def nothing_kept():
    reel._kept.clear()


def told(loaded, user, since, lang="en"):
    page = selectors.page_of(loaded, user)
    return reel.reel_of(loaded, page, Speaker(page.entry.key, lang, page.names, page.my_seat), since=since)


def filled(html, before):
    """Put pieces of the step before in place of their marks, as the script does; `before` is the markup of that step."""

    def piece(part_id):
        start = before.rfind("<", 0, before.find(f' id="{part_id}"') + 1)  # a pattern would look through most of the markup for each piece
        assert start >= 0, part_id
        name = re.match(r"\w+", before[start + 1 : start + 20])[0]
        depth = 0
        for found in re.finditer(rf"<(/?){name}\b[^>]*?(/?)>", before[start:]):
            depth += -1 if found[1] else (0 if found[2] else 1)
            if depth == 0:
                return before[start : start + found.end()]
        raise AssertionError(part_id)

    return MARK.sub(lambda found: "".join(map(piece, found[1].split())), html)


def replayed(loaded):
    """The state after each effective record, by a plain replay of all of them."""
    entries = ActionRecord.objects.filter(table_id=loaded.table.pk).order_by("seq").values_list("seq", "actor", "text", "by")
    state = loaded.game.setup(loaded.table.seat_count, loaded.table.options)
    states = {0: state}
    for seq, actor, text in selectors.effective_line(list(entries)):
        state, _ = loaded.game.apply(state, actor, loaded.game.parse_action(text))
        states[seq] = state
    return states


def test_each_moment_has_the_position_that_a_replay_gives(running):
    states = replayed(running)
    before, moments = past.moments_since(running, 3, ALL)
    first = max(seq for seq in ActionRecord.objects.filter(table_id=running.table.pk, version__lte=3).values_list("seq", flat=True))
    as_json = running.game.state_to_json
    assert as_json(before) == as_json(states[first])
    assert [moment.seq for moment in moments] == [seq for seq in states if seq > first]
    for moment in moments:
        assert as_json(moment.state) == as_json(states[moment.seq]), moment.seq


def test_positions_are_kept_and_worked_out_once(running, django_assert_num_queries):
    past._kept.clear()
    with django_assert_num_queries(2):
        first = past.moments_since(running, 20, ALL)
    with django_assert_num_queries(1):
        again = past.moments_since(running, 20, ALL)
    assert first[0] is again[0]
    assert all(one.state is other.state for one, other in zip(first[1], again[1], strict=True))


def test_what_is_played_after_the_table_was_read_does_not_count_yet(running):
    """Else the next answer would tell it a second time."""
    rng = SeededRng(5)
    while load(running.table.pk).table.seq < running.table.seq + 3:
        step(running.table.pk, rng)
    _, moments = past.moments_since(running, 3, ALL)
    assert moments[-1].seq <= running.table.seq
    assert told(running, None, 3)["version"] == running.table.version


@pytest.mark.parametrize("is_player", [True, False])
def test_each_still_is_whole_and_what_its_reader_saw_then(running, alice, is_player):
    """Filled with the pieces of the step before, it is exactly what is drawn from the view of that position from scratch."""
    user = alice if is_player else None
    given = told(running, user, 3)
    page = selectors.page_of(running, user)
    speaker = Speaker(page.entry.key, "en", page.names, page.my_seat)
    before, moments = past.moments_since(running, 3, ALL)
    while is_player and moments[0].actor == 0 and moments[0].by == "player":
        before = moments.pop(0).state
    markup = filled(given["base"]["board"] + given["base"]["players"], "")
    fresh = reel.picture_of(running, page, speaker, reel.Follower(), before, ())
    assert markup == fresh["board"] + fresh["players"]
    pictures = [one for one in given["steps"] if "board" in one]
    drawn = [moment for moment in moments if reel.lines_of(moment, page)]
    assert len(pictures) == len(drawn) > 5
    for picture, moment in zip(pictures, drawn, strict=True):
        markup = filled(picture["board"] + picture["players"], markup)
        fresh = reel.picture_of(running, page, speaker, reel.Follower(), moment.state, reel.lines_of(moment, page))
        assert markup == fresh["board"] + fresh["players"], moment.seq
    sent = sum(len(one["board"]) + len(one["players"]) for one in pictures)
    assert sent < 0.5 * len(pictures) * len(markup), "pieces that stay are sent again"


def test_turns_and_points_follow_the_log(running):
    given = told(running, None, 0)
    lines = [line for line in reversed(selectors.full_log(running.table.pk, None)) if line.event.key not in running.game.meta.quiet]
    assert len(given["steps"]) == len(lines)
    for one, line in zip(given["steps"], lines, strict=True):
        points, seat = line.event.params.get("points"), line.event.params.get("seat")
        assert one["version"] == line.version
        assert [*map(tuple, one["gains"])] == (
            [(seat + 1, points)] if isinstance(points, int) and points and seat is not None and seat >= 0 else []
        )
        if "dice" in line.event.params:
            assert [str(face) for face in one["dice"][0]["faces"]] == re.findall(r"\d", line.event.params["dice"])
            assert one["dice"][0]["total"] == line.event.params["n"]
    spans = [(turn["first"], turn["last"]) for turn in given["turns"]]
    assert spans == sorted(spans)
    assert all(first <= last for first, last in spans)
    assert all(late[0] > early[1] for early, late in pairwise(spans))


@pytest.mark.parametrize("key", GAMES)
def test_what_happened_before_ones_first_turn_has_a_line_to_press(key, alice, fixed_secret):
    """A deal, a draw whose decision came before: no turn of anybody, but steps that can be played."""
    seats = min(3, max(game(key).meta.seats))
    created = services.create_table(owner=alice, game_key=key, seats=seats, bots=["apprentice"] * (seats - 1))
    loaded = play_on(created.table.pk, until=lambda now: now.seat_of(alice) in now.table.due)
    for since in range(loaded.table.version):
        given = told(loaded, alice, since)
        if given is not None and any(step["seat"] for step in given["steps"]):
            assert given["turns"], since
            assert all(turn["seat"] and turn["texts"] for turn in given["turns"])
            assert given["turns"][-1]["last"] == len(given["steps"]) - 1


def test_a_turn_is_told_by_what_was_done_in_it(alice, fixed_secret):
    """Not by what it cost, nor by the points of others that came after it."""
    table = services.create_table(owner=alice, game_key="after_the_flood", seats=3, bots=["scribe"] * 2).table
    turns = told(play_on(table.pk, until=lambda now: now.state.turn == 2 and 0 in now.table.due), alice, 0)["turns"]
    texts = [turn["texts"] for turn in turns]
    assert not any(" scored " in text for said in texts for text in said)
    paid = [said for said in texts if any(text.endswith(" for an action.") for text in said)]
    assert any(len(said) > 1 for said in paid)
    assert not any(said[0].endswith(" for an action.") for said in paid if len(said) > 1)


def has_come(now, seat):
    """Whether the turn of `seat` began with the last action, which was not its own."""
    last = now.table.records.order_by("seq").last()
    return last.actor != seat and any(data["k"] == "turn_began" for data in last.events)


def test_that_it_is_ones_own_turn_has_no_line(alice, fixed_secret):
    table = services.create_table(owner=alice, game_key="history_of_the_world", seats=3, bots=["apprentice"] * 2).table
    loaded = play_on(table.pk, until=lambda now: 0 in now.table.due and has_come(now, 0))
    given = told(loaded, alice, reel.since_last_turn(loaded, 0))
    assert "turn started" in given["steps"][-1]["text"]
    assert given["turns"]
    assert not any(text.startswith("Alice's turn started") for turn in given["turns"] for text in turn["texts"])
    assert given["turns"][-1]["last"] == len(given["steps"]) - 1, "but it is played with the turn before"


def test_nobody_is_shown_what_they_have_just_done(duel):
    due = duel.due[0]
    user = load(duel.pk).seats[due].user
    loaded = services.submit_action(table_id=duel.pk, user=user, action="call", expected_version=duel.version)
    other = load(duel.pk).seats[1 - due].user
    past._kept.clear()
    assert told(loaded, user, duel.version) is None
    assert not past._kept, "and nothing is worked out for it"
    assert [one["seat"] for one in told(loaded, other, duel.version)["steps"]] == [due + 1]


def test_in_the_middle_of_a_turn_it_is_still_told_what_others_did_before_it(alice, fixed_secret):
    table = services.create_table(owner=alice, game_key="tigris_euphrates", seats=2, bots=["apprentice"]).table
    play_on(table.pk, until=lambda now: now.table.seq > 30 and now.seat_of(alice) in now.table.due and now.state.actions_left == 2)
    before = load(table.pk)
    assert reel.since_last_turn(before, 0) < before.table.version
    whole = told(before, alice, reel.since_last_turn(before, 0))
    assert whole["turns"]
    user = before.seats[0].user
    after = services.submit_action(table_id=table.pk, user=user, action=first_tile(before), expected_version=before.table.version)
    assert after.table.due == [0], "one action of two"
    assert reel.since_last_turn(after, 0) == reel.since_last_turn(before, 0)
    again = told(after, alice, reel.since_last_turn(after, 0))
    assert [one["text"] for one in again["steps"]] == [one["text"] for one in whole["steps"]], "and nothing of one's own"
    assert again["turns"] == whole["turns"]
    assert again["version"] == after.table.version


def first_tile(loaded):
    """Return an action with a tile."""
    legal = loaded.game.legal_actions(loaded.state, 0)
    return next(str(action) for action in legal if str(action).startswith("tile "))


def test_each_draw_of_a_tile_has_its_line(alice, fixed_secret):
    """Chance says what was drawn; the line is that of the player who drew."""
    table = services.create_table(owner=alice, game_key="ra", seats=4, bots=["apprentice"] * 3).table
    loaded = play_on(table.pk, until=lambda now: now.table.seq > 40)
    given = told(loaded, None, 0)
    drawn = [one for one in given["steps"] if " drew a tile: " in one["text"]]
    assert len(drawn) > 5
    for one in drawn:
        at = given["steps"].index(one)
        turn = next(turn for turn in given["turns"] if turn["first"] <= at <= turn["last"])
        assert turn["seat"] == one["seat"]


def test_what_was_undone_is_not_shown(duel):
    due = duel.due[0]
    seats = load(duel.pk).seats
    user, other = seats[due].user, seats[1 - due].user
    called = services.submit_action(table_id=duel.pk, user=user, action="call", expected_version=duel.version)
    undone = services.undo_action(table_id=duel.pk, user=user, expected_version=called.table.version)
    assert told(undone, other, duel.version) is None
    before, moments = past.moments_since(undone, called.table.version, ALL)  # whose page still shows the undone move
    assert moments == []
    assert undone.game.state_to_json(before) == undone.game.state_to_json(undone.state)


def test_the_region_brings_the_steps_when_the_script_asks(running, alice):
    client = Client()
    client.force_login(alice)
    table_id, version = running.table.pk, running.table.version
    rng = SeededRng(3)
    while told(load(table_id), alice, version) is None:
        step(table_id, rng)
    address = f"/tables/{table_id}/region/?v={version}"
    answer = client.get(address, headers={**HTMX, "X-Reel": str(version)}).content.decode()
    steps = json.loads(STEPS.search(answer)[1])
    assert steps["since"] == version
    assert steps["version"] == load(table_id).table.version
    for odd in ("", "x", "-1", "9" * 12, str(10**8)):
        assert not STEPS.search(client.get(address, headers={**HTMX, "X-Reel": odd}).content.decode()), odd


def test_a_page_asks_for_what_happened_since_its_readers_last_move(running, alice):
    client = Client()
    client.force_login(alice)
    answer = client.get(f"/tables/{running.table.pk}/reel/")
    others = ActionRecord.objects.filter(table_id=running.table.pk, actor__gt=0).latest("seq").seq
    own = ActionRecord.objects.filter(table_id=running.table.pk, actor=0, by="player", seq__lt=others).latest("seq").version
    assert answer.json().get("since", own) == own
    assert answer["Cache-Control"] == "private, no-cache"
    visitor = Client().get(f"/tables/{running.table.pk}/reel/").json()
    assert visitor["since"] == ActionRecord.objects.get(table_id=running.table.pk, seq=running.table.seq - reel.RECENT_MOMENTS).version
    assert Client().get("/tables/999999/reel/").status_code == 404


def test_a_long_absence_shows_the_newest_moments_only(running, monkeypatch):
    monkeypatch.setattr(reel, "MOST_MOMENTS", 5)
    given = told(running, None, 0)
    lines = [line for line in selectors.full_log(running.table.pk, None) if line.event.key not in running.game.meta.quiet]
    assert len(given["steps"]) == sum(line.seq > running.table.seq - 5 for line in lines) > 0


def test_what_a_spectator_sees_is_drawn_once_for_all_of_them(running, alice, bob, monkeypatch):
    drawn = []
    picture_of = reel.picture_of
    monkeypatch.setattr(reel, "picture_of", lambda *args: drawn.append(1) or picture_of(*args))
    since = running.table.version - 4
    first = told(running, None, since)
    count = len(drawn)
    assert count > 1
    assert told(running, bob, since) == told(running, None, since) == first
    assert len(drawn) == count
    for user, version, lang in ((None, since + 1, "en"), (None, since, "hu"), (alice, since, "en"), (alice, since, "en")):
        told(running, user, version, lang)
        assert len(drawn) > count, (user, version, lang)
        count = len(drawn)
    running.seats[1].bot_name = "Kubaba"
    renamed = json.dumps(told(running, None, since))
    assert "Kubaba" in renamed
    assert "Kubaba" not in json.dumps(first)


def test_the_strip_has_pictures_of_what_was_done(running, alice):
    """Symbols that every page of the game has; of what the sentence keeps to itself there is none."""
    meta = running.game.meta
    known = {*drawing.sprite(running.entry.sprite), *COMMON_SYMBOLS}
    assert set(meta.pictures) <= set(running.game.phrases)
    turns = told(running, alice, 0)["turns"]
    assert any(turn["pictures"] for turn in turns)
    assert all(len(turn["pictures"]) <= reel.MOST_PICTURES and set(turn["pictures"]) <= known for turn in turns)
    events = [data for record in ActionRecord.objects.filter(table_id=running.table.pk) for data in record.events]
    for data in events:
        for seat in (None, 0, 1):
            event = event_for(data, seat)
            if event.key not in meta.quiet:
                found = reel.pictures_of(event, Speaker(running.table.game, "en", running.names, seat))
                assert set(found) <= known, event.key
                swapped = {**data, "s": {key: values if key == str(seat) else {} for key, values in data.get("s", {}).items()}}
                assert reel.pictures_of(event_for(swapped, seat), Speaker(running.table.game, "en", running.names, seat)) == found
