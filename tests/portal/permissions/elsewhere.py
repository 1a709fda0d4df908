"""The verbs that belong to no table: what everybody does for themselves."""

from __future__ import annotations

from typing import Any, Final

from portal.matches.models import Match
from portal.matches.services import make_match
from portal.notices.models import Kind
from portal.notices.stopping import stop_token
from portal.tables.pace import Pace
from tests.portal.clubs.test_hostile import FORMS
from tests.portal.permissions.verbs import ACCOUNTS, ALL, ASKED, LOGIN, OWNER, SIGNED_IN, Verb

MEMBERS: Final = frozenset({"member", "officer", "player", "opponent", "spectator", "blocked", "invited"})
SETTINGS: Final = {"language": "hu", "time_zone": "America/New_York", "theme": "dark", "confirm": "never"}
PASSWORD: Final = {"password": "correct horse"}
BOT_RULES: Final = {"games": ["ra"], "paces": ["days"], "at_once": "2", "from_whom": "everyone"}
CHALLENGE: Final = {"game": "ra", "seats": "2", "pace": "relaxed", "others": "free"}
MATCH: Final = {"game": "ra", "bots": "gilga", "level": "scribe", "count": "1", "games": "2", "pace": "day", "at_once": "1"}
GUEST_FIRST: Final = {"visitor": LOGIN, "guest": LOGIN}  # a guest is led to the page that makes an account of them


def _ra(_world: Any, _place: Any) -> list[Any]:
    return ["ra"]


def _gilga(_world: Any, _place: Any) -> list[Any]:
    return ["gilga"]  # Alice's bot


def _match(world: Any, _place: Any) -> None:
    make_match(owner=world.people["player"], game="ra", bots=["gilga"], levels=["scribe"], games=2, pace=Pace("live", bank_s=300))


def _mine(name: str, by: frozenset[str] = SIGNED_IN, sent: Any = None, **more: Any) -> Verb:
    """A verb about what is one's own: visitors are asked to sign in."""
    return Verb(name, by, sent or {}, **{"answers": ASKED, **more})


