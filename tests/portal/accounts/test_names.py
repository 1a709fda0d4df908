"""Names of people: compared without case, and no look-alike letters."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from portal.accounts import refusals
from portal.accounts.models import User
from portal.accounts.names import mixes_scripts, new_name, people_named, person_named
from portal.clubs.models import Club, Invitation
from portal.clubs.services import create_club


@pytest.fixture
def anna(db) -> User:
    return User.objects.create_user("Anna", "anna@example.org", "correct horse")


@pytest.fixture
def zsofi(db) -> User:
    return User.objects.create_user("Zsófi", "zsofi@example.org", "correct horse")


@pytest.mark.parametrize("name", ["Аnna", "Annа", "Ann\u03b1", "pаypal", "Ѕasha", "Сaesar"])  # a Cyrillic or Greek letter among Latin ones
def test_letters_of_several_alphabets_are_refused(db, name: str) -> None:
    assert mixes_scripts(name)
    with pytest.raises(refusals.MixedScripts):
        new_name(name)


@pytest.mark.parametrize("name", ["Anna", "Zsófi", "Анна", "Ἀθηνᾶ", "ゆうきミカ", "王小明", "anna-7", "a.b_c", "ÞórÆ", "Őrült"])
def test_one_alphabet_is_taken(db, name: str) -> None:
    assert not mixes_scripts(name)
    assert new_name(name) == name


def test_wide_letters_are_the_plain_ones(anna: User) -> None:
    assert new_name("Ｂｅｌａ") == "Bela"
    with pytest.raises(refusals.NameTaken):
        new_name("ＡＮＮＡ")


@pytest.mark.parametrize("name", ["anna", "ANNA", "Anna", "aNNa", " Anna "])
def test_a_name_means_the_same_person_in_any_case(anna: User, name: str) -> None:
    assert person_named(name) == anna


def test_letters_with_accents_too(zsofi: User) -> None:
    assert person_named("ZSÓFI") == zsofi
    assert person_named("Zsofi") is None


def test_a_name_that_was_given_before_names_were_tidied_is_found(db) -> None:
    old = User.objects.create(username="Ｂｅｌａ")
    assert person_named("Ｂｅｌａ") == old
    new = User.objects.create(username="Bela")
    assert (person_named("Ｂｅｌａ"), person_named("bela")) == (old, new)


def test_a_closed_account_is_nobody(anna: User) -> None:
    User.objects.filter(pk=anna.pk).update(is_active=False)
    assert person_named("anna") is None


@pytest.mark.parametrize("name", ["", " ", "An\x00na", "a" * 151, "x" * 100_000])
def test_what_cannot_be_a_name_is_nobody(anna: User, name: str) -> None:
    assert person_named(name) is None


def test_several_names_take_one_statement(anna: User, zsofi: User, django_assert_num_queries) -> None:
    with django_assert_num_queries(1):
        found = people_named(["ANNA", "zsófi", "nobody", "anna"])
    assert found == {"ANNA": anna, "zsófi": zsofi, "anna": anna}


def test_the_database_keeps_names_apart(anna: User) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("ANNA", "other@example.org", "correct horse")


@pytest.mark.parametrize("name", ["anna", "ANNA"])
def test_the_profile_is_found_in_any_case(client, anna: User, name: str) -> None:
    response = client.get(reverse("profile", args=[name]))
    assert response.status_code == 200
    assert "<h1" in response.content.decode() and "Anna" in response.content.decode()


def test_two_players_are_compared_in_any_case(client, anna: User, zsofi: User) -> None:
    assert client.get(reverse("against-player", args=["anna", "ZSÓFI"])).status_code == 200
    assert client.get(reverse("against-player", args=["anna", "ANNA"])).status_code == 404, "nobody plays against themselves"


def test_an_invitation_reaches_the_person_in_any_case(client, anna: User, zsofi: User) -> None:
    club: Club = create_club(owner=zsofi, name="Uruk")
    client.force_login(zsofi)
    client.post(reverse("club-invite", args=[club.slug]), {"username": "ANNA"})
    assert Invitation.objects.get(club=club).user == anna


def test_signing_up_says_why_a_name_is_refused(client, db) -> None:
    data = {"username": "Аnna", "password1": "lapis lazuli 9"}
    html = client.post(reverse("account_signup"), data).content.decode()
    assert "All letters in a name must come from the same alphabet" in html
    assert not User.objects.exists()
