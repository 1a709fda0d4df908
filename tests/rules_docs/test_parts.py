"""Worked examples show the part of the board that matters, and a chapter stays small."""

from __future__ import annotations

import gzip
import re

import pytest
from django.test import Client
from django.utils.safestring import mark_safe

from games import registry
from rules_docs import content, examples, pages
from rules_docs.models import Paragraph
from voice import drawing, parts

MOST_BYTES = 60_000  # of a chapter, with gzip
LAND = '<rect x="0" y="0" width="1000" height="500"/><text x="500" y="250">Land</text>'


def board(*pieces: str, beside: str = "1", land: str = LAND, mark: str = "data-layer") -> str:
    layers = "".join(f'<svg class="layer" {mark} viewBox="0 0 1000 500">{inside}</svg>' for inside in (land, "".join(pieces)))
    return f'<div>{layers}<ul data-aside><li><ul><li>{beside}</li></ul></li></ul><svg viewBox="0 0 64 64"><use x="1" y="1"/></svg></div>'


def at(x: int, y: int, inside: str = "") -> str:
    return f'<g transform="translate({x} {y})"><use x="-11" y="1" width="22" height="22"/>{inside}</g>'


GROUND = parts.ground_of([board(at(1, 1)), board(at(2, 2))])


def test_pieces_that_are_close_together_are_all_in_the_part() -> None:
    story = [board(at(100, 100), at(300, 200)), board(at(100, 100), at(350, 300))]
    part = parts.part_of(story, GROUND)
    assert part == (0, 60, 560, 280)


def test_of_pieces_all_over_the_map_those_count_that_change() -> None:
    far = at(10, 10), at(990, 490)
    part = parts.part_of([board(*far, at(700, 300, "<b>1</b>")), board(*far, at(700, 300, "<b>2</b>"))], GROUND)
    assert part == (450, 175, 500, 250)


@pytest.mark.parametrize("pieces", [(), (at(10, 10), at(990, 490))])
def test_the_map_is_shown_whole_where_nothing_or_everything_matters(pieces: tuple[str, ...]) -> None:
    assert parts.part_of([board(*pieces), board(*pieces)], GROUND) is None
    assert parts.part_of(["<div></div>"], frozenset()) is None


def test_a_part_is_shown_by_the_frames_of_the_map_alone() -> None:
    shown = parts.show(mark_safe(board()), (450, 175, 500, 250))
    assert re.findall(r'viewBox="([^"]+)"', shown) == ["450 175 500 250"] * 2 + ["0 0 64 64"]
    assert shown.count('data-part="5"') == 2


def test_a_map_may_ask_for_smaller_parts_of_other_proportions() -> None:
    story = [board(at(100, 100), mark='data-layer="0.3 1.5"'), board(at(150, 120), mark='data-layer="0.3 1.5"')]
    part = parts.part_of(story, GROUND)
    assert part == (0, 10, 300, 200)
    assert re.findall(r'viewBox="([^"]+)" data-part="(\d)"', parts.show(mark_safe(story[0]), part)) == [("0 10 300 200", "3")] * 2


def test_what_is_beside_the_map_can_be_left_out() -> None:
    whole = mark_safe(board(beside="2"))
    (aside,) = parts.asides(whole)
    assert aside == "<ul data-aside><li><ul><li>2</li></ul></li></ul>"
    assert parts.without(whole, {aside}) == whole.replace(aside, "")


def test_boards_of_one_page_share_their_ground() -> None:
    land = LAND + "<path d='M0 0'/>" * 50
    boards, shared = parts.share([mark_safe(board(at(n, n), land=land)) for n in (1, 2, 3)])
    (name,) = re.findall(r'<g id="([^"]+)">', shared)
    assert land in shared
    for number, one in enumerate(boards, 1):
        assert f'<use href="#{name}"/></svg>' in one
        assert land not in one
        assert at(number, number) in one
    assert parts.share([mark_safe(board(land=land))]) == ([board(land=land)], "")


def test_patterns_are_defined_once_on_a_page() -> None:
    dots = '<defs><pattern id="dots"></pattern></defs>'
    boards, _shared = parts.share([mark_safe(board(at(n, n), land=dots + LAND)) for n in (1, 2)])
    assert [dots in one for one in boards] == [True, False]


@pytest.mark.parametrize("inside", ["<foreignObject></foreignObject>", '<g id="x"></g>', '<path fill="url(#x)"/>'])
def test_what_would_look_different_elsewhere_is_not_shared(inside: str) -> None:
    boards = [mark_safe(board(land=inside + LAND * 10))] * 2
    assert parts.share(boards) == (boards, "")


def test_every_part_holds_the_pieces_that_its_steps_touch() -> None:
    shown = 0
    for game in content.book_keys():
        for name in examples.example_names(game):
            part = pages._part(game, name)
            if part is None:
                continue
            shown += 1
            x, y, width, height = part
            last = len(examples.played(game, name)) - 1
            ends = [parts._drawn(pages._whole_board(game, name, "en", step)) for step in (0, last)]
            moved = [at for _frame, marks in ends for mark, at in marks.items() if not all(mark in found for _, found in ends)]
            assert all(x < px < x + width and y < py < y + height for px, py in moved), (game, name)
            whole = ends[0][0]
            assert whole is not None and width < whole[2] and height < whole[3]
    assert shown >= 20


def test_an_example_draws_the_players_that_it_is_about() -> None:
    assert examples.seats_told_of("tigris_euphrates", "priests-war") == {0, 2, 3}  # Ben is not in it
    board = pages._whole_board("tigris_euphrates", "priests-war", "en", 0)
    assert re.findall(r'class="player__name">([^<]*)<', board) == ["Anna", "Clara", "David"]
    for game in content.book_keys():
        for name in examples.example_names(game):
            told, shown = examples.seats_told_of(game, name), examples.example(game, name)
            assert told and {step.actor for step in shown.steps if step.actor >= 0} | set(shown.hands) <= told


def test_a_board_at_a_table_has_no_marks_of_parts() -> None:
    for game in content.book_keys():
        entry = registry.entry(game)
        name = examples.example_names(game)[0]
        view = entry.game.view_for(examples.played(game, name)[0].state, None)
        board = drawing.render_board(entry, view, "en", names=examples.example(game, name).names_in("en"), base_url="/")
        assert parts.MARK not in board and parts.ASIDE not in board


@pytest.mark.django_db
@pytest.mark.usefixtures("rules")
@pytest.mark.parametrize("game", content.book_keys())
def test_no_chapter_weighs_more_than_its_limit(client: Client, game: str) -> None:
    rows = Paragraph.objects.filter(game=game).values_list("lang", "chapter__slug", "html", "example")
    chapters: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for lang, slug, html, example in rows:
        chapters.setdefault((lang, slug), []).append((html, example))
    assert len(chapters) == len(content.book(game).languages) * len(content.book(game).chapters)
    for (lang, slug), lines in chapters.items():
        if any(example for _html, example in lines):
            page = client.get(f"/{lang}/rules/{game}/{slug}/")
            assert page.status_code == 200
            assert len(gzip.compress(page.content, 6)) <= MOST_BYTES, (lang, slug)
        else:  # the frame of the page, with its contents and all that is not text, has far less than half of it
            assert len(gzip.compress("".join(html for html, _example in lines).encode(), 6)) <= MOST_BYTES / 2, (lang, slug)
