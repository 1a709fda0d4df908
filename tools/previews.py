"""The pictures that other sites show beside a link to a rule page: `python -m tools.previews http://127.0.0.1:8000` (`make previews`).

Draws the large picture of each game, and the site's mark, at a running portal in a real browser and writes `static/art/previews/<game>.png`.
Run it again when such a picture has changed.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright

from tools.pages import CHROMIUM

FOLDER: Final = Path(__file__).resolve().parent.parent / "static" / "art" / "previews"
WIDTH, HEIGHT = 1200, 630
SITE: Final = "site"
MARK: Final = ".site-name__mark"
ALONE: Final = """([drawing, share]) => {
  const sheet = document.createElement('div');
  const side = Math.round(630 * share);
  sheet.style.cssText = 'position:fixed;inset:0;z-index:99;display:grid;place-items:center;background:var(--accent-soft)';
  if (drawing.closest('[data-game]')) sheet.dataset.game = drawing.closest('[data-game]').dataset.game;
  const copy = drawing.cloneNode(true);
  copy.style.cssText = share < 1 ? `width:${side}px;height:${side}px` : 'width:1200px;height:630px;border-radius:0';
  sheet.append(copy);
  document.body.append(sheet);
  return sheet;
}"""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.previews", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("site", nargs="?", default="http://127.0.0.1:8000", help="address of a running portal")
    site = parser.parse_args(arguments).site.rstrip("/")
    chromium = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if chromium is None:
        print(f"none of {', '.join(CHROMIUM)} is on the PATH", file=sys.stderr)
        return 1
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_context(
            viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light", extra_http_headers={"Accept-Language": "en"}, bypass_csp=True
        ).new_page()
        page.goto(f"{site}/en/rules/", wait_until="networkidle")
        games = page.eval_on_selector_all(".shelf__book", "all => all.map((one) => one.dataset.game)")
        for name, drawing, share in (
            *((game, f".shelf__book[data-game={game}] .plate__art", 1) for game in games),
            (SITE, MARK, 0.6),
        ):
            sheet = page.evaluate_handle(ALONE, [page.query_selector(drawing), share])
            page.screenshot(path=FOLDER / f"{name}.png")
            sheet.evaluate("(sheet) => sheet.remove()")
            print(f"{name}.png: {(FOLDER / f'{name}.png').stat().st_size:,} bytes")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
