"""The files at their addresses: whole, in part, not again when unchanged, and nothing else from the disk. The nightly task only starts a process."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest
from whitenoise import WhiteNoise

from portal.archives import making, renewing, tasks
from portal.archives.models import Archive
from portal.live.files import Files
from portal.live.shelf import Shelf
from tests.portal.archives.conftest import ra

pytestmark = pytest.mark.django_db


def asked(files, path, method="GET", **headers):
    """Return status, headers and body as the event loop sends them; None if there is no such file."""
    found = files.find(path)
    if found is None:
        return None
    sent = []

    async def send(event):
        sent.append(event)

    scope = {"method": method, "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]}
    asyncio.run(files.send(found, scope, send))
    head = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], head, b"".join(event["body"] for event in sent[1:])


@pytest.fixture
def files(folder):
    ra()
    making.make()
    return Files(WhiteNoise(None), Shelf(folder))


def test_files_of_archives_are_sent_by_the_event_loop(files, folder):
    [row] = Archive.objects.all()
    for file in row.manifest["files"]:
        status, head, body = asked(files, f"/archives/files/ra/{file['name']}")
        assert status == 200
        assert body == (folder / "ra" / file["name"]).read_bytes()
        assert head["content-length"] == str(file["bytes"]) == str(len(body))
        assert (head["cache-control"], head["access-control-allow-origin"]) == ("public, no-cache", "*")
        assert head["content-type"] in ("application/zstd", "application/vnd.apache.parquet")
        assert asked(files, f"/archives/files/ra/{file['name']}", if_none_match=head["etag"])[0::2] == (304, b"")
        assert asked(files, f"/archives/files/ra/{file['name']}", range="bytes=4-9")[0::2] == (206, body[4:10])
        assert asked(files, f"/archives/files/ra/{file['name']}", "HEAD")[0::2] == (200, b"")
    assert asked(files, "/archives/files/ra/ra-2025-10.json")[1]["content-type"] == "application/json"


def test_a_file_that_is_gone_is_not_found_and_a_new_one_is(files):
    [before] = Archive.objects.all()
    ra(number=1)
    making.make()
    [after] = Archive.objects.all()
    assert asked(files, f"/archives/files/ra/{before.manifest['files'][0]['name']}") is None
    assert asked(files, f"/archives/files/ra/{after.manifest['files'][0]['name']}")[0] == 200


@pytest.mark.parametrize(
    "path",
    ["../secret_key", "ra/../../secret_key", "ra/", "", "ra/.lock", ".lock", "ra/.ra-2025-10.parquet.1.part", "ra/ra-2025-10.json/", "ra/ra-2025-11.json", "ra%2Fra-2025-10.json", "x" * 5000],
)  # fmt: skip
def test_nothing_else_is_found(files, folder, path):
    (folder.parent / "secret_key").write_text("x")
    (folder / "ra" / ".ra-2025-10.parquet.1.part").write_text("x")
    assert asked(files, f"/archives/files/{path}") is None


def test_the_task_starts_a_process_without_the_worker_s_limits(monkeypatch, tmp_path):
    started = []

    class Child:
        def __init__(self, argv, **more):
            started.append((argv, more))

        def poll(self):
            return None

    monkeypatch.setattr(renewing, "_started", [])
    monkeypatch.setattr(subprocess, "Popen", Child)
    monkeypatch.setenv("ZIGGURAT_WORK", "tasks")
    monkeypatch.setattr(tasks.maintenance, "is_on", lambda: True)
    tasks.renew()
    assert not started
    monkeypatch.setattr(tasks.maintenance, "is_on", lambda: False)
    tasks.renew()
    [(argv, more)] = started
    assert argv == [sys.executable, "manage.py", "archive"]
    assert "ZIGGURAT_WORK" not in more["env"]
    assert more["stdin"] == subprocess.DEVNULL


def test_workers_and_pages_load_no_pyarrow():
    code = (
        "import os, sys, django; os.environ['DJANGO_SETTINGS_MODULE'] = 'tests.settings'; django.setup(); import portal.urls, portal.celery;"
        "from portal.archives import making, renewing, tasks; print('pyarrow' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.splitlines()[-1] == "False"


def test_finished_children_are_forgotten(monkeypatch, settings):
    monkeypatch.setattr(renewing, "_started", [])
    monkeypatch.setattr(renewing.sys, "executable", "/bin/true")
    for _ in range(3):
        renewing.start().wait()
    assert len(renewing._started) == 1
