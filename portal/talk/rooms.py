"""Who may read and write what at a table. The caller has asked `access.load_for` whether the person may see the table at all."""

from __future__ import annotations

from dataclasses import dataclass

from portal.accounts.models import User
from portal.tables.access import seat_kept_for
from portal.tables.loading import Loaded
from portal.tables.models import Table
from portal.talk import refusals
from portal.talk.models import Room

OVER = (Table.Status.FINISHED, Table.Status.ABANDONED)


@dataclass(frozen=True, slots=True)
class Rooms:
    """The rooms of a table that one person may read, and write in."""

    read: tuple[Room, ...] = ()
    write: tuple[Room, ...] = ()
    is_player: bool = False

    def require(self, room: str) -> Room:
        """Return the room that is written in. Raises UnknownRoom, PlayersOnly or NotWhilePlaying."""
        if room not in Room.values:
            raise refusals.UnknownRoom
        if room not in self.write:
            raise refusals.NotWhilePlaying if self.is_player else refusals.PlayersOnly
        return Room(room)


def rooms_for(loaded: Loaded, user: User | None) -> Rooms:
    """Return the rooms for somebody who may see the table.

    Everybody reads what players say. What spectators say is for signed-in spectators until the game is over: they see what a player may
    not, and a player could otherwise be tipped by them. Somebody whose seat a bot keeps may come back, so they count as a player.
    """
    if not loaded.has_company:
        return Rooms()
    is_over = loaded.table.status in OVER
    is_player = user is not None and (loaded.seat_of(user) is not None or seat_kept_for(loaded, user) is not None)
    watches = user is not None and not is_player
    return Rooms(
        read=(Room.PLAYERS, Room.SPECTATORS) if is_over or watches else (Room.PLAYERS,),
        write=() if user is None else (Room.SPECTATORS,) if watches else (Room.PLAYERS, Room.SPECTATORS) if is_over else (Room.PLAYERS,),
        is_player=is_player,
    )


def is_told_to_all(loaded: Loaded, room: Room) -> bool:
    """Say whether everybody who sees the table may learn that something was said in a room; not the players, while spectators talk apart."""
    return room == Room.PLAYERS or loaded.table.status in OVER
