"""Web push: encrypted as the RFC's own example, signed as the site, once, and off for browsers that are gone."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime

import pytest
import time_machine
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings as site

from portal.notices import outbox, push, tasks
from portal.notices.models import Delivery, Device, Kind, Notice
from portal.notices.push import _bytes, _derived, _point, _text
from tests.portal.notices.catchers import HookCatcher, running

pytestmark = pytest.mark.django_db


class Browser:
    """What a browser keeps for itself, and how it reads a message (RFC 8291, section 4)."""

    def __init__(self) -> None:
        self.own = ec.generate_private_key(push.CURVE)
        self.auth = b"0123456789abcdef"

    @property
    def keys(self) -> dict[str, str]:
        return {"key": _text(_point(self.own.public_key())), "auth": _text(self.auth)}

    def read(self, message: bytes) -> dict[str, str]:
        salt, size, point, sealed = message[:16], message[16:20], message[21:86], message[86:]
        assert size == (4096).to_bytes(4, "big")
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(push.CURVE, point)
        mine = _point(self.own.public_key())
        shared = _derived(self.own.exchange(ec.ECDH(), theirs), self.auth, b"WebPush: info\0" + mine + point, 32)
        key, nonce = (
            _derived(shared, salt, f"Content-Encoding: {what}\0".encode(), size) for what, size in (("aes128gcm", 16), ("nonce", 12))
        )
        plain = AESGCM(key).decrypt(nonce, sealed, None)
        assert plain.endswith(b"\x02")
        return json.loads(plain[:-1])


@pytest.fixture
def clock():
    with time_machine.travel(datetime(2026, 11, 27, 12, 0, tzinfo=UTC), tick=False) as traveller:
        yield traveller


@pytest.fixture
def service(settings):
    """A push service on loopback."""
    settings.HOOKS_TO_PRIVATE = True
    with running(HookCatcher()) as server:
        server.status = 201
        yield server


@pytest.fixture
def phone(alice, service):
    """A browser of Alice's."""
    found = Browser()
    push.save_device(alice, endpoint=service.url, name="Firefox, Android", **found.keys)
    return found


def invite(user):
    outbox.tell([user.pk], kind=Kind.INVITATION, key="invited", path="/tables/", facts={"who": "bob", "game": "ra"})


