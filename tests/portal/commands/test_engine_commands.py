"""simulate, ladder, bench, fuzz: figures about engines and bots from the command line, without database or server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games import registry
from games.core import bench, figures, fuzz, ladder, simulate
from games.core.contract import Choice
from games.core.records import replay
from games.registry import GAMES, game

ROOT = Path(__file__).parents[3]


def run(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run manage.py as a person would, with no server available."""
    clean = {key: value for key, value in os.environ.items() if key not in ("DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE")}
    return subprocess.run(
        [sys.executable, "manage.py", *args], cwd=ROOT, env=clean | env, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.fixture
def no_servers(tmp_path) -> dict[str, str]:
    """Settings under which any use of a database or broker would fail."""
    return {
        "DATABASE_URL": "postgres://nobody@127.0.0.1:9/none",
        "REDIS_URL": "redis://127.0.0.1:9",
        "ZIGGURAT_STATE": str(tmp_path / "state"),
    }


def told(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, Any]:
    """Run a command with --json in this process and return what it printed."""
    call_command(*args, "--json")
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


# simulate


def test_simulate_prints_the_agreed_figures_and_nothing_else(no_servers):
    done = run("simulate", "ra", "--seats", "2", "--bots", "apprentice,random", "--games", "6", "--json", **no_servers)
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    assert list(report) == ["game", "seats", "games", "seconds", "moves_per_s", "end_reasons", "bots"]
    assert (report["game"], report["seats"], report["games"]) == ("ra", 2, 6)
    assert sum(report["end_reasons"].values()) == 6
    assert [list(row) for row in report["bots"]] == [["bot", "games", "wins", "win_rate", "ci95", "mean_score"]] * 2
    assert [row["bot"] for row in report["bots"]] == ["apprentice", "random"]
    assert sum(row["wins"] for row in report["bots"]) == 6
    for row in report["bots"]:
        assert row["win_rate"] == pytest.approx(row["wins"] / 6, abs=1e-4)
        assert row["ci95"][0] <= row["win_rate"] <= row["ci95"][1]


def test_simulate_gives_the_same_games_for_a_seed_however_many_processes_share_them(capsys):
    args = ("simulate", "ra", "--bots", "apprentice,random,apprentice", "--games", "12", "--seed", "4")
    reports = [told(capsys, *args, "--jobs", jobs) for jobs in ("1", "3")]
    for report in reports:
        del report["seconds"], report["moves_per_s"]
    assert reports[0] == reports[1]
    other = told(capsys, *args[:-1], "5", "--jobs", "1")
    assert other["bots"] != reports[0]["bots"]


def test_simulate_rotates_the_seats(monkeypatch):
    sat = []
    rules = game("ra")

    def watched(view, level, rng, budget_s=None):
        sat.append((level, view.seat))
        return Choice(rules.legal_for_view(view)[0])

    monkeypatch.setitem(vars(rules), "choose_action", watched)
    match = simulate.Match("ra", 3, ("apprentice", "scribe", "random"), 1)
    for number, expected in enumerate([{0: "apprentice", 1: "scribe", 2: "random"}, {1: "apprentice", 2: "scribe", 0: "random"}]):
        sat.clear()
        simulate.play_game(rules, match, number)
        assert {seat: level for level, seat in sat} == expected


def test_wins_are_shared_at_ties():
    tally = simulate.Tally(simulate.Match("ra", 2, ("apprentice", "scribe"), 1))
    played = simulate.Played(0, (0.5, 0.5), (30, 30), "suns", (), 10, (0.0, 0.0), (5, 5), (0.0, 0.0))
    tally.add(played)
    tally.add(played)
    assert [row["wins"] for row in tally.report(1.0)["bots"]] == [1.0, 1.0]
    assert [row["win_rate"] for row in tally.report(1.0)["bots"]] == [0.5, 0.5]


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (180, 400, 0.4020, 0.4990), (50, 100, 0.4038, 0.5962)],
)
def test_intervals_are_those_of_wilson(wins, games, low, high):
    assert simulate.wilson(wins, games) == pytest.approx((low, high), abs=1e-4)


