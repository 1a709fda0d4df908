"""Static files are collected and compressed only when one has changed: that takes seconds, checking takes no time."""

from __future__ import annotations

import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

IGNORED = ["redoc"]  # 8 MB for another schema page, which no URL of ours shows


def collect() -> bool:
    """Bring STATIC_ROOT up to date; returns whether there was anything to do."""
    stamp = Path(settings.STATIC_ROOT) / ".collected"
    found = _fingerprint()
    if stamp.exists() and stamp.read_text() == found:
        return False
    stamp.unlink(missing_ok=True)
    call_command("collectstatic", verbosity=0, interactive=False, clear=stamp.parent.exists(), ignore_patterns=IGNORED)
    stamp.write_text(found)
    return True


def _fingerprint() -> str:
    """Return a digest of the names, sizes and times of all source files, and of the storage that processes them."""
    lines = [settings.STORAGES["staticfiles"]["BACKEND"]]
    for finder in get_finders():
        for name, storage in finder.list(IGNORED):
            facts = Path(storage.path(name)).stat()
            lines.append(f"{storage.path(name)} {facts.st_size} {facts.st_mtime_ns}")
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()
