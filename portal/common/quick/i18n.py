"""Fixed sentences, each looked up once in each language."""

from __future__ import annotations

from django import template
from django.template.base import Node, Parser, Token
from django.template.context import Context
from django.templatetags import i18n as plain
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()
register.tags.update(plain.register.tags)
register.filters.update(plain.register.filters)


class Translate(Node):
    child_nodelists = ()

    def __init__(self, node: plain.TranslateNode) -> None:
        self._node = node
        self._kept: dict[tuple[str | None, bool], str] = {}

    def render(self, context: Context) -> SafeString:
        key, asvar = (get_language(), context.autoescape), self._node.asvar
        text = self._kept.get(key)
        if text is None:
            drawn = self._node.render(context)
            text = self._kept[key] = context[asvar] if asvar else drawn
        if not asvar:
            return text  # type: ignore[return-value]
        context[asvar] = text
        return SafeString("")


@register.tag("translate")
@register.tag("trans")
def translate(parser: Parser, token: Token) -> Node:
    node = plain.do_translate(parser, token)
    said, about = node.filter_expression, node.message_context
    is_fixed = (
        said.var.literal is not None and not said.filters and not node.noop and (about is None or not (about.is_var or about.filters))
    )
    return Translate(node) if is_fixed else node
