"""Everything that changes a table. One road for an action: page, API and bots all come through `submit_action`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Least
from django.utils import timezone

from games.core import sealed
from games.core.contract import ActionFormatError, Game, IllegalAction, PositionError
from games.core.records import options_of, result_of, start_of_position
from games.registry import game
from portal.accounts.models import User
from portal.clubs.models import Club, DuplicateSet
from portal.clubs.permissions import Verb, require
from portal.tables import errors
from portal.tables.access import circle_of, hold_club, hold_membership, load_for
from portal.tables.loading import Loaded, event_to_json, kind_due, load
from portal.tables.models import ActionRecord, Seat, Table
from portal.tables.play import Turn, mark_decided, undo_event, views_before
from portal.tables.reveal import number
from portal.tables.seating import MAX_WORD_CHARS, check_level, checked_word, is_free, is_full, name_bots
from portal.tables.wake import wake

MAX_ACTION_CHARS = 400  # half of the largest hand of Babel takes 290
MAX_BOT_NAME_CHARS = 20
MAX_NUDGES = 1000  # a worker that is away for days must not end the count, and with it the reconciler
PLAYED_FIELDS = (
    "version", "seq", "state", "due", "due_since", "waits_for", "decided_since", "recent", "line", "barrier", "undone", "nudges",
    "counters", "status", "outcome", "finish_number", "finished_at", "started_at",
)  # fmt: skip


# Tables before the start


def create_table(
    *,
    owner: User,
    game_key: str,
    seats: int,
    options: Mapping[str, Any] | None = None,
    bots: Sequence[str] = (),
    word: str = "",
    position: Mapping[str, Any] | None = None,
    owner_seat: int = 0,
    club: Club | None = None,
    is_rated: bool = True,
) -> Loaded:
    """Open a table with the owner in `owner_seat` and the given bot levels in the last free seats; a full table starts at once.

    With a position file the game goes on from there: a practice table, which is not rated. Only members open a table of a
    club, and only members sit down there.

    Raises BadSetting when the game does not have that seat count, option, level or position, and what `require` of the
    club's permissions raises.
    """
    rules = _game_of(game_key)
    if seats not in rules.meta.seats:
        raise errors.BadSetting(f"{rules.meta.title} is played with {', '.join(map(str, rules.meta.seats))} seats")
    if len(bots) >= seats:
        raise errors.BadSetting("there are more bots than free seats")
    for level in bots:
        check_level(rules, level)
    if position is not None:
        try:
            start_of_position(position, game)
        except PositionError as error:
            raise errors.BadSetting(str(error)) from None
    with transaction.atomic():
        if club is not None:
            club = hold_club(club)
            require(Verb.OPEN_TABLE, club, owner)
        loaded = _new_table(
            rules, game_key, seats, options, owner=owner, club=club, is_rated=is_rated and position is None, position=position
        )
        rows = loaded.seats
        rows[owner_seat].user, rows[owner_seat].word = owner, checked_word(word)
        others = [row for row in rows if row.index != owner_seat]
        for row, level in zip(reversed(others), reversed(bots), strict=False):
            row.bot_level = level
        name_bots(rows)
        Seat.objects.bulk_create(rows)
        if is_full(loaded):
            _start(loaded)
            loaded.table.save()
    return loaded


def create_seated_table(
    *,
    game_key: str,
    who: Sequence[User | str],
    options: Mapping[str, Any] | None = None,
    club: Club | None = None,
    names: Sequence[str] = (),
    is_rated: bool = True,
) -> Loaded:
    """Open a table with everybody in their seat and start it: people, or levels of bots; bots alone are possible.

    `names` are the names of bots by seat, "" for one of their own. Whether these people may play here is for the caller
    to know. The first person owns the table.

    Raises BadSetting when the game does not have that seat count, option or level, or somebody would sit there twice.
    """
    rules = _game_of(game_key)
    if len(who) not in rules.meta.seats:
        raise errors.BadSetting(f"{rules.meta.title} is played with {', '.join(map(str, rules.meta.seats))} seats")
    people = [player for player in who if isinstance(player, User)]
    if len({person.pk for person in people}) < len(people):
        raise errors.BadSetting("nobody sits at a table twice")
    given = [name for player, name in zip(who, names, strict=False) if name and not isinstance(player, User)]
    if len({*given, *(person.username for person in people)}) < len(given) + len(people):
        raise errors.BadSetting("two players of a table would have the same name")
    if any(len(name) > MAX_BOT_NAME_CHARS or not name.isprintable() for name in given):
        raise errors.BadSetting(f"the name of a bot has at most {MAX_BOT_NAME_CHARS} printable characters")
    with transaction.atomic():
        owner = people[0] if people else None
        loaded = _new_table(rules, game_key, len(who), options, owner=owner, club=club, is_rated=is_rated)
        for seat, player in zip(loaded.seats, who, strict=True):
            if isinstance(player, User):
                seat.user = player
                continue
            check_level(rules, player)
            seat.bot_level = player
            seat.bot_name = names[seat.index] if seat.index < len(names) else ""
        name_bots(loaded.seats)
        Seat.objects.bulk_create(loaded.seats)
        _start(loaded)
        loaded.table.save()
    return loaded


def join_table(*, table_id: int, user: User, word: str = "") -> Loaded:
    """Sit down in the first free seat; the last one to sit down starts the game. Sitting there already is no error.

    Raises MembersOnly at a table of a club to all but its members. A seat of a duplicate set is taken by the service of
    the set, which knows its other tables.
    """
    with transaction.atomic():
        loaded = _open_table(table_id, user)
        if loaded.seat_of(user) is None:
            _check_circle(loaded, user)
            free = next((seat for seat in loaded.seats if is_free(seat)), None)
            if free is None:
                raise errors.WrongStatus("the table is full")
            seat_person(loaded, free, user, word)
    return loaded


def seat_person(loaded: Loaded, seat: Seat, user: User, word: str = "") -> None:
    """Put a person into a free seat of a locked open table, which starts when it was the last. Who may sit there is asked before."""
    seat.user, seat.word = user, checked_word(word)
    seat.save(update_fields=["user", "word"])
    _after_seating(loaded)


def leave_table(*, table_id: int, user: User, before_start: bool = False) -> Loaded:
    """Get up. An open table is given back its seat (and closes when its owner goes); in play a bot takes over.

    `before_start`: at an open table only. Raises WrongStatus when the game is over, or has begun and that was asked for.
    """
    with transaction.atomic():
        loaded = load_for(table_id, user, lock=True)
        seat = loaded.seats[loaded.require_seat(user)]
        table = loaded.table
        if table.status == Table.Status.OPEN:
            if table.owner_id == user.pk:
                table.status = Table.Status.ABANDONED
                table.version += 1
                table.save(update_fields=["status", "version"])
            else:
                seat.user, seat.word = None, ""
                seat.save(update_fields=["user", "word"])
                _bump(loaded)
            wake(table)
        elif table.status == Table.Status.PLAYING and not before_start:
            _hand_to_bot(loaded, seat, user)
        else:
            raise errors.WrongStatus("the game has begun already" if table.status == Table.Status.PLAYING else "the game is over")
    return loaded


def add_bot(*, table_id: int, user: User, level: str) -> Loaded:
    """Seat a bot in the first free seat of one's own open table."""
    with transaction.atomic():
        loaded = _own_open_table(table_id, user)
        check_level(loaded.game, level)
        free = next((seat for seat in loaded.seats if is_free(seat)), None)
        if free is None:
            raise errors.WrongStatus("the table is full")
        free.bot_level = level
        name_bots(loaded.seats)
        free.save(update_fields=["bot_level", "bot_name"])
        _after_seating(loaded)
    return loaded


