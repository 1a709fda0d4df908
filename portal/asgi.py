"""What the web server runs: event streams and static files by ASGI, pages by WSGI, on one port."""

from __future__ import annotations

import sys

from django.conf import settings
from django.db import close_old_connections
from django.http import HttpRequest, HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware

from portal.live.files import Files
from portal.live.hub import Hub
from portal.live.mux import Mux
from portal.live.pages import Pages
from portal.live.places import Places
from portal.live.programs import Programs
from portal.live.shelf import Shelf
from portal.metrics import folder
from portal.wsgi import application as pages

from portal.tables.feed import Feed  # isort: skip - its models need Django, which the line above sets up

PAGE_THREADS = 2 if settings.SMALL else 4
VISITOR_THREADS = 1 if settings.SMALL else 2
PROGRAM_THREADS = 1 if settings.SMALL else 2
HOLDS = 100 if settings.SMALL else 1_000  # streams of programs
STREAMS = 800 if settings.SMALL else 15_000  # more than the 10,000 that a process was measured with
SWITCH_S = 0.001  # how long a thread that computes a page may keep the one waiting that answers connections; Python's own 5 ms add up
ASKS = 100 if settings.SMALL else 500
SENDS = 300 if settings.SMALL else 2_000


def _no_page(_request: HttpRequest) -> HttpResponseBase:
    raise AssertionError("WhiteNoise only finds files here; it never answers for a page")


folder.use("web")
sys.setswitchinterval(SWITCH_S)
_hub = Hub(settings.LIVE_REDIS_URL)
_pages = Pages(pages, PAGE_THREADS, visitors=VISITOR_THREADS, session=settings.SESSION_COOKIE_NAME)
application = Mux(
    _hub,
    _pages,
    Files(WhiteNoiseMiddleware(_no_page), Shelf(settings.ARCHIVES_DIR)),
    streams=Places(STREAMS, settings.STREAMS_PER_ADDRESS),
    asks=Places(ASKS, settings.REQUESTS_PER_ADDRESS),
    sends=Places(SENDS, settings.REQUESTS_PER_ADDRESS),
    programs=Programs(_hub, _pages, Feed(close_old_connections), threads=PROGRAM_THREADS),
    holds=Places(HOLDS, settings.STREAMS_PER_ADDRESS),
)
