"""The API of studies: lists, a study with its moves, positions from a seat, playing on, comments, sharing; as the pages show them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final, cast

import msgspec
from django.utils import translation
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import exceptions, serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games.core import schemas
from portal.accounts.api import person_or_404
from portal.accounts.models import User
from portal.accounts.pseudonyms import shown
from portal.common.api import refused
from portal.common.api_views import CURSOR, DONE, FORBIDDEN, READS, WRITES, ApiView, Input, Output, checked, page_of, paged, problems
from portal.common.refusals import Refusal
from portal.studies import lines, refusals, services, sharing, tasks
from portal.studies.access import NO_CODES, Codes, Opened, Visibility, club_told, in_clubs_of, listed, open_study
from portal.studies.models import MAX_COMMENT_CHARS, MAX_TITLE_CHARS, Guest, Study, Wish
from portal.studies.page import link_of, said_of
from portal.studies.share_views import MAX_CODE_CHARS, WRONG
from portal.studies.views import MAX_ID, MAX_NUMBER
from portal.tables import selectors
from portal.tables.access import load_for
from portal.tables.replay import replay_of
from portal.tables.services import MAX_ACTION_CHARS, MAX_ACTIONS
from portal.tables.speaker import Speaker

LISTS: Final = ("mine", "shared", "clubs", "public")
SPECTATOR: Final = "spectator"
MAX_DIGITS: Final = 2
VISIBILITY_CHOICES: Final = [
    ("me", "Only its owner."),
    ("people", "The people whom the owner chooses."),
    ("club", "The members of a club of the owner's."),
    ("link", "Anyone who has the link."),
    ("public", "Everyone."),
]
MARK_CHOICES: Final = [
    ("", "No mark."),
    ("!!", "Excellent."),
    ("!", "Good move."),
    ("!?", "Interesting."),
    ("?!", "Doubtful."),
    ("?", "Mistake."),
]
CODE: Final = OpenApiParameter("code", OpenApiTypes.STR, description="The end of the study's link, if it is by the link that you see it.")


class StudyRowAnswer(Output):
    """A study in a list."""

    id = serializers.IntegerField(source="pk")
    title = serializers.CharField()
    game = serializers.CharField()
    owner = serializers.SerializerMethodField()
    is_bot = serializers.BooleanField(source="owner.is_bot", help_text="Whether its owner is somebody's bot account.")
    visibility = serializers.ChoiceField(choices=VISIBILITY_CHOICES, help_text="Who may see it, among those who may see its table.")
    club = serializers.SerializerMethodField(help_text="The club that sees it, if you are in it or own the study; else null.")
    changed_at = serializers.DateTimeField()

    def get_owner(self, study: Study) -> str:
        return shown(study.owner.username)

    def get_club(self, study: Study) -> str | None:
        club = club_told(study, self.context.get("viewer"))
        return club.slug if club is not None else None


class MoveAnswer(Output):
    """A move of a study: an action of a seat, with all that followed by itself."""

    number = serializers.IntegerField(help_text="In addresses, from 1; 0 is the first position.")
    after = serializers.IntegerField(help_text="The number of the move before; 0: the first position.")
    seat = serializers.IntegerField()
    action = serializers.CharField(help_text="In text form.")
    said = serializers.ListField(child=serializers.CharField(), help_text="What happened, in sentences in your language.")
    draw = serializers.IntegerField(help_text="How often the same action was drawn again before.")
    bot = serializers.CharField(allow_blank=True, help_text="The level that chose it; empty for a person.")
    is_mine = serializers.BooleanField(help_text="Whether you added it.")
    mark = serializers.ChoiceField(choices=MARK_CHOICES)
    comment = serializers.CharField(allow_blank=True)
    commented_by = serializers.CharField(allow_null=True)


class StudyAnswer(StudyRowAnswer):
    """A study with its moves. Of several after the same move, the first is the main line."""

    table = serializers.IntegerField(
        source="table_id", allow_null=True, help_text="Where it is from; null if that table is gone, or if the position was set up."
    )
    is_set_up = serializers.BooleanField(help_text="Whether its owner has set up the position, which is then of no table.")
    step = serializers.IntegerField(help_text="Of the table's replay.")
    is_dealt_again = serializers.BooleanField(help_text="Whether what its player couldn't see was dealt again.")
    made_at = serializers.DateTimeField()
    version = serializers.IntegerField(help_text="Grows with everything that you see of it.")
    shown = serializers.IntegerField(help_text="The move at which its owner looks.")
    is_owner = serializers.SerializerMethodField()
    may_add = serializers.SerializerMethodField(help_text="Whether you may add moves and comments.")
    names = serializers.SerializerMethodField(help_text="Of the players, by seat.")
    link = serializers.SerializerMethodField(help_text="For the owner, if it is open to anyone who has the link.")
    moves = serializers.SerializerMethodField()

    def get_is_owner(self, _study: Study) -> bool:
        return bool(self.context["opened"].is_owner)

    def get_may_add(self, _study: Study) -> bool:
        return bool(self.context["opened"].may_add)

    def get_names(self, _study: Study) -> list[str]:
        return list(self.context["opened"].names)

    def get_link(self, study: Study) -> str | None:
        return link_of(study) if self.context["opened"].is_owner and study.visibility == Visibility.LINK else None

    @extend_schema_field(MoveAnswer(many=True))
    def get_moves(self, _study: Study) -> list[dict[str, Any]]:
        return [dict(MoveAnswer(move).data) for move in self.context["moves"]]


class StudyWishAnswer(Output):
    """A bot that was asked for a move."""

    seat = serializers.IntegerField()
    level = serializers.CharField()
    failed = serializers.BooleanField(help_text="Whether it couldn't move. Ask again.")


class PositionAnswer(Output):
    """A position of a study, from a seat."""

    number = serializers.IntegerField(help_text="After this move; 0: the first position.")
    version = serializers.IntegerField()
    seat = serializers.IntegerField(allow_null=True, help_text="From where you look; null: as a spectator.")
    due = serializers.ListField(child=serializers.IntegerField(), help_text="Seats that decide.")
    view = serializers.JSONField(help_text="What the seat can see of the position.")
    question = serializers.CharField(allow_null=True, help_text="What the seat is asked, if it decides and you may add moves.")
    legal = serializers.ListField(child=serializers.CharField(), help_text="Its legal actions in text form, if you may add moves.")
    outcome = serializers.JSONField(allow_null=True, help_text="Once nobody has anything left to decide.")
    bots = StudyWishAnswer(many=True, help_text="Bots that were asked to move here.")


class MovedAnswer(Output):
    """Where a change has led."""

    number = serializers.IntegerField(help_text="Of the move; after a deletion, of the one before.")
    version = serializers.IntegerField(help_text="Of the study.")


class GuestAnswer(Output):
    """Somebody whom the owner has chosen."""

    username = serializers.CharField(source="user.username")
    is_bot = serializers.BooleanField(source="user.is_bot", help_text="Somebody's bot account.")
    may_add = serializers.BooleanField(help_text="Whether they may add moves and comments, or only look.")


class StudyRequest(Input):
    table = serializers.IntegerField(min_value=1, max_value=MAX_ID)
    step = serializers.IntegerField(min_value=0, max_value=MAX_NUMBER, help_text="Of the table's replay.")
    title = serializers.CharField(help_text=f"At most {MAX_TITLE_CHARS} characters.")


class SetUpStudyRequest(Input):
    position = serializers.DictField(help_text="A position file, which may leave out fields, as in the position editor.")
    title = serializers.CharField(help_text=f"At most {MAX_TITLE_CHARS} characters.")


class StudyFields(Input):
    title = serializers.CharField(required=False, help_text=f"At most {MAX_TITLE_CHARS} characters.")
    visibility = serializers.ChoiceField(required=False, choices=VISIBILITY_CHOICES)
    club = serializers.SlugField(required=False, allow_blank=True, help_text="For `club`: one of your own.")


class MoveRequest(Input):
    after = serializers.IntegerField(min_value=0, max_value=MAX_NUMBER, help_text="The number of the move before; 0: the first position.")
    seat = serializers.IntegerField(min_value=0, max_value=99)
    actions = serializers.ListField(
        child=serializers.CharField(max_length=MAX_ACTION_CHARS),
        min_length=1,
        max_length=MAX_ACTIONS,
        help_text="One after the other, as in `legal`: all of them or none.",
    )


class CommentRequest(Input):
    comment = serializers.CharField(required=False, allow_blank=True, help_text=f"At most {MAX_COMMENT_CHARS} characters.")
    mark = serializers.ChoiceField(required=False, choices=MARK_CHOICES)


class StudyBotRequest(Input):
    after = serializers.IntegerField(min_value=0, max_value=MAX_NUMBER)
    seat = serializers.IntegerField(min_value=0, max_value=99)
    level = serializers.CharField(max_length=20, help_text="One of the game's `bot_levels`.")


class GuestRequest(Input):
    username = serializers.CharField(max_length=150)
    may_add = serializers.BooleanField(required=False, default=False)


class StudiesView(ApiView):
    """About studies. One that somebody may not see answers as if it weren't there."""

    @property
    def viewer(self) -> User | None:
        return self.request.user if isinstance(self.request.user, User) else None

    @property
    def user(self) -> User:
        """The caller of an operation for which one has to be signed in."""
        return cast(User, self.request.user)

    @property
    def codes(self) -> Codes:
        """The link that the reader has, of the study of the address."""
        code = self.request.query_params.get("code", "")
        return {str(self.kwargs["pk"]): code} if 0 < len(code) <= MAX_CODE_CHARS else NO_CODES

    def opened(self) -> Opened:
        """Return the study of the address. Raises StudyNotFound, and TooManyGuesses to whoever guesses links."""
        request, codes = self.request._request, self.codes
        if codes:
            WRONG.check(request)
        try:
            return open_study(self.kwargs["pk"], self.viewer, codes)
        except refusals.StudyNotFound:
            if codes:
                WRONG.count(request)
            raise

    def told(self, opened: Opened, status: int = 200) -> Response:
        """Answer with a study as its reader sees it, with all its moves."""
        context = {"opened": opened, "moves": moves_json(opened, self.viewer), "viewer": self.viewer}
        return Response(StudyAnswer(opened.study, context=context).data, status=status)

    def moved(self, number: int) -> Response:
        """Answer with where a change has led."""
        return Response({"number": number, "version": Study.objects.values_list("version", flat=True).get(pk=self.kwargs["pk"])})

    def handle_exception(self, exc: Exception) -> Response:
        """Say why an action isn't possible in the words of the game."""
        cause = getattr(exc, "cause", None)
        if isinstance(exc, Refusal) and cause is not None and "pk" in self.kwargs:
            opened = open_study(self.kwargs["pk"], self.viewer, self.codes)
            return refused(exc, Speaker(opened.study.game, translation.get_language() or "en", opened.names, None).say(cause))
        return super().handle_exception(exc)


