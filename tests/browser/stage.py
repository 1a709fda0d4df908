"""A process that sets the stage in the database of a running portal: people, tables, studies, clubs, and every page they can reach.

It reads requests line by line, and answers with the pages of the stage, or with pages of faults that no reader can bring about.
"""

from __future__ import annotations

import json
import os
import sys
import time
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

import django

PASSWORD: Final = "clay-tablet-77"
SECRET: Final = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
POSITIONS: Final = Path(__file__).parent / "positions"
# Names as long as people like them, and an everyday one.
OWNER, FRIEND, STRANGER, GUARDED, KEEPER = "Enheduanna_of_Ur", "Nebuchadnezzar.of.Babylon", "Gudea", "Shammuramat", "Hammurabi"
PEOPLE: Final = (OWNER, FRIEND, STRANGER, GUARDED, KEEPER)
ABOUT: Final = "Priestess and poet. Plays Tigris & Euphrates by correspondence, and Ra whenever somebody asks."
BOT: Final = "Ashurbanipal.of.Nineveh"
ABOUT_BOT: Final = "Searches four moves ahead and never talks. Written in Rust; its source is on the owner's page."
BACK: Final = "https://pocket.example.org/back"  # where an application gets its codes
SPOKEN: Final = "Shall we finish this one on Thursday? My train leaves in ten minutes."


