"""People with a browser: the browser, the faults of its pages, and what everybody can do."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response, expect

DESK, TABLET, PHONE = (1440, 900), (820, 1180), (360, 780)
PASSWORD = "clay-tablet-77"
PATIENCE_MS = 20_000
STATUS_LINE = "Failed to load resource: the server responded"  # the answers themselves are watched
OVERTAKEN = ("htmx:sendAbort", "htmx:afterRequest")  # a newer table came while a move was on its way
OFFLINE = ("ERR_INTERNET_DISCONNECTED", "htmx:sendError", "htmx:afterRequest")
expect.set_options(timeout=PATIENCE_MS)


def somewhere(name: str) -> str:
    """Return a name that no earlier run of the test has taken."""
    return f"{name}-{secrets.token_hex(2)}"


class Visitor:
    """One browser profile at one address. `faults` collects what no page may have."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        address: str,
        *,
        name: str = "Anna",
        lang: str = "en",
        size: tuple[int, int] = DESK,
        scheme: str = "light",
        script: bool = True,
        motion: bool = False,
        touch: bool = False,
    ) -> None:
        self.url = url
        self.name = name  # where somebody is signed in without filling in the form
        self.faults: list[str] = []
        self.is_offline = False
        self.quiet = ""  # requests to URLs containing this may fail
        self._announced: set[int] = set()
        self.context = browser.new_context(
            base_url=url,
            locale={"en": "en-GB", "hu": "hu-HU", "ru": "ru-RU"}[lang],
            viewport={"width": size[0], "height": size[1]},
            color_scheme=scheme,  # type: ignore[arg-type]
            java_script_enabled=script,
            extra_http_headers={"X-Forwarded-For": address},
            reduced_motion="no-preference" if motion else "reduce",
            has_touch=touch,
            is_mobile=touch,
        )
        self.context.set_default_timeout(PATIENCE_MS)
        self.context.on("console", self._on_console)
        self.context.on("requestfailed", self._on_failed)
        self.context.on("response", self._on_response)
        self.context.on("weberror", lambda error: self.faults.append(f"script: {error.error}"))
        self.page = self.context.new_page()

    def _on_console(self, message: ConsoleMessage) -> None:
        url = message.location.get("url", "")
        is_known = (
            message.text.startswith(STATUS_LINE)
            or (self.is_offline and any(sign in message.text for sign in OFFLINE))
            or (self.quiet and self.quiet in url)
            or (409 in self._announced and message.text.startswith(OVERTAKEN))
        )
        if message.type in ("error", "assert") and not is_known:
            self.faults.append(f"console: {message.text} ({url})")

    def _on_failed(self, request: Request) -> None:
        reason = request.failure or ""
        if (
            "ERR_ABORTED" not in reason and not self.is_offline and not (self.quiet and self.quiet in request.url)
        ):  # leaving a page cancels its requests
            self.faults.append(f"request failed: {request.method} {request.url} {reason}")

    def _on_response(self, response: Response) -> None:
        if response.status >= 400 and response.status not in self._announced:
            self.faults.append(f"answer {response.status}: {response.request.method} {response.url}")

    @contextmanager
    def expecting(self, *statuses: int) -> Iterator[None]:
        """Allow answers with these statuses within the block."""
        self._announced |= set(statuses)
        yield
        self._announced -= set(statuses)

    @contextmanager
    def offline(self) -> Iterator[None]:
        """Take the network away within the block."""
        self.is_offline = True
        self.context.set_offline(True)
        yield
        self.context.set_offline(False)
        self.page.wait_for_timeout(50)  # the last network errors arrive
        self.is_offline = False

    # What everybody does

    def go(self, path: str) -> Page:
        self.page.goto(path, wait_until="load")
        return self.page

    def press(self, name: str, *, exact: bool = False, role: Any = "button") -> None:
        self.page.get_by_role(role, name=name, exact=exact).first.click()

    def sign_up(self, name: str, *, email: str = "", path: str = "/accounts/signup/") -> None:
        """Fill in the form of a new account, or of a guest that becomes one."""
        page = self.go(path)
        page.locator("#id_username").fill(name)
        page.locator("#id_password1").fill(PASSWORD)
        if email:
            page.locator("#id_email").fill(email)
        page.locator("main form button[type=submit]").first.click()
        expect(page.locator(".site-menu > summary")).to_contain_text(name)

    def sign_in(self, name: str, password: str = PASSWORD) -> None:
        page = self.go("/accounts/login/")
        page.locator("#id_login").fill(name)
        page.locator("#id_password").fill(password)
        page.locator("form[action*='login'] button[type=submit]").first.click()

    def open_menu(self) -> None:
        self.page.locator("#site-menu > summary").click()

    def sign_out(self) -> None:
        self.open_menu()
        self.page.locator("#site-menu form[action*='logout'] button").click()

    def table_id(self) -> int:
        found = re.search(r"/tables/(\d+)/", self.page.url)
        assert found, self.page.url
        return int(found[1])


def scrolls_sideways(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth + 1"))
