"""`manage.py restore`: the portal as it was in a backup."""

from __future__ import annotations

import functools
import signal
import textwrap
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path
from typing import Any, NoReturn

import psycopg
import redis
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from portal.common import restores
from portal.common.backups import Backup
from portal.common.progress import step
from portal.common.restores import SIGNALS
from portal.supervisor.state import Problem


class Stop(Exception):
    """Somebody asked us to end."""


class Command(BaseCommand):
    help = textwrap.dedent(
        """\
        Put a backup in the place of the present data. Stop the portal first: this refuses to run beside it.

        The file is checked before anything happens: it must be undamaged, and written by this release of Ziggurat and of PostgreSQL or
        an older one. It is then filled into a new database, counted, brought to this release, and its standings are compared
        with its games. Only when all is well does it take the place of the present data, in one moment. If anything
        fails before, even the machine, the present data are as they were.

        The present data are saved first, as backups/before-restore-DATE.zip in the state folder: restore that to go back.
        Restore several times if you like; nothing is added up.

          1. stop the portal                       Ctrl-C where `make run` was started
          2. manage.py restore FILE
          3. start the portal                      make run
          4. ask people to reload open pages

        With DATABASE_URL, stop web servers, workers and beat on all machines; the user needs the right CREATEDB.
        Exit code 0 when the data of the backup are in place, otherwise 1.
        """
    )
    requires_system_checks = ()

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        return super().create_parser(prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="a backup that `manage.py backup` wrote")
        parser.add_argument("--check", action="store_true", help="only check the file; nothing is changed, and the portal may run")
        parser.add_argument("--discard-present", action="store_true", help="do not save the present data first")

    def handle(self, *args: Any, **options: Any) -> None:
        usual = {sig: signal.signal(sig, _stop) for sig in SIGNALS}
        try:
            backup = Backup(Path(options["file"]))
            made = backup.manifest
            records = sum(made.records.values())
            self.stdout.write(f"Backup of {made.made_at}: Ziggurat {made.portal}, {records:,} records in {len(made.records)} tables")
            if options["check"]:
                self.stdout.write("The backup is good, and this release can restore it.")
                return
            report = restores.restore(backup, step=functools.partial(step, self.stdout), save=not options["discard_present"])
        except Problem as problem:
            raise CommandError(str(problem)) from None
        except (psycopg.Error, DatabaseError, redis.RedisError, OSError) as error:
            why = " ".join(str(error).split())[:300]
            raise CommandError(f"The restore failed, and the present data are as they were: {why}. Logs: {settings.STATE.logs}") from None
        except Stop:
            raise CommandError("Stopped. The present data are as they were.") from None
        finally:
            for sig, handler in usual.items():
                signal.signal(sig, handler)
        self._tell(report)

    def _tell(self, report: restores.Report) -> None:
        out = self.stdout.write
        out(f"Restored: {report.records:,} records, as many as the backup tells.")
        if report.migrated:
            out(f"Brought to this release: {len(report.migrated)} database changes.")
        out(
            "The standings did not agree with the games and were calculated again." if report.standings_differed else "The standings agree."
        )
        if report.saved:
            out(f"The data from before: {report.saved}")
        out("Start the portal now, and ask people to reload open pages.")


def _stop(*_: object) -> NoReturn:
    for sig in SIGNALS:
        signal.signal(sig, signal.SIG_IGN)  # tidying up is quick, and a second Ctrl-C must not end it
    raise Stop
