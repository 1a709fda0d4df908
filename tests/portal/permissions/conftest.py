"""The same tables and studies at three places: open to everyone, of a private club, and open by link only; and everybody who may try a verb there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
import time_machine
from django.utils import timezone
from oauth2_provider.models import AccessToken

from portal.accounts import blocks, oauth, rest
from portal.accounts.models import User
from portal.accounts.own_tokens import make_token
from portal.bots.services import make_bot
from portal.clubs import services as clubs
from portal.clubs import ways_in
from portal.clubs.models import Club
from portal.clubs.models import Invitation as ClubInvitation
from portal.friends import services as friends
from portal.matching import services as matching
from portal.notices.models import Device, Hook, Kind, Notice, Reach
from portal.ratings.services import apply_pending
from portal.site.management.commands.moderators import moderators
from portal.studies import services as studies
from portal.studies.models import Guest, Study
from portal.tables import handing, inviting, selectors, services, teaching
from portal.tables.loading import load
from portal.tables.pace import Kind as PaceKind
from portal.tables.pace import Pace
from portal.tables.replay import replay_of
from portal.talk import services as talk
from tests.portal.clubs.conftest import alice, bob, charlie, club, fixed_secret, guest, olga, person, zoe
from tests.portal.clubs.test_hostile import full
from tests.portal.hostile.conftest import quiet, unlimited
from tests.portal.tables.ending import end

__all__ = ["alice", "bob", "charlie", "club", "fixed_secret", "full", "guest", "olga", "quiet", "unlimited", "zoe"]
LIVE = Pace(PaceKind.LIVE, bank_s=600, add_s=15)


@dataclass
class Place:
    """Tables in one setting. `sees` has the roles that may see all of them; an invited person may also see `open`."""

    key: str
    sees: frozenset[str]
    open: int = 0  # a seat is kept for the invited person, another for somebody who asks for other settings
    playing: int = 0  # it is Alice's turn
    kept: int = 0  # a bot keeps Alice's seat
    ended: int = 0
    invitation: int = 0
    countered: int = 0
    code: str = ""  # of the link of `open`
    study: int = 0
    line: int = 0  # of Alice's, in the players' chat of `playing`


@pytest.fixture
def people(full, alice, bob, olga, guest) -> dict[str, User | None]:
    """Everybody by role. Alice owns the club and the tables, Bob plays with her; both the spectator and the person whom she blocks watch."""
    moderator = person("moira", is_staff=True)
    moderator.groups.add(moderators())
    found = {
        "visitor": None,
        "guest": guest,
        "stranger": person("stranger"),
        "member": person("dora"),
        "officer": olga,
        "player": alice,
        "opponent": bob,
        "spectator": person("sam"),
        "blocked": person("zed"),
        "invited": person("iris"),
        "moderator": moderator,
    }
    for role in ("member", "spectator", "blocked", "invited"):
        ways_in.join_by_link(code=full.link_code, user=found[role])
    blocks.block(user=alice, person=found["blocked"])
    return found


@pytest.fixture
def world(full, people, alice, fixed_secret, settings) -> Any:
    """The places, and what isn't at any of them."""
    asking = person("arthur")
    ways_in.join_by_link(code=full.link_code, user=asking)
    friends.ask(user=alice, person=asking)
    friends.accept(user=asking, person=alice)
    friends.ask(user=person("dan"), person=alice)
    friends.ask(user=alice, person=person("eve"))
    person("farid")
    clubs.change_settings(club=full, actor=alice, name=full.name, is_private=True, joining="open")
    private = Club.objects.get(pk=full.pk)
    everybody, watching = frozenset(people), frozenset({"player", "opponent", "spectator", "blocked"})
    places = [
        Place("public", everybody),
        Place("club", frozenset({"member", "officer", "invited"}) | watching),
        Place("link", watching),
    ]
    opts: dict[str, dict[str, Any]] = {"public": {}, "club": {"club": private}, "link": {"privacy": "link"}}
    for place in places:
        _furnish(place, people, asking, opts[place.key])
    club_invitation = ways_in.invite(club=private, actor=alice, person=people["stranger"])
    ClubInvitation.objects.exclude(pk=club_invitation.pk).delete()  # `filled` wants one of each
    today = timezone.now().date()
    rest.add_vacation(alice, today + timedelta(days=2), today + timedelta(days=4))
    notice = Notice.objects.create(user=alice, kind=Kind.CLUB, key="joined", path="/", made_at=timezone.now())
    Hook.objects.create(user=alice, url="https://example.org/", secret="s")
    Reach.objects.create(user=alice, mail_off_at=timezone.now())
    device = Device.objects.create(user=alice, endpoint="https://push.example.org/1", key="k", auth="a", name="Firefox")
    token = make_token(user=alice).row
    bot = make_bot(owner=alice, username="gilga")
    bot_token = make_token(user=bot.user, scopes=["read", "play"]).row
    app = oauth.register(user=alice, name="An app", redirects="https://example.org/", is_confidential=False).row
    AccessToken.objects.create(user=alice, application=app, token="t", scope="read", expires=timezone.now() + timedelta(hours=1))
    matching.look(user=alice, game="babel", kind="live")
    apply_pending()  # on the site, a worker has done that
    return SimpleNamespace(
        club=private,
        people=people,
        places=places,
        club_invitation=club_invitation.pk,
        vacation=rest.vacations(alice)[0].pk,
        vacation_typed={"first": f"{today + timedelta(days=10)}", "last": f"{today + timedelta(days=12)}"},
        notice=notice.pk,
        device=device.pk,
        token=token.pk,
        bot_token=bot_token.pk,
        app=app.pk,
        lesson=teaching.start_lesson(owner=alice, game_key="ra", lang="en").table.pk,
    )


