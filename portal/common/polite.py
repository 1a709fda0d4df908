"""Commands that run beside a portal in use."""

from __future__ import annotations

import os
import signal
import sys
from typing import Final

from django.core.management.base import BaseCommand

POLITE: Final = 10  # how much others go first, as for `nice`


class PoliteCommand(BaseCommand):
    """A command that lets everything else go first, and removes what is half written when it is ended.

    Only as a process of its own, because a process can't take that back: whoever calls it from another one (`call_command`) stays as before.
    """

    def run_from_argv(self, argv: list[str]) -> None:
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: sys.exit(1))
        os.nice(POLITE)
        super().run_from_argv(argv)
