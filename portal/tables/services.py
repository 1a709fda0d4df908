"""Everything that changes a table. There is one way to act: page, API and bots all go through `submit_action`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext_lazy

from games.core import sealed
from games.core.contract import ActionFormatError, Game, IllegalAction, PositionError
from games.core.options import full_options
from games.core.records import start_of_position
from games.registry import game
from portal.accounts.models import User
from portal.clubs.models import Club, DuplicateSet
from portal.clubs.permissions import Verb, require
from portal.tables import appointment, invited, refusals
from portal.tables.access import circle_of, hold_club, hold_membership, load_for
from portal.tables.faults import Said
from portal.tables.handing import hand_to_bot
from portal.tables.loading import Loaded, event_to_json, kind_due, load
from portal.tables.models import Invitation, Seat, Table
from portal.tables.pace import Pace, checked
from portal.tables.play import PLAYED_FIELDS, Turn, last_group, mark_decided, undo_event, views_before
from portal.tables.reveal import abandon
from portal.tables.seating import MAX_WORD_CHARS, check_level, checked_word, is_free, is_ready, name_bots
from portal.tables.storing import start, store
from portal.tables.wake import wake

MAX_ACTIONS = 60  # that are played together; a seat of After the Flood has fewer goods
MAX_ACTION_CHARS = 400  # half of Babel's largest hand takes 290
MAX_BOT_NAME_CHARS = 20
GAMES_WITH_BOTS, GUEST_GAMES_WITH_BOTS = 40, 10  # running at once, for one person


# Tables before the start


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot for a table; without a name it is given one."""

    level: str
    name: str = ""


Sitter = User | Bot | None  # None: the seat stays free


def create_table(*, owner: User, game_key: str, seats: int, bots: Sequence[str] = (), owner_seat: int = 0, **more: Any) -> Loaded:
    """Open a table with the owner in `owner_seat` and the given bot levels in the last free seats; `more` goes to `open_table`.

    Only members can open a club's table or sit down there.

    Raises BadSetting when there are more bots than free seats, and whatever `open_table` raises.
    """
    _check_count(_game_of(game_key), seats)
    if len(bots) >= seats:
        raise refusals.TooManyBots
    sitters: list[Sitter] = [None] * seats
    sitters[owner_seat] = owner
    others = [index for index in range(seats) if index != owner_seat]
    for index, level in zip(reversed(others), reversed(bots), strict=False):
        sitters[index] = Bot(level)
    return open_table(game_key=game_key, sitters=sitters, owner=owner, **more)


def open_table(
    *,
    game_key: str,
    sitters: Sequence[Sitter],
    options: Mapping[str, Any] | None = None,
    owner: User | None = None,
    word: str = "",
    position: Mapping[str, Any] | None = None,
    club: Club | None = None,
    may_play: bool = False,
    duplicate: DuplicateSet | None = None,
    is_rated: bool = True,
    by_hand: bool = False,
    in_match: bool = False,
    lesson: str = "",
    pace: Pace | None = None,
    privacy: str = Table.Privacy.PUBLIC,
    rematch_of: Table | None = None,
    starts_at: datetime | None = None,
) -> Loaded:
    """Open a table with these people and bots in their seats; a full one starts at once, or at `starts_at`. `word` is the owner's.

    With a position file the game continues from there: a practice table, which is not rated; `by_hand` if the owner plays the seats left
    free there as well, `lesson` if it follows the script with that fingerprint; neither has clocks. The owner must have the right to open tables of
    the club, unless `may_play` says that the caller has checked who may play here. A club's table is seen as the club says, so `privacy` is for
    others. At a table of a match of bots (`in_match`) nobody can ask the others anything.

    Raises BadSetting when the game does not have that player count, option, level or position, when somebody would sit there twice or the
    start is not in the next weeks, and whatever `require` of the club's permissions raises.
    """
    rules = _game_of(game_key)
    _check_sitters(rules, sitters)
    if position is not None:
        try:
            start_of_position(position, game)
        except PositionError as error:
            raise refusals.BadFile(fault=Said(error)) from None
    if starts_at is not None:
        appointment.check(starts_at)
    if owner is not None and not may_play and any(isinstance(sitter, Bot) for sitter in sitters):
        _check_running(owner)
    with transaction.atomic():
        if club is not None and not may_play:
            club = hold_club(club)
            require(Verb.OPEN_TABLE, club, owner)
        has_link = owner is not None and club is None and position is None and None in sitters
        loaded = _new_table(
            rules,
            game_key,
            len(sitters),
            options,
            owner=owner,
            link_code=invited.new_code() if has_link else "",
            privacy=privacy if club is None else Table.Privacy.PUBLIC,
            rematch_of=rematch_of,
            club=club,
            duplicate=duplicate,
            position=position,
            is_rated=is_rated and position is None,
            by_hand=by_hand and position is not None,
            in_match=in_match,
            lesson=lesson if position is not None else "",
            pace=checked(pace).to_json() if pace is not None and not by_hand and not lesson else {},
            starts_at=starts_at,
            alarm_at=appointment.first_alarm(starts_at) if starts_at is not None else None,
        )
        for seat, sitter in zip(loaded.seats, sitters, strict=True):
            if isinstance(sitter, Bot):
                seat.bot_level, seat.bot_name = sitter.level, sitter.name
            elif sitter is not None:
                seat.user = sitter
                seat.word = checked_word(word) if sitter == owner else ""
        name_bots(loaded.seats)
        Seat.objects.bulk_create(loaded.seats)
        if is_ready(loaded):
            start(loaded, owner)
            loaded.table.save()
    return loaded


