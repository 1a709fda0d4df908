"""`manage.py metrics`: what `/metrics` would answer on this machine."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from portal.site import metrics


class Command(BaseCommand):
    help = "Print the numbers of this machine's processes for Prometheus, for machines that have workers but no web server."
    requires_system_checks = ()

    def handle(self, *_args: Any, **_options: Any) -> None:
        self.stdout.write(metrics.text(is_shared=True).decode(), ending="")
