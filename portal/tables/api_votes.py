"""The API of what the people at a running table decide together."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from portal.common.api_views import READS, WRITES, Input, Output, checked
from portal.tables import selectors, voting
from portal.tables.api_base import TablesView, vote_json
from portal.tables.serializers import WHATS, QuestionAnswer, TableAnswer, VoteAnswer


class AskRequest(Input):
    what = serializers.ChoiceField(choices=list(WHATS.items()), help_text="One of the table's `may_ask`.")
    about = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=0, max_value=5, help_text="The seat that is to get time; only for `time`."
    )


class VoteRequest(Input):
    agrees = serializers.BooleanField(help_text="Whether you agree. If you asked yourself, false withdraws the question.")


class VotesAnswer(Output):
    """What is being decided, and what you may ask; both empty for anyone without a seat."""

    results = VoteAnswer(many=True, help_text="The open questions: one at a time.")
    may_ask = QuestionAnswer(many=True)


class VotesView(TablesView):
    @extend_schema(operation_id="votes", summary="See what is being decided", responses={200: VotesAnswer, **READS}, tags=["play"])
    def get(self, request: Request, pk: int) -> Response:
        """The open question at a running table, and what you may ask the others."""
        page = selectors.table_page(pk, self.person)
        vote = vote_json(page)
        found: dict[str, Any] = {"results": [vote] if vote is not None else [], "may_ask": [] if vote is not None else page.questions}
        return Response(VotesAnswer(found).data)

    @extend_schema(
        operation_id="ask_table", summary="Ask the others", request=AskRequest, responses={200: TableAnswer, **WRITES}, tags=["play"]
    )
    def post(self, request: Request, pk: int) -> Response:
        """It is decided when everybody who plays has agreed; bots have no say. One no ends it. If nobody else plays, it is done at once."""
        values = checked(AskRequest, request.data)
        return self.answer(voting.ask(table_id=pk, user=self.signed_in, what=values["what"], about=values["about"]))


class VoteView(TablesView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="answer_vote", summary="Answer a question", request=VoteRequest, responses={200: TableAnswer, **WRITES}, tags=["play"]
    )
    def post(self, request: Request, pk: int, vote: int) -> Response:
        """`vote` is the `id` of the question. 409 if it is no longer asked."""
        values = checked(VoteRequest, request.data)
        return self.answer(voting.answer(table_id=pk, user=self.signed_in, at=vote, agrees=values["agrees"]))
