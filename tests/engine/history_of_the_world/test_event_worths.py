"""What events bring is found again in choices whose effects are known."""

from __future__ import annotations

import pytest

from games.core.rng import SeededRng
from games.core.selfplay import SelfPlay, record_game
from games.history_of_the_world import event_worths, game
from games.history_of_the_world.components import EMPIRES_BY_EPOCH, EVENTS, EVENTS_BY_EPOCH
from games.history_of_the_world.event_worths import DOUBT, Taken, learned
from games.history_of_the_world.learner import LEARNER
from games.history_of_the_world.master import EVENT_LEARNED, EVENT_SHARE
from tests.engine.nets import adding


def test_what_an_event_brings_beyond_what_is_expected_is_found_in_varied_choices():
    rng, epoch = SeededRng("events"), 3
    events, empires = EVENTS_BY_EPOCH[epoch], EMPIRES_BY_EPOCH[epoch]
    rows = []
    for number in range(40_000):
        event, empire, seats = events[rng.below(len(events), "")], empires[rng.below(len(empires), "")], 3 + rng.below(4, "")
        before, more = rng.below(41, "") - 20, rng.below(5, "") - 2
        place = events.index(event)
        # the first event is expected to bring eight points and brings none, the last one brings four that nobody expects
        usual = 8 if place == 0 else 0
        lead = 0.9 * before + 0.3 * empires.index(empire) + 4 * (place == len(events) - 1) + 0.5 * more + (rng.below(7, "") - 3) - seats
        rows.append(Taken(epoch, seats, before, event, empire, usual + more if number < 20_000 else None, lead))
    found = dict(learned(rows, epoch))
    assert list(found) == [EVENTS[event].name for event in events]
    trust = 5000 / (5000 + DOUBT)  # as often as each event was taken
    brought = [trust * 4.0 * (place == 7) + (1 - trust) * EVENT_SHARE * 8 * (place == 0) for place in range(8)]
    expected = [EVENT_SHARE * 8.0 * (place == 0) for place in range(8)]
    beyond = [had - sum(brought) / 8 - (hoped - sum(expected) / 8) for had, hoped in zip(brought, expected, strict=True)]
    assert list(found.values()) == pytest.approx(beyond, abs=0.15)


def test_a_game_tells_what_each_seat_took_with_what_was_expected_and_what_came_of_it():
    play = SelfPlay("history_of_the_world", 4, 1, "apprentice", "random", 0)
    recorded = record_game(game, play, 0)
    net = adding(LEARNER.names, own_score=1.0)
    taken = event_worths.taken_in(recorded, net, True)
    assert {row.epoch for row in taken} == {1, 2, 3, 4, 5}
    assert all(EVENTS[row.event].epoch == row.epoch and row.worth is not None for row in taken)
    assert all(row.before == 0 for row in taken if row.epoch == 1)
    assert all(row.before > 0 for row in taken if row.epoch > 1), "the points that a seat had when the epoch before was over"
    assert all(row.worth is None for row in event_worths.taken_in(recorded, net, False))


def test_the_table_in_use_has_every_event_and_evens_out_in_each_epoch():
    assert set(EVENT_LEARNED) == {event.name for event in EVENTS}
    for epoch in range(1, 6):
        assert sum(EVENT_LEARNED[EVENTS[event].name] for event in EVENTS_BY_EPOCH[epoch]) == pytest.approx(0, abs=0.4)


def test_without_games_the_command_says_where_they_come_from(tmp_path, capsys):
    with pytest.raises(SystemExit, match=r"no games; .*train history_of_the_world plays them"):
        event_worths.main([str(tmp_path)])
    assert capsys.readouterr().out == ""
