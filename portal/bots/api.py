"""The API of bot accounts: all bots, one's own with their tokens, and challenges."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.registry import GAMES
from portal.accounts.api import OwnView
from portal.accounts.models import TOKEN_NAME_CHARS, ApiToken, User
from portal.accounts.names import MAX_NAME_CHARS
from portal.accounts.own_tokens import FOR_BOTS, MOST_DAYS, make_token, revoke_token, tokens_of
from portal.accounts.refusals import NoTokensForApps
from portal.accounts.token_api import MADE_PER_HOUR, MadeTokenAnswer, OwnTokenAnswer
from portal.bots import services
from portal.bots.challenging import challenge
from portal.bots.models import MAX_ABOUT_CHARS, MOST_AT_ONCE, BotAccount
from portal.bots.selectors import ShownBot, bots_of, bots_playing, open_bots, shown_to
from portal.common.api_views import CURSOR, READS, WRITES, Input, Output, checked, page_of, paged
from portal.common.limits import allow, seconds_left
from portal.tables import serializers as s
from portal.tables.api_base import TablesView
from portal.tables.pace import RELAXED, Pace

FROM_WHOM: Final = {
    "everyone": "Anyone's challenges.",
    "friends": "Those of its owner's friends.",
    "nobody": "Those of its owner.",
}
FROM_WHOM_CHOICES: Final = list(FROM_WHOM.items())
MOST_SEATS: Final = 6


class BotAnswer(Output):
    """A bot account, and what it accepts."""

    username = serializers.CharField()
    owner = serializers.CharField(help_text="The person whose bot it is.")
    about = serializers.CharField(allow_blank=True)
    games = serializers.SerializerMethodField(help_text="Keys of the games that it plays.")
    paces = serializers.ListField(child=serializers.ChoiceField(choices=s.KIND_CHOICES))
    at_once = serializers.IntegerField(help_text="How many open and running tables it sits at.")
    from_whom = serializers.ChoiceField(choices=FROM_WHOM_CHOICES)
    rated = serializers.BooleanField(help_text="Whether it plays rated games, too.")
    is_mine = serializers.BooleanField()
    is_taking = serializers.BooleanField(help_text="Whether it takes challenges from you now, if it isn't playing too many games.")
    at = serializers.DateTimeField(source="made_at")

    def get_games(self, bot: ShownBot) -> list[str]:
        return [entry.key for entry in bot.games]


class OwnBotAnswer(BotAnswer):
    """A bot of yours."""

    paused = serializers.SerializerMethodField(help_text="It takes no challenges but yours, and plays its games on.")

    def get_paused(self, bot: ShownBot) -> bool:
        return bool(self.context["paused"][bot.username])


class BotRules(Input):
    """What a bot accepts; what you leave out stays, or has its usual value in a new bot."""

    about = serializers.CharField(max_length=MAX_ABOUT_CHARS, required=False, allow_blank=True)
    games = serializers.ListField(
        child=serializers.CharField(max_length=40), required=False, max_length=20, help_text="Keys of games. Empty: all."
    )
    paces = serializers.ListField(
        child=serializers.ChoiceField(choices=s.KIND_CHOICES), required=False, max_length=10, help_text="Kinds of paces. Empty: all."
    )
    at_once = serializers.IntegerField(min_value=1, max_value=MOST_AT_ONCE, required=False)
    from_whom = serializers.ChoiceField(choices=FROM_WHOM_CHOICES, required=False)
    rated = serializers.BooleanField(required=False)
    paused = serializers.BooleanField(required=False)


class BotInput(BotRules):
    """A new bot."""

    username = serializers.CharField(
        max_length=MAX_NAME_CHARS, help_text="The rules of people's names; it must not look like a bot level's name."
    )


class BotTokenInput(Input):
    """A token for the program behind a bot."""

    name = serializers.CharField(max_length=TOKEN_NAME_CHARS, help_text="What it is for; only you see it.")
    days = serializers.IntegerField(
        min_value=1, max_value=MOST_DAYS, required=False, allow_null=True, default=None, help_text="Null: it works until you revoke it."
    )


class BotTokenAnswer(OwnTokenAnswer):
    """A token of a bot of yours, never the token itself."""


class ChallengeInput(Input):
    """The game to play. You take seat 0, then come the bots, and levels take the last seats."""

    game = serializers.CharField(max_length=40)
    seats = serializers.IntegerField(min_value=1, max_value=MOST_SEATS, help_text="A player count that the game allows.")
    pace = s.PaceRequest(required=False, help_text="Without it there is no clock.")
    options = serializers.DictField(required=False, default=dict, help_text="The game's options by key. The rest keep their defaults.")
    bots = serializers.ListField(
        child=serializers.CharField(max_length=MAX_NAME_CHARS),
        required=False,
        default=list,
        max_length=MOST_SEATS,
        help_text="Names of further bot accounts.",
    )
    levels = serializers.ListField(
        child=serializers.CharField(max_length=20), required=False, default=list, max_length=MOST_SEATS, help_text="Bot levels."
    )
    is_rated = serializers.BooleanField(required=False, default=True, help_text="Whether the result changes ratings with bots.")


def _own(bots: list[BotAccount], viewer: User) -> list[dict[str, Any]]:
    context = {"paused": {bot.user.username: bot.paused for bot in bots}}
    return list(OwnBotAnswer(shown_to(viewer, bots), many=True, context=context).data)


class BotsView(TablesView):
    @extend_schema(
        operation_id="bot_accounts",
        summary="List all bots",
        parameters=[OpenApiParameter("game", OpenApiTypes.STR, description="Only bots that play this game."), *CURSOR],
        responses={200: paged(BotAnswer), **READS},
        tags=["bots"],
    )
    def get(self, request: Request) -> Response:
        """People's bots, the newest first. Their ratings are on the leaderboards of the pool `bots`."""
        game = request.query_params.get("game") or None
        if game is not None and game not in GAMES:
            raise exceptions.ValidationError({"game": _("This game doesn't exist.")})
        found = open_bots() if game is None else bots_playing(game)
        rows, following = page_of(found, request, of="bots", by=("-made_at", "-pk"))
        return Response({"next": following, "results": BotAnswer(shown_to(self.person, rows), many=True).data})


