"""The form of a new duplicate set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django import forms

from games.registry import Entry
from portal.contests.refusals import ImpossibleTables
from portal.tables.forms import OpeningForm

TYPICAL_TABLES: Final = 2


class SetForm(OpeningForm):
    """Identical tables: their game, seats, bots and options, and how many there are."""

    name = forms.CharField(required=False, strip=False)
    n_tables = forms.IntegerField()

    def __init__(self, data: Mapping[str, Any] | None = None, *, entry: Entry) -> None:
        super().__init__(data, entry=entry, initial={"n_tables": TYPICAL_TABLES})

    def settings(self) -> dict[str, Any]:
        """Return what `duplicates.create_set` takes. Raises ImpossibleTables."""
        if not self.is_valid():
            raise ImpossibleTables(field="")
        chosen = self.cleaned_data
        return {
            "name": chosen["name"],
            "game": self.entry.key,
            "seats": chosen["seats"],
            "n_tables": chosen["n_tables"],
            "bots": self.levels(),
            "options": self.options(),
            "is_rated": not chosen["unrated"],
        }

    def shown(self) -> dict[str, Any]:
        sent = str(self["n_tables"].value())
        return super().shown() | {
            "name": self["name"].value() or "",
            "n_tables": int(sent) if sent.isascii() and sent.isdigit() and len(sent) < 4 else TYPICAL_TABLES,
        }
