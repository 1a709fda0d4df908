"""Dashboard, alert rules and README of `docs/monitoring/` name only numbers, labels and values that there are."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml
from django.conf import settings

from portal.site import metrics

FOLDER = Path(settings.BASE_DIR) / "docs" / "monitoring"
NAME = re.compile(r"\bziggurat_\w+")
SUFFIXES = {"counter": ("",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}
ONLY_SHARED = {  # of processes that keep their numbers in files; the library's names
    f"ziggurat_process_{name}" for name in ("resident_memory_bytes", "cpu_seconds_total", "open_fds", "max_fds")
}


@pytest.fixture
def known(db):
    """Return the names of all series."""
    types = re.findall(r"^# TYPE (\S+) (\w+)$", metrics.text(is_shared=False).decode(), re.MULTILINE)
    return {name + suffix for name, kind in types for suffix in SUFFIXES[kind]} | ONLY_SHARED


def expressions_of_dashboard():
    board = json.loads((FOLDER / "dashboard.json").read_text())
    return [target["expr"] for panel in board["panels"] for target in panel.get("targets", ())]


def rules():
    return [rule for group in yaml.safe_load((FOLDER / "alerts.yml").read_text())["groups"] for rule in group["rules"]]


def test_the_dashboard_asks_only_for_what_there_is(known):
    asked = set(NAME.findall(" ".join(expressions_of_dashboard())))
    assert len(asked) > 30
    assert asked <= known
    families = {re.sub("_(bucket|sum|count)$", "", name) for name in asked}
    assert {re.sub("_(bucket|sum|count)$", "", name) for name in known} == families  # and for all of it


def test_the_rules_ask_only_for_what_there_is_and_say_what_to_do(known):
    assert set(NAME.findall(" ".join(rule["expr"] for rule in rules()))) <= known
    for rule in rules():
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert rule["annotations"].keys() == {"summary", "action"}
    assert len({rule["alert"] for rule in rules()}) == len(rules())


def test_what_the_rules_and_the_dashboard_say_about_labels_is_so(known):
    from portal.metrics import definitions

    labels = {
        name.removesuffix("_total"): set(metric._labelnames)
        for metric in vars(definitions).values()
        if hasattr(metric, "_labelnames")
        for name in [metric._name]
    }
    for expression in [*expressions_of_dashboard(), *(rule["expr"] for rule in rules())]:
        for name, selector in re.findall(r"\b(ziggurat_\w+)\{([^}]*)\}", expression):
            family = re.sub("_(bucket|sum|count|total)$", "", name)
            if family in labels:
                assert set(re.findall(r"(\w+)=", selector)) <= labels[family], expression


def test_the_readme_names_only_what_there_is(known):
    text = (FOLDER / "README.md").read_text()
    assert {name for name in NAME.findall(text) if not {name, f"{name}_bucket"} & known} == set()
    assert all((FOLDER / name).exists() for name in re.findall(r"^\| `([\w.]+)` \|", text, re.MULTILINE))


def test_prometheus_reads_the_rules():
    read = yaml.safe_load((FOLDER / "prometheus.yml").read_text())
    assert read["rule_files"] == ["alerts.yml"]
    (job,) = read["scrape_configs"]
    assert job["job_name"] == "ziggurat"
    assert 'job="ziggurat"' in (FOLDER / "alerts.yml").read_text()
