"""Through PgBouncer, as deploy/pgbouncer.ini has it, the limits of each kind of work, prepared statements and locks hold."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from django.conf import settings

from portal.configuration import DATABASE_LIMITS
from portal.supervisor.guard import dies_with_parent
from portal.supervisor.ports import free_port
from portal.supervisor.state import server_user
from tests.portal.machines import debian
from tests.running import ROOT, wait_until

LOOK = """
import django; django.setup()
from django.db import connection
from portal.common.prepared import prepared_cursor
for number in range(5):
    with prepared_cursor() as cursor:
        cursor.execute("SELECT %s::int", [number])
with connection.cursor() as cursor:
    for name in ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout", "plan_cache_mode"):
        cursor.execute(f"SELECT setting FROM pg_settings WHERE name = '{name}'")
        print(cursor.fetchone()[0])
    cursor.execute("SELECT pg_try_advisory_lock(1), pg_advisory_unlock(1)")
    print(cursor.fetchone())
    cursor.execute("SELECT count(*) > 0 FROM pg_prepared_statements")
    print(cursor.fetchone()[0])
"""


def test_limits_prepared_statements_and_locks_pass_a_pooler(tmp_path: Path) -> None:
    if os.environ.get("DATABASE_URL"):
        pytest.skip("the pooler is tried with the suite's own server")
    port = free_port()
    tmp_path.chmod(0o755)
    password, sockets = settings.STATE.secret("postgres_password"), settings.STATE.sockets
    folder = Path(settings.STATE.folder) / "pooler"  # everybody may reach it, but for one server user
    folder.mkdir(exist_ok=True)
    program, environment = debian.copied("pgbouncer", folder)
    users, ini = folder / "users", folder / "pgbouncer.ini"
    users.write_text(f'"ziggurat" "{password}"\n')
    changes = {
        "host=127.0.0.1 port=5432 dbname=ziggurat": f"host={sockets} dbname=ziggurat",
        "listen_addr = 10.0.0.1": "listen_addr = 127.0.0.1",
        "listen_port = 6432": f"listen_port = {port}",
        "/etc/pgbouncer/userlist.txt": str(users),
    }
    ini.write_text(debian.example("pgbouncer.ini", changes))
    owner = server_user()
    for path in (folder, users, ini):
        if owner:
            os.chown(path, owner.pw_uid, owner.pw_gid)
    running = subprocess.Popen(
        [program, "-q", str(ini)],
        env=environment,
        stderr=(folder / "log").open("wb"),
        user=owner.pw_uid if owner else None,
        group=owner.pw_gid if owner else None,
        extra_groups=[] if owner else None,
        preexec_fn=dies_with_parent(15),
    )
    url = f"postgres://ziggurat:{password}@127.0.0.1:{port}/ziggurat"

    def answers() -> bool:
        assert running.poll() is None, (folder / "log").read_text()
        try:
            psycopg.connect(url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    try:
        wait_until(answers, 20)
        for work, limits in DATABASE_LIMITS.items():
            environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings", "DATABASE_URL": url, "ZIGGURAT_WORK": work}
            said = subprocess.run([sys.executable, "-c", LOOK], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
            names = ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout")
            shown = [*(str(limits.get(name, 0)) for name in names), "force_generic_plan", "(True, True)", "True"]
            assert said.stdout.split("\n")[:-1] == shown, said.stderr
        with pytest.raises(psycopg.OperationalError, match="unsupported startup parameter"):  # why the portal sets them afterwards
            psycopg.connect(url, options="-c lock_timeout=1000")
    finally:
        running.terminate()
        running.wait(10)
