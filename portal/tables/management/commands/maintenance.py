"""manage.py maintenance: let the site be read, and nothing else, while it is worked on."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from portal.common.maintenance import AHEAD
from portal.common.models import Maintenance
from portal.tables import upkeep


class Command(BaseCommand):
    help = (
        "Switch maintenance on or off. While it is on, pages can be read, everything else is refused with a sentence that says so, bots rest, and all "
        "clocks stand still. It stays on over restarts until you switch it off."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", nargs="?", choices=("on", "off", "status"), default="status", help="default: status")
        parser.add_argument("--minutes", type=int, help="how long it will probably take; people are told until when")
        parser.add_argument("--message", default="", help="a sentence that people read as you write it")

    def handle(self, *args: Any, what: str, minutes: int | None, message: str, **options: Any) -> None:
        """Raises CommandError for a time or a message that is too long, and for either without `on`."""
        if what != "on" and (minutes is not None or message):
            raise CommandError("--minutes and --message go with: maintenance on")
        if what == "on":
            try:
                upkeep.begin(minutes=minutes, message=message)
            except ValueError as error:
                raise CommandError(f"{str(error)[0].upper()}{str(error)[1:]}.") from None
            self.stdout.write(
                f"All processes refuse changes from {AHEAD.seconds} seconds from now. Switch it off with: manage.py maintenance off"
            )
        elif what == "off":
            is_off = upkeep.end()
            self.stdout.write(
                f"The site works again in {AHEAD.seconds} seconds." if is_off else "Maintenance wasn't on. Nothing was changed."
            )
        self.stdout.write(status())


def status() -> str:
    """Say whether maintenance is on, since when, and until when people are told."""
    row = Maintenance.objects.first()
    if row is None or row.since is None:
        return "Maintenance is off, and was never on."
    if row.until is not None:
        return f"Maintenance is off since {row.until:%Y-%m-%d %H:%M:%S} UTC."
    until = f", people are told it takes until {row.expected_until:%Y-%m-%d %H:%M} UTC" if row.expected_until else ""
    message = f'. Message: "{row.message}"' if row.message else ""
    return f"Maintenance is on since {row.since:%Y-%m-%d %H:%M:%S} UTC{until}{message}."
