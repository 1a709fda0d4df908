"""Real Chromium against one real portal, which runs as `manage.py up` runs it, with web server, workers and beat.

Every page that a test opens is watched: an error in the console, a refused style or script, a failed request or an answer
of 400 and above that the test did not announce fails the test.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

from tests.browser.people import Visitor
from tests.browser.positions import Positions
from tests.running import RunningPortal

HERE = Path(__file__).parent
# The shell draws no windows of its own, a quarter less work.
CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
# A list of ours takes the place of Playwright's, so all of its names come first; the last line holds two windows of the browser's
# own, which it would otherwise draw for each new visitor, and that costs more than the first page.
UNUSED = (
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable"),
    *("LensOverlay", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect"),
    *("OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"),
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup"),
)
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    f"--disable-features={','.join(UNUSED)}",
)
_addresses = (f"10.{number >> 8}.{number & 255}.7" for number in count(1))  # each visitor comes from a house of their own


def find_chromium() -> str:
    """Return the browser's path; without one the browser tests fail, they are never skipped."""
    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if found is None:
        pytest.fail(f"None of {', '.join(CHROMIUM)} is on the PATH. Install one: apt install chromium", pytrace=False)
    return found


@pytest.fixture(scope="package")
def portal() -> Iterator[RunningPortal]:
    """A running portal; it writes its mails into the folder `mail` of its state."""
    folder = Path(tempfile.mkdtemp(prefix="ziggurat-browser-"))
    folder.chmod(0o711)  # as root, PostgreSQL runs as somebody else
    mail = folder / "mail"
    running = RunningPortal(folder, environment={"EMAIL_URL": f"filemail:///{mail}", "PROXY_COUNT": "1"})
    try:
        with running:
            yield running
    finally:
        for place in {running.state.folder, running.state.cluster, running.state.sockets}:
            shutil.rmtree(place, ignore_errors=True)


@pytest.fixture(scope="package")
def positions(portal: RunningPortal) -> Iterator[Positions]:
    """Tables that begin from a position file."""
    started = Positions(portal)
    yield started
    started.close()


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """Started for this folder alone: while it runs, Django takes the thread for an asynchronous one."""
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    started = playwright.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
    yield started
    started.close()


class Visitors:
    """`visitors()` is somebody new with a browser of their own; see `Visitor` for what can be chosen."""

    def __init__(self, browser: Browser, portal: RunningPortal) -> None:
        self.browser, self.portal = browser, portal
        self.all: list[Visitor] = []

    def __call__(self, **options: object) -> Visitor:
        visitor = Visitor(self.browser, self.portal.url, next(_addresses), **options)  # type: ignore[arg-type]
        self.all.append(visitor)
        return visitor


@pytest.fixture
def visitors(browser: Browser, portal: RunningPortal, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Visitors]:
    """A way to let people in; in the end none of their pages may have had a fault."""
    house = Visitors(browser, portal)
    yield house
    faults = []
    for number, visitor in enumerate(house.all, start=1):
        if getattr(request.node, "failed_call", False):
            for at, page in enumerate(visitor.context.pages):
                page.screenshot(path=tmp_path / f"visitor-{number}-{at}.png", full_page=True)
                (tmp_path / f"visitor-{number}-{at}.html").write_text(page.content())
                faults.append(f"(visitor {number} was at {page.url}; picture and page lie in {tmp_path})")
        faults += visitor.faults
        visitor.context.close()
    assert not faults, "\n".join(faults)


@pytest.fixture
def visitor(visitors: Visitors) -> Visitor:
    """Somebody at a desk, in English, by day."""
    return visitors()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    if report.when == "call":
        item.failed_call = report.failed  # type: ignore[attr-defined]
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Walk a journey that failed once more: a loaded machine loses races that no person loses. The summary names each one."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.flaky(reruns=1))
