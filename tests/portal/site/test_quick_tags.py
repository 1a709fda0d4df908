"""The tags that keep what they found give what Django's own give, whoever was drawn before."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.template import Context, Engine, engines
from django.template.base import NodeList
from django.test import RequestFactory
from django.urls import NoReverseMatch, ResolverMatch
from django.utils.translation import override

from portal.common.quick import builtins, static

OURS = engines["django"].engine
PLAIN = Engine(
    libraries={"i18n": "django.templatetags.i18n", "static": "django.templatetags.static"},
    loaders=[("django.template.loaders.locmem.Loader", {})],
)


def both(source: str, *, autoescape: bool = True, **values: Any) -> str:
    """Draw a template by the site's tags, twice, and by Django's, and return what all three gave."""
    source = "{% load i18n static %}" + source
    drawn = OURS.from_string(source)
    found = {drawn.render(Context(dict(values), autoescape=autoescape)) for _ in range(2)}
    found.add(PLAIN.from_string(source).render(Context(dict(values), autoescape=autoescape)))
    (one,) = found
    return one


@pytest.mark.parametrize(
    "source",
    [
        "{% translate 'Lobby' %}",
        "{% translate 'Play' as it %}[{{ it }}|{{ it }}]",
        "{% trans 'Rules' %}",
        "{% translate 'Mon' context 'day of the week, short' %}",
        "{% translate 'Rules' noop %}",
        "{% translate 'Rules'|upper %}",
        "{% translate 'a < b & 5 %' %}",
        "{% translate said %}",
        "{% translate said context about %}",
    ],
)
@pytest.mark.parametrize("autoescape", [True, False])
def test_a_sentence_is_in_the_language_of_each_reader(source, autoescape):
    drawn = {}
    for language in ("hu", "ru", "en", "hu"):
        with override(language):
            drawn[language] = both(source, autoescape=autoescape, said="Rules", about="nothing")
    if "Rules" in source and "|" not in source and "noop" not in source and "about" not in source:
        assert len(set(drawn.values())) == 3
    with override(None):
        both(source, autoescape=autoescape, said="Rules", about="nothing")


def test_one_template_is_drawn_in_all_languages():
    template = OURS.from_string("{% load i18n %}{% translate 'Rules' %}")
    drawn = []
    for language in ("en", "hu", "ru", "en"):
        with override(language):
            drawn.append(template.render(Context()))
    assert drawn[0] == drawn[3] == "Rules"
    assert len(set(drawn)) == 3


@pytest.mark.parametrize(
    "source",
    [
        "{% url 'lobby' %}",
        "{% url 'home' as it %}<{{ it }}>",
        "{% url 'rules:shelf' code %}",
        "{% url 'rules:shelf' code as it %}{{ it }}",
        "{% url 'table' number %}|{% url 'table' pk=number %}",
        "{% url name %}",
        "{% url 'profile' person %}",
        "{% url 'profile' nobody as it %}[{{ it }}]",
        "{% url 'profile' true as it %}{{ it }}{% url 'profile' one as it %}{{ it }}",
    ],
)
@pytest.mark.parametrize("autoescape", [True, False])
def test_an_address_is_that_of_its_arguments(source, autoescape):
    drawn = [
        both(source, autoescape=autoescape, **values)
        for values in (
            {"code": "hu", "number": 1, "name": "home", "person": "a&b", "true": True, "one": 1},
            {"code": "en", "number": 2, "name": "lobby", "person": "<é>", "true": 1, "one": True},
        )
    ]
    assert len(set(drawn)) == (1 if "lobby" in source or "'home'" in source or "nobody" in source else 2)


def test_an_address_that_is_not_there_is_an_error_each_time():
    for engine in (OURS, PLAIN, OURS):
        with pytest.raises(NoReverseMatch):
            engine.from_string("{% url 'no-such-page' %}").render(Context())


def test_the_application_of_a_request_comes_first(monkeypatch):
    """As in the administration, which has names of its own."""
    asked = []
    monkeypatch.setattr(builtins, "reverse", lambda name, **more: asked.append(more["current_app"]) or "/")
    request = RequestFactory().get("/")
    template = OURS.from_string("{% url 'nothing-asked-before' %}")
    for namespace, current in ((None, None), ("rules", None), ("rules", "admin")):
        if namespace:
            request.resolver_match = ResolverMatch(len, (), {}, namespaces=[namespace])
        if current:
            request.current_app = current
        context = Context()
        context.request = request
        for _ in range(2):
            template.render(context)
    assert asked == [None, "rules", "admin"]


def test_an_address_has_the_prefix_of_the_server(monkeypatch):
    from django.urls import set_script_prefix

    assert both("{% url 'lobby' %}") == "/lobby/"
    set_script_prefix("/games/")
    try:
        assert both("{% url 'lobby' %}") == "/games/lobby/"
    finally:
        set_script_prefix("/")


@pytest.mark.parametrize(
    "source", ["{% static 'css/base.css' %}", "{% static it %}", "{% static it as there %}{{ there }}", "{% static 'a&b é' %}"]
)
def test_a_static_file_is_where_its_storage_says(source, settings):
    drawn = both(source, it="art/<common>.svg")
    assert drawn.startswith("/static/")
    settings.STATIC_URL = "/elsewhere/"
    assert both(source, it="art/<common>.svg") == drawn.replace("/static/", "/elsewhere/")


def test_a_storage_is_asked_once_for_a_file(monkeypatch):
    asked = []
    storage = staticfiles_storage
    url = storage.url
    monkeypatch.setattr(storage, "url", lambda path: asked.append(path) or url(path))
    assert (
        static.static("art/never-asked-before.svg") == static.static("art/never-asked-before.svg") == "/static/art/never-asked-before.svg"
    )
    assert asked == ["art/never-asked-before.svg"]


def test_a_layout_is_searched_for_blocks_once(monkeypatch):
    pages = {
        "layout": "{% block one %}1{% block inner %}2{% endblock %}{% endblock %}{% if yes %}{% block two %}3{% endblock %}{% endif %}",
        "middle": "{% extends 'layout' %}{% block inner %}({{ block.super }}){% endblock %}",
        "page": "{% extends 'middle' %}{% block two %}{{ it }}{% endblock %}",
        "bare": "{% extends 'layout' %}",
    }
    walks = []
    plain = NodeList.get_nodes_by_type
    loaders = [("django.template.loaders.cached.Loader", [("django.template.loaders.locmem.Loader", pages)])]
    engine = Engine(loaders=loaders, builtins=["portal.common.quick.builtins"])
    monkeypatch.setattr(NodeList, "get_nodes_by_type", lambda nodes, kind: walks.append(nodes) or plain(nodes, kind))
    drawn = [engine.get_template(name).render(Context({"yes": yes, "it": "x"})) for yes in (1, 0) for name in ("page", "bare", "page")]
    assert drawn == ["1(2)x", "123", "1(2)x", "1(2)", "12", "1(2)"]
    before = len(walks)
    for name in ("page", "bare"):
        engine.get_template(name).render(Context({"yes": 1, "it": "y"}))
    assert len(walks) == before


def test_the_site_draws_with_these_tags():
    assert settings.TEMPLATES[0]["OPTIONS"]["builtins"] == ["portal.common.quick.builtins"]
    nodes = OURS.from_string("{% load i18n %}{% translate 'Rules' %}{% url 'lobby' %}").nodelist
    assert [type(node).__module__ for node in nodes[-2:]] == ["portal.common.quick.i18n", "portal.common.quick.builtins"]
