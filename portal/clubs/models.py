"""Clubs: who belongs to them and as what, what they announce, their seasons, leagues and duplicate tables.

A club is never deleted: its finished games keep their place in the ratings. One that is given up is closed.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower

NAME_CHARS = 60
TEXT_CHARS = 2000
TITLE_CHARS = 120


class Club(models.Model):
    """A club. A private one is invisible to all but its members: pages, tables, games, ladders and seasons."""

    class Joining(models.TextChoices):
        OPEN = "open"  # whoever wants to
        REQUEST = "request"  # an officer says yes
        INVITATION = "invitation"  # by invitation or by the club's link alone

    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(max_length=NAME_CHARS)  # two public clubs differ in it; a private one tells nobody that it is taken
    about_en = models.TextField(max_length=TEXT_CHARS, blank=True, default="")
    about_hu = models.TextField(max_length=TEXT_CHARS, blank=True, default="")
    about_ru = models.TextField(max_length=TEXT_CHARS, blank=True, default="")
    is_private = models.BooleanField(default=False)
    joining = models.CharField(max_length=10, choices=Joining, default=Joining.REQUEST)
    link_code = models.CharField(max_length=32, unique=True)  # who knows it may join, whatever `joining` says
    created_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    member_count = models.PositiveIntegerField(default=0)  # kept with each change of the members

    class Meta:
        constraints = (models.UniqueConstraint(Lower("name"), name="one_public_club_a_name", condition=Q(is_private=False)),)
        indexes = (models.Index(fields=["-member_count", "id"], name="club_list", condition=Q(is_private=False, closed_at=None)),)

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """One person in one club."""

    class Role(models.TextChoices):
        OWNER = "owner"
        OFFICER = "officer"
        MEMBER = "member"

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=7, choices=Role, default=Role.MEMBER)
    joined_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["club", "user"], name="one_membership_a_club"),
            models.UniqueConstraint(fields=["club"], name="one_owner_a_club", condition=Q(role="owner")),
        )

    def __str__(self) -> str:
        return f"{self.club_id}: {self.user_id} {self.role}"


class JoinRequest(models.Model):
    """Somebody who asks to be let in."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="requests")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    message = models.CharField(max_length=300, blank=True, default="")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["club", "user"], name="one_request_a_club"),)

    def __str__(self) -> str:
        return f"{self.club_id}: {self.user_id} asks"


class Invitation(models.Model):
    """Somebody whom the club has asked to come."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="club_invitations")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["club", "user"], name="one_invitation_a_club"),)

    def __str__(self) -> str:
        return f"{self.club_id}: {self.user_id} is invited"


class Ban(models.Model):
    """Somebody who may not come back, by no road, until the ban is lifted."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="bans")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    reason = models.CharField(max_length=300, blank=True, default="")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["club", "user"], name="one_ban_a_club"),)

    def __str__(self) -> str:
        return f"{self.club_id}: {self.user_id} is banned"


class ClubEntry(models.Model):
    """One line of a club's own log: who did what to whom. Never changed; members may read it."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="entries")
    at = models.DateTimeField(auto_now_add=True)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    verb = models.CharField(max_length=40)  # key of a sentence
    subject = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    values = models.JSONField(default=dict)

    class Meta:
        indexes = (models.Index(fields=["club", "-id"], name="club_log"),)

    def __str__(self) -> str:
        return f"{self.club_id}: {self.verb}"


class Announcement(models.Model):
    """What the club tells its readers."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="announcements")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    title = models.CharField(max_length=TITLE_CHARS)
    text = models.TextField(max_length=TEXT_CHARS, blank=True, default="")
    at = models.DateTimeField(auto_now_add=True)
    is_pinned = models.BooleanField(default=False)

    class Meta:
        indexes = (models.Index(fields=["club", "-is_pinned", "-id"], name="club_announcements"),)

    def __str__(self) -> str:
        return self.title


class Evening(models.Model):
    """A club evening of the calendar."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="evenings")
    title = models.CharField(max_length=TITLE_CHARS)
    text = models.TextField(max_length=TEXT_CHARS, blank=True, default="")
    game = models.CharField(max_length=40, blank=True, default="")  # a key of the registry; "" = any
    starts_at = models.DateTimeField()
    called_off = models.BooleanField(default=False)

    class Meta:
        indexes = (models.Index(fields=["club", "starts_at"], name="club_calendar"),)

    def __str__(self) -> str:
        return f"{self.title} {self.starts_at:%Y-%m-%d}"


class Attendance(models.Model):
    """Whether a member comes to an evening."""

    class Answer(models.TextChoices):
        YES = "yes"
        MAYBE = "maybe"
        NO = "no"

    evening = models.ForeignKey(Evening, on_delete=models.CASCADE, related_name="answers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    answer = models.CharField(max_length=5, choices=Answer)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["evening", "user"], name="one_answer_an_evening"),)

    def __str__(self) -> str:
        return f"{self.evening_id}: {self.user_id} {self.answer}"


# Seasons and leagues


class Season(models.Model):
    """A stretch of time in which a club keeps a table of its own; frozen at the end, for good.

    A club game counts when it ends in [starts_at, ends_at) and its finish number is above `after_number` (the games before
    the season was made) and not above `frozen_number` once that is set. So the same games count in every recount.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="seasons")
    name = models.CharField(max_length=NAME_CHARS)
    game = models.CharField(max_length=40, blank=True, default="")  # "" = every game counts
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    after_number = models.BigIntegerField()
    frozen_number = models.BigIntegerField(null=True, blank=True)
    frozen_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (
            models.CheckConstraint(condition=Q(ends_at__gt=F("starts_at")), name="season_ends_after_its_start"),
            models.UniqueConstraint(fields=["club", "name"], name="one_season_a_name"),
        )
        indexes = (models.Index(fields=["ends_at"], name="season_due", condition=Q(frozen_at=None)),)

    def __str__(self) -> str:
        return self.name


