"""What no template may lack, whichever page it is for: the token of a form that posts, the name of a navigation, what scripts look for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from portal.common.layout import units

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "templates"
SOURCES = sorted(FOLDER.rglob("*.html"))
SCRIPTS = "".join(path.read_text("utf-8") for path in sorted((ROOT / "static/js").glob("*.js")))


def tags(source: str) -> list[str]:
    return [text for kind, text in units(source) if kind in {"tag", "block", "value"}]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_every_form_that_posts_has_a_token_and_every_navigation_a_name(path: Path) -> None:
    needs_token = ""
    for tag in tags(path.read_text("utf-8")):
        if tag.startswith("<nav"):
            assert "aria-label" in tag, tag
        elif tag.startswith("<form") and 'method="post"' in tag:
            needs_token = tag
        elif "csrf_token" in tag or "csrfmiddlewaretoken" in tag:
            needs_token = ""
        assert not needs_token or tag != "</form>", needs_token


def test_every_class_that_a_script_sets_has_a_style() -> None:
    styles = "".join(path.read_text("utf-8") for path in (ROOT / "static/css").rglob("*.css"))
    styled = set(re.findall(r"\.([\w-]+)", styles))
    told = set(re.findall(r'classList\.\w+\("([\w-]+)"', SCRIPTS))
    assert told
    assert told <= styled


@pytest.mark.parametrize(
    ("looked_for", "given"),
    [(r'(?:getElementById|byId)\("([\w-]+)"\)', r'id="([\w-]+)"'), (r"\[data-([\w-]+)", r"\sdata-([\w-]+)")],
    ids=["identifiers", "marks"],
)
def test_everything_that_a_script_looks_for_is_in_a_template(looked_for: str, given: str) -> None:
    templates = "".join(path.read_text("utf-8") for path in SOURCES)
    wanted = set(re.findall(looked_for, SCRIPTS))
    assert wanted
    made = set(re.findall(r"\.dataset\.(\w+) = ", SCRIPTS))  # by a script itself
    assert wanted <= set(re.findall(given, templates)) | made


def test_every_icon_that_a_template_asks_for_is_drawn() -> None:
    drawn = set(re.findall(r'<symbol id="i-([a-z-]+)"', (ROOT / "static/art/ui.svg").read_text("utf-8")))
    asked = {name: path.name for path in SOURCES for name in re.findall(r'{% icon "([a-z-]+)"', path.read_text("utf-8"))}
    assert asked
    assert {name: page for name, page in asked.items() if name not in drawn} == {}
