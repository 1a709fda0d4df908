"""Fill an empty portal: three people, a club of two of them, tables in mid-play, finished games, standings."""

from __future__ import annotations

import json
import secrets
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.core.contract import SCORER
from games.core.rng import SeededRng
from games.registry import GAMES
from portal.accounts.models import User
from portal.clubs.models import Club
from portal.ratings.services import apply_pending
from portal.site.demo import demo_club
from portal.tables import services, tasks
from portal.tables.loading import Loaded, load
from portal.tables.models import Table

PEOPLE = (("Alice", "hu"), ("Bob", "en"), ("Charlie", "en"))
LEVEL = "apprentice"  # how the people play here
MAX_STEPS = 5000
CLUB_GAME = "babel"  # for two
CLUB_GAMES = 3


class Command(BaseCommand):
    help = (
        "Create Alice, Bob and Charlie, finished games between them and against bots, a running table and an open one for each "
        "game, and a club for Alice and Bob with a season. Prints the passwords; outside DEBUG it needs --yes. "
        "A second run adds only what is missing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--yes", action="store_true", help="do it even though this is not a development portal")
        parser.add_argument("--games", type=int, default=6, metavar="N", help="finished games in total (default 6)")
        parser.add_argument("--json", action="store_true", help="print names, passwords and tables as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        if not (settings.DEBUG or options["yes"]):
            raise CommandError("this creates accounts and prints their passwords; add --yes if that is what you want")
        if not 0 <= options["games"] <= 1000:
            raise CommandError("--games: a number from 0 to 1000")
        people = [self._person(name, language) for name, language in PEOPLE]
        users = [user for user, _ in people]
        made: list[int] = []
        for key in GAMES:
            made += self._tables(key, users, options["games"])
        made += self._club_tables(users[:2])
        apply_pending()
        passwords = {user.username: password for user, password in people}
        if options["json"]:
            self.stdout.write(json.dumps({"people": passwords, "tables": made}))
            return
        for name, password in passwords.items():
            self.stdout.write(f"{name}: {password or 'exists already, password unchanged'}")
        self.stdout.write(f"{len(made)} tables made")

    def _person(self, name: str, language: str) -> tuple[User, str]:
        """Return a person and their password; "" for somebody who already existed."""
        if (found := User.objects.filter(username=name).first()) is not None:
            return found, ""
        password = "ziggurat-demo" if settings.DEBUG else secrets.token_urlsafe(9)
        email = f"{name.lower()}@example.org"
        return User.objects.create_user(name, email, password, language=language), password

    def _tables(self, key: str, users: list[User], wanted: int) -> list[int]:
        """Create whatever is missing for one game and return the ids of the new tables."""
        made = []
        counts = GAMES[key].game.meta.seats
        seats = max((count for count in counts if count <= len(users)), default=counts[0])
        finished = Table.objects.filter(game=key, club=None, status=Table.Status.FINISHED).count()
        for number in range(finished, wanted):
            owner = users[number % len(users)]
            if number % 2:
                loaded = self._among_people(key, owner, users, seats)
            else:
                loaded = services.create_table(owner=owner, game_key=key, seats=seats, bots=["scribe"] + [LEVEL] * (seats - 2))
            made.append(loaded.table.pk)
            self._play(loaded.table.pk, seed=number)
            self.stderr.write(f"{key}: finished game {number + 1} of {wanted}")
        live = Table.objects.filter(game=key, club=None, seats__user=users[0], status=Table.Status.PLAYING)
        if not live.exists():
            loaded = self._among_people(key, users[0], users, seats)
            made.append(loaded.table.pk)
            self._play(loaded.table.pk, seed=1, until=lambda now: now.table.seq >= 60 and 0 in now.table.due)
        if not Table.objects.filter(game=key, club=None, status=Table.Status.OPEN).exists():
            made.append(services.create_table(owner=users[-1], game_key=key, seats=seats).table.pk)
        return made

    def _club_tables(self, members: list[User]) -> list[int]:
        """Create the club with finished games, a table in mid-play and an open one; do nothing if it has tables."""
        club = demo_club(*members)
        if Table.objects.filter(club=club).exists():
            return []
        made = []
        for number in range(CLUB_GAMES + 1):
            loaded = self._among_people(CLUB_GAME, members[number % 2], members, len(members), club)
            made.append(loaded.table.pk)
            is_last = number == CLUB_GAMES
            self._play(loaded.table.pk, seed=number, until=lambda now, stop=is_last: stop and now.table.seq >= 40)
        made.append(services.create_table(owner=members[1], game_key=CLUB_GAME, seats=len(members), club=club).table.pk)
        return made

    def _among_people(self, key: str, owner: User, users: list[User], seats: int, club: Club | None = None) -> Loaded:
        loaded = services.create_table(owner=owner, game_key=key, seats=seats, club=club)
        for user in [user for user in users if user != owner][: seats - 1]:
            loaded = services.join_table(table_id=loaded.table.pk, user=user)
        return loaded

    def _play(self, table_id: int, *, seed: int, until: Any = lambda _now: False) -> None:
        """Play a table to its end, or until the condition holds; a worker that plays at the same time does no harm."""
        rng, loaded = SeededRng(seed), load(table_id)
        for _step in range(MAX_STEPS):
            table = loaded.table
            if table.status != Table.Status.PLAYING or until(loaded):
                return
            due = table.due[0]
            if due == SCORER:
                tasks.score(table_id, table.version)
                loaded = load(table_id)
            elif (user := loaded.seats[due].user) is None:
                tasks.play_bot(table_id, table.version, due)
                loaded = load(table_id)
            else:
                view = loaded.game.view_for(loaded.state, due)
                action = loaded.game.choose_action(view, LEVEL, rng).action
                loaded = services.submit_action(table_id=table_id, user=user, action=str(action), expected_version=table.version)
        raise CommandError(f"table {table_id} does not come to an end")