class BotView(TablesView):
    @extend_schema(operation_id="bot_account", summary="See a bot", responses={200: BotAnswer, **READS}, tags=["bots"])
    def get(self, _request: Request, username: str) -> Response:
        """What it says of itself, and what it accepts. Its games and ratings are at `people/{username}/`."""
        return Response(BotAnswer(shown_to(self.person, [services.bot_named(username)])[0]).data)


class ChallengesView(TablesView):
    @extend_schema(
        operation_id="challenge",
        summary="Challenge a bot",
        request=ChallengeInput,
        responses={201: s.TableAnswer, **WRITES},
        tags=["bots"],
    )
    def post(self, request: Request, username: str) -> Response:
        """Opens a table at which the bots sit at once, if the rules of all of them allow it; it starts when no seat is free. The bots hear of it by their streams. Your own bots can challenge, too."""
        values = checked(ChallengeInput, request.data)
        loaded = challenge(
            by=self.signed_in,
            bots=[username, *values["bots"]],
            game=values["game"],
            seats=values["seats"],
            pace=Pace(**values["pace"]) if "pace" in values else RELAXED,
            options=values["options"],
            levels=values["levels"],
            is_rated=values["is_rated"],
        )
        return self.answer(loaded, 201)


class MyBotsView(OwnView):
    scope: ClassVar[str] = "admin"

    @extend_schema(
        operation_id="my_bots", summary="List your bots", parameters=CURSOR, responses={200: paged(OwnBotAnswer), **READS}, tags=["bots"]
    )
    def get(self, request: Request) -> Response:
        """Five at most, the newest first."""
        rows, following = page_of(bots_of(self.user), request, of="my-bots", by=("-made_at", "-pk"))
        return Response({"next": following, "results": _own(rows, self.user)})

    @extend_schema(operation_id="make_bot", summary="Make a bot", request=BotInput, responses={201: OwnBotAnswer, **WRITES}, tags=["bots"])
    def post(self, request: Request) -> Response:
        """Nobody can sign in as a bot: its program uses tokens that you make for it. Guests can't have bots; at most five a person."""
        values = checked(BotInput, request.data)
        bot = services.make_bot(owner=self.user, **values)
        return Response(_own([bot], self.user)[0], status=201)


