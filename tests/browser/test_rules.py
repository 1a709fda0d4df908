"""The rule book: contents, chapters, two languages side by side, search, examples step by step, and play from there."""

from __future__ import annotations

from datetime import UTC, datetime

from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.people import PHONE, Visitor, somewhere
from tests.browser.playing import TABLE, Player
from tests.running import wait_until

ARE_KEPT = "(paths) => Promise.all(paths.map((path) => caches.match(path))).then((found) => found.every(Boolean))"


def test_from_the_shelf_into_a_chapter_and_on_to_the_next(visitor: Visitor) -> None:
    page = visitor.go("/")
    visitor.press("Rules", role="link", exact=True)
    expect(page.get_by_role("heading", level=1)).to_have_text("Rule books")
    page.locator("main").get_by_role("link", name="Ra", exact=True).first.click()
    chapters = page.locator(".chapters__item")
    assert chapters.count() >= 8
    first = chapters.first.locator(".chapters__title a")
    title = first.inner_text()
    first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    following = page.locator("a[rel=next]").first
    page.locator("nav a[rel=next]").click()
    expect(page.get_by_role("heading", level=1)).not_to_have_text(title)
    assert following


def test_a_paragraph_has_an_address_of_its_own_in_every_language(visitor: Visitor) -> None:
    page = visitor.go("/en/rules/ra/p/auction-3/")
    assert page.url.endswith("#auction-3")
    expect(page.locator("#auction-3")).to_be_in_viewport()
    page.get_by_role("navigation", name="Language of the rules").get_by_role("link", name="magyar", exact=True).click()
    page.wait_for_url("**/hu/rules/ra/**#auction-3")
    expect(page.locator("#auction-3")).to_be_in_viewport()
    expect(page.locator("html")).to_have_attribute("lang", "hu")
    control = page.locator("#auction-3").get_by_role("link", name="3. bekezdés: mikor fordul ez elő?")
    control.press("Enter")
    expect(page.locator("#rule-title")).to_have_text("3. bekezdés: mikor fordul ez elő?")
    expect(page.locator("#rule-title")).to_be_focused()
    expect(page.locator("#rule-body").get_by_role("heading").first).to_have_text("Végigjátszott példák")
    page.keyboard.press("Escape")
    expect(control).to_be_focused()


def test_a_paragraph_that_moved_is_found_and_its_address_copied(visitor: Visitor) -> None:
    page = visitor.go("/en/rules/ra/gods/#auction-3")
    page.wait_for_url("**/en/rules/ra/auction/#auction-3")
    expect(page.locator("#auction-3")).to_be_in_viewport()
    said = page.locator("#auction-3 [role=status]")
    expect(said).to_be_empty()
    visitor.press("Copy link")
    expect(said).to_have_text("Link copied")
    expect(page.get_by_role("button", name="Copy link")).to_be_focused()
    page.goto("about:blank")
    page = visitor.go("/en/rules/ra/auction/#%")  # no anchor, and no fault of the script
    expect(page.get_by_role("button", name="Copy link")).to_have_count(0)


def test_an_anchor_that_no_page_has_is_followed_once(visitor: Visitor) -> None:
    page = visitor.page
    shown: list[str] = []
    page.on("framenavigated", lambda frame: shown.append(frame.url))
    page.add_init_script("delete Navigator.prototype.serviceWorker")  # what it fetches for a page passes by our route
    page.route("**/en/rules/ra/p/gone-1/", lambda route: route.fulfill(status=302, headers={"Location": "/en/rules/ra/gods/#gone-1"}))
    visitor.go("/en/rules/ra/auction/#gone-1")
    page.wait_for_url("**/en/rules/ra/gods/#gone-1")
    page.wait_for_load_state("networkidle")
    assert len(shown) == 2, shown


def test_two_languages_stand_side_by_side(visitor: Visitor) -> None:
    page = visitor.go("/en/rules/ra/p/auction-3/")
    page.get_by_role("link", name="alongside magyar").click()
    page.wait_for_url("**with=hu**")
    english = page.locator("#auction-3")
    hungarian = page.locator("#auction-3 + .paragraph--second")
    expect(hungarian).to_have_attribute("lang", "hu")
    left, right = english.bounding_box(), hungarian.bounding_box()
    assert left
    assert right
    assert abs(left["y"] - right["y"]) < 4, "the two texts of a paragraph stand in one line"
    assert right["x"] >= left["x"] + left["width"]
    assert english.inner_text() != hungarian.inner_text()


def test_the_map_of_an_example_shows_its_kingdoms_and_the_names_of_places(visitor: Visitor) -> None:
    page = visitor.go("/en/rules/tigris_euphrates/wars/")
    realms = page.locator("#example-war .te-map--still .te-realm")
    assert realms.count() == 5
    for realm in realms.all():
        expect(realm).to_be_visible()
        expect(realm).to_have_css("visibility", "visible")
    visitor.go("/en/rules/history_of_the_world/conquest/")
    expect(page.locator("#example-ford-or-fleet .hw-name").get_by_text("Anatolia", exact=True)).to_be_visible()