def moves_json(opened: Opened, viewer: User | None) -> list[dict[str, Any]]:
    """Return the moves of a study in the order of their lines, the main one first; one statement."""
    found = services.tree(opened.study)
    speaker = Speaker(opened.study.game, translation.get_language() or "en", opened.names, None)
    told = []
    waiting = list(reversed(found.after.get(0, ())))
    while waiting:
        number = waiting.pop()
        move = found.moves[number]
        told.append(
            {
                **{name: getattr(move, name) for name in ("number", "seat", "draw", "bot", "mark", "comment")},
                "after": found.before[number],
                "action": move.text,
                "said": said_of(move, speaker),
                "is_mine": viewer is not None and move.author_id == viewer.pk,
                "commented_by": shown(move.commented_by.username) if move.commented_by is not None and move.comment else None,
            }
        )
        waiting.extend(reversed(found.after.get(number, ())))
    return told


class StudyListView(StudiesView):
    @extend_schema(
        operation_id="studies",
        summary="List studies",
        parameters=[
            OpenApiParameter(
                "list",
                OpenApiTypes.STR,
                enum=LISTS,
                default="mine",
                description="`mine`, `shared` (with you), `clubs` (with your clubs) or `public` (others' that everyone can see).",
            ),
            *CURSOR,
        ],
        responses={200: paged(StudyRowAnswer), **READS},
        tags=["studies"],
    )
    def get(self, request: Request) -> Response:
        """The one that changed last first. Studies that you see by their link are in no list."""
        wanted = request.query_params.get("list", LISTS[0])
        if wanted not in LISTS:
            raise exceptions.ValidationError({"list": _("Choose one of these: %(names)s.") % {"names": ", ".join(LISTS)}})
        user = self.viewer
        if user is None and wanted != "public":
            raise exceptions.NotAuthenticated
        found = listed(user)
        others = found.exclude(owner=user) if user is not None else found
        rows = {
            "mine": found.filter(owner=user),
            "shared": others.exclude(visibility=Visibility.PUBLIC).exclude(in_clubs_of(user)),
            "clubs": others.filter(in_clubs_of(user)),
            "public": others.filter(visibility=Visibility.PUBLIC),
        }[wanted]
        rows = rows.select_related("owner", "club").defer("position")
        studies, following = page_of(rows, request, of=f"studies.{wanted}", by=("-changed_at", "-id"))
        return Response({"next": following, "results": StudyRowAnswer(studies, many=True, context={"viewer": self.viewer}).data})

    @extend_schema(
        operation_id="start_study", summary="Start a study", request=StudyRequest, responses={201: StudyAnswer, **WRITES}, tags=["studies"]
    )
    def post(self, request: Request) -> Response:
        """From a step of a game that is over and revealed, or of your own unrated game against bots. Only you see it at first."""
        values = checked(StudyRequest, request.data)
        loaded = load_for(values["table"], self.user)
        replay = replay_of(loaded, selectors.page_of(loaded, self.user))
        made = services.start(replay=replay, step=values["step"], user=self.user, title=values["title"])
        return self.told(open_study(made.pk, self.user), 201)