def _check_running(person: User) -> None:
    """Raise TooManyGames if somebody already sits at as many running tables with bots as one person may.

    Otherwise a few people could keep all bots busy.
    """
    most = GUEST_GAMES_WITH_BOTS if person.is_guest else GAMES_WITH_BOTS
    bots = Seat.objects.filter(table=OuterRef("table"), user=None)
    running = Seat.objects.filter(Exists(bots), user=person, table__status=Table.Status.PLAYING)
    if running[:most].count() == most:
        raise refusals.TooManyGames


def _check_count(rules: Game, seats: int) -> None:
    if seats not in rules.meta.seats:
        raise refusals.BadSeatCount(game=gettext_lazy(rules.meta.title), counts=", ".join(map(str, rules.meta.seats)))


def _check_sitters(rules: Game, sitters: Sequence[Sitter]) -> None:
    """Raise BadSetting if these people and bots cannot sit down together."""
    _check_count(rules, len(sitters))
    people = [sitter for sitter in sitters if isinstance(sitter, User)]
    bots = [sitter for sitter in sitters if isinstance(sitter, Bot)]
    if len({person.pk for person in people}) < len(people):
        raise refusals.SeatedTwice
    given = [bot.name for bot in bots if bot.name]
    if len({*given, *(person.username for person in people)}) < len(given) + len(people):
        raise refusals.SameName
    if any(len(name) > MAX_BOT_NAME_CHARS or not name.isprintable() for name in given):
        raise refusals.BadBotName(limit=MAX_BOT_NAME_CHARS)
    for bot in bots:
        check_level(rules, bot.level)


def join_table(*, table_id: int, user: User, word: str = "") -> Loaded:
    """Take the first free seat; the game starts when the last seat is taken. Already having a seat is not an error.

    Raises MembersOnly at a club's table to anyone but its members, and SeatsKept if the free seats are for invited people. Seats in a duplicate set are taken with the set's own service, which
    knows its other tables.
    """
    with transaction.atomic():
        loaded = hold_open(table_id, user)
        if loaded.seat_of(user) is None:
            check_circle(loaded, user)
            take_seat(loaded, user, word=word)
    return loaded


def take_seat(loaded: Loaded, user: User, *, answered: Invitation | None = None, word: str = "") -> None:
    """Put a person without a seat into the first free seat of a locked open table; what they were invited by is accepted.

    `answered` is an invitation that needs no name, by mail. The caller has checked permission. Raises TableFull, SeatsKept, and BotsAreChallenged
    for a bot account that nobody invited: people who wait for people don't find a program at their table.
    """
    if user.is_bot and not any(one.user_id == user.pk for one in invited.open_invitations(loaded.table)):
        raise refusals.BotsAreChallenged
    free = next((seat for seat in loaded.seats if is_free(seat)), None)
    if free is None:
        raise refusals.TableFull
    invited.claim(loaded, user, answered)
    seat_person(loaded, free, user, word)


def seat_person(loaded: Loaded, seat: Seat, user: User, word: str = "") -> None:
    """Put a person into a free seat of a locked open table, which starts if it was the last. The caller has checked permission."""
    seat.user, seat.word = user, checked_word(word)
    seat.save(update_fields=["user", "word"])
    _after_seating(loaded, user)


