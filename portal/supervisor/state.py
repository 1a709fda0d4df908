"""The state folder: where the embedded servers keep data, sockets, secrets and logs, and who may use it now."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import pwd
import re
import secrets
import stat
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

SOCKET_PATH_LIMIT = 107  # bytes, from the size of sun_path in Linux
LONGEST_SOCKET = len("/.s.PGSQL.5432.lock")
DATABASE = "ziggurat"


class Problem(Exception):
    """A reason why the portal cannot start, in one line that says what to do."""


def is_root() -> bool:
    return os.geteuid() == 0


def server_user() -> pwd.struct_passwd | None:
    """Return the user that Postgres runs as when we are root, since it refuses to run as root."""
    return pwd.getpwnam("nobody") if is_root() else None


def everyone_reaches(path: Path) -> bool:
    """Say whether any user may pass through every folder down to `path`; what does not exist yet is left out."""
    return all(folder.stat().st_mode & stat.S_IXOTH for folder in (path, *path.parents) if folder.exists())


@dataclass(frozen=True)
class State:
    """Paths of one state folder. Two starts with the same folder use the same paths."""

    folder: Path
    cluster: Path  # holds pg<major>/ and, where needed, a copy of the server
    sockets: Path

    @classmethod
    def of(cls, folder: Path) -> State:
        """Work out the paths; creates nothing."""
        folder = folder.absolute()
        mark = hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]
        try:
            cluster = Path((folder / "where.txt").read_text().strip())
        except OSError:  # missing, or not a folder, which `prepare` reports
            cluster = folder if not is_root() or everyone_reaches(folder) else Path(f"/var/tmp/ziggurat-{mark}")
        sockets = folder / "sockets"
        plain = re.fullmatch(r"[\w./-]+", str(sockets), re.ASCII)
        if not plain or len(os.fsencode(sockets)) + LONGEST_SOCKET > SOCKET_PATH_LIMIT or not (not is_root() or everyone_reaches(folder)):
            sockets = Path(f"/tmp/ziggurat-{os.geteuid()}-{mark}")
        return cls(folder, cluster, sockets)

    @property
    def logs(self) -> Path:
        return self.folder / "logs"

    @property
    def backups(self) -> Path:
        return self.folder / "backups"

    def prepare(self) -> None:
        """Create the folder itself. Raises Problem when it cannot be ours."""
        try:
            # Others have no business here. Only PostgreSQL passes through it, as another user if we are root.
            self.folder.mkdir(mode=0o711 if is_root() else 0o700, parents=True, exist_ok=True)
            self.logs.mkdir(mode=0o700, exist_ok=True)  # they may contain mail
            with open(self.folder / "lock", "a"):
                pass
        except OSError as error:
            raise self._unusable(error) from None

    def prepare_servers(self) -> None:
        """Create the folders of the embedded servers. Raises Problem when they cannot be ours."""
        if self.cluster != self.folder:
            self._prepare_cluster()
        elif is_root():
            self.folder.chmod(stat.S_IMODE(self.folder.stat().st_mode) | stat.S_IXOTH)  # whatever the umask was
        owner = server_user()
        self.sockets.mkdir(mode=0o700, exist_ok=True)
        self._check_owner(self.sockets, {os.geteuid(), owner.pw_uid if owner else os.geteuid()})
        if owner:
            os.chown(self.sockets, owner.pw_uid, owner.pw_gid)

    def tidy(self) -> None:
        """Remove the socket folder if it is outside, so that a stopped portal leaves nothing in /tmp."""
        if self.sockets.parent != self.folder:
            with contextlib.suppress(OSError):
                for left in self.sockets.iterdir():
                    left.unlink()
                self.sockets.rmdir()

    def _prepare_cluster(self) -> None:
        """Create the outside folder; a leftover of a state folder since removed is moved aside, not reused."""
        where = self.folder / "where.txt"
        if not where.exists():
            if any(self.folder.glob("pg*/PG_VERSION")):
                raise Problem(
                    f"The data in {self.folder} are out of reach for the server. Open the way to them: chmod o+x that folder and those above it."
                )
            if os.path.lexists(self.cluster):
                self.cluster.rename(f"{self.cluster}.old-{int(time.time())}")
            self.cluster.mkdir(mode=0o755)
            where.write_text(f"{self.cluster}\n")
        self.cluster.mkdir(mode=0o755, exist_ok=True)
        self._check_owner(self.cluster, {os.geteuid()})
        self.cluster.chmod(0o755)

    def _check_owner(self, path: Path, owners: set[int]) -> None:
        found = path.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid not in owners:
            raise Problem(f"{path} belongs to someone else. Remove it, or set ZIGGURAT_STATE to another folder.")

    def secret(self, name: str) -> str:
        """Return the secret kept under `name`, creating it at the first call."""
        file = self.folder / name
        try:
            return file.read_text().strip()
        except FileNotFoundError:
            pass
        except OSError as error:
            raise self._unusable(error) from None
        try:
            return self._make_secret(file)
        except OSError as error:
            raise self._unusable(error) from None

    def replace_secret(self, name: str, value: str) -> None:
        """Keep another secret under `name`, as a restore into an empty folder does."""
        self._draft(self.folder / name, value).replace(self.folder / name)

    def _draft(self, file: Path, value: str) -> Path:
        draft = self.folder / f".{file.name}.{os.getpid()}"
        with open(os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "w") as out:
            out.write(value + "\n")
        return draft

    def _make_secret(self, file: Path) -> str:
        self.folder.mkdir(parents=True, exist_ok=True)
        draft = self._draft(file, secrets.token_urlsafe(50))
        try:
            os.link(draft, file)  # never a half-written secret, and the first of two processes wins
        except FileExistsError:
            pass
        finally:
            draft.unlink()
        return file.read_text().strip()

    def _unusable(self, error: OSError) -> Problem:
        return Problem(f"Cannot use the state folder {self.folder}: {error.strerror}. Set ZIGGURAT_STATE to a folder of yours.")

    def database_url(self, database: str = DATABASE) -> str:
        """Return the address of the embedded Postgres, whether it runs or not."""
        password = self.secret("postgres_password")
        return f"postgres://{DATABASE}:{quote(password)}@/{database}?host={quote(str(self.sockets), safe='/')}"

    def redis_url(self) -> str:
        """Return the address of the embedded Valkey, whether it runs or not."""
        return f"unix://{self.sockets}/valkey.sock?db=0"


class InUse(Problem):
    """Another portal, or a restore, runs on the state folder."""

    def __init__(self, folder: Path, who: str) -> None:
        super().__init__(f"Ziggurat already runs on the state folder {folder} ({who}). Stop it, or set ZIGGURAT_STATE and PORT to others.")
        self.folder, self.who = folder, who


class Lock:
    """Only one portal uses a state folder. The lock is on open files, so the end of the process releases it.

    The second file is inherited by the guards: while servers of an earlier, killed supervisor still end, we wait.
    """

    def __init__(self, state: State, address: str) -> None:
        self._ours = open(state.folder / "lock", "r+")  # noqa: SIM115 (open for life)
        try:
            fcntl.flock(self._ours, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            who = self._ours.read().strip() or "another process"
            raise InUse(state.folder, who) from None
        self._ours.truncate(0)
        self._ours.write(f"process {os.getpid()}, {address}\n")
        self._ours.flush()
        self._servers = open(state.folder / "servers.lock", "a")  # noqa: SIM115
        self._wait_for_servers(state)

    def _wait_for_servers(self, state: State, within_s: float = 15.0) -> None:
        end = time.monotonic() + within_s
        while True:
            try:
                fcntl.flock(self._servers, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except OSError:
                if time.monotonic() > end:
                    raise Problem(
                        f"Servers of an earlier run on {state.folder} do not end. Look for them with: ps ax | grep guard.py"
                    ) from None
                time.sleep(0.05)

    def fileno(self) -> int:
        """Return the descriptor that guards inherit."""
        return self._servers.fileno()

    def release(self) -> None:
        self._ours.truncate(0)
        self._ours.close()
        self._servers.close()
