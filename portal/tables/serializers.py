"""What the API reads and gives, field by field; the OpenAPI schema is made from this."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.core.contract import Meta
from games.registry import GAMES
from portal.common.api_views import Input, Output
from portal.tables.lists import TableRow
from portal.tables.pace import Kind, Out
from portal.tables.seating import MAX_WORD_CHARS
from portal.tables.services import MAX_ACTION_CHARS

MAX_VERSION = 2**31 - 1
MAX_INVITED = 5
MAX_WHO_CHARS = 254
STATUSES = {
    "open": "People can take seats.",
    "playing": "The game is running.",
    "finished": "The game is over.",
    "abandoned": "It was closed, or ended without a result.",
}
STATUS_CHOICES = list(STATUSES.items())
KINDS = {"relaxed": "Nobody has a clock.", "live": "A clock for each player.", "days": "By correspondence: days for each move."}
KIND_CHOICES = list(KINDS.items())
OUTS = {"bot": "A bot plays until the player comes back.", "lost": "A bot takes the seat for good."}
PRIVACIES = {
    "public": "Anyone can see it, of a private club its members.",
    "link": "Only people at it, invited people and people with its link see it.",
}
WHATS = {
    "time": "More time for the seat `about`.",
    "no_clocks": "Play on without clocks.",
    "save": "Let the clocks stand still until all agree to go on.",
    "resume": "Let the clocks run again.",
    "call_off": "End the game without a result.",
    "take_back": "Undo the asking player's last move, and all that came after it.",
}
LINE_TYPES = {
    "your_move": "The table waits for you: send one of `legal` with this `version`.",
    "state": "Something has changed, and the table doesn't wait for you.",
    "over": "The game is over, or ended without a result. The table's last line.",
    "gone": "You no longer sit at the table, or can't see it. Without a table: the token is no longer valid, and the stream ends.",
    "fault": "The line for this version couldn't be made, which is a fault of the site. Ask `tables/{id}/`, or wait for the next version. Without a table: the site can't read your tables, and the stream ends; connect again after some seconds.",
    "alive": "A sign of life: you know everything there is to tell.",
}
MAX_SLUG_CHARS = 80


class TokenRequest(Input):
    username = serializers.CharField(max_length=150, help_text="Your account name.")
    password = serializers.CharField(max_length=128, trim_whitespace=False)


class PaceRequest(Input):
    kind = serializers.ChoiceField(choices=list(KINDS.items()), default=Kind.RELAXED)
    bank_s = serializers.IntegerField(default=0, help_text="Live: seconds on each clock at the start.")
    add_s = serializers.IntegerField(default=0, help_text="Live: seconds added each time it is a player's turn.")
    days = serializers.IntegerField(default=0, help_text="By correspondence: days for each move, one of 1, 2, 3, 5, 7, 14.")
    weekends = serializers.BooleanField(default=False, help_text="By correspondence: clocks stand still on Saturdays and Sundays.")
    out = serializers.ChoiceField(
        choices=list(OUTS.items()),
        default=Out.BOT,
        help_text="When time has run out: a bot plays until the player comes back, or for good.",
    )


class TableRequest(Input):
    game = serializers.ChoiceField(choices=[(key, f"{GAMES[key].game.meta.title}.") for key in sorted(GAMES)])
    seats = serializers.IntegerField(min_value=1, max_value=6, help_text="A player count that the game allows.")
    options = serializers.DictField(required=False, default=dict, help_text="The game's options by key. The rest keep their defaults.")
    bots = serializers.ListField(
        child=serializers.CharField(max_length=20),
        required=False,
        default=list,
        max_length=6,
        help_text="Bot levels. Bots take the last seats. A full table starts at once.",
    )
    word = serializers.CharField(
        max_length=MAX_WORD_CHARS, required=False, default="", allow_blank=True, help_text="Your word for the sealed draws."
    )
    club = serializers.SlugField(
        max_length=MAX_SLUG_CHARS,
        required=False,
        default="",
        allow_blank=True,
        help_text="A club's name as in its address. The table is then for its members only.",
    )
    is_rated = serializers.BooleanField(required=False, default=True, help_text="Whether the result changes ratings.")
    pace = PaceRequest(required=False, help_text="Without it there is no clock.")
    privacy = serializers.ChoiceField(
        choices=list(PRIVACIES.items()), default="public", help_text="Who can see it. A club's table is always `public`."
    )
    invite = serializers.ListField(
        child=serializers.CharField(max_length=MAX_WHO_CHARS),
        required=False,
        default=list,
        max_length=MAX_INVITED,
        help_text="Names of people on this site, or email addresses. A free seat is kept for each. If one can't be invited, no table is opened.",
    )
    starts_at = serializers.DateTimeField(
        required=False, allow_null=True, default=None, help_text="The game starts then at the earliest: in a minute to 28 days."
    )


class BotRequest(Input):
    level = serializers.CharField(max_length=20, help_text="One of the game's `bot_levels`.")


class JoinRequest(Input):
    word = serializers.CharField(max_length=MAX_WORD_CHARS, required=False, default="", allow_blank=True)


class ActionRequest(Input):
    action = serializers.CharField(max_length=MAX_ACTION_CHARS, help_text="A legal action in text form, as in `legal`.")
    expected_version = serializers.IntegerField(
        min_value=0, max_value=MAX_VERSION, help_text="The table version your decision is based on."
    )
    then = serializers.CharField(
        max_length=MAX_WORD_CHARS,
        required=False,
        default="",
        allow_blank=True,
        help_text="An answer in advance to go with the action.",
    )


class UndoRequest(Input):
    expected_version = serializers.IntegerField(min_value=0, max_value=MAX_VERSION)


class OrderRequest(Input):
    order = serializers.CharField(max_length=MAX_WORD_CHARS, help_text="One of `orders`.")


class TokenAnswer(Output):
    token = serializers.CharField(help_text="Send it as `Authorization: Token …`.")
    username = serializers.CharField()


class OptionAnswer(Output):
    key = serializers.CharField()
    default = serializers.JSONField()
    choices = serializers.ListField(child=serializers.JSONField())


class GameAnswer(Output):
    key = serializers.CharField()
    title = serializers.SerializerMethodField(help_text="The game's name in the language of the request.")
    seats = serializers.ListField(child=serializers.IntegerField())
    bot_levels = serializers.ListField(child=serializers.CharField())
    options = OptionAnswer(many=True)
    rules_version = serializers.IntegerField()

    def get_title(self, meta: Meta) -> str:
        return gettext(meta.title)


class RowAnswer(Output):
    """A table in a list."""

    id = serializers.IntegerField()
    game = serializers.SerializerMethodField()
    status = serializers.ChoiceField(choices=list(STATUSES.items()))
    players = serializers.ListField(child=serializers.CharField(), source="names")
    free_seats = serializers.IntegerField(source="free")
    is_mine = serializers.BooleanField()
    is_due = serializers.BooleanField(help_text="Whether the table is waiting for you.")
    waits_for = serializers.ListField(child=serializers.CharField())
    since = serializers.DateTimeField()
    club = serializers.SerializerMethodField()
    is_rated = serializers.BooleanField()
    url = serializers.SerializerMethodField()

    def get_game(self, row: TableRow) -> str:
        return row.entry.key

    @extend_schema_field(serializers.CharField(allow_null=True, help_text="The club that the table belongs to."))
    def get_club(self, row: TableRow) -> str | None:
        return row.club.slug if row.club is not None else None

    def get_url(self, row: TableRow) -> str:
        return reverse("api-table", args=[row.id])


class RowsAnswer(Output):
    """A page of a list."""

    count = serializers.IntegerField(help_text="How many tables the whole list has.")
    next = serializers.CharField(allow_null=True, help_text="Address of the next page; null on the last one.")
    previous = serializers.CharField(allow_null=True, help_text="Address of the page before, only where you asked with `offset`.")
    results = RowAnswer(many=True)


class SeatAnswer(Output):
    index = serializers.IntegerField(help_text="0-based.")
    name = serializers.CharField(allow_blank=True, help_text="Empty while the seat is free.")
    username = serializers.CharField(allow_null=True)
    bot_level = serializers.CharField(allow_null=True)
    is_bot = serializers.BooleanField(help_text="A bot level, or somebody's bot account, which has a `username`.")
    is_me = serializers.BooleanField()
    is_due = serializers.BooleanField()
    is_free = serializers.BooleanField()
    is_kept = serializers.BooleanField(help_text="A bot plays until the person who ran out of time comes back.")
    left_name = serializers.CharField(allow_null=True, help_text="The person whose seat a bot has taken over.")
    clock_ms = serializers.IntegerField(
        allow_null=True, help_text="What was left when the clock started to run or stopped; null without one."
    )
    runs_out_at = serializers.DateTimeField(allow_null=True, help_text="When a running clock will have nothing left.")
    word = serializers.CharField(allow_blank=True)


class OrderAnswer(Output):
    order = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    is_set = serializers.BooleanField()


class LineAnswer(Output):
    """One event of the log, showing only what you can see."""

    seq = serializers.IntegerField()
    version = serializers.IntegerField()
    at = serializers.DateTimeField()
    actor = serializers.IntegerField(help_text="A seat, -1 for chance, -2 for the scorer.")
    by = serializers.CharField()
    key = serializers.CharField()
    params = serializers.JSONField()
    rule = serializers.CharField(allow_null=True)
    text = serializers.CharField()


class PaceAnswer(Output):
    kind = serializers.ChoiceField(choices=list(KINDS.items()))
    bank_s = serializers.IntegerField()
    add_s = serializers.IntegerField()
    days = serializers.IntegerField()
    weekends = serializers.BooleanField()
    out = serializers.ChoiceField(choices=list(OUTS.items()))


class QuestionAnswer(Output):
    """Something that you may ask the others at a table."""

    what = serializers.ChoiceField(choices=list(WHATS.items()))
    about = serializers.IntegerField(allow_null=True, help_text="The seat that would get time.")


class VoteAnswer(Output):
    """A question that waits for answers."""

    id = serializers.IntegerField(help_text="Send it with your answer.")
    what = serializers.ChoiceField(choices=list(WHATS.items()))
    about = serializers.IntegerField(allow_null=True, help_text="The seat that would get time.")
    seat = serializers.IntegerField(help_text="Who asks.")
    agreed = serializers.ListField(child=serializers.IntegerField(), help_text="Seats that agree.")
    missing = serializers.ListField(child=serializers.IntegerField(), help_text="Seats that haven't answered.")


class TableAnswer(Output):
    """A table as you can see it."""

    id = serializers.IntegerField()
    game = serializers.CharField()
    status = serializers.ChoiceField(choices=list(STATUSES.items()))
    version = serializers.IntegerField()
    options = serializers.JSONField()
    seat_count = serializers.IntegerField()
    seats = SeatAnswer(many=True)
    my_seat = serializers.IntegerField(allow_null=True)
    view = serializers.JSONField(allow_null=True, help_text="What your seat can see of the position. Null before the game starts.")
    question = serializers.CharField(allow_null=True, help_text="The decision you have to make now.")
    legal = serializers.ListField(child=serializers.CharField(), help_text="All your legal actions. Empty while you wait.")
    due = serializers.ListField(child=serializers.IntegerField())
    due_since = serializers.DateTimeField(allow_null=True)
    waiting_for = serializers.ListField(child=serializers.CharField())
    can_undo = serializers.BooleanField()
    can_redo = serializers.BooleanField()
    can_join = serializers.BooleanField()
    can_leave = serializers.BooleanField()
    can_start = serializers.BooleanField()
    orders = OrderAnswer(many=True)
    log = LineAnswer(many=True, help_text="The latest events, newest first.")
    commitment = serializers.CharField(help_text="SHA-256 of the secret behind the draws.")
    secret = serializers.CharField(allow_null=True, help_text="Revealed when the game, and its whole duplicate set, is over.")
    outcome = serializers.JSONField(allow_null=True, help_text="Places, scores and their breakdown when the game is over.")
    club = serializers.CharField(allow_null=True, help_text="The club that the table belongs to.")
    is_rated = serializers.BooleanField(help_text="Whether the result changes ratings.")
    pace = PaceAnswer()
    privacy = serializers.ChoiceField(choices=list(PRIVACIES.items()))
    starts_at = serializers.DateTimeField(allow_null=True, help_text="The game doesn't start before; null once it has.")
    is_owner = serializers.BooleanField(help_text="Whether you opened it.")
    kept_seats = serializers.IntegerField(allow_null=True, help_text="For the owner: free seats that are kept for invited people.")
    invitation = serializers.IntegerField(allow_null=True, help_text="Your invitation, by which you can take a seat.")
    terms = serializers.CharField(help_text="What whoever accepts an invitation agrees to.")
    link = serializers.CharField(allow_null=True, help_text="For the owner of an open table: the address to send to others.")
    link_code = serializers.CharField(allow_null=True, help_text="The end of `link`.")
    vote = VoteAnswer(allow_null=True, help_text="For players: the question that waits for answers.")
    may_ask = QuestionAnswer(many=True, help_text="For players: what you may ask the others now.")
    has_chat = serializers.BooleanField(help_text="Whether there is anybody to talk to.")
    can_come_back = serializers.BooleanField(help_text="Whether a bot keeps your seat since you ran out of time.")
    duplicate_set = serializers.IntegerField(allow_null=True, help_text="The set of tables with the same deal.")
    is_sealed = serializers.BooleanField(
        help_text="Whether the secret and the record are withheld until the last table in the duplicate set is over."
    )
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)


class StreamAnswer(Output):
    url = serializers.CharField(help_text="Address of the event stream; each event carries the new version.")
    expires_in_s = serializers.IntegerField()


class MoveLineAnswer(Output):
    """A line of a stream. Lines of the types `alive` and `gone` have only `type`, `table` and `at`; those of the type `fault` also `version`."""

    type = serializers.ChoiceField(choices=list(LINE_TYPES.items()))
    table = serializers.IntegerField(allow_null=True)
    version = serializers.IntegerField(help_text="To send with an action, and in `since` when you connect again.")
    game = serializers.CharField()
    status = serializers.ChoiceField(choices=list(STATUSES.items()))
    my_seat = serializers.IntegerField(allow_null=True)
    view = serializers.JSONField(allow_null=True, help_text="What your seat can see of the position. Null before the game starts.")
    question = serializers.CharField(allow_null=True, help_text="The decision you have to make now.")
    legal = serializers.ListField(child=serializers.CharField(), help_text="All your legal actions. Empty while you wait.")
    due = serializers.ListField(child=serializers.IntegerField())
    due_since = serializers.DateTimeField(allow_null=True)
    outcome = serializers.JSONField(allow_null=True, help_text="Places, scores and their breakdown when the game is over.")
    can_come_back = serializers.BooleanField(
        help_text="Whether a bot keeps your seat since you ran out of time; `tables/{id}/come-back/` takes it back."
    )
    events = LineAnswer(
        many=True, help_text="What has happened since the version that you knew, oldest first; of very much, the latest 500."
    )
    events_missing = serializers.BooleanField(
        help_text="Whether `events` may lack some: of very much, the oldest, or one that couldn't be put into words."
    )
    at = serializers.DateTimeField(help_text="When the line was made.")


class RecordAnswer(Output):
    """The record of a finished game. Anyone can check it with `manage.py verify_record`."""

    format = serializers.CharField()
    game = serializers.CharField()
    rules_version = serializers.IntegerField()
    options = serializers.JSONField()
    seats = serializers.IntegerField()
    table = serializers.IntegerField()
    players = serializers.ListField(child=serializers.CharField())
    finished_at = serializers.CharField(allow_null=True)
    position = serializers.JSONField(allow_null=True)
    actions = serializers.JSONField(help_text="[actor, text] of every effective action.")
    result = serializers.JSONField()
    chance = serializers.JSONField(help_text="Scheme, commitment, secret and words of the sealed draw.")
    log = serializers.JSONField(required=False, help_text="With `full=1`: every entry, the undone ones as well.")