def test_search_finds_a_paragraph_and_leads_to_it(visitor: Visitor) -> None:
    page = visitor.go("/")
    page.locator("#site-search").fill("flood")
    page.locator("#site-search").press("Enter")
    hits = page.locator(".hits__item")
    expect(hits.first).to_be_visible()
    assert "flood" in hits.first.inner_text().lower()
    place = hits.first.locator("a")
    anchor = (place.get_attribute("href") or "").partition("#")[2]
    place.click()
    expect(page.locator(f"#{anchor}")).to_be_in_viewport()
    page.locator("#site-search").fill("zzyzx")
    page.locator("#site-search").press("Enter")
    expect(page.locator(".empty")).to_be_visible()


def test_an_example_is_stepped_through_and_played_from_its_first_position(visitor: Visitor) -> None:
    page = visitor.go("/en/rules/ra/p/gods-1/")
    example = page.locator("figure.example").first
    title = example.get_by_role("heading").inner_text()
    board = example.locator(".example__board")
    before = board.inner_html()
    assert before.count("<use") >= 10
    example.get_by_role("link", name="Next step").click()
    expect(page.locator("figure.example [aria-current=step]").first).to_be_visible()
    assert board.inner_html() != before, "the board shows the position after the step"
    step = example.locator(".example__step").first
    expect(page.locator("#example-said")).to_have_text(step.locator("a").inner_text())
    example.get_by_role("link", name="Step back").click()
    expect(page.locator("figure.example [aria-current=step]")).to_have_count(0)
    assert board.inner_html() == before
    example.get_by_role("button", name="Play from the starting position").click()
    if "/practice/" in page.url:
        expect(page.get_by_role("heading", level=1)).to_have_text(title.partition(": ")[2])
        visitor.press("Play from here")
    page.wait_for_url(TABLE)
    expect(page.locator("#action.is-due")).to_be_visible()
    expect(page.locator("#action .choice").filter(has_text="god").first).to_be_visible()


def test_every_chapter_shows_its_examples_on_a_phone(visitors: Visitors) -> None:
    reader = visitors(size=PHONE, lang="hu")
    page = reader.go("/hu/rules/ra/")
    addresses = [link.get_attribute("href") or "" for link in page.locator(".chapters__title a").all()]
    drawn = 0
    for address in addresses:
        reader.go(address)
        assert not page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth + 1"), address
        drawn += page.locator("figure.example svg.ra-sky").count()
    assert drawn >= 10
    reader.go("/hu/rules/history_of_the_world/map/")
    expect(page.locator("#map-2").get_by_role("group", name="5. bekezdés")).to_have_attribute("tabindex", "0")


def test_no_example_of_a_booklet_is_higher_than_a_page(visitors: Visitors) -> None:
    reader = visitors(size=(469, 691))  # what A5 has within its margins, in pixels
    reader.page.emulate_media(media="print")
    for game in ("tigris_euphrates", "history_of_the_world"):
        page = reader.go(f"/hu/rules/{game}/whole/?paper=a5")
        heights = page.locator(".example--still").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().height)")
        assert len(heights) > 20
        assert max(heights) < 691, game


def test_a_word_typed_into_the_header_lists_hits_and_a_key_opens_the_first(visitor: Visitor) -> None:
    page = visitor.go("/hu/rules/")
    page.keyboard.press("/")
    field = page.locator("#site-search")
    expect(field).to_be_focused()
    page.keyboard.type("a/")
    expect(field).to_have_value("a/")
    field.fill("")
    page.keyboard.type("napkövek")
    options = page.get_by_role("listbox").get_by_role("option")
    expect(options.first).to_be_visible()
    assert 2 <= options.count() <= 7
    page.keyboard.press("ArrowDown")
    expect(options.first).to_have_attribute("aria-selected", "true")
    expect(field).to_have_attribute("aria-activedescendant", options.first.get_attribute("id") or "")
    page.keyboard.press("Escape")
    expect(options.first).to_be_hidden()
    expect(field).to_have_value("napkövek")
    page.keyboard.press("ArrowDown")
    first = options.first.get_attribute("href") or ""
    expect(options.first).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{first}")
    expect(page.locator(f"#{first.partition('#')[2]}")).to_be_in_viewport()


def test_the_key_of_the_header_search_can_be_turned_off_and_never_leaves_a_table(visitors: Visitors) -> None:
    reader = visitors(size=PHONE)
    page = reader.go("/games/ra/learn/")
    page.keyboard.press("/")
    page.wait_for_timeout(300)  # it would leave
    assert page.url.endswith("/games/ra/learn/")
    reader.go("/en/rules/ra/")
    page.keyboard.press("/")
    page.wait_for_url("**/en/rules/search/")
    person = visitors()
    person.sign_up(somewhere("Ninlil"))
    page = person.go("/settings/")
    page.locator("input[name=hotkeys]").uncheck()
    person.press("Save", exact=True)
    person.go("/en/rules/")
    page.keyboard.press("/")
    expect(page.locator("#site-search")).not_to_be_focused()
    expect(page.locator("#site-search")).not_to_have_attribute("aria-keyshortcuts", "/")


