"""Notices to a person's own web address, signed. `posting.py` says which addresses those may be."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone, translation

from portal.accounts.models import User
from portal.notices import posting
from portal.notices.carrying import Nowhere
from portal.notices.models import Delivery, Hook
from portal.notices.posting import Failed
from portal.notices.reach import zone_of
from portal.notices.sentences import sentence

MOST_FAILURES: Final = 10  # one after the other, of any notices


def save_hook(user: User, url: str) -> str:
    """Set or change a person's address, and return a new secret, which is shown once. Raises BadHook, HookNotPublic, HookNotFound."""
    posting.check(url)
    secret = secrets.token_urlsafe(32)
    Hook.objects.update_or_create(
        user=user, defaults={"url": url.strip(), "secret": secret, "failures": 0, "off_at": None, "said": "", "said_at": None}
    )
    return secret


def carry(row: Delivery) -> None:
    """Post a delivery. Raises Failed and counts it, Nowhere if the person has no webhook that is on."""
    hook = Hook.objects.filter(user=row.user_id, off_at=None).first()
    if hook is None:
        raise Nowhere
    post_signed(hook, body_of(row))


def post_signed(hook: Hook, body: bytes) -> None:
    """Post a body of JSON to a hook, and note the answer. Raises Failed and counts it."""
    try:
        said = posting.post(hook.url, {"Content-Type": "application/json", "Ziggurat-Signature": signature(hook.secret, body)}, body)
    except Failed as failure:
        _note_failure(hook, str(failure))
        raise
    Hook.objects.filter(pk=hook.pk).update(failures=0, said=said, said_at=timezone.now())


@transaction.atomic
def _note_failure(hook: Hook, why: str) -> None:
    """Switch the hook off if it has failed too often or says that it is gone."""
    now = timezone.now()
    Hook.objects.filter(pk=hook.pk).update(failures=F("failures") + 1, said=why[:300], said_at=now)
    if why == "410":
        Hook.objects.filter(pk=hook.pk).update(off_at=now)
    else:
        Hook.objects.filter(pk=hook.pk, failures__gte=MOST_FAILURES, off_at=None).update(off_at=now)


def body_of(row: Delivery) -> bytes:
    """Return what is posted. `id` is the same in every attempt; `at` is the moment of this one, so that an old message can be told from a new one."""
    notice = row.notice
    with translation.override(row.user.language or "en"), timezone.override(zone_of(row.user)):
        text = sentence(notice)
    said: dict[str, Any] = {
        "id": str(row.uid),
        "at": timezone.now().isoformat(timespec="seconds"),
        "kind": notice.kind,
        "what": notice.key,
        "text": text,
        "url": settings.BASE_URL + notice.path,
        "table": notice.table_id,
    }
    return json.dumps(said, ensure_ascii=False).encode()


def signature(secret: str, body: bytes) -> str:
    """Return the value of the header that proves who sent a body."""
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
