"""Applications of other people: allowed by a page, by code with PKCE, for certain scopes, until they are revoked."""

from __future__ import annotations

import base64
import hashlib
import re
from datetime import timedelta
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from oauth2_provider.models import AccessToken, Application, Grant, RefreshToken

from portal.accounts import oauth
from portal.accounts.deleting import delete_person
from portal.accounts.models import ApiToken, User
from portal.accounts.oauth_validator import Validator
from portal.accounts.refusals import BadRedirect, NeedsAccount, TooManyApps
from tests.portal.accounts.test_tokens import whole_database

pytestmark = pytest.mark.django_db
BACK = "https://app.example.org/back?from=ziggurat"
VERIFIER = "a-verifier-that-is-long-enough-for-the-specification-0123456789"
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()


@pytest.fixture
def app(bob):
    return oauth.register(user=bob, name="Bob's <app>", redirects=BACK, is_confidential=False).row


@pytest.fixture
def browser(alice):
    client = Client()
    client.force_login(alice)
    return client


def asks(app, **more) -> str:
    wanted = {
        "response_type": "code",
        "client_id": app.client_id,
        "redirect_uri": BACK,
        "scope": "read play",
        "state": "s",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
    } | more
    return f"{reverse('oauth-authorize')}?{urlencode({key: value for key, value in wanted.items() if value})}"


def answer_to(browser, page, *, allow: bool):
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.content.decode()))
    fields = {key: value.replace("&amp;", "&") for key, value in fields.items() if key != "csrfmiddlewaretoken"}
    return browser.post(reverse("oauth-authorize"), fields | ({"allow": "yes"} if allow else {}))


def code_for(browser, app, **more) -> str:
    answer = answer_to(browser, browser.get(asks(app, **more)), allow=True)
    assert answer.status_code == 302, answer.content
    assert answer.url.startswith(BACK)
    found = parse_qs(urlsplit(answer.url).query)
    assert found["state"] == ["s"]
    return found["code"][0]


def exchange(app, **more):
    sent = {"grant_type": "authorization_code", "client_id": app.client_id, "redirect_uri": BACK, "code_verifier": VERIFIER}
    return Client().post(reverse("oauth-token"), {key: value for key, value in (sent | more).items() if value})


def renewed(app, refresh: str):
    return Client().post(reverse("oauth-token"), {"grant_type": "refresh_token", "client_id": app.client_id, "refresh_token": refresh})


def bearer(token: str) -> Client:
    return Client(headers={"authorization": f"Bearer {token}"})


def test_from_the_question_to_a_request_in_somebodys_name(browser, app):
    page = browser.get(asks(app))
    told = page.content.decode()
    assert "May “Bob&#x27;s &lt;app&gt;” act for you?" in told
    assert "app.example.org" in told and "Play for you" in told and "Change your account" not in told
    assert "no-store" in page["Cache-Control"]
    assert "form-action 'self' https://app.example.org;" in page["Content-Security-Policy"] + ";"
    given = exchange(app, code=code_for(browser, app)).json()
    assert given["scope"] == "read play" and given["expires_in"] == 3600
    client = bearer(given["access_token"])
    answer = client.get("/api/v1/me/")
    assert answer.json()["username"] == "alice"
    assert answer["RateLimit"].startswith('"api";r=599;')
    assert client.post("/api/v1/tables/", {"game": "ra", "seats": 2}, content_type="application/json").status_code == 201


def test_a_scope_that_was_not_given_is_missing(browser, app):
    client = bearer(exchange(app, code=code_for(browser, app, scope="read")).json()["access_token"])
    assert client.get("/api/v1/games/").status_code == 200
    refused = client.post("/api/v1/tables/", {"game": "ra", "seats": 2}, content_type="application/json")
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "scope_missing")
    assert refused["WWW-Authenticate"] == 'Bearer error="insufficient_scope", scope="play"'