def _furnish(place: Place, people: dict[str, Any], asking: User, options: dict[str, Any]) -> None:
    alice, bob = people["player"], people["opponent"]

    def table(game: str, seats: int, **more: Any) -> int:
        loaded = services.create_table(owner=alice, game_key=game, seats=seats, **options, **more)
        if place.key == "link":
            inviting.join_by_link(code=loaded.table.link_code, user=bob, terms=inviting.terms_of(loaded.table))
            for role in ("spectator", "blocked"):
                inviting.watch_by_link(code=loaded.table.link_code, user=people[role])
        else:
            services.join_table(table_id=loaded.table.pk, user=bob)
        return loaded.table.pk

    place.open = table("history_of_the_world", 6, bots=["apprentice"])
    place.invitation = inviting.invite(table_id=place.open, user=alice, name="iris").pk
    place.countered = inviting.invite(table_id=place.open, user=alice, name="arthur").pk
    inviting.counter(invitation_id=place.countered, user=asking, seats=6, is_rated=True, message="Hello")
    place.code = load(place.open).table.link_code
    place.playing, place.kept, place.ended = (table(game, 2, pace=LIVE) for game in ("tigris_euphrates", "tigris_euphrates", "ra"))
    for pk in (place.playing, place.kept):
        while (loaded := load(pk)).seats[seat := loaded.table.due[0]].user_id != alice.pk:
            action = str(loaded.game.legal_actions(loaded.state, seat)[0])
            services.submit_action(table_id=pk, user=bob, action=action, expected_version=loaded.table.version)
    with time_machine.travel(timezone.now() + timedelta(hours=2)):
        handing.ring(place.kept)
    end(place.ended)
    place.line = talk.say(table_id=place.playing, user=alice, room="players", text="Hello").pk
    loaded = load(place.ended)
    study = studies.start(replay=replay_of(loaded, selectors.page_of(loaded, alice)), step=0, user=alice, title="A study")
    Study.objects.filter(pk=study.pk).update(visibility=Study.Visibility.PEOPLE)
    Guest.objects.create(study=study, user=bob, may_add=True)
    Guest.objects.create(study=study, user=people["spectator"])
    place.study = study.pk
