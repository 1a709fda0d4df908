"""Refusals of notices."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from portal.common.refusals import BadValue, NotFound, TooMany


class NoSuchNotice(NotFound):
    """Somebody else's, or none: the answer is the same."""

    sentence = _("There is no such notice.")


class DeadLink(NotFound):
    sentence = _("This link is broken. Open your notice settings instead.")


class BadHook(BadValue):
    field = "url"
    sentence = _("Enter an address that starts with https:// and has no user name, password or odd port.")


class HookNotPublic(BadValue):
    field = "url"
    sentence = _("This address isn't on the public internet, so the site doesn't send there.")


class HookNotFound(BadValue):
    field = "url"
    sentence = _("There is no server of that name. Check the address.")


class NoWebhook(NotFound):
    sentence = _("You have no webhook. Set one in your notice settings.")


class TooManyTests(TooMany):
    sentence = _("You have sent many tests this hour.")


class BadDevice(BadValue):
    sentence = _("This browser's push service isn't usable here. Try again, or use another browser.")