def remove_bot(*, table_id: int, user: User, seat: int) -> Loaded:
    """Take a bot away from one's own open table."""
    with transaction.atomic():
        loaded = _own_open_table(table_id, user)
        if not 0 <= seat < len(loaded.seats) or not loaded.seats[seat].bot_level:
            raise errors.BadSetting("there is no bot in that seat")
        row = loaded.seats[seat]
        row.bot_level = row.bot_name = ""
        row.save(update_fields=["bot_level", "bot_name"])
        _bump(loaded)
        wake(loaded.table)
    return loaded


def start_table(*, table_id: int, user: User) -> Loaded:
    """Start one's own table; bots of the table's level take the free seats."""
    with transaction.atomic():
        loaded = _own_open_table(table_id, user)
        fill_and_start(loaded)
    return loaded


def fill_and_start(loaded: Loaded) -> None:
    """Start a locked open table with bots of its level in the free seats. Who may is asked before."""
    for seat in loaded.seats:
        if is_free(seat):
            seat.bot_level = loaded.table.bot_fill
    name_bots(loaded.seats)
    Seat.objects.bulk_update(loaded.seats, ["bot_level", "bot_name"])
    _start(loaded)
    loaded.table.save(update_fields=PLAYED_FIELDS)


def create_dealt_table(
    *,
    game_key: str,
    seats: int,
    options: Mapping[str, Any] | None,
    bots: Sequence[str],
    secret: bytes,
    club: Club,
    duplicate: DuplicateSet,
    is_rated: bool,
) -> Loaded:
    """Open a table of a duplicate set, which nobody owns. `bots`: the level of the bot in each seat, "" for a free one.

    Raises BadSetting when the game does not have that seat count, option or level.
    """
    rules = _game_of(game_key)
    if seats not in rules.meta.seats:
        raise errors.BadSetting(f"{rules.meta.title} is played with {', '.join(map(str, rules.meta.seats))} seats")
    if len(bots) != seats or all(bots):
        raise errors.BadSetting("a seat has to be free for a person")
    loaded = _new_table(rules, game_key, seats, options, secret=secret, club=club, duplicate=duplicate, is_rated=is_rated)
    for seat, level in zip(loaded.seats, bots, strict=True):
        if level:
            check_level(rules, level)
            seat.bot_level = level
    name_bots(loaded.seats)
    Seat.objects.bulk_create(loaded.seats)
    return loaded


