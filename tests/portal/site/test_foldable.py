"""Where a line may break within a name or an address."""

from __future__ import annotations

import pytest

from portal.common.templatetags.site import foldable


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("Nabu", "Nabu"),
        ("Nebuchadnezzar.of.Babylon, Nabu", "Nebuchadnezzar.<wbr>of.<wbr>Babylon, Nabu"),
        ("anna_k@example.org", "anna_<wbr>k@<wbr>example.<wbr>org"),
        ("Ann invites you. Come.", "Ann invites you. Come."),
        ("<b>.i</b>", "&lt;b&gt;.<wbr>i&lt;/b&gt;"),
    ],
)
def test_a_line_breaks_after_a_sign(text: str, html: str) -> None:
    assert foldable(text) == html
