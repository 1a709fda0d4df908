"""Refusals of notices."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from portal.common.refusals import NotFound


class NoSuchNotice(NotFound):
    """Somebody else's, or none: the answer is the same."""

    sentence = _("There is no such notice.")
