"""A picture of a position of Ra: the sun's way over the sky, the suns of each player, the auction track, and what everybody has."""

from __future__ import annotations

from typing import Any, Final

from games.core import svg
from games.core.svg import Board, Card, Item, Sheet
from games.ra.scene import scene
from games.ra.view import View

WIDTH: Final = 960
SKY_X, SKY_HIGH, SKY_SCALE = 94, 300, 1.6  # of the box of 480 x 186 in `scene`
BERTH_HIGH: Final = 130
SUN: Final = 52
BID: Final = 70  # of a sun that is bid
TILE: Final = 100
NAME, SMALL_NAME = 20, 14  # of a seat's name at its suns, and at the least
TRACK_HIGH: Final = 156


def picture(view: View, sheet: Sheet) -> str:
    """Return the picture of what a view shows."""
    drawn = scene(view)
    high = SKY_HIGH + BERTH_HIGH + TRACK_HIGH
    markup = (
        f'<rect width="{WIDTH}" height="{SKY_HIGH + BERTH_HIGH}" fill="var(--accent-soft)"/>'
        f'<rect y="{SKY_HIGH + BERTH_HIGH}" width="{WIDTH}" height="{TRACK_HIGH}" fill="var(--surface)"/>'
        f'<rect y="{SKY_HIGH + BERTH_HIGH - 3}" width="{WIDTH}" height="6" fill="var(--accent)"/>'
        + _track(drawn, sheet)
        + f'<g transform="translate({SKY_X} 4) scale({SKY_SCALE})">{_sky(drawn, sheet)}</g>'
        + _berths(drawn, sheet)
    )
    return svg.picture(sheet, Board(markup, 0, 0, WIDTH, high), [_card(view, player, sheet) for player in drawn["players"]])


def _sky(drawn: dict[str, Any], sheet: Sheet) -> str:
    out = [f'<path class="ra-sky__arc" fill="none" d="{drawn["arc"]}"/>']
    for space in drawn["ra_spaces"]:
        if space["state"] == "ra":
            out.append(svg.piece("ra-ra", space["x"], space["y"], 38))
            continue
        shut = " ra-sky__space--shut" if space["state"] == "shut" else ""
        out.append(f'<rect class="ra-sky__space{shut}" x="{space["x"]}" y="{space["y"]}" width="38" height="38" rx="4"/>')
        if space["is_last"]:
            out.append(f'<rect class="ra-sky__space" x="{space["inner_x"]}" y="{space["inner_y"]}" width="28" height="28" rx="3"/>')
    out.append(svg.piece("ra-sun", 192, 74, 96))
    out.append(svg.words(240, 133, str(drawn["centre_sun"]), 32, fill="var(--art-ink)", anchor="middle", is_bold=True))
    for x, label, value in (
        (133, sheet.noun(drawn["epoch_noun"]), f"{drawn['epoch']} / {drawn['epoch_count']}"),
        (347, sheet.noun("ra_track"), f"{drawn['ra_count']} / {drawn['ra_length']}"),
    ):
        out.append(svg.words(x, 112, svg.capital(label), 14, fill="var(--ink-2)", anchor="middle"))
        out.append(svg.words(x, 136, value, 22, anchor="middle", is_bold=True, is_serif=True))
    return "".join(out)


def _berths(drawn: dict[str, Any], sheet: Sheet) -> str:
    """Return the place of each seat above the track, its bid risen over the line."""
    berths = drawn["berths"]
    wide = WIDTH / len(berths)
    top = SKY_HIGH
    out = [f'<path d="M0 {top}H{WIDTH}" stroke="var(--accent)" stroke-width="2" opacity=".45"/>']
    for at, berth in enumerate(berths):
        x = at * wide
        if at:
            out.append(
                f'<path d="M{svg.number(x)} {top}v{BERTH_HIGH - 4}" stroke="var(--accent)" stroke-width="2" '
                f'stroke-dasharray="6 6" opacity=".45"/>'
            )
        if berth["is_due"]:
            out.append(
                f'<rect x="{svg.number(x + 2)}" y="{top + 2}" width="{svg.number(wide - 4)}" height="{BERTH_HIGH - 8}" '
                f'fill="var(--act-soft)" stroke="var(--act)" stroke-width="3"/>'
            )
        out.append(_berth(berth, sheet, x, wide))
    return "".join(out)


