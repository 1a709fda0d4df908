"""What can go wrong with a request to a table; each error knows its HTTP status and changes nothing."""

from __future__ import annotations

from games.core.contract import IllegalAction


class TableError(Exception):
    """A request that cannot be done. `code` is stable for clients; `cause` is what the game says to it, `rule` its paragraph."""

    status = 400
    code = "bad_request"
    cause: IllegalAction | None = None
    rule: str | None = None


class TableNotFound(TableError):
    status = 404
    code = "table_not_found"


class NotYourSeat(TableError):
    """The person has no seat here, or it is another seat's turn, or only the owner may."""

    status = 403
    code = "not_your_seat"


class MembersOnly(TableError):
    """The table belongs to a club, and only its members may do that."""

    status = 403
    code = "members_only"


class NotDue(TableError):
    """The seat is not asked anything now."""

    status = 409
    code = "not_due"

    def __init__(self, text: str, cause: IllegalAction | None = None) -> None:
        super().__init__(text)
        self.cause = cause
        self.rule = cause.rule if cause is not None else None


class StaleTable(TableError):
    """The table has moved on since the version that the request was made for."""

    status = 409
    code = "stale"


class WrongStatus(TableError):
    """The table is not open, not playing, or finished already."""

    status = 409
    code = "wrong_status"


class Sealed(WrongStatus):
    """The table is over, but another one of its duplicate set is not: secret and record are given to nobody."""

    code = "sealed"


class BadAction(TableError):
    """The text is no action of this game; `hint` says what was expected, `rule` where that is told."""

    status = 400
    code = "bad_action"

    def __init__(self, hint: str, rule: str | None = None) -> None:
        super().__init__(hint)
        self.hint = hint
        self.rule = rule


class BadSetting(TableError):
    """A seat count, option, bot level or word that is not possible."""

    status = 400
    code = "bad_setting"


class NothingToUndo(TableError):
    status = 409
    code = "nothing_to_undo"


class NothingToRedo(TableError):
    status = 409
    code = "nothing_to_redo"


class Refused(TableError):
    """The rules forbid the action: carries the engine's reason with its values and the paragraph."""

    status = 422
    code = "refused"

    def __init__(self, cause: IllegalAction) -> None:
        super().__init__(cause.reason)
        self.cause = cause
        self.rule = cause.rule
