"""Signals of tables."""

from __future__ import annotations

from django.dispatch import Signal

reconciled = Signal()  # after the reconciler has woken the silent tables: receivers look for what they have missed
time_short = Signal()  # loaded, seat: the clock of the person there has little left; in the transaction that notes it
