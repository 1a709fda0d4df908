"""What a token may be used for. A session may do all that its person can; a token only what its scopes say."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from portal.common.refusals import ScopeMissing

READ: Final = "read"
# In the order in which they are listed and stored. The sentences go on after "The program may ...".
SCOPES: Final = {
    READ: _("See all that you can see: your tables and hands, clubs, messages and notices."),
    "play": _("Play for you: open and join tables, make moves, write in chats, answer invitations, friends and notices."),
    "club": _("Act for you in your clubs, with the rights that you have there."),
    "admin": _("Change your account: settings, blocked people, API tokens."),
}
ALL: Final = tuple(SCOPES)


def written(scopes: Iterable[str]) -> str:
    """Return scopes as they are stored: in their order, with spaces between them.

    >>> written({"play", "read"})
    'read play'
    """
    kept = set(scopes)
    return " ".join(scope for scope in ALL if scope in kept)


def scopes_of(request: Request) -> frozenset[str]:
    """Return what a request may be used for: all of it with a session, or without a sign-in."""
    token: Any = request.auth
    return frozenset(ALL) if token is None else frozenset(token.scopes.split())


def needed(view: Any, method: str | None) -> str:
    """Return the scope that a view wants for a method: `reads` to look, `scope` to change something."""
    return str(view.reads if method in SAFE_METHODS else view.scope)


class HasScope(BasePermission):
    """Refuses a token that lacks the view's scope."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return True. Raises ScopeMissing."""
        scope = needed(view, request.method)
        if scope not in scopes_of(request):
            raise ScopeMissing(scope=scope)
        return True
