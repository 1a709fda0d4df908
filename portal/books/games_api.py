"""The API about the games themselves, for programs that play or read them: what actions look like as text, and what views and events hold."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.contract import AnyGame
from games.core.grammar import BYS, ORDERS, as_json
from games.core.schemas import event_schema, shown, view_schema
from games.registry import GAMES
from portal.books.refusals import NoSuchGame, NothingWritten
from portal.common.api_views import CURSOR, LANG, READS, Output, PublicView, page_of_sorted, paged
from rules_docs import examples, reading
from voice import wording

ORDER_CHOICES: Final = list(ORDERS.items())
BY_CHOICES: Final = list(BYS.items())


class PartAnswer(Output):
    """What can stand at one place of an action, with a space before each value."""

    name = serializers.CharField()
    values = serializers.ListField(child=serializers.CharField())
    order = serializers.ChoiceField(choices=ORDER_CHOICES)
    least = serializers.IntegerField(help_text="How many values at least.")
    most = serializers.IntegerField()


class FormAnswer(Output):
    """One kind of action: a verb, and what may follow it, which is one of `lines`."""

    verb = serializers.CharField(help_text="The first word; each form has its own.")
    by = serializers.ChoiceField(choices=BY_CHOICES)
    shape = serializers.CharField(help_text="For people: names in angle brackets, `…` after what may be repeated.")
    meaning = serializers.CharField()
    rule = serializers.CharField(allow_null=True, help_text="The paragraph behind it, such as `ra#auction-3`.")
    example = serializers.CharField(help_text="From a game that was played.")
    pattern = serializers.CharField(help_text="A regular expression for the whole text, in the syntax of JavaScript and Python.")
    lines = serializers.ListField(child=PartAnswer(many=True), help_text="An empty line: the verb stands alone.")


class GrammarAnswer(Output):
    """All actions of a game as text. What has none of these forms is refused with `bad_action`."""

    game = serializers.CharField()
    rules_version = serializers.IntegerField()
    forms = FormAnswer(many=True)


class GameView(PublicView):
    """A view about one game."""

    def game(self, key: str) -> AnyGame:
        """Return a game. Raises NoSuchGame."""
        if key not in GAMES:
            raise NoSuchGame
        return GAMES[key].game


class GrammarView(GameView):
    @extend_schema(
        operation_id="grammar",
        summary="Get the grammar of a game's actions",
        parameters=[LANG],
        responses={200: GrammarAnswer, **READS},
        tags=["books"],
    )
    def get(self, request: Request, game: str) -> Response:
        """The forms that actions have as text, with the values of each place, a regular expression, what it does, and the paragraph behind it. Whether an action is legal in a position, `legal` says."""
        found = self.game(game)
        forms: list[dict[str, Any]] = [{**as_json(form), "meaning": wording.translate(form.meaning, self.lang)} for form in found.grammar()]
        return Response(GrammarAnswer({"game": game, "rules_version": found.meta.rules_version, "forms": forms}).data)


class SchemaAnswer(Output):
    """JSON Schemas (draft 2020-12) of what programs get of a game."""

    game = serializers.CharField()
    rules_version = serializers.IntegerField()
    view = serializers.JSONField(help_text="Of `view` of a table, of a step of a replay, and of a sample position.")
    event = serializers.JSONField(help_text="Of an entry of the log: its `key`, and the `params` that every reader gets.")


class SchemaView(GameView):
    @extend_schema(
        operation_id="game_schema",
        summary="Get the schemas of a game's views and events",
        responses={200: SchemaAnswer, **READS},
        tags=["books"],
    )
    def get(self, request: Request, game: str) -> Response:
        """Made from the engine: each field with its type and what it means. A field that is null in a view may be hidden from that seat."""
        found = self.game(game)
        view, event = _schemas(game)
        return Response(SchemaAnswer({"game": game, "rules_version": found.meta.rules_version, "view": view, "event": event}).data)


@cache
def _schemas(game: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the schemas of views and events, which take some 20 ms to make and never change in a process."""
    return view_schema(GAMES[game].game), event_schema(GAMES[game].game)


class PositionRowAnswer(Output):
    """A sample position, by name."""

    id = serializers.CharField(help_text="That of the worked example that starts there; it stays.")
    title = serializers.CharField()
    paragraph = serializers.CharField(help_text="What it is about, such as `ra#auction-3`.")


class SeenAnswer(Output):
    """A position as one seat sees it."""

    seat = serializers.IntegerField(allow_null=True, help_text="Null: a spectator.")
    view = serializers.JSONField(help_text="As `game_schema` describes it.")
    legal = serializers.ListField(child=serializers.CharField(), help_text="Empty if the seat isn't due.")


class SamplePositionAnswer(PositionRowAnswer):
    """A sample position, as every seat sees it: nobody plays there, so nothing is hidden from you."""

    game = serializers.CharField()
    seats = serializers.IntegerField()
    due = serializers.ListField(child=serializers.IntegerField(), help_text="Who is to act: seats from 0; -1 is chance, -2 the scorer.")
    seen = SeenAnswer(many=True, help_text="The spectator first, then each seat.")


class PositionsView(GameView):
    @extend_schema(
        operation_id="positions",
        summary="List a game's sample positions",
        parameters=[LANG, *CURSOR],
        responses={200: paged(PositionRowAnswer), **READS},
        tags=["books"],
    )
    def get(self, request: Request, game: str) -> Response:
        """Those that the worked examples of its rule book start from. None for a game without a book."""
        self.game(game)
        rows = _positions(game, self.lang)
        found, following = page_of_sorted([(row["id"], row) for row in rows], request, of=f"positions.{game}")
        return Response({"next": following, "results": PositionRowAnswer(found, many=True).data})


class PositionView(GameView):
    @extend_schema(
        operation_id="position",
        summary="See a sample position from every seat",
        parameters=[LANG],
        responses={200: SamplePositionAnswer, **READS},
        tags=["books"],
    )
    def get(self, request: Request, game: str, position: str) -> Response:
        """The views and legal actions of all seats: to try out a program without a table."""
        found = self.game(game)
        row = next((row for row in _positions(game, self.lang) if row["id"] == position), None)
        if row is None:
            raise NothingWritten
        state, seats = examples.played(game, position)[0].state, examples.example(game, position).position["seats"]
        due = found.actors(state)
        seen = [
            {
                "seat": seat,
                "view": shown(found.view_for(state, seat)),
                "legal": [str(action) for action in found.legal_actions(state, seat)] if seat is not None and seat in due else [],
            }
            for seat in (None, *range(seats))
        ]
        return Response(SamplePositionAnswer({**row, "game": game, "seats": seats, "due": due, "seen": seen}).data)


def _positions(game: str, lang: str) -> list[dict[str, str]]:
    try:
        return [{"id": name, "title": title, "paragraph": rule} for name, title, rule in reading.example_titles(game, lang)]
    except reading.NotWritten:  # a game without a book
        return []
