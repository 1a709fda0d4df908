"""Measure each level of bots against the one below it: no database, no server."""

from __future__ import annotations

import json
import sys
import textwrap
import time
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from functools import partial
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.core import figures, ladder, ladder_docs, simulate
from games.core.figures import EdgeFigures, OrderFigures
from games.core.ladder import Balance, Edge
from games.registry import GAMES, game
from portal.common.progress import Bar
from portal.tables.management import engine_options

PAGE: Final = Path(__file__).resolve().parents[4] / "docs/bots.md"


class Command(BaseCommand):
    help = textwrap.dedent(
        f"""\
        Measure each bot level against the one below: one bot of the level among bots of the level below, at every player count.
        Deals are paired: each is played once with the better bot in every seat, with the same chance as far as they draw alike, so there
        are at least --games games. The 95 % interval is Wilson's, for as many games as the scatter between deals is worth.
        "times fair" is the win rate times the seats: 1 would be no better than the others. The goal is {ladder.GOAL_ALONE:.0%} of the wins
        with two seats and {ladder.GOAL_SHARE} times the fair share with more. "ms" are p50, p95 and most of the processor's time for a move
        of the better bot, where it had a choice.

          manage.py ladder
          manage.py ladder --game ra --seats 4 --games 1000 --json
          manage.py ladder --game ra --edge scribe/journeyman --seats 3 --save --minutes 5
          manage.py ladder --game ra --seats-balance master --games 1000 --save

        --save writes each line into games/<game>/ladder.json as soon as it is done, and from there into docs/bots.md; the page for players
        shows the same file. Finished games are kept in the state folder meanwhile: the same command goes on where the last one was stopped
        or ran out of --minutes, as long as the bots' code and weights are the same. --seats-balance puts one level in every seat and says
        how often the first wins, the second, and so on, in the order that chance gives the players at the start. --check says whether
        docs/bots.md shows what the files say; --tables brings it up to date.
        """
    )
    requires_system_checks: list[str] = []  # noqa: RUF012  (Django's own name and type)

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        return super().create_parser(prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--game", help=f"only this game: {', '.join(GAMES)} (default: all)")
        parser.add_argument("--seats", type=int, help="only this player count (default: all that the game allows)")
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--edge", metavar="A/B", help="only level A among bots of level B; any two levels")
        what.add_argument(
            "--seats-balance", metavar="LEVEL", help="this level in every seat: how often does the first player win, the second, ..?"
        )
        what.add_argument("--check", action="store_true", help="play nothing; exit code 1 if docs/bots.md is out of date")
        what.add_argument("--tables", action="store_true", help="play nothing; write the tables in docs/bots.md")
        engine_options.add_games(parser, 400)
        engine_options.add_seed(parser)
        engine_options.add_jobs(parser)
        parser.add_argument(
            "--minutes", type=engine_options.positive, metavar="M", help="stop soon after M minutes; go on next time (with --save)"
        )
        parser.add_argument("--save", action="store_true", help="write the figures into games/<game>/ladder.json and docs/bots.md")
        parser.add_argument("--json", action="store_true", help="print the figures as JSON and nothing else on stdout")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["check"] or options["tables"]:
            self._tables(is_check=options["check"])
            return
        if options["minutes"] and not options["save"]:
            raise CommandError("--minutes keeps the games for the next time, so it needs --save", returncode=2)
        keys = list(GAMES) if options["game"] is None else [engine_options.find_game(options["game"]).key]
        until = time.monotonic() + 60 * options["minutes"] if options["minutes"] else None
        report: dict[str, Any] = {"seed": options["seed"], "games": {}}
        for key in keys:
            rules = game(key)
            seats = engine_options.seat_counts(rules, options["seats"])
            try:
                wanted: list[Edge | Balance] = (
                    [*ladder.balances(rules, seats, options["seats_balance"])]
                    if options["seats_balance"]
                    else [*ladder.edges(rules, seats, options["edge"])]
                )
            except ladder.LevelError as error:
                raise CommandError(str(error), returncode=2) from None
            if not options["json"]:
                self.stdout.write(f"{rules.meta.title}: at least {options['games']} games a line, seed {options['seed']}")
            report["games"][key] = [ladder.report(row) for row in self._measured(key, wanted, options, until)]
        if options["json"]:
            self.stdout.write(json.dumps(report))

    def _measured(
        self, key: str, wanted: list[Edge | Balance], options: dict[str, Any], until: float | None
    ) -> list[EdgeFigures | OrderFigures]:
        """Play what is wanted of a game, tell each line, and return the finished ones."""
        folder, rows, seed = GAMES[key].folder, [], options["seed"]
        mark = figures.bots_mark(folder)
        todo = [*ladder.all_of(wanted, options["games"])]
        before = 0
        if not options["json"]:
            self._tell_head(is_balance=bool(options["seats_balance"]))
        with Bar("games", sum(n for _, n in todo)) as bar:
            for what, n in todo:
                journal = ladder.Journal.of(settings.STATE_DIR / "ladder" / key, what, seed, mark) if options["save"] else None
                tell = partial(_shift, bar, before)
                try:
                    lines = ladder.games_of(game, what.match(key, seed), n, options["jobs"], journal, tell, until)
                except simulate.BotError as error:
                    raise CommandError(str(error)) from None
                before += n
                if len(lines) < n:
                    self.stderr.write(f"{key}, {what}: {len(lines)} of {n} games so far; the same command goes on from there")
                    break
                source = figures.source(_command(key, what, options), seed, mark)
                row: EdgeFigures | OrderFigures
                if isinstance(what, Edge):
                    row = ladder.edge_figures(what, lines, source)
                else:
                    match = what.match(key, seed)
                    orders = [simulate.starting_order(game(key), match, line.number) for line in lines]
                    row = ladder.order_figures(what, orders, lines, source)
                rows.append(row)
                if options["save"]:
                    figures.save(folder, row)
                    self._tables(is_check=False)
                if not options["json"]:
                    self._tell(row)
        return rows

    def _tell_head(self, *, is_balance: bool) -> None:
        if is_balance:
            self.stdout.write(
                f"{'in every seat':14s} {'seats':>5s} {'games':>6s}  wins of the first, the second, .., with their 95 % intervals"
            )
        else:
            self.stdout.write(
                f"{'one':12s} {'among':12s} {'seats':>5s} {'games':>6s} {'rate':>7s}  {'95 % interval':15s} {'times fair':>10s} {'goal':>6s}"
                f"  {'mean score':13s}  ms"
            )

    def _tell(self, row: EdgeFigures | OrderFigures) -> None:
        if isinstance(row, EdgeFigures):
            interval = f"{100 * row.low:.1f} .. {100 * row.high:.1f} %"
            scores = f"{row.mean_score:.1f} to {row.other_mean_score:.1f}"
            self.stdout.write(
                f"{row.better:12s} {row.than:12s} {row.seats:5d} {row.games:6d} {100 * row.win_rate:6.1f}%  {interval:15s}"
                f" {row.win_rate * row.seats:10.2f} {100 * ladder.goal(row.seats):5.0f}%  {scores:13s}"
                f"  {row.p50_ms:.1f}, {row.p95_ms:.1f}, {row.max_ms:.1f}"
            )
            return
        parts = [
            f"{100 * rate:.1f} % ({100 * low:.1f} .. {100 * high:.1f})"
            for rate, low, high in zip(row.win_rates, row.low, row.high, strict=True)
        ]
        self.stdout.write(f"{row.level:14s} {row.seats:5d} {row.games:6d}  {', '.join(parts)}")

    def _tables(self, *, is_check: bool) -> None:
        """Bring the tables in docs/bots.md up to date, or end with code 1 if they are not."""
        try:
            page = PAGE.read_text(encoding="utf-8")
            new = ladder_docs.rewritten(page, lambda key: ladder_docs.tables(game(key), figures.read(GAMES[key].folder)))
        except (OSError, ValueError) as error:
            raise CommandError(str(error)) from None
        if is_check and new != page:
            self.stderr.write("docs/bots.md doesn't show what the games' ladder.json say: run manage.py ladder --tables")
            sys.exit(1)
        if not is_check and new != page:
            PAGE.write_text(new, encoding="utf-8")


def _shift(bar: Bar, before: int, done: int) -> None:
    bar.at(before + done)


def _command(key: str, what: Edge | Balance, options: dict[str, Any]) -> str:
    """Return the command that plays the same games; how they were cut into pieces makes no difference."""
    parts = ["manage.py ladder", f"--game {key}"]
    if isinstance(what, Balance):
        parts.append(f"--seats-balance {what.level}")
    elif what not in ladder.edges(game(key), (what.seats,)):
        parts.append(f"--edge {what.better}/{what.than}")
    parts += [f"--games {options['games']}", f"--seed {options['seed']}", "--save"]
    return " ".join(parts)
