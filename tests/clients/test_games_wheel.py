"""The engines as a wheel of their own: all that they need is in it, and nothing of the portal."""

from __future__ import annotations

import subprocess
import zipfile

from games.registry import GAMES
from tests.clients.installed import NEEDED_BY_GAMES, ROOT, build_games, install, python

PLAYS = """
import random, sys
from games.registry import GAMES
from games.core.options import full_options
from games.core.rng import SeededRng
from games.core.contract import CHANCE, SCORER
for key, entry in GAMES.items():
    game, rng, dice = entry.game, SeededRng(1), random.Random(1)
    state = game.setup(min(game.meta.seats), full_options(game.meta, {}))
    for _ in range(30):
        actor = game.actors(state)[0]
        if actor == CHANCE:
            action = game.sample_chance(state, rng)
        elif actor == SCORER:
            break
        else:
            action = dice.choice(list(game.legal_for_view(game.view_for(state, actor))))
        state = game.apply(state, actor, action)[0]
    print(key)
assert not {name for name in sys.modules if name.split(".")[0] in ("django", "portal", "celery", "voice", "rules_docs")}
"""


def test_the_engines_play_without_the_portal(tmp_path):
    wheel = build_games(tmp_path / "built")
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {"games", wheel.name.split("-py3")[0] + ".dist-info"}
    ours = {path.relative_to(ROOT).as_posix() for path in (ROOT / "games").rglob("*") if path.is_file()}
    ours = {name for name in ours if "__pycache__" not in name and not name.endswith((".pyc", ".so"))}
    assert {name for name in names if name.startswith("games/") and not name.endswith("/")} == ours
    script = tmp_path / "plays.py"
    script.write_text(PLAYS)
    folder = install(wheel, tmp_path / "installed", NEEDED_BY_GAMES)
    done = subprocess.run(python(folder, script), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == list(GAMES)
