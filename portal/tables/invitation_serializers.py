"""What the API reads and gives of invitations, field by field."""

from __future__ import annotations

from typing import Final

from rest_framework import serializers

from portal.common.api_views import Input, Output
from portal.tables.inviting import MAX_MESSAGE_CHARS
from portal.tables.models import Invitation
from portal.tables.serializers import MAX_WHO_CHARS, PaceAnswer

STATES: Final = {
    "pending": "The person hasn't answered.",
    "accepted": "They have a seat.",
    "declined": "They declined.",
    "countered": "They suggest a change; the owner answers.",
    "taken_back": "The owner withdrew it.",
    "expired": "Nobody answered in time, or the game started without them.",
}
SEEN_STATES: Final = {key: STATES[key] for key in ("pending", "accepted", "declined", "countered")} | {
    "closed": "It can't be answered any longer."
}
STATE_CHOICES: Final = list(STATES.items())
SEEN_CHOICES: Final = list(SEEN_STATES.items())


class InviteRequest(Input):
    who = serializers.CharField(max_length=MAX_WHO_CHARS, help_text="A name on this site, or an email address.")


class AcceptRequest(Input):
    terms = serializers.CharField(max_length=40, help_text="The `terms` that you have seen: nobody agrees to settings they didn't see.")


class SuggestRequest(Input):
    seats = serializers.IntegerField(required=False, min_value=1, max_value=6, help_text="Another number of players.")
    is_rated = serializers.BooleanField(required=False, help_text="Whether the result should change ratings.")
    message = serializers.CharField(max_length=MAX_MESSAGE_CHARS, required=False, default="", allow_blank=True)


class AgreeRequest(Input):
    agrees = serializers.BooleanField(help_text="Whether you agree.")


class WishAnswer(Output):
    """What an invited person asks the owner for; null where the settings are to stay."""

    seats = serializers.IntegerField(allow_null=True)
    is_rated = serializers.BooleanField(allow_null=True)
    message = serializers.CharField(allow_blank=True)


class InvitationRowAnswer(Output):
    """An invitation to you in a list."""

    id = serializers.IntegerField()
    table = serializers.IntegerField(source="table_id")
    game = serializers.CharField(source="table.game")
    by = serializers.SerializerMethodField(help_text="Who invites you.")
    is_bot = serializers.SerializerMethodField(help_text="Whether it is somebody's bot account that invites you.")
    state = serializers.ChoiceField(choices=STATE_CHOICES)
    made_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    seat_count = serializers.IntegerField(source="table.seat_count")
    is_rated = serializers.BooleanField(source="table.is_rated")

    def get_by(self, invitation: Invitation) -> str | None:
        return invitation.by.username if invitation.by is not None else None

    def get_is_bot(self, invitation: Invitation) -> bool:
        return invitation.by is not None and invitation.by.is_bot


class InvitationAnswer(Output):
    """What you are invited to. Of an invitation that has ended, to a table that you can't see, only `id`, `game` and `state` are told."""

    id = serializers.IntegerField(allow_null=True, help_text="Null for a table's own link.")
    table = serializers.IntegerField(allow_null=True)
    game = serializers.CharField()
    by = serializers.CharField(allow_null=True, help_text="Who invites you.")
    is_bot = serializers.BooleanField(allow_null=True, help_text="Whether it is somebody's bot account that invites you.")
    state = serializers.ChoiceField(choices=SEEN_CHOICES, allow_null=True, help_text="Null for a table's own link.")
    is_open = serializers.BooleanField(help_text="Whether a seat can still be taken by it.")
    made_at = serializers.DateTimeField(allow_null=True)
    expires_at = serializers.DateTimeField(allow_null=True)
    players = serializers.ListField(child=serializers.CharField(), help_text="Who sits there already.")
    seat_count = serializers.IntegerField(allow_null=True)
    free_seats = serializers.IntegerField(allow_null=True)
    options = serializers.JSONField()
    is_rated = serializers.BooleanField(allow_null=True)
    pace = PaceAnswer(allow_null=True)
    starts_at = serializers.DateTimeField(allow_null=True, help_text="The game doesn't start before.")
    terms = serializers.CharField(allow_null=True, help_text="Send it back when you accept.")
    wish = WishAnswer(allow_null=True, help_text="What you have asked for, while the owner hasn't answered.")
    may_watch = serializers.BooleanField(help_text="Whether the link lets you watch a table that you can't see otherwise.")


class InvitedAnswer(Output):
    """An invitation as the table's owner sees it."""

    id = serializers.IntegerField()
    name = serializers.CharField(help_text="Of the person, or the email address.")
    is_person = serializers.BooleanField(help_text="Whether `name` is somebody's name on this site.")
    is_bot = serializers.BooleanField(help_text="Somebody's bot account.")
    state = serializers.ChoiceField(choices=STATE_CHOICES)
    made_at = serializers.DateTimeField()
    answered_at = serializers.DateTimeField(allow_null=True)
    expires_at = serializers.DateTimeField()
    seats = serializers.IntegerField(allow_null=True, help_text="The number of players they ask for.")
    is_rated = serializers.BooleanField(allow_null=True, help_text="The rating they ask for.")
    message = serializers.CharField(allow_blank=True)
