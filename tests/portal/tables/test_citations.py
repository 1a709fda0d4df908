"""In which finished games a rule paragraph was cited: what is kept of them, who is shown what, and the page that shows it."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.registry import GAMES, game
from portal.accounts.models import User
from portal.clubs import services as clubs
from portal.clubs import ways_in
from portal.clubs.models import Club
from portal.common.later import LATER
from portal.contests import duplicates
from portal.tables import citations, selectors, services, tasks, wake
from portal.tables.loading import load
from portal.tables.models import Citation, CitationClock, Seat, Table
from portal.tables.replay import replay_of
from portal.tables.replay_page import control_of
from portal.tables.speaker import Speaker
from rules_docs import loader
from rules_docs.examples import example
from rules_docs.held import held
from tests.portal.tables.telling import play

pytestmark = pytest.mark.django_db
RARE, COMMON = "setup-6", "settle-1"  # in Babel: once a game, and all the time


def opened(owner, key, **more):
    seats = min(3, max(game(key).meta.seats))
    return services.create_table(owner=owner, game_key=key, seats=seats, bots=["apprentice"] * (seats - 1), **more).table.pk


def babel(owner, *, seed=1, **more):
    """A finished game of Babel, which is short."""
    return play(opened(owner, "babel", **more), seed=seed).table.pk


def shown(anchor=RARE, key="babel"):
    """The tables whose positions anybody is shown for a paragraph, newest first."""
    return list(dict.fromkeys(int(one.address.split("/")[2]) for one in citations.positions(key, anchor, "en")))


def stored():
    return list(Citation.objects.order_by("anchor", "number", "step").values_list("game", "anchor", "table", "number", "step", "said"))


@pytest.fixture
def club(alice):
    return clubs.create_club(owner=alice, name="Enlil", joining="open")


def hide(club, owner, *, is_private=True):
    joining = "invitation" if is_private else "open"
    clubs.change_settings(club=Club.objects.get(pk=club.pk), actor=owner, name="Enlil", is_private=is_private, joining=joining)


# What is kept


@pytest.mark.parametrize("key", GAMES)
def test_the_steps_are_those_of_the_replay_and_nothing_is_kept_twice(alice, fixed_secret, key):
    """Each is where the replay says the same sentence, or where the points of a line were scored; and each paragraph has its page."""
    loaded = play(opened(alice, key))
    table_id = loaded.table.pk
    assert citations.read_new() == 1
    replay = replay_of(loaded, selectors.page_of(loaded, None))
    speaker = Speaker(key, "en", loaded.names, None)
    anchors = set(Citation.objects.values_list("anchor", flat=True))
    assert len(anchors) > 10
    assert anchors <= set(held(key)), "whatever can be cited has a control in its chapter"
    in_breakdown = {line.rule.partition("#")[2] for rounds in replay.page.outcome.derivation for _, lines in rounds for line in lines}
    assert in_breakdown & anchors
    for anchor in anchors:
        found = citations.positions(key, anchor, "en")
        assert 1 <= len(found) <= citations.OF_A_GAME
        for position in found:
            step = int(position.address.removeprefix(f"/tables/{table_id}/replay/?step="))
            event = replay.steps[step - 1].line.event
            if control_of(replay, step, speaker)["text"].startswith(position.text):
                assert event.rule == f"{key}#{anchor}"
            else:
                assert replay.steps[step - 1].line.actor < 0 and anchor in in_breakdown
                assert position.text.startswith(tuple(f"{name}: " for name in loaded.names))
            assert all(name in position.who for name in loaded.names)
            assert position.at == loaded.table.finished_at
    before = stored()
    assert citations.read_new() == 0
    CitationClock.objects.update(up_to=0)  # as if the task had ended before its commit
    assert citations.read_new() == 1
    assert stored() == before


def test_a_spectator_reads_nothing_else_in_them_than_in_the_log(alice, fixed_secret):
    """What was drawn by one seat alone stays out, although the game is over."""
    table_id = babel(alice)
    citations.read_new()
    of_draws = [said for *_, said in stored() if said["k"] == "drew"]
    secrets = [
        data["s"] for events in Table(pk=table_id).records.values_list("events", flat=True) for data in events if data["k"] == "drew"
    ]
    assert of_draws and all(secrets)
    assert all(set(said["p"]) == {"seat", "n"} for said in of_draws)


def test_of_a_paragraph_the_newest_are_kept_and_what_is_rare_is_found_in_old_games(alice, fixed_secret, monkeypatch):
    monkeypatch.setattr(citations, "KEPT", 3)
    tables = [babel(alice, seed=seed) for seed in range(1, 6)]
    assert citations.read_new() == len(tables)
    rows = Citation.objects.filter(anchor=COMMON).order_by("-number")
    assert [row.table_id for row in rows] == tables[:1:-1]
    per_paragraph = {anchor: Citation.objects.filter(anchor=anchor).count() for anchor in Citation.objects.values_list("anchor", flat=True)}
    assert max(per_paragraph.values()) == 3
    old = [row.anchor for row in Citation.objects.filter(table__in=tables[:2])]
    assert old, "some paragraph came up in the first games only"
    assert all(Citation.objects.filter(anchor=anchor, table__in=tables[2:]).count() < 3 for anchor in old)


def test_a_game_that_cannot_be_told_stops_no_other(alice, fixed_secret, caplog):
    broken, fine = babel(alice), babel(alice, seed=2)
    Table.objects.filter(pk=broken).update(state={"nothing": "of Babel"})
    assert citations.read_new() == 2
    assert f"table {broken} can't be read" in caplog.text
    assert shown() == [fine]


def test_what_has_no_sentence_any_longer_is_left_out(alice, fixed_secret, caplog):
    old, new = babel(alice), babel(alice, seed=2)
    citations.read_new()
    for said in ({"k": "began", "p": {}}, {"k": "started", "p": {}}, {"k": "score.halls", "p": {"seat": 0, "points": 3}}):
        Citation.objects.filter(table=old, anchor=RARE).update(said=said)
        assert shown() == [new]
        assert f"of table {old} can't be told" in caplog.text
        caplog.clear()


def test_reading_a_game_costs_the_same_statements_however_many_there_are(alice, fixed_secret):
    CitationClock.objects.get_or_create(pk=1)  # a test that empties all tables takes it away
    costs = []
    for seed in (1, 2, 3):
        babel(alice, seed=seed)
        with CaptureQueriesContext(connection) as statements:
            assert citations.read_new() == 1
        costs.append(len(statements))
    assert costs == [21] * 3  # 14 for one game, 7 to see that there is no other; savepoints count


# Which games


def test_practice_studies_and_running_games_are_never_shown(alice, fixed_secret):
    position = example("babel", "migration").position
    practice = babel(alice, position=position, options={})
    running = opened(alice, "babel")
    play(running, records=60)
    abandoned = opened(alice, "babel")
    play(abandoned, records=60)
    Table.objects.filter(pk=abandoned).update(status="abandoned")
    plain = babel(alice)
    Table.objects.filter(pk=babel(alice)).update(by_hand=True)
    Table.objects.filter(pk=babel(alice)).update(lesson="abc")
    assert citations.read_new() == 1
    assert set(Citation.objects.values_list("table", flat=True)) == {plain}
    assert load(practice).table.status == load(plain).table.status == "finished"


def test_a_table_that_moves_out_of_sight_is_not_shown_and_comes_back(alice, bob, club, fixed_secret):
    table_id = babel(alice, club=club)
    assert citations.read_new() == 1
    assert shown() == [table_id]
    hide(club, alice)
    assert shown() == []
    kept = stored()
    hidden = babel(alice, club=Club.objects.get(pk=club.pk))
    assert citations.read_new() == 0, "a private game is not even read"
    assert stored() == kept
    hide(club, alice, is_private=False)
    assert shown() == [table_id]
    assert hidden not in Citation.objects.values_list("table", flat=True)


def test_games_of_people_who_are_gone_are_not_shown(alice, bob, fixed_secret):
    other, own = babel(bob), babel(alice)
    citations.read_new()
    assert shown() == [own, other]
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert shown() == [other]
    bob.delete()
    assert Seat.objects.filter(table=other, user=None, bot_name="").exists()
    assert shown() == []


def test_a_duplicate_set_is_read_when_it_is_revealed(alice, bob, club, fixed_secret):
    made = duplicates.create_set(club=club, actor=alice, name="Week 1", game="babel", seats=2, n_tables=2, bots=("", "apprentice"))
    one, two = Table.objects.filter(duplicate=made).order_by("pk").values_list("pk", flat=True)
    ways_in.join_by_link(code=club.link_code, user=bob)
    for table_id, user in ((one, alice), (two, bob)):
        duplicates.take_seat(duplicate=made, table_id=table_id, user=user, seat=0)
    play(one)
    assert load(one).table.status == "finished"
    assert citations.read_new() == 0
    assert not Citation.objects.exists()
    play(two)
    assert citations.read_new() == 2
    assert set(shown()) == {one, two}


# Older games


def test_older_games_are_read_by_the_command_newest_first_and_in_parts(alice, fixed_secret, monkeypatch):
    monkeypatch.setattr(citations, "KEPT", 3)  # is reached on the way: what is older is not kept
    tables = [babel(alice, seed=seed) for seed in range(1, 5)]
    last = load(tables[-1]).table.finish_number
    CitationClock.objects.update_or_create(pk=1, defaults={"up_to": last, "down_to": last})  # as the migration does
    assert citations.read_new() == 0
    newest = babel(alice, seed=7)
    assert citations.read_new() == 1
    assert shown() == [newest]
    assert run("--games", "1").startswith("1 games read, 3 finish numbers left")
    assert shown() == [newest, tables[3]]
    assert run().startswith("3 games read, 0 finish numbers left")
    assert shown() == [newest, tables[3], tables[2]]
    before = stored()
    assert run().startswith("0 games read, 0 finish numbers left")
    assert run("--again").startswith("5 games read, 0 finish numbers left")
    assert stored() == before
    assert citations.read_new() == 0


def run(*args):
    out = StringIO()
    call_command("index_citations", *args, stdout=out)
    return out.getvalue()


# The task


def test_it_is_asked_for_when_a_game_ends_and_again_if_that_was_lost(alice, fixed_secret, monkeypatch, django_capture_on_commit_callbacks):
    sent = []

    def note(task, *args, **options):
        sent.append((task, options))

    monkeypatch.setattr(wake, "enqueue", note)
    monkeypatch.setattr(tasks, "enqueue", note)
    with django_capture_on_commit_callbacks(execute=True):
        babel(alice)
    assert sent[-2:] == [(wake.RATE, {}), (wake.CITE, {"priority": LATER})]
    sent.clear()
    tasks.reconcile()
    assert (wake.CITE, {"priority": LATER, "expires_s": tasks.SILENT_AFTER_S}) in sent
    assert tasks.cite() == 1
    sent.clear()
    tasks.reconcile()
    assert wake.CITE not in [task for task, _ in sent]


# The page


@pytest.fixture
def read(alice, fixed_secret):
    """The book of Babel, and a game that was read."""
    loader.load("babel")
    table_id = babel(alice)
    citations.read_new()
    return table_id


def test_the_page_shows_the_positions_in_each_language_with_one_statement_for_all_of_them(read, django_assert_num_queries):
    client = Client()
    for lang, starts in (("en", "Nabu starts."), ("hu", "Nabu kezd."), ("ru", "Nabu начинает.")):
        address = f"/{lang}/rules/babel/when/{RARE}/"
        with django_assert_num_queries(2):  # the paragraph, the positions
            page = client.get(address).content.decode()
        link = f'<a href="/tables/{read}/replay/?step=1">{starts}</a>'
        assert link in page
        with django_assert_num_queries(1):
            assert link in client.get(address, headers={"HX-Request": "true"}).content.decode()
    assert starts in client.get(f"/tables/{read}/replay/?step=1", headers={"Accept-Language": "ru"}).content.decode()


def test_a_table_leads_to_the_page_from_the_drawer(read):
    drawer = Client().get("/en/rules/babel/p/settle-1/", headers={"HX-Request": "true"}).content.decode()
    assert '<a href="/en/rules/babel/when/settle-1/" data-drawer>' in drawer


def test_the_statement_takes_the_same_with_many_more_games(read, alice, django_assert_num_queries):
    table = Table.objects.get(pk=read)
    row = Citation.objects.get(anchor=RARE)
    for number in range(2, 30):
        table.pk, table.finish_number = None, number
        table.save(force_insert=True)
        Seat.objects.bulk_create([Seat(table=table, index=index, bot_name=f"Bot {index}") for index in (0, 1)])
        row.pk, row.table, row.number = None, table, number
        row.save(force_insert=True)
    with django_assert_num_queries(1):
        found = citations.positions("babel", RARE, "en")
    assert len(found) == citations.SHOWN
    assert shown()[0] == Table.objects.get(finish_number=29).pk