# Play


def submit_action(
    *,
    table_id: int,
    action: str,
    expected_version: int,
    actor: int | None = None,
    user: User | None = None,
    by: str = "player",
    then: str = "",
) -> Loaded:
    """Apply one action, let chance run, and wake whoever is next. The one road for page, API, bots and scoring.

    A person gives `user` (and need not say which seat is theirs); workers give `actor`. `then` is a standing order for
    the same seat that comes with the action (one of `Ask.then`).
    Raises TableNotFound, NotYourSeat, WrongStatus, StaleTable, NotDue, BadAction, Refused; then nothing has changed.
    """
    with transaction.atomic():
        is_worker = user is None and actor is not None
        loaded = load(table_id, lock=True) if is_worker else load_for(table_id, user, lock=True)
        table, rules = loaded.table, loaded.game
        if user is not None:
            own = loaded.require_seat(user)
            if actor is not None and actor != own:
                raise errors.NotYourSeat("that seat is not yours")
            actor = own
        if actor is None:
            raise errors.NotYourSeat("nobody acts")
        _require_playing(table)
        _refuse_stale(loaded, actor, expected_version)
        if actor not in table.due:
            raise errors.NotDue("it is not your turn", _refusal(loaded, actor, action))
        parsed = _parsed(loaded, action)
        before = views_before(loaded, actor)
        table.version += 1
        turn = Turn(loaded)
        orders = [seat.order for seat in loaded.seats]
        try:
            turn.act(actor, parsed, by)
        except IllegalAction as cause:
            raise errors.Refused(cause) from None
        if then and actor >= 0:
            if not rules.order_stands(rules.view_for(loaded.state, actor), then[:MAX_WORD_CHARS]):
                raise errors.BadAction("the answer in advance does not fit this action")
            loaded.seats[actor].order = then[:MAX_WORD_CHARS]
        turn.run()
        mark_decided(loaded, before)
        _store(turn, orders)
    return loaded


def undo_action(*, table_id: int, user: User, expected_version: int) -> Loaded:
    """Take back one's own last action: an appended record, nothing is deleted.

    Raises NothingToUndo when chance fell, points were counted, something hidden was shown or another seat acted since.
    """
    with transaction.atomic():
        loaded = load_for(table_id, user, lock=True)
        table, rules = loaded.table, loaded.game
        seat = loaded.require_seat(user)
        _require_playing(table)
        _refuse_stale(loaded, seat, expected_version)
        if not table.line or table.barrier is None or table.line[-1][1] != seat:
            raise errors.NothingToUndo("there is nothing that can be taken back")
        kept = table.line[:-1]
        state = rules.state_from_json(table.barrier)
        for _, actor, text in kept:
            state, _ = rules.apply(state, actor, rules.parse_action(text))
        loaded.state = state
        target = table.line[-1][0] - 1
        table.undone = [*table.undone, table.line[-1][1:]]
        table.version += 1
        turn = Turn(loaded)
        turn.note(seat, f"undo {target}", "undo", [event_to_json(undo_event(seat))])
        table.line = kept
        due = rules.actors(state)
        table.due, table.waits_for, table.due_since, table.nudges = list(due), kind_due(due, loaded.seats), turn.now, 0
        orders = [row.order for row in loaded.seats]
        loaded.seats[seat].order = ""
        mark_decided(loaded, None)
        _store(turn, orders)
    return loaded


