"""What is written of studies. Every verb asks first who may see the study, locks it, and tells the pages that show it."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from games.core.contract import CHANCE, ActionFormatError, AnyGame, IllegalAction, PositionError
from games.core.jsonio import fault
from games.core.records import POSITION_FORMAT, read_json, start_of_position
from games.registry import game
from portal.accounts.models import User
from portal.common.later import LATER, enqueue
from portal.common.limits import allow, count_use
from portal.common.texts import tidy
from portal.live.publish import publish_study
from portal.studies import lines, refusals
from portal.studies.access import Codes, Opened, Role, listed, open_study
from portal.studies.models import MAX_COMMENT_CHARS, MAX_TITLE_CHARS, Move, Study, Wish
from portal.tables.faults import Said
from portal.tables.loading import event_to_json
from portal.tables.refusals import BadFile, NothingToStudy
from portal.tables.replay import Replay
from portal.tables.services import MAX_ACTION_CHARS, MAX_ACTIONS
from portal.tables.study import position_of

MOST_POSITION: Final = 20_000  # characters of a position file
COMMON: Final = {"format": POSITION_FORMAT, "rules_version": 1, "options": {}}  # what a position file may leave out
MAX_STUDIES: Final = 200  # of one person
MAX_MOVES: Final = 400  # of one study
MAX_DRAWS: Final = 20  # of one action
NEW_PER_HOUR: Final = 30
CHANGES_PER_HOUR: Final = 1200
BOTS_PER_HOUR: Final = 300
LOOKS_PER_HOUR: Final = 1200
MOVE: Final = "portal.studies.tasks.move"
SEED_BYTES: Final = 32
CODE_BYTES: Final = 12  # of randomness in a link: nobody guesses 96 bits


def start(*, replay: Replay, step: int, user: User, title: str) -> Study:
    """Start a study at a step of a replay that `user` sees. Only its owner sees it at first.

    Raises what `position_of` raises, NoTitle, TitleTooLong, TooManyStudies and TooManyNewStudies.
    """
    name = title_of(title)
    state, table = position_of(replay, step), replay.loaded.table
    head = {"rules_version": table.rules_version, "options": table.options, "seats": table.seat_count}
    position = _file(replay.loaded.game, head, state)
    return _new(user, title=name, game=table.game, table=table, step=step, is_dealt_again=not replay.may_choose, position=position)


def start_set_up(*, position: Mapping[str, Any], user: User, title: str) -> Study:
    """Start a study of a position file, which may leave out fields, as in the position editor. Only its owner sees it at first.

    The file is as `position_in` returns it. Raises BadFile naming the field, NothingToStudy, NoTitle, TitleTooLong, TooManyStudies and TooManyNewStudies.
    """
    name = title_of(title)
    rules, state = set_up(position)
    return _new(user, title=name, game=rules.meta.key, step=0, is_set_up=True, position=_file(rules, position, state))


def position_in(text: str) -> dict[str, Any]:
    """Return the position file in a text, with what every file has alike. Raises BadFile."""
    try:
        if len(text) > MOST_POSITION:
            raise fault("file", gettext_noop("has {n} characters; at most {most} are possible"), n=len(text), most=MOST_POSITION)
        return COMMON | read_json(text)
    except PositionError as error:
        raise BadFile(fault=Said(error)) from None


def set_up(position: Mapping[str, Any]) -> tuple[AnyGame, Any]:
    """Return game and state of a position file. Raises BadFile naming the field, and NothingToStudy where nothing is left to decide."""
    try:
        rules, state = start_of_position(position, game)
    except PositionError as error:
        raise BadFile(fault=Said(error)) from None
    if not rules.actors(state):
        raise NothingToStudy
    return rules, state


def _file(rules: AnyGame, head: Mapping[str, Any], state: Any) -> dict[str, Any]:
    """Return a position file with the whole of a state, for the version of the rules, options and seats in `head`."""
    known = {name: head[name] for name in ("rules_version", "options", "seats")}
    return {"format": POSITION_FORMAT, "game": rules.meta.key, **known, "state": rules.state_to_json(state)}


def _new(user: User, **fields: Any) -> Study:
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)  # two at once would both find the last free place
        if listed(user).filter(owner=user).count() >= MAX_STUDIES:
            raise refusals.TooManyStudies(limit=MAX_STUDIES)
        count_use("study-new", str(user.pk), limit=NEW_PER_HOUR, window_s=3600, refusal=refusals.TooManyNewStudies)
        now = timezone.now()
        return Study.objects.create(
            **fields,
            owner=user,
            seed=secrets.token_hex(SEED_BYTES),
            link_code=new_code(),
            made_at=now,
            changed_at=now,
        )


def play(*, study_id: int, user: User | None, codes: Codes, after: int, seat: int, actions: Sequence[str], end: str | None = None) -> int:
    """Play actions of a seat one after the other from a move, each a move of its own; return the number of the last one.

    What is there already is followed, not added again. `end` is played last if the seat still has to decide, as at a table. Raises NoSuchMove,
    SeatNotDue, NotPossible, LineLost and StudyFull, having changed nothing.
    """
    with changing(study_id, user, codes) as opened:
        if len(actions) > MAX_ACTIONS:
            raise refusals.NotPossible
        for text in actions:
            after = _step(opened, user, after, seat, text)
        if end is not None and seat in opened.entry.game.actors(lines.state_after(opened.study, tree(opened.study).path(after))):
            after = _step(opened, user, after, seat, end)
        return after


def draw_again(*, study_id: int, user: User | None, codes: Codes, number: int) -> int:
    """Play a move once more with other draws, beside it; return the number of the new move. Raises NoSuchMove, NoDraws, TooManyDraws, StudyFull."""
    with changing(study_id, user, codes) as opened:
        found = tree(opened.study)
        move = _required(found, number)
        if all(actor != CHANCE for actor, _event in move.events):
            raise refusals.NoDraws
        draws = [
            other.draw for other in map(found.moves.__getitem__, found.beside(number)) if (other.seat, other.text) == (move.seat, move.text)
        ]
        if len(draws) >= MAX_DRAWS:
            raise refusals.TooManyDraws(limit=MAX_DRAWS)
        return _step(opened, user, found.before[number], move.seat, move.text, draw=max(draws) + 1)


def comment(*, study_id: int, user: User | None, codes: Codes, number: int, text: str | None = None, mark: str | None = None) -> None:
    """Write what is said of a move, and mark it; None stays as it is. The words are by `user` from then on only if they differ.

    Raises NoSuchMove, NotYourComment, CommentTooLong and UnknownMark.
    """
    said = tidy(text, keeps_lines=True) if text is not None else None
    if said is not None and len(said) > MAX_COMMENT_CHARS:
        raise refusals.CommentTooLong(limit=MAX_COMMENT_CHARS, count=len(said))
    if mark is not None and mark not in Move.Mark.values:
        raise refusals.UnknownMark
    with changing(study_id, user, codes) as opened:
        move = _required(tree(opened.study), number)
        if not opened.is_owner and (move.comment or move.mark) and move.commented_by != user:
            raise refusals.NotYourComment
        is_same = bool(move.comment) and said in (None, move.comment)
        move.comment = move.comment if said is None else said
        move.mark = move.mark if mark is None else mark
        author = move.commented_by if is_same else user
        move.commented_by = author if move.comment or move.mark else None
        move.save(update_fields=["comment", "mark", "commented_by"])


def delete(*, study_id: int, user: User | None, codes: Codes, number: int) -> int:
    """Delete a move and all that follows; return the number of the move before. Raises NoSuchMove and NotYourMove."""
    with changing(study_id, user, codes) as opened:
        found, study = tree(opened.study), opened.study
        _required(found, number)
        gone = found.below(number)
        if not opened.is_owner and any(found.moves[one].author_id != getattr(user, "pk", 0) for one in gone):
            raise refusals.NotYourMove
        Wish.objects.filter(study=study, after__in=gone).delete()
        Move.objects.filter(study=study, number=number).delete()  # and what follows
        if study.shown in gone:
            study.shown = found.before[number]
        return found.before[number]


def promote(*, study_id: int, user: User | None, codes: Codes, number: int) -> None:
    """Put the line in which a move is before the others where it branches off. Raises NoSuchMove and OwnerOnly."""
    with changing(study_id, user, codes, least=Role.OWNER) as opened:
        found = tree(opened.study)
        _required(found, number)
        while number and found.beside(number)[0] == number:
            number = found.before[number]
        if number:
            move = found.moves[number]
            move.rank = found.moves[found.beside(number)[0]].rank - 1
            move.save(update_fields=["rank"])


def ask_bot(*, study_id: int, user: User | None, codes: Codes, after: int, seat: int, level: str) -> None:
    """Let a bot of a level choose what a seat does after a move; a worker plays it. Asking twice is asking once.

    Raises NoSuchMove, SeatNotDue, UnknownLevel, LineLost, StudyFull and TooManyBots.
    """
    with changing(study_id, user, codes) as opened:
        study, rules = opened.study, opened.entry.game
        if level not in rules.meta.bot_levels:
            raise refusals.UnknownLevel
        found = tree(study)
        if seat < 0 or seat not in rules.actors(lines.state_after(study, found.path(after))):
            raise refusals.SeatNotDue
        if len(found.moves) >= MAX_MOVES:
            raise refusals.StudyFull(limit=MAX_MOVES)
        assert user is not None, "`changing` asks who it is"
        count_use("study-bot", str(user.pk), limit=BOTS_PER_HOUR, window_s=3600, refusal=refusals.TooManyBots)
        asked = {"level": level, "by": user, "asked_at": timezone.now(), "failed": False}
        wish, _is_new = Wish.objects.update_or_create(study=study, after=after, seat=seat, defaults=asked)
        transaction.on_commit(lambda: enqueue(MOVE, wish.pk, priority=LATER), robust=True)


def move_of_bot(*, wish: Wish, text: str) -> None:
    """Add what a bot chose, for whoever asked, and forget that it was asked. Raises what `play` raises."""
    with changing(wish.study_id, wish.by, {}, counts=False) as opened:
        if Wish.objects.filter(pk=wish.pk, after=wish.after, seat=wish.seat, level=wish.level).delete()[0]:
            _step(opened, wish.by, wish.after, wish.seat, text, bot=wish.level)


def look(*, study_id: int, user: User, number: int) -> None:
    """Note at which move the owner looks, so that others can follow. Too often, or at a move that is gone, it is left out."""
    if not allow("study-look", str(user.pk), limit=LOOKS_PER_HOUR, window_s=3600):
        return
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).filter(pk=study_id, owner=user).first()
        if study is None or study.shown == number or (number and not study.moves.filter(number=number).exists()):
            return
        study.shown = number
        _tell(study, "shown")


# Parts


def new_code() -> str:
    """Return the secret part of a new link."""
    return secrets.token_urlsafe(CODE_BYTES)


def title_of(raw: str) -> str:
    """Return a title as it is kept. Raises NoTitle and TitleTooLong."""
    title = tidy(raw)
    if not title:
        raise refusals.NoTitle
    if len(title) > MAX_TITLE_CHARS:
        raise refusals.TitleTooLong(limit=MAX_TITLE_CHARS, count=len(title))
    return title


def tree(study: Study) -> lines.Tree:
    """Return the moves of a study; one statement."""
    return lines.tree_of(list(study.moves.select_related("author", "commented_by")))


@contextmanager
def changing(study_id: int, user: User | None, codes: Codes, *, least: Role = Role.CONTRIBUTOR, counts: bool = True) -> Iterator[Opened]:
    """Open a study for a change by somebody who may make it; afterwards its version grows and its pages are told.

    Raises StudyNotFound, SignInToStudy, OnlyLook, OwnerOnly and, if the change `counts`, TooManyMoves.
    """
    with transaction.atomic():
        opened = open_study(study_id, user, codes, lock=True)
        if user is None:
            raise refusals.SignInToStudy
        if opened.role < least:
            raise refusals.OwnerOnly if least == Role.OWNER and opened.may_add else refusals.OnlyLook
        if counts:
            count_use("study", str(user.pk), limit=CHANGES_PER_HOUR, window_s=3600, refusal=refusals.TooManyMoves)
        yield opened
        opened.study.changed_at = timezone.now()
        _tell(opened.study, "changed_at", "shown", "last_number")


def _tell(study: Study, *fields: str) -> None:
    study.version += 1
    study.save(update_fields=["version", *fields])
    number, version = study.pk, study.version
    transaction.on_commit(lambda: publish_study(number, version), robust=True)


def _required(found: lines.Tree, number: int) -> Move:
    if number not in found.moves:
        raise refusals.NoSuchMove
    return found.moves[number]


def _step(opened: Opened, user: User | None, after: int, seat: int, text: str, *, draw: int | None = None, bot: str = "") -> int:
    """Follow or add one move; with `draw` it is a new one. Returns its number."""
    study, rules = opened.study, opened.entry.game
    found = tree(study)
    path = found.path(after)
    state = lines.state_after(study, path)
    if seat < 0 or seat not in rules.actors(state):
        raise refusals.SeatNotDue
    if len(text) > MAX_ACTION_CHARS or not text.isprintable():
        raise refusals.NotPossible
    try:
        said = str(rules.parse_action(text))
        key = lines.next_key(lines.key_of(study, path), seat, said, draw or 0)
        same = next((one for one in found.after.get(after, ()) if (found.moves[one].seat, found.moves[one].text) == (seat, said)), None)
        if draw is None and same is not None:
            number = same
        else:
            _after, told = lines.play(rules, state, seat, said, key)
            number = _added(opened, found, path, user, seat=seat, text=said, draw=draw or 0, told=told, bot=bot)
    except ActionFormatError:
        raise refusals.NotPossible from None
    except IllegalAction as cause:
        raise refusals.NotPossible(cause) from None
    if opened.is_owner:
        study.shown = number
    return number


def _added(
    opened: Opened,
    found: lines.Tree,
    path: Sequence[Move],
    user: User | None,
    *,
    seat: int,
    text: str,
    draw: int,
    told: lines.Told,
    bot: str,
) -> int:
    study = opened.study
    if len(found.moves) >= MAX_MOVES:
        raise refusals.StudyFull(limit=MAX_MOVES)
    beside = found.after.get(path[-1].number if path else 0, ())
    study.last_number += 1
    Move.objects.create(
        study=study,
        number=study.last_number,
        parent=path[-1] if path else None,
        rank=max((found.moves[one].rank for one in beside), default=-1) + 1,
        seat=seat,
        text=text,
        draw=draw,
        bot=bot,
        author=user,
        events=[[actor, event_to_json(event)] for actor, event in told],
        made_at=timezone.now(),
    )
    return study.last_number
