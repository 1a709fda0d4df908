"""Settings, language, theme, profile: everyone changes only their own."""

from __future__ import annotations

import pytest
from django import forms
from django.test import Client
from django.urls import reverse

from portal.accounts.forms import SettingsForm
from portal.accounts.models import User
from portal.ratings.services import apply_pending
from portal.tables import services as tables
from tests.portal.tables.ending import end

pytestmark = pytest.mark.django_db
WANTED = {"language": "hu", "time_zone": "America/New_York", "theme": "dark", "confirm": "never", "hotkeys": "on"}


def test_settings_are_kept(client, alice):
    client.force_login(alice)
    response = client.post(reverse("settings"), WANTED)
    assert response.url == reverse("settings")
    alice.refresh_from_db()
    assert (alice.language, alice.time_zone, alice.theme) == ("hu", "America/New_York", "dark")
    assert (alice.confirm, alice.hotkeys, alice.list_first) == ("never", True, False)
    page = client.get(reverse("settings")).content.decode()
    assert '<html lang="hu" data-theme="dark">' in page


def test_settings_need_a_person(client):
    assert client.get(reverse("settings")).url.startswith(reverse("account_login"))
    assert client.post(reverse("settings"), WANTED).url.startswith(reverse("account_login"))


@pytest.mark.parametrize(
    "bad",
    [
        {"language": "de"},
        {"language": ""},
        {"time_zone": "Mars/Olympus"},
        {"time_zone": "../../etc/passwd"},
        {"theme": "pink"},
        {"confirm": "often"},
        {"confirm": ""},
    ],
)
def test_what_is_no_choice_changes_nothing(client, alice, bad):
    client.force_login(alice)
    assert client.post(reverse("settings"), WANTED | bad).status_code == 422
    alice.refresh_from_db()
    assert (alice.language, alice.theme) == ("", "")


def test_a_form_cannot_make_anybody_more_than_they_are(client, alice):
    client.force_login(alice)
    client.post(reverse("settings"), WANTED | {"is_staff": "on", "is_superuser": "on", "username": "root"})
    alice.refresh_from_db()
    assert not alice.is_staff
    assert not alice.is_superuser
    assert alice.username == "alice"


def test_a_visitor_chooses_a_language_by_cookie(client):
    response = client.post(reverse("set-language"), {"language": "hu", "next": reverse("lobby")})
    assert response.url == reverse("lobby")
    assert client.get(reverse("lobby"))["Content-Language"] == "hu"


def test_a_person_takes_the_language_to_every_device(client, alice):
    client.force_login(alice)
    client.post(reverse("set-language"), {"language": "hu"})
    other = Client(headers={"accept-language": "en"})
    other.force_login(User.objects.get(pk=alice.pk))
    assert other.get(reverse("lobby"))["Content-Language"] == "hu"


def test_the_browsers_language_is_the_first_guess():
    assert Client(headers={"accept-language": "hu-HU,hu;q=0.9"}).get(reverse("lobby"))["Content-Language"] == "hu"
    assert Client(headers={"accept-language": "ru"}).get(reverse("lobby"))["Content-Language"] == "ru"
    assert Client(headers={"accept-language": "de"}).get(reverse("lobby"))["Content-Language"] == "en"


def test_on_a_rule_page_the_address_changes_language(client):
    response = client.post(reverse("set-language"), {"language": "en", "next": "/hu/rules/ra/p/draw-1/?x=1"})
    assert response.url == "/en/rules/ra/p/draw-1/?x=1"


@pytest.mark.parametrize("name", ["set-language", "set-theme"])
@pytest.mark.parametrize("bad", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "\\\\evil.example", "/\\evil.example"])
def test_next_never_leaves_the_site(client, name, bad):
    response = client.post(reverse(name), {"language": "hu", "theme": "dark", "next": bad})
    assert response.url == reverse("home")


def test_a_theme_is_kept_and_taken_back(client, alice):
    client.post(reverse("set-theme"), {"theme": "dark"})
    assert 'data-theme="dark"' in client.get(reverse("lobby")).content.decode()
    client.post(reverse("set-theme"), {"theme": ""})
    assert "data-theme" not in client.get(reverse("lobby")).content.decode()
    client.force_login(alice)
    client.post(reverse("set-theme"), {"theme": "light"})
    alice.refresh_from_db()
    assert alice.theme == "light"


@pytest.mark.parametrize(("name", "body"), [("set-language", {"language": "xx"}), ("set-theme", {"theme": "pink"}), ("set-language", {})])
def test_what_is_no_language_or_theme_is_refused(client, name, body):
    assert client.post(reverse(name), body).status_code == 400
    assert client.get(reverse(name)).status_code == 405


def test_a_profile_shows_ratings_with_their_meaning_and_games(client, alice, bob, duel):
    end(duel.pk)
    apply_pending()
    page = client.get(reverse("profile", args=["alice"])).content.decode()
    assert "±" in page
    assert "19 times out of 20" in page
    assert "1 rated game" in page
    assert reverse("table", args=[duel.pk]) in page
    assert "bob" in page
    assert "alice@example.org" not in page
    assert reverse("settings") not in page


def test_only_the_own_profile_leads_to_the_settings(client, alice, bob):
    client.force_login(bob)
    main = client.get(reverse("profile", args=["alice"])).content.decode().partition("<main")[2]
    assert reverse("settings") not in main
    client.force_login(alice)
    main = client.get(reverse("profile", args=["alice"])).content.decode().partition("<main")[2]
    assert reverse("settings") in main


def test_a_profile_has_the_same_number_of_queries_with_more_games(client, alice, bob, django_assert_num_queries):
    for _ in range(2):
        loaded = tables.create_table(owner=alice, game_key="ra", seats=2)
        tables.join_table(table_id=loaded.table.pk, user=bob)
        end(loaded.table.pk)
        with django_assert_num_queries(6):
            client.get(reverse("profile", args=["alice"]))


@pytest.mark.parametrize("name", ["nobody", "a%00b", "x" * 300])
def test_nobody_has_no_profile(client, name):
    assert client.get(f"/people/{name}/").status_code in (400, 404)


def test_a_new_password_is_explained_in_one_sentence(client, alice):
    client.force_login(alice)
    html = client.get(reverse("account_change_password")).content.decode()
    assert "Use at least 8 characters and avoid common passwords." in html
    assert "personal information" not in html


@pytest.mark.parametrize("value", ["UTC", "Europe/Budapest", "Mars/Olympus", None, '<"&'])
@pytest.mark.parametrize(
    "attrs",
    [None, {"id": "id_time_zone", "required": True}, {"id": "it", "aria-describedby": "a b", "aria-invalid": "true", "disabled": False}],
)
def test_time_zones_are_listed_as_django_lists_choices(value, attrs):
    field = SettingsForm().fields["time_zone"]
    assert len(field.choices) > 400
    plain = forms.Select(attrs={"class": "select"}, choices=field.choices)
    drawn = field.widget.render("time_zone", value, attrs)
    assert drawn == plain.render("time_zone", value, attrs)
    assert drawn.count(" selected") == (value in ("UTC", "Europe/Budapest"))


def test_time_zones_are_looked_for_once(client, alice, monkeypatch):
    client.force_login(alice)
    client.get(reverse("settings"))
    monkeypatch.setattr("portal.accounts.forms.available_timezones", lambda: pytest.fail("looked for again"))
    assert b'value="Europe/Budapest"' in client.get(reverse("settings")).content