VERBS: Final = (
    # Tables that somebody opens
    Verb("play-now", ALL, args=_ra),
    Verb("learn-start", ALL - OWNER, args=_ra, idle=OWNER),
    Verb("table-play-on", OWNER, at="lesson", answers={"visitor": 404}),
    Verb("table-new", ALL, {"game": "ra", "seats": "2"}),
    Verb("practice", ALL, args=lambda _w, _p: ["ra", "auction"]),
    Verb("study-new-set-up", ALL, {"position": '{"game": "ra", "seats": 3, "state": {}}', "title": "Mine"}),
    Verb("verify", frozenset(), {"text": "{}"}, refused=422),
    Verb("find-look", ALL, {"game": "ra", "pace": "live", "seats": "2"}),
    Verb("find-stop", OWNER, {"game": "babel"}, idle=SIGNED_IN - OWNER, answers={"visitor": 404}),  # Alice is looking
    # People
    _mine("edit-profile", ACCOUNTS, {"do": "about", "about": "I like Ra."}, answers=GUEST_FIRST),
    _mine("edit-profile", frozenset(), {"do": "remove"}, answers=GUEST_FIRST, idle=ACCOUNTS),
    _mine("block", args=lambda _w, _p: ["arthur"]),
    _mine("block", OWNER, {"do": "unblock"}, args=lambda _w, _p: ["zed"], idle=SIGNED_IN - OWNER),
    _mine("blocks", OWNER, lambda w, _p: {"unblock": w.people["blocked"].pk}, idle=SIGNED_IN - OWNER),
    _mine("blocks"),  # no longer takes invitations
    # Friends: Alice and arthur; dan has asked her, and she eve
    *(
        _mine("friend", who, {"do": do}, args=lambda _w, _p, name=name: [name], idle=SIGNED_IN - who)
        for do, name, who in (
            ("accept", "dan", OWNER),
            ("decline", "dan", OWNER),
            ("end", "arthur", OWNER),
            ("withdraw", "eve", OWNER),
            ("ask", "farid", ACCOUNTS),
        )
    ),
    _mine("friends-presence", ACCOUNTS, {"shows_presence": "on"}, idle=frozenset({"guest"})),
    # Settings
    _mine("settings", sent=SETTINGS),
    _mine("rest", sent={"quiet_from": "22:00", "quiet_to": "07:00"}),
    _mine("vacation", sent=lambda w, _p: w.vacation_typed),
    _mine("vacation", OWNER, lambda w, _p: {"end": w.vacation}, idle=SIGNED_IN - OWNER),
    Verb("preferences", SIGNED_IN, {"board_size": "large"}),
    _mine("tokens", ACCOUNTS, {"name": "A bot", "scopes": ["read"]}, answers=GUEST_FIRST),
    _mine("tokens", OWNER, lambda w, _p: {"revoke": w.token}, refused=404, answers=GUEST_FIRST),
    _mine("my-bots", ACCOUNTS, {"username": "enlil", **BOT_RULES}, answers=GUEST_FIRST),
    *(
        _mine("my-bot", OWNER, sent, args=_gilga, refused=404, answers=GUEST_FIRST)
        for sent in (
            {"do": "change", **BOT_RULES},
            {"do": "pause"},
            {"do": "token", "name": "laptop"},
            lambda w, _p: {"revoke": w.bot_token},
            {"do": "close", "sure": "on"},
        )
    ),
    _mine("challenge-bot", SIGNED_IN - {"blocked"}, CHALLENGE, args=_gilga, answers={"blocked": 409, **ASKED}),
    _mine("applications", ACCOUNTS, {"name": "An app", "redirects": "https://example.org/"}, answers=GUEST_FIRST),
    _mine("applications", OWNER, lambda w, _p: {"remove": w.app}, refused=404, answers=GUEST_FIRST),
    _mine("applications", OWNER, lambda w, _p: {"revoke": w.app}, refused=404, answers=GUEST_FIRST),
    _mine(
        "oauth-authorize", frozenset(), refused=400, answers=GUEST_FIRST
    ),  # what is asked for rightly: tests/portal/accounts/test_oauth.py
    Verb("oauth-token", frozenset(), refused=400),
    Verb("oauth-revoke", frozenset(), refused=400),
    _mine("sign-ins", frozenset(), {"others": "1"}, idle=ACCOUNTS, answers=GUEST_FIRST),
    _mine("delete-account", ACCOUNTS - OWNER, PASSWORD, answers={"player": 409, **GUEST_FIRST}),  # Alice has a club to hand over
    _mine("delete-guest", frozenset({"guest"})),
    Verb("set-language", SIGNED_IN, {"language": "hu"}, idle=frozenset({"visitor"})),
    Verb("set-theme", SIGNED_IN, {"theme": "dark"}, idle=frozenset({"visitor"})),
    _mine("export", frozenset(), idle=SIGNED_IN),
    Verb("dismiss-news", frozenset(), args=lambda _w, _p: [1], idle=ALL),
    # Notices
    _mine("notices-read", OWNER, lambda w, _p: {"notice": w.notice}, idle=SIGNED_IN - OWNER),
    Verb("notices-unread", frozenset(), idle=ALL),
    Verb("notices-unread", OWNER, lambda w, _p: {"table": w.places[0].playing}, idle=ALL - OWNER),
    _mine("notices-settings"),
    _mine("notices-hook", OWNER, {"do": "remove"}, idle=SIGNED_IN - OWNER),
    _mine("notices-test", sent={"channel": "mail"}),
    _mine("notices-mail", OWNER, idle=SIGNED_IN - OWNER),
    _mine("notices-device", OWNER, lambda w, _p: {"do": "remove", "device": w.device}, idle=SIGNED_IN - OWNER),
    Verb("notices-stop", ALL, args=lambda w, _p: [stop_token(w.people["player"], Kind.TURN)]),  # whoever has the link of the mail
    # Matches of bots: gilga is Alice's
    _mine("new-match", ACCOUNTS - {"blocked"}, MATCH, answers={"blocked": 409, "guest": 403, **ASKED}),
    _mine("match-cancel", OWNER, args=lambda _w, _p: [Match.objects.get().pk], refused=403, before=_match),
    # Reports
    _mine("report-person", SIGNED_IN - {"opponent"}, {"reason": "rude"}, args=lambda w, _p: ["bob"], answers={"opponent": 403, **ASKED}),
    # Clubs
    _mine("club-new", ACCOUNTS, FORMS["clubs/new/"], answers={"guest": 403, "visitor": LOGIN}),
    *(Verb("club-invitation", frozenset({"stranger"}), {"do": do}, "club_invitation", refused=409) for do in ("accept", "decline")),
    Verb(  # whoever has the link may join, guests apart; members have
        "club-join-link",
        ACCOUNTS - MEMBERS,
        args=lambda w, _p: [w.club.link_code],
        refused=409,
        answers={"guest": 403, "visitor": 403},
    ),
)
