"""Names of people in templates."""

from __future__ import annotations

from django import template

from portal.accounts.pseudonyms import is_pseudonym, shown

register = template.Library()
register.filter("shown_name", shown)
register.filter("is_pseudonym", is_pseudonym)
