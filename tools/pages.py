"""How soon a table answers its player: `python -m tools.pages http://127.0.0.1:8000` (`make bench-pages`).

A guest plays each game against bots in a real browser at a running portal, and the page's own clock measures:
  choose    a click on a choice, or a step back, until the picture is ready to be painted (script, style and layout)
  confirm   a click that plays a move, until the region of the table is drawn as it is after it
  bytes     what came over the wire for the answer to a move of the guest
Then the same once more, with a delay added to each answer. Moves are random; the two seconds in which some can be stopped are left out.
"""

from __future__ import annotations

import argparse
import random
import secrets
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

from playwright.sync_api import Page, Response, sync_playwright
from playwright.sync_api import TimeoutError as TooLong

from games.registry import GAMES
from games.registry import game as game_of

CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
READY = "#table.table-over, #table:not(.htmx-settling) #action.is-due[data-h]"
CHOICES = 3  # looked at before each move
STEPS = 8  # of one question
MOST_FRUITLESS = 5  # tries in a row that played no move
PATIENCE_MS = 60_000
CLICK = """async ([id, isMove]) => {
  const version = document.getElementById('table').dataset.version;
  const drawn = new Promise((done) => document.addEventListener('htmx:afterSettle', done, { once: true }));
  const start = performance.now();
  const before = location.search;
  document.getElementById(id).click();
  if (isMove || location.search === before) await Promise.race([drawn, new Promise((done) => setTimeout(done, 20000))]);
  document.body.getBoundingClientRect();
  return [performance.now() - start, document.getElementById('table').dataset.version !== version];
}"""
OFFERED = """() => ({
  confirm: Boolean(document.getElementById('confirm')),
  moves: [...document.querySelectorAll('#action button.choice[name=action], #basket-confirm, #go-on')].map((it) => it.id),
  choices: [...document.querySelectorAll('#action a.choice:not([aria-current])')].map((it) => it.id),
})"""

FILL = "document.querySelector('#basket [data-by=\"1\"]')?.click()"  # one of the first good, where goods are asked for


@dataclass
class Figures:
    """What was measured at the tables of one game, in milliseconds and bytes."""

    choose: list[float] = field(default_factory=list)
    confirm: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)


def share(values: Sequence[float], part: float) -> float:
    """Return the value that this part of all values doesn't exceed; 0 for none.

    >>> share([3, 1, 2, 4], 0.5)
    3
    """
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else 0


def open_table(page: Page, game: str) -> None:
    """Open a table against bots with the form."""
    page.goto(f"/tables/new/?game={game}")
    seats = min(3, max(game_of(game).meta.seats))
    page.locator(f"input[name=seats][value='{seats}']").check(force=True)
    for seat in range(1, seats):
        page.locator(f"select[name=seat-{seat}]").select_option("apprentice")
    page.locator("aside button[name=fill]").click()
    page.wait_for_url("**/tables/*/")


def play_move(page: Page, figures: Figures, rng: random.Random) -> bool:
    """Look at some choices and play a move; return False when the game is over."""
    page.wait_for_selector(READY, timeout=PATIENCE_MS)
    if page.locator("#table.table-over").count():
        return False
    page.evaluate("document.getElementById('live').dataset.recall = 0")
    page.wait_for_load_state("networkidle")
    for _ in range(CHOICES):
        choices = page.evaluate(OFFERED)["choices"]
        if not choices:
            break
        figures.choose.append(page.evaluate(CLICK, [rng.choice(choices), False])[0])
        if page.locator("#undo").count():
            figures.choose.append(page.evaluate(CLICK, ["undo", False])[0])
    for _ in range(STEPS):
        offered = page.evaluate(OFFERED)
        moves = ["confirm"] if offered["confirm"] else offered["moves"]
        if moves and (offered["confirm"] or not offered["choices"] or rng.random() < 0.7):
            page.evaluate(FILL)
            took, has_played = page.evaluate(CLICK, [rng.choice(moves), True])
            if has_played:
                figures.confirm.append(took)
                return True
        elif offered["choices"]:
            figures.choose.append(page.evaluate(CLICK, [rng.choice(offered["choices"]), False])[0])
    page.goto(page.url.partition("?")[0])  # a question with too many parts: from its start
    return True


def measured(page: Page, game: str, moves: int, rng: random.Random) -> Figures:
    figures = Figures()
    answers: list[Response] = []

    def note(response: Response) -> None:
        if response.url.endswith("/act/") and response.status == 200:
            answers.append(response)

    fruitless = 0
    open_table(page, game)
    page.on("response", note)
    while len(figures.confirm) < moves:
        try:
            before = len(figures.confirm)
            if not play_move(page, figures, rng):
                open_table(page, game)
            fruitless = fruitless + 1 if len(figures.confirm) == before else 0
            if fruitless == MOST_FRUITLESS:
                print(f"{game}: no way was found to play a move at {page.url}", file=sys.stderr)
                break
        except TooLong:
            print(f"{game}: the bots took too long", file=sys.stderr)
            break
    page.remove_listener("response", note)
    figures.sizes = [answer.request.sizes()["responseBodySize"] for answer in answers]
    return figures


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="tools.pages", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", nargs="?", default="http://127.0.0.1:8000", help="the running portal (%(default)s)")
    parser.add_argument("--games", nargs="+", choices=list(GAMES), default=list(GAMES), metavar="GAME", help="only these games")
    parser.add_argument("--moves", type=int, default=40, help="own moves in each game (%(default)s)")
    parser.add_argument(
        "--delay", type=int, default=80, help="milliseconds that are added to each answer the second time; 0: no second time"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the random moves (%(default)s)")
    parser.add_argument("--address", action="store_true", help="send an X-Forwarded-For of its own (a portal with PROXY_COUNT=1)")
    wanted = parser.parse_args(arguments)
    chromium = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if chromium is None:
        print(f"None of {', '.join(CHROMIUM)} is on the PATH.", file=sys.stderr)
        return 2
    print(f"{'game':22}{'delay':>6}  {'choose p50':>10} {'p95':>6}  {'confirm p50':>11} {'p95':>6}  {'bytes':>6}  choices  moves")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for delay in dict.fromkeys((0, wanted.delay)):
            for game in wanted.games:
                headers = {"X-Forwarded-For": f"10.{secrets.randbelow(250)}.{secrets.randbelow(250)}.9"} if wanted.address else {}
                context = browser.new_context(base_url=wanted.site, reduced_motion="reduce", extra_http_headers=headers)
                page = context.new_page()
                if delay:
                    limits = {"offline": False, "latency": delay, "downloadThroughput": -1, "uploadThroughput": -1}
                    context.new_cdp_session(page).send("Network.emulateNetworkConditions", limits)
                found = measured(page, game, wanted.moves, random.Random(wanted.seed))
                context.close()
                print(
                    f"{game:22}{delay:6}  {share(found.choose, 0.5):10.1f} {share(found.choose, 0.95):6.1f}  "
                    f"{share(found.confirm, 0.5):11.1f} {share(found.confirm, 0.95):6.1f}  {share(found.sizes, 0.5):6.0f}"
                    f"  {len(found.choose):7} {len(found.confirm):6}",
                    flush=True,
                )
        browser.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
