"""The API about the games themselves, for programs that play or read them: what actions look like as text."""

from __future__ import annotations

from typing import Any, Final

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.contract import AnyGame
from games.core.grammar import BYS, ORDERS, as_json
from games.registry import GAMES
from portal.books.refusals import NoSuchGame
from portal.common.api_views import LANG, READS, Output, PublicView
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
