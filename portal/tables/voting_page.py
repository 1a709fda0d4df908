"""The questions that the people at a table decide together, in words."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext

from portal.tables.selectors import TablePage
from portal.tables.votes import Question, Vote, What
from voice.glossary import and_list


def voting_context(page: TablePage, lang: str) -> dict[str, Any]:
    """Return `vote`, the question that waits for the reader's answer or for others', and `questions`, what the reader may ask; {} for watchers."""
    if page.my_seat is None or page.status != "playing":
        return {}
    if page.vote is not None:
        return {"vote": _vote(page, page.vote, lang)}
    is_saved = any(question.what == What.RESUME for question in page.questions)
    return {"questions": [_question(page, question) for question in page.questions], "is_saved": is_saved}


def _vote(page: TablePage, vote: Vote, lang: str) -> dict[str, Any]:
    is_own = vote.seat == page.my_seat
    asker = page.seats[vote.seat].name
    return {
        "at": vote.at,
        "is_own": is_own,
        "is_asked": page.my_seat in vote.missing,
        "text": _asked_by_me(page, vote) if is_own else _asked(page, vote) % {"who": asker, "whom": _person(page, vote.about)},
        "waiting": gettext("Still to answer: %(names)s.") % {"names": and_list([page.seats[seat].name for seat in vote.missing], lang)},
    }


def _asked(page: TablePage, vote: Vote) -> str:
    if vote.what == What.TIME:
        if vote.about == vote.seat:
            return gettext("%(who)s asks for more time.")
        return gettext("%(who)s asks to give %(whom)s more time.")
    if vote.what == What.NO_CLOCKS:
        return gettext("%(who)s asks to play on without clocks.")
    if vote.what == What.SAVE:
        return gettext("%(who)s asks to save the game for another day.")
    if vote.what == What.RESUME:
        return gettext("%(who)s asks to let the clocks run again.")
    if vote.what == What.TAKE_BACK:
        return gettext("%(who)s asks to undo their last move, and all that came after it.")
    return gettext("%(who)s asks to end the game without a result.")


def _asked_by_me(page: TablePage, vote: Vote) -> str:
    return gettext("You asked: %(what)s.") % {"what": _question(page, Question(vote.what, vote.about))["label"]}


def _question(page: TablePage, question: Question) -> dict[str, Any]:
    label, hint = _words(page, question)
    whom = () if question.about is None else (str(question.about),)
    return {"id": "-".join(("ask", question.what, *whom)), "send": " ".join((question.what, *whom)), "label": label, "hint": hint}


def _words(page: TablePage, question: Question) -> tuple[str, str]:
    if question.what == What.TIME:
        if question.about == page.my_seat:
            return gettext("More time for me"), ""
        return gettext("More time for %(whom)s") % {"whom": _person(page, question.about)}, ""
    if question.what == What.NO_CLOCKS:
        return gettext("Play on without clocks"), gettext("For the rest of the game, everyone can take as long as they like.")
    if question.what == What.SAVE:
        return gettext("Save the game for another day"), gettext("The clocks stand still until you all agree to let them run again.")
    if question.what == What.RESUME:
        return gettext("Let the clocks run again"), gettext("Each clock goes on from where it stopped.")
    if question.what == What.TAKE_BACK:
        return gettext("Undo my last move"), gettext("Everything played since then is undone too.")
    return gettext("End the game without a result"), gettext("Nobody wins or loses, and no rating changes.")


def _person(page: TablePage, seat: int | None) -> str:
    """Return the name of whoever plays a seat, or has it kept by a bot."""
    if seat is None:
        return ""
    return page.seats[seat].left_name or page.seats[seat].name
