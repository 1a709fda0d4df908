"""Fill a running portal of a release with invented people, clubs and games at every kind of point; README.md tells how to store it.

Runs inside the checkout of that release: `manage.py shell -v 0 -c "import runpy; runpy.run_path('.../make_site.py', run_name='make')"`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.core.contract import SCORER
from games.core.rng import SeededRng
from games.registry import GAMES
from portal.accounts.models import User
from portal.celery import app
from portal.clubs import announcements, calendar, members, services, ways_in
from portal.clubs.models import Club
from portal.contests import duplicates, leagues, seasons
from portal.contests.league_draw import Wish
from portal.contests.models import Honour, League
from portal.ratings.models import RatingClock
from portal.tables import services as tables
from portal.tables import tasks
from portal.tables.loading import Loaded, load
from portal.tables.models import FinishCounter, Table

PASSWORD = "lapis lazuli 9"
NAMES = ("alice", "bob", "charlie", "dora", "Вера")
EARLY, LATE = 12, 60  # versions
WITHIN_S = 60


def wait_until(condition: Callable[[], Any]) -> None:
    end = time.monotonic() + WITHIN_S
    while not condition():
        if time.monotonic() > end:
            raise SystemExit(f"not within {WITHIN_S} s: {condition}")
        time.sleep(0.1)


def never(_loaded: Loaded) -> bool:
    return False


def at_version(version: int) -> Callable[[Loaded], bool]:
    return lambda loaded: loaded.table.version >= version


def play(table_id: int, until: Callable[[Loaded], bool] = never, seed: int = 1) -> Loaded:
    """Play people at random and bots by their own task until the condition holds or the game is over; the portal's workers may be faster."""
    rng = SeededRng(seed)
    while (loaded := load(table_id)).table.status == Table.Status.PLAYING and not until(loaded):
        table = loaded.table
        due = table.due[0]
        if due == SCORER:
            tasks.score(table.pk, table.version)
        elif (user := loaded.seats[due].user) is None:
            tasks.play_bot(table.pk, table.version, due)
        else:
            action = loaded.game.sample_action(loaded.state, due, rng)
            tables.submit_action(table_id=table.pk, user=user, action=str(action), expected_version=table.version)
    return loaded


def can_undo(loaded: Loaded) -> bool:
    """A person has just acted twice, and nothing new was shown since."""
    return len(loaded.table.line) > 1 and loaded.seats[loaded.table.line[-1][1]].user is not None


def can_order(loaded: Loaded) -> bool:
    return any(_orders(loaded))


def _orders(loaded: Loaded) -> Iterator[tuple[User, str]]:
    """Yield the answers in advance that people may give now."""
    for index, seat in enumerate(loaded.seats):
        if index not in loaded.table.due and seat.user is not None:
            for option in loaded.game.orders(loaded.game.view_for(loaded.state, index)):
                yield seat.user, option.text


def bot_due(loaded: Loaded) -> bool:
    return loaded.table.version > EARLY and loaded.table.waits_for == "bot"


def score_due(loaded: Loaded) -> bool:
    return loaded.table.waits_for == "scorer"


def auction(loaded: Loaded) -> bool:
    """Ra: somebody has bid, and others are asked."""
    return any(
        str(action).startswith("bid ") for seat in loaded.table.due if seat >= 0 for action in loaded.game.legal_actions(loaded.state, seat)
    )


def visitor() -> Client:
    return Client(headers={"host": "127.0.0.1"})


def sign_up(name: str) -> User:
    """Sign up by the form, so that a mail is queued and a session stays open."""
    client = visitor()
    answer = client.post(
        reverse("account_signup"), {"username": name, "email": f"{ascii(name)[1:-1]}@example.org".replace("\\", ""), "password1": PASSWORD}
    )
    assert answer.status_code == 302, answer.content
    return User.objects.get(username=name)


def duel(key: str, one: User, other: User, **more: Any) -> int:
    """Open a table of the fewest seats with two people, and bots where that is not enough."""
    seats = min(GAMES[key].game.meta.seats)
    opened = tables.create_table(owner=one, game_key=key, seats=seats, bots=["apprentice"] * (seats - 2), **more)
    return tables.join_table(table_id=opened.table.pk, user=other, word="clay").table.pk


def games_at_every_point(alice: User, bob: User) -> None:
    for number, key in enumerate(GAMES):
        play(duel(key, alice, bob, word="reed"), seed=number)  # to the end
        duel(key, bob, alice)  # to its first decision
        play(duel(key, alice, bob), at_version(EARLY), number + 10)
        undone = play(duel(key, bob, alice), can_undo, number + 20)
        if can_undo(undone):
            seat = undone.seats[undone.table.line[-1][1]]
            tables.undo_action(table_id=undone.table.pk, user=seat.user, expected_version=undone.table.version)
        left = play(duel(key, bob, alice), at_version(EARLY), number + 40).table.pk
        tables.leave_table(table_id=left, user=alice)
        tables.create_table(owner=alice, game_key=key, seats=max(GAMES[key].game.meta.seats))  # open