class SetUpView(StudiesView):
    @extend_schema(
        operation_id="set_up_study",
        summary="Start a study of a position of your own",
        request=SetUpStudyRequest,
        responses={201: StudyAnswer, **WRITES},
        tags=["studies"],
    )
    def post(self, request: Request) -> Response:
        """What the position leaves out is filled in as in the position editor. It is of no table, and only you see it at first."""
        values = checked(SetUpStudyRequest, request.data)
        position = services.position_in(json.dumps(values["position"]))  # whose bounds are those of the page
        made = services.start_set_up(position=position, user=self.user, title=values["title"])
        return self.told(open_study(made.pk, self.user), 201)


class StudyView(StudiesView):
    @extend_schema(operation_id="study", summary="See a study", parameters=[CODE], responses={200: StudyAnswer, **READS}, tags=["studies"])
    def get(self, request: Request, pk: int) -> Response:
        """All its moves with their comments. Positions are at `positions/`."""
        return self.told(self.opened())

    @extend_schema(
        operation_id="change_study",
        summary="Change who sees a study",
        request=StudyFields,
        responses={200: StudyAnswer, **WRITES},
        tags=["studies"],
    )
    def patch(self, request: Request, pk: int) -> Response:
        """And its title. For its owner; what you leave out stays."""
        values = checked(StudyFields, request.data)
        study = self.opened().study
        club = study.club.slug if study.club is not None else ""
        kept = {"title": study.title, "visibility": study.visibility, "club": club}
        sharing.set_up(study_id=pk, user=self.user, **kept | values)
        return self.told(open_study(pk, self.user))

    @extend_schema(operation_id="delete_study", summary="Delete a study", responses=DONE, tags=["studies"])
    def delete(self, request: Request, pk: int) -> Response:
        """With all its moves. For its owner."""
        sharing.delete_study(study_id=pk, user=self.user)
        return Response(status=204)