def test_simulate_tells_a_person_the_same_in_a_table(capsys):
    call_command("simulate", "ra", "--bots", "random,random", "--games", "3", "--jobs", "1")
    text = capsys.readouterr().out
    assert "Ra, 2 seats, 3 games, seed 1" in text
    assert "end of the rounds: " in text
    assert text.count("\nrandom ") == 2


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (("chess", "--bots", "random,random"), "'chess' is no game; there are " + ", ".join(GAMES)),
        (("ra", "--bots", "random,oracle"), "--bots: 'oracle' is no bot of Ra; there are random, apprentice, journeyman, scribe, master"),
        (("ra", "--seats", "3", "--bots", "random,random"), "--bots: 3 seats need 3 bots, 2 given"),
        (("ra", "--seats", "6", "--bots", "random"), "--seats 6: Ra has 2, 3, 4, 5 seats"),
        (("ra", "--bots", "random,random", "--games", "0"), "argument --games: expected a whole number from 1 on, found '0'"),
        (("ra", "--bots", "random,random", "--games", "many"), "argument --games: expected a whole number from 1 on, found 'many'"),
    ],
)
def test_simulate_refuses_what_cannot_be_played_in_one_line(args, line):
    with pytest.raises(CommandError) as refused:
        call_command("simulate", *args)
    assert str(refused.value).removeprefix("Error: ") == line
    assert "\n" not in str(refused.value)


def test_a_refusal_ends_the_program_with_a_code_and_no_traceback(no_servers):
    done = run("simulate", "ra", "--bots", "scribe,oracle", "--games", "5", "--json", **no_servers)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.splitlines() == [
        "CommandError: --bots: 'oracle' is no bot of Ra; there are random, apprentice, journeyman, scribe, master"
    ]


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        (lambda view: 1 / 0, "raised ZeroDivisionError: division by zero"),
        (lambda view: game("ra").parse_action("bid 16"), "'bid 16' is not allowed"),
        (lambda view: "draw", "'draw' is not allowed"),
        (lambda view: None, "'None' is not allowed"),
    ],
)
def test_a_bot_that_fails_or_cheats_ends_the_command_with_seed_and_move(monkeypatch, answer, what):
    monkeypatch.setitem(vars(game("ra")), "choose_action", lambda view, level, rng, budget_s=None: Choice(answer(view)))
    with pytest.raises(CommandError) as refused:
        call_command("simulate", "ra", "--bots", "scribe,apprentice", "--games", "2", "--seed", "31", "--jobs", "1")
    assert "seed 31, game 0, move 0 (seat " in str(refused.value)
    assert what in str(refused.value)
    assert refused.value.returncode == 1


# ladder


