"""Settings of the test suite: a state folder of its own for each run, servers on it unless the environment names some."""

import atexit
import os
import shutil
import sys
import tempfile

if "ZIGGURAT_TEST_STATE" not in os.environ:  # the first process of the run; workers inherit it
    os.environ["ZIGGURAT_TEST_STATE"] = tempfile.mkdtemp(prefix="ziggurat-test-")
    os.chmod(os.environ["ZIGGURAT_TEST_STATE"], 0o711)  # as root, PostgreSQL runs as another user
    atexit.register(shutil.rmtree, os.environ["ZIGGURAT_TEST_STATE"], ignore_errors=True)
os.environ["ZIGGURAT_STATE"] = os.environ["ZIGGURAT_TEST_STATE"]
if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
    # The suite starts a hundred processes. Where bytecode can't be written beside the sources, it is compiled once for the run.
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = os.path.join(os.environ["ZIGGURAT_TEST_STATE"], "bytecode")
    sys.dont_write_bytecode = False

from portal.configuration import broker_url, redis_database
from portal.settings import *
from portal.settings import REDIS_OPTIONS, REDIS_URL, STATIC_ROOT

# Each worker of pytest-xdist has three databases of its own: no test sees what another counts or queues.
_worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw") or 0)
REDIS_URL = redis_database(REDIS_URL, 3 * _worker)
CELERY_BROKER_URL = broker_url(REDIS_URL)
BROKER_REDIS_URL = redis_database(REDIS_URL, 0)
LIVE_REDIS_URL = redis_database(REDIS_URL, 2)
CACHES = {
    "default": {"BACKEND": "portal.common.cache.TolerantRedisCache", "LOCATION": redis_database(REDIS_URL, 1), "OPTIONS": REDIS_OPTIONS}
}

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}

STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # WhiteNoise warns about a missing folder in every client
VISITOR_PAGES: dict[str, float] = {}  # a test sees what the last one changed; tests/portal/site/test_visitors.py turns them on
