"""Real Chromium against one real portal, run by `manage.py up` with web server, workers and beat.

Every page that a test opens is watched: an error in the console, a refused style or script, a failed request or an unannounced answer of
400 and above fails the test.
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
from tests.prepared import prepare
from tests.running import RunningPortal

HERE = Path(__file__).parent
# The headless shell draws no windows, which saves a quarter of the work.
CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
# Our list replaces Playwright's, so all of its names come first; the last line disables two windows of the browser's own, which it would
# otherwise draw for each new visitor, at a greater cost than the first page.
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
_addresses = (f"10.{number >> 8}.{number & 255}.7" for number in count(1))  # each visitor has an address of their own


def find_chromium() -> str:
    """Return the browser's path; without one the browser tests fail rather than being skipped."""
    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if found is None:
        pytest.fail(f"None of {', '.join(CHROMIUM)} is on the PATH. Install one: apt install chromium", pytrace=False)
    return found


@pytest.fixture(scope="package")
def portal() -> Iterator[RunningPortal]:
    """A running portal; it writes mail into the folder `mail` of its state folder."""
    folder = Path(tempfile.mkdtemp(prefix="ziggurat-browser-"))
    folder.chmod(0o711)  # as root, PostgreSQL runs as another user
    mail = folder / "mail"
    running = RunningPortal(folder, environment={"EMAIL_URL": f"filemail:///{mail}", "PROXY_COUNT": "1", "RECALL_MS": "0"})
    prepare(folder)
    try:
        with running:
            yield running
    finally:
        for place in {running.state.folder, running.state.cluster, running.state.sockets}:
            shutil.rmtree(place, ignore_errors=True)


@pytest.fixture(scope="package")
def positions(portal: RunningPortal) -> Iterator[Positions]:
    """Tables that start from a position file."""
    started = Positions(portal)
    yield started
    started.close()


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """Started only for this folder: while it runs, Django takes the thread for an asynchronous one."""
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    started = playwright.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
    yield started
    started.close()


class Visitors:
    """`visitors()` returns a new visitor with a browser of their own; see `Visitor` for the choices."""

    def __init__(self, browser: Browser, portal: RunningPortal) -> None:
        self.browser, self.portal = browser, portal
        self.all: list[Visitor] = []

    def __call__(self, *, base: str = "", **options: object) -> Visitor:
        visitor = Visitor(self.browser, base or self.portal.url, next(_addresses), **options)  # type: ignore[arg-type]
        self.all.append(visitor)
        return visitor


@pytest.fixture
def visitors(browser: Browser, portal: RunningPortal, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Visitors]:
    """Creates visitors; at the end none of their pages may have had a fault."""
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
    """A visitor at a desk, in English, by day."""
    return visitors()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    if report.when == "call":
        item.failed_call = report.failed  # type: ignore[attr-defined]
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Retry a failed journey once: a loaded machine loses races that no person loses. The summary names each retry."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.flaky(reruns=1))