def test_the_example_of_the_rfc_comes_out_byte_for_byte():
    """RFC 8291, section 5."""
    number = int.from_bytes(_bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big")
    message = push.encrypted(
        b"When I grow up, I want to be a watermelon",
        _bytes("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
        _bytes("BTBZMqHH6r4Tts7J_aSIgg"),
        own=ec.derive_private_key(number, push.CURVE),
        salt=_bytes("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert _text(message) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
        "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
        "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_a_notice_reaches_the_browser_once_and_only_it_can_read_it(alice, phone, service, clock):
    invite(alice)
    for _ in range(3):
        tasks.send_due()
    ((message, headers),) = service.posts
    said = phone.read(message)
    assert said["text"] == "bob invites you to a game of Ra."
    assert said["url"] == f"/notices/{Notice.objects.get().pk}/"
    assert b"Ra" not in message
    assert headers["content-encoding"] == "aes128gcm"
    assert Delivery.objects.get().status == "sent"


def test_the_push_service_can_tell_that_the_site_sent_it(alice, phone, service, clock):
    invite(alice)
    tasks.send_due()
    scheme, _, rest = service.posts[0][1]["authorization"].partition(" ")
    values = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert scheme == "vapid"
    head, claims, signature = values["t"].split(".")
    raw = _bytes(signature)
    signed = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    known = ec.EllipticCurvePublicKey.from_encoded_point(push.CURVE, _bytes(values["k"]))
    known.verify(signed, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    said = json.loads(base64.urlsafe_b64decode(claims + "=="))
    assert said["aud"] == service.url.partition("/in")[0]
    assert said["sub"] == site.BASE_URL
    assert 0 < said["exp"] - datetime.now(UTC).timestamp() <= 24 * 3600


@pytest.mark.parametrize("status", [404, 410, 401])
def test_a_browser_that_is_gone_is_switched_off_with_the_reason(alice, phone, service, clock, browser, status):
    service.status = status
    invite(alice)
    tasks.send_due()
    assert Device.objects.get().off_at is not None
    assert Delivery.objects.get().status == "dropped"
    page = browser(alice).get("/notices/settings/").content.decode()
    assert f"its push service no longer accepts messages ({status})" in " ".join(page.split())
    invite(alice)
    tasks.send_due()
    assert len(service.posts) == 1


def test_a_failing_service_is_tried_again_and_what_one_browser_took_is_not_sent_twice(alice, phone, service, clock):
    with running(HookCatcher()) as other:
        other.status = 500
        push.save_device(alice, endpoint=other.url, name="Chrome", **Browser().keys)
        invite(alice)
        tasks.send_due()
        clock.shift(3600)
        tasks.send_due()
        assert (len(service.posts), len(other.posts)) == (1, 1)
        assert Device.objects.get(endpoint=other.url).said == "500"


def test_a_turn_that_was_taken_is_not_pushed(alice, phone, service, clock):
    outbox.turns(table_id=7, version=3, path="/tables/7/", due={alice.pk: {"game": "ra", "names": ["bob"]}}, over=[])
    clock.shift(21)
    outbox.turns(table_id=7, version=4, path="/tables/7/", due={}, over=[alice.pk])
    tasks.send_due()
    assert not service.posts


def test_a_browser_is_turned_on_by_its_script_and_off_when_its_person_signs_out(alice, service, browser, clock):
    client = browser(alice)
    sent = {"endpoint": service.url, **Browser().keys}
    agent = "Mozilla/5.0 (Android 16; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"
    assert client.post("/notices/settings/device/", sent, headers={"User-Agent": agent}).status_code == 204
    page = client.get("/notices/settings/").content.decode()
    assert "Firefox, Android" in page
    assert "This browser" in page
    assert f'data-key="{push.public_key()}"' in page
    client.post("/accounts/logout/")
    assert not Device.objects.exists()


def test_a_browser_belongs_to_whoever_used_it_last_and_nobody_removes_that_of_another(alice, bob, phone, service, browser):
    device = Device.objects.get()
    browser(bob).post("/notices/settings/device/", {"do": "remove", "device": device.pk})
    assert Device.objects.filter(user=alice).exists()
    push.save_device(bob, endpoint=service.url, name="Firefox", **phone.keys)
    assert Device.objects.get().user == bob
    browser(bob).post("/notices/settings/device/", {"do": "remove", "device": device.pk})
    assert not Device.objects.exists()


@pytest.mark.parametrize(
    "change",
    [
        {"endpoint": "https://10.0.0.1/x"},
        {"endpoint": "http://example.org/"},
        {"endpoint": "x" * 5000},
        {"key": "AAAA"},
        {"key": "é"},
        {"auth": "AAAA"},
        {"auth": ""},
        {"key": _text(b"\x04" + b"\x01" * 64)},
    ],
)
def test_what_is_no_subscription_is_refused(alice, browser, change):
    sent = {"endpoint": "https://9.9.9.9/push", **Browser().keys, **change}
    assert browser(alice).post("/notices/settings/device/", sent).status_code == 422
    assert not Device.objects.exists()


def test_a_person_has_ten_browsers_at_most(alice, service):
    for number in range(push.MOST_DEVICES + 2):
        push.save_device(alice, endpoint=f"{service.url}&n={number}", name="Firefox", **Browser().keys)
    assert Device.objects.filter(user=alice).count() == push.MOST_DEVICES


def test_the_site_can_be_installed_and_the_worker_is_for_notices_alone(client):
    manifest = client.get("/site.webmanifest")
    assert manifest["Content-Type"] == "application/manifest+json"
    assert {icon["purpose"] for icon in manifest.json()["icons"]} == {"any", "maskable"}
    assert 'href="/site.webmanifest"' in client.get("/accounts/login/").content.decode()
    worker = client.get("/notices/worker.js")
    assert worker["Content-Type"].startswith("text/javascript")
    assert b'addEventListener("fetch"' not in worker.content
    assert client.get("/notices/worker.js", headers={"If-None-Match": worker["ETag"]}).status_code == 304
