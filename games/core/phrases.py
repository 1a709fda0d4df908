"""Marking sentences for translation: the games mark them, the portal's catalogues translate them."""

from __future__ import annotations

from typing import Final

CONTEXT_END: Final = "\x04"  # stands between context and message in a catalogue


def N_(message: str) -> str:  # noqa: N802
    """Return the message unchanged; the name tells the message extractor that this text needs translating.

    >>> N_("{seat:name} passed.")
    '{seat:name} passed.'
    """
    return message


def NC_(context: str, message: str) -> str:  # noqa: N802
    """Return the id of a message that other languages say differently in this context.

    >>> NC_("points", "Monuments")
    'points\\x04Monuments'
    """
    return f"{context}{CONTEXT_END}{message}"
