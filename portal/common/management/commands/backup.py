"""`manage.py backup`: a backup of the portal, while it runs."""

from __future__ import annotations

import textwrap
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
from django.core.management.base import CommandError

from portal.common import backups
from portal.common.polite import PoliteCommand
from portal.supervisor.backup_clock import dated_name, rotate
from portal.supervisor.state import Problem


class Command(PoliteCommand):
    help = textwrap.dedent(
        """\
        Write a backup while the portal runs. It holds everything that was accepted when it began: people, clubs, tables, records,
        ratings, and the key that keeps people signed in. Nobody has to wait for it.

        The file holds secrets: hidden hands, addresses, hashed passwords. Only you can read it; keep copies on another machine
        in a safe place. Without FILE it is named by the date and written to backups/ in the state folder.

          manage.py backup                         var/backups/ziggurat-2026-11-23-040000.zip
          manage.py backup --keep 7                the same, and only the newest 7 of these stay
          manage.py backup /mnt/disk/friday.zip    a file of your own, which no --keep deletes

        manage.py restore puts a backup back.
        """
    )
    requires_system_checks = ()

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        return super().create_parser(prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", default="", metavar="FILE", help="where to write it (default: a dated name in backups/)")
        parser.add_argument("--force", action="store_true", help="overwrite FILE if it exists")
        parser.add_argument("--keep", type=int, default=0, metavar="N", help="then delete all but the newest N backups with dated names")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["keep"] < 0:
            raise CommandError("--keep: a number from 1")
        if options["keep"] and options["file"]:
            raise CommandError("--keep is for backups with dated names; leave out FILE, or --keep")
        try:
            file = Path(options["file"]) if options["file"] else backups.folder() / dated_name(datetime.now(UTC))
            manifest = backups.write(file, force=options["force"])
            gone = rotate(file.parent, options["keep"]) if options["keep"] else []
        except Problem as problem:
            raise CommandError(str(problem)) from None
        except psycopg.Error as error:
            raise CommandError(f"The database stopped the backup: {' '.join(str(error).split())[:300]}") from None
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}") from None
        records = sum(manifest.records.values())
        self.stdout.write(f"{file}: {records:,} records, {file.stat().st_size / 1e6:,.1f} MB")
        for old in gone:
            self.stdout.write(f"deleted {old}")