class Stage:
    """Everything that is set up once. `pages` collects (name, path, person); no person: a visitor."""

    def __init__(self) -> None:
        from portal.accounts.models import User

        self.pages: list[tuple[str, str, str]] = []
        for name in PEOPLE:
            User.objects.create_user(name, f"{name.lower()}@example.org", PASSWORD)
        self.owner, self.friend, self.stranger, self.guarded, self.keeper = (
            User.objects.get(username=name) for name in (OWNER, FRIEND, STRANGER, GUARDED, KEEPER)
        )

    def page(self, name: str, path: str, person: str = OWNER) -> None:
        self.pages.append((name, path, person))

    def set(self) -> None:
        for part in (self.accounts, self.matches, self.waiting, self.playing, self.finished, self.archived, self.clubs, self.trust):
            part()

    def accounts(self) -> None:
        """Profiles, second factors, rest, and what the settings lead to."""
        from allauth.account.models import EmailAddress
        from allauth.mfa.models import Authenticator
        from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
        from allauth.mfa.totp.internal.auth import TOTP
        from django.utils import timezone
        from oauth2_provider.models import AccessToken
        from PIL import Image

        from portal.accounts import blocks, oauth, own_tokens, rest
        from portal.bots.services import make_bot
        from portal.people.services import set_about, set_picture

        EmailAddress.objects.create(user=self.owner, email=self.owner.email, primary=True, verified=True)
        EmailAddress.objects.create(user=self.owner, email=f"the-new-address.{self.owner.email}", primary=False, verified=False)
        drawn = BytesIO()
        Image.linear_gradient("L").resize((200, 200)).save(drawn, "PNG")
        set_picture(user=self.owner, upload=BytesIO(drawn.getvalue()), size=drawn.tell())
        set_about(user=self.owner, text=ABOUT)
        today = timezone.localdate()
        rest.add_vacation(self.owner, today + timedelta(days=9), today + timedelta(days=20))
        blocks.block(user=self.owner, person=self.keeper)
        own_tokens.make_token(user=self.owner, name="My own bot, on the old laptop", scopes=["read", "play"], days=30)
        own_tokens.make_token(user=self.owner, name="W" * 60)
        bot = make_bot(owner=self.owner, username=BOT, about=ABOUT_BOT, at_once=2)
        make_bot(owner=self.owner, username="Slow-but-Sure-3", games=["ra"], paces=["days"], rated=False, paused=True)
        own_tokens.make_token(user=bot.user, name="W" * 60, scopes=["read", "play"], days=30)
        TOTP.activate(self.guarded, SECRET)
        RecoveryCodes.activate(self.guarded)
        Authenticator.objects.create(user=self.guarded, type=Authenticator.Type.WEBAUTHN, data={"name": "A telephone", "credential": {}})
        app = oauth.register(user=self.owner, name="Ziggurat in the Pocket", redirects=BACK, is_confidential=False).row
        AccessToken.objects.create(
            user=self.owner, application=app, token="t", scope="read play", expires=timezone.now() + timedelta(hours=1)
        )
        asked = {
            "response_type": "code",
            "client_id": app.client_id,
            "redirect_uri": BACK,
            "scope": "read play club admin",
            "code_challenge": "c" * 43,
            "code_challenge_method": "S256",
        }
        for name, path in {
            "own profile": f"/people/{OWNER}/",
            "games of a person": f"/people/{OWNER}/games/",
            "changing the profile": "/settings/profile/",
            "finding people": "/people/?q=ne",
            "settings": "/settings/",
            "settings of notices": "/notices/settings/",
            "rest": "/settings/rest/",
            "blocked people": "/settings/people/",
            "sign-ins": "/settings/sign-ins/",
            "API tokens": "/settings/tokens/",
            "applications": "/settings/applications/",
            "own bots": "/settings/bots/",
            "own bot": f"/settings/bots/{BOT}/",
            "own bot that is paused": "/settings/bots/Slow-but-Sure-3/",
            "allowing an application": f"/oauth/authorize/?{urlencode(asked)}",
            "an application that asked wrongly": "/oauth/authorize/?client_id=nobody",
            "deletion": "/settings/delete/",
            "new password": "/accounts/password/change/",
            "another address": "/accounts/email/",
            "second factor": "/accounts/two-factor/",
            "an app as a second factor": "/accounts/two-factor/app/",
            "a passkey": "/accounts/two-factor/passkeys/add/",
            "inbox": "/notices/",
            "lobby": "/lobby/",
            "front page": "/",
            "signing out": "/accounts/logout/",
        }.items():
            self.page(name, path)
        self.page("somebody's profile", f"/people/{OWNER}/", FRIEND)
        self.page("a profile without anything", f"/people/{STRANGER}/", OWNER)
        self.page("two factors in use", "/accounts/two-factor/", GUARDED)
        self.page("recovery codes", "/accounts/two-factor/recovery-codes/", GUARDED)
        self.page("new recovery codes", "/accounts/two-factor/recovery-codes/new/", GUARDED)
        self.page("an app removed", "/accounts/two-factor/app/remove/", GUARDED)
        self.page("the own password again", "/accounts/two-factor/again/", GUARDED)
        self.page("an empty inbox", "/notices/", GUARDED)
        self.page("no applications", "/settings/applications/", GUARDED)
        self.page("no bots", "/settings/bots/", GUARDED)
        self.page("a bot's profile", f"/people/{BOT}/", FRIEND)
        self.page("all bot accounts", "/bots/accounts/", FRIEND)
        self.page("bot accounts of a game", "/bots/accounts/?game=ra", "")
        self.page("challenge", f"/bots/accounts/{BOT}/challenge/", FRIEND)
        self.page("challenge that isn't taken", "/bots/accounts/Slow-but-Sure-3/challenge/", FRIEND)
        self.page("no API tokens", "/settings/tokens/", GUARDED)
        self.page("nobody found", "/people/?q=nobody-of-this-name", STRANGER)

    def matches(self) -> None:
        """Matches of bots: one that is over, one with games that run and a sealed deal, one that waits for its turn."""
        from portal.bots.services import make_bot
        from portal.matches.feeding import feed
        from portal.matches.services import make_match
        from portal.tables.pace import Pace
        from tests.portal.tables.ending import end

        make_bot(owner=self.owner, username="Sennacherib-the-Younger", at_once=20)
        make_bot(owner=self.friend, username="Adad", at_once=20)
        pair, pace = (BOT, "Sennacherib-the-Younger"), Pace("live", bank_s=900, add_s=10)
        for bots, key, games, ends in (
            (("Sennacherib-the-Younger", "Adad"), "babel", 6, 6),
            (pair, "tigris_euphrates", 8, 1),
            (("Adad",), "ra", 4, 0),
        ):
            levels = ["apprentice"] if len(bots) == 1 else []
            owner = self.friend if bots == ("Adad",) else self.owner
            made = make_match(owner=owner, game=key, bots=bots, levels=levels, games=games, pace=pace, at_once=2)
            for number in range(ends):
                end(table_that_runs(made), seed=number)
            feed()
            self.page(f"match of {key}", f"/matches/{made.pk}/", OWNER if ends else FRIEND)
        self.page("matches of bots", "/matches/", FRIEND)
        self.page("matches of one of them", f"/matches/?player={BOT}", "")
        self.page("a new match", "/matches/new/", OWNER)

    def waiting(self) -> None:
        """Tables that are open, invitations to them, and people who look for one."""
        from portal.matching import services as matching
        from portal.matching.models import Search
        from portal.tables import inviting, services
        from portal.tables.models import Invitation, Table
        from portal.tables.pace import Kind, Pace

        days, live = Pace(Kind.DAYS, days=3, weekends=True), Pace(Kind.LIVE, bank_s=1200, add_s=30)
        opened = services.create_table(
            owner=self.owner, game_key="history_of_the_world", seats=5, bots=["scribe"], pace=days, privacy=Table.Privacy.LINK
        )
        number = opened.table.pk
        invited = inviting.invite(table_id=number, user=self.owner, name=FRIEND)
        asked = inviting.invite(table_id=number, user=self.owner, name=STRANGER)
        inviting.counter(invitation_id=asked.pk, user=self.stranger, seats=4, is_rated=False, message=SPOKEN)
        self.page("waiting room", f"/tables/{number}/")
        self.page("waiting room of somebody invited", f"/tables/{number}/", FRIEND)
        self.page("invitation", f"/invitations/{invited.pk}/", FRIEND)
        self.page("another wish", f"/invitations/{asked.pk}/", STRANGER)
        self.page("link of a table", f"/invite/{opened.table.link_code}/", "")
        late = services.create_table(owner=self.friend, game_key="ra", seats=3, pace=live)
        expired = inviting.invite(table_id=late.table.pk, user=self.friend, name=OWNER)
        Invitation.objects.filter(pk=expired.pk).update(state=Invitation.State.EXPIRED)
        self.page("expired invitation", f"/invitations/{expired.pk}/")
        self.page("a dead link", "/invite/nothing-of-this-kind-here/", "")
        matching.look(user=self.stranger, game="babel", kind=Kind.LIVE)
        matching.look(user=self.stranger, game="tigris_euphrates", kind=Kind.DAYS, seats=3, is_rated=False)
        self._opened_before(Search)
        self.page("looking for a table", "/find/", STRANGER)
        self.page("new table", "/tables/new/?game=history_of_the_world")
        self.page("lobby of a visitor", "/lobby/", "")

    def _opened_before(self, searches: Any) -> None:
        """Let people have looked for some minutes, so that bots are offered."""
        searches.objects.update(made_at=django.utils.timezone.now() - timedelta(minutes=4), seen_at=django.utils.timezone.now())

    def playing(self) -> None:
        """Each game in mid-play, and a game with clocks at which there is a vote, a chat, and somebody whose time has run out."""
        from django.utils import timezone

        from portal.tables import handing, services, voting
        from portal.tables.loading import load
        from portal.tables.models import Table
        from portal.tables.pace import Kind, Pace
        from portal.talk import services as talk

        for place in ("tigris_euphrates/war", "babel/long_columns", "after_the_flood/trade", "history_of_the_world/march"):
            position = json.loads((POSITIONS / f"{place}.json").read_text())
            more = ["apprentice"] * (position["seats"] - 2)
            opened = services.create_table(
                owner=self.owner,
                game_key=position["game"],
                seats=position["seats"],
                bots=more,
                options=position["options"],
                position=position,
            )
            services.join_table(table_id=opened.table.pk, user=self.friend)
            self.page(f"a table of {position['game']}", f"/tables/{opened.table.pk}/")
        live = Pace(Kind.LIVE, bank_s=1200, add_s=30)
        for is_late, seats in ((False, 5), (True, 3)):
            opened = services.create_table(owner=self.owner, game_key="ra", seats=seats, pace=live)
            number = opened.table.pk
            for person in (self.friend, self.stranger, self.keeper, self.guarded)[: seats - 1]:
                services.join_table(table_id=number, user=person)
            talk.say(table_id=number, user=self.friend, room="players", text=SPOKEN)
            line = talk.say(table_id=number, user=self.friend, room="players", phrase="thanks")
            talk.keep_note(table_id=number, user=self.owner, text="Watch the pharaohs.")
            table = Table.objects.get(pk=number)
            if is_late:
                seat = table.due[0]
                table.clocks["left"][seat] = 0
                Table.objects.filter(pk=number).update(clocks=table.clocks, alarm_at=timezone.now())
                handing.ring(number)
                person = (OWNER, FRIEND, STRANGER)[seat]
                self.page("a bot plays on", f"/tables/{number}/", person)
                self.page("another's bot plays on", f"/tables/{number}/", FRIEND if person == OWNER else OWNER)
                self.page("another wish of the chat", f"/tables/{number}/talk/{line.pk}/")
            else:
                load(number)
                voting.ask(table_id=number, user=self.friend, what="call_off")
                self.page("a vote", f"/tables/{number}/")
                self.page("chat of a table", f"/tables/{number}/talk/")
                self.page("a table with clocks, a visitor", f"/tables/{number}/", "")

    def finished(self) -> None:
        """Each game at its end, with what one can do with it: replay, report, studies."""
        from django.db import transaction

        from portal.studies import services, sharing
        from portal.tables import selectors
        from portal.tables.loading import load
        from portal.tables.replay import replay_of
        from portal.tables.services import create_table
        from tests.portal.tables.telling import play

        for key in ("ra", "babel", "tigris_euphrates"):
            opened = create_table(owner=self.owner, game_key=key, seats=2, bots=["apprentice"])
            number = opened.table.pk
            play(number)
            self.page(f"end of {key}", f"/tables/{number}/")
            if key == "babel":
                self.page("report of a game", f"/tables/{number}/report/")
                self.page("replay", f"/tables/{number}/replay/?step=4")
                self.page("a game in another page", f"/embed/tables/{number}/?step=4&lang={{lang}}")
                self.page("actions as text", "/{lang}/rules/tigris_euphrates/grammar/", "")
                self.page("a new study", f"/tables/{number}/studies/new/?step=4")
                self.page("position editor", f"/positions/babel/?table={number}&step=4")
        loaded = load(number)
        replay = replay_of(loaded, selectors.page_of(loaded, self.owner))
        for title in ("What else?", "The war on the middle river, and what if nobody had joined the kingdoms there"):
            study = services.start(replay=replay, step=6, user=self.owner, title=title)
        after = 0
        for nth in (0, 1, 0, 0):
            after = self._studied(study, after if nth == 0 else 0, nth)
        services.comment(study_id=study.pk, user=self.owner, codes={}, number=1, text=f"{SPOKEN} {ABOUT}", mark="!?")
        sharing.let_in(study_id=study.pk, user=self.owner, name=FRIEND, may_add=True)
        with transaction.atomic():
            sharing.set_up(study_id=study.pk, user=self.owner, title=title, visibility="public")
        self.page("list of studies", "/studies/")
        self.page("study", f"/studies/{study.pk}/1/")
        self.page("study of somebody else", f"/studies/{study.pk}/{after}/", FRIEND)
        self.page("study of a stranger", f"/studies/{study.pk}/", STRANGER)
        self.page("settings of a study", f"/studies/{study.pk}/settings/")
        self.page("no studies yet", "/studies/", GUARDED)

    def _studied(self, study: Any, after: int, nth: int) -> int:
        """Play the nth legal action after a move; return the number of the new move."""
        from games.registry import game
        from portal.studies import lines, services
        from portal.studies.models import Study

        now = Study.objects.get(pk=study.pk)
        state, rules = lines.state_after(now, services.tree(now).path(after)), game(now.game)
        seat = rules.actors(state)[0]
        actions = [str(rules.legal_actions(state, seat)[nth])]
        return services.play(study_id=study.pk, user=self.owner, codes={}, after=after, seat=seat, actions=actions)

    def archived(self) -> None:
        """Archives of an earlier month, and figures from them."""
        from datetime import UTC, datetime

        from portal.archives import making
        from portal.tables.services import create_table
        from tests.portal.tables.telling import play

        month = datetime(2025, 10, 3, tzinfo=UTC)
        for number in range(6):
            opened = create_table(owner=self.owner, game_key="tigris_euphrates", seats=2, bots=["apprentice"])
            play(opened.table.pk, seed=number)
            type(opened.table).objects.filter(pk=opened.table.pk).update(finished_at=month)
        making.make()
        first = making.OpeningMove.objects.filter(after="").first()
        self.page("archives", "/archives/", "")
        self.page("figures from archives", "/archives/tigris_euphrates/", "")
        self.page("an opening", f"/archives/tigris_euphrates/?seats=2&move={first.move.replace(' ', '+')}")
        self.page("no figures yet", "/archives/history_of_the_world/", "")

    def clubs(self) -> None:
        """A club, and an invitation to it."""
        from portal.clubs import ways_in
        from portal.site.demo import demo_club

        club = demo_club(self.owner, self.friend)
        ways_in.invite(club=club, actor=self.owner, person=self.stranger)
        self.page("club", f"/clubs/{club.slug}/")
        self.page("invitation to a club", "/clubs/", STRANGER)
        self.page("settings of a club", f"/clubs/{club.slug}/settings/")
        self.page("what is the owner's alone", f"/clubs/{club.slug}/settings/", STRANGER)

    def trust(self) -> None:
        """Pages for everybody that show nothing of the others."""
        for name, path in {
            "front page of a visitor": "/",
            "bots": "/bots/",
            "how a game works": "/games/after_the_flood/how/",
            "learning a game": "/games/ra/learn/",
            "practice": "/practice/ra/gods/",
            "site status": "/status/",
            "about": "/about/",
            "help": "/help/",
            "privacy": "/privacy/",
            "terms": "/terms/",
            "contact": "/contact/",
            "sign-in": "/accounts/login/",
            "sign-up": "/accounts/signup/",
            "forgotten password": "/accounts/password/reset/",
            "no such page": "/nowhere/",
        }.items():
            self.page(name, path, "")