def leave_table(*, table_id: int, user: User, before_start: bool = False) -> Loaded:
    """Leave. At an open table the seat becomes free (and the table closes if its owner leaves); in play a bot takes over.

    A table whose person plays all seats is closed, and so is a lesson. `before_start`: only at an open table.

    Raises WrongStatus when the game is over, or has started despite `before_start`.
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
                invited.close(table)
            else:
                seat.user, seat.word = None, ""
                seat.save(update_fields=["user", "word"])
                bump(loaded)
            wake(table)
        elif table.status == Table.Status.PLAYING and not before_start:
            if table.by_hand or table.lesson:
                abandon(Table.objects.filter(pk=table.pk))
                table.refresh_from_db()
            else:
                hand_to_bot(loaded, seat, user)
        else:
            raise (refusals.AlreadyStarted if table.status == Table.Status.PLAYING else refusals.GameOver)
    return loaded


def add_bot(*, table_id: int, user: User, level: str) -> Loaded:
    """Seat a bot in the first free seat of the owner's open table."""
    with transaction.atomic():
        loaded = own_open_table(table_id, user)
        check_level(loaded.game, level)
        free = next((seat for seat in loaded.seats if is_free(seat)), None)
        if free is None:
            raise refusals.TableFull
        if loaded.table.kept >= sum(map(is_free, loaded.seats)):
            raise refusals.SeatsKept
        free.bot_level = level
        name_bots(loaded.seats)
        free.save(update_fields=["bot_level", "bot_name"])
        _after_seating(loaded, user)
    return loaded


def remove_bot(*, table_id: int, user: User, seat: int) -> Loaded:
    """Remove a bot from the owner's open table."""
    with transaction.atomic():
        loaded = own_open_table(table_id, user)
        if not 0 <= seat < len(loaded.seats) or not loaded.seats[seat].bot_level:
            raise refusals.NoBotThere
        row = loaded.seats[seat]
        row.bot_level = row.bot_name = ""
        row.save(update_fields=["bot_level", "bot_name"])
        bump(loaded)
        wake(loaded.table)
    return loaded


def start_table(*, table_id: int, user: User) -> Loaded:
    """Start the owner's table; bots of the table's level take the free seats."""
    with transaction.atomic():
        loaded = own_open_table(table_id, user)
        if any(map(is_free, loaded.seats)):
            _check_running(user)
        fill_and_start(loaded, user)
    return loaded


def fill_and_start(loaded: Loaded, by: User | None = None) -> None:
    """Start a locked open table with bots of its level in the free seats. The caller has checked permission."""
    for seat in loaded.seats:
        if is_free(seat):
            seat.bot_level = loaded.table.bot_fill
    name_bots(loaded.seats)
    Seat.objects.bulk_update(loaded.seats, ["bot_level", "bot_name"])
    start(loaded, by)
    loaded.table.save(update_fields=PLAYED_FIELDS)


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
    before: Sequence[str] = (),
    end: str | None = None,
) -> Loaded:
    """Apply one action, let chance run, and wake whoever is next. Page, API, bots and scoring all use it.

    `before` are actions of the same seat that are played first, each with its own record: all of them or none, and none of them may lead
    to chance or to another seat's decision, or show what was hidden. `end` is played last if the seat still has to decide: it says that
    this is all, which needn't be said when nothing more is possible (a bid of all goods).

    A person gives `user` (and need not say which seat is theirs); workers give `actor`. `then` is a standing order for the same seat, given
    along with the action (one of `Ask.then`). Raises TableNotFound, NotYourSeat, WrongStatus, StaleTable, NotDue, BadAction, Refused,
    having changed nothing.
    """
    with transaction.atomic():
        is_worker = user is None and actor is not None
        loaded = load(table_id, lock=True) if is_worker else load_for(table_id, user, lock=True)
        table, rules = loaded.table, loaded.game
        if user is not None:
            own = loaded.require_seat(user)
            if actor is not None and actor != own:
                raise refusals.NotYourSeat
            actor = own
        if actor is None:
            raise refusals.NotYourSeat
        require_playing(table)
        _refuse_stale(loaded, actor, expected_version)
        if actor not in table.due:
            raise refusals.NotDue(cause=_refusal(loaded, actor, action))
        if len(before) >= MAX_ACTIONS:
            raise refusals.BadAction
        parsed = [_parsed(loaded, text) for text in (*before, action)]
        ending = None if end is None else _parsed(loaded, end)
        seen = views_before(loaded, actor)
        table.version += 1
        turn = Turn(loaded)
        orders = [seat.order for seat in loaded.seats]
        for number, step in enumerate(parsed):
            # Nothing follows what can't be undone: a form that is refused in the end would have shown dice, or what was hidden.
            if number and not _may_go_on(turn, actor):
                raise refusals.NotDue
            _play(turn, actor, step, by)
        if ending is not None and _may_go_on(turn, actor):
            _play(turn, actor, ending, by)
        if then and actor >= 0:
            if table.lesson or not rules.order_stands(rules.view_for(loaded.state, actor), then[:MAX_WORD_CHARS]):
                raise refusals.OrderDoesNotFit
            loaded.seats[actor].order = then[:MAX_WORD_CHARS]
        turn.run()
        mark_decided(loaded, seen)
        store(turn, orders, user)
    return loaded


