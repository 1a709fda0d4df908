"""Studies of positions that somebody has set up: from the position editor, from a game of others that was imported, and by the API."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest

from portal.accounts.models import User
from portal.studies import services
from portal.studies.models import Guest, Study
from portal.tables.models import Table
from tests.portal.api.asking import Person, code_of

pytestmark = pytest.mark.django_db
NEW = "/studies/new/"
RA = {"game": "ra", "seats": 3, "state": {"fame": [7, 8, 9]}, "fill": "1"}
IMPORTED = "leader B3 red\ntile C3 black\nleader K2 red\n"
OVER = {"game": "ra", "seats": 3, "state": {"phase": "end", "epoch": 3}}


def field_of(page, name="position"):
    found = re.search(rf'name="{name}" value="([^"]*)"', page.content.decode())
    assert found is not None, page.content.decode()
    return unescape(found[1])


def set_up(user, position=RA, title="Mine"):
    return services.start_set_up(position=services.position_in(json.dumps(position)), user=user, title=title)


def test_the_editor_leads_to_a_study_of_what_it_shows(alice, browser):
    asking = browser(alice)
    editor = asking.post("/positions/ra/", {"text": json.dumps(RA)})
    assert 'form="study-form"' in editor.content.decode() and f'action="{NEW}"' in editor.content.decode()
    page = asking.post(NEW, {"position": field_of(editor)})
    assert page.status_code == 200
    assert (field_of(page, "title"), field_of(page)) == ("Ra: a position", field_of(editor))
    assert not Study.objects.exists()
    made = asking.post(NEW, {"position": field_of(page), "title": "What now?"})
    study = Study.objects.get()
    assert (made.status_code, made.url) == (302, f"/studies/{study.pk}/")
    assert (study.owner, study.title, study.game, study.table, study.is_set_up, study.visibility) == (
        alice,
        "What now?",
        "ra",
        None,
        True,
        "me",
    )
    assert study.position["state"]["fame"] == [7, 8, 9]
    shown = asking.get(made.url).content.decode()
    assert "A position that the study&#x27;s owner has set up." in shown.replace("'", "&#x27;")
    assert "Step 0 of the game" not in shown and "None" not in re.sub("<[^>]*>", "", shown)
    assert not Table.objects.exists()


def test_an_imported_game_becomes_a_study_at_its_end_and_at_each_of_its_positions(alice, browser):
    asking = browser(alice)
    editor = asking.post("/positions/tigris_euphrates/", {"text": IMPORTED})
    links = [unescape(link) for link in re.findall(r'<a class="num" href="([^"]*)"', editor.content.decode())]
    assert len(links) == 4
    for page in (editor, asking.get(links[1])):
        assert asking.post(NEW, {"position": field_of(page), "title": "Imported"}).status_code == 302
    last, first = (study.position["state"]["leaders"] for study in Study.objects.order_by("pk"))
    assert (last, first) == ([{"priest": "B3"}, {"priest": "K2"}], [{"priest": "B3"}, {}])
    study = Study.objects.latest("pk")
    state, seat = services.lines.state_after(study, []), 0
    action = next(action for action in map(str, services.game("tigris_euphrates").legal_actions(state, seat)) if action.startswith("tile"))
    assert services.play(study_id=study.pk, user=alice, codes={}, after=0, seat=seat, actions=[action]) == 1


def test_a_visitor_becomes_a_guest(client):
    made = client.post(NEW, {"position": json.dumps(RA), "title": "Mine"})
    assert made.status_code == 302
    assert Study.objects.get().owner.is_guest
    assert client.get(made.url).status_code == 200


@pytest.mark.parametrize(
    ("position", "title", "status", "reason"),
    [
        ("{", "T", 400, "file: is no JSON"),
        ("[]", "T", 400, "file: expected a JSON object"),
        ("", "T", 400, "file: is no JSON"),
        ("x" * 20_001, "T", 400, "file: has 20001 characters; at most 20000 are possible"),
        (json.dumps(RA | {"game": "chess"}), "T", 400, "game: 'chess' is not known"),
        (json.dumps(RA | {"state": {"fame": 1}}), "T", 400, "fame: expected a list, found 1"),
        (json.dumps(RA | {"options": {"x": 1}}), "T", 400, "options: 'x' is not an option"),
        ('{"game": "ra", "seats": 3, "state": {"\\ud800": 1}}', "T", 400, "holds half a character"),
        (json.dumps(OVER), "T", 409, "The game is over in this position."),
        (json.dumps(RA), "", 422, "title"),
        (json.dumps(RA), "x" * 81, 422, "80"),
    ],
)
def test_what_cannot_be_studied_is_refused_and_changes_nothing(alice, browser, position, title, status, reason):
    page = browser(alice).post(NEW, {"position": position, "title": title})
    assert page.status_code == status
    assert reason in unescape(page.content.decode())
    assert not Study.objects.exists()


def test_a_fault_is_said_in_the_reader_s_language(client):
    page = client.post(NEW, {"position": json.dumps(RA | {"state": {"fame": 1}})}, headers={"accept-language": "hu"})
    assert "fame: lista kell, itt viszont 1 áll" in page.content.decode()


def test_the_address_alone_leads_to_the_editor(client):
    assert client.get(NEW).url == "/positions/"
    assert client.put(NEW).status_code == 405


def test_it_is_shared_like_other_studies_and_needs_no_table(alice, bob, charlie, browser):
    study = set_up(alice)

    def seen():
        page = f"/studies/{study.pk}/"
        return [
            (browser(user).get(page).status_code, page in browser(user).get("/studies/").content.decode())
            for user in (alice, bob, charlie, None)
        ]

    nobody = (404, False)
    assert seen() == [(200, True), nobody, nobody, nobody]
    Guest.objects.create(study=study, user=bob)
    Study.objects.update(visibility="people")
    assert seen() == [(200, True), (200, True), nobody, nobody]
    settings = browser(alice).get(f"/studies/{study.pk}/settings/").content.decode()
    assert "Not everyone can see the game" not in settings
    answer = browser(alice).post(f"/studies/{study.pk}/settings/", {"do": "share", "title": "Ours", "visibility": "public"})
    assert answer.status_code == 303
    assert seen() == [(200, True)] * 4
    Study.objects.update(hidden_at=study.made_at)
    assert seen() == [(200, True), nobody, nobody, nobody]


def test_as_many_as_other_studies(alice, monkeypatch):
    monkeypatch.setattr(services, "MAX_STUDIES", 1)
    set_up(alice)
    with pytest.raises(services.refusals.TooManyStudies):
        set_up(alice)
    assert Study.objects.count() == 1


def test_the_api_starts_one(alice, bob):
    hers, his = Person(alice), Person(bob)
    made = hers.post("studies/set-up/", {"position": RA, "title": "By the API"})
    told = made.json()
    assert (made.status_code, told["game"], told["table"], told["step"], told["is_set_up"]) == (201, "ra", None, 0, True)
    assert told["names"] == ["Player 1", "Player 2", "Player 3"]
    assert code_of(his.get(f"studies/{told['id']}/")) == "study_not_found"
    start = hers.get(f"studies/{told['id']}/positions/0/").json()
    moved = hers.post(f"studies/{told['id']}/moves/", {"after": 0, "seat": start["due"][0], "actions": [start["legal"][0]]})
    assert moved.status_code == 200


@pytest.mark.parametrize(
    ("fields", "status", "detail"),
    [
        ({}, 400, "position"),
        ({"position": "x"}, 400, "position"),
        ({"position": RA | {"seats": 9}}, 400, "seats: 9 is not possible"),
        ({"position": {"\ud800": 1}}, 400, "unpaired surrogate"),
        ({"position": RA | {"state": {"fame": json.loads("[" * 60 + "]" * 60)}}}, 400, "is nested too deeply"),
        ({"position": RA | {"state": {"x": "y" * 20_000}}}, 400, "characters; at most 20000"),
        ({"position": OVER}, 409, "The game is over"),
    ],
)
def test_the_api_refuses_what_is_no_position(alice, fields, status, detail):
    answer = Person(alice).post("studies/set-up/", {"title": "T"} | fields)
    assert answer.status_code == status
    assert detail in json.dumps(answer.json())
    assert not Study.objects.exists()
    assert not User.objects.filter(is_guest=True).exists()
