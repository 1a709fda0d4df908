"""Alice owns the table, Bob plays with her, Charlie is a stranger. `site` is a whole portal that the tests of it share."""

import os
import tempfile
from pathlib import Path

import pytest

from tests.portal.faults.site import Site
from tests.portal.tables.conftest import alice, bob, charlie, duel, fixed_secret, table
from tests.prepared import prepare
from tests.running import RunningPortal

__all__ = ["alice", "bob", "charlie", "duel", "fixed_secret", "table"]


@pytest.fixture(scope="package")
def site():
    with tempfile.TemporaryDirectory(prefix="ziggurat-faults-") as folder:
        os.chmod(folder, 0o711)  # as root, PostgreSQL runs as another user
        prepare(Path(folder) / "state")
        with RunningPortal(Path(folder) / "state") as portal:
            yield Site(portal)
