"""An answer is put into the page piece by piece: the page is what a new one would be, and what has not changed was left alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from games.registry import GAMES
from tests.browser.conftest import Visitors
from tests.browser.playing import Player
from tests.browser.positions import Positions
from tests.browser.test_frame import LAPTOP, bots
from tests.browser.test_reel import HASTE, SHOWN

# What the page's scripts and the passing time change is left out.
DRAWN = """() => {
  const loose = new Set(['tabindex', 'style', 'data-stream', 'value', 'title', 'open', 'aria-describedby']);
  const tell = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data.replace(/\\s+/g, ' ').trim();
    if (node.nodeType !== Node.ELEMENT_NODE || ['reel', 'missed', 'break'].includes(node.id) || node.localName === 'time') return '';
    const classes = [...node.classList].filter((name) => !/^(is-new|is-told|is-telling|htmx-.*)$/.test(name)).sort().join(' ');
    const rest = [...node.attributes].filter((it) => it.name !== 'class' && !loose.has(it.name)).map((it) => `${it.name}=${it.value}`).sort();
    return `<${node.localName} ${classes} ${rest.join(' ')}>${[...node.childNodes].map(tell).join('')}</${node.localName}>`;
  };
  return tell(document.getElementById('table')).replaceAll('><', '>\\n<').split('\\n');
}"""
SIGN = "() => { for (const it of document.querySelectorAll('#table [data-h]')) it.signed = it.id + ':' + it.dataset.h; }"
STEADY = """() => [...document.querySelectorAll('#seal, #rule-drawer, #log [data-h]')].map((it) => [it.id + ':' + it.dataset.h, it.signed ?? ''])"""


@pytest.mark.parametrize("key", GAMES)
def test_a_page_that_followed_a_game_is_what_a_new_one_would_be(visitors: Visitors, positions: Positions, key: str) -> None:
    visitor = visitors(size=LAPTOP)
    number = bots(visitor, key)
    page = visitor.page
    for versions in (1, 6, 9):
        page.evaluate(SIGN)
        before = {name for name, _ in page.evaluate(STEADY)}
        after = positions.play(number, versions)
        expect(page.locator(f"#table[data-version='{after}']")).to_be_attached()
        assert Player(visitor).wait_for_turn()
        stayed = [signed == name for name, signed in page.evaluate(STEADY) if name in before]
        assert len(stayed) > 1
        assert all(stayed), "what an answer does not change stays the very same element"
    live = page.evaluate(DRAWN)
    page.reload()
    assert page.evaluate(DRAWN) == live


@pytest.mark.parametrize("key", GAMES)
def test_after_the_reel_the_page_is_what_a_new_one_would_be(visitors: Visitors, positions: Positions, key: str) -> None:
    visitor = visitors(size=LAPTOP, motion=True)
    visitor.context.add_init_script(HASTE)
    number = bots(visitor, key)
    page = visitor.page
    with visitor.offline():  # one answer brings it all; another one during the reel would replace the whole region
        after = positions.play(number, 6)
    expect(page.locator(f"#table[data-version='{after}']")).to_be_attached()
    assert Player(visitor).wait_for_turn()
    page.wait_for_function(SHOWN)
    live = page.evaluate(DRAWN)
    page.evaluate("localStorage.setItem('reel-speed', '0')")
    page.reload()
    assert page.evaluate(DRAWN) == live, "what can be chosen on the board is there again"
