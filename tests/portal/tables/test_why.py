"""Why a bot moved: its own reasons once the game is over, and nothing hidden before."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.core.contract import Choice
from games.registry import GAMES, game
from portal.tables import past, selectors, services, tasks, thinking, thoughts, why
from portal.tables.choosing import BUDGETS_S
from portal.tables.loading import load
from portal.tables.models import ActionRecord, Table, Thought
from portal.tables.replay import replay_of
from portal.tables.speaker import Speaker
from portal.tables.thoughts_said import reasons_said
from tests.portal.leaks.secrets import VARY, change_secrets
from tests.portal.tables.driver import play_on
from tests.portal.tables.telling import play

pytestmark = pytest.mark.django_db
MOVES = 40


def opened(alice, key, level="apprentice", **more):
    seats = min(3, max(game(key).meta.seats))
    return services.create_table(owner=alice, game_key=key, seats=seats, bots=[level] * (seats - 1), **more).table.pk


def bots_played(table_id, records):
    """Play a table until it has so many records, the bots by their workers' task."""
    return play_on(table_id, until=lambda loaded: loaded.table.seq >= records)


def of_bots(loaded):
    return [entry for entry in past.line_of(loaded) if entry.by == "bot"]


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def answered(client, address, **headers):
    """Ask, let the workers think, and look again."""
    first = client.get(address, **headers)
    for thought in Thought.objects.filter(answer__isnull=True):
        tasks.think(thought.pk)
    return first, client.get(address, **headers)


@pytest.fixture
def ended(alice, fixed_secret):
    """A finished game of Babel: its first moves are a bot's own, the rest any allowed ones."""
    table_id = opened(alice, "babel")
    bots_played(table_id, MOVES)
    return play(table_id)


@pytest.fixture
def practice(alice, fixed_secret):
    """An unrated game of Alice against bots that is still running."""
    return bots_played(opened(alice, "tigris_euphrates", is_rated=False), MOVES)


@pytest.mark.parametrize(("key", "level"), [(key, level) for key in GAMES for level in game(key).meta.bot_levels])
def test_the_same_move_comes_out_again_with_the_reasons_that_the_bot_had(alice, key, level):
    loaded = bots_played(opened(alice, key, level), MOVES)
    moves = of_bots(loaded)
    assert len(moves) > 5
    for entry in moves:
        answer = why.reasons_of(loaded, entry.seq, thoughts.EVERYTHING)
        assert answer["reasons"], (entry, answer)
        assert all(f"bot.{name}" in loaded.game.phrases for name, _value, _rule in answer["reasons"])


@pytest.mark.parametrize("level", ["scribe", "master"])
def test_a_move_is_explained_with_the_time_that_the_bot_had(alice, level, monkeypatch):
    rules, real, budgets = game("babel"), game("babel").choose_action, []

    def choose(view, level, rng, budget_s=None):
        budgets.append(budget_s)
        return real(view, "apprentice", rng)

    monkeypatch.setitem(vars(rules), "choose_action", choose)
    loaded = bots_played(opened(alice, "babel", level), MOVES)
    asked, budgets[:] = set(budgets), []
    assert "reasons" in why.reasons_of(loaded, of_bots(loaded)[0].seq, thoughts.EVERYTHING)
    assert set(budgets) == asked == {BUDGETS_S.get(level)}


def test_a_substitute_is_explained_as_the_apprentice_that_it_was(alice, monkeypatch):
    table_id = opened(alice, "ra", "scribe")
    loaded = play_on(table_id, until=lambda loaded: loaded.table.waits_for == "bot")
    tasks.play_bot(table_id, loaded.table.version, loaded.table.due[0], substitute=True)
    loaded = load(table_id)
    record = ActionRecord.objects.filter(table=table_id, by="substitute").latest("seq")
    assert why.reasons_of(loaded, record.seq, thoughts.EVERYTHING)["reasons"]


def test_after_a_change_of_the_bots_nothing_is_made_up(ended):
    entry = of_bots(ended)[0]
    ActionRecord.objects.filter(table=ended.table.pk, seq=entry.seq).update(text="end")
    assert why.reasons_of(load(ended.table.pk), entry.seq, thoughts.EVERYTHING) == {"no": why.CHANGED}


def test_everybody_reads_the_reasons_of_a_game_that_is_over(ended, alice, bob):
    entry = of_bots(ended)[1]
    address = f"/tables/{ended.table.pk}/why/{entry.seq}/"
    first, second = answered(Client(), address)
    assert (first.status_code, first.headers["Refresh"]) == (200, "2")
    assert "being worked out" in first.content.decode()
    assert "Refresh" not in second.headers
    page = second.content.decode()
    reasons = Thought.objects.get().answer["reasons"]
    assert len(re.findall(r"<li>\s*[^<]", page[page.index("why__reasons") :].partition("</ul>")[0])) == len(reasons) > 0
    assert 'href="/en/rules/babel/' in page
    for client in (signed_in(alice), signed_in(bob)):
        assert "why__reasons" in client.get(f"{address}?seat=2").content.decode()
    for lang, words in (("hu", "Miért ez a lépés?"), ("ru", "Почему этот ход?")):
        assert words in Client(headers={"Accept-Language": lang}).get(address).content.decode()
    assert "no-store" in second.headers["Cache-Control"]
    assert Thought.objects.count() == 1, "one answer for all"