def test_from_a_question_in_hungarian_to_a_refused_move_and_its_paragraph(visitors: Visitors) -> None:
    """Search, another language at the same place, steps on a phone, play from there, and the rule that forbids a move."""
    visitor = visitors(lang="hu", size=(390, 844), touch=True)
    player = Player(visitor)
    page = visitor.go("/hu/rules/search/")
    page.locator("main input[name=q]").fill("passzolhatok ha nyolc lapka van a sorban?")
    page.locator("main input[name=q]").press("Enter")
    page.locator(".hits__place[href$='/hu/rules/ra/auction/#auction-5']").tap()
    expect(page.locator("#auction-5")).to_be_in_viewport()
    page.locator("main nav a[hreflang=ru]").first.tap()
    page.wait_for_url("**/ru/rules/ra/auction/#auction-5")
    expect(page.locator("article[lang=ru] #auction-5")).to_be_in_viewport()
    example = page.locator("#example-full-track")
    forward = page.locator("#example-full-track-forward")
    forward.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    forward.tap()
    expect(example.locator(".example__step").first).to_have_attribute("aria-current", "step")
    assert page.evaluate("scrollY") == before, "a step moves the page"
    expect(example.locator(".example__now")).to_be_in_viewport()
    example.locator("form button").tap()
    page.wait_for_url(TABLE)
    assert player.wait_for_turn()
    version = player.look().version
    player.choose("call")
    page.evaluate("document.getElementById('confirm').value = 'draw'")  # a form from a stale page
    with visitor.expecting(422):
        page.locator("#confirm").tap()
        expect(page.locator("#notice")).to_be_visible()
    assert player.look().version == version
    visitor.go(page.locator("#notice a.rule-link").get_attribute("href") or "")
    assert page.url.endswith("#draw-4")
    expect(page.locator("#draw-4")).to_be_in_viewport()


def test_what_was_read_stays_readable_without_a_connection(visitors: Visitors) -> None:
    """Pages are kept as a visitor gets them, a whole book when asked for; nothing of it is kept that its reader removed."""
    reader = visitors(size=PHONE)
    name = somewhere("Enheduanna")
    reader.sign_up(name)
    page = reader.page
    kept = page.locator("main > .kept")
    reader.go("/en/rules/offline/")
    wait_until(lambda: page.evaluate(ARE_KEPT, ["/en/rules/offline/"]))
    expect(page.get_by_role("button", name="Remove all saved pages")).to_be_hidden()
    for address in ("/en/rules/ra/gods/", "/en/rules/ra/auction/"):
        reader.go(address)
        wait_until(lambda: page.evaluate(ARE_KEPT, [page.url, "/en/rules/offline/"]))
    with reader.offline():
        page.reload()
        expect(kept).to_contain_text(f"You're offline. This is the copy from {datetime.now(UTC).day} ", use_inner_text=True)
        assert name not in page.content()
        assert page.evaluate("document.fonts.check('16px \"Zig Serif\"') && getComputedStyle(document.body).fontFamily.includes('Zig')")
        page.locator("nav a[rel=next]").click()
        expect(page.get_by_text("This page isn't saved on this device.")).to_be_visible()
        assert page.locator("#kept-books a:visible").all_inner_texts() == ["The auction", "Gods"]
        page.locator("#kept-books a:visible").last.click()
        expect(page.locator("h1")).to_have_text("Gods")
        reader.go("/en/rules/ra/p/auction-3/")
        assert page.url.endswith("/auction/#auction-3")
    reader.go("/en/rules/ra/auction/")
    expect(kept).to_have_count(0)
    assert name in page.content()
    reader.go("/en/rules/ra/")
    reader.press("Save this book for offline reading")
    expect(page.get_by_text("This book is saved on this device.")).to_be_visible()
    with reader.offline():
        page.locator(".chapters__title a").last.click()
        expect(kept).to_be_visible()
        reader.go("/en/rules/ra/")
        reader.press("Remove this book from this device")
        expect(page.get_by_text("This book was removed from this device.")).to_be_visible()
        page.locator(".chapters__title a").first.click()
        expect(page.get_by_text("No pages in this language are saved on this device.")).to_be_visible()
    reader.go("/hu/rules/")
    wait_until(lambda: page.evaluate(ARE_KEPT, [page.url]))
    reader.go("/en/rules/offline/")
    reader.press("Remove all saved pages")
    expect(page.get_by_text("No pages in this language are saved on this device.")).to_be_focused()