class Honour(models.Model):
    """A line of the hall of honours: written when a season is frozen or a league ends, never changed."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="honours")
    league = models.ForeignKey("League", null=True, on_delete=models.CASCADE, related_name="honours")  # null: the season's ladder
    pool = models.CharField(max_length=6, blank=True, default="")  # of the ladder
    game = models.CharField(max_length=40, blank=True, default="")  # "" = the ladder of all games
    rank = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="honours")
    name = models.CharField(max_length=150)  # as it was then; also of a bot
    value = models.CharField(max_length=40)  # "1724 ± 58", "11 points"
    games = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("season_id", "league_id", "pool", "game", "rank", "id")

    def __str__(self) -> str:
        return f"{self.season_id}: {self.rank}. {self.name}"


class League(models.Model):
    """A round robin or a league of a season: pairings with deadlines, standings by points."""

    class Form(models.TextChoices):
        ROUND_ROBIN = "round_robin"  # two seats: each meets each
        ROUNDS = "rounds"  # tables of any size, so many rounds, everybody meets the others as evenly as can be

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="leagues")
    name = models.CharField(max_length=NAME_CHARS)
    game = models.CharField(max_length=40)
    form = models.CharField(max_length=11, choices=Form)
    seats = models.PositiveSmallIntegerField()
    options = models.JSONField(default=dict)
    rounds = models.PositiveSmallIntegerField()
    days_a_round = models.PositiveSmallIntegerField(default=7)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["season", "name"], name="one_league_a_name"),)

    def __str__(self) -> str:
        return self.name


class Entrant(models.Model):
    """Who plays in a league: a member, or a bot of a level under a name of its own."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="entrants")
    number = models.PositiveSmallIntegerField()  # 0-based, in the order of the draw
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    bot_level = models.CharField(max_length=20, blank=True, default="")
    name = models.CharField(max_length=150)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("league_id", "number")
        constraints = (
            models.UniqueConstraint(fields=["league", "number"], name="one_entrant_a_number"),
            models.UniqueConstraint(fields=["league", "user"], name="one_entrant_a_person", condition=Q(user__isnull=False)),
        )

    def __str__(self) -> str:
        return f"{self.league_id}/{self.number} {self.name}"


class Pairing(models.Model):
    """One game of a league: its round, its deadline and, once somebody has opened it, its table."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="pairings")
    round = models.PositiveSmallIntegerField()  # from 1
    number = models.PositiveSmallIntegerField()  # in the round, from 1
    deadline = models.DateTimeField()
    table = models.OneToOneField("tables.Table", null=True, blank=True, on_delete=models.SET_NULL, related_name="pairing")
    void_at = models.DateTimeField(null=True, blank=True)  # not played: nobody gets points

    class Meta:
        ordering = ("league_id", "round", "number")
        constraints = (models.UniqueConstraint(fields=["league", "round", "number"], name="one_pairing_a_number"),)

    def __str__(self) -> str:
        return f"{self.league_id}/{self.round}.{self.number}"


class PairingSeat(models.Model):
    """An entrant's seat in a pairing. Place and points are written when the game ends, by the worker that rates it."""

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="seats")
    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="pairing_seats")
    seat = models.PositiveSmallIntegerField()
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    points = models.FloatField(null=True, blank=True)  # n - place; ties share
    score = models.IntegerField(null=True, blank=True)

    class Meta:
        ordering = ("pairing_id", "seat")
        constraints = (
            models.UniqueConstraint(fields=["pairing", "seat"], name="one_entrant_a_seat"),
            models.UniqueConstraint(fields=["pairing", "entrant"], name="one_seat_an_entrant"),
        )

    def __str__(self) -> str:
        return f"{self.pairing_id}/{self.seat}"


class DuplicateSet(models.Model):
    """Tables of a club that are dealt the same sealed chance, compared when the last of them has ended.

    The secret stays sealed, and every table of the set is shown to nobody but those who sit there, until then.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="duplicate_sets")
    name = models.CharField(max_length=NAME_CHARS)
    game = models.CharField(max_length=40)
    seats = models.PositiveSmallIntegerField()
    options = models.JSONField(default=dict)
    secret = models.BinaryField(max_length=32, editable=False)
    commitment = models.CharField(max_length=64)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    revealed_at = models.DateTimeField(null=True, blank=True)  # when the last table had ended

    def __str__(self) -> str:
        return self.name
