"""manage.py clocks: let all clocks of the site stand still, and run again."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from portal.tables import standstill
from portal.tables.models import Table


class Command(BaseCommand):
    help = (
        "Stop all clocks before work on the site during which people can't play, and start them afterwards: that time counts for nobody. "
        "Short interruptions need neither: whenever the site was down for half a minute or more, its clocks stood still by themselves."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", nargs="?", choices=("stop", "start", "show"), default="show", help="default: show whether they run")

    def handle(self, *args: Any, what: str, **options: Any) -> None:
        if what == "stop":
            standstill.stop_clocks()
        elif what == "start":
            standstill.start_clocks()
        since = standstill.by_hand().values_list("since", flat=True).first()
        state = "run" if since is None else f"have stood still since {since:%Y-%m-%d %H:%M} UTC"
        running = Table.objects.filter(status=Table.Status.PLAYING, alarm_at__isnull=False).count()
        self.stdout.write(f"The clocks {state}; tables with a clock that somebody has to answer: {running}.")
