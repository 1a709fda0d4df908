"""Studies by the API: the same readers, rights and limits as on the pages, and positions from views only."""

from __future__ import annotations

import json

import pytest

from portal.studies import services, sharing
from portal.studies.models import Guest, Move, Study, Wish
from portal.tables.models import Table
from tests.portal.api.asking import Person, code_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def hers(alice):
    return Person(alice)


@pytest.fixture
def his(bob):
    return Person(bob)


def lists(asker):
    return {
        name: [one["id"] for one in asker.get(f"studies/?list={name}").json()["results"]] for name in ("mine", "shared", "clubs", "public")
    }


def test_a_study_is_started_played_and_commented_on(ended, hers, his, alice, bob, django_assert_num_queries):
    made = hers.post("studies/", {"table": ended.table.pk, "step": 6, "title": " What if? "})
    told = made.json()
    assert (made.status_code, told["title"], told["game"], told["step"], told["table"]) == (201, "What if?", "babel", 6, ended.table.pk)
    assert (told["is_owner"], told["may_add"], told["visibility"], told["link"], told["moves"]) == (True, True, "me", None, [])
    at = f"studies/{told['id']}/"
    assert code_of(his.get(at)) == "study_not_found"
    start = hers.get(f"{at}positions/0/").json()
    seat = start["due"][0]
    assert (start["seat"], start["outcome"], start["bots"]) == (seat, None, [])
    assert start["question"] and start["legal"]
    moved = hers.post(f"{at}moves/", {"after": 0, "seat": seat, "actions": [start["legal"][0]]}).json()
    assert moved["number"] == 1 and moved["version"] > start["version"]
    assert hers.post(f"{at}moves/", {"after": 0, "seat": seat, "actions": [start["legal"][0]]}).json()["number"] == 1, "it is there already"
    other = hers.post(f"{at}moves/", {"after": 0, "seat": seat, "actions": [start["legal"][1]]}).json()["number"]
    assert hers.post(f"{at}moves/1/", {"comment": "Bold.", "mark": "!"}, "PATCH").status_code == 200
    assert hers.post(f"{at}moves/1/", {"mark": "!?"}, "PATCH").status_code == 200
    with django_assert_num_queries(4):  # the token, the study, its table, its moves
        told = hers.get(at).json()
    assert [(one["number"], one["after"], one["seat"], one["action"]) for one in told["moves"]] == [
        (1, 0, seat, start["legal"][0]),
        (other, 0, seat, start["legal"][1]),
    ]
    first = told["moves"][0]
    assert (first["comment"], first["mark"], first["commented_by"], first["is_mine"], first["bot"]) == ("Bold.", "!?", "alice", True, "")
    assert first["said"] and all(first["said"])
    with django_assert_num_queries(5):  # and what bots are asked for
        after = hers.get(f"{at}positions/1/").json()
    assert after["view"] != start["view"]
    assert hers.post(f"{at}moves/{other}/promote/").status_code == 200
    assert [one["number"] for one in hers.get(at).json()["moves"]] == [other, 1]
    assert hers.post(f"{at}moves/{other}/", method="DELETE").json()["number"] == 0
    assert [one.number for one in Move.objects.all()] == [1]
    assert hers.post(at, method="DELETE").status_code == 204
    assert not Study.objects.exists()


def test_what_is_not_possible_is_said_in_the_words_of_the_game(study, hers, legal):
    seat, actions = legal(study)
    at = f"studies/{study.pk}/moves/"
    before = Study.objects.get().version
    for body, status in (
        ({"after": 0, "seat": seat, "actions": ["nonsense"]}, 422),
        ({"after": 0, "seat": seat, "actions": []}, 400),
        ({"after": 0, "seat": 1 - seat, "actions": [actions[0]]}, 409),
        ({"after": 9, "seat": seat, "actions": [actions[0]]}, 404),
        ({"after": 0, "seat": seat, "actions": [actions[0], "nonsense"]}, 422),
    ):
        answer = hers.post(at, body)
        assert answer.status_code == status, (body, answer.json())
        assert answer.json()["detail"]
    assert (Study.objects.get().version, Move.objects.count()) == (before, 0)
    assert code_of(hers.get(f"studies/{study.pk}/positions/9/")) == "not_found"
    for raw in ("9", "x", "-1", "%C2%B2"):
        assert code_of(hers.get(f"studies/{study.pk}/positions/0/?seat={raw}")) == "invalid"


def test_a_bot_is_asked_once(study, hers, legal):
    seat, _actions = legal(study)
    body = {"after": 0, "seat": seat, "level": "apprentice"}
    for _time in range(2):
        assert hers.post(f"studies/{study.pk}/bots/", body).json()["number"] == 0
    assert Wish.objects.count() == 1
    assert hers.get(f"studies/{study.pk}/positions/0/").json()["bots"] == [{"seat": seat, "level": "apprentice", "failed": False}]
    assert hers.post(f"studies/{study.pk}/bots/", body | {"level": "grandmaster"}).status_code == 422


