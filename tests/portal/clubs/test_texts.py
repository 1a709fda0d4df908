"""Names, texts and addresses: tidied or refused."""

from __future__ import annotations

import pytest

from portal.clubs.texts import clean_line, clean_name, clean_text, slug_of
from portal.common.refusals import BadValue

BIDI = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
UNSEEN = [
    "\x00",
    "\x07",
    "\x1b",
    "\x1f",
    "\x7f",
    "\x85",
    "\u200b",
    "\u200d",
    "\ufeff",
    "\u2028",
    "\u2029",
    "\ud800",
    "\ue000",
    "\uffff",
    "\u034f",
    "\u115f",
    "\u17b4",
    "\u180b",
    "\u2800",
    "\u3164",
    "\ufe00",
    "\uffa0",
    "\U000e0061",
    "\U000e0100",
    *BIDI,
]


@pytest.mark.parametrize("sign", UNSEEN, ids=ascii)
def test_a_name_holds_no_sign_that_cannot_be_seen(sign):
    with pytest.raises(BadValue) as caught:
        clean_name(f"En{sign}lil")
    assert caught.value.field == "name" and caught.value.status == 422


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "\n",
        "\u00a0",
        "…",
        "🎲🎲",
        "\u3164",
        "\u3164\u115f\uffa0",
        "\u200b\u200b",
        "\u0301",
        "a\nb",
        "a\tb",
        "x" * 61,
        "x" * 10_000,
        "ő" * 100_000,
        None,
        7,
        ["a"],
    ],
)
def test_a_name_is_one_line_of_up_to_sixty_letters(name):
    with pytest.raises(BadValue):
        clean_name(name)


@pytest.mark.parametrize("name", ["\u0415nlil", "Enlil\u0430", "K\u043e", "\u041a\u0151"], ids=ascii)
def test_a_word_that_only_looks_like_another_is_refused(name):
    with pytest.raises(BadValue, match="mixes"):
        clean_name(name)


def test_towers_of_accents_are_refused():
    with pytest.raises(BadValue):
        clean_name("Enlil" + "\u0301\u0302\u0303\u0304\u0305")
    with pytest.raises(BadValue):
        clean_text("Enlil" + "\u0301" * 50)
    for mark in ("\u0488", "\u20dd"):  # they enclose a letter and have no class of their own
        with pytest.raises(BadValue):
            clean_name("E" + 4 * mark)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("  Enlil ", "Enlil"),
        ("O\u030bsi  Ko\u030b", "Ősi Kő"),
        ("Казань\u00a0и друзья", "Казань и друзья"),
        ("🎲 Ra 1", "🎲 Ra 1"),
        ("♟\ufe0f Ra", "♟ Ra"),
        ("क्षत्रिय", "क्षत्रिय"),
        ("Ra-турнир в Kazan", "Ra-турнир в Kazan"),
        ("<b>Enlil</b> & 'co'", "<b>Enlil</b> & 'co'"),
        ("x" * 60, "x" * 60),
    ],
)
def test_a_name_is_tidied(typed, name):
    assert clean_name(typed) == name


def test_a_text_keeps_its_lines_and_holds_no_other_control_signs():
    assert clean_text(" one\r\ntwo\rthree\n") == "one\ntwo\nthree"
    assert clean_text("") == ""
    assert clean_text("x" * 2000) == "x" * 2000
    assert clean_text("👩\u200d👩\u200d👧 play") == "👩\u200d👩\u200d👧 play"
    for sign in ("\x00", "\x07", "\x1b", "\t", "\x85", "\u2028", "\ud800", *BIDI):
        with pytest.raises(BadValue):
            clean_text(f"one{sign}two")
    for long in ("x" * 2001, "x" * 10_000_000):
        with pytest.raises(BadValue, match="2000"):
            clean_text(long)


def test_a_message_is_one_line():
    assert clean_line("one\n two") == "one two"
    with pytest.raises(BadValue):
        clean_line("x" * 301)


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Enlil", "enlil"),
        ("Ősi Kő Társaság", "osi-ko-tarsasag"),
        ("Árvíztűrő tükörfúrógép", "arvizturo-tukorfurogep"),
        ("Казань и друзья", "kazan-i-druzya"),
        ("Щука Ёж Юла", "shchuka-yozh-yula"),
        ("Їжак Ґанок", "yizhak-ganok"),
        ("Straße Łódź Ærø", "strasse-lodz-aero"),
        ("中文", "club"),
        ("!!! ---", "club"),
        ("x" * 60, "x" * 60),
        ("щ" * 60, ("shch" * 60)[:70]),
    ],
)
def test_the_address_is_the_name_in_latin_letters(name, slug):
    assert slug_of(name) == slug


@pytest.mark.parametrize(("field", "said"), [("name", "Enter a name."), ("title", "Enter a title.")])
def test_what_is_missing_is_called_as_its_field_is(field, said):
    with pytest.raises(BadValue, match=said):
        clean_name(" \t", field=field)
