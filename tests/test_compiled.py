"""Compiled engines are used only while they fit their sources, and mypyc is given a copy that says the same as the source."""

from __future__ import annotations

import ast
import json
import logging
from importlib.machinery import EXTENSION_SUFFIXES

import pytest

from games.core import compiled
from games.core.compiled import FOLDER, ROOT, Finder, digest, fault
from games.registry import GAMES
from tools.compiled import figures
from tools.compiled.sources import SHARED, chosen, file_of, looped, unpacked, with_compact, with_loops, without_slots


@pytest.fixture
def built(tmp_path):
    """A game that looks compiled: one source, one module, and a stamp that fits."""
    source = tmp_path / "games" / "nim" / "rules.py"
    source.parent.mkdir(parents=True)
    source.write_text("x = 1\n")
    folder = tmp_path / "build" / "nim"
    folder.mkdir(parents=True)
    (folder / "rules.so").touch()
    stamp = {"suffix": EXTENSION_SUFFIXES[0], "sources": {"games/nim/rules.py": digest(source)}, "modules": {"games.nim.rules": "rules.so"}}
    (folder / "stamp.json").write_text(json.dumps(stamp))
    return tmp_path, folder, source, stamp


def test_a_fitting_build_is_found_and_other_modules_are_left_alone(built):
    root, folder, _, _ = built
    assert fault(folder, root) is None
    finder = Finder(folder.parent, root)
    spec = finder.find_spec("games.nim.rules")
    assert spec is not None and spec.origin == str(folder / "rules.so")
    assert finder.find_spec("games.nim.scene") is None
    assert finder.find_spec("games.chess.rules") is None
    assert finder.find_spec("json") is None


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda folder, source, stamp: source.write_text("x = 2\n"), "games/nim/rules.py has changed"),
        (lambda folder, source, stamp: source.unlink(), "games/nim/rules.py has changed"),
        (lambda folder, source, stamp: (folder / "rules.so").unlink(), "rules.so is missing"),
        (lambda folder, source, stamp: (folder / "stamp.json").unlink(), "stamp.json is missing or damaged"),
        (lambda folder, source, stamp: (folder / "stamp.json").write_text("{"), "stamp.json is missing or damaged"),
        (lambda folder, source, stamp: (folder / "stamp.json").write_text("[]"), "stamp.json is missing or damaged"),
        (
            lambda folder, source, stamp: (folder / "stamp.json").write_text(json.dumps(stamp | {"suffix": ".other.so"})),
            "compiled for .other.so",
        ),
    ],
)
def test_a_build_that_no_longer_fits_is_refused_in_one_line(built, caplog, spoil, said):
    root, folder, source, stamp = built
    spoil(folder, source, stamp)
    finder = Finder(folder.parent, root)
    with caplog.at_level(logging.WARNING):
        assert finder.find_spec("games.nim.rules") is None
        assert finder.find_spec("games.nim.state") is None
    (record,) = caplog.records
    assert said in record.getMessage() and "make fast" in record.getMessage()


def test_plain_python_can_be_asked_for(monkeypatch, tmp_path):
    monkeypatch.setattr(compiled, "FOLDER", tmp_path)
    monkeypatch.setattr("sys.meta_path", [])
    monkeypatch.setenv("ENGINES", "plain")
    compiled.install()
    assert not compiled.sys.meta_path
    monkeypatch.delenv("ENGINES")
    compiled.install()
    assert len(compiled.sys.meta_path) == 1


def test_the_copy_of_a_state_has_the_methods_of_compact_and_keeps_its_lines():
    source = '@compact(derived=("c",), unordered=("b",))\nclass S(Compact):\n    a: int\n    b: list[int]\n    c: bytearray\n\n\nX = 1\n'
    written = with_compact(source).split("\n")
    assert len(written) == len(source.split("\n")) and written[7] == "X = 1"
    assert written[5] == "    def copy(self) -> S: new = S.__new__(S); new.a = self.a; new.b = self.b[:]; new.c = self.c[:]; return new"
    assert written[6].endswith("isinstance(other, S) and self.a == other.a and sorted(self.b) == sorted(other.b)")
    ast.parse("\n".join(written))


def test_slots_leave_the_copy():
    assert without_slots("@dataclass(frozen=True, slots=True)\nclass A: ...") == "@dataclass(frozen=True)\nclass A: ..."


def test_loops_that_mypyc_cannot_go_through_are_wrapped_and_no_others():
    text = "for é in a: pass\nx = [k for k in b if k in (*c, 1)]\nfor k in d: pass\n"
    tree = ast.parse(text)
    places = sorted(looped(tree))
    written = with_loops(text, {places[0], places[1]}, set())
    assert written == "for é in bytes(a): pass\nx = [k for k in bytes(b) if k in list((*c, 1))]\nfor k in d: pass\n"
    assert len(list(unpacked(tree))) == 1


def test_a_sum_of_floats_starts_at_one():
    text = "a = 2 * sum(b) + sum(k for k in c) + sum(d)"
    written = with_loops(text, set(), {(1, 12, 1, 13), (1, 20, 1, 34)})
    assert written == "a = 2 * sum(b, 0.0) + sum((k for k in c), 0.0) + sum(d)"


@pytest.mark.parametrize("key", GAMES)
def test_rules_bots_and_views_are_compiled_and_sentences_are_not(key):
    modules, others = chosen(key)
    own = {module.rpartition(".")[2] for module in modules}
    assert {"rules", "state", "actions", "legality", "bot", "evaluation", "view"} <= own
    assert not own & {"meta", "phrases", "learner", "prompt", "scene"}
    assert "games.core.contract" in others and all(file_of(module) for module in others)


@pytest.mark.parametrize("key", GAMES)
def test_a_compiled_game_and_its_source_play_equal_games(key):
    """Only where `make fast` was run; `make fast ARGS=--equal` plays more of them."""
    if not (FOLDER / key).is_dir() or not (FOLDER / SHARED).is_dir() or fault(FOLDER / key):
        pytest.skip("not compiled")
    plain, fast = (figures.ask(form, "traces", key, 3) for form in figures.FORMS)
    assert plain == fast


def test_git_does_not_see_what_is_built():
    assert FOLDER.relative_to(ROOT).parts[0] + "/" in (ROOT / ".gitignore").read_text().splitlines()