def test_who_says_no_gives_nothing(browser, app):
    answer = answer_to(browser, browser.get(asks(app)), allow=False)
    assert parse_qs(urlsplit(answer.url).query)["error"] == ["access_denied"]
    assert not Grant.objects.exists()


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"code_challenge": ""}, "invalid_request"),
        ({"code_challenge_method": "plain", "code_challenge": VERIFIER}, "invalid_request"),
        ({"code_challenge_method": ""}, "invalid_request"),
        ({"scope": "read everything"}, "invalid_scope"),
        ({"response_type": "token"}, "unauthorized_client"),
    ],
)
def test_what_asks_wrongly_goes_back_with_an_error(browser, app, more, error):
    answer = browser.get(asks(app, **more))
    assert answer.status_code == 302 and answer.url.startswith(BACK.partition("?")[0])
    parts = urlsplit(answer.url)
    assert parse_qs(parts.query or parts.fragment)["error"][0] in (error, "unsupported_response_type")
    assert not Grant.objects.exists()


@pytest.mark.parametrize(
    "more",
    [
        {"redirect_uri": BACK + "&more=1"},
        {"redirect_uri": "https://app.example.org/back"},
        {"redirect_uri": "https://evil.example.org/"},
        {"redirect_uri": BACK.replace("https", "http")},
        {"client_id": "nobody"},
        {"client_id": ""},
    ],
)
def test_nobody_is_sent_to_an_address_that_is_not_registered(browser, app, more):
    page = browser.get(asks(app, **more))
    assert page.status_code in (400, 401)
    assert "This application sent an invalid request" in page.content.decode()


def test_what_the_form_did_not_have_is_refused(browser, app):
    for sent in ({}, {"client_id": "nobody", "redirect_uri": BACK, "scope": "read", "response_type": "code", "allow": "yes"}):
        assert browser.post(reverse("oauth-authorize"), sent).status_code == 400
    sent = {
        "client_id": app.client_id,
        "redirect_uri": "https://evil.example.org/",
        "scope": "read",
        "response_type": "code",
        "allow": "yes",
    }
    answer = browser.post(reverse("oauth-authorize"), sent)
    assert answer.status_code >= 400
    assert not Grant.objects.exists()


@pytest.mark.parametrize(
    "more", [{"code_verifier": "x" * 60}, {"code_verifier": ""}, {"redirect_uri": BACK + "&more=1"}, {"code": "nothing"}]
)
def test_a_code_without_its_proof_is_worth_nothing(browser, app, more):
    code = code_for(browser, app)
    refused = exchange(app, **{"code": code, **more})
    assert refused.status_code in (400, 401)
    assert refused.json()["error"] in ("invalid_grant", "invalid_request")
    assert not AccessToken.objects.exists()


def test_a_code_works_once_and_for_a_minute_and_for_its_application(browser, app, bob):
    other = oauth.register(user=bob, name="Another", redirects=BACK, is_confidential=False).row
    code = code_for(browser, app)
    assert exchange(other, code=code).json()["error"] == "invalid_grant"
    assert exchange(app, code=code).status_code == 200
    assert exchange(app, code=code).json()["error"] == "invalid_grant"
    late = code_for(browser, app)
    with time_machine.travel(timezone.now() + timedelta(seconds=61)):
        assert exchange(app, code=late).json()["error"] == "invalid_grant"


def test_a_code_that_is_used_again_ends_what_came_of_it(browser, app, bob):
    other = oauth.register(user=bob, name="Another", redirects=BACK, is_confidential=False).row
    code = code_for(browser, app)
    first = exchange(app, code=code).json()
    second = renewed(app, first["refresh_token"]).json()
    apart = exchange(app, code=code_for(browser, app)).json()
    assert exchange(other, code=code).json()["error"] == "invalid_grant"
    assert bearer(second["access_token"]).get("/api/v1/me/").status_code == 200
    assert exchange(app, code=code).json()["error"] == "invalid_grant"
    assert bearer(second["access_token"]).get("/api/v1/me/").status_code == 401
    assert renewed(app, second["refresh_token"]).json()["error"] == "invalid_grant"
    assert bearer(apart["access_token"]).get("/api/v1/me/").status_code == 200


