"""Tables, seats and the append-only log of actions."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import JSONField, Value
from django.utils import timezone


class Table(models.Model):
    """One match. `state` is the newest snapshot; `recent` the last log lines (see `recent.py`), so that a page needs no other row."""

    class Status(models.TextChoices):
        OPEN = "open"
        PLAYING = "playing"
        FINISHED = "finished"
        ABANDONED = "abandoned"

    class Privacy(models.TextChoices):
        """Who may see the table; a club's table is seen as the club says."""

        PUBLIC = "public"
        LINK = "link"  # the people at it, those who are invited, and those who have its link

    class Waits(models.TextChoices):
        NOBODY = ""
        PERSON = "person"
        BOT = "bot"
        SCORER = "scorer"

    game = models.CharField(max_length=40)
    seat_count = models.PositiveSmallIntegerField()
    options = models.JSONField(default=dict)
    rules_version = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    bot_fill = models.CharField(max_length=20, default="apprentice")  # level that takes over a seat somebody left
    club = models.ForeignKey("clubs.Club", null=True, blank=True, on_delete=models.PROTECT, related_name="tables")  # only members may sit
    duplicate = models.ForeignKey("clubs.DuplicateSet", null=True, blank=True, on_delete=models.PROTECT, related_name="tables")
    privacy = models.CharField(max_length=6, choices=Privacy, default=Privacy.PUBLIC, db_default=Privacy.PUBLIC)
    link_code = models.CharField(max_length=24, blank=True, default="", db_default="")  # of the link by which people take a seat; "": none
    kept = models.SmallIntegerField(default=0, db_default=0)  # free seats that are kept for invited people
    rematch_of = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="rematches", db_index=False)
    is_rated = models.BooleanField(default=True)
    by_hand = models.BooleanField(default=False, db_default=False)  # a study: its only person plays all seats
    in_match = models.BooleanField(default=False, db_default=False)  # of a match of bots: every game is played to its end, by the clock
    lesson = models.CharField(max_length=8, blank=True, default="", db_default="")  # of a guided first game: the fingerprint of its script
    pace = models.JSONField(
        default=dict, db_default=Value({}, JSONField()), blank=True
    )  # `pace.py`; {} for a relaxed table, without clocks
    clocks = models.JSONField(default=dict, db_default=Value({}, JSONField()), blank=True)  # `clocks.py`; {} without, and before the start
    saved = models.JSONField(
        default=dict, db_default=Value({}, JSONField()), blank=True
    )  # of a game saved for another day: its "pace" and what was "left" on the clocks
    # When a running clock next asks for a warning, or has run out; before the start, when `appointed.ring` has to look.
    alarm_at = models.DateTimeField(null=True, blank=True)
    starts_at = models.DateTimeField(null=True, blank=True)  # the game doesn't start before; None: when the last seat is taken
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    version = models.PositiveIntegerField(default=0)  # committed transactions
    seq = models.PositiveIntegerField(default=0)  # records
    position = models.JSONField(null=True, blank=True)  # a position file, if the game did not start from the usual set-up
    state = models.JSONField(null=True, blank=True)
    due = models.JSONField(default=list)
    due_since = models.DateTimeField(null=True, blank=True)
    waits_for = models.CharField(max_length=6, choices=Waits, default=Waits.NOBODY, blank=True)
    decided_since = models.JSONField(default=list)  # per seat: version at which its view or decision last changed
    recent = models.JSONField(default=list)  # newest last
    line = models.JSONField(default=list)  # [seq, actor, text, version] since the barrier, all of one seat, which may be undone
    barrier = models.JSONField(null=True, blank=True)  # the state before `line`
    vote = models.JSONField(default=dict, db_default=Value({}, JSONField()), blank=True)  # `voting.py`; {} while nothing is asked
    undone = models.JSONField(default=list)  # [actor, text of each action that was undone together], newest last, which may be redone
    nudges = models.PositiveSmallIntegerField(default=0)  # how often the reconciler woke this version

    secret = models.BinaryField(max_length=32, editable=False)  # revealed when the game is over
    commitment = models.CharField(max_length=64)
    counters = models.JSONField(default=dict)
    outcome = models.JSONField(null=True, blank=True)
    finish_number = models.BigIntegerField(null=True, blank=True, unique=True)

    class Meta:
        indexes = (
            models.Index(fields=["status", "game", "-created_at"], name="table_lobby"),
            models.Index(fields=["-created_at"], name="table_open", condition=models.Q(status="open")),
            models.Index(fields=["due_since"], name="table_due", condition=models.Q(status="playing", waits_for__in=["bot", "scorer"])),
            models.Index(fields=["-finished_at"], name="table_finished", condition=models.Q(status="finished")),
            models.Index(fields=["alarm_at"], name="table_alarm", condition=models.Q(alarm_at__isnull=False)),
            models.Index(fields=["rematch_of"], name="table_rematch", condition=models.Q(rematch_of__isnull=False)),
            models.Index(fields=["club", "status", "-created_at"], name="table_club", condition=models.Q(club__isnull=False)),
        )
        constraints = (models.UniqueConstraint(fields=["link_code"], name="one_table_a_link", condition=~models.Q(link_code="")),)

    def __str__(self) -> str:
        return f"{self.game} {self.pk}"


