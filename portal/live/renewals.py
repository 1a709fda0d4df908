"""Marks in the environment of a WSGI request, by which a page that was answered from an old copy is rendered again behind the answer."""

from collections.abc import Mapping
from typing import Any, Final

POSSIBLE: Final = "ziggurat.renewal_possible"  # set by a server that does so
WANTED: Final = "ziggurat.renewal_wanted"  # set by whoever answered from an old copy
IS_ONE: Final = "ziggurat.is_renewal"  # this request has no reader
_OF_THE_READER: Final = ("HTTP_IF_NONE_MATCH", "HTTP_IF_MODIFIED_SINCE", WANTED)


def environ_of(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the environment of a request for the same page, whatever the reader of `asked` has already."""
    return {name: value for name, value in asked.items() if name not in _OF_THE_READER} | {IS_ONE: True}