def test_ladder_puts_each_level_among_the_one_below_at_every_seat_count(capsys, monkeypatch):
    asked = []

    def measured(find, match, games, *args):
        asked.append((match.bots, match.paired, games))
        wins = (1.0, *[0.0] * (match.seats - 1)), (0.0, 1.0, *[0.0] * (match.seats - 2))
        return [ladder.Line(n, wins[n % 5 > 2], (40, *[30] * (match.seats - 1)), (1000, 2000, 3000)) for n in range(games)]

    monkeypatch.setattr(ladder, "games_of", measured)
    report = told(capsys, "ladder", "--games", "50")
    found = {
        key: [(*pair, seats) for pair in pairwise(simulate.levels(GAMES[key].game)) for seats in GAMES[key].game.meta.seats]
        for key in GAMES
    }
    assert asked == [
        ((better, *[than] * (seats - 1)), True, -(-50 // seats) * seats) for key in GAMES for than, better, seats in found[key]
    ]
    for key in GAMES:
        assert [(row["than"], row["better"], row["seats"]) for row in report["games"][key]] == found[key]
    rows = report["games"]["ra"]
    assert [row["games"] for row in rows[:4]] == [50, 51, 52, 50]
    assert [row["times_fair_share"] for row in rows[:4]] == [1.2, 1.82, 2.46, 3.0]
    assert [row["goal"] for row in rows[:4]] == [0.75, 0.6, 0.45, 0.36]
    assert (rows[0]["mean_score"], rows[0]["other_mean_score"]) == (40, 30)
    assert (rows[0]["p50_ms"], rows[0]["p95_ms"], rows[0]["max_ms"]) == (2.0, 3.0, 3.0)
    call_command("ladder", "--game", "babel", "--edge", "scribe/random", "--games", "1", "--jobs", "1")
    assert asked[-1] == (("scribe", "random"), True, 2)
    assert "times fair" in capsys.readouterr().out


def test_ladder_plays_each_deal_from_every_seat(monkeypatch):
    match, rules, starts = ladder.Edge("scribe", "apprentice", 3).match("ra", 5), game("ra"), []
    chance = rules.sample_chance
    monkeypatch.setitem(vars(rules), "sample_chance", lambda state, rng: starts.append(chance(state, rng)) or starts[-1])
    dealt = []
    for number in range(4):
        starts.clear()
        simulate.play_game(rules, match, number)
        dealt.append([str(action) for action in starts])
    alike = [sum(a == b for a, b in zip(dealt[0], other, strict=False)) / len(dealt[0]) for other in dealt[1:]]
    assert min(alike[:2]) > 0.3 > alike[2]


def test_ladder_goes_on_where_it_was_stopped_and_saves_what_is_done(capsys, monkeypatch, settings, tmp_path):
    entry, page = GAMES["ra"], tmp_path / "bots.md"
    (tmp_path / "ra").mkdir()
    page.write_text("# Bots\n<!-- ladder ra -->\nold\n<!-- /ladder -->\nmore\n", encoding="utf-8")
    monkeypatch.setattr(type(entry), "folder", property(lambda entry: tmp_path / entry.key))
    monkeypatch.setattr("portal.tables.management.commands.ladder.PAGE", page)
    settings.STATE_DIR = tmp_path / "state"
    played, play = [], simulate.play_game
    monkeypatch.setattr(simulate, "play_game", lambda *args: played.append(args[2]) or play(*args))
    args = ("ladder", "--game", "ra", "--seats", "3", "--edge", "apprentice/random", "--jobs", "1", "--save")
    clock = iter([0.0, *[61.0] * 9])
    monkeypatch.setattr("time.monotonic", lambda: next(clock, 62.0))
    assert told(capsys, *args, "--games", "4", "--minutes", "1")["games"]["ra"] == []
    assert (played, figures.read(entry.folder)) == ([0], figures.Figures())
    journal = next((tmp_path / "state/ladder/ra").iterdir())
    journal.write_text(journal.read_text() + '{"number":1,"wi', encoding="utf-8")  # stopped while writing
    row = told(capsys, *args, "--games", "4")["games"]["ra"][0]
    assert played == [0, 1, 2, 3, 4, 5]
    assert told(capsys, *args, "--games", "4")["games"]["ra"] == [row]
    assert len(played) == 6  # nothing is played twice
    saved = figures.read(entry.folder).edge("apprentice", "random", 3)
    assert ladder.report(saved) == row
    assert saved.source.command == "manage.py ladder --game ra --games 4 --seed 1 --save"
    assert saved.source.cores and saved.source.machine and len(saved.source.bots) == 10
    text = page.read_text(encoding="utf-8")
    assert "| apprentice | random | 3 | 6 | " in text and "not measured yet" in text and text.endswith("\nmore\n")
    call_command("ladder", "--check")
    page.write_text(text.replace("| 6 |", "| 7 |"), encoding="utf-8")
    with pytest.raises(SystemExit):
        call_command("ladder", "--check")
    call_command("ladder", "--tables")
    assert page.read_text(encoding="utf-8") == text


def test_ladder_says_what_the_order_of_play_is_worth(capsys):
    report = told(capsys, "ladder", "--game", "ra", "--seats", "3", "--seats-balance", "apprentice", "--games", "7", "--jobs", "1")
    row = report["games"]["ra"][0]
    assert (row["level"], row["games"], len(row["win_rates"])) == ("apprentice", 7, 3)
    assert sum(row["win_rates"]) == pytest.approx(1, abs=1e-3)
    match = ladder.Balance("apprentice", 3).match("ra", 1)
    orders = [simulate.starting_order(game("ra"), match, n) for n in range(7)]
    played = list(simulate.play(game, match, 7))
    first = sum(one.wins[(order[0] - one.number) % 3] for order, one in zip(orders, played, strict=True))
    assert row["win_rates"][0] == pytest.approx(first / 7, abs=1e-4)
    call_command("ladder", "--game", "ra", "--seats", "2", "--seats-balance", "random", "--games", "2", "--jobs", "1")
    assert "in every seat" in capsys.readouterr().out


def test_wins_are_counted_by_the_order_at_the_start_and_not_by_seat():
    # In game n, bot b sits in seat (b + n) modulo 3, and seat 1 wins with two points; it starts first in every other game.
    orders = [(1, 2, 0) if n % 2 else (0, 1, 2) for n in range(6)]
    lines = [
        ladder.Line(n, tuple(float((n + bot) % 3 == 1) for bot in range(3)), tuple((0, 2, 1)[(n + bot) % 3] for bot in range(3)), ())
        for n in range(6)
    ]
    found = ladder.order_figures(ladder.Balance("scribe", 3), orders, lines, figures.source("", 1, ""))
    assert (found.wins, found.mean_scores) == ((3.0, 3.0, 0.0), (1.0, 1.5, 0.5))


@pytest.mark.parametrize("key", GAMES)
def test_every_game_names_the_order_that_chance_gave(key):
    rules = game(key)
    for seats in rules.meta.seats:
        match = ladder.Balance("random", seats).match(key, 3)
        orders = {simulate.starting_order(rules, match, n) for n in range(40)}
        assert all(sorted(order) == list(range(seats)) for order in orders)
        assert {order[0] for order in orders} == set(range(seats)), "everybody starts now and then"


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (("--edge", "scribe/sage"), "--edge scribe/sage: 'sage' is no level of Ra; there are random, apprentice, "),
        (("--seats-balance", "sage"), "--seats-balance: 'sage' is no level of Ra; there are random, apprentice, "),
        (("--minutes", "5"), "--minutes keeps the games for the next time, so it needs --save"),
    ],
)
def test_ladder_refuses_what_cannot_be_measured(args, line):
    with pytest.raises(CommandError, match=line):
        call_command("ladder", "--game", "ra", *args)