class ByLinkView(StudiesView):
    @extend_schema(
        operation_id="study_link", summary="See the study behind a link", responses={200: StudyAnswer, **READS}, tags=["studies"]
    )
    def get(self, request: Request, code: str) -> Response:
        """The code is the end of the link. Send it as `code` to see positions."""
        WRONG.check(request._request)
        pk = Study.objects.filter(link_code=code).values_list("pk", flat=True).first() if len(code) <= MAX_CODE_CHARS else None
        try:
            return self.told(open_study(pk, self.viewer, {str(pk): code}))
        except refusals.StudyNotFound:
            WRONG.count(request._request)
            raise


class PositionView(StudiesView):
    @extend_schema(
        operation_id="study_position",
        summary="See a position of a study",
        parameters=[
            OpenApiParameter(
                "seat",
                OpenApiTypes.STR,
                description="From which seat to look: a number from 0, or `spectator`. Without it, from the one that decides.",
            ),
            CODE,
        ],
        responses={200: PositionAnswer, **READS, **problems(409)},
        tags=["studies"],
    )
    def get(self, request: Request, pk: int, number: int) -> Response:
        """After a move (0: the first position), and what may be played on from it."""
        opened = self.opened()
        state = lines.state_after(opened.study, services.tree(opened.study).path(number))
        wishes = list(Wish.objects.filter(study=opened.study, after=number))
        for wish in wishes:
            if not wish.failed:
                tasks.ask_again(wish)
        rules = opened.entry.game
        due = rules.actors(state)
        seat = self.seat(due, len(opened.names))
        view = rules.view_for(state, seat)
        ask = rules.ask(view, "") if opened.may_add and seat in due else None
        outcome = rules.outcome(state)
        speaker = Speaker(opened.study.game, translation.get_language() or "en", opened.names, seat)
        found = {
            "number": number,
            "version": opened.study.version,
            "seat": seat,
            "due": [one for one in due if one >= 0],
            "view": schemas.shown(view),
            "question": speaker.say(ask.title) if ask is not None else None,
            "legal": [str(action) for action in rules.legal_for_view(view)] if ask is not None else [],
            "outcome": msgspec.to_builtins(outcome, str_keys=True) if outcome is not None else None,
            "bots": wishes,
        }
        return Response(PositionAnswer(found).data)

    def seat(self, due: Sequence[int], seats: int) -> int | None:
        """Return the seat that was asked for. Raises ValidationError."""
        raw = self.request.query_params.get("seat", "")
        if not raw:
            return next((one for one in due if one >= 0), None)
        if raw == SPECTATOR:
            return None
        if not (raw.isascii() and raw.isdigit() and len(raw) <= MAX_DIGITS and int(raw) < seats):
            raise exceptions.ValidationError({"seat": _("This seat doesn't exist.")})
        return int(raw)


