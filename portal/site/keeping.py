"""What the page "Privacy" says is kept, for how long, and in which cookies. Its numbers come from the code that keeps to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from portal.accounts.mail import KEEP_SENT
from portal.accounts.services import GUEST_DAYS
from portal.accounts.views import COOKIE_AGE_S
from portal.common.templatetags.site import days
from portal.common.visitors import DISMISSED
from portal.site.cleaning import ATTEMPTS_KEPT, NOTICES_KEPT, UNANSWERED_KEPT
from portal.site.news import COOKIE_AGE_S as NEWS_COOKIE_AGE_S

DAY_S: Final = 24 * 3600


@dataclass(frozen=True, slots=True)
class Kept:
    """One kind of data, in the reader's language: what it is called, what is in it, and for how long."""

    name: str
    text: str
    until: str


def kept() -> list[Kept]:
    """Return what the site keeps. Backups and reports of errors are said as this site is set up."""
    unanswered = {"days": days(UNANSWERED_KEPT.days)}
    rows = [
        Kept(
            _("Account"),
            _("Your name, a hash of your password, your email address if you give one, your settings, and when you last signed in."),
            _("until you delete your account"),
        ),
        Kept(
            _("Guest"),
            _("A random name, your settings and your games, tied to one browser by a cookie."),
            _("%(days)s if no game is finished, otherwise until you remove the guest") % {"days": days(GUEST_DAYS)},
        ),
        Kept(
            _("Games"),
            _("Every move with its time, and the result. Records, replays, ratings and statistics come from them."),
            _("for good; after you delete your account, without your name"),
        ),
        Kept(
            _("Chat"),
            _("What you write in chats, your notes, which chats you have muted, and whom you have blocked."),
            _("until you delete your account"),
        ),
        Kept(
            _("Studies"),
            _("Your studies, your comments in those of others, and with whom you share yours."),
            _("until you delete them or your account"),
        ),
        Kept(
            _("Friends"),
            _("Your friends, and requests to be friends. That you are here, or watch a game, isn't kept."),
            _("until one of you ends it or deletes the account"),
        ),
        Kept(
            _("Reports"),
            _("What was reported, by whom, why, and what the moderator decided, with a copy of the name, profile or study as it was then."),
            _("as long as the message, or the account of the person reported"),
        ),
        Kept(
            _("Clubs"),
            _("Members, announcements, club nights, bans and the club's log. Unanswered requests and invitations are removed."),
            _("for good; unanswered ones %(days)s") % unanswered,
        ),
        Kept(_("Notices"), _("What you were told, when and how, and whether you have read it."), days(NOTICES_KEPT.days)),
        Kept(
            _("Mail"),
            _("The address and subject of each mail that was sent. Its text is deleted as soon as it has been sent."),
            _("%(days)s after it was sent") % {"days": days(KEEP_SENT.days)},
        ),
        Kept(
            _("Invitations by email"),
            _("The address that somebody gave to invite you. The mail is sent only for this."),
            _("%(days)s, or longer if you may see a table only by this invitation") % unanswered,
        ),
        Kept(
            _("Signed-in devices"),
            _("In which browsers you are signed in, and when each was last used, to the hour. No network address."),
            _("until you sign out there, or %(days)s without use") % {"days": days(settings.SESSION_COOKIE_AGE // DAY_S)},
        ),
        Kept(
            _("Push and webhook"),
            _("For push, your browser's address at its push service, and its public key. For a webhook, its address and secret."),
            _("until you turn them off or delete your account"),
        ),
        Kept(
            _("Wrong passwords"),
            _("The name that was entered, and the network address and browser it came from, so that nobody can guess passwords."),
            _("%(days)s at most") % {"days": days(ATTEMPTS_KEPT.days)},
        ),
        Kept(
            _("Limits"),
            _("Counters for network addresses and accounts, for instance of new guests, so that nobody can flood the site."),
            _("one day at most"),
        ),
        Kept(
            _("Server logs"),
            _("Errors and what the server did. There is no list of who visited which page, but an error may name a person or an address."),
            _("until newer lines replace them"),
        ),
        Kept(_("Backups"), *_backups()),
    ]
    if settings.SENTRY_DSN:
        text = _("Errors go to a service that the operator has chosen, with the values the program was working on.")
        rows.append(Kept(_("Reports of errors"), text, _("as long as that service keeps them")))
    return rows


def _backups() -> tuple[str, str]:
    if not settings.BACKUP_EVERY_H:
        return _("The site itself makes no copies. The operator may make some in another way."), _("as the operator decides")
    how_often = ngettext(
        "A copy of all of this every %(n)d hour. The operator may keep further copies elsewhere.",
        "A copy of all of this every %(n)d hours. The operator may keep further copies elsewhere.",
        settings.BACKUP_EVERY_H,
    ) % {"n": settings.BACKUP_EVERY_H}
    until = ngettext("until there is %(n)d newer one", "until there are %(n)d newer ones", settings.BACKUP_KEEP)
    return how_often, until % {"n": settings.BACKUP_KEEP}


def cookies() -> list[Kept]:
    """Return the cookies that the site may set: name, purpose, age. No other is set."""
    year = days(COOKIE_AGE_S // DAY_S)
    return [
        Kept(
            settings.SESSION_COOKIE_NAME,
            _("Recognises you when you are signed in or play as a guest."),
            _("%(days)s at most") % {"days": days(settings.SESSION_COOKIE_AGE // DAY_S)},
        ),
        Kept(
            settings.CSRF_COOKIE_NAME,
            _("Makes sure that forms come from this site's own pages."),
            days(settings.CSRF_COOKIE_AGE // DAY_S),
        ),
        Kept(settings.LANGUAGE_COOKIE_NAME, _("The language you have chosen."), year),
        Kept("theme", _("Day or night, as you have chosen."), year),
        Kept(DISMISSED, _("Which of the operators' announcements you have dismissed."), days(NEWS_COOKIE_AGE_S // DAY_S)),
        Kept("messages", _("A sentence for the next page, such as that something was saved."), _("until the next page")),
    ]
