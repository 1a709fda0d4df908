"""Compiles the modules of one game: `python -m tools.compiled.one FOLDER MODULE...`, in a process of its own, because mypyc works where it stands.

FOLDER/src holds the copy of the games; FOLDER/lib gets the compiled modules.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from mypy.build import build
from mypy.main import process_options
from mypy.server.subexpr import get_subexpressions
from mypy.types import Instance, TupleType, Type, get_proper_type

from tools.compiled.sources import Place, with_loops


def typed(files: list[str]) -> dict[str, tuple[set[Place], set[Place]]]:
    """Return for each file where its expressions stand that are byte arrays, and those that hold floats.

    Exits with mypy's errors.
    """
    sources, options = process_options(["--config-file=", *files])
    options.export_types = options.preserve_asts = True
    options.incremental = False
    result = build(sources, options)
    if result.errors:
        sys.exit("\n".join(result.errors))
    found: dict[str, tuple[set[Place], set[Place]]] = {}
    for file in files:
        arrays, floats = found[file] = set(), set()
        for expression in get_subexpressions(result.files[file.removesuffix(".py").replace("/", ".")]):
            if expression.end_line is None or expression.end_column is None:  # made by mypy itself
                continue
            place = (expression.line, expression.column, expression.end_line, expression.end_column)
            kind = get_proper_type(result.types.get(expression))
            if isinstance(kind, TupleType):
                kind = kind.partial_fallback
            if not isinstance(kind, Instance):
                continue
            if kind.type.fullname == "builtins.bytearray":
                arrays.add(place)
            elif kind.args and _is_float(kind.args[0]):
                floats.add(place)
    return found


def _is_float(kind: Type) -> bool:
    proper = get_proper_type(kind)
    return isinstance(proper, Instance) and proper.type.fullname == "builtins.float"


def main(folder: Path, modules: list[str]) -> None:
    os.chdir(folder / "src")
    files = [module.replace(".", "/") + ".py" for module in modules]
    for file, (arrays, floats) in typed(files).items():
        path = Path(file)
        path.write_text(with_loops(path.read_text(), arrays, floats))
    from mypyc.build import mypycify
    from setuptools import setup  # type: ignore[import-untyped]

    # -O1: with -O2 gcc takes twice as long, and what the engines wait for is the library of Python
    extensions = mypycify(["--config-file=", *files], opt_level=os.environ.get("ENGINES_OPT", "1"), debug_level="0")
    where = ["--build-lib", str(folder / "lib"), "--build-temp", str(folder / "temp")]
    setup(name="engines", ext_modules=extensions, script_args=["-q", "build_ext", *where])


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), sys.argv[2:])
