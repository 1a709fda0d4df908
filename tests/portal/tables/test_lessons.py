"""Guided first games at real tables: every step from the first to the free game, what is not played and why, and what a lesson is not."""

from __future__ import annotations

import re

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from games.registry import GAMES
from portal.accounts.models import User
from portal.common.limits import Use
from portal.tables import refusals, selectors, services, tasks, teaching
from portal.tables.loading import load
from portal.tables.models import Seat, Table
from portal.tables.newcomers import has_finished
from rules_docs.teaching import is_taught, teaching_of, with_names

pytestmark = pytest.mark.django_db
TAUGHT = [key for key in GAMES if is_taught(key)]
LANGUAGES = ("en", "hu", "ru")


@pytest.fixture
def signed_in():
    """A browser with a person signed in."""

    def sign_in(user, language="en"):
        client = Client()
        client.cookies["django_language"] = language
        client.force_login(user)
        return client

    return sign_in


@pytest.fixture
def begun(alice):
    return teaching.start_lesson(owner=alice, game_key="ra", lang="en").table.pk


def others_act(table_id):
    """Let the workers do what a table waits for, until it waits for a person."""
    for _ in range(60):
        table = Table.objects.get(pk=table_id)
        if table.waits_for == Table.Waits.SCORER:
            tasks.score(table_id, table.version)
        elif table.waits_for == Table.Waits.BOT:
            for seat in list(table.due):
                tasks.play_bot(table_id, table.version, seat)
        else:
            return table
    raise AssertionError("the others never finished")


def play_to(table_id, user, step):
    """Play a lesson up to a step, as the learner is told to."""
    table = others_act(table_id)
    lesson = teaching_of(table.game).lesson
    until = len(lesson.script) if step >= len(lesson.steps) else lesson.steps[step].start
    while table.seq < until:
        actor, text = lesson.script[table.seq]
        assert actor == lesson.seat
        services.submit_action(table_id=table_id, user=user, action=text, expected_version=table.version)
        table = others_act(table_id)
    return table


@pytest.mark.parametrize("key", TAUGHT)
def test_a_lesson_is_played_from_the_first_step_to_a_free_game(alice, key):
    loaded = teaching.start_lesson(owner=alice, game_key=key, lang="hu")
    lesson = teaching_of(key).lesson
    assert [seat.user_id for seat in loaded.seats].count(alice.pk) == 1
    assert loaded.seats[lesson.seat].user_id == alice.pk
    assert not loaded.table.is_rated or loaded.table.position is not None
    pk = loaded.table.pk
    for number in range(len(lesson.steps)):
        table = play_to(pk, alice, number)
        page = selectors.table_page(pk, alice)
        assert page.lesson.number == number
        assert page.turn.ask is not None
        assert page.lesson.next_of(lesson.seat) in page.turn.legal
        assert not page.may.undo
    table = play_to(pk, alice, len(lesson.steps))
    assert table.seq == len(lesson.script)
    assert [[record.actor, record.text] for record in table.records.order_by("seq")] == [list(play) for play in lesson.script]
    assert selectors.table_page(pk, alice).turn.ask is None

    free = teaching.play_on(table_id=pk, user=alice)
    assert Table.objects.get(pk=pk).status == Table.Status.ABANDONED
    assert free.table.lesson == ""
    assert free.table.commitment != table.commitment
    assert not selectors.table_page(free.table.pk, alice).is_rated
    assert [seat.user_id for seat in free.seats] == [seat.user_id for seat in load(pk).seats]
    rules = GAMES[key].game
    assert rules.actors(free.state) == rules.actors(lesson.state)
    before, after = (
        [str(action) for action in rules.legal_for_view(rules.view_for(state, lesson.seat))] for state in (lesson.state, free.state)
    )
    assert after == before


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_coach_says_what_to_do_and_why(alice, signed_in, begun, lang):
    client = signed_in(alice, lang)
    step = teaching_of("ra").lesson.steps[0]
    page = client.get(reverse("table", args=[begun])).content.decode()
    assert step.aim[lang] in page
    assert step.why[lang] in page
    assert re.search(r'id="way" data-ids="o-draw|id="way" data-ids="o-bag', page)
    assert 'id="undo-turn"' not in page
    assert Table.objects.get(pk=begun).commitment not in page
    play_to(begun, alice, 1)
    page = client.get(reverse("table", args=[begun])).content.decode()
    second = teaching_of("ra").lesson.steps[1]
    assert with_names(second.why[lang], load(begun).names) in page