def club_with_everything(alice: User, bob: User, charlie: User, dora: User, vera: User) -> Club:
    club = services.create_club(
        owner=alice, name="Enlil", about_en="Thursdays at eight.", about_hu="Csütörtökön nyolckor.", about_ru="По четвергам."
    )
    for user in (bob, dora):
        ways_in.join_by_link(code=club.link_code, user=user)
    services.set_officer(club=club, actor=alice, member=bob, is_officer=True)
    members.ban(club=club, actor=bob, person=charlie, reason="Left every game.")
    ways_in.invite(club=club, actor=bob, person=vera)
    announcements.announce(club=club, actor=bob, title="Welcome", text="Take a seat.", is_pinned=True)
    evening = calendar.create_evening(club=club, actor=bob, title="Ra", starts_at=timezone.now() + timedelta(days=300), game="ra")
    calendar.answer(club=club, user=dora, evening_id=evening.pk, answer="yes")

    past = seasons.make_season(club=club, actor=alice, name="First", ends_at=timezone.now() + timedelta(days=90))
    play(duel("babel", alice, dora, club=club), seed=5)
    wait_until(rated)
    seasons.end_season(club=club, actor=alice, season_id=past.pk)
    wait_until(lambda: Honour.objects.filter(season=past).exists())
    running = seasons.make_season(club=club, actor=alice, name="Second", ends_at=timezone.now() + timedelta(days=360))
    wish = Wish(name="Ra", game="ra", form="once", members=["alice", "bob", "dora"], bots={"apprentice": 1}, days=60, seed="s")
    league = leagues.start_league(club=club, actor=bob, season_id=running.pk, wish=wish)
    for until in (never, at_version(EARLY)):
        pairing = League.objects.get(pk=league.pk).pairings.filter(table=None, seats__entrant__user=alice).order_by("pk")[0]
        play(leagues.play(club=club, user=alice, league_id=league.pk, pairing_id=pairing.pk), until)
    for is_over in (True, False):
        found = duplicates.create_set(
            club=club, actor=bob, name=f"Week {is_over:d}", game="ra", seats=2, n_tables=2, bots=["", "apprentice"]
        )
        first, second = (table.pk for table in found.tables.order_by("pk"))
        duplicates.take_seat(duplicate=found, table_id=first, user=alice, seat=0)
        duplicates.take_seat(duplicate=found, table_id=second, user=bob, seat=0)
        play(first)
        play(second, never if is_over else at_version(EARLY))
    services.create_club(owner=dora, name="Inanna", is_private=True, joining="open")
    return club


def rated() -> bool:
    return RatingClock.objects.filter(applied_up_to=FinishCounter.objects.get(pk=1).last).exists()


def main() -> None:
    alice, bob, charlie, dora, vera = map(sign_up, NAMES)
    User.objects.filter(pk=alice.pk).update(is_staff=True, is_superuser=True)
    User.objects.filter(pk=dora.pk).update(language="hu")
    for name in NAMES[:2]:
        visitor().post("/api/v1/token/", {"username": name, "password": PASSWORD}, content_type="application/json")
    guest = visitor()
    guest.post(reverse("play-now", args=["ra"]))
    visitor().post(reverse("account_login"), {"login": "dora", "password": "wrong"})

    games_at_every_point(alice, bob)
    play(duel("ra", alice, bob), lambda loaded: loaded.table.version > EARLY and auction(loaded))
    ordered = play(duel("ra", alice, bob), can_order, 30)
    user, order = next(_orders(ordered))
    tables.set_order(table_id=ordered.table.pk, user=user, order=order)
    play(duel("history_of_the_world", alice, charlie), at_version(LATE))
    club_with_everything(alice, bob, charlie, dora, vera)
    guest.post(reverse("practice", args=["ra", "auction"]))
    wait_until(rated)

    for queue in ("bots", "scoring"):
        app.control.cancel_consumer(queue, reply=True)  # from here on nobody but us plays bots and counts points
    for key in GAMES:
        play(duel(key, alice, bob), score_due, 3)
        seats = max(GAMES[key].game.meta.seats)
        play(tables.create_table(owner=charlie, game_key=key, seats=seats, bots=["scribe"] * (seats - 1)).table.pk, bot_due, 4)
    play(duel("ra", alice, bob), never, 7)  # finished, and not yet rated


if __name__ == "make":
    main()
