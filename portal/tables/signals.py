"""Signals of tables."""

from __future__ import annotations

from django.dispatch import Signal

reconciled = Signal()  # after the reconciler has woken the silent tables: receivers look for what they have missed
