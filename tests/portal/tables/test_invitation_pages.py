"""The pages of invitations: what an invited person, a stranger, a visitor and the owner see and may do."""

from __future__ import annotations

import re

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from portal.accounts import services as accounts
from portal.accounts.models import Block, User
from portal.clubs import services as clubs
from portal.clubs import ways_in
from portal.tables import invite_views, inviting, services
from portal.tables.models import Invitation, Table
from portal.tables.qr import qr_svg

pytestmark = pytest.mark.django_db
TERMS = "2 rated"


@pytest.fixture(autouse=True)
def _no_limits_from_before():
    cache.clear()


@pytest.fixture
def duel_of(alice, fixed_secret) -> Table:
    """Alice waits for one opponent at a table of Ra."""
    return services.create_table(owner=alice, game_key="ra", seats=2).table


@pytest.fixture
def invitation(duel_of, alice, bob) -> Invitation:
    return inviting.invite(table_id=duel_of.pk, user=alice, name="bob")


def signed_in(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def main_of(response) -> str:
    return response.content.decode().partition("<main")[2]


def link(table) -> str:
    return reverse("invitation-by-code", args=[table.link_code])


def test_front_page_lobby_and_table_tell_of_an_invitation(invitation, duel_of, bob, charlie):
    address = reverse("invitation", args=[invitation.pk])
    for page in (reverse("home"), reverse("lobby"), reverse("table", args=[duel_of.pk])):
        assert address in main_of(signed_in(bob).get(page))
        assert "invitations/" not in main_of(signed_in(charlie).get(page))
        assert "invitations/" not in main_of(Client().get(page))
    assert "alice invites you to Ra" in main_of(signed_in(bob).get(reverse("home")))


def test_an_answered_invitation_is_told_of_no_longer(invitation, bob):
    client = signed_in(bob)
    client.post(reverse("invitation", args=[invitation.pk]), {"do": "decline"})
    assert "invites you" not in main_of(client.get(reverse("home")))


def test_the_page_says_what_one_agrees_to(invitation, bob):
    page = main_of(signed_in(bob).get(reverse("invitation", args=[invitation.pk])))
    for text in (
        "alice invites you to Ra",
        "2 players",
        "rated",
        "alice; 1 seat free",
        'value="accept"',
        'value="decline"',
        'value="counter"',
    ):
        assert text in page


def test_accepting_leads_to_the_table(invitation, duel_of, bob):
    client = signed_in(bob)
    answer = client.post(reverse("invitation", args=[invitation.pk]), {"do": "accept", "terms": TERMS})
    assert (answer.status_code, answer.url) == (303, reverse("table", args=[duel_of.pk]))
    assert client.get(reverse("invitation", args=[invitation.pk])).url == reverse("table", args=[duel_of.pk])
    assert Table.objects.get().status == "playing"


def test_settings_that_changed_are_shown_again(invitation, bob):
    answer = signed_in(bob).post(reverse("invitation", args=[invitation.pk]), {"do": "accept", "terms": "4 rated"})
    assert answer.status_code == 409
    assert "The table&#x27;s settings have changed." in answer.content.decode()
    assert f'name="terms" value="{TERMS}"' in answer.content.decode()


def test_a_suggestion_reaches_the_owner_who_takes_it_with_one_click(invitation, duel_of, alice, bob):
    page = reverse("invitation", args=[invitation.pk])
    client = signed_in(bob)
    assert client.post(page, {"do": "counter", "seats": "3", "message": "<b>Three?</b>"}).status_code == 303
    assert "You asked for this: 3 players, unrated." in main_of(client.get(page))
    owner = signed_in(alice)
    table = main_of(owner.get(reverse("table", args=[duel_of.pk])))
    assert "Suggests a change: 3 players, unrated" in table
    assert "&lt;b&gt;Three?&lt;/b&gt;" in table
    answer = owner.post(reverse("table-grant", args=[duel_of.pk]), {"invitation": invitation.pk})
    assert answer.status_code == 303
    assert list(duel_of.seats.values_list("user__username", flat=True)) == ["alice", "bob", None]


@pytest.mark.parametrize("seats", ["", "x", "999", "-1", "1e3", "٣٣"])
def test_a_suggestion_that_cannot_be_read_is_refused(invitation, bob, seats):
    answer = signed_in(bob).post(reverse("invitation", args=[invitation.pk]), {"do": "counter", "seats": seats})
    assert answer.status_code == 400
    assert "Possible player counts" in answer.content.decode()


def test_whoever_has_the_link_can_suggest_a_change_and_is_seated_by_the_owner(duel_of, alice, bob):
    client, page = signed_in(bob), link(duel_of)
    assert "Suggest a change" in main_of(client.get(page))
    answer = client.post(page, {"do": "counter", "seats": "3", "rated": "on", "message": "Three?"})
    assert (answer.status_code, answer["Location"]) == (303, page)
    invitation = Invitation.objects.get()
    assert (invitation.user, invitation.by, invitation.state, invitation.seats) == (bob, alice, "countered", 3)
    assert Table.objects.get().kept == 1
    assert client.get(page)["Location"] == reverse("invitation", args=[invitation.pk])
    assert "Three?" in main_of(signed_in(alice).get(reverse("table", args=[duel_of.pk])))
    signed_in(alice).post(reverse("table-grant", args=[duel_of.pk]), {"invitation": invitation.pk})
    table = Table.objects.get()
    assert (table.seat_count, table.seats.filter(user=bob).count()) == (3, 1)


@pytest.mark.parametrize("sent", [{"seats": "9"}, {"seats": "x"}, {"seats": "2", "rated": "on"}, {"seats": "3", "message": "x" * 500}])
def test_a_suggestion_by_link_that_says_nothing_or_too_much_is_refused(duel_of, bob, sent):
    answer = signed_in(bob).post(link(duel_of), {"do": "counter"} | sent)
    assert answer.status_code in (400, 422)
    assert not Invitation.objects.exists()
    assert Table.objects.get().kept == 0


def test_a_suggestion_by_link_reaches_nobody_who_blocks_its_writer_and_keeps_no_seat_that_is_promised(duel_of, alice, bob, charlie):
    Block.objects.create(user=alice, blocked=charlie)
    sent = {"do": "counter", "seats": "3", "rated": "on", "message": "Hello there"}
    assert "taking invitations" in main_of(signed_in(charlie).post(link(duel_of), sent))
    inviting.invite(table_id=duel_of.pk, user=alice, name="bob")
    Block.objects.all().delete()
    assert signed_in(charlie).post(link(duel_of), sent).status_code == 409
    assert [one.user for one in Invitation.objects.all()] == [bob]


def test_an_answer_that_is_none_changes_nothing(invitation, bob):
    assert signed_in(bob).post(reverse("invitation", args=[invitation.pk]), {"do": "x"}).status_code == 400
    assert Invitation.objects.get().state == "pending"


def test_the_invitation_of_somebody_else_is_not_there(invitation, alice, charlie):
    page, missing = (reverse("invitation", args=[pk]) for pk in (invitation.pk, 987_654))
    for client in (signed_in(charlie), signed_in(alice), Client()):
        for answer, other in ((client.get(page), client.get(missing)), *((client.post(page, {"do": do}), client.post(missing, {"do": do})) for do in ("accept", "decline", "counter", "x"))):  # fmt: skip
            assert answer.status_code == other.status_code == 404
            assert re.sub(rb"/invitations/\d+/", b"", main_of(answer).encode()) == re.sub(
                rb"/invitations/\d+/", b"", main_of(other).encode()
            )
    assert not User.objects.filter(is_guest=True).exists()


# Links


def test_a_visitor_takes_a_seat_by_the_link_as_a_guest_and_keeps_it_with_an_account(duel_of):
    client = Client()
    page = client.get(link(duel_of))
    assert "alice invites you to Ra" in main_of(page)
    assert not User.objects.filter(is_guest=True).exists(), "looking makes nobody a guest"
    answer = client.post(link(duel_of), {"do": "accept", "terms": TERMS})
    assert answer.url == reverse("table", args=[duel_of.pk])
    client.post(reverse("account_signup"), {"username": "dora", "password1": "clay-tablet-77"})
    assert list(duel_of.seats.order_by("index").values_list("user__username", flat=True)) == ["alice", "dora"]
    assert "data-version" in client.get(reverse("table", args=[duel_of.pk])).content.decode()


def test_pages_with_a_code_are_kept_nowhere_and_tell_no_other_site_their_address(duel_of, invitation, alice, bob):
    mailed = Invitation.objects.create(
        table=duel_of,
        way="mail",
        by=alice,
        email="dora@example.org",
        code="c" * 16,
        made_at=invitation.made_at,
        expires_at=invitation.expires_at,
    )
    for client, address in (
        (Client(), link(duel_of)),
        (Client(), reverse("invitation-by-code", args=[mailed.code])),
        (Client(), reverse("invitation-by-code", args=["wrong"])),
        (signed_in(bob), reverse("invitation", args=[invitation.pk])),
        (signed_in(alice), reverse("table-qr", args=[duel_of.pk])),
    ):
        answer = client.get(address)
        assert "no-store" in answer["Cache-Control"]
        assert answer["Referrer-Policy"] == "same-origin"
        if answer["Content-Type"].startswith("text/html") and answer.status_code == 200:
            assert 'name="robots" content="noindex"' in answer.content.decode()


@pytest.mark.parametrize("code", ["x", "x" * 16, "x" * 300, "é", "%00x"])
def test_a_wrong_code_is_not_there(duel_of, code):
    for method in (Client().get, Client().post):
        assert method(f"/invite/{code}/").status_code in ((400,) if "%00" in code else (404,))


def test_codes_are_not_tried_one_after_another(duel_of, monkeypatch):
    monkeypatch.setattr(invite_views, "LINKS", invite_views.Guesses("table-link", limit=2, window_s=3600))
    client = Client()
    assert [client.get(f"/invite/{'x' * n}/").status_code for n in (1, 2, 3)] == [404, 404, 429]
    assert client.get(link(duel_of)).status_code == 429
    assert Client(REMOTE_ADDR="192.0.2.9").get(link(duel_of)).status_code == 200


def test_a_link_says_when_there_is_nothing_to_take(duel_of, invitation, alice, bob, charlie):
    assert "kept for invited people" in main_of(Client().get(link(duel_of)))
    assert signed_in(charlie).post(link(duel_of), {"do": "accept", "terms": TERMS}).status_code == 409
    assert signed_in(bob).get(link(duel_of)).url == reverse("invitation", args=[invitation.pk])
    services.start_table(table_id=duel_of.pk, user=alice)
    assert signed_in(charlie).get(link(duel_of)).url == reverse("table", args=[duel_of.pk])
    assert main_of(signed_in(bob).get(reverse("invitation", args=[invitation.pk]))).count("already started") == 1


def test_a_mailed_link_is_declined_without_an_account(duel_of, alice):
    mailed = inviting.invite_by_mail(table_id=duel_of.pk, user=alice, email="dora@example.org")
    client = Client()
    assert client.post(reverse("invitation-by-code", args=[mailed.code]), {"do": "decline"}).url == reverse("lobby")
    assert "no longer open" in main_of(client.get(reverse("invitation-by-code", args=[mailed.code])))
    assert client.post(reverse("invitation-by-code", args=[mailed.code]), {"do": "accept", "terms": TERMS}).status_code == 409


# The owner's table


def test_the_owner_invites_from_the_table(duel_of, alice, bob):
    client = signed_in(alice)
    address = reverse("table-invite", args=[duel_of.pk])
    answer = client.post(address, {"who": " bob "}, follow=True)
    assert "bob is invited." in main_of(answer)
    assert "No answer yet" in main_of(answer)
    assert "already kept" in main_of(client.post(address, {"who": "dora@example.org"}, follow=True))
    number = Invitation.objects.get().pk
    client.post(reverse("table-take-back", args=[duel_of.pk]), {"invitation": number})
    assert "dora@example.org is invited." in main_of(client.post(address, {"who": "dora@example.org"}, follow=True))


def test_only_the_owner_sees_link_code_and_invitations(invitation, duel_of, alice, bob, charlie):
    table = reverse("table", args=[duel_of.pk])
    assert duel_of.link_code in main_of(signed_in(alice).get(table))
    for client in (signed_in(bob), signed_in(charlie), Client()):
        page = client.get(table).content.decode()
        assert duel_of.link_code not in page
        assert 'id="inviting"' not in page
        api = client.get(f"/api/v1/tables/{duel_of.pk}/").content.decode()
        assert duel_of.link_code not in api and "bob" not in api
    assert "bob" not in main_of(signed_in(charlie).get(table))
    assert signed_in(charlie).get(reverse("table-qr", args=[duel_of.pk])).status_code == 404
    assert Client().get(reverse("table-qr", args=[duel_of.pk])).status_code == 404
    assert signed_in(alice).get(reverse("table-qr", args=[duel_of.pk])).content == qr_svg(
        f"http://127.0.0.1:8000/invite/{duel_of.link_code}/"
    )


@pytest.mark.parametrize("verb", ["table-invite", "table-take-back", "table-grant", "table-insist", "table-link"])
def test_others_change_nothing_at_the_table(invitation, duel_of, charlie, bob, verb):
    data = {"who": "charlie", "invitation": invitation.pk}
    for client in (signed_in(charlie), signed_in(bob)):
        client.post(reverse(verb, args=[duel_of.pk]), data)
    assert Client().post(reverse(verb, args=[duel_of.pk]), data).status_code in (403, 404)
    assert signed_in(charlie).post(reverse(verb, args=[987_654]), data).status_code == 404
    assert list(Invitation.objects.values_list("pk", "state")) == [(invitation.pk, "pending")]
    assert Table.objects.get().link_code == duel_of.link_code


def test_a_kept_seat_is_offered_to_nobody_in_the_lobby(invitation, duel_of, charlie):
    join = reverse("lobby-join", args=[duel_of.pk])
    for page in ("lobby", "home"):
        assert join not in main_of(signed_in(charlie).get(reverse(page)))
    assert signed_in(charlie).get("/api/v1/tables/").json()["count"] == 0
    services.leave_table(table_id=duel_of.pk, user=duel_of.owner)


def test_a_table_with_another_free_seat_stays_in_the_lobby(alice, bob, charlie):
    table = services.create_table(owner=alice, game_key="ra", seats=3).table
    inviting.invite(table_id=table.pk, user=alice, name="bob")
    page = main_of(signed_in(charlie).get(reverse("lobby")))
    assert reverse("lobby-join", args=[table.pk]) in page
    assert "1 seat free" in page


def test_forms_are_posts_with_a_token(invitation, duel_of, bob):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(bob)
    for address in (reverse("invitation", args=[invitation.pk]), link(duel_of), reverse("table-invite", args=[duel_of.pk])):
        assert strict.post(address, {"do": "accept", "terms": TERMS}).status_code == 403
    assert strict.get(reverse("table-invite", args=[duel_of.pk])).status_code == 405


def test_a_qr_code_is_an_svg_file_without_style():
    drawn = qr_svg("https://example.org/invite/abc/").decode()
    assert drawn.startswith("<svg") and "viewBox" in drawn and "style" not in drawn


# Names


def names(client, start) -> list[str]:
    return client.get(reverse("table-names"), {"start": start}).json()["names"]


def test_people_met_come_first_then_clubmates_then_others(alice, bob, charlie):
    for name in ("dora", "Dorka", "dorottya", "doris"):
        User.objects.create_user(name, f"{name}@example.org")
    club = clubs.create_club(owner=alice, name="Enlil")
    ways_in.join_by_link(code=club.link_code, user=User.objects.get(username="dorottya"))
    table = services.create_table(owner=alice, game_key="ra", seats=2).table
    services.join_table(table_id=table.pk, user=User.objects.get(username="Dorka"))
    assert names(signed_in(alice), "dO") == ["Dorka", "dorottya", "dora", "doris"]
    assert names(signed_in(bob), " dor ") == ["dora", "doris", "Dorka", "dorottya"]


def test_few_letters_patterns_addresses_and_oneself_find_nobody(alice, bob):
    client = signed_in(alice)
    for start in ("", "b", "%b", "b_", "bob@", "example", "ali", "x" * 500, "b\u202eo"):
        assert names(client, start) == [], start
    User.objects.filter(pk=bob.pk).update(is_active=False)
    assert names(client, "bob") == []


def test_at_most_eight_names_and_guests_only_if_one_has_met_them(alice, bob):
    for n in range(10):
        User.objects.create_user(f"emma{n}")
    assert len(names(signed_in(alice), "emma")) == 8
    guest = accounts.create_guest(address="192.0.2.1")
    table = services.create_table(owner=alice, game_key="ra", seats=2).table
    services.join_table(table_id=table.pk, user=guest)
    assert names(signed_in(alice), "guest-") == [guest.username]
    assert names(signed_in(bob), "guest-") == []


def test_names_are_for_people_of_the_site_and_not_without_end(alice, bob, monkeypatch):
    assert Client().get(reverse("table-names"), {"start": "bo"}).status_code == 404
    monkeypatch.setattr(invite_views, "NAMES_PER_MINUTE", 1)
    client = signed_in(alice)
    assert names(client, "bo") == ["bob"]
    answer = client.get(reverse("table-names"), {"start": "bo"})
    assert answer.status_code == 429 and 1 <= int(answer["Retry-After"]) <= 60
    assert "no-store" in signed_in(bob).get(reverse("table-names"), {"start": "al"})["Cache-Control"]
