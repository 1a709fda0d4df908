#!/usr/bin/env python
"""Command line of Ziggurat: `manage.py help` lists the commands."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
    from portal.configuration import faults

    if wrong := faults(os.environ):
        sys.exit("\n".join([*wrong, "All variables: docs/configuration.md"]))
    from django.core.management import execute_from_command_line

    from portal.supervisor.state import Problem

    try:
        execute_from_command_line(sys.argv)
    except Problem as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main()