def test_the_interval_of_paired_deals_is_narrower_if_deals_favour_seats_and_wider_if_games_of_a_deal_go_alike():
    alone = simulate.wilson(60, 80)
    evened = ladder.interval([[1, 0]] * 20 + [[1, 1]] * 20)
    alike = ladder.interval([[0, 0]] * 10 + [[1, 1]] * 30)
    assert alone[0] < evened[0] < 0.75 < evened[1] < alone[1]
    assert alike[0] < alone[0] < alone[1] < alike[1]
    assert ladder.interval([[1, 0]] * 5) == simulate.wilson(5, 10)  # too few deals to trust
    assert ladder.interval([[1, 1]] * 5) == simulate.wilson(10, 10)


def test_figures_are_kept_one_line_a_row_and_damage_is_told(tmp_path):
    source = figures.source("manage.py ladder", 1, "0123456789")
    new = figures.EdgeFigures("scribe", "apprentice", 3, 6, 4.5, 0.4, 0.9, 40.0, 30.0, 5, 1.0, 2.0, 3.0, source)
    seats = figures.OrderFigures("scribe", 2, 10, (4.0, 6.0), (0.1, 0.2), (0.7, 0.8), (40.0, 50.0), source)
    for row in (new, seats, replace(new, seats=2), replace(new, games=12)):
        figures.save(tmp_path, row)
    assert figures.read(tmp_path) == figures.Figures((replace(new, seats=2), replace(new, games=12)), (seats,))
    assert figures.read(tmp_path).balance_of("scribe", 2) == seats
    text = (tmp_path / figures.FILE).read_text(encoding="utf-8")
    assert sum('"better"' in line for line in text.splitlines()) == 2
    for damage in ("", "[]", text.replace('"format": 1', '"format": 2'), text.replace('"wins"', '"victories"')):
        (tmp_path / figures.FILE).write_text(damage, encoding="utf-8")
        with pytest.raises(ValueError, match=r"ladder\.json: not a file of figures"):
            figures.read(tmp_path)


@pytest.mark.parametrize("key", GAMES)
def test_the_figures_of_every_game_can_be_read(key):
    for edge in figures.read(GAMES[key].folder).edges:
        assert edge.seats in GAMES[key].game.meta.seats
        assert 0 <= edge.low <= edge.win_rate <= edge.high <= 1


