"""What browsers say about themselves, in words."""

from __future__ import annotations

BROWSERS = ("Firefox", "Edg", "OPR", "Chrome", "Safari")
SYSTEMS = ("Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux")


def name_of(agent: str) -> str:
    """Return what a browser calls itself, in short.

    >>> name_of("Mozilla/5.0 (Android 16; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0")
    'Firefox, Android'
    """
    browser = next((name for name in BROWSERS if f"{name}/" in agent), "")
    system = next((name for name in SYSTEMS if name in agent), "")
    return ", ".join(part for part in ({"Edg": "Edge", "OPR": "Opera"}.get(browser, browser), system) if part) or "?"