def test_the_script_gets_the_explanation_alone(ended):
    entry = of_bots(ended)[1]
    first, second = answered(Client(), f"/tables/{ended.table.pk}/why/{entry.seq}/", headers={"HX-Request": "true"})
    assert "data-wait" in first.content.decode()
    part = second.content.decode()
    assert part.strip().startswith('<div class="why">')
    assert "<html" not in part


def test_an_answer_costs_three_statements(ended, django_assert_num_queries):
    entry = of_bots(ended)[1]
    address = f"/tables/{ended.table.pk}/why/{entry.seq}/"
    answered(Client(), address)
    with django_assert_num_queries(3):  # table, records, answer
        Client().get(address)


def test_replay_and_log_lead_to_the_reasons_of_bots_and_of_nobody_else(ended):
    page = selectors.page_of(ended, None)
    replay = replay_of(ended, page)
    client = Client()
    entries = past.line_of(ended)
    steps = [number for number in range(1, replay.count + 1) if entries[replay.steps[number - 1].entry - 1].by == "bot"]
    others = [number for number in range(1, replay.count + 1) if number not in steps]
    for number in steps[:3]:
        shown = client.get(f"/tables/{ended.table.pk}/replay/?step={number}&seat=0").content.decode()
        assert f"/why/{entries[replay.steps[number - 1].entry - 1].seq}/?seat=0" in shown
    for number in others[:3]:
        assert "/why/" not in client.get(f"/tables/{ended.table.pk}/replay/?step={number}&seat=0").content.decode()
    told = client.get(f"/tables/{ended.table.pk}/replay/steps/?step=1&seat=0").json()["steps"]
    assert [bool(step["why"]) for step in told] == [number in steps for number in range(1, len(told) + 1)]
    log = client.get(f"/tables/{ended.table.pk}/log/").content.decode()
    linked = {int(seq) for seq in re.findall(r"/why/(\d+)/", log)}
    assert linked == {entry.seq for entry in entries if entry.by == "bot"}


def test_odd_records_have_no_reasons(ended):
    person = next(entry.seq for entry in past.line_of(ended) if entry.by == "player")
    for seq in (0, person, 99999, 10**30):
        assert Client().get(f"/tables/{ended.table.pk}/why/{seq}/").status_code == 404
    entry = of_bots(ended)[0]
    assert Client().get(f"/tables/{ended.table.pk}/why/{entry.seq}/?seat=9").status_code == 404
    assert Client().get(f"/tables/{ended.table.pk}/why/{entry.seq}/?seat=x").status_code == 400
    assert not Thought.objects.exists()


# While a game runs


def test_nobody_asks_for_the_reasons_of_a_running_game(table, alice, bob, charlie):
    loaded = bots_played(table.pk, MOVES)
    entry = of_bots(loaded)[-1]
    for client in (signed_in(alice), signed_in(bob), signed_in(charlie), Client()):
        assert client.get(f"/tables/{table.pk}/why/{entry.seq}/").status_code == 409
        for address in ("", "log/", "replay/?step=9", "replay/steps/", "region/", "reel/"):
            shown = client.get(f"/tables/{table.pk}/{address}").content.decode()
            assert "/why/" not in shown
            assert '"why": "' not in shown
    assert not Thought.objects.exists()


def test_a_rated_game_against_bots_is_explained_afterwards(alice):
    loaded = bots_played(opened(alice, "babel"), MOVES)
    assert signed_in(alice).get(f"/tables/{loaded.table.pk}/why/{of_bots(loaded)[0].seq}/").status_code == 409


def test_workers_look_at_no_hand_of_a_running_game_whatever_is_asked(practice):
    entry = of_bots(practice)[-1]
    asked = Thought.objects.create(
        table=practice.table, kind=thoughts.WHY, seq=entry.seq, seat=thoughts.EVERYTHING, asked_at=timezone.now()
    )
    thinking.work(asked.pk)
    assert Thought.objects.get().answer == {"no": thinking.FAULT}


def test_in_a_practice_game_only_its_player_asks(practice, alice, bob):
    entry = of_bots(practice)[-1]
    address = f"/tables/{practice.table.pk}/why/{entry.seq}/"
    for client in (signed_in(bob), Client()):
        assert client.get(address).status_code == 409
        assert "/why/" not in client.get(f"/tables/{practice.table.pk}/log/").content.decode()
    _, second = answered(signed_in(alice), address)
    assert second.status_code == 200
    assert "/why/" in signed_in(alice).get(f"/tables/{practice.table.pk}/").content.decode()
    assert Thought.objects.get().seat == 0


