"""Reports of profiles and studies: what somebody can do who thinks that others shouldn't have to see such things."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from portal.accounts.models import User
from portal.accounts.names import person_named
from portal.accounts.pseudonyms import name_of
from portal.common.refusals import Refusal
from portal.people.selectors import picture_of, shown_by
from portal.studies.page import node_url
from portal.studies.views import opened_for, private
from portal.talk import refusals, services
from portal.talk.models import MAX_REASON_CHARS, Report

What = Report.What


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that can be reported, as it is now."""

    what: Report.What
    text: str = ""
    picture: str = ""  # its address

    @property
    def label(self) -> str:
        return str(self.what.label)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report_person(request: HttpRequest, username: str) -> HttpResponse:
    """Report the name, the text or the picture of a person. Guests have none that they chose."""
    person = person_named(username)
    if person is None or not person.is_active or person.is_guest:
        raise Http404
    shown = shown_by(person.pk)
    things = [Thing(What.NAME, text=person.username)]
    things += [Thing(What.ABOUT, text=shown.about)] if shown.about else []
    things += [Thing(What.PICTURE, picture=shown.picture)] if shown.picture else []
    path = reverse("profile", args=[person.username])

    def store(user: User, thing: Thing, reason: str, words: str) -> None:
        picture = picture_of(shown.picture.rpartition("/")[2].partition(".")[0]) if thing.what == What.PICTURE else None
        services.report_other(
            user=user, what=thing.what, person=person, reason=reason, words=words, path=path, text=thing.text, picture=picture or b""
        )

    return _page(request, things, store, owner=person, back=path, name=name_of(person))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report_study(request: HttpRequest, pk: int, number: int = 0) -> HttpResponse:
    """Report the title of a study, or the comment on a move. What the reader may not see can't be reported: 404."""
    opened = opened_for(request, pk)
    study = opened.study
    owner, thing = study.owner, Thing(What.STUDY, text=study.title)
    if number:
        move = study.moves.select_related("commented_by").exclude(comment="").filter(number=number).first()
        if move is None:
            raise Http404
        owner, thing = move.commented_by or study.owner, Thing(What.COMMENT, text=move.comment)
    path = node_url(study, number)

    def store(user: User, thing: Thing, reason: str, words: str) -> None:
        services.report_other(
            user=user,
            what=thing.what,
            person=owner,
            reason=reason,
            words=words,
            path=path,
            text=thing.text,
            study=study.pk,
            move=number,
        )

    return _page(request, [thing], store, owner=owner, back=path, name=study.title)


# Parts


def _page(
    request: HttpRequest, things: list[Thing], store: Callable[[User, Thing, str, str], None], *, owner: User, back: str, name: str
) -> HttpResponse:
    """Show the form, or store what it sends and lead back."""
    user = cast(User, request.user)
    sent: Mapping[str, str] = request.POST
    fault: Refusal | None = None
    try:
        if owner.pk == user.pk:
            raise refusals.OwnThing
        if request.method == "POST":
            wanted = sent.get("what", "") if len(things) > 1 else things[0].what
            thing = next((one for one in things if one.what == wanted), None)
            if thing is None:
                raise refusals.ChooseWhat
            store(user, thing, sent.get("reason", ""), sent.get("words", ""))
            messages.success(request, _("Thank you. A moderator will look at it."))
            return private(redirect(back))
    except Refusal as refusal:
        fault = refusal
    context = {
        "things": things,
        "name": name,
        "back_url": back,
        "may_report": owner.pk != user.pk,
        "reasons": [(value, label) for value, label in Report.Reason.choices if value != Report.Reason.TIPS],
        "what": sent.get("what", ""),
        "chosen": sent.get("reason", ""),
        "words": sent.get("words", ""),
        "most": MAX_REASON_CHARS,
        "error": str(fault) if fault is not None else "",
    }
    response = private(render(request, "site/report.html", context, status=fault.status if fault is not None else 200))
    if fault is not None and fault.retry_after_s is not None:
        response["Retry-After"] = str(fault.retry_after_s)
    return response
