"""Marking sentences for translation: the games mark them, the portal's catalogues translate them."""

from __future__ import annotations


def N_(message: str) -> str:  # noqa: N802
    """Return the message unchanged; the name tells the message extractor that this text needs translating.

    >>> N_("{seat:name} passed.")
    '{seat:name} passed.'
    """
    return message