# Moves


class MovesView(StudiesView):
    @extend_schema(
        operation_id="play_in_study", summary="Add moves", request=MoveRequest, responses={200: MovedAnswer, **WRITES}, tags=["studies"]
    )
    def post(self, request: Request, pk: int) -> Response:
        """What is there already is followed, not added again. Draws, points and only answers follow by themselves."""
        values = checked(MoveRequest, request.data)
        return self.moved(services.play(study_id=pk, user=self.user, codes=self.codes, **values))


class MoveView(StudiesView):
    @extend_schema(
        operation_id="comment_move",
        summary="Comment on a move",
        request=CommentRequest,
        responses={200: MovedAnswer, **WRITES},
        tags=["studies"],
    )
    def patch(self, request: Request, pk: int, number: int) -> Response:
        """Its text and its mark; what you leave out stays. Others' comments can be changed by the study's owner only."""
        values = checked(CommentRequest, request.data)
        said = {"text": values.get("comment"), "mark": values.get("mark")}
        services.comment(study_id=pk, user=self.user, codes=self.codes, number=number, **said)
        return self.moved(number)

    @extend_schema(operation_id="delete_move", summary="Delete a move", responses={200: MovedAnswer, **WRITES}, tags=["studies"])
    def delete(self, request: Request, pk: int, number: int) -> Response:
        """With all that follows it. Others' moves can be deleted by the study's owner only."""
        return self.moved(services.delete(study_id=pk, user=self.user, codes=self.codes, number=number))


