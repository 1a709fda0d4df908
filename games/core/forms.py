"""Actions not parsed from a text: `apply` accepts them only if they have a text form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from games.core.contract import IllegalAction
from games.core.phrases import N_

NO_ACTION: Final = "refused.no_action"
FORM_PHRASES: Final = {NO_ACTION: N_("This action doesn't exist in this game.")}


class Forms(dict[Any, Any]):
    """A game's actions that have a text form; `forms[action]` raises IllegalAction for anything else.

    The result is what parsing the text would give, so a 1.0 or True in place of an integer gets no further.
    """

    _MOST = 20_000

    def __init__(self, parse: Callable[[str], Any], rule: str) -> None:
        super().__init__()
        self.parse, self.rule = parse, rule

    def __getitem__(self, action: Any) -> Any:
        try:
            return super().__getitem__(action)
        except TypeError:  # it holds a list or another unhashable value
            raise IllegalAction(NO_ACTION, self.rule) from None

    def __missing__(self, action: Any) -> Any:
        try:
            read = self.parse(str(action))
        except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError):
            raise IllegalAction(NO_ACTION, self.rule) from None
        if read != action:
            raise IllegalAction(NO_ACTION, self.rule)
        if len(self) >= self._MOST:
            self.clear()
        self[read] = read
        return read
