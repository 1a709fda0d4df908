"""Addresses of static files, each asked of its storage once."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from django import template
from django.contrib.staticfiles.storage import staticfiles_storage
from django.template.base import Parser, Token
from django.templatetags import static as plain
from django.utils.functional import empty

register = template.Library()
register.tags.update(plain.register.tags)
register.filters.update(plain.register.filters)

_kept: WeakKeyDictionary[Any, dict[str, str]] = WeakKeyDictionary()


def static(path: str) -> str:
    """Return the address of a static file, like `django.templatetags.static.static`."""
    storage = vars(staticfiles_storage)["_wrapped"]  # settings may give another one
    if storage is empty:
        return str(plain.static(path))
    known = _kept.setdefault(storage, {})
    if path not in known:
        known[path] = plain.static(path)
    return known[path]


class Static(plain.StaticNode):
    @classmethod
    def handle_simple(cls, path: str) -> str:
        return static(path)


@register.tag("static")
def do_static(parser: Parser, token: Token) -> plain.StaticNode:
    return Static.handle_token(parser, token)
