"""A small disk of our own that can be full: memory that is mounted where only this process and its children see it."""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Iterator
from pathlib import Path

_NEW_MOUNTS, _NEW_USERS = 0x00020000, 0x10000000
_REMOUNT, _RECURSIVE, _PRIVATE = 32, 16384, 1 << 18
SIZE_BYTES = 3 << 30
_DETACH = 2
_libc = ctypes.CDLL(None, use_errno=True)


class NoDisk(Exception):
    """This system lets us mount nothing."""


class SmallDisk:
    """Mounted on `folder`, which must exist. Whoever ends last takes it along."""

    def __init__(self, folder: Path) -> None:
        """Call this before any thread starts. Raises NoDisk."""
        uid, gid, is_root = os.geteuid(), os.getegid(), os.geteuid() == 0
        self.folder = folder
        _check(_libc.unshare(_NEW_MOUNTS if is_root else _NEW_MOUNTS | _NEW_USERS))
        if not is_root:
            Path("/proc/self/setgroups").write_text("deny")
            Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
            Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")
        _check(_libc.mount(b"none", b"/", None, _RECURSIVE | _PRIVATE, None))
        self._mount(0, SIZE_BYTES)

    def _mount(self, flags: int, size: int) -> None:
        _check(_libc.mount(b"tmpfs", os.fsencode(self.folder), b"tmpfs", flags, f"size={size},mode=0711".encode()))

    @contextlib.contextmanager
    def full(self) -> Iterator[None]:
        """Shrink the disk to what it holds: no byte more can be written."""
        found = os.statvfs(self.folder)
        used = found.f_blocks - found.f_bfree
        for spare in range(0, 4096, 64):  # it grows while we look
            with contextlib.suppress(NoDisk):
                self._mount(_REMOUNT, (used + spare) * found.f_frsize)
                break
        else:
            raise NoDisk("the disk grows too fast")
        try:
            yield
        finally:
            self._mount(_REMOUNT, SIZE_BYTES)

    def close(self) -> None:
        """Unmount it, so that the folder can be removed."""
        _libc.umount2(os.fsencode(self.folder), _DETACH)


def _check(code: int) -> None:
    if code:
        raise NoDisk(os.strerror(ctypes.get_errno()))
