"""Measure what the clocks of tables by correspondence cost while nobody moves."""

from __future__ import annotations

import json
import logging
import textwrap
import time
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from datetime import timedelta
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from portal.accounts.models import User
from portal.common.benches import Times, Unfit, own_database, own_queues, vacuum
from portal.common.progress import Bar
from portal.tables import handing, services, tasks
from portal.tables.models import Table
from portal.tables.pace import Kind, Pace

EVERY_S: Final = 5.0  # as often as the reconciler runs
ROUNDS: Final = 100
RINGS: Final = 200
PEOPLE: Final = 40


class Command(BaseCommand):
    help = textwrap.dedent(
        """\
        Measure the reconciler, and the alarms of clocks, with tables by correspondence in a separate database, created next
        to the portal's and dropped at the end. Needs a running PostgreSQL and Valkey (a running portal's, or DATABASE_URL
        and REDIS_URL).

          manage.py bench_clocks
          manage.py bench_clocks --tables 200 --json
        """
    )

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        return super().create_parser(prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--tables", type=int, default=1_000, metavar="N", help="tables by correspondence (default a thousand)")
        parser.add_argument("--json", action="store_true", help="print the figures as JSON and nothing else on stdout")

    def handle(self, *args: Any, **options: Any) -> None:
        if not 10 <= options["tables"] <= 100_000:
            raise CommandError("--tables: a number from 10 to 100,000")
        logging.disable(logging.WARNING)  # the first moves of all these tables are no news
        try:
            with own_queues(), own_database(self.stderr.write):
                _fill(options["tables"])
                found = _measure() | {"tables": options["tables"]}
        except Unfit as error:
            raise CommandError(str(error)) from None
        finally:
            logging.disable(logging.NOTSET)
        self.stdout.write(json.dumps(found) if options["json"] else _told(found))


def _fill(tables: int) -> None:
    """Start games of two people with three days for each move."""
    people = [User.objects.create(username=f"player{number}") for number in range(PEOPLE)]
    with Bar("tables started", tables) as bar:
        for number in range(tables):
            one, two = people[number % PEOPLE], people[(number * 7 + 1) % PEOPLE]
            loaded = services.create_table(owner=one, game_key="ra", seats=2, bots=[], pace=Pace(Kind.DAYS, days=3))
            services.join_table(table_id=loaded.table.pk, user=two if two != one else people[(number + 2) % PEOPLE])
            bar.at(number + 1)
    vacuum()


def _measure() -> dict[str, Any]:
    """Return milliseconds of a run of the reconciler and of one alarm, from end to end, and of the processor in this process."""
    tasks.reconcile()
    begin, worked = time.perf_counter(), time.process_time()
    walls = []
    for _ in range(ROUNDS):
        at = time.perf_counter()
        tasks.reconcile()
        walls.append(time.perf_counter() - at)
    whole, worked = time.perf_counter() - begin, time.process_time() - worked
    rings = []
    for table_id in Table.objects.filter(alarm_at__isnull=False).order_by("pk").values_list("pk", flat=True)[:RINGS]:
        Table.objects.filter(pk=table_id).update(alarm_at=timezone.now() - timedelta(seconds=1))
        at = time.perf_counter()
        handing.ring(table_id)
        rings.append(time.perf_counter() - at)
    return {
        "run_ms": Times.of(walls).p50,
        "run_p99_ms": Times.of(walls).p99,
        "processor_ms": 1000 * worked / ROUNDS,
        "share_of_a_core": whole / ROUNDS / EVERY_S,
        "alarm_ms": Times.of(rings).p50,
    }


def _told(found: dict[str, Any]) -> str:
    return (
        f"{found['tables']:,} tables by correspondence. A run of the reconciler: p50 {found['run_ms']:.1f} ms, p99 {found['run_p99_ms']:.1f} ms "
        f"from end to end (of it {found['processor_ms']:.1f} ms of the processor in its own process), every {EVERY_S:.0f} s: at most "
        f"{100 * found['share_of_a_core']:.2f} % of a core, the database included. An alarm, at most two for a move: {found['alarm_ms']:.1f} ms."
    )