def _may_go_on(turn: Turn, actor: int) -> bool:
    """Return whether a seat is asked again after an action that can still be undone."""
    loaded = turn.loaded
    return actor in loaded.game.actors(loaded.state) and bool(loaded.table.line)


def _play(turn: Turn, actor: int, action: Any, by: str) -> None:
    try:
        turn.act(actor, action, by)
    except IllegalAction as cause:
        raise refusals.Refused(cause=cause) from None


def undo_action(*, table_id: int, user: User, expected_version: int) -> Loaded:
    """Undo the person's last action, or all that was played together with it: a record is appended, nothing is deleted.

    Raises NothingToUndo if since then chance was drawn, points were scored, something hidden was shown or another seat acted.
    """
    with transaction.atomic():
        loaded = load_for(table_id, user, lock=True)
        table, rules = loaded.table, loaded.game
        seat = loaded.require_seat(user)
        require_playing(table)
        _refuse_stale(loaded, seat, expected_version)
        if table.lesson:
            raise refusals.NoUndoInLessons
        if not table.line or table.barrier is None or table.line[-1][1] != seat:
            raise refusals.NothingToUndo
        kept, back = last_group(table.line)
        state = rules.state_from_json(table.barrier)
        for _, actor, text, *_ in kept:
            state, _ = rules.apply(state, actor, rules.parse_action(text))
        loaded.state = state
        target = back[0][0] - 1
        table.undone = [*table.undone, [seat, *(text for _, _, text, *_ in back)]]
        table.version += 1
        turn = Turn(loaded)
        turn.note(seat, f"undo {target}", "undo", [event_to_json(undo_event(seat, target, len(back)))])
        table.line = kept
        due = rules.actors(state)
        table.due, table.waits_for, table.due_since, table.nudges = list(due), kind_due(due, loaded.seats), turn.now, 0
        orders = [row.order for row in loaded.seats]
        loaded.seats[seat].order = ""
        mark_decided(loaded, None)
        store(turn, orders, user, is_undo=True)
    return loaded


def redo_action(*, table_id: int, user: User, expected_version: int) -> Loaded:
    """Redo what was undone last: each action is one like any other, so chance runs after the last and others see it.

    Raises NothingToRedo when nothing was undone since anybody last acted.
    """
    with transaction.atomic():
        loaded = load_for(table_id, user, lock=True)
        table = loaded.table
        seat = loaded.require_seat(user)
        require_playing(table)
        _refuse_stale(loaded, seat, expected_version)
        if not table.undone or table.undone[-1][0] != seat or seat not in table.due:
            raise refusals.NothingToRedo
        *table.undone, (_, *texts) = table.undone
        before = views_before(loaded, seat)
        table.version += 1
        turn = Turn(loaded)
        for text in texts:
            turn.act(seat, loaded.game.parse_action(text), "redo")
        orders = [row.order for row in loaded.seats]
        turn.run()
        mark_decided(loaded, before)
        store(turn, orders, user)
    return loaded


def set_order(*, table_id: int, user: User, order: str) -> Loaded:
    """Store an answer in advance for the person's seat; it replaces an earlier one. Raises BadAction when it is not offered now."""
    with transaction.atomic():
        loaded = load_for(table_id, user, lock=True)
        seat = loaded.require_seat(user)
        require_playing(loaded.table)
        if seat in loaded.table.due:
            raise refusals.AnswerNow
        offered = set() if loaded.table.lesson else {option.text for option in loaded.game.orders(loaded.game.view_for(loaded.state, seat))}
        if order not in offered:
            raise refusals.OrderNotOffered
        loaded.seats[seat].order = order
        loaded.seats[seat].save(update_fields=["order"])
    return loaded


