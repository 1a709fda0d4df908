"""Positions as JSON: written compactly, read with every fault named, completed if partial (ra#setup, ra#components-2).

Fields of a state (a position file may leave out all but what it is about):
    rules_version  1
    seats          2..5
    options        {"open_fame": false}
    phase          deal | turn | drawing | auction | discard | scoring | end
    epoch          1..3
    due            the seat on turn, drawing, bidding or discarding; null in the other phases
    auction        {"no": auctions started, "ra_player": seat or null, "cause": voluntary | full | ra_tile,
                    "bids": per seat null (not yet), 0 (passed) or the sun; [] until somebody has bid or passed}
    discard        [civilization tiles, monuments] that `due` must still discard
    track          auction spaces from the left; null is a gap
    ra_track       Ra tiles on their track
    bag            {kind: count}, the tiles still to be drawn; tiles that are nowhere else are in the box
    centre         the sun in the centre
    suns           per seat [[face up], [face down]]
    tiles          per seat {kind: count}
    fame           per seat
    ending         how the last finished epoch ended: suns | ra_track | null
    history        scored epochs, consecutive up to the last one: [epoch, [fame before, per seat], tiles];
                   the seats' tiles are separated by "/": one base-36 digit for each kind that can be in front of
                   a player, in the order of the components, without trailing zeros
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games.core import jsonio
from games.core.contract import NO_SEAT, Rng
from games.core.phrases import N_
from games.core.rng import shuffled
from games.ra.components import (
    AUCTION_SPACES,
    CENTRE_SUN,
    COUNTS,
    EPOCH_COUNT,
    HELD_KINDS,
    KIND_OF,
    KINDS,
    N_KINDS,
    RA,
    RA_TRACK,
    SEATS,
    START_FAME,
    SUN_SETS,
)
from games.ra.legality import discard_due, is_track_full
from games.ra.meta import RULES_VERSION
from games.ra.state import (
    AUCTION,
    CAUSES,
    DEAL,
    DISCARD,
    DRAWING,
    END,
    ENDINGS,
    FULL,
    NO_BID,
    NO_ENDING,
    NO_TILE,
    PHASES,
    RA_TILE,
    SCORING,
    SUNS_IN,
    TURN,
    Scored,
    State,
    first_state,
    mask_of,
)

FIELDS: Final = (
    "rules_version", "seats", "options", "phase", "epoch", "due", "auction", "discard", "track", "ra_track", "bag",
    "centre", "suns", "tiles", "fame", "ending", "history",
)  # fmt: skip
FAME_MAX: Final = 999  # in a position file; a game that continues from it is read up to ENDLESS
AUCTION_MAX: Final = 9999
ENDLESS: Final = 10**9
DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
WITH_SEAT: Final = (TURN, DRAWING, AUCTION, DISCARD)


def state_to_json(state: State) -> dict[str, Any]:
    """Return the position as plain JSON values."""
    due = [state.lose_civilization, state.lose_monuments]
    return {
        "rules_version": RULES_VERSION,
        "seats": state.seats,
        "options": {"open_fame": state.open_fame},
        "phase": PHASES[state.phase],
        "epoch": state.epoch,
        "due": _seat(state.due),
        "auction": {
            "no": state.auction_no,
            "ra_player": _seat(state.ra_player),
            "cause": CAUSES[state.cause],
            "bids": [None if bid == NO_BID else bid for bid in state.bids] if max(state.bids) != NO_BID else [],
        },
        "discard": due,
        "track": [None if kind == NO_TILE else KINDS[kind] for kind in state.track],
        "ra_track": state.ra_count,
        "bag": _counts_of_bag(state.bag),
        "centre": state.centre,
        "suns": [[list(SUNS_IN[up]), list(SUNS_IN[down])] for up, down in zip(state.suns_up, state.suns_down, strict=True)],
        "tiles": [
            {KINDS[kind]: count for kind, count in enumerate(state.tiles[base : base + N_KINDS]) if count}
            for base in range(0, len(state.tiles), N_KINDS)
        ],
        "fame": state.fame[:],
        "ending": None if state.ending == NO_ENDING else ENDINGS[state.ending],
        "history": [
            [scored.epoch, list(scored.fame_before), "/".join([_row(tiles) for tiles in scored.tiles])] for scored in state.history
        ],
    }


def _seat(seat: int) -> int | None:
    return None if seat == NO_SEAT else seat


def _row(tiles: bytes) -> str:
    return "".join([DIGITS[tiles[kind]] for kind in HELD_KINDS]).rstrip("0")


def _counts_of_bag(bag: bytearray) -> dict[str, int]:
    return {name: count for kind, name in enumerate(KINDS) if (count := bag.count(kind))}


def state_from_json(data: Mapping[str, Any]) -> State:
    """Return the state of a full position. Raises PositionError, one line that names the field."""
    jsonio.fields(data, "", FIELDS, FIELDS)
    return _read(data)


def complete(partial: Mapping[str, Any], rng: Rng) -> State:
    """Return a full state from a partial one. Raises PositionError for an impossible position.

    Defaults: four seats; a turn in the first epoch; no tiles anywhere; 10 fame each; sun sets dealt by `rng`, or, for the
    centre, the one sun missing from `suns`; the owner of the highest sun is on turn; all other tiles are in the bag.
    """
    data = dict(jsonio.fields(partial, "", FIELDS))
    seats = jsonio.integer(data.setdefault("seats", 4), "seats", SEATS[0], SEATS[-1])
    data.setdefault("rules_version", RULES_VERSION)
    options = data.get("options", {})
    data["options"] = {"open_fame": False, **options} if isinstance(options, Mapping) else options
    data.setdefault("phase", "turn")
    data.setdefault("epoch", 1)
    data.setdefault("track", [])
    data.setdefault("ra_track", 0)
    data.setdefault("tiles", [{}] * seats)
    data.setdefault("fame", [START_FAME] * seats)
    data.setdefault("discard", [0, 0])
    data.setdefault("history", [])
    is_first = data["epoch"] == 1 and data["phase"] not in ("scoring", "end")
    data.setdefault("ending", None if is_first else "ra_track")
    _complete_suns(data, seats, rng)
    auction = data.setdefault("auction", {})
    if isinstance(auction, Mapping):
        number = int(data["phase"] == "auction")
        data["auction"] = {"no": number, "ra_player": None, "cause": "voluntary", "bids": [], **auction}
    if "due" not in data:
        due = None
        if data["phase"] in ("turn", "drawing"):
            suns = [mask_of(up) for up in _suns(data, seats)[0]]
            due = suns.index(max(suns))
        data["due"] = due
    if "bag" not in data:
        data["bag"] = {}
        data["bag"] = _rest(_read(data, is_checked=False))
    state = _read(data)
    jsonio.integer(max(state.fame), "fame", 0, FAME_MAX)
    jsonio.integer(state.auction_no, "auction.no", 0, AUCTION_MAX)
    return state


def _complete_suns(data: dict[str, Any], seats: int, rng: Rng) -> None:
    sets = SUN_SETS[seats]
    if "suns" not in data:
        if data["phase"] == "deal":
            data["suns"] = [[[], []]] * seats
        else:
            data["suns"] = [[list(sets[at]), []] for at in shuffled(seats, rng, "setup")]
        data.setdefault("centre", CENTRE_SUN)
    elif "centre" not in data:
        up, down = _suns(data, seats)
        left = {CENTRE_SUN, *(sun for group in sets for sun in group)}.difference(*up, *down)
        if len(left) != 1:
            jsonio.fail("centre", N_("is missing, and the suns of the seats do not leave exactly one for it"))
        data["centre"] = left.pop()


def _suns(data: Mapping[str, Any], seats: int) -> tuple[list[list[int]], list[list[int]]]:
    ups: list[list[int]] = []
    downs: list[list[int]] = []
    values = {CENTRE_SUN, *(sun for group in SUN_SETS[seats] for sun in group)}
    for seat, pair in enumerate(jsonio.items(data["suns"], "suns", seats)):
        jsonio.items(pair, f"suns[{seat}]", 2)
        for side, into in enumerate((ups, downs)):
            where = f"suns[{seat}][{side}]"
            suns = [jsonio.integer(sun, where, 1, 16) for sun in jsonio.items(pair[side], where)]
            for sun in suns:
                if sun not in values:
                    jsonio.fail(where, N_("sun {sun} is not in use with {n} players"), sun=sun, n=seats)
            into.append(suns)
    return ups, downs


def _rest(state: State) -> dict[str, int]:
    rest = list(COUNTS)
    _take_seen(state, rest)
    for kind, count in enumerate(rest):
        if count < 0:
            jsonio.fail("tiles", jsonio.MORE_THAN_THERE_ARE, kind=KINDS[kind], n=COUNTS[kind])
    return {KINDS[kind]: count for kind, count in enumerate(rest) if count}


def _take_seen(state: State, rest: list[int]) -> None:
    rest[RA] -= state.ra_count
    for kind in state.track:
        if kind != NO_TILE:
            rest[kind] -= 1
    for at, count in enumerate(state.tiles):
        rest[at % N_KINDS] -= count


def _read(data: Mapping[str, Any], *, is_checked: bool = True) -> State:
    if data["rules_version"] != RULES_VERSION or type(data["rules_version"]) is not int:
        jsonio.fail(
            "rules_version", N_("expected {wanted}, found {found}"), wanted=RULES_VERSION, found=jsonio.shown(data["rules_version"])
        )
    seats = jsonio.integer(data["seats"], "seats", SEATS[0], SEATS[-1])
    options = jsonio.fields(data["options"], "options", ("open_fame",), ("open_fame",))
    state = first_state(seats, jsonio.boolean(options["open_fame"], "options.open_fame"))
    state.phase = jsonio.one_of(data["phase"], "phase", PHASES)
    state.epoch = jsonio.integer(data["epoch"], "epoch", 1, EPOCH_COUNT)
    state.due = _read_seat(data["due"], "due", seats)
    _read_auction(data, state)
    _read_tiles(data, state)
    discard = jsonio.items(data["discard"], "discard", 2)
    state.lose_civilization = jsonio.integer(discard[0], "discard[0]", 0, 8)
    state.lose_monuments = jsonio.integer(discard[1], "discard[1]", 0, 4)
    up, down = _suns(data, seats)
    state.suns_up = [mask_of(suns) for suns in up]
    state.suns_down = [mask_of(suns) for suns in down]
    state.centre = jsonio.integer(data["centre"], "centre", 1, 16)
    fame = jsonio.items(data["fame"], "fame", seats)
    state.fame = [jsonio.integer(value, f"fame[{seat}]", 0, ENDLESS) for seat, value in enumerate(fame)]
    state.ending = NO_ENDING if data["ending"] is None else jsonio.one_of(data["ending"], "ending", ENDINGS)
    _read_history(data, state)
    if is_checked:
        _check_tiles(state)
        _check_suns(state, up, down)
        _check_phase(state)
    return state


def _read_seat(value: Any, where: str, seats: int) -> int:
    return NO_SEAT if value is None else jsonio.integer(value, where, 0, seats - 1)


def _read_auction(data: Mapping[str, Any], state: State) -> None:
    names = ("no", "ra_player", "cause", "bids")
    auction = jsonio.fields(data["auction"], "auction", names, names)
    state.auction_no = jsonio.integer(auction["no"], "auction.no", 0, ENDLESS)
    state.ra_player = _read_seat(auction["ra_player"], "auction.ra_player", state.seats)
    state.cause = jsonio.one_of(auction["cause"], "auction.cause", CAUSES)
    bids = jsonio.items(auction["bids"], "auction.bids", state.seats if auction["bids"] != [] else 0)
    state.bids = [NO_BID if bid is None else jsonio.integer(bid, f"auction.bids[{seat}]", 0, 16) for seat, bid in enumerate(bids)] or [
        NO_BID
    ] * state.seats
    best = max(state.bids)
    if best > 0:
        state.best_bid = best
        state.best_seat = state.bids.index(best)


def _read_tiles(data: Mapping[str, Any], state: State) -> None:
    track = jsonio.items(data["track"], "track")
    if len(track) > AUCTION_SPACES:
        jsonio.fail("track", N_("has more than {n} spaces"), n=AUCTION_SPACES)
    for at, kind in enumerate(track):
        if kind is not None and (not isinstance(kind, str) or kind not in KIND_OF or kind == "ra"):
            jsonio.fail(f"track[{at}]", N_("{found} is no tile of the auction track"), found=jsonio.shown(kind))
    if track and track[-1] is None:
        jsonio.fail("track", N_("ends with a gap"))
    state.track = bytearray([NO_TILE if kind is None else KIND_OF[kind] for kind in track])
    state.gaps = list(track).count(None)
    state.ra_count = jsonio.integer(data["ra_track"], "ra_track", 0, RA_TRACK[state.seats])
    for seat, counts in enumerate(jsonio.items(data["tiles"], "tiles", state.seats)):
        for kind, count in _counts(counts, f"tiles[{seat}]", HELD_KINDS).items():
            state.tiles[seat * N_KINDS + kind] = count
    bag = _counts(data["bag"], "bag", tuple(range(N_KINDS)))
    state.bag = bytearray([kind for kind in range(N_KINDS) for _ in range(bag.get(kind, 0))])


def _counts(value: Any, where: str, kinds: tuple[int, ...]) -> dict[int, int]:
    counts = jsonio.fields(value, where, [KINDS[kind] for kind in kinds])
    return {KIND_OF[name]: jsonio.integer(count, f"{where}.{name}", 0, COUNTS[KIND_OF[name]]) for name, count in counts.items()}


def _read_history(data: Mapping[str, Any], state: State) -> None:
    history = jsonio.items(data["history"], "history")
    finished = state.epoch if state.phase == END else state.epoch - 1
    if len(history) > finished:
        jsonio.fail("history", N_("has {n} epochs, but {finished} are finished"), n=len(history), finished=finished)
    scored: list[Scored] = []
    for at, entry in enumerate(history):
        where = f"history[{at}]"
        epoch, fame, tiles = jsonio.items(entry, where, 3)
        jsonio.integer(epoch, f"{where}[0]", finished - len(history) + at + 1, finished - len(history) + at + 1)
        before = [jsonio.integer(value, f"{where}[1]", 0, ENDLESS) for value in jsonio.items(fame, f"{where}[1]", state.seats)]
        digits = tiles.split("/") if isinstance(tiles, str) else []
        if len(digits) != state.seats:
            jsonio.fail(f"{where}[2]", N_("expected the tiles of {n} seats, found {found}"), n=state.seats, found=jsonio.shown(tiles))
        rows = [_digits(row, f"{where}[2]") for row in digits]
        for kind, count in enumerate(COUNTS):
            if sum(row[kind] for row in rows) > count:
                jsonio.fail(f"{where}[2]", jsonio.MORE_THAN_THERE_ARE, kind=KINDS[kind], n=count)
        scored.append(Scored(epoch, tuple(before), tuple(rows)))
    state.history = tuple(scored)


def _digits(value: str, where: str) -> bytes:
    if len(value) > len(HELD_KINDS) or any(digit not in DIGITS for digit in value):
        jsonio.fail(where, N_("expected up to {n} base-36 digits, found {found}"), n=len(HELD_KINDS), found=jsonio.shown(value))
    if value.endswith("0"):
        jsonio.fail(where, N_("zeros at the end are left out"))
    row = bytearray(N_KINDS)
    for kind, digit in zip(HELD_KINDS, value, strict=False):
        row[kind] = DIGITS.index(digit)
    return bytes(row)


def _check_tiles(state: State) -> None:
    rest = list(COUNTS)
    _take_seen(state, rest)
    for kind, count in enumerate(rest):
        if state.bag.count(kind) > count:
            jsonio.fail("bag", jsonio.MORE_THAN_THERE_ARE, kind=KINDS[kind], n=COUNTS[kind])


def _check_suns(state: State, up: list[list[int]], down: list[list[int]]) -> None:
    sets = SUN_SETS[state.seats]
    owned = 0 if state.phase == DEAL else len(sets[0])
    for seat in range(state.seats):
        if len(up[seat]) + len(down[seat]) != owned:
            jsonio.fail(f"suns[{seat}]", N_("expected {n} suns"), n=owned)
    values = {CENTRE_SUN} if state.phase == DEAL else {CENTRE_SUN, *(sun for group in sets for sun in group)}
    found = sorted([state.centre, *(sun for group in up + down for sun in group)])
    if found != sorted(values):
        jsonio.fail("suns", N_("each sun must be there exactly once, before a seat or in the centre"))


def _check_phase(state: State) -> None:
    phase = state.phase
    if (state.due != NO_SEAT) != (phase in WITH_SEAT):
        jsonio.fail("due", N_("names a seat in the phases turn, drawing, auction and discard, else null"))
    if (state.ending == NO_ENDING) != (state.epoch == 1 and phase not in (SCORING, END)):
        jsonio.fail("ending", N_("is null until the first epoch has ended, then suns or ra_track"))
    if phase == END and state.epoch != EPOCH_COUNT:
        jsonio.fail("epoch", N_("a game ends with the third epoch"))
    if phase in (DEAL, SCORING, END) and (state.track or state.ra_count):
        jsonio.fail("track", N_("both tracks are empty in this phase"))
    if phase == DEAL and (state.epoch != 1 or any(state.tiles) or state.auction_no):
        jsonio.fail("phase", N_("suns are dealt before anything else"))
    if state.ra_count == state.ra_length:
        jsonio.fail("ra_track", N_("a full Ra track has ended the epoch"))
    if phase in (TURN, DRAWING) and not state.suns_up[state.due]:
        jsonio.fail("due", N_("has no face-up sun"))
    if phase == DRAWING and (not state.bag or is_track_full(state)):
        jsonio.fail("phase", N_("nothing can be drawn"))
    if phase in (DEAL, TURN, DRAWING, SCORING, END) and any(bid != NO_BID for bid in state.bids):
        jsonio.fail("auction.bids", N_("there is no auction"))
    is_discard = phase == DISCARD
    if bool(state.lose_civilization or state.lose_monuments) != is_discard:
        jsonio.fail("discard", N_("tiles are due in the phase discard only"))
    if phase == AUCTION:
        _check_auction(state)
    elif is_discard:
        _check_discard(state)


def _check_auction(state: State) -> None:
    caller = state.ra_player
    if caller == NO_SEAT or not state.suns_up[caller]:
        jsonio.fail("auction.ra_player", N_("must have a face-up sun"))
    if not state.suns_up[state.due]:
        jsonio.fail("due", N_("has no face-up sun"))
    if state.auction_no < 1:
        jsonio.fail("auction.no", N_("must be 1 or more in an auction"))
    if (state.cause == FULL) != is_track_full(state):
        jsonio.fail("auction.cause", N_("is 'full' exactly when eight tiles are on the track"))
    if state.cause == RA_TILE and not state.ra_count:
        jsonio.fail("auction.cause", N_("'ra_tile' needs a Ra tile on the Ra track"))
    order = [(caller + 1 + at) % state.seats for at in range(state.seats)]
    has_spoken = order[: order.index(state.due)]
    best = 0
    for seat in order:
        bid, where = state.bids[seat], f"auction.bids[{seat}]"
        if seat not in has_spoken or not state.suns_up[seat]:
            if bid != NO_BID:
                jsonio.fail(where, N_("has not spoken yet, or takes no part"))
        elif bid == NO_BID:
            jsonio.fail(where, N_("is missing: the seat has spoken before the one that is due"))
        elif bid:
            if not state.suns_up[seat] >> bid & 1 or bid <= best:
                jsonio.fail(where, N_("is no face-up sun of the seat that beats the bids before"))
            best = bid


def _check_discard(state: State) -> None:
    if state.best_bid:
        if state.track:
            jsonio.fail("track", N_("the winner has taken it"))
        if state.best_seat != state.due or state.ra_player == NO_SEAT or state.centre != state.best_bid:
            jsonio.fail("due", N_("only the winner of the auction discards tiles"))
    elif not state.suns_up[state.due]:
        jsonio.fail("due", N_("has no face-up sun"))
    for due, name in ((state.lose_civilization, "discard[0]"), (state.lose_monuments, "discard[1]")):
        if due % 2:
            jsonio.fail(name, N_("each disaster costs two tiles"))
    base = state.due * N_KINDS
    probe = state.copy()
    for name, due in (("discard[0]", state.lose_civilization), ("discard[1]", state.lose_monuments)):
        if due:
            first, end, _ = discard_due(probe)
            if sum(state.tiles[base + first : base + end]) <= due:
                jsonio.fail(name, N_("there is no choice: that would have been taken at once"))
        probe.lose_civilization = 0