class DrawView(StudiesView):
    @extend_schema(operation_id="draw_again", summary="Draw again", request=None, responses={200: MovedAnswer, **WRITES}, tags=["studies"])
    def post(self, request: Request, pk: int, number: int) -> Response:
        """Adds the same action with other draws beside the move."""
        return self.moved(services.draw_again(study_id=pk, user=self.user, codes=self.codes, number=number))


class PromoteView(StudiesView):
    @extend_schema(
        operation_id="promote_line",
        summary="Make a line the main one",
        request=None,
        responses={200: MovedAnswer, **WRITES},
        tags=["studies"],
    )
    def post(self, request: Request, pk: int, number: int) -> Response:
        """The line that the move is in, where it branches off. For the study's owner."""
        services.promote(study_id=pk, user=self.user, codes=self.codes, number=number)
        return self.moved(number)


class BotsView(StudiesView):
    @extend_schema(
        operation_id="ask_bot_in_study",
        summary="Let a bot move",
        request=StudyBotRequest,
        responses={200: MovedAnswer, **WRITES},
        tags=["studies"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Its move comes a little later; the study's `version` grows then. Asking twice is asking once."""
        values = checked(StudyBotRequest, request.data)
        services.ask_bot(study_id=pk, user=self.user, codes=self.codes, **values)
        return self.moved(values["after"])


# Sharing


class PeopleView(StudiesView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="study_people",
        summary="List the people whom you chose",
        parameters=CURSOR,
        responses={200: paged(GuestAnswer), **READS, **FORBIDDEN},
        tags=["studies"],
    )
    def get(self, request: Request, pk: int) -> Response:
        """For the study's owner, in the order in which they were chosen."""
        if not self.opened().is_owner:
            raise refusals.OwnerOnly
        rows, following = page_of(Guest.objects.filter(study=pk).select_related("user"), request, of="study-people", by=("id",))
        return Response({"next": following, "results": GuestAnswer(rows, many=True).data})

    @extend_schema(
        operation_id="share_study",
        summary="Share a study with somebody",
        request=GuestRequest,
        responses={200: GuestAnswer, **WRITES},
        tags=["studies"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """To look, or to add moves and comments too. Somebody who is in gets the other right."""
        values = checked(GuestRequest, request.data)
        person = sharing.let_in(study_id=pk, user=self.user, name=values["username"], may_add=values["may_add"])
        return Response({"username": person.username, "is_bot": person.is_bot, "may_add": values["may_add"]})


class PersonView(StudiesView):
    @extend_schema(operation_id="unshare_study", summary="Stop sharing with somebody", responses=DONE, tags=["studies"])
    def delete(self, request: Request, pk: int, username: str) -> Response:
        """Twice is once."""
        sharing.put_out(study_id=pk, user=self.user, person_id=person_or_404(username).pk)
        return Response(status=204)


class LinkView(StudiesView):
    @extend_schema(
        operation_id="renew_study_link",
        summary="Make a new link to a study",
        request=None,
        responses={200: StudyAnswer, **WRITES},
        tags=["studies"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """The old one no longer works, also for those who have followed it."""
        sharing.renew_link(study_id=pk, user=self.user)
        return self.told(open_study(pk, self.user))
