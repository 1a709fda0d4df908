"""An operator hears of weights that bots can't use: at the start, from monitors, and nobody's table stops."""

from __future__ import annotations

import pytest
from django.conf import settings

from games.registry import GAMES
from portal.common import weights
from portal.common.management.commands import up
from portal.site import metrics
from portal.site.facts import gather

LINE = "ra: master plays as scribe: master.npz is missing"


@pytest.fixture
def damaged(monkeypatch):
    """Weights of Ra that can't be used."""
    monkeypatch.setattr("games.core.learner.problems", lambda game: [LINE] if game.meta.key == "ra" else [])
    yield
    (settings.STATE_DIR / weights.FILE).unlink(missing_ok=True)


def test_what_was_wrong_at_the_start_is_kept_and_forgotten_at_the_next(damaged, tmp_path, monkeypatch):
    assert weights.told(tmp_path) == []
    assert weights.look(tmp_path) == weights.told(tmp_path) == [LINE]
    monkeypatch.setattr("games.core.learner.problems", lambda game: [])
    assert weights.look(tmp_path) == weights.told(tmp_path) == []


def test_the_start_says_it_in_one_line(damaged, monkeypatch, capsys):
    monkeypatch.setattr(up, "call_command", lambda *args, **options: None)
    monkeypatch.setattr(up, "alone", up.contextmanager(lambda: iter([None])))
    up.Command()._prepare_database()
    assert capsys.readouterr().err.splitlines() == [f"  ! {LINE}"]


def test_monitors_read_it(damaged, client, db):
    weights.look(settings.STATE_DIR)
    assert gather().weights == [LINE]
    text = metrics.text(is_shared=False).decode()
    found = {key: f'ziggurat_weights_unusable{{game="{key}"}} {float(key == "ra")}' for key in GAMES}
    assert all(line in text for line in found.values())
    answer = client.get("/readyz")
    assert answer.json()["weights"] == [LINE]


@pytest.mark.parametrize("key", GAMES)
def test_the_weights_of_every_game_can_be_used(key):
    from games.core.learner import problems

    assert problems(GAMES[key].game) == []
