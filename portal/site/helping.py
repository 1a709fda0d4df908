"""What newcomers ask, with answers: the page "Help". An answer leads to the pages on which it is done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

from portal.accounts.services import GUEST_DAYS
from portal.common.templatetags.site import days
from portal.tables.inviting import LASTS

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a newcomer; `key` is its anchor, `links` are names of routes without arguments, with the words of the links."""

    key: str
    asked: _StrPromise
    answers: tuple[_StrPromise, ...]
    links: tuple[tuple[str, _StrPromise], ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Questions on one subject."""

    key: str
    title: _StrPromise
    questions: tuple[Question, ...]


GROUPS: Final = (
    Group(
        "playing",
        _("Playing"),
        (
            Question(
                "guest",
                _("Can I play without an account?"),
                (
                    _("Yes. Press “Play now” on a game, or sit down at a table in the lobby. You then play as a guest in this browser."),
                    _(
                        "If you sign out, or your browser forgets its cookies, you can't get back to these games. Create an account to keep "
                        "them. A guest who hasn't finished a game is removed after %(guest_days)s."
                    ),
                ),
                (("home", _("Games")), ("lobby", _("Lobby")), ("account_signup", _("Create an account"))),
            ),
            Question(
                "invite",
                _("How do I invite a friend?"),
                (
                    _(
                        "Open a table. Until the game starts, its page lets you invite people by name, send them the table's link, or show it "
                        "as a QR code. With an account you can invite by email too. A club's table has no link: invite members by name."
                    ),
                    _("Your friend doesn't need an account. An invitation expires after %(invitation_days)s."),
                ),
                (("table-new", _("New table")),),
            ),
            Question(
                "friends",
                _("How do I find people I like to play with again?"),
                (
                    _(
                        "Open their page and ask them to be friends. Friends come first when you invite people, and your Friends page shows "
                        "which of their games you can watch. Nobody else sees who your friends are."
                    ),
                ),
                (("friends", _("Friends")), ("find-people", _("Find people"))),
            ),
            Question(
                "clock",
                _("What is the clock, and what happens when time runs out?"),
                (
                    _(
                        "The person who opens a table chooses its pace: without a clock, live with a clock for each player, or by correspondence with "
                        "days for each move. Your clock runs only while you have to decide."
                    ),
                    _(
                        "When your time runs out, a bot plays for you: until you come back, or for good, as the table says. In games by "
                        "correspondence your clock stands still in your quiet hours and on vacation."
                    ),
                ),
                (("rest", _("Quiet hours and vacation")),),
            ),
            Question(
                "undo",
                _("How do I undo a move?"),
                (
                    _(
                        "Press “Undo my move” at the table. You can go back as long as nothing has been drawn, rolled or revealed since, and "
                        "nobody else has acted. If somebody has, ask the others."
                    ),
                ),
                (("lobby", _("Your tables")),),
            ),
            Question(
                "ask",
                _("What can I ask the others at my table?"),
                (
                    _(
                        "“Ask the others” in the table's menu asks for more time, for playing on without clocks, for saving a live game for another "
                        "day, for undoing your last move, or for ending the game without a result. It is done when all people at the table "
                        "agree. Bots aren't asked."
                    ),
                    _(
                        "A move can't be undone once something has been drawn, scored or revealed. League games and those of duplicate sets are "
                        "played to the end."
                    ),
                ),
                (("lobby", _("Your tables")),),
            ),
            Question(
                "keyboard",
                _("Can I play with the keyboard or a screen reader?"),
                (
                    _(
                        "Yes. At a table, press ? for the list of keys. Everything you can choose on the board is also in a list of buttons. "
                        "In the settings you can put the list of places above the board, and switch off the keyboard shortcuts."
                    ),
                ),
                (("settings", _("Settings")),),
            ),
        ),
    ),
    Group(
        "fairness",
        _("Fairness"),
        (
            Question(
                "draws",
                _("Can I trust the draws?"),
                (
                    _(
                        "You can check them. All draws and rolls follow from a secret and from words that the players may add. The table shows "
                        "the secret's seal from the start, and the secret itself when the game is over. Then anyone can repeat every draw."
                    ),
                ),
                (("verify", _("Verify a record")),),
            ),
            Question(
                "bots",
                _("What do bots know?"),
                (_("Only what a player in their seat can see. They know neither hidden tiles and cards nor what will be drawn."),),
                (("all-bots", _("Bots")),),
            ),
            Question(
                "ratings",
                _("How are ratings worked out?"),
                (
                    _(
                        "From the places in rated games, not from the scores. Finishing ahead of someone gains points, and more if it was "
                        "unlikely. If you leave a game, you count as last."
                    ),
                ),
                (("rating-rules", _("How ratings work")),),
            ),
        ),
    ),
    Group(
        "others",
        _("Other people and you"),
        (
            Question(
                "block",
                _("How do I mute, block or report somebody?"),
                (
                    _("“Mute this chat” hides the chat of one table from you."),
                    _(
                        "You can block a person from their profile or from one of their messages. Then you see nothing that they write, and they "
                        "can't invite you. They aren't told."
                    ),
                    _(
                        "To report a message, a profile, a study or a comment, follow “Report” beside it and choose a reason. A moderator looks at "
                        "it, and the person doesn't learn who reported it."
                    ),
                ),
                (("blocks", _("Blocked people")),),
            ),
            Question(
                "notices",
                _("How do notices reach me?"),
                (
                    _(
                        "They are behind the bell at the top of every page. If you like, they also come by email to an address that you have "
                        "confirmed, by push to your browsers, and to a webhook. You choose this for each kind of notice. Games with bots alone "
                        "send none."
                    ),
                ),
                (("notices", _("Notices")), ("notices-settings", _("Notice settings"))),
            ),
            Question(
                "account",
                _("How do I download my data or delete my account?"),
                (
                    _(
                        "Both are in the settings. The download is one file. Before you delete your account, the page says what is deleted and "
                        "what stays. Nobody can bring it back."
                    ),
                ),
                (("settings", _("Settings")), ("delete-account", _("Delete account")), ("privacy", _("Privacy"))),
            ),
        ),
    ),
)


def numbers() -> dict[str, str]:
    """Return what the answers say in numbers, in the reader's language."""
    return {"guest_days": days(GUEST_DAYS), "invitation_days": days(LASTS.days)}
