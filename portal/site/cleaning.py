"""What is of no use any longer is removed once a day, so that a site can run for years: expired sessions, old attempts to sign in,
invitations and requests that nobody answered, old notices, and open tables at which nobody ever sat down.

Guests who left and mail that was sent have tasks of their own (`portal.accounts.tasks`). Games, records and standings are kept for ever.
"""

from __future__ import annotations

from datetime import timedelta

from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.utils import timezone
from oauth2_provider.models import AccessToken, Grant, RefreshToken

from portal.accounts.models import ApiToken, SignIn
from portal.clubs.models import Invitation, JoinRequest
from portal.clubs.waiting import recount
from portal.notices.models import Notice, PostedMove
from portal.tables import inviting
from portal.tables.models import Table
from portal.tables.reveal import abandon

ATTEMPTS_KEPT = timedelta(days=30)  # wrong passwords; the lock they cause lasts 15 minutes
UNANSWERED_KEPT = timedelta(days=90)
NOTICES_KEPT = timedelta(days=60)
EXPIRED_KEPT = timedelta(days=30)  # API tokens, so that their owners see why a program has stopped
REFRESH_KEPT = timedelta(seconds=settings.OAUTH2_PROVIDER["REFRESH_TOKEN_EXPIRE_SECONDS"])
WAITED = timedelta(days=30)  # for players of an open table
BATCH = 1000  # rows of one transaction, so that a neglected site locks nothing for long


def clean_up() -> dict[str, int]:
    """Remove it all; return how many rows of each kind were removed. Running it twice does no harm."""
    now = timezone.now()
    return {
        "sessions": _remove(Session.objects.filter(expire_date__lt=now)),
        "sign_ins": _remove(SignIn.objects.filter(seen_at__lt=now - timedelta(seconds=settings.SESSION_COOKIE_AGE))),
        "tokens": _remove(ApiToken.objects.filter(expires_at__lt=now - EXPIRED_KEPT)),
        "codes": _remove(Grant.objects.filter(expires__lt=now)),
        "refresh_tokens": _remove(RefreshToken.objects.filter(Q(revoked__lt=now - EXPIRED_KEPT) | Q(created__lt=now - REFRESH_KEPT))),
        "access_tokens": _remove(AccessToken.objects.filter(refresh_token=None, expires__lt=now)),
        "attempts": _remove(AccessAttempt.objects.filter(attempt_time__lt=now - ATTEMPTS_KEPT)),
        "requests": _remove(JoinRequest.objects.filter(at__lt=now - UNANSWERED_KEPT)),
        "notices": _remove(Notice.objects.filter(made_at__lt=now - NOTICES_KEPT)),
        "posted_moves": _remove(PostedMove.objects.filter(due_at__lt=now - NOTICES_KEPT)),
        "tables": _close_tables(
            Table.objects.filter(status=Table.Status.OPEN, duplicate=None, owner__isnull=False, created_at__lt=now - WAITED)
        ),
        "seats": inviting.free_kept(),
        "asked": _remove(inviting.forgotten(now - UNANSWERED_KEPT)),
        "invitations": _remove_invitations(Invitation.objects.filter(at__lt=now - UNANSWERED_KEPT)),
    }


def _remove(rows: QuerySet[Model]) -> int:
    removed = 0
    while keys := list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH]):
        rows.model._default_manager.filter(pk__in=keys).delete()
        removed += len(keys)
    return removed


def _close_tables(tables: QuerySet[Table]) -> int:
    """Close open tables, each in its own transaction, so that nobody who sits down at another one waits."""
    keys = list(tables.order_by("pk").values_list("pk", flat=True))
    return sum(abandon(tables.filter(pk=pk)) for pk in keys)


def _remove_invitations(rows: QuerySet[Invitation]) -> int:
    """Remove invitations, and correct the numbers that the invited people see."""
    removed = 0
    while found := list(rows.order_by("pk").values_list("pk", "user_id")[:BATCH]):
        with transaction.atomic():
            Invitation.objects.filter(pk__in=[key for key, _ in found]).delete()
            recount(*{user_id for _, user_id in found})
        removed += len(found)
    return removed
