"""The process behind `Positions`: reads requests line by line, and opens tables or plays for people in the portal's database."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

import django


def seat(wish: dict[str, Any]) -> dict[str, Any]:
    """Open a table from a position with people in the first seats and bots in the others."""
    from portal.accounts.models import User
    from portal.tables import services

    people = [User.objects.get_or_create(username=name)[0] for name in wish["people"]]
    User.objects.filter(pk__in=[person.pk for person in people]).update(confirm=wish["confirm"])
    position = wish["position"]
    game, seats, options = position["game"], position["seats"], position["options"]
    opened = services.create_table(owner=people[0], game_key=game, seats=seats, options=options, bots=wish["bots"], position=position)
    for person in people[1:]:
        services.join_table(table_id=opened.table.pk, user=person)
    return {"table": opened.table.pk, "sessions": [session_of(person) for person in people]}


LAST_PART = {  # of a game of each kind: a few turns are left, and its end has not been reached
    "ra": lambda state: state.epoch == 3 and 2 * state.ra_count >= state.ra_length,
    "tigris_euphrates": lambda state: sum(state.bag) < 12,
    "babel": lambda state: max(state.scores) >= 12,
    "after_the_flood": lambda state: state.turn == 5,
    "history_of_the_world": lambda state: state.epoch == 5,
}
PLAYED_WITHIN_S = 120


def play_on(wish: dict[str, Any]) -> dict[str, Any]:
    """Play for all people at a table as the apprentice does, until the last part of the game; the workers play the bots meanwhile.

    With `versions` only until so many have passed and the table waits for a person.
    """
    from games.core.rng import SeededRng
    from portal.tables import refusals, services
    from portal.tables.loading import load

    end = time.monotonic() + PLAYED_WITHIN_S
    played = 0
    begun = load(wish["table"]).table.version
    while time.monotonic() < end:
        loaded = load(wish["table"])
        table, game = loaded.table, loaded.game
        is_there = LAST_PART[table.game](loaded.state)
        if "versions" in wish:
            is_there = table.version >= begun + wish["versions"] and table.waits_for == "person"
        if table.status != "playing" or is_there:
            return {"version": table.version, "played": played}
        due = [seat for seat in table.due if seat >= 0 and loaded.seats[seat].user_id is not None]
        if not due:
            time.sleep(0.02)
            continue
        action = game.choose_action(game.view_for(loaded.state, due[0]), "apprentice", SeededRng(f"{table.version}")).action
        try:
            services.submit_action(table_id=table.pk, actor=due[0], action=str(action), expected_version=table.version)
            played += 1
        except (refusals.StaleTable, refusals.NotDue):
            continue
    raise TimeoutError(f"table {wish['table']} is not in the last part of its game")


def finish(wish: dict[str, Any]) -> dict[str, Any]:
    """Open a table of a game with a person and bots, and play it to its end at once with any allowed moves."""
    from portal.accounts.models import User
    from portal.tables import services
    from tests.portal.tables.telling import play

    person = User.objects.get_or_create(username=wish["person"])[0]
    opened = services.create_table(owner=person, game_key=wish["finished"], seats=wish["seats"], bots=["apprentice"] * (wish["seats"] - 1))
    play(opened.table.pk)
    return {"table": opened.table.pk, "session": session_of(person)}


def session_of(user: Any) -> str:
    """Return the key of a session with this person signed in."""
    from django.test import Client

    client = Client()
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return client.cookies["sessionid"].value


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "portal.settings"
    django.setup()
    from portal.tables import services

    services.GAMES_WITH_BOTS = 1000  # the same people sit at all tables of a run, and leave none
    for line in sys.stdin:
        wish = json.loads(line)
        told = play_on(wish) if "table" in wish else finish(wish) if "finished" in wish else seat(wish)
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()
