"""Moments are written as people write them in each language."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
import time_machine
from django.utils import timezone, translation

from portal.common.templatetags.site import moment, near

FRIDAY = datetime(2026, 11, 27, 19, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "whole", "short"),
    [
        ("en", "Fri 27 November 2026, 20:10", "Fri 20:10"),
        ("hu", "2026. november 27. (péntek), 20:10", "péntek 20:10"),
        ("ru", "пт, 27 ноября 2026 г., 20:10", "пт 20:10"),
    ],
)
@time_machine.travel("2026-11-25 12:00:00+00:00", tick=False)
def test_a_moment_has_its_day_of_the_week(language, whole, short):
    with translation.override(language), timezone.override("Europe/Budapest"):
        assert (moment(FRIDAY), near(FRIDAY)) == (whole, short)