def test_of_two_renewals_at_once_the_second_is_refused(browser, app, monkeypatch):
    """The first one comes between the check of the second and its answer."""
    first = exchange(app, code=code_for(browser, app)).json()
    check = Validator.validate_refresh_token
    between = []

    def slow(self, refresh_token, *args, **kwargs):
        is_good = check(self, refresh_token, *args, **kwargs)
        if not between:
            between.append(None)
            between.append(renewed(app, first["refresh_token"]))
        return is_good

    monkeypatch.setattr(Validator, "validate_refresh_token", slow)
    late = renewed(app, first["refresh_token"])
    assert (late.status_code, late.json()["error"]) == (400, "invalid_grant")
    assert between[1].status_code == 200
    assert bearer(between[1].json()["access_token"]).get("/api/v1/me/").status_code == 200


def test_a_confidential_application_needs_its_secret(browser, bob):
    made = oauth.register(user=bob, name="A server", redirects=BACK, is_confidential=True)
    code = code_for(browser, made.row)
    for secret in ("", "wrong"):
        assert exchange(made.row, code=code, client_secret=secret).json()["error"] == "invalid_client"
    assert exchange(made.row, code=code, client_secret=made.secret).status_code == 200
    assert made.secret not in whole_database()


def test_a_token_expires_and_is_renewed_and_an_old_refresh_token_ends_all(browser, app):
    first = exchange(app, code=code_for(browser, app)).json()
    with time_machine.travel(timezone.now() + timedelta(seconds=3601)):
        expired = bearer(first["access_token"]).get("/api/v1/me/")
        assert (expired.status_code, expired.json()["error"]["code"]) == (401, "token_expired")
        second = renewed(app, first["refresh_token"]).json()
        assert bearer(second["access_token"]).get("/api/v1/me/").status_code == 200
        assert renewed(app, first["refresh_token"]).json()["error"] == "invalid_grant"
        assert renewed(app, second["refresh_token"]).json()["error"] == "invalid_grant"
        assert bearer(second["access_token"]).get("/api/v1/me/").status_code == 401


def test_neither_codes_nor_tokens_are_kept_in_plain_text(browser, app):
    code = code_for(browser, app)
    assert code not in whole_database()
    given = exchange(app, code=code).json()
    everything = whole_database()
    assert given["access_token"] not in everything and given["refresh_token"] not in everything


def test_people_revoke_in_the_settings(browser, app, alice):
    given = exchange(app, code=code_for(browser, app)).json()
    page = browser.get(reverse("applications")).content.decode()
    assert "Bob&#x27;s &lt;app&gt;" in page and "Play for you" in page
    assert browser.post(reverse("applications"), {"revoke": app.pk}).status_code == 302
    assert bearer(given["access_token"]).get("/api/v1/me/").status_code == 401
    assert renewed(app, given["refresh_token"]).json()["error"] == "invalid_grant"
    assert browser.post(reverse("applications"), {"revoke": app.pk}).status_code == 404
    assert oauth.allowed_by(alice) == []


def test_the_application_can_give_its_token_back(browser, app):
    given = exchange(app, code=code_for(browser, app)).json()
    answer = Client().post(reverse("oauth-revoke"), {"token": given["refresh_token"], "client_id": app.client_id})
    assert answer.status_code == 200
    assert bearer(given["access_token"]).get("/api/v1/me/").status_code == 401


