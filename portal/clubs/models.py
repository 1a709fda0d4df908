"""Clubs: their members and roles, announcements, club nights, seasons and duplicate sets.

A club is never deleted, because its finished games keep their place in the ratings. It is closed instead.
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
    """A club. A private one is invisible to everyone but its members: pages, tables, games, ladders and seasons."""

    class Joining(models.TextChoices):
        OPEN = "open"  # anyone who wants to
        REQUEST = "request"  # an officer says yes
        INVITATION = "invitation"  # only by invitation or by the club's link

    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(max_length=NAME_CHARS)  # unique among public clubs; a private club's name is never reported as taken
    about_en = models.TextField(max_length=TEXT_CHARS, blank=True, default="")
    about_hu = models.TextField(max_length=TEXT_CHARS, blank=True, default="")
    about_ru = models.TextField(max_length=TEXT_CHARS, blank=True, default="")
    is_private = models.BooleanField(default=False)
    joining = models.CharField(max_length=10, choices=Joining, default=Joining.REQUEST)
    link_code = models.CharField(max_length=32, unique=True)  # anyone who knows it may join, whatever `joining` says
    created_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    member_count = models.PositiveIntegerField(default=0)  # updated with each change of the members

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
    """Somebody who asks to join."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="requests")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    message = models.CharField(max_length=300, blank=True, default="")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["club", "user"], name="one_request_a_club"),)

    def __str__(self) -> str:
        return f"{self.club_id}: {self.user_id} asks"


class Invitation(models.Model):
    """Somebody whom the club has invited."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="club_invitations")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["club", "user"], name="one_invitation_a_club"),)

    def __str__(self) -> str:
        return f"{self.club_id}: {self.user_id} is invited"


class Ban(models.Model):
    """Somebody who can't join again in any way until the ban is lifted."""

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
    """An announcement of a club."""

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
    """A club night in the calendar."""

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
    """Whether a member is coming to a club night."""

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


# Seasons and duplicate sets, which ratings and tables refer to. Leagues are in `portal.contests.models`.


class Season(models.Model):
    """A period for which a club has standings of its own; frozen for good at the end.

    A club game counts if it ends in [starts_at, ends_at) and its finish number is above `after_number` (the games before
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


class DuplicateSet(models.Model):
    """Tables with the same sealed chance, compared when the last of them has ended: of a club, or without one a deal of a match of bots.

    Until then the secret stays sealed, and only the people seated at a table of the set can see it.
    """

    club = models.ForeignKey(Club, null=True, blank=True, on_delete=models.CASCADE, related_name="duplicate_sets")
    name = models.CharField(max_length=NAME_CHARS)
    game = models.CharField(max_length=40)
    seats = models.PositiveSmallIntegerField()
    options = models.JSONField(default=dict)
    secret = models.BinaryField(max_length=32, editable=False)
    commitment = models.CharField(max_length=64)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    revealed_at = models.DateTimeField(null=True, blank=True)  # when the last table had ended

    @property
    def of_club(self) -> Club:
        """The club of a club's set."""
        assert self.club is not None, "a deal of a match is no club's"
        return self.club

    def __str__(self) -> str:
        return self.name
