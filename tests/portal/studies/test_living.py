"""Bots, following, what pages cost, and what is left when somebody goes."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.core.contract import Choice
from games.registry import game
from portal.accounts.deleting import delete_person
from portal.live.tokens import BadToken, make_token, read_token
from portal.live.wire import place_of_study
from portal.site.export import archive_of
from portal.studies import refusals, services, tasks
from portal.studies.models import Guest, Move, Study, Wish

pytestmark = pytest.mark.django_db


@pytest.fixture
def asked(monkeypatch):
    """The tasks that were enqueued."""
    found = []
    monkeypatch.setattr(services, "enqueue", lambda task, *args, **_how: found.append((task, *args)))
    monkeypatch.setattr(tasks, "enqueue", lambda task, *args, **_how: found.append((task, *args)))
    return found


@pytest.fixture
def told(monkeypatch):
    """The versions that were published."""
    found = []
    monkeypatch.setattr(services, "publish_study", lambda number, version: found.append((number, version)))
    monkeypatch.setattr(tasks, "publish_study", lambda number, version: found.append((number, version)))
    return found


@pytest.fixture
def wished(study, alice, asked, legal, django_capture_on_commit_callbacks):
    seat, _actions = legal(study)
    with django_capture_on_commit_callbacks(execute=True):
        services.ask_bot(study_id=study.pk, user=alice, codes={}, after=0, seat=seat, level="apprentice")
    return Wish.objects.get()


class TestBots:
    def test_a_worker_plays_what_was_wished(self, wished, study, alice, asked, legal, browser):
        assert asked == [(services.MOVE, wished.pk)]
        assert "A bot is thinking" in browser(alice).get(f"/studies/{study.pk}/").content.decode()
        tasks.move(wished.pk)
        move = Move.objects.get()
        seat, actions = legal(study)
        assert (move.seat, move.bot, move.author) == (seat, "apprentice", alice)
        assert move.text in actions
        assert not Wish.objects.exists()
        assert Study.objects.get().shown == move.number
        tasks.move(wished.pk)  # late, and twice
        assert Move.objects.count() == 1

    def test_it_sees_what_its_seat_sees(self, wished, study, legal, monkeypatch):
        seen = []
        rules = game(study.game)

        def choose(view, level, rng, budget_s=None):
            seen.append(view)
            return Choice(rules.parse_action(legal(study)[1][0]))

        monkeypatch.setattr(tasks, "game", lambda _key: _With(rules, choose))
        tasks.move(wished.pk)
        from tests.portal.studies.conftest import state_at

        assert seen == [rules.view_for(state_at(study)[0], wished.seat)]

    def test_a_fault_is_said(self, wished, study, alice, browser, monkeypatch):
        def fail(*_args, **_more):
            raise ZeroDivisionError

        monkeypatch.setattr(tasks, "game", lambda _key: _With(game(study.game), fail))
        version = Study.objects.get().version
        tasks.move(wished.pk)
        assert Wish.objects.get().failed
        assert Study.objects.get().version == version + 1
        page = browser(alice).get(f"/studies/{study.pk}/").content.decode()
        assert "choose a move here" in page
        assert "A bot is thinking" not in page

    def test_nothing_for_somebody_who_may_no_longer_add(self, study, bob, asked, legal):
        Study.objects.update(visibility="people")
        guest = Guest.objects.create(study=study, user=bob, may_add=True)
        seat, _actions = legal(study)
        services.ask_bot(study_id=study.pk, user=bob, codes={}, after=0, seat=seat, level="apprentice")
        wish = Wish.objects.get()
        guest.delete()
        tasks.move(wish.pk)
        assert not Move.objects.exists()
        assert not Wish.objects.exists()

    def test_a_lost_one_is_asked_for_again_by_whoever_looks(self, wished, study, alice, asked, browser):
        Wish.objects.update(asked_at="2020-01-01T00:00Z")
        browser(alice).get(f"/studies/{study.pk}/")
        browser(alice).get(f"/studies/{study.pk}/")
        assert asked == [(services.MOVE, wished.pk)] * 2

    @pytest.mark.parametrize(("fields", "status"), [({"level": "god"}, 422), ({"seat": "9"}, 409), ({"seat": "x"}, 409)])
    def test_odd_wishes(self, study, alice, browser, legal, fields, status):
        seat, _actions = legal(study)
        answer = browser(alice).post(f"/studies/{study.pk}/0/bot/", {"seat": seat + 1, "level": "apprentice", **fields})
        assert answer.status_code == status
        assert not Wish.objects.exists()

    def test_not_too_often(self, study, alice, legal, asked, monkeypatch):
        monkeypatch.setattr(services, "BOTS_PER_HOUR", 1)
        seat, _actions = legal(study)
        services.ask_bot(study_id=study.pk, user=alice, codes={}, after=0, seat=seat, level="apprentice")
        with pytest.raises(refusals.TooManyBots):
            services.ask_bot(study_id=study.pk, user=alice, codes={}, after=0, seat=seat, level="apprentice")


class _With:
    """The rules of a game with another way to choose."""

    def __init__(self, rules, choose):
        self._rules, self.choose_action = rules, choose

    def __getattr__(self, name):
        return getattr(self._rules, name)


class TestFollowing:
    def test_each_change_is_published_with_its_version(self, study, alice, plays, told, django_capture_on_commit_callbacks):
        with django_capture_on_commit_callbacks(execute=True):
            number = plays(alice, study)
        assert told == [(study.pk, 2)]
        with django_capture_on_commit_callbacks(execute=True):
            services.look(study_id=study.pk, user=alice, number=0)
            services.look(study_id=study.pk, user=alice, number=0)  # nothing new
            services.look(study_id=study.pk, user=alice, number=number + 7)  # no such move
        assert told == [(study.pk, 2), (study.pk, 3)]

    def test_the_owner_leads_by_looking_and_nobody_else(self, study, alice, bob, plays, browser):
        number = plays(alice, study)
        Study.objects.update(visibility="people", shown=0)
        Guest.objects.create(study=study, user=bob, may_add=True)
        browser(bob).get(f"/studies/{study.pk}/{number}/")
        assert Study.objects.get().shown == 0
        browser(alice).get(f"/studies/{study.pk}/{number}/?v=1")  # catches up
        assert Study.objects.get().shown == 0
        browser(alice).get(f"/studies/{study.pk}/{number}/")
        assert Study.objects.get().shown == number
        assert f'data-owner="/studies/{study.pk}/{number}/"' in browser(bob).get(f"/studies/{study.pk}/").content.decode()

    def test_a_page_that_is_up_to_date_gets_nothing(self, study, alice, browser):
        client = browser(alice)
        version = Study.objects.get().version
        script = {"HX-Request": "true"}
        assert client.get(f"/studies/{study.pk}/?v={version}", headers=script).status_code == 204
        region = client.get(f"/studies/{study.pk}/?v={version - 1}", headers=script).content.decode()
        assert region.lstrip().startswith('<div class="study"')
        assert "<html" not in region

    def test_a_move_that_is_gone_is_answered_by_the_start_where_a_script_asks(self, study, alice, plays, browser):
        number = plays(alice, study)
        services.delete(study_id=study.pk, user=alice, codes={}, number=number)
        client, path = browser(alice), f"/studies/{study.pk}/{number}/"
        assert client.get(path).status_code == 404
        answer = client.get(path, headers={"HX-Request": "true"})
        assert answer.status_code == 200
        assert f'data-url="/studies/{study.pk}/"' in answer.content.decode()
        assert Study.objects.get().shown == 0

    def test_the_address_of_the_events_is_for_this_study_and_reader(self, study, alice, browser):
        given = browser(alice).head(f"/studies/{study.pk}/?v=1&stream=1", headers={"HX-Request": "true"})["X-Stream"]
        path, _, token = given.partition("?token=")
        assert path == f"/events/studies/{study.pk}/"
        found = read_token(token, place_of_study(study.pk))
        assert (found.viewer, found.left_s, found.watches) == (alice.pk, pytest.approx(300, abs=5), False)
        with pytest.raises(BadToken):
            read_token(token, study.pk)  # a table of that number
        with pytest.raises(BadToken):
            read_token(make_token(study.pk, alice.pk), place_of_study(study.pk))


class TestCost:
    @pytest.fixture
    def many(self, study, alice, plays):
        at = 0
        for _ in range(8):
            at = plays(alice, study, at)
        return study

    def test_a_page_does_not_cost_more_with_more_moves(self, many, alice, browser):
        client = browser(alice)
        client.get(f"/studies/{many.pk}/8/")
        with CaptureQueriesContext(
            connection,
        ) as long:
            client.get(f"/studies/{many.pk}/8/")
        services.delete(study_id=many.pk, user=alice, codes={}, number=2)
        client.get(f"/studies/{many.pk}/1/")
        with CaptureQueriesContext(connection) as short:
            client.get(f"/studies/{many.pk}/1/")
        of_study = [query["sql"] for query in long if "studies_" in query["sql"] or "tables_" in query["sql"]]
        assert len(of_study) == 4  # the study, its table, the moves, the bots' wishes
        assert len(long) == len(short)

    def test_a_list_does_not_cost_more_with_more_studies(self, many, alice, running, starts, browser):
        client = browser(alice)
        client.get("/studies/")
        with CaptureQueriesContext(connection) as one:
            client.get("/studies/")
        for _ in range(3):
            starts(alice, running.table.pk)
        with CaptureQueriesContext(connection) as four:
            client.get("/studies/")
        assert len(one) == len(four)


class TestLeaving:
    def test_what_somebody_wrote_goes_and_the_lines_of_others_stay(self, study, alice, bob, plays):
        Study.objects.update(visibility="people")
        Guest.objects.create(study=study, user=bob, may_add=True)
        his = plays(bob, study)
        plays(alice, study, his)
        services.comment(study_id=study.pk, user=bob, codes={}, number=his, text="his words", mark="!")
        delete_person(user=bob)
        move = Move.objects.get(number=his)
        assert (move.comment, move.commented_by, move.author) == ("", None, None)
        assert Move.objects.count() == 2
        assert not Guest.objects.exists()

    def test_the_owners_studies_go_with_them(self, study, alice, plays):
        plays(alice, study)
        delete_person(user=alice)
        assert not Study.objects.exists()
        assert not Move.objects.exists()

    def test_the_export_has_ones_own_studies_and_words(self, study, alice, bob, plays):
        Study.objects.update(visibility="people")
        Guest.objects.create(study=study, user=bob, may_add=True)
        number = plays(alice, study)
        services.comment(study_id=study.pk, user=bob, codes={}, number=number, text="his words", mark="!")

        def exported(user):
            with zipfile.ZipFile(io.BytesIO(archive_of(user))) as archive:
                return json.loads(archive.read("studies.json"))

        hers, his = exported(alice), exported(bob)
        assert [one["title"] for one in hers["studies"]] == ["A study"]
        assert [move["text"] for move in hers["studies"][0]["moves"]] == [Move.objects.get().text]
        assert hers["studies"][0]["moves"][0]["comment"] == ""  # somebody else's words
        assert his["studies"] == []
        assert [one["comment"] for one in his["comments"]] == ["his words"]
        assert "seed" not in json.dumps(hers)