def _berth(berth: dict[str, Any], sheet: Sheet, x: float, wide: float) -> str:
    seat, suns = berth["number"] - 1, berth["suns"]
    step = min(SUN + 6.0, (wide - 12) / max(1, len(suns)))
    size = step - 5
    first = x + wide / 2 - step * len(suns) / 2 + step / 2
    out = [_sun(sun, seat, first + step * at, SKY_HIGH + 34, size, is_pale=berth["is_pale"]) for at, sun in enumerate(suns)]
    y = SKY_HIGH + 86
    lines, size = svg.fitted(sheet.names[seat], NAME, wide - (84 if berth["has_figure"] else 48), SMALL_NAME)
    long = max(svg.width_of(line, size) for line in lines) + 30 + (32 if berth["has_figure"] else 0)
    start = x + wide / 2 - long / 2
    out.append(svg.seat_mark(seat, start + 12, y - 6, 24))
    base = y - 7 + size * 0.35 - (len(lines) - 1) * size * 0.55
    out += [svg.words(start + 30, base + at * size * 1.1, line, size, is_bold=True) for at, line in enumerate(lines)]
    if berth["has_figure"]:
        out.append(svg.piece("ra-figure", start + long - 28, y - 22, 30))
    said = ", ".join(sheet.say(note) for note in berth["said"])
    out.append(svg.words(x + wide / 2, y + 29, svg.cut(said, 18, wide - 10), 18, fill="var(--ink-2)", anchor="middle"))
    return "".join(out)


def _sun(sun: dict[str, Any], seat: int, x: float, y: float, size: float, *, is_pale: bool) -> str:
    if sun["is_bid"]:
        size, y = BID, y - 12
    symbol = "ra-sun-down" if sun["is_down"] else "ra-sun"
    faded = ' opacity=".55"' if is_pale and not sun["is_down"] else ""
    ring = (
        f'<circle cx="{svg.number(x)}" cy="{svg.number(y)}" r="{svg.number(size / 2 + 4)}" fill="var(--surface)" '
        f'stroke="var(--seat-{seat + 1})" stroke-width="4"/>'
        if sun["is_bid"]
        else ""
    )
    high = size * 0.36
    text = str(sun["value"])
    drawn = ring + svg.piece(symbol, x - size / 2, y - size / 2, size, more=faded)
    if sun["is_down"]:
        edge = ' stroke="var(--surface)" stroke-width="7" stroke-linejoin="round"'
        drawn += svg.words(x, y + high / 3, text, high, fill="none", anchor="middle", is_bold=True, more=edge)
    return drawn + svg.words(
        x, y + high / 3, text, high, fill="var(--ink)" if sun["is_down"] else "var(--art-ink)", anchor="middle", is_bold=True
    )


def _track(drawn: dict[str, Any], sheet: Sheet) -> str:
    out = []
    wide = WIDTH / len(drawn["track"])
    top = SKY_HIGH + BERTH_HIGH + 16
    for at, slot in enumerate(drawn["track"]):
        x = wide * at + (wide - TILE) / 2
        if slot["kind"]:
            out.append(svg.piece(slot["symbol"], x, top, TILE))
            name = sheet.noun(slot["kind"])
            size = min(18.0, 18 * (wide - 4) / svg.width_of(name, 18))
            out.append(svg.words(x + TILE / 2, top + TILE + 24, name, size, fill="var(--ink-2)", anchor="middle"))
        else:
            out.append(
                f'<rect x="{svg.number(x + 2)}" y="{top + 2}" width="{TILE - 4}" height="{TILE - 4}" rx="10" fill="none" '
                f'stroke="var(--line-strong)" stroke-width="2" stroke-dasharray="7 6"/>'
            )
    return "".join(out)


def _card(view: View, player: dict[str, Any], sheet: Sheet) -> Card:
    seat = player["number"] - 1
    fame = view.fame[seat]
    score = view.outcome.scores[seat] if view.outcome is not None else fame
    held = [
        Item(str(item["count"]), item["symbol"], sheet.count(item["kind"], item["count"]), is_faded=not item["count"])
        for item in (*player["steady"], *player["more"])
    ]
    more = "" if score is None else str(score)
    return Card(seat, [held], more, is_due=player["is_due"], is_out=player["is_out"])
