"""Commands that let everything else go first: as processes of their own, and never for whoever calls them."""

import os
import signal
import subprocess
import sys

import pytest
from django.core.management import call_command, load_command_class

from portal.common.polite import POLITE, PoliteCommand

SHOWN = """
import os, signal, sys
import django
django.setup()
from portal.common.polite import PoliteCommand

class Command(PoliteCommand):
    def handle(self, *args, **options):
        print(os.nice(0), flush=True)
        os.kill(os.getpid(), signal.SIGHUP)
        print("not ended")

try:
    Command().run_from_argv(["manage.py", "shown"])
finally:
    print("tidied up")
"""


def test_a_process_of_its_own_goes_last_and_tidies_up_when_it_is_ended():
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "portal.settings"}
    done = subprocess.run([sys.executable, "-c", SHOWN], env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.split("\n") == [str(min(19, os.nice(0) + POLITE)), "tidied up", ""], done.stderr
    assert done.returncode == 1


def test_whoever_calls_one_stays_as_before(db):
    before = os.nice(0), signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGHUP)
    call_command("archive", check=True)
    assert (os.nice(0), signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGHUP)) == before


@pytest.mark.parametrize(("app", "name"), [("portal.common", "backup"), ("portal.archives", "archive")])
def test_long_work_beside_a_portal_in_use_is_done_politely(app, name):
    assert isinstance(load_command_class(app, name), PoliteCommand)
