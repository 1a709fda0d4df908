"""`manage.py api_schema`: writes the schema of the API into docs/api-schema.json, unless it would break programs."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from portal.common import api_schema


class Command(BaseCommand):
    help = "Write the schema of the API into docs/api-schema.json; refuses, and names them, if operations, fields or values would vanish or change."
    requires_system_checks = ()

    def handle(self, *_args: Any, **_options: Any) -> None:
        now = api_schema.schema_now()
        if api_schema.KEPT_IN.exists():
            lost = api_schema.broken(json.loads(api_schema.KEPT_IN.read_text()), json.loads(now), datetime.now(UTC).date())
            if lost:
                raise CommandError("\n".join([*lost, api_schema.POLICY]))
        api_schema.KEPT_IN.write_text(now)
        self.stdout.write(f"{api_schema.KEPT_IN}: {len(now)} characters")
