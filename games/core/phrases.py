"""Marking of sentences: the games name them, the catalogues of the portal translate them."""

from __future__ import annotations


def N_(message: str) -> str:  # noqa: N802
    """Return the message unchanged; the name tells the extraction that this text is to be translated.

    >>> N_("{seat:name} passed.")
    '{seat:name} passed.'
    """
    return message