def test_the_mark_of_the_bots_changes_with_what_plays_and_not_with_what_talks(tmp_path):
    for name in ("bot.py", "phrases.py", "ladder.json"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    mark = figures.bots_mark(tmp_path)
    for name in ("phrases.py", "ladder.json", "prompt_why.py"):
        (tmp_path / name).write_text("y", encoding="utf-8")
    assert figures.bots_mark(tmp_path) == mark
    (tmp_path / "bot.py").write_text("y", encoding="utf-8")
    assert figures.bots_mark(tmp_path) != mark


# bench


def test_bench_prints_the_agreed_figures(capsys, monkeypatch):
    monkeypatch.setattr(bench, "SLICE_S", 0.01)
    monkeypatch.setattr(bench, "REPEATS", 1)
    report = told(capsys, "bench", "--game", "ra")
    assert list(report) == ["calibration_per_s", "games"]
    assert list(report["games"]) == ["ra"]
    figures = report["games"]["ra"]
    assert list(figures) == ["moves_per_s", "playouts_per_s", "legal_us", "copy_us", "state_json_bytes", "web_path_ms"]
    assert all(value > 0 for value in figures.values())
    assert report["calibration_per_s"] > 0
    assert figures["state_json_bytes"] <= 1500
    call_command("bench", "--game", "ra", "--seats", "3")
    assert "Ra, 3 seats" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "line"), [(("--game", "go"), "'go' is no game; there are ra"), (("--seats", "9"), "--seats 9: Ra has 2, 3, 4, 5 seats")]
)
def test_bench_and_ladder_refuse_unknown_games_and_seats(args, line):
    for command in ("bench", "ladder"):
        with pytest.raises(CommandError, match=line):
            call_command(command, *args)


# fuzz


def test_fuzz_plays_all_seat_counts_and_finds_nothing(capsys):
    report = told(capsys, "fuzz", "ra", "--games", "24", "--jobs", "2")
    assert (report["game"], report["games"], report["fault"]) == ("ra", 24, None)
    assert report["seats"] == {"2": 6, "3": 6, "4": 6, "5": 6}
    assert sum(report["end_reasons"].values()) == 24


BROKEN = {
    "state.fame[0] = -1": "fame below the floor",
    "state.suns_up[0] |= 1 << state.centre": "a sun is there twice",
    "state.tiles[1] += 8": "tiles god of 8",
    "state.bag.reverse()": "the bag is not sorted",
}


@pytest.mark.parametrize("damage", BROKEN)
def test_fuzz_finds_a_broken_engine_and_prints_how_to_see_it_again(monkeypatch, capsys, damage):
    rules = game("ra")
    apply = rules.apply
    count = [0]

    def damaged(state, actor, action):
        state, events = apply(state, actor, action)
        count[0] += 1
        if count[0] == 30:
            exec(damage, {"state": state})
        return state, events

    monkeypatch.setitem(vars(rules), "apply", damaged)
    with pytest.raises(SystemExit) as ended:
        call_command("fuzz", "ra", "--seats", "3", "--seed", "6", "--games", "2", "--jobs", "1")
    monkeypatch.undo()
    assert ended.value.code == 1
    shown = capsys.readouterr()
    assert "fault: seed 6, game 0 (3 seats), action " in shown.err
    assert BROKEN[damage] in shown.err
    assert "again: manage.py fuzz ra --seed 6 --first 0 --games 1 --seats 3" in shown.err
    record = json.loads(shown.out)
    assert len(record["actions"]) == 30
    replay(record, game)  # the sound engine plays it to its last action


@pytest.mark.parametrize(
    ("part", "wrong", "what"),
    [
        ("sample_action", lambda good: lambda state, actor, rng: game("ra").parse_action("bid 16"), "sample_action gave what is not legal"),
        ("legal_actions", lambda good: lambda state, actor: [*good(state, actor)] * 2, "a legal action is listed twice"),
        ("state_from_json", lambda good: lambda data: good(dict(data) | {"fame": [1] * data["seats"]}), "does not survive its JSON"),
        ("outcome", lambda good: lambda state: None, "there is no outcome"),
        ("scene", lambda good: lambda view: object(), "changes its board"),
        ("parse_action", lambda good: lambda text: good("draw"), "does not survive its text"),
    ],
)
def test_fuzz_notices_every_broken_promise(monkeypatch, part, wrong, what):
    rules = game("ra")
    monkeypatch.setitem(vars(rules), part, wrong(getattr(rules, part)))
    found, _ = fuzz.run(registry.game, "ra", (3,), 1, range(3))
    assert found.fault is not None
    assert what in found.fault.line()


