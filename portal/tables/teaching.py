"""Guided first games: opens the table of a lesson, and goes on from its end in a free game."""

from __future__ import annotations

import secrets

from django.db import transaction

from games.core.records import POSITION_FORMAT
from games.core.rng import SeededRng
from portal.accounts.models import User
from portal.tables import refusals, services
from portal.tables.access import load_for
from portal.tables.lesson import place_of
from portal.tables.loading import Loaded
from portal.tables.models import Table
from portal.tables.reveal import abandon
from portal.tables.services import Bot, Sitter
from rules_docs.teaching import teaching_of

LEVEL = "apprentice"


def start_lesson(*, owner: User, game_key: str, lang: str) -> Loaded:
    """Open the guided first game of a game, or return the one that this person is in. Raises NoLesson, and what `open_table` raises."""
    found = teaching_of(game_key)
    if found is None:
        raise refusals.NoLesson
    lesson = found.lesson
    names = [name if name != owner.username else "" for name in found.names[lang]]
    sitters: list[Sitter] = [Bot(LEVEL, names[seat]) for seat in range(lesson.seats)]
    sitters[lesson.seat] = owner
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=owner.pk)  # of two presses at once, the second finds what the first has opened
        begun = running_lesson(owner, game_key)
        if begun is not None:
            return load_for(begun, owner)
        return services.open_table(
            game_key=game_key,
            sitters=sitters,
            owner=owner,
            options=lesson.position["options"],
            position=lesson.position,
            lesson=lesson.fingerprint,
        )


def running_lesson(user: User, game_key: str) -> int | None:
    """Return the table at which this person is being taught a game, if any."""
    found = teaching_of(game_key)
    if found is None:
        return None
    running = Table.objects.filter(game=game_key, lesson=found.lesson.fingerprint, status=Table.Status.PLAYING, seats__user=user)
    return running.order_by("-pk").values_list("pk", flat=True).first()


def play_on(*, table_id: int, user: User) -> Loaded:
    """Close a lesson and open a practice table that goes on from its position, as the person's seat knows it.

    The draws of a lesson are fixed, so its table could not show that they were fair. Those of the new table come from a secret of its own,
    and what is hidden from the person is dealt again, since anybody can read the script.

    Raises NoLesson, and NotDue while the lesson still lets others act.
    """
    with transaction.atomic():
        loaded = load_for(table_id, user, lock=True)
        table, rules = loaded.table, loaded.game
        seat = loaded.require_seat(user)
        if not table.lesson or table.status != Table.Status.PLAYING:
            raise refusals.NoLesson
        place = place_of(table)
        if seat not in table.due and place is not None and place.lesson is not None:
            raise refusals.NotDue
        state = rules.sample_state(rules.view_for(loaded.state, seat), SeededRng(secrets.token_hex()))
        abandon(Table.objects.filter(pk=table.pk))
        sitters: list[Sitter] = [user if other.index == seat else Bot(LEVEL, other.bot_name) for other in loaded.seats]
        position = {
            "format": POSITION_FORMAT,
            "game": table.game,
            "rules_version": table.rules_version,
            "options": table.options,
            "seats": table.seat_count,
            "state": rules.state_to_json(state),
        }
        return services.open_table(game_key=table.game, sitters=sitters, owner=user, options=table.options, position=position)
