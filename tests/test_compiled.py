"""Compiled engines are used only while they fit their sources, and mypyc is given a copy that says the same as the source."""

from __future__ import annotations

import ast
import json
import logging
import os
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES

import pytest

from games.core import compiled
from games.core.compiled import FOLDER, ROOT, Finder, digest, fault
from games.registry import GAMES
from tools.compiled import figures
from tools.compiled.__main__ import needs
from tools.compiled.sources import (
    SHARED,
    chosen,
    file_of,
    looped,
    readable,
    unpacked,
    with_annotations,
    with_class_variables,
    with_compact,
    with_loops,
    without_slots,
)

# What mypyc would read otherwise, or not at all; the last line says what has come of it.
SAMPLE = """
from dataclasses import dataclass, fields
from typing import ClassVar, Final, get_type_hints


@dataclass(frozen=True, slots=True)
class Take:
    verb: ClassVar[str] = "take"
    card: int
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Place:
    verb: ClassVar[str]
    place: int


class Fort(Place):
    __slots__ = ()
    verb = "fort"


@dataclass(frozen=True, slots=True)
class Conquer(Place):
    verb: ClassVar[str] = "conquer"
    by_fleet: bool


class Squares(dict[int, int]):
    def __missing__(self, n: int) -> int:
        self[n] = n * n
        return n * n


SQUARES: Final = Squares()


def verb_of(action: Take | Fort | Conquer) -> str:
    return action.verb


def is_among(action: Take | Fort | Conquer, actions: list[Take | Fort | Conquer]) -> bool:
    return action in actions


def weights() -> list[float]:
    return [0.25, 0.5]


def found(tiles: bytearray) -> list[int]:
    return [tile for tile in tiles if tile in (*range(3), 7)]


SAID = [
    [verb_of(action) for action in (Take(4), Fort(5), Conquer(6, True))],
    [kind.verb for kind in (Take, Fort, Conquer)],
    [[field.name for field in fields(kind)] for kind in (Take, Fort, Conquer)],
    [str(Take(4)), hash(Take(4)) == hash(Take(4)), is_among(Fort(5), [Fort(4), Fort(5)]), is_among(Conquer(5, True), [Fort(5)])],
    [SQUARES[9], SQUARES, get_type_hints(Take)["seat"]],
    [2 * sum(weights()), sum(weight for weight in weights())],
    found(bytearray([1, 5, 7])),
]
"""


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
    (folder / "rules.so").unlink()  # `make slow` while this process runs
    assert finder.find_spec("games.nim.rules") is None


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


def test_class_variables_of_dataclasses_move_into_a_base_class_and_lines_stay():
    source = "X = 1\n\n\n@dataclass(frozen=True)\nclass A(B, C):\n    v: ClassVar[str] = 'a'\n    w: ClassVar[int]\n    f: int\n\n\n@dataclass\nclass D:\n    f: int\n"
    written = with_class_variables(source).split("\n")
    assert written[2] == "class _AVariables(B, C): v: ClassVar[str] = 'a'; w: ClassVar[int]"
    assert written[3:8] == ["@dataclass(frozen=True)", "class A(_AVariables):", "", "", "    f: int"]
    assert written[8:] == source.split("\n")[8:]
    ast.parse("\n".join(written))


def test_dataclasses_keep_their_annotations_as_they_are_written():
    source = (
        "@dataclass\nclass A:\n    f: int | None  # of an A\n    g: tuple[str, ...] = ()\n\n    def h(self) -> int: ...\n\n\nclass B: ...\n"
    )
    written = with_annotations(source).split("\n")
    assert written[6] == """setattr(A, "__annotations__", {'f': 'int | None', 'g': 'tuple[str, ...]'})"""
    assert written[:6] + written[7:] == source.split("\n")[:6] + source.split("\n")[7:]


def is_constant(node):
    """Whether an operand of `is` is None, a truth value, a class, or an object that is written in capitals."""
    node = node.value if isinstance(node, ast.Subscript) else node
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id[0].isupper())


@pytest.mark.parametrize("key", [SHARED, *GAMES])
def test_what_is_compiled_compares_no_numbers_by_identity(key):
    """A compiled number is another object each time it is looked at. Nothing but constants and classes may follow `is`."""
    for module in chosen(key)[0]:
        for node in ast.walk(ast.parse(file_of(module).read_text())):
            if isinstance(node, ast.Compare):
                others = [other for op, other in zip(node.ops, node.comparators, strict=True) if isinstance(op, ast.Is | ast.IsNot)]
                is_of_types = ast.unparse(node.left).startswith("type(")
                assert is_of_types or all(map(is_constant, others)), f"{module}, line {node.lineno}: {ast.unparse(node)}"


@pytest.mark.skipif(needs() is not None, reason=str(needs()))
def test_what_mypyc_misreads_is_compiled_and_says_the_same(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src/sample.py").write_text(readable(SAMPLE))
    (tmp_path / "lib").mkdir()
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain/sample.py").write_text(SAMPLE)
    done = subprocess.run(
        [sys.executable, "-m", "tools.compiled.one", tmp_path, "sample"],
        cwd=ROOT,
        env={**os.environ, "ENGINES_OPT": "0"},
        capture_output=True,
        text=True,
    )
    assert not done.returncode, done.stdout + done.stderr
    said = []
    for folder in ("plain", "lib"):
        argv = [sys.executable, "-c", "import sample; print(sample.__file__); print(sample.SAID)"]
        file, answer = subprocess.check_output(argv, cwd=tmp_path / folder, text=True).splitlines()
        assert file.endswith(EXTENSION_SUFFIXES[0] if folder == "lib" else ".py")
        said.append(answer)
    assert said[0] == said[1]


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
    assert figures.difference(key, 3) is None


def test_the_first_move_that_differs_is_named_with_the_part_of_it(monkeypatch):
    """The second of two random games of Ra: the reasons of its third move say another number in the compiled form."""

    def ask(form, what, key, *numbers, is_strict):
        if what == "traces":
            return [[1, 2, 3], [1, 2, 4 if form == "plain" else 5, 6], []]
        assert (what, key, numbers) == ("one_move", "ra", (2, 1, 2))
        return ["0", "'draw'", "('ra_chance', 17)" if form == "plain" else "('ra_chance', 17.0)", "[]", "{}"]

    monkeypatch.setattr(figures, "ask", ask)
    where, *texts = figures.difference("ra", 2).splitlines()
    assert where == "random game 1 of 3 seats, move 3: the reasons differ"
    assert texts == ["  plain    ('ra_chance', 17)", "  compiled ('ra_chance', 17.0)"]
    monkeypatch.setattr(figures, "ask", lambda *args, **kwargs: [[1, 2], [3]])
    assert figures.difference("ra", 2) is None


def test_git_does_not_see_what_is_built():
    assert FOLDER.relative_to(ROOT).parts[0] + "/" in (ROOT / ".gitignore").read_text().splitlines()
