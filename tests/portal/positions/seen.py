"""What a page of the editor shows, read from its markup."""

from __future__ import annotations

import html
import re
from typing import Any


def text_of(page: Any) -> str:
    """Return the text of the position."""
    return _one(page, r"<textarea[^>]* name=\"text\"[^>]*>(.*?)</textarea>")


def fault_of(page: Any) -> str:
    """Return why the text is no position."""
    assert page.status_code == 422
    return _one(page, r"role=\"alert\">.*?<p>(.*?)</p>")


def board_of(page: Any) -> str:
    """Return the board; "" if there is none."""
    found = re.search(r"<section class=\"board\"[^>]*>(.*?)</section>\s*<p class=\"note\" role", page.content.decode(), re.DOTALL)
    return found[1] if found else ""


def left_of(page: Any) -> list[str]:
    """Return the names of the fields that the text leaves out."""
    return re.findall(r"value=\"take ([a-z_]+)\"", page.content.decode())


def link_of(page: Any) -> str:
    return _one(page, r"id=\"position-link\" value=\"([^\"]*)\"")


def _one(page: Any, pattern: str) -> str:
    found = re.search(pattern, page.content.decode(), re.DOTALL)
    assert found, pattern
    return html.unescape(found[1]).strip()
