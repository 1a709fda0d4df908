"""Of machines that start at the same time, one changes the database and the others wait."""

from __future__ import annotations

import threading

import pytest
from django.db import connection

from portal.common.management.commands import up


@pytest.mark.django_db(transaction=True)
def test_a_start_waits_until_no_other_machine_changes_the_database() -> None:
    done = threading.Event()

    def start() -> None:
        try:
            with up.alone():
                done.set()
        finally:
            connection.close()

    with up.alone():
        other = threading.Thread(target=start)
        other.start()
        assert not done.wait(3 * up.LOOK_AGAIN_S)
    assert done.wait(10)
    other.join(10)
