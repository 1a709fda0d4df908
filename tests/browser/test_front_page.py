"""The front page at every size: a real board of each game, one way to start it, and the turn that shows how it plays."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from games.registry import GAMES
from tests.browser.conftest import Visitors
from tests.browser.people import DESK, PHONE, TABLET, scrolls_sideways
from tests.browser.playing import TABLE
from tests.browser.test_accessibility import findings
from tests.browser.test_reel import HASTE

LAPTOP = (1366, 768)
TOPS = "els => els.map((el) => Math.round(el.getBoundingClientRect().top + scrollY))"
# A board covers its place from edge to edge, and there is something on it.
COVERS = """(place) => {
  const [outer, inner] = [place.getBoundingClientRect(), place.querySelector('.offer__board').getBoundingClientRect()];
  const covers = inner.left <= outer.left + 2 && inner.right >= outer.right - 2 && inner.top <= outer.top + 2 && inner.bottom >= outer.bottom - 4;
  return covers && place.querySelectorAll('use, path').length > 20;
}"""


def shown_boards(page: Page) -> None:
    """Go through the page until every game shows its board."""
    for place in page.locator("[data-board]").all():
        place.scroll_into_view_if_needed()
        expect(place.locator(".offer__board")).to_be_attached()


SIZES = {LAPTOP: [5], DESK: [5], TABLET: [2, 2, 1], (390, 844): [1, 1, 1, 1, 1], PHONE: [1, 1, 1, 1, 1]}


@pytest.mark.parametrize("lang", ["en", "hu"])
def test_each_game_has_a_real_board_and_one_button(visitors: Visitors, lang: str) -> None:
    page = visitors(lang=lang).go("/")
    for size, rows in SIZES.items():
        page.set_viewport_size({"width": size[0], "height": size[1]})
        shown_boards(page)
        offers = page.locator(".offer")
        tops = offers.evaluate_all(TOPS)
        assert [tops.count(top) for top in dict.fromkeys(tops)] == rows, size
        assert offers.count() == len(GAMES)
        for offer in offers.all():
            assert offer.locator(".offer__picture").evaluate(COVERS), size
            assert offer.locator(".button--primary").count() == 1
        assert not scrolls_sideways(page), size
        if size == LAPTOP:  # to start a game, nobody has to scroll
            page.evaluate("scrollTo(0, 0)")
            assert all(button.bounding_box()["y"] < LAPTOP[1] - 40 for button in page.locator(".offer .button--primary").all())  # type: ignore[index]


def test_boards_are_kept_by_the_browser(visitors: Visitors) -> None:
    visitor = visitors()
    shown_boards(visitor.go("/"))
    fetched: list[str] = []
    visitor.page.on(
        "response", lambda answer: fetched.append(answer.url) if "/board/" in answer.url and not answer.from_service_worker else None
    )
    visitor.page.reload()
    shown_boards(visitor.page)
    from_disk = visitor.page.evaluate(
        "performance.getEntriesByType('resource').filter((it) => it.name.includes('/board/')).map((it) => it.transferSize)"
    )
    assert from_disk == [0] * len(GAMES)


@pytest.mark.parametrize("key", GAMES)
def test_play_now_starts_a_game_at_one_click(visitors: Visitors, key: str) -> None:
    page = visitors().go("/")
    page.locator(f".offer[data-game={key}] .button--primary").click()
    page.wait_for_url(TABLE)
    expect(page.locator(f"main[data-game={key}] #table[data-stream]")).to_be_attached()


def test_without_script_the_plates_stay_and_the_button_works(visitors: Visitors) -> None:
    page = visitors(script=False).go("/")
    assert page.locator(".offer .plate__art").count() == len(GAMES)
    page.locator(".offer .button--primary").first.click()
    page.wait_for_url(TABLE)


@pytest.mark.parametrize("key", GAMES)
def test_how_it_plays_tells_its_steps_one_by_one(visitors: Visitors, key: str) -> None:
    watcher = visitors(motion=True)
    watcher.context.add_init_script(
        HASTE + "window.marked = []; document.addEventListener('reel:step', (event) => window.marked.push(event.detail.at));"
    )
    page = watcher.go("/")
    page.locator(f".offer[data-game={key}] a[href$='/how/']").click()
    page.wait_for_url("**/how/")
    steps = page.locator(".how__step").all_text_contents()
    page.wait_for_function("(n) => window.marked.at(-1) === n - 1 && !document.querySelector('#board.is-reeling')", arg=len(steps))
    assert page.evaluate("window.marked") == list(range(len(steps)))
    expect(page.locator(".how__steps [aria-current=step] .how__step")).to_have_text(steps[-1])
    assert page.locator(".flight").count() == 0
    expect(page.locator("#told")).to_have_text(steps[-1])
    assert not findings(page, f"how {key} plays")


def test_how_it_plays_without_motion_waits_and_without_script_has_a_picture_for_each_step(visitors: Visitors) -> None:
    page = visitors().go("/games/ra/how/")
    expect(page.locator("#reel")).to_be_visible()
    assert page.locator("#board.is-reeling").count() == 0
    quiet = visitors(script=False).go("/games/ra/how/?step=0")
    boards = [quiet.locator("#board").inner_html() + quiet.locator("#players").inner_html()]
    while (forward := quiet.get_by_role("link", name="Next step")).count():
        forward.click()
        quiet.wait_for_load_state()
        boards.append(quiet.locator("#board").inner_html() + quiet.locator("#players").inner_html())
    assert len(set(boards)) == len(boards) == quiet.locator(".how__step").count() + 1


@pytest.mark.parametrize(("lang", "size"), [("en", DESK), ("hu", PHONE)])
def test_axe_finds_nothing(visitors: Visitors, lang: str, size: tuple[int, int]) -> None:
    page = visitors(lang=lang, size=size).go("/")
    shown_boards(page)
    found = findings(page, "front page with its boards")
    page.goto("/games/tigris_euphrates/how/?step=2")
    found += findings(page, "how it plays")
    assert not found, "\n".join(found)