def clear_order(*, table_id: int, user: User) -> Loaded:
    """Withdraw an answer in advance."""
    with transaction.atomic():
        loaded = load_for(table_id, user, lock=True)
        row = loaded.seats[loaded.require_seat(user)]
        if row.order:
            row.order = ""
            row.save(update_fields=["order"])
    return loaded


# Parts


def _parsed(loaded: Loaded, action: Any) -> Any:
    if not isinstance(action, str) or not action.strip():
        raise refusals.ActionMissing
    if len(action) > MAX_ACTION_CHARS or not action.isprintable():
        raise refusals.BadAction
    try:
        return loaded.game.parse_action(action)
    except ActionFormatError as error:
        raise refusals.UnreadableAction(hint=error, rule=error.rule) from None


def _refusal(loaded: Loaded, actor: int, action: Any) -> IllegalAction | None:
    """Return the game's refusal of an action by a seat that is not asked; None when the text is not an action."""
    try:
        loaded.game.apply(loaded.state, actor, _parsed(loaded, action))
    except IllegalAction as cause:
        return cause
    except refusals.BadAction:
        pass
    return None


def require_playing(table: Table) -> None:
    """Raise GameOver or NotStarted unless the table is running."""
    if table.status != Table.Status.PLAYING:
        over = table.status == Table.Status.FINISHED
        raise (refusals.GameOver if over else refusals.NotStarted)


def _refuse_stale(loaded: Loaded, actor: int, expected_version: Any) -> None:
    """A submission is stale only if it is older than the last change of what its seat sees or has to decide."""
    table = loaded.table
    if not isinstance(expected_version, int) or isinstance(expected_version, bool):
        raise refusals.VersionMissing
    since = table.decided_since[actor] if actor >= 0 and table.decided_since else table.version
    if not since <= expected_version <= table.version:
        raise refusals.StaleTable


def _after_seating(loaded: Loaded, by: User) -> None:
    if is_ready(loaded):
        start(loaded, by)
        loaded.table.save(update_fields=PLAYED_FIELDS)
    else:
        bump(loaded)
        wake(loaded.table)


def bump(loaded: Loaded) -> None:
    """Count a change of a table that has not started."""
    loaded.table.version += 1
    loaded.table.save(update_fields=["version"])


def hold_open(table_id: int, user: User) -> Loaded:
    """Return a table that `user` may see and that has not started, locked. Raises TableNotFound, WrongStatus."""
    loaded = load_for(table_id, user, lock=True)
    if loaded.table.status != Table.Status.OPEN:
        raise (refusals.AlreadyStarted if loaded.table.status == "playing" else refusals.TableClosed)
    return loaded


def own_open_table(table_id: int, user: User) -> Loaded:
    loaded = hold_open(table_id, user)
    if loaded.table.owner_id != user.pk:
        raise refusals.OwnerOnly
    check_circle(loaded, user)
    return loaded


def check_circle(loaded: Loaded, user: User) -> None:
    """Raise MembersOnly or WrongStatus if the club of an open table does not allow `user` to sit down or change it.

    Somebody without a seat is kept a member until the seat is stored. Somebody with a seat may be removed at this moment: the removal waits
    for the table, and closes it unless the game has started.
    """
    circle = circle_of(loaded, user)
    if circle is None:
        return
    if circle.is_closed:
        raise refusals.ClubClosed
    if circle.role is None or (loaded.seat_of(user) is None and not hold_membership(loaded.table.club_id or 0, user)):
        raise refusals.MembersOnly
    if circle.set_id is not None:
        raise refusals.SeatsOfSet


def _game_of(key: str) -> Game:
    try:
        return game(key)
    except KeyError:
        raise refusals.NoSuchGame from None


def _new_table(
    rules: Game, key: str, seats: int, options: Mapping[str, Any] | None, *, duplicate: DuplicateSet | None, **fields: Any
) -> Loaded:
    """Store a new open table, with the deal of its duplicate set if any; return it with empty, unsaved seats. Raises BadSetting."""
    try:
        all_options = full_options(rules.meta, options or {})
    except PositionError as error:
        raise refusals.BadFile(fault=Said(error)) from None
    secret = sealed.new_secret() if duplicate is None else bytes(duplicate.secret)
    table = Table.objects.create(
        game=key,
        seat_count=seats,
        options=all_options,
        rules_version=rules.meta.rules_version,
        secret=secret,
        commitment=sealed.commitment(secret),
        duplicate=duplicate,
        **fields,
    )
    return Loaded(table, [Seat(table=table, index=index) for index in range(seats)])
