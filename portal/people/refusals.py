"""Refusals of profiles."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from portal.common.refusals import BadValue, NotFound, TooMany


class NoPicture(BadValue):
    field = "picture"
    sentence = _("Choose a picture first.")


class PictureTooHeavy(BadValue):
    field = "picture"
    sentence = _("The picture is larger than 5 MB. Choose a smaller one. Nothing was changed.")


class PictureTooLarge(BadValue):
    field = "picture"
    sentence = _("The picture has more than 24 million pixels. Make it smaller and try again. Nothing was changed.")


class NotAPicture(BadValue):
    field = "picture"
    sentence = _("This file can't be read as a picture. Choose a JPEG, PNG or WebP file. Nothing was changed.")


class MovingPicture(BadValue):
    field = "picture"
    sentence = _("Animated pictures don't work here. Choose a still one. Nothing was changed.")


class AboutTooLong(BadValue):
    field = "about"
    sentence = _("Use at most %(limit)d characters. You have used %(count)d.")


class TooManyPictures(TooMany):
    sentence = _("You have changed your picture too often.")


class NobodyOfThatName(NotFound):
    sentence = _("There is no player with this name.")


class TooManySearches(TooMany):
    sentence = _("You have searched very often.")
