"""Notices to browsers by web push: encrypted for one browser (RFC 8291), sent by the push service that the browser chose, signed as ours (RFC 8292).

The key pair of the site follows from its secret key, so that several machines and restored backups have the same one.
"""

from __future__ import annotations

import base64
import json
import secrets
import time
from functools import lru_cache
from typing import Any, Final
from urllib.parse import urlsplit

from cryptography.exceptions import InvalidKey
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone, translation

from portal.accounts.models import User
from portal.notices import posting, refusals
from portal.notices.carrying import Nowhere
from portal.notices.models import Delivery, Device, Kind
from portal.notices.posting import Failed
from portal.notices.reach import zone_of
from portal.notices.sentences import sentence

CURVE: Final = ec.SECP256R1()
ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of the curve (FIPS 186-5)
RECORD_BYTES: Final = 4096
KEPT_S: Final = 24 * 3600  # by the push service, for a browser that is away
TOKEN_S: Final = 12 * 3600  # the most that RFC 8292 allows is a day
MOST_DEVICES: Final = 10  # of one person; the oldest goes
GONE: Final = ("401", "403", "404", "410")  # the service will never take anything for this browser again


def public_key() -> str:
    """Return the site's public key, as pages give it to the browser."""
    return _text(_point(_site_key(settings.SECRET_KEY).public_key()))


@transaction.atomic
def save_device(user: User, *, endpoint: str, key: str, auth: str, name: str) -> Device:
    """Keep a browser of a person, or turn it on again; it belongs to whoever used it last. Raises BadDevice, HookNotPublic, HookNotFound."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, _bytes(key))
        if len(_bytes(auth)) != 16:
            raise refusals.BadDevice
        posting.check(endpoint)
    except (ValueError, InvalidKey, refusals.BadHook):
        raise refusals.BadDevice from None
    fields = {"user": user, "key": key, "auth": auth, "name": name[:60], "off_at": None, "said": ""}
    device, _ = Device.objects.update_or_create(endpoint=endpoint, defaults=fields)
    of_person = Device.objects.filter(user=user).order_by("-pk").values_list("pk", flat=True)
    Device.objects.filter(pk__in=list(of_person[MOST_DEVICES:])).delete()
    return device


def carry(row: Delivery) -> None:
    """Send a delivery to all browsers of its person. It is carried if one of them has taken it. Raises Failed, Nowhere."""
    devices = list(Device.objects.filter(user=row.user_id, off_at=None))
    body = body_of(row)
    failures = []
    taken = False
    for device in devices:
        try:
            send(device, body, topic=f"notice-{row.notice_id}", is_urgent=row.notice.kind == Kind.TIME)
            taken = True
        except Failed as failure:
            failures.append(str(failure))
            off_at = timezone.now() if str(failure) in GONE else None
            Device.objects.filter(pk=device.pk).update(said=str(failure)[:300], off_at=off_at)
    if not taken:
        left = [why for why in failures if why not in GONE]
        if left:
            raise Failed(left[0])
        raise Nowhere


def send(device: Device, body: bytes, *, topic: str, is_urgent: bool = False) -> None:
    """Hand a message to the push service of a browser. A later one of the same topic takes its place there. Raises Failed."""
    headers = {
        "Authorization": f"vapid t={token_for(device.endpoint)}, k={public_key()}",
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(KEPT_S),
        "Topic": topic,
        "Urgency": "high" if is_urgent else "normal",
    }
    posting.post(device.endpoint, headers, encrypted(body, _bytes(device.key), _bytes(device.auth)))


def body_of(row: Delivery) -> bytes:
    """Return what the browser's worker gets. What has the same tag is one notification, so the same message twice is seen once."""
    notice = row.notice
    with translation.override(row.user.language or "en"), timezone.override(zone_of(row.user)):
        text = sentence(notice)
    tag = f"turn-{notice.table_id}" if notice.kind == Kind.TURN else f"notice-{notice.pk}"
    said: dict[str, Any] = {"text": text, "url": reverse("notice", args=[notice.pk]), "tag": tag, "lang": row.user.language or "en"}
    return json.dumps(said, ensure_ascii=False).encode()


def encrypted(body: bytes, key: bytes, auth: bytes, *, own: ec.EllipticCurvePrivateKey | None = None, salt: bytes | None = None) -> bytes:
    """Return a message for the browser with this public key and secret, as one record (RFC 8188, RFC 8291). `own` and `salt` are drawn unless given."""
    own = own or ec.generate_private_key(CURVE)
    salt = salt or secrets.token_bytes(16)
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, key)
    point = _point(own.public_key())
    shared = _derived(own.exchange(ec.ECDH(), theirs), auth, b"WebPush: info\0" + key + point, 32)
    content_key = _derived(shared, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(shared, salt, b"Content-Encoding: nonce\0", 12)
    sealed = AESGCM(content_key).encrypt(nonce, body + b"\x02", None)  # the padding's mark of the last record
    return salt + RECORD_BYTES.to_bytes(4, "big") + bytes([len(point)]) + point + sealed


def token_for(endpoint: str, now: float | None = None) -> str:
    """Return the signed token by which a push service knows the site (RFC 8292)."""
    parts = urlsplit(endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int((now or time.time()) + TOKEN_S), "sub": settings.BASE_URL}
    head = _text(b'{"typ":"JWT","alg":"ES256"}') + "." + _text(json.dumps(claims, separators=(",", ":")).encode())
    r, s = decode_dss_signature(_site_key(settings.SECRET_KEY).sign(head.encode(), ec.ECDSA(hashes.SHA256())))
    return head + "." + _text(r.to_bytes(32, "big") + s.to_bytes(32, "big"))


@lru_cache(2)
def _site_key(secret: str) -> ec.EllipticCurvePrivateKey:
    number = int.from_bytes(_derived(secret.encode(), b"", b"portal.notices.push", 48), "big")
    return ec.derive_private_key(number % (ORDER - 1) + 1, CURVE)


def _derived(key: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(key)


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    """Raises ValueError for what is not base64 of URLs."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