def test_sharing_and_its_end(ended, starts, alice, bob, charlie, hers, his, legal):
    study = starts(alice, ended.table.pk)
    at = f"studies/{study.pk}/"
    assert lists(hers) == {"mine": [study.pk], "shared": [], "clubs": [], "public": []}
    assert hers.post(f"{at}people/", {"username": "Bob"}).json() == {"username": "bob", "is_bot": False, "may_add": False}
    told = his.get(at).json()
    assert (told["is_owner"], told["may_add"], told["visibility"], told["link"]) == (False, False, "people", None)
    position = his.get(f"{at}positions/0/").json()
    assert (position["legal"], position["question"]) == ([], None), "who may only look is asked nothing"
    seat, actions = legal(study)
    body = {"after": 0, "seat": seat, "actions": [actions[0]]}
    assert his.post(f"{at}moves/", body).status_code == 403
    hers.post(f"{at}people/", {"username": "bob", "may_add": True})
    assert his.post(f"{at}moves/", body).json()["number"] == 1
    assert his.get(f"{at}positions/0/").json()["legal"] == actions
    assert his.post(f"{at}moves/1/promote/").status_code == 403
    for method, part, sent in (
        ("PATCH", "", {"title": "Mine"}),
        ("DELETE", "", {}),
        ("POST", "link/", {}),
        ("POST", "people/", {"username": "charlie"}),
    ):
        assert his.post(f"{at}{part}", sent, method).status_code == 403, part
    assert his.get(f"{at}people/").status_code == 403
    assert hers.get(f"{at}people/").json()["results"] == [{"username": "bob", "is_bot": False, "may_add": True}]
    assert lists(his) == {"mine": [], "shared": [study.pk], "clubs": [], "public": []}
    assert hers.post(f"{at}people/bob/", method="DELETE").status_code == 204
    assert code_of(his.get(at)) == "study_not_found" and not Guest.objects.exists()
    assert hers.post(at, {"visibility": "public"}, "PATCH").json()["title"] == "A study", "what is left out stays"
    assert lists(Person(charlie))["public"] == [study.pk]
    assert Person().get(at).status_code == 200
    assert Person().get("studies/").status_code == 401
    assert code_of(hers.get("studies/?list=all")) == "invalid"
    assert hers.post(at, {"visibility": "club", "club": "nothing"}, "PATCH").status_code == 422


def test_the_link_shows_it_to_whoever_has_it(ended, starts, alice, hers, his):
    study = starts(alice, ended.table.pk)
    at = f"studies/{study.pk}/"
    link = hers.post(at, {"visibility": "link"}, "PATCH").json()["link"]
    code = link.rstrip("/").rsplit("/", 1)[1]
    assert his.get(f"studies/link/{code}/").json()["id"] == study.pk
    assert his.get(f"{at}?code={code}").json()["link"] is None
    assert his.get(f"{at}positions/0/?code={code}").status_code == 200
    assert his.get(at).status_code == 404
    assert lists(his) == {"mine": [], "shared": [], "clubs": [], "public": []}
    assert hers.post(f"{at}link/").json()["link"] != link
    for number in range(30):
        assert his.get(f"{at}?code={code}" if number % 2 else f"studies/link/{code}/").status_code == 404, number
    renewed = Study.objects.get().link_code
    assert his.get(f"{at}?code={renewed}").status_code == 429, "whoever guesses is stopped"


def test_nobody_sees_a_study_of_a_table_that_they_may_not_see(ended, starts, alice, his, hers):
    study = starts(alice, ended.table.pk)
    sharing.set_up(study_id=study.pk, user=alice, title="A study", visibility="public")
    assert his.get(f"studies/{study.pk}/").status_code == 200
    Table.objects.filter(pk=ended.table.pk).update(privacy="link")
    missing = his.get("studies/999999/")
    for part in ("", "positions/0/"):
        hidden = his.get(f"studies/{study.pk}/{part}")
        assert (hidden.status_code, hidden.content) == (404, missing.content)
    assert lists(his)["public"] == []
    hidden, none = (his.post("studies/", {"table": pk, "step": 6, "title": "T"}) for pk in (ended.table.pk, 999_999))
    assert (hidden.status_code, hidden.content) == (404, none.content)
    assert hers.get(f"studies/{study.pk}/").status_code == 200


def test_no_answer_has_the_secrets_of_a_study(running, starts, alice, hers, plays):
    study = starts(alice, running.table.pk)
    plays(alice, study)
    found = [hers.get(f"studies/{study.pk}/{part}") for part in ("", "positions/0/", "positions/1/", "people/")]
    text = "".join(answer.content.decode() for answer in found)
    assert study.seed not in text and study.link_code not in text
    views = json.dumps(found[1].json()["view"], ensure_ascii=False, separators=(",", ":"))
    assert views in text, "this is how answers write a value"
    assert json.dumps(study.position["state"], ensure_ascii=False, separators=(",", ":")) not in text
    assert all(answer["Cache-Control"] == "no-store" for answer in found)


def test_lists_have_pages(ended, starts, alice, hers, django_assert_num_queries):
    made = [starts(alice, ended.table.pk, title=f"No. {number}").pk for number in range(5)]
    with django_assert_num_queries(2):  # the token, and the studies
        page = hers.get("studies/?limit=2").json()
    found = page["results"]
    while page["next"]:
        page = hers.client.get(page["next"]).json()
        found += page["results"]
    assert [one["id"] for one in found] == made[::-1]


def test_the_limits_are_those_of_the_pages(ended, hers, monkeypatch):
    monkeypatch.setattr(services, "MAX_STUDIES", 1)
    sent = {"table": ended.table.pk, "step": 6, "title": "One"}
    assert [hers.post("studies/", sent).status_code for _time in range(2)] == [201, 409]
    assert hers.post("studies/", sent | {"step": 99999}).status_code == 404
    assert hers.post("studies/", sent | {"title": "x" * 81}).status_code == 422