def test_another_legal_move_is_not_played_and_the_coach_says_why_to_wait(alice, signed_in, begun):
    client = signed_in(alice)
    table = Table.objects.get(pk=begun)
    answer = client.post(
        reverse("table-act", args=[begun]), {"action": "call", "expected_version": table.version}, headers={"HX-Request": "true"}
    )
    assert answer.status_code == 422
    text = answer.content.decode()
    assert teaching_of("ra").lesson.steps[0].instead["en"] in text
    assert text.count('id="notice"') == 1
    assert Table.objects.get(pk=begun).seq == table.seq


def test_a_move_against_the_rules_is_refused_by_the_engine_with_its_paragraph(alice, signed_in, begun):
    client = signed_in(alice)
    table = play_to(begun, alice, 9)
    answer = client.post(
        reverse("table-act", args=[begun]), {"action": "bid 9", "expected_version": table.version}, headers={"HX-Request": "true"}
    )
    assert answer.status_code == 422
    text = answer.content.decode()
    assert teaching_of("ra").lesson.steps[9].instead["en"] not in text
    assert re.search(r'id="notice".*?class="rule-link" href="/en/rules/ra/p/auction-3/"', text, re.DOTALL)


def test_a_lesson_comes_back_where_it_was(alice, begun):
    play_to(begun, alice, 3)
    again = teaching.start_lesson(owner=alice, game_key="ra", lang="ru")
    assert again.table.pk == begun
    assert selectors.table_page(begun, alice).lesson.number == 3


def test_going_back_to_a_lesson_opens_nothing_and_is_never_too_much(alice, signed_in, begun, monkeypatch):
    monkeypatch.setattr("portal.common.limits.use", lambda *_args, **_limits: Use(-1, 1234))
    client = signed_in(alice)
    assert client.post(reverse("learn-start", args=["ra"]))["Location"] == reverse("table", args=[begun])
    assert Table.objects.count() == 1
    teaching.play_on(table_id=begun, user=alice)
    assert client.post(reverse("learn-start", args=["ra"])).status_code == 429


def test_a_move_refused_while_others_act_is_told_without_the_coach(alice, signed_in, begun):
    services.submit_action(table_id=begun, user=alice, action="draw", expected_version=Table.objects.get(pk=begun).version)
    table = Table.objects.get(pk=begun)
    assert table.waits_for == Table.Waits.BOT
    answer = signed_in(alice).post(
        reverse("table-act", args=[begun]), {"action": "draw", "expected_version": table.version - 1}, headers={"HX-Request": "true"}
    )
    assert answer.status_code == 409
    assert answer.content.decode().count('id="notice"') == 1


def test_the_same_move_twice_is_played_once(alice, begun):
    version = Table.objects.get(pk=begun).version
    services.submit_action(table_id=begun, user=alice, action="draw", expected_version=version)
    seq = Table.objects.get(pk=begun).seq
    with pytest.raises(refusals.TableRefusal):
        services.submit_action(table_id=begun, user=alice, action="draw", expected_version=version)
    assert Table.objects.get(pk=begun).seq == seq


