"""Measure the table service with a large number of tables."""

from __future__ import annotations

import json
import logging
import textwrap
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from portal.common.benches import Times, Unfit
from portal.common.progress import Bar
from portal.tables import scale


class Command(BaseCommand):
    help = textwrap.dedent(
        """\
        Measure actions, tables, lists and the reconciler in a separate database, created next to the portal's and dropped at the end: with
        a thousand tables, then with all of them. Needs a running
        PostgreSQL and Valkey (a running portal's, or DATABASE_URL and REDIS_URL), some 5 GB of disk and ten
        minutes for a million tables.

        Fails when a statement reads a big table from end to end.

          manage.py bench_tables
          manage.py bench_tables --tables 100000 --json
        """
    )

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        return super().create_parser(prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--tables", type=int, default=1_000_000, metavar="N", help="tables in the database (default a million)")
        parser.add_argument("--json", action="store_true", help="print the figures as JSON and nothing else on stdout")

    def handle(self, *args: Any, **options: Any) -> None:
        tables = options["tables"]
        if not 2_000 <= tables <= 10_000_000:
            raise CommandError("--tables: a number from 2,000 to 10,000,000")
        logging.disable(logging.WARNING)  # thousands of moves are no news here
        try:
            found = scale.measure(tables, self.stderr.write, Bar)
        except Unfit as error:
            raise CommandError(str(error)) from None
        finally:
            logging.disable(logging.NOTSET)
        if options["json"]:
            self.stdout.write(json.dumps(found, default=asdict))
        else:
            self._tell(found)
        if found["whole_reads"]:
            raise CommandError("These statements read a whole table:\n" + "\n".join(found["whole_reads"]))

    def _tell(self, found: dict[str, Any]) -> None:
        out = self.stdout.write
        out(f"{'':<26}{scale.FEW:>14,} tables{found['tables']:>18,} tables")
        for name, many in found["many"].items():
            few: Times = found["few"][name]
            out(
                f"{name:<26}p50 {few.p50:6.2f} p99 {few.p99:7.2f} ms   p50 {many.p50:6.2f} p99 {many.p99:7.2f} ms   {many.p50 / few.p50:5.2f} x"
            )
        out("sizes with indexes: " + ", ".join(f"{name} {size:,.0f} MB" for name, size in found["sizes_mb"].items()))
        writes = found["writes"]
        out(
            f"{writes['actions']:,.0f} actions: {writes['updates']:,.0f} updates of tables, {100 * writes['in_place']:.0f} % in place (HOT), "
            f"{writes['dead_rows']:,.0f} dead rows left, the table grew by {writes['grown_mb']:.1f} MB"
        )
