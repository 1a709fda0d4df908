"""What the supervisor loads before it forks its services, and what a fork must settle before it works."""

from __future__ import annotations

import ctypes
import gc
import importlib
import os
import sys

from django.conf import settings
from django.utils import translation
from django.utils.module_loading import autodiscover_modules

from portal.configuration import database_options, worker_options

# Nothing here connects to a server or starts a thread. `portal.asgi` itself is left out: it looks for the static files, which are collected later.
PROGRAMS = (
    "portal.wsgi",
    "portal.urls",
    "portal.live.hub",
    "portal.live.mux",
    "portal.live.pages",
    "portal.live.files",
    "whitenoise.middleware",
    "granian.cli",
    "granian.server",
    "celery.bin.celery",
    "celery.bin.worker",
    "celery.apps.worker",
    "celery.apps.beat",
    "celery.concurrency.solo",
    "celery.concurrency.prefork",
    "kombu.transport.redis",
)
M_ARENA_MAX = -8
ARENAS = 2  # of the allocator: by default each thread may keep one of its own


def load() -> None:
    """Import the whole portal and what runs it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, ARENAS)
    for program in PROGRAMS:
        importlib.import_module(program)
    autodiscover_modules("tasks")


def keep() -> None:
    """Load the translations, and set aside for good what is loaded, so that the forks go on sharing its memory."""
    for language in settings.INTERFACE_LANGUAGES:
        with translation.override(language):
            translation.gettext("Close")
    gc.collect()
    gc.freeze()


def settle() -> None:
    """Give this fork the settings that the environment of its part asks for, as `portal.settings` does in a process that starts afresh."""
    options = settings.DATABASES["default"]["OPTIONS"]
    options["options"] = f"{options['options']} {database_options(os.environ.get('ZIGGURAT_WORK', ''))}".strip()
    settings.WORKER_NAME = os.environ.get("ZIGGURAT_WORKER", "")
    settings.CELERY_BROKER_TRANSPORT_OPTIONS.update(worker_options(settings.WORKER_NAME))
