"""Signals of clubs. Receivers run in the transaction of the change, and may refuse it by raising an exception."""

from __future__ import annotations

from django.dispatch import Signal

member_gone = Signal()  # club, user: who left, was removed or banned; the club is locked and the membership deleted
club_closing = Signal()  # club: locked, not yet closed
