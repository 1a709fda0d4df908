"""The process behind `Positions`: reads requests line by line, opens the tables in the portal's database, answers with sessions."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import django


def seat(wish: dict[str, Any]) -> dict[str, Any]:
    """Open a table from a position with people in the first seats and bots in the others."""
    from portal.accounts.models import User
    from portal.tables import services

    people = [User.objects.get_or_create(username=name)[0] for name in wish["people"]]
    position = wish["position"]
    game, seats, options = position["game"], position["seats"], position["options"]
    opened = services.create_table(owner=people[0], game_key=game, seats=seats, options=options, bots=wish["bots"], position=position)
    for person in people[1:]:
        services.join_table(table_id=opened.table.pk, user=person)
    return {"table": opened.table.pk, "sessions": [session_of(person) for person in people]}


def session_of(user: Any) -> str:
    """Return the key of a session with this person signed in."""
    from django.test import Client

    client = Client()
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return client.cookies["sessionid"].value


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "portal.settings"
    django.setup()
    for line in sys.stdin:
        sys.stdout.write(json.dumps(seat(json.loads(line))) + "\n")
        sys.stdout.flush()