def sessions() -> dict[str, str]:
    """Sign everybody in; they have just given their passwords, so no page asks for one again."""
    from allauth.account.internal.flows.login import record_authentication
    from django.http import HttpRequest
    from django.test import Client

    from portal.accounts.models import User

    found = {}
    for user in User.objects.filter(username__in=PEOPLE):
        client = Client()
        client.force_login(user, "django.contrib.auth.backends.ModelBackend")
        request = HttpRequest()
        request.session, request.user = client.session, user
        record_authentication(request, user, "password", reauthenticated=True)
        request.session.save()
        found[user.username] = str(client.cookies["sessionid"].value)
    return found


def table_that_runs(match: Any) -> int:
    """Return a table of a match of bots that is being played, opened if there is none."""
    from portal.matches.feeding import feed
    from portal.tables.models import Table

    for _ in range(100):
        feed()  # leaves a match alone that the portal's own feeder has in hand, with a game that is over
        table = match.rows.filter(table__status=Table.Status.PLAYING).order_by("number").values_list("table", flat=True).first()
        if table is not None:
            return int(table)
        time.sleep(0.1)
    raise AssertionError("no game of the match is running")


def speak(language: str) -> dict[str, str]:
    """Let everybody read a language; return the pages of faults in it, by name."""
    from django.contrib.auth.models import AnonymousUser
    from django.template.loader import render_to_string
    from django.test import RequestFactory
    from django.utils import translation

    from portal.accounts.models import User

    User.objects.filter(username__in=PEOPLE).update(language=language)
    request = RequestFactory().get("/nowhere/")
    request.user = AnonymousUser()
    with translation.override(language):
        return {name: render_to_string(f"{name}.html", {"until": "20:40"}, request) for name in ("400", "403", "413", "429", "500", "503")}


def announce(*, is_over: bool) -> None:
    """Show announcements above every page, or remove them."""
    from django.utils import timezone

    from portal.site.models import Announcement

    if is_over:
        Announcement.objects.all().delete()
        return
    now = timezone.now()
    shown = {"about_at": now + timedelta(days=2), "since": now, "until": now + timedelta(days=2)}
    said = "The site moves to another machine on {time}. Games with clocks rest for about an hour."
    Announcement.objects.create(level="warning", text_en=said, **shown)
    Announcement.objects.create(level="note", text_en="History of the World has a solo game.", **shown)


def answer(wish: dict[str, Any]) -> dict[str, Any]:
    if "language" in wish:
        return {"faults": speak(wish["language"]), "sessions": sessions()}
    if "announce" in wish:
        announce(is_over=not wish["announce"])
        return {}
    stage = Stage()
    stage.set()
    return {"pages": stage.pages, "people": PEOPLE}


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "portal.settings"
    django.setup()
    from portal.tables import services

    services.GAMES_WITH_BOTS = 1000
    for wished in sys.stdin:
        sys.stdout.write(f"= {json.dumps(answer(json.loads(wished)))}\n")
        sys.stdout.flush()
