"""Boards in the pages of other sites, and the editor of positions, in a real browser."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import quote, unquote

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.people import Visitor, scrolls_sideways
from tests.browser.playing import TABLE, Player, hasty

TEMPLES = r'"hands": \[\{"hittites": 2\}, 3\],\s+"temples": '


class Elsewhere(BaseHTTPRequestHandler):
    """Another site: its one page shows the address in its query in a frame."""

    def do_GET(self) -> None:
        frame = f'<iframe id="frame" src="{html.escape(unquote(self.path.partition("?")[2]))}" width="800" height="720"></iframe>'
        body = f"<!doctype html><link rel=icon href=data:,><title>Elsewhere</title><h1>My page</h1>{frame}".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def elsewhere() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()


def test_a_game_is_watched_in_the_page_of_another_site(visitors: Visitors, elsewhere: str) -> None:
    visitor, reader = visitors(), visitors()
    visitor.go("/")
    visitor.press("Play now Ra")
    visitor.page.wait_for_url(TABLE)
    player = Player(visitor)
    for _ in range(2):
        player.wait_for_turn()
        hasty(player)
    number = visitor.table_id()
    page = reader.page

    page.goto(f"{elsewhere}?{quote(f'{reader.url}/embed/tables/{number}/?step=1')}")
    frame = page.frame_locator("#frame")
    expect(frame.locator("#replay-name")).to_contain_text("Step 1 of")
    frame.locator("#replay-on").click()
    expect(frame.locator("#replay-name")).to_contain_text("Step 2 of")
    link = frame.get_by_role("link", name="Watch this game at Ziggurat")
    expect(link).to_have_attribute("href", re.compile(rf"/tables/{number}/replay/\?step=2$"))
    with page.context.expect_page() as opened:
        link.click()
    expect(opened.value.locator("#replay-name")).to_contain_text("Step 2 of")


def test_a_position_is_written_seen_and_played(visitor: Visitor) -> None:
    page = visitor.go("/positions/babel/")
    text = page.locator("#text")
    assert not scrolls_sideways(page)
    written = text.input_value()
    with visitor.expecting(422):
        text.fill(written.replace('"state": {}', '"state": {"stocks": 1}'))
        expect(page.get_by_role("alert")).to_contain_text("stocks")
    text.fill(written.replace('"state": {}', '"state": {"hands": [{"hittites": 2}, 3]}'))
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator("#outcome .board")).to_be_visible()
    page.get_by_text("What the text leaves out").click()
    page.get_by_role("button", name="Add temples").click()
    expect(text).to_have_value(re.compile(TEMPLES))
    page.get_by_role("button", name="Play from here").click()
    page.wait_for_url("**/tables/*/")
    expect(page.locator("#action")).to_be_visible()
