"""Refusals of the pages of ratings."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from portal.common.refusals import TooMany


class TooManyDownloads(TooMany):
    sentence = _("Too many downloads this hour.")
