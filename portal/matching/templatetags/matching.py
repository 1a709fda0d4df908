"""The form with which somebody looks for a table, for pages of other apps."""

from __future__ import annotations

from typing import Any

from django import template

from games.registry import GAMES
from portal.accounts.models import User
from portal.matching import services
from portal.tables.pace import Kind, days_said

register = template.Library()


@register.inclusion_tag("matching/_look.html", takes_context=True)
def find_a_table(context: dict[str, Any]) -> dict[str, Any]:
    """Show the form, and how many people look for a table now; one statement."""
    request = context["request"]
    user = request.user if isinstance(request.user, User) else None
    entries = list(GAMES.values())
    return {
        "request": request,
        "csrf_token": context.get("csrf_token"),
        "games": entries,
        "counts": sorted({count for entry in entries for count in entry.game.meta.seats}),
        "days": days_said(services.pace_for(entries[0], Kind.DAYS).days),
        "waiting": services.waiting(user),
        "may_correspond": user is not None and not user.is_guest,
    }
