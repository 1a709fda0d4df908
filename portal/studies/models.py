"""Studies: a position of a game, the lines that people play on from it, what they write about them, and who may look."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import models
from django.utils.translation import pgettext_lazy

MAX_TITLE_CHARS: Final = 80
MAX_COMMENT_CHARS: Final = 1000


class Study(models.Model):
    """One study. Its lines start from `position`, which never changes."""

    class Visibility(models.TextChoices):
        """Who may look, among those who may see the table that it is from (`access.py`)."""

        ME = "me", pgettext_lazy("who sees a study", "Only me")
        PEOPLE = "people", pgettext_lazy("who sees a study", "The people I choose")
        CLUB = "club", pgettext_lazy("who sees a study", "A club of mine")
        LINK = "link", pgettext_lazy("who sees a study", "Anyone who has the link")
        PUBLIC = "public", pgettext_lazy("who sees a study", "Everyone")

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="studies")
    title = models.CharField(max_length=MAX_TITLE_CHARS)
    game = models.CharField(max_length=40)
    table = models.ForeignKey("tables.Table", null=True, on_delete=models.SET_NULL, related_name="+")
    step = models.PositiveIntegerField()  # of the table's replay; 0 without one
    is_dealt_again = models.BooleanField(default=False)  # from a running practice game: what its player could not see was dealt again
    is_set_up = models.BooleanField(default=False, db_default=False)  # its owner has set up the position, which is of no table
    position = models.JSONField()  # a position file, complete
    seed = models.CharField(max_length=64)  # of all draws (`lines.py`)
    visibility = models.CharField(max_length=6, choices=Visibility, default=Visibility.ME)
    club = models.ForeignKey("clubs.Club", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    link_code = models.CharField(max_length=24, unique=True)
    made_at = models.DateTimeField()
    changed_at = models.DateTimeField()
    hidden_at = models.DateTimeField(null=True, blank=True)  # by a moderator: nobody but the owner sees it

    version = models.PositiveIntegerField(default=1)  # grows with everything that a page shows
    last_number = models.PositiveIntegerField(default=0)  # that a move was given
    shown = models.PositiveIntegerField(default=0)  # the number of the move at which the owner looks; 0: the start

    class Meta:
        indexes = (
            models.Index(fields=["owner", "-changed_at"], name="study_of_owner"),
            models.Index(fields=["club", "-changed_at"], name="study_of_club", condition=models.Q(visibility="club")),
            models.Index(fields=["-changed_at"], name="study_public", condition=models.Q(visibility="public", hidden_at=None)),
        )

    def __str__(self) -> str:
        return f"study {self.pk}"


class Move(models.Model):
    """One action of a seat in a study, after its parent; chance, points and forced answers follow by themselves and are part of it."""

    class Mark(models.TextChoices):
        NONE = "", pgettext_lazy("a move in a study", "No mark")
        STRONG = "!!", pgettext_lazy("a move in a study", "Excellent")
        GOOD = "!", pgettext_lazy("a move in a study", "Good")
        INTERESTING = "!?", pgettext_lazy("a move in a study", "Interesting")
        DOUBTFUL = "?!", pgettext_lazy("a move in a study", "Doubtful")
        BAD = "?", pgettext_lazy("a move in a study", "Mistake")

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="moves", db_index=False)  # the constraint has an index
    number = models.PositiveIntegerField()  # in addresses, from 1
    parent = models.ForeignKey("self", null=True, on_delete=models.CASCADE, related_name="+")
    rank = models.IntegerField(default=0)  # among those after the same parent: the lowest is the main line
    seat = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=500)
    draw = models.PositiveSmallIntegerField(default=0)  # the same action again with other draws
    bot = models.CharField(max_length=20, blank=True, default="")  # the level that chose it
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    events = models.JSONField()  # [[actor, stored event], ...], to say what happened without playing it again
    comment = models.CharField(max_length=MAX_COMMENT_CHARS, blank=True, default="")
    commented_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    mark = models.CharField(max_length=2, choices=Mark, blank=True, default="")
    made_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["study", "number"], name="one_move_a_number"),)

    def __str__(self) -> str:
        return f"move {self.number} of study {self.study_id}"


class Guest(models.Model):
    """Somebody whom the owner has chosen, to look or to add moves and comments as well."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="guests", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    may_add = models.BooleanField(default=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["study", "user"], name="one_guest_a_person"),)

    def __str__(self) -> str:
        return f"{self.user_id} in study {self.study_id}"


class Wish(models.Model):
    """A bot is to move after a move of a study (`after`; 0: at the start). A worker plays it and deletes the row."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="wishes", db_index=False)
    after = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    level = models.CharField(max_length=20)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    asked_at = models.DateTimeField()
    failed = models.BooleanField(default=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["study", "after", "seat"], name="one_wish_a_seat"),)

    def __str__(self) -> str:
        return f"a bot for seat {self.seat} in study {self.study_id} after {self.after}"
