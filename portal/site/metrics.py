"""`/metrics`: what monitors read. For whoever has METRICS_TOKEN, and for programs on this machine; for everybody else there is no such page."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from hmac import compare_digest
from ipaddress import ip_address
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from games.registry import GAMES
from portal.common.limits import Guesses
from portal.metrics import folder
from portal.metrics.definitions import REGISTRY
from portal.site.facts import Facts, gather

log = logging.getLogger(__name__)

TOKENS: Final = Guesses("metrics-token", limit=20, window_s=900)
FORWARDED: Final = ("HTTP_FORWARDED", "HTTP_VIA", "HTTP_X_REAL_IP", "HTTP_X_FORWARDED")  # what proxies add


def metrics(request: HttpRequest) -> HttpResponse:
    """Answer with all numbers as text, or 404. Raises TooManyGuesses."""
    if request.method not in ("GET", "HEAD") or not _may_read(request):
        raise Http404
    response = HttpResponse(text(is_shared=folder.is_shared()), content_type=CONTENT_TYPE_PLAIN_0_0_4)
    response["Cache-Control"] = "no-store"
    return response


def _may_read(request: HttpRequest) -> bool:
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    if settings.METRICS_TOKEN and scheme.lower() == "bearer":
        TOKENS.check(request)
        if compare_digest(given.strip().encode(), settings.METRICS_TOKEN.encode()):
            return True
        TOKENS.count(request)
        return False
    return settings.PROXY_COUNT == 0 and _is_of_this_machine(request)


def _is_of_this_machine(request: HttpRequest) -> bool:
    """Say whether a program on this machine asks, and not a proxy on it for somebody else."""
    if any(name.startswith(FORWARDED) for name in request.META):
        return False
    try:
        address = ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


def text(*, is_shared: bool) -> bytes:
    """Return all numbers in Prometheus's text format: of this process alone, or of all on this machine if they are shared."""
    found = CollectorRegistry()
    found.register(_Now(gather()))
    if not is_shared:
        return generate_latest(found) + generate_latest(REGISTRY)
    try:
        with folder.still():
            folder.add_up_ended()
            found.register(_Processes())
            MultiProcessCollector(found, str(folder.FOLDER))
            return generate_latest(found)
    except OSError as error:
        log.warning("numbers of the processes can't be read: %s", error)
        return generate_latest(found)


class _Now(Collector):
    """What is so now, for the whole site, whichever process is asked."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts

    def collect(self) -> Iterable[Metric]:
        facts = self._facts
        up = GaugeMetricFamily("ziggurat_up", "Whether a part answers.", labels=["part"])
        up.add_metric(["database"], facts.data is not None)
        up.add_metric(["broker"], facts.lines is not None)
        yield up
        yield from self._of_data()
        yield from self._of_lines()
        unusable = GaugeMetricFamily("ziggurat_weights_unusable", "Whether a game's master lacks its weights.", labels=["game"])
        for key in GAMES:
            unusable.add_metric([key], any(line.startswith(f"{key}:") for line in facts.weights))
        yield unusable
        yield _one("backup_age_seconds", "Age of the newest backup.", facts.backup_age_s)

    def _of_data(self) -> Iterable[Metric]:
        games = GaugeMetricFamily("ziggurat_games_running", "Running games.", labels=["waits_for"])
        waiting = GaugeMetricFamily("ziggurat_games_waiting_seconds", "Longest wait of a game.", labels=["waits_for"])
        data = self._facts.data
        if data is not None:
            for waits_for in ("person", "bot", "scorer", "nobody"):
                games.add_metric([waits_for], data.games.get(waits_for, 0))
            for waits_for in ("bot", "scorer"):
                waiting.add_metric([waits_for], data.waiting_s.get(waits_for, 0))
        yield games
        yield waiting
        yield _one("games_unrated", "Finished games not yet in the standings.", data.unrated if data else None)
        yield _one("mail_waiting", "Mail that is due.", data.mail if data else None)
        yield _one("mail_waiting_seconds", "How long the oldest due mail has waited.", data.mail_waiting_s if data else None)
        yield _one("mail_failing", "Mail tried in vain within an hour.", data.mail_failing if data else None)

    def _of_lines(self) -> Iterable[Metric]:
        lines = self._facts.lines or {}
        numbers: dict[str, tuple[str, dict[str, float | None]]] = {
            "queue_moving": ("Whether work is taken.", {name: float(line.state == "moving") for name, line in lines.items()}),
            "queue_waiting": ("Tasks that wait.", {name: line.waiting for name, line in lines.items()}),
            "queue_oldest_seconds": ("How long the oldest task has waited.", {name: line.oldest_s for name, line in lines.items()}),
            "queue_taken_seconds": ("Since a task was taken.", {name: line.taken_s for name, line in lines.items()}),
            "queue_seen_seconds": ("Since a worker was heard of.", {name: line.seen_s for name, line in lines.items()}),
        }
        for number, (says, values) in numbers.items():
            family = GaugeMetricFamily(f"ziggurat_{number}", says, labels=["queue"])
            for queue, value in values.items():
                if value is not None:
                    family.add_metric([queue], value)
            yield family


def _one(name: str, says: str, value: float | None) -> Metric:
    """Return a number without labels; None gives its name only."""
    family = GaugeMetricFamily(f"ziggurat_{name}", says, labels=[])
    if value is not None:
        family.add_metric([], value)
    return family


class _Processes(Collector):
    """Memory, CPU and open files of each web process and worker of this machine, as the library reads them."""

    def collect(self) -> Iterable[Metric]:
        families: dict[str, Metric] = {}
        for pid, part in folder.parts().items():
            of_one = ProcessCollector(namespace="ziggurat", pid=lambda pid=pid: pid, registry=None)  # type: ignore[misc]
            for family in of_one.collect():
                of_all = families.setdefault(family.name, Metric(family.name, family.documentation, family.type))
                for sample in family.samples:
                    of_all.add_sample(sample.name, {"part": part, "pid": str(pid)}, sample.value)
        return families.values()
