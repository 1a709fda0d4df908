"""What the web server runs: event streams by ASGI, pages by WSGI, on one port."""

from a2wsgi import WSGIMiddleware
from django.conf import settings

from portal.live.hub import Hub
from portal.live.mux import Mux
from portal.wsgi import application as pages

PAGE_THREADS = 4

application = Mux(
    Hub(settings.LIVE_REDIS_URL),
    WSGIMiddleware(pages, workers=PAGE_THREADS),  # type: ignore[arg-type]
)