def test_in_the_drawer_the_present_board_marks_places_and_none_of_the_movers_own_pieces(practice, ended, alice):
    answer = {"reasons": [], "marks": ["hand-temple", "cell-E2", "leader-king", "nowhere"], "weighed": None}
    shown = {}
    for loaded in (practice, ended):
        entry = of_bots(loaded)[1]
        seat = why.explained_for(selectors.page_of(loaded, alice))
        Thought.objects.create(table=loaded.table, kind=thoughts.WHY, seq=entry.seq, seat=seat, asked_at=timezone.now(), answer=answer)
        address = f"/tables/{loaded.table.pk}/why/{entry.seq}/"
        shown[loaded.game.meta.key] = signed_in(alice).get(address, headers={"HX-Request": "true"}).content.decode()
    assert 'data-ids="cell-E2"' in shown["tigris_euphrates"]
    assert "data-ids" not in shown["babel"], "the replay has a board of its own for them"


@pytest.mark.parametrize("key", VARY)
def test_in_a_practice_game_an_explanation_follows_from_what_its_player_saw(alice, key, fixed_secret, monkeypatch):
    """Everything that Alice may not know is changed in the table and its past; not a byte of any explanation is."""
    monkeypatch.setattr(why, "GUESSING_S", 1e9)
    loaded = bots_played(opened(alice, key, is_rated=False), 140 if key == "ra" else MOVES)  # in Ra, only fame is hidden
    past.state_at(loaded, past.line_of(loaded), len(past.line_of(loaded)))
    seqs = [entry.seq for entry in of_bots(loaded)][-12:]
    before = [why.reasons_of(loaded, seq, 0) for seq in seqs]
    assert sum("reasons" in answer for answer in before) > 3, before
    changed = change_secrets(loaded.table.pk, 0, seed=5)
    assert [why.reasons_of(changed, seq, 0) for seq in seqs] == before


def test_a_lesson_and_a_study_by_hand_have_no_bots_to_ask(alice, ended):
    signed_in(alice).post(f"/tables/{ended.table.pk}/study/", {"step": 5, "seat": "1", "level": "hand"})
    made = load(Table.objects.latest("pk").pk)
    assert why.explained_for(selectors.page_of(made, alice)) is None


# How it is said


@pytest.mark.parametrize("lang", ["en", "hu", "ru"])
def test_every_reason_of_every_game_is_said_with_its_number_in_every_language(lang):
    for key, entry in GAMES.items():
        speaker = Speaker(key, lang, ("Alice", "Bob"), None)
        for phrase, text in entry.game.phrases.items():
            if phrase.startswith("bot."):
                (said,) = reasons_said({"reasons": [[phrase.removeprefix("bot."), -1.5, None]]}, speaker)
                assert ("1.5" if lang == "en" else "1,5") in said["text"] or "{" not in text
                assert ("\N{MINUS SIGN}1" in said["text"]) == ("signed}" in text)


def test_moves_of_equal_worth_share_a_place():
    answer = why.told_of(Choice("b", (), [("a", 2.0), ("b", 2.0), ("c", 1.0)]))
    assert answer["weighed"] == [1, 3]
    assert why.told_of(Choice("c", (), [("a", 2.0), ("b", 2.0), ("c", 1.0)]))["weighed"] == [3, 3]


# The question and its answer


def test_a_question_is_asked_once_and_again_if_nobody_answers(ended, monkeypatch):
    sent = []
    monkeypatch.setattr(thoughts, "enqueue", lambda task, *args, **more: sent.append((task, *args, more["priority"])))
    client, address = Client(), f"/tables/{ended.table.pk}/why/{of_bots(ended)[1].seq}/"
    client.get(address)
    client.get(address)
    asked = Thought.objects.get()
    assert sent == [(thoughts.THINK, asked.pk, 6)]
    Thought.objects.update(asked_at=asked.asked_at - timedelta(seconds=thoughts.ASK_AGAIN_S + 1))
    client.get(address)
    client.get(address)
    assert len(sent) == 2
    tasks.think(asked.pk)
    answer = Thought.objects.get().answer
    Thought.objects.filter(pk=asked.pk).update(answer={"no": "else"})
    tasks.think(asked.pk)  # twice: the answer stays
    assert Thought.objects.get().answer == {"no": "else"} != answer


def test_a_fault_is_an_answer_too(ended, monkeypatch):
    monkeypatch.setattr(why, "reasons_of", lambda *_: 1 / 0)
    _, second = answered(Client(), f"/tables/{ended.table.pk}/why/{of_bots(ended)[1].seq}/")
    assert "This couldn&#x27;t be worked out." in second.content.decode()


def test_who_asks_too_much_waits(ended, monkeypatch):
    monkeypatch.setattr(thoughts, "ASKED_PER_HOUR", 1)
    one, other = [f"/tables/{ended.table.pk}/why/{entry.seq}/" for entry in of_bots(ended)[:2]]
    client = Client()
    assert [client.get(address).status_code for address in (one, other, one)] == [200, 429, 200]


def test_guesses_fit_the_move_or_say_nothing(practice):
    entry = of_bots(practice)[-1]
    assert why._alike(practice, entry, past.state_at(practice, past.line_of(practice), 0), "apprentice", 0) is None