class Seat(models.Model):
    """A place at a table: empty, a person, or a bot. Seats are 0-based."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="seats")
    left_user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="left_seats")
    is_away = models.BooleanField(default=False, db_default=False)  # `left_user` ran out of time, and may come back while the game runs
    bot_level = models.CharField(max_length=20, blank=True, default="")
    bot_name = models.CharField(max_length=20, blank=True, default="")
    word = models.CharField(max_length=60, blank=True, default="")  # for the sealed chance
    seen_version = models.PositiveIntegerField(default=0)
    order = models.CharField(max_length=60, blank=True, default="")  # answer in advance; nobody else may read it
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    score = models.IntegerField(null=True, blank=True)

    class Meta:
        ordering = ("table_id", "index")
        constraints = (
            models.UniqueConstraint(fields=["table", "index"], name="one_seat_an_index"),
            models.UniqueConstraint(fields=["table", "user"], name="one_seat_a_person"),
        )

    def __str__(self) -> str:
        return f"{self.table_id}/{self.index}"


class ActionRecord(models.Model):
    """One entry of the log, never changed. `undo` entries say how far back the effective line goes."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="records")
    seq = models.PositiveIntegerField()
    version = models.PositiveIntegerField()
    actor = models.SmallIntegerField()
    text = models.TextField()  # the service limits what a person sends; a deal may be longer
    by = models.CharField(max_length=10)  # player, bot, substitute, auto, order, undo, redo, leave, chance, scorer
    events = models.JSONField(default=list)
    at = models.DateTimeField()

    class Meta:
        ordering = ("table_id", "seq")
        constraints = (models.UniqueConstraint(fields=["table", "seq"], name="one_record_a_seq"),)

    def __str__(self) -> str:
        return f"{self.table_id}#{self.seq} {self.actor} {self.text}"


class Standstill(models.Model):
    """A time in which no clock of the site ran: it was down, or its operators stopped it. Without `until` it goes on."""

    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    is_planned = models.BooleanField(default=False)

    class Meta:
        indexes = (models.Index(fields=["until"], name="standstill_until"),)

    def __str__(self) -> str:
        return f"{self.since} - {self.until}"


class Heartbeat(models.Model):
    """One row: when the reconciler last ran. If that is long ago, the site was down."""

    at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.at)


class FinishCounter(models.Model):
    """One row: the number of the last finished game. Locked in the finishing transaction, so numbers have no gap."""

    last = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return str(self.last)


