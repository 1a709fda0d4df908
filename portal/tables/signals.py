"""Signals of tables."""

from __future__ import annotations

from django.dispatch import Signal

reconciled = Signal()  # after the reconciler has woken the silent tables: receivers look for what they have missed
# In the transaction that writes it, with `invitation` and `what`: invited, accepted, declined, countered or taken_back. After a counter-offer
# that the owner did not take, the person is "invited" again.
invitation_changed = Signal()
