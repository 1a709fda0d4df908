"""Layouts whose blocks are searched for once, and addresses that are put together once."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from django import template
from django.conf import settings
from django.template.base import Node, NodeList, Parser, Template, Token
from django.template.context import Context
from django.template.defaulttags import URLNode
from django.template.defaulttags import url as plain_url
from django.template.loader_tags import ExtendsNode, do_extends
from django.urls import NoReverseMatch, get_script_prefix, get_urlconf, reverse
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString

register = template.Library()

ADDRESSES: Final = 4096  # that are kept; of those without a number or a name in them there are some 200
TEXTS: Final = frozenset({str, SafeString})
KEPT: Final = TEXTS | {int}  # 1 and True are equal, and have other addresses


class WalkedOnce(NodeList):
    """The nodes of a template, which never change; Django goes through the whole layout for its blocks each time that a page is drawn."""

    def __init__(self, nodes: NodeList) -> None:
        super().__init__(nodes)
        self.contains_nontext = nodes.contains_nontext
        self._found: dict[type[Node], list[Any]] = {}

    def get_nodes_by_type(self, nodetype: type[Any]) -> list[Any]:
        if nodetype not in self._found:
            self._found[nodetype] = super().get_nodes_by_type(nodetype)
        return list(self._found[nodetype])


class Extends(ExtendsNode):
    def get_parent(self, context: Context) -> Template:
        parent: Template = super().get_parent(context)
        if type(parent.nodelist) is NodeList:
            parent.nodelist = WalkedOnce(parent.nodelist)
        return parent


@register.tag
def extends(parser: Parser, token: Token) -> Extends:
    plain = do_extends(parser, token)
    return Extends(plain.nodelist, plain.parent_name)


@lru_cache(ADDRESSES)
def _address(_urls: str, _urlconf: Any, _prefix: str, name: str, app: str | None, args: tuple[Any, ...], kwargs: tuple[Any, ...]) -> str:
    return reverse(name, args=args, kwargs=dict(kwargs), current_app=app)


class Url(URLNode):
    def render(self, context: Context) -> SafeString:
        args = tuple([arg.resolve(context) for arg in self.args])
        kwargs = tuple([(key, value.resolve(context)) for key, value in self.kwargs.items()])
        name = self.view_name.resolve(context)
        if type(name) not in TEXTS or not all(type(value) in KEPT for value in (*args, *dict(kwargs).values())):
            return SafeString(super().render(context))
        try:
            url = _address(settings.ROOT_URLCONF, get_urlconf(), get_script_prefix(), name, _app(context), args, kwargs)
        except NoReverseMatch:
            if self.asvar is None:
                raise
            url = ""
        if self.asvar is None:
            return SafeString(conditional_escape(url) if context.autoescape else url)
        context[self.asvar] = url
        return SafeString("")


def _app(context: Context) -> str | None:
    """Return the application whose names come first, as Django's tag looks for it."""
    request: Any = getattr(context, "request", None)
    if hasattr(request, "current_app"):
        found: str | None = request.current_app
    else:
        found = getattr(getattr(request, "resolver_match", None), "namespace", None)
    return found


@register.tag
def url(parser: Parser, token: Token) -> Url:
    plain = plain_url(parser, token)
    return Url(plain.view_name, plain.args, plain.kwargs, plain.asvar)