def redo_action(*, table_id: int, user: User, expected_version: int) -> Loaded:
    """Do again what one has taken back last: an action like any other, so chance runs after it and others see it.

    Raises NothingToRedo when nothing was taken back since anybody last acted.
    """
    with transaction.atomic():
        loaded = load_for(table_id, user, lock=True)
        table = loaded.table
        seat = loaded.require_seat(user)
        _require_playing(table)
        _refuse_stale(loaded, seat, expected_version)
        if not table.undone or table.undone[-1][0] != seat or seat not in table.due:
            raise errors.NothingToRedo("there is nothing that can be done again")
        *table.undone, (_, text) = table.undone
        before = views_before(loaded, seat)
        table.version += 1
        turn = Turn(loaded)
        turn.act(seat, loaded.game.parse_action(text), "redo")
        orders = [row.order for row in loaded.seats]
        turn.run()
        mark_decided(loaded, before)
        _store(turn, orders)
    return loaded


def set_order(*, table_id: int, user: User, order: str) -> Loaded:
    """Keep an answer in advance for one's seat; it replaces an earlier one. Raises BadAction when it is not offered now."""
    with transaction.atomic():
        loaded = load_for(table_id, user, lock=True)
        seat = loaded.require_seat(user)
        _require_playing(loaded.table)
        if seat in loaded.table.due:
            raise errors.NotDue("it is your turn: answer now")
        offered = {option.text for option in loaded.game.orders(loaded.game.view_for(loaded.state, seat))}
        if order not in offered:
            raise errors.BadAction("that answer in advance is not possible now")
        loaded.seats[seat].order = order
        loaded.seats[seat].save(update_fields=["order"])
    return loaded


def clear_order(*, table_id: int, user: User) -> Loaded:
    """Take an answer in advance back."""
    with transaction.atomic():
        loaded = load_for(table_id, user, lock=True)
        row = loaded.seats[loaded.require_seat(user)]
        if row.order:
            row.order = ""
            row.save(update_fields=["order"])
    return loaded


def mark_seen(*, table_id: int, seat: int, version: int) -> None:
    """Note that the person of a seat has seen the table at `version`; never goes back."""
    Seat.objects.filter(table_id=table_id, index=seat, seen_version__lt=version).update(seen_version=version)


# Parts


def _parsed(loaded: Loaded, action: Any) -> Any:
    if not isinstance(action, str) or not action.strip():
        raise errors.BadAction("an action is missing")
    if len(action) > MAX_ACTION_CHARS or not action.isprintable():
        raise errors.BadAction("that is no action of this game")
    try:
        return loaded.game.parse_action(action)
    except ActionFormatError as error:
        raise errors.BadAction(str(error), error.rule) from None


def _refusal(loaded: Loaded, actor: int, action: Any) -> IllegalAction | None:
    """Return what the game says to an action of a seat that is not asked; None when the text is none."""
    try:
        loaded.game.apply(loaded.state, actor, _parsed(loaded, action))
    except IllegalAction as cause:
        return cause
    except errors.BadAction:
        pass
    return None


def _require_playing(table: Table) -> None:
    if table.status != Table.Status.PLAYING:
        over = table.status == Table.Status.FINISHED
        raise errors.WrongStatus("the game is over" if over else "the game has not begun")


def _refuse_stale(loaded: Loaded, actor: int, expected_version: Any) -> None:
    """A submission is stale only if it is older than the last change of what its seat sees or has to decide."""
    table = loaded.table
    if not isinstance(expected_version, int) or isinstance(expected_version, bool):
        raise errors.BadAction("the version of the table is missing")
    since = table.decided_since[actor] if actor >= 0 and table.decided_since else table.version
    if not since <= expected_version <= table.version:
        raise errors.StaleTable("the table has moved on")


def _store(turn: Turn, orders_before: Sequence[str]) -> None:
    """Write the transaction: records, snapshot, changed orders; finish the game when it is over; wake the others."""
    loaded = turn.loaded
    table = loaded.table
    table.state = loaded.game.state_to_json(loaded.state)
    if not table.due and table.status == Table.Status.PLAYING:
        _finish(turn)
    ActionRecord.objects.bulk_create(turn.records)
    table.save(update_fields=PLAYED_FIELDS)
    for seat, order in zip(loaded.seats, orders_before, strict=True):
        if seat.order != order:
            seat.save(update_fields=["order"])
    wake(table)


def _finish(turn: Turn) -> None:
    loaded = turn.loaded
    table = loaded.table
    result = result_of(loaded.game, loaded.state)
    assert result is not None, "nobody is due, so the game has an outcome"
    table.status = Table.Status.FINISHED
    table.finished_at = turn.now
    table.outcome = result
    table.line, table.barrier, table.undone = [], None, []
    number(table)
    loaded.circles.clear()  # the set may be revealed now
    for seat, place, points in zip(loaded.seats, result["places"], result["scores"], strict=True):
        seat.place, seat.score = place, points
    Seat.objects.bulk_update(loaded.seats, ["place", "score"])


