"""What tests see of the stage: its pages, and a browser for each of its people."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from playwright.sync_api import Page, Route

from tests.browser.conftest import Visitors
from tests.browser.people import Visitor
from tests.running import RunningPortal


class Staged:
    """A portal with the stage set (`stage.py`): `pages` are (name, path, person)."""

    def __init__(self, portal: RunningPortal) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.browser.stage"],
            cwd=portal.root,
            env=portal.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        answer = self.ask({})
        self.pages: list[tuple[str, str, str]] = [(name, path, person) for name, path, person in answer["pages"]]
        self.people: list[str] = answer["people"]

    def ask(self, wish: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(wish) + "\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.startswith("= "):  # the other lines are what services log
                answer: dict[str, Any] = json.loads(line[2:])
                return answer
        raise AssertionError("the stage has ended")

    def close(self) -> None:
        self.process.communicate("", timeout=10)


class Readers:
    """The people of the stage, and a visitor, who all read one language."""

    def __init__(self, staged: Staged, visitors: Visitors, language: str, **options: Any) -> None:
        answer = staged.ask({"language": language})
        self.faults: dict[str, str] = answer["faults"]
        self.sessions: dict[str, str] = answer["sessions"]
        self.all: dict[str, Visitor] = {}
        self._new = lambda name: visitors(name=name, lang=language, **options)

    def of(self, person: str) -> Visitor:
        """Return the browser of somebody; "" is a visitor."""
        if person not in self.all:
            visitor = self.all[person] = self._new(person)
            if person:
                visitor.context.add_cookies([{"name": "sessionid", "value": self.sessions[person], "url": visitor.url}])
        return self.all[person]

    def fault(self, name: str) -> Page:
        """Show a visitor a page that says what went wrong, as the site would answer with it."""
        page = self.of("").page

        def answer(route: Route) -> None:
            route.fulfill(body=self.faults[name], content_type="text/html; charset=utf-8")

        page.route("**/fault/", answer)
        page.goto("/fault/")
        page.unroute("**/fault/")
        return page
