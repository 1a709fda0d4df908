"""Every page that people reach, in the longest languages: readable for all by day and by night, nothing cut off, nothing that scrolls sideways."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Visitors
from tests.browser.people import DESK, PHONE, scrolls_sideways
from tests.browser.stage import OWNER
from tests.browser.staged import Readers, Staged
from tests.browser.test_accessibility import AT_REST, AXE, FRAMES
from tests.running import RunningPortal

RUN: Final = "([context, options]) => axe.run(context, options).then((result) => result.violations)"
# In a lesson what isn't meant is faded. Everything is looked at once; then only what sizes and themes change, without header and footer.
FADED: Final = [[".learn .board"], [".learn .players"]]
WHOLE: Final = {"exclude": FADED}
MAIN: Final = {"include": [["main"]], "exclude": [*FADED, ["svg"]]}
QUICK: Final = {"resultTypes": ["violations"], "preload": False}
COLOURS: Final = {**QUICK, "runOnly": ["color-contrast"]}
AGAIN: Final = "/two-factor/again/"
REFUSED: Final = (400, 403, 404)  # by pages of the stage that say so
# Text in a box that hides what has no room there. Not what is hidden on purpose, nor a person's name that ends in dots: it is whole elsewhere.
CLIPPED: Final = """(names) => [...document.querySelectorAll('body *')].filter((it) => {
  if (![...it.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()) || !it.checkVisibility()) return false;
  const style = getComputedStyle(it);
  const hides = /hidden|clip/.test(style.overflowX) || it.matches('button, .button, .choice, .badge');
  if (!hides || it.clientWidth < 2 || it.scrollWidth <= it.clientWidth + 1 || style.color === 'rgba(0, 0, 0, 0)') return false;
  if (it.closest('svg, .offer__picture') || style.clipPath !== 'none') return false;
  return style.textOverflow !== 'ellipsis' || !names.some((name) => it.textContent.trim() === name);
}).map((it) => `${it.className || it.tagName}: ${it.textContent.trim()}`)"""

# What only a screen reader gets makes a page longer, if it is placed outside the box that scrolls it.
BELOW_THE_FOOTER: Final = """() => { const foot = document.querySelector('.site-footer');
  if (!foot?.checkVisibility()) return 0;
  const more = document.documentElement.scrollHeight - Math.max(innerHeight, foot.getBoundingClientRect().bottom + scrollY);
  return more < 2 ? 0 : Math.round(more); }"""


@pytest.fixture(scope="module")
def staged(portal: RunningPortal) -> Iterator[Staged]:
    started = Staged(portal)
    yield started
    started.close()


def violations(page: Page, scheme: str, context: dict[str, Any], options: dict[str, Any]) -> list[str]:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.wait_for_function(f"() => matchMedia('(prefers-color-scheme: {scheme})').matches")
    page.evaluate(FRAMES)
    page.wait_for_function(AT_REST)
    found = []
    for violation in page.evaluate(RUN, [context, options]):
        places = ", ".join(str(node["target"][0]) for node in violation["nodes"][:3])
        found.append(f"{scheme}: {violation['id']} ({violation['impact']}) at {places}")
    return found


def misfits(page: Page, names: list[str]) -> list[str]:
    found = [f"cut off: {it}" for it in page.evaluate(CLIPPED, names)]
    if scrolls_sideways(page):
        found.append("scrolls sideways")
    if below := page.evaluate(BELOW_THE_FOOTER):
        found.append(f"{below} px below the footer")
    return found


def looked_at(page: Page, names: list[str]) -> list[str]:
    """Look at one page at both sizes and in both themes; axe looks for everything at each size, and for contrast in each theme."""
    page.evaluate(AXE)
    found = [f"desk, {it}" for it in violations(page, "light", WHOLE, QUICK) + violations(page, "dark", MAIN, COLOURS)]
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    found += [
        f"phone, {it}" for it in violations(page, "dark", MAIN, QUICK) + violations(page, "light", MAIN, COLOURS) + misfits(page, names)
    ]
    page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
    return found


def test_everybody_can_read_every_page(staged: Staged, visitors: Visitors) -> None:
    readers = Readers(staged, visitors, "hu")
    found = []
    for name, path, person in staged.pages:
        reader = readers.of(person)
        with reader.expecting(*REFUSED):
            page = reader.go(path.format(lang="hu"))
            assert page.locator("html").get_attribute("lang") == "hu"
            assert (AGAIN in page.url) == (AGAIN in path), "asked for the password instead"
            found += [f"{name}: {it}" for it in looked_at(page, staged.people)]
    for name in readers.faults:
        found += [f"{name}: {it}" for it in looked_at(readers.fault(name), staged.people)]
    staged.ask({"announce": True})
    for path in ("/about/", next(path for name, path, _ in staged.pages if name == "a vote")):
        page = readers.of(OWNER).go(path)
        while not page.locator(".news").count():  # the site reads them every few seconds
            page.wait_for_timeout(500)
            page.reload()
        found += [f"announcements, {path}: {it}" for it in looked_at(page, staged.people)]
    staged.ask({"announce": False})
    assert not found, "\n".join(found)


def test_nothing_is_cut_off_in_russian_on_a_phone(staged: Staged, visitors: Visitors) -> None:
    readers = Readers(staged, visitors, "ru", size=PHONE)
    found = []
    for name, path, person in staged.pages:
        reader = readers.of(person)
        with reader.expecting(*REFUSED):
            page = reader.go(path.format(lang="ru"))
            assert page.locator("html").get_attribute("lang") == "ru"
            found += [f"{name}: {it}" for it in misfits(page, staged.people)]
    for name in readers.faults:
        found += [f"{name}: {it}" for it in misfits(readers.fault(name), staged.people)]
    assert not found, "\n".join(found)
