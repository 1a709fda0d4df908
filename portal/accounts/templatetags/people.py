"""Names of people in templates."""

from __future__ import annotations

from django import template

from portal.accounts.pseudonyms import is_pseudonym, name_of, named, shown

register = template.Library()
register.filter("shown_name", shown)
register.filter("is_pseudonym", is_pseudonym)
register.filter("person_name", name_of)  # of a user, with the mark of bot accounts
register.filter("named", named)  # of a stored name: {{ name|named:is_bot }}