def test_fuzz_notices_an_apply_that_changes_its_input(monkeypatch):
    rules = game("ra")
    apply = rules.apply

    def careless(state, actor, action):
        after, events = apply(state, actor, action)
        state.fame[0] += 1
        return after, events

    monkeypatch.setitem(vars(rules), "apply", careless)
    found, _ = fuzz.run(registry.game, "ra", (2,), 1, range(2))
    assert found.fault is not None
    assert "apply changed its input" in found.fault.what


def test_fuzz_plays_one_game_again_by_its_number():
    games = [fuzz.run(registry.game, "ra", (2, 3, 4, 5), 8, range(first, last))[0] for first, last in ((5, 7), (5, 6), (6, 7))]
    assert games[0].moves == games[1].moves + games[2].moves
    assert games[0].by_seats == games[1].by_seats + games[2].by_seats


def test_fuzz_makes_position_files(capsys):
    report = told(capsys, "fuzz", "babel", "--positions", "40", "--jobs", "2")
    assert (report["game"], report["positions"], report["fault"]) == ("babel", 40, None)
    assert sorted(report["end_reasons"]) == ["accepted", "refused"]
    call_command("fuzz", "babel", "--positions", "5", "--jobs", "1")
    assert "5 positions (5 with 2 seats)" in capsys.readouterr().out


def test_fuzz_asks_bots_at_position_files(capsys):
    report = told(capsys, "fuzz", "ra", "--positions", "40", "--bots", "all", "--jobs", "2")
    assert (report["positions"], report["fault"]) == (40, None)
    assert set(report["answers"]) == set(report["slowest_ms"]) == set(GAMES["ra"].game.meta.bot_levels)
    assert len(set(report["answers"].values())) == 1
    call_command("fuzz", "ra", "--positions", "5", "--bots", "apprentice", "--jobs", "1")
    assert "ms at most (position " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("answer", "what"), [(lambda view: 1 / 0, "raised ZeroDivisionError"), (lambda view: "draw", "'draw' is not allowed")]
)
def test_fuzz_tells_a_bot_that_fails_or_cheats_at_a_position(monkeypatch, capsys, answer, what):
    monkeypatch.setitem(vars(game("ra")), "choose_action", lambda view, level, rng, budget_s=None: Choice(answer(view)))
    with pytest.raises(SystemExit):
        call_command("fuzz", "ra", "--positions", "40", "--bots", "apprentice", "--jobs", "1")
    assert what in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (("--bots", "all"), "so it needs --positions"),
        (("--positions", "3", "--bots", "sage"), "'sage' is no level of Ra; there are apprentice"),
    ],
)
def test_fuzz_refuses_bots_that_cannot_be_asked(args, line):
    with pytest.raises(CommandError, match=line):
        call_command("fuzz", "ra", *args)


def test_fuzz_prints_a_position_with_a_fault_and_how_to_see_it_again(monkeypatch, capsys):
    rules = game("babel")
    monkeypatch.setitem(vars(rules), "state_from_json", lambda data: rules.setup(2, {}))
    with pytest.raises(SystemExit) as ended:
        call_command("fuzz", "babel", "--positions", "20", "--first", "3", "--jobs", "1")
    monkeypatch.undo()
    assert ended.value.code == 1
    shown = capsys.readouterr()
    number = shown.err.split("fault: seed 1, position ")[1].split(" ")[0]
    assert f"again: manage.py fuzz babel --seed 1 --first {number} --positions 1" in shown.err
    replay(json.loads(shown.out), game)


@pytest.mark.parametrize("command", ["simulate", "ladder", "bench", "fuzz"])
def test_help_shows_an_example(command, capsys):
    with pytest.raises(SystemExit) as ended:
        call_command(command, "--help")
    assert ended.value.code == 0
    assert f"manage.py {command} " in capsys.readouterr().out
