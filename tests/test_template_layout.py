"""Templates are laid out for readers without changing the pages: what the loader removes, and what the formatter adds."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.template import Context, Engine, TemplateSyntaxError
from django.utils.translation.template import templatize

from portal.common.layout import joined, units
from tools import template_layout

SOURCES = sorted((Path(__file__).parent.parent / "templates").rglob("*.html"))


@pytest.mark.parametrize(
    ("source", "rendered"),
    [
        ("<p>\n  One\n  two\n</p>\n", "<p>One two</p>"),
        ("<b>a</b>\n<b>c</b>", "<b>a</b><b>c</b>"),
        ("<b>a</b> <b>c</b>", "<b>a</b> <b>c</b>"),
        ("{{ a }}\n  {{ b }}", "{{ a }} {{ b }}"),
        ("a\n{% if b %}\n  c\n{% endif %}\nd", "a{% if b %}c{% endif %}d"),
        ("a\n{# why #}\nb", "a b"),
        ("a{% comment %}why{% endcomment %} b", "a b"),
        ("<i\n  id='x'\n  {% if a %} hidden{% endif %}\n>", "<i id='x'{% if a %} hidden{% endif %}>"),
        ('<i title="\n  {% if a %}\n    b\n  {% endif %}">', '<i title="{% if a %}b{% endif %}">'),
        ('<i title="{% url "a>b" %}"\nid="c">', '<i title="{% url "a>b" %}" id="c">'),
        ("<pre>\n a\n</pre>", "<pre>\n a\n</pre>"),
        ("a < b\n&lt;", "a < b &lt;"),
        ("{% blocktranslate trimmed %}\n  a\n{% endblocktranslate %}", "{% blocktranslate trimmed %}\n  a\n{% endblocktranslate %}"),
    ],
)
def test_a_line_break_is_nothing_beside_a_tag_and_a_space_between_words(source: str, rendered: str) -> None:
    assert joined(source) == rendered
    assert joined(rendered) == rendered


@pytest.mark.parametrize("source", ["<", "a <b", "</", "{% if", "{{ a", '<i title="', "<pre>", "{#"])
def test_nothing_of_a_broken_template_is_lost(source: str) -> None:
    assert "".join(text for _kind, text in units(source)) == source


def test_a_fault_in_a_template_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "wrong.html").write_text("<p>\n  a\n</p>\n{% nothing %}\n", encoding="utf-8")
    engine = Engine(dirs=[str(tmp_path)], loaders=["portal.common.layout.Loader"], debug=True)
    with pytest.raises(TemplateSyntaxError, match="line 4"):
        engine.get_template("wrong.html")


def test_a_mail_keeps_its_lines(tmp_path: Path) -> None:
    for name in ("page.html", "mail.txt"):
        (tmp_path / name).write_text("Hello\n\n{{ link }}\n", encoding="utf-8")
    engine = Engine(dirs=[str(tmp_path)], loaders=["portal.common.layout.Loader"])
    given = {name: engine.get_template(name).render(Context({"link": "http://x/"})) for name in ("page.html", "mail.txt")}
    assert given == {"page.html": "Hello http://x/", "mail.txt": "Hello\n\nhttp://x/\n"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_every_template_renders_in_its_layout_as_in_one_line(path: Path) -> None:
    in_one_line = joined(path.read_text(encoding="utf-8"))
    laid_out = template_layout.laid_out(in_one_line)
    assert joined(laid_out) == in_one_line
    assert template_layout.laid_out(laid_out) == laid_out


def test_a_long_sentence_keeps_its_message_id() -> None:
    words = "Several tables are dealt the same: the same tiles, cards and dice for the same actions, so luck counts for less."
    laid_out = template_layout.laid_out(f'<p>{{% translate "{words}" context "table" %}}</p>')
    assert "blocktranslate trimmed" in laid_out
    assert f"pgettext('table', '{words}')" in templatize(laid_out).replace('"', "'").replace("u'", "'")


def test_the_check_tells_what_is_not_laid_out_and_what_is_too_long(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "page.html"
    path.write_text(f"<ul><li>a</li><li>b</li></ul><p>{'x' * 161}</p>", encoding="utf-8")
    assert template_layout.main(["--check", str(tmp_path)]) == 1
    told = capsys.readouterr().out
    assert "not laid out" in told
    assert "163 characters" in told
    path.write_text("<ul><li>a</li><li>b</li></ul>", encoding="utf-8")
    assert template_layout.main([str(tmp_path)]) == 0
    assert path.read_text(encoding="utf-8") == "<ul>\n  <li>a</li>\n  <li>b</li>\n</ul>\n"
    assert template_layout.main(["--check", str(tmp_path)]) == 0