class MyBotView(OwnView):
    scope: ClassVar[str] = "admin"

    @extend_schema(operation_id="my_bot", summary="See a bot of yours", responses={200: OwnBotAnswer, **READS}, tags=["bots"])
    def get(self, _request: Request, username: str) -> Response:
        """With what only you see."""
        return Response(_own([services.own_bot(self.user, username)], self.user)[0])

    @extend_schema(
        operation_id="change_bot", summary="Change a bot of yours", request=BotRules, responses={200: OwnBotAnswer, **WRITES}, tags=["bots"]
    )
    def patch(self, request: Request, username: str) -> Response:
        """What you leave out stays. Games that it plays go on."""
        bot = services.own_bot(self.user, username)
        return Response(_own([services.change_bot(bot, **checked(BotRules, request.data))], self.user)[0])

    @extend_schema(
        operation_id="close_bot", summary="Close a bot", responses={204: OpenApiResponse(description="Done."), **WRITES}, tags=["bots"]
    )
    def delete(self, _request: Request, username: str) -> Response:
        """For good: its tokens stop working, levels take its seats, and its name is replaced at games that count for others."""
        services.close_bot(services.own_bot(self.user, username))
        return Response(status=204)


class BotTokensView(OwnView):
    reads: ClassVar[str] = "admin"
    scope: ClassVar[str] = "admin"

    @property
    def by(self) -> ApiToken | None:
        return self.request.auth if isinstance(self.request.auth, ApiToken) else None

    @extend_schema(
        operation_id="bot_tokens",
        summary="List the tokens of a bot of yours",
        parameters=CURSOR,
        responses={200: paged(BotTokenAnswer), **READS},
        tags=["bots"],
    )
    def get(self, request: Request, username: str) -> Response:
        """The newest first."""
        bot = services.own_bot(self.user, username)
        rows, following = page_of(tokens_of(bot.user), request, of="bot-tokens", by=("-created_at", "-pk"))
        return Response({"next": following, "results": BotTokenAnswer(rows, many=True, context={"auth": self.by, "text": ""}).data})

    @extend_schema(
        operation_id="make_bot_token",
        summary="Create a token for a bot of yours",
        request=BotTokenInput,
        responses={201: MadeTokenAnswer, **WRITES},
        tags=["bots"],
    )
    def post(self, request: Request, username: str) -> Response:
        """It can read and play as the bot. Keep `token`: it can't be shown again. It works no longer than the token that you ask with."""
        if self.request.auth is not None and self.by is None:
            raise NoTokensForApps
        bot = services.own_bot(self.user, username)
        values = checked(BotTokenInput, request.data)
        if not allow("api-tokens", str(self.user.pk), limit=MADE_PER_HOUR, window_s=3600):
            raise exceptions.Throttled(seconds_left(3600), detail=_("Too many tokens this hour."))
        made = make_token(user=bot.user, by=self.by, scopes=FOR_BOTS, **values)
        return Response(MadeTokenAnswer(made.row, context={"auth": self.by, "text": made.text}).data, status=201)


class BotTokenView(OwnView):
    scope: ClassVar[str] = "admin"

    @extend_schema(
        operation_id="revoke_bot_token",
        summary="Revoke a token of a bot of yours",
        responses={204: OpenApiResponse(description="Done."), **WRITES},
        tags=["bots"],
    )
    def delete(self, _request: Request, username: str, pk: int) -> Response:
        """The bot's program can't use it from now on."""
        revoke_token(user=services.own_bot(self.user, username).user, token_id=pk)
        return Response(status=204)
