"""What can go wrong with a request to a club; each error knows its HTTP status and changes nothing."""

from __future__ import annotations


class ClubError(Exception):
    """A request that cannot be done. The text is a whole sentence for the reader, in the reader's language; `code` is for programs."""

    status = 400
    code = "bad_request"


class ClubNotFound(ClubError):
    """No such club, season, league or set, or one that the reader must not know of."""

    status = 404
    code = "club_not_found"


class NotAllowed(ClubError):
    """The role of the person does not cover this."""

    status = 403
    code = "not_allowed"


class WrongMoment(ClubError):
    """It was possible once, or will be: the club is closed, the season is over, the request has been answered."""

    status = 409
    code = "wrong_moment"


class BadValue(ClubError):
    """A name, text, date or number that is not possible; `field` says which."""

    status = 422
    code = "bad_value"

    def __init__(self, text: str, field: str = "") -> None:
        super().__init__(text)
        self.field = field