class Citation(models.Model):
    """A step of a finished game at which a rule paragraph was cited; `citations.py` writes and reads them."""

    game = models.CharField(max_length=40)
    anchor = models.CharField(max_length=60)
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="citations", db_index=False)  # the constraint has an index
    number = models.BigIntegerField()  # the finish number of the table: newer games have higher ones
    step = models.PositiveIntegerField()  # of its replay
    said = models.JSONField()  # the event as a spectator may read it, or a line of the score breakdown ("score.gods")

    class Meta:
        indexes = (models.Index(fields=["game", "anchor", "-number", "step"], name="citation_of_paragraph"),)
        constraints = (models.UniqueConstraint(fields=["table", "anchor", "step"], name="one_citation_a_step"),)

    def __str__(self) -> str:
        return f"{self.game}#{self.anchor} {self.table_id}/{self.step}"


class CitationClock(models.Model):
    """One row: games with a finish number above `up_to`, or not above `down_to`, have not been read for citations."""

    up_to = models.BigIntegerField(default=0)
    down_to = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.down_to}-{self.up_to}"


class Thought(models.Model):
    """What was worked out of a position for one reader, or is still to be; `thoughts.py` writes it. No record, file or API answer has it."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="thoughts", db_index=False)  # the constraint has an index
    kind = models.CharField(max_length=8)
    seq = models.PositiveIntegerField()  # the record that is explained, or after which the position was
    seat = models.SmallIntegerField()  # from whose view; `thoughts.EVERYTHING` for a game that is over and revealed
    level = models.CharField(max_length=20, blank=True, default="")  # of the bot that thought, where there is a choice
    answer = models.JSONField(null=True, blank=True)  # None: not worked out yet
    work = models.JSONField(null=True, blank=True)  # what has been worked out of it so far
    asked_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["table", "kind", "seq", "seat", "level"], name="one_thought_a_position"),)

    def __str__(self) -> str:
        return f"{self.table_id}#{self.seq} {self.kind} {self.seat}"


class Invitation(models.Model):
    """One person, or one email address, invited to an open table; `inviting.py` writes it. While it is unanswered a free seat is kept for it.

    People who take a seat by the table's link have no row, but those who only watch by it do.
    """

    class Way(models.TextChoices):
        NAME = "name"
        MAIL = "mail"
        LINK = "link"

    class State(models.TextChoices):
        PENDING = "pending"
        ACCEPTED = "accepted"
        DECLINED = "declined"
        COUNTERED = "countered"  # the person asks for other settings; the owner answers
        TAKEN_BACK = "taken_back"
        EXPIRED = "expired"
        WATCHING = "watching"  # by the link

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="invitations")
    way = models.CharField(max_length=4, choices=Way)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="table_invitations")
    email = models.CharField(max_length=254, blank=True, default="")
    code = models.CharField(max_length=24, blank=True, default="")  # in the link of the mail
    state = models.CharField(max_length=10, choices=State, default=State.PENDING)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)
    seats = models.PositiveSmallIntegerField(null=True, blank=True)  # of a counter-offer: the number of players
    is_rated = models.BooleanField(null=True, blank=True)
    message = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        indexes = (
            models.Index(fields=["user", "-made_at"], name="invitation_waiting", condition=models.Q(state="pending")),
            models.Index(fields=["by", "-made_at"], name="invitation_by"),
        )
        constraints = (
            models.UniqueConstraint(
                fields=["table", "user"],
                name="one_open_invitation_a_person",
                condition=models.Q(state__in=["pending", "countered"], user__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["table", "email"],
                name="one_open_invitation_a_mail",
                condition=models.Q(state__in=["pending", "countered"]) & ~models.Q(email=""),
            ),
            models.UniqueConstraint(fields=["code"], name="one_invitation_a_code", condition=~models.Q(code="")),
        )

    def __str__(self) -> str:
        return f"{self.table_id} {self.email or self.user_id} {self.state}"

    @property
    def is_open(self) -> bool:
        """Whether it can still be answered, by the person or by the owner."""
        return self.state in (self.State.PENDING, self.State.COUNTERED) and self.expires_at > timezone.now()