def test_nothing_else_gets_into_a_lesson(alice, begun):
    """Not an undo, not an answer in advance, not a bot of its own mind, not even the substitute of one that is silent."""
    table = Table.objects.get(pk=begun)
    with pytest.raises(refusals.NoUndoInLessons):
        services.undo_action(table_id=begun, user=alice, expected_version=table.version)
    table = play_to(begun, alice, 3)
    with pytest.raises(refusals.OrderDoesNotFit):
        services.submit_action(table_id=begun, user=alice, action="call", expected_version=table.version, then="at-most 9 @99")
    services.submit_action(table_id=begun, user=alice, action="call", expected_version=table.version)
    with pytest.raises(refusals.OrderNotOffered):
        services.set_order(table_id=begun, user=alice, order="at-most 6 @10")
    table = Table.objects.get(pk=begun)
    with pytest.raises(refusals.NotThisStep):
        services.submit_action(table_id=begun, actor=1, action="bid 13", expected_version=table.version, by="bot")
    tasks.play_bot(begun, table.version, 1, substitute=True)
    assert Table.objects.get(pk=begun).records.get(seq=table.seq + 1).text == "pass"


def test_a_lesson_whose_script_has_changed_is_not_played_on_but_left(alice, begun):
    Table.objects.filter(pk=begun).update(lesson="00000000")
    page = selectors.table_page(begun, alice)
    assert page.turn.ask is None
    with pytest.raises(refusals.LessonChanged):
        services.submit_action(table_id=begun, user=alice, action="draw", expected_version=page.version)
    free = teaching.play_on(table_id=begun, user=alice)
    assert selectors.table_page(free.table.pk, alice).turn.ask is not None


def test_a_changed_lesson_that_waits_for_a_bot_is_closed(alice, begun):
    table = Table.objects.get(pk=begun)
    services.submit_action(table_id=begun, user=alice, action="draw", expected_version=table.version)
    Table.objects.filter(pk=begun).update(lesson="00000000")
    table = Table.objects.get(pk=begun)
    tasks.play_bot(begun, table.version, 1)
    assert Table.objects.get(pk=begun).status == Table.Status.ABANDONED


def test_leaving_closes_a_lesson_and_leads_to_its_overview(alice, signed_in, begun):
    answer = signed_in(alice).post(reverse("table-leave", args=[begun]))
    assert answer["Location"] == reverse("learn", args=["ra"])
    assert Table.objects.get(pk=begun).status == Table.Status.ABANDONED
    assert teaching.start_lesson(owner=alice, game_key="ra", lang="en").table.pk != begun


def test_a_lesson_counts_for_nothing(alice, begun):
    play_to(begun, alice, 99)
    table = Table.objects.get(pk=begun)
    assert table.finish_number is None
    teaching.play_on(table_id=begun, user=alice)
    table.refresh_from_db()
    assert (table.finish_number, table.outcome) == (None, None)
    assert not Seat.objects.filter(table=begun, place__isnull=False).exists()


def test_others_see_the_table_but_neither_coach_nor_what_comes(alice, bob, signed_in, begun):
    page = signed_in(bob).get(reverse("table", args=[begun])).content.decode()
    lesson = teaching_of("ra").lesson
    assert lesson.steps[0].why["en"] not in page
    assert "coach" not in page.replace("coach.js", "")
    for hidden in ("You scored", "tile flood"):
        assert hidden not in page


def test_going_on_is_only_for_the_learner_and_only_from_a_lesson(alice, bob, begun):
    with pytest.raises(refusals.NoSeatHere):
        teaching.play_on(table_id=begun, user=bob)
    free = teaching.play_on(table_id=begun, user=alice)
    for table in (begun, free.table.pk):
        with pytest.raises(refusals.NoLesson):
            teaching.play_on(table_id=table, user=alice)


def test_a_learner_called_like_a_bot_sits_with_another(db):
    ben = User.objects.create_user("Ben", password="x")
    names = teaching.start_lesson(owner=ben, game_key="ra", lang="en").names
    assert len(set(names)) == 3


# The pages


