"""What operators tell everybody, for the header of every page."""

from __future__ import annotations

from django import template
from django.http import HttpRequest
from django.template import Context

from portal.site.news import Line, lines_for

register = template.Library()


@register.simple_tag(takes_context=True)
def site_news(context: Context) -> list[Line]:
    """Return the lines that the reader is shown, without a statement."""
    request = context.get("request")
    return lines_for(request) if isinstance(request, HttpRequest) else []
