"""A table's player count and options: the one place that checks them, for set-ups, position files and records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.core.contract import Meta, Phrase, PositionError
from games.core.jsonio import filled
from games.core.phrases import N_


class SetupError(PositionError):
    """A game cannot be set up like this: one line that names the seats or the option."""

    @classmethod
    def of(cls, where: str, what: str, **params: Any) -> SetupError:
        """Return the error of a field, as `jsonio.fault` does."""
        return cls(f"{where}: {filled(what, params)}", where=where, what=Phrase(what, params))


def check_seats(meta: Meta, seats: Any) -> None:
    """Raise SetupError if the game cannot be played with so many seats."""
    if type(seats) is not int or seats not in meta.seats:
        raise SetupError.of(
            "seats",
            N_("{found} is not possible; {game} has {choices}"),
            found=str(seats)[:40],
            game=meta.title,
            choices=", ".join(map(str, meta.seats)),
        )


def full_options(meta: Meta, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return all options of a game with defaults filled in. Raises SetupError for an unknown key or value."""
    known = {spec.key: spec for spec in meta.options}
    for key, value in given.items():
        if key not in known:
            raise SetupError.of("options", N_("{found} is not an option of {game}"), found=repr(str(key)[:40]), game=meta.title)
        if not any(type(value) is type(choice) and value == choice for choice in known[key].choices):
            raise SetupError.of(
                f"options.{key}",
                N_("{found} is not one of {choices}"),
                found=repr(str(value)[:40]),
                choices=", ".join(map(str, known[key].choices)),
            )
    return {key: given.get(key, spec.default) for key, spec in known.items()}


def checked(meta: Meta, seats: int, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return all options for a set-up with so many seats. Raises SetupError."""
    check_seats(meta, seats)
    return full_options(meta, given)
