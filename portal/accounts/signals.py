"""Signals of accounts. Receivers run in the transaction of the change."""

from __future__ import annotations

from django.dispatch import Signal

guest_leaving = Signal()  # user; receivers release what the guest holds, and return True if the row has to stay
# user; the person's quiet hours, vacations or time zone are about to change, and have changed: what rests by them is worked out again
rest_changing = Signal()
rest_changed = Signal()