@pytest.mark.parametrize("key", TAUGHT)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_overview_of_a_game_shows_five_screens_at_one_board(client, key, lang, django_assert_num_queries):
    address = reverse("learn", args=[key])
    headers = {"Accept-Language": lang}
    client.get(address, headers=headers)
    with django_assert_num_queries(0):
        page = client.get(address, {"screen": "2"}, headers=headers).content.decode()
    screens = teaching_of(key).overview.screens
    for number, screen in enumerate(screens, 1):
        assert screen.title[lang].replace("'", "&#x27;") in page
        assert page.count(f'data-screen="{number}"') == (1 if number in (1, 5) else 2)
    assert re.search(r'id="screen-2" value="2"\s+autocomplete="off" checked', page)
    assert page.count(" checked") == 1
    assert f'action="{reverse("learn-start", args=[key])}"' in page


@pytest.mark.parametrize("key", TAUGHT)
def test_what_the_screens_mean_is_on_the_board(client, key):
    """Every class, id and attribute that a selector names is in the board as it is drawn."""
    page = client.get(reverse("learn", args=[key])).content.decode()
    overview = teaching_of(key).overview
    selectors_ = [*overview.parts, *(one for screen in overview.screens for one in (*screen.shows, *(at for at, _ in screen.points)))]
    for selector in selectors_:
        for name in re.findall(r"[.#]([a-z][\w-]*)", selector):
            assert re.search(rf'(class|id)="[^"]*\b{re.escape(name)}\b', page), (selector, name)
        for name, value in re.findall(r'\[([\w-]+)="([^"]*)"\]', selector):
            assert f'{name}="{value}"' in page, selector
    style = client.get(reverse("learn-parts", args=[key]))
    assert style["Content-Type"].startswith("text/css")
    assert style.content.decode().count("opacity") == sum(bool(screen.shows) for screen in overview.screens)


@pytest.mark.parametrize("screen", ["0", "6", "x", "¾", "999"])
def test_a_screen_that_is_not_there_is_the_first_one(client, screen):
    page = client.get(reverse("learn", args=["ra"]), {"screen": screen}).content.decode()
    assert re.search(r'id="screen-1" value="1"\s+autocomplete="off" checked', page)


def test_a_game_that_is_not_there_is_not_taught(client):
    for route in ("learn", "learn-parts", "learn-start"):
        assert client.get(reverse(route, args=["chess"])).status_code == 404


def test_a_visitor_becomes_a_guest_and_plays_the_lesson(client):
    assert client.get(reverse("learn-start", args=["ra"]))["Location"] == reverse("learn", args=["ra"])
    answer = client.post(reverse("learn-start", args=["ra"]))
    table = Table.objects.get()
    assert answer["Location"] == reverse("table", args=[table.pk])
    assert table.lesson
    again = client.post(reverse("table-play-on", args=[table.pk]), headers={"HX-Request": "true"})
    assert again.status_code == 204
    assert again["HX-Redirect"] == reverse("table", args=[table.pk + 1])
    assert client.post(reverse("table-play-on", args=[table.pk])).status_code == 409
    client.logout()
    assert client.post(reverse("table-play-on", args=[table.pk + 1])).status_code == 404


def test_the_offer_is_for_people_who_have_not_finished_a_game(alice, bob, signed_in, client):
    loaded = services.create_table(owner=alice, game_key="ra", seats=3, bots=["apprentice"] * 2)
    pages = [signed_in(person).get(reverse("table", args=[loaded.table.pk])).content.decode() for person in (alice, bob)]
    assert ['id="learn-offer"' in page for page in pages] == [True, False]  # not for somebody who watches
    assert reverse("learn", args=["ra"]) in client.get(reverse("home")).content.decode()
    done = services.create_table(owner=alice, game_key="ra", seats=3, bots=["apprentice"] * 2).table
    Table.objects.filter(pk=done.pk).update(status=Table.Status.FINISHED)
    cache.clear()
    assert has_finished(alice, "ra")
    mine = signed_in(alice)
    assert 'id="learn-offer"' not in mine.get(reverse("table", args=[loaded.table.pk])).content.decode()
    assert reverse("learn", args=["ra"]) not in mine.get(reverse("home")).content.decode()