def test_registering_and_removing(browser, alice):
    sent = {"name": "Mine", "redirects": f"{BACK}\nhttp://localhost:8099/", "is_confidential": "on"}
    page = browser.post(reverse("applications"), sent).content.decode()
    app = Application.objects.get()
    assert app.client_id in page
    assert [len(shown) for shown in re.findall(r'<p class="token">(\w+)</p>', page)] == [40, 128]
    assert browser.post(reverse("applications"), {"remove": app.pk}).status_code == 302
    assert not Application.objects.exists()


@pytest.mark.parametrize(
    "address",
    [
        *("http://example.org/", "example.org", "https://", "https://a:b@example.org/", "https://example.org/#x", "javascript:alert(1)"),
        *("https://example.org:x/", "https://example.org/" + "x" * 200, "https://*.example.org/", "", "https://пример.org/"),
        " ".join(f"https://example.org/{n}" for n in range(6)),
    ],
)
def test_addresses_that_are_not_safe(browser, bob, address):
    with pytest.raises(BadRedirect):
        oauth.register(user=bob, name="An app", redirects=address, is_confidential=False)
    refused = browser.post(reverse("applications"), {"name": "An app", "redirects": address})
    assert refused.status_code == 422
    assert not Application.objects.exists()


def test_not_for_guests_and_not_more_than_ten(app, bob):
    guest = Client()
    guest.post(reverse("play-now", args=["ra"]))
    for address in (reverse("applications"), asks(app)):
        assert guest.get(address).url == reverse("account_signup")
        assert Client().get(address).url.startswith(reverse("account_login"))
    with pytest.raises(NeedsAccount):
        oauth.register(user=User.objects.get(is_guest=True), name="x", redirects=BACK, is_confidential=False)
    for n in range(oauth.MOST_APPS - 1):
        oauth.register(user=bob, name=f"App {n}", redirects=BACK, is_confidential=False)
    with pytest.raises(TooManyApps):
        oauth.register(user=bob, name="One more", redirects=BACK, is_confidential=False)


def test_an_application_makes_no_tokens_that_outlive_it(browser, app):
    client = bearer(exchange(app, code=code_for(browser, app, scope="read admin")).json()["access_token"])
    refused = client.post("/api/v1/tokens/", {"name": "A back door", "scopes": ["read"]}, content_type="application/json")
    assert refused.status_code == 403
    assert not ApiToken.objects.exists()


def test_nothing_is_left_of_somebody_who_goes(browser, app, alice, bob):
    code_for(browser, app)
    exchange(app, code=code_for(browser, app))
    delete_person(user=alice)
    assert not (Grant.objects.exists() or AccessToken.objects.exists() or RefreshToken.objects.exists())
    delete_person(user=bob)
    assert not Application.objects.exists()


def test_odd_requests_for_tokens_are_refused(app):
    client = Client(raise_request_exception=False)
    for sent in (
        {},
        {"grant_type": "password"},
        {"grant_type": "authorization_code", "code": "\x00"},
        {"grant_type": "ű", "client_id": "ű"},
    ):
        assert client.post(reverse("oauth-token"), sent).status_code in (400, 401), sent
    for signed in ("a%00:x", "a:x%00", "a\x00:x", "%61%00"):
        header = {"authorization": "Basic " + base64.b64encode(signed.encode()).decode()}
        for name in ("oauth-token", "oauth-revoke"):
            refused = client.post(reverse(name), {"grant_type": "authorization_code", "token": "x"}, headers=header)
            assert (refused.status_code, refused.json()) == (400, {"error": "invalid_request"}), (name, signed)
    for given in ("", "!", "Zg", "/w==", base64.b64encode(b"nobody:x").decode()):
        assert client.post(reverse("oauth-token"), {}, headers={"authorization": f"Basic {given}"}).status_code in (400, 401), given
    assert client.get(reverse("oauth-token")).status_code == 405
    for header in ("Bearer", "Bearer ", "Bearer x y", "Bearer \xff"):
        assert client.get("/api/v1/me/", headers={"authorization": header}).status_code == 401
