"""Signals of accounts. Receivers run in the transaction of the change, those of mail outside of any."""

from __future__ import annotations

from django.dispatch import Signal

person_leaving = Signal()  # user, for good; receivers release what the person holds, and return True if the row has to stay
# user_id, old, new: the person is gone, and `new` takes the place of the name `old` wherever it was written down
person_forgotten = Signal()
# user; the person's quiet hours, vacations or time zone are about to change, and have changed: what rests by them is worked out again
rest_changing = Signal()
rest_changed = Signal()
mail_leaving = Signal()  # mail: about to be sent; a receiver that returns False withholds it for good
mail_sent = Signal()  # mail: the server has accepted it; may be said twice
mail_refused = Signal()  # mail, error: the server will never accept it; a receiver returns True if it has dealt with it
person_blocked = Signal()  # user, person: the first wants to hear nothing from the second any longer
