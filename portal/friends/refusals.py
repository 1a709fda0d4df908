"""Refusals of friends."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from portal.common.refusals import BadValue, NotAllowed, NotFound, TooMany, WrongMoment


class GuestsHaveNone(NotAllowed):
    sentence = _("Guests can't have friends, because a guest exists only in one browser. Create an account first.")


class IsAGuest(BadValue):
    sentence = _("%(name)s is playing as a guest. You can ask them once they have an account.")


class AsksSelf(BadValue):
    sentence = _("You can't ask yourself.")


class YouBlockThem(WrongMoment):
    sentence = _("You have blocked %(name)s. Unblock them first.")


class TooManyFriends(WrongMoment):
    sentence = _("You can have %(limit)d friends and requests at most. Remove a friend or withdraw a request first.")


class TooManyRequests(TooMany):
    sentence = _("You have asked many people today.")


class NoSuchRequest(NotFound):
    sentence = _("This request is no longer open.")


class NotFriends(NotFound):
    sentence = _("You aren't friends with %(name)s.")
