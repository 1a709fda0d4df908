"""A contract for import-linter without a list of games: only the registry imports a game, and no game imports another."""

from __future__ import annotations

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, output

CORE = "games.core"
REGISTRY = "games.registry"


class GamesStandAlone(Contract):
    """Every package under `games` except the core is a game; it may import itself and the core."""

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        games = sorted(graph.find_children("games") - {CORE, REGISTRY})
        wrong = []
        for game in games:
            inside = {game, *graph.find_descendants(game)}
            for module in inside:
                wrong += [(importer, module) for importer in graph.find_modules_that_directly_import(module) - inside - {REGISTRY}]
                imported = {name for name in graph.find_modules_directly_imported_by(module) if name.startswith("games.")}
                wrong += [(module, name) for name in imported - inside if not name.startswith(CORE)]
        wrong += [(module, REGISTRY) for module in graph.find_modules_that_directly_import(REGISTRY) if module.startswith(CORE)]
        return ContractCheck(kept=not wrong, metadata={"wrong": sorted(set(wrong))})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for importer, imported in check.metadata["wrong"]:
            output.print_error(f"{importer} must not import {imported}")