def _start(loaded: Loaded) -> None:
    """Set the game up and run to the first decision. The caller saves the table."""
    table = loaded.table
    if table.position is not None:
        _, loaded.state = start_of_position(table.position, game)
    else:
        loaded.state = loaded.game.setup(table.seat_count, table.options)
    table.status = Table.Status.PLAYING
    table.version += 1
    turn = Turn(loaded)
    table.started_at = turn.now
    turn.run()
    mark_decided(loaded, None)
    table.state = loaded.game.state_to_json(loaded.state)
    ActionRecord.objects.bulk_create(turn.records)
    wake(table)


def _after_seating(loaded: Loaded) -> None:
    if is_full(loaded):
        _start(loaded)
        loaded.table.save(update_fields=PLAYED_FIELDS)
    else:
        _bump(loaded)
        wake(loaded.table)


def _bump(loaded: Loaded) -> None:
    loaded.table.version += 1
    loaded.table.save(update_fields=["version"])


def _hand_to_bot(loaded: Loaded, seat: Seat, user: User) -> None:
    table = loaded.table
    seat.left_user, seat.user, seat.bot_level, seat.order = user, None, table.bot_fill, ""
    name_bots(loaded.seats)
    seat.save(update_fields=["left_user", "user", "bot_level", "bot_name", "order"])
    table.version += 1
    turn = Turn(loaded)
    turn.note(seat.index, "leave", "leave", [{"k": "table.left", "p": {"seat": seat.index, "who": user.username}}])
    if seat.index in table.due:
        table.waits_for, table.due_since, table.nudges = Table.Waits.BOT, turn.now, 0
    if table.line and table.line[-1][1] == seat.index:
        table.line, table.undone = [], []
    mark_decided(loaded, None)
    ActionRecord.objects.bulk_create(turn.records)
    table.save(update_fields=PLAYED_FIELDS)
    wake(table)


def _open_table(table_id: int, user: User) -> Loaded:
    loaded = load_for(table_id, user, lock=True)
    if loaded.table.status != Table.Status.OPEN:
        raise errors.WrongStatus("the game has begun already" if loaded.table.status == "playing" else "the table is closed")
    return loaded


def _own_open_table(table_id: int, user: User) -> Loaded:
    loaded = _open_table(table_id, user)
    if loaded.table.owner_id != user.pk:
        raise errors.NotYourSeat("only the person who opened the table may do that")
    _check_circle(loaded, user)
    return loaded


def _check_circle(loaded: Loaded, user: User) -> None:
    """Raise MembersOnly or WrongStatus when the club of an open table does not let `user` sit down or change it.

    Who has no seat yet stays a member until the seat is stored. Who sits there may be removed at this moment: that waits for
    the table, and closes it unless the game has begun.
    """
    circle = circle_of(loaded, user)
    if circle is None:
        return
    if circle.is_closed:
        raise errors.WrongStatus("the club is closed")
    if circle.role is None or (loaded.seat_of(user) is None and not hold_membership(loaded.table.club_id or 0, user)):
        raise errors.MembersOnly("only members of the club sit down at its tables")
    if circle.set_id is not None:
        raise errors.WrongStatus("seats of a duplicate table are taken on the page of its set")


def _game_of(key: str) -> Game:
    try:
        return game(key)
    except KeyError:
        raise errors.BadSetting("there is no such game") from None


def _new_table(
    rules: Game, key: str, seats: int, options: Mapping[str, Any] | None, *, secret: bytes | None = None, **fields: Any
) -> Loaded:
    """Store a new open table and return it with empty seats that are not stored yet. Raises BadSetting for the options."""
    try:
        full_options = options_of(rules, options or {})
    except PositionError as error:
        raise errors.BadSetting(str(error)) from None
    secret = secret or sealed.new_secret()
    table = Table.objects.create(
        game=key,
        seat_count=seats,
        options=full_options,
        rules_version=rules.meta.rules_version,
        secret=secret,
        commitment=sealed.commitment(secret),
        **fields,
    )
    return Loaded(table, [Seat(table=table, index=index) for index in range(seats)])


def nudge(table_id: int, version: int) -> int | None:
    """Count one more call for a table that is silent; None when it has moved on meanwhile."""
    changed = Table.objects.filter(pk=table_id, version=version, status=Table.Status.PLAYING).update(
        nudges=Least(F("nudges") + 1, MAX_NUDGES), due_since=timezone.now()
    )
    return Table.objects.values_list("nudges", flat=True).get(pk=table_id) if changed else None
