"""The alphabetical order of each language of the site, as its dictionaries have it."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final

# Letters in order where the code points are not; those of one group count as equal until the rest of the word is.
_LETTERS: Final = {
    "hu": "aá b c cs d dz dzs eé f g gy h ií j k l ly m n ny oó öő p q r s sz t ty uú üű v w x y z zs",
    "ru": "а б в г д её ж з и й к л м н о п р с т у ф х ц ч ш щ ъ ы ь э ю я",
}
_TOGETHER: Final = {"hu": ("dzs", "cs", "dz", "gy", "ly", "ny", "sz", "ty", "zs")}  # several signs, one letter


def sort_key(text: str, lang: str) -> tuple[tuple[tuple[int, int], ...], str]:
    """Return what to sort words of a language by: letter by letter, without regard to capitals; equal words by their signs."""
    small = text.casefold()
    for letter in _TOGETHER.get(lang, ()):  # a long letter repeats its first sign only: ssz is sz + sz
        small = small.replace(letter[0] + letter, letter + letter)
    order = _order(lang)
    return tuple(_rank(sign, order) for sign in _signs(lang).findall(small)), small


def _rank(sign: str, order: dict[str, int]) -> tuple[int, int]:
    """Return group and place: what is no letter comes first, then the alphabet, then letters of other alphabets."""
    if sign in order:
        return (1, order[sign])
    plain = unicodedata.normalize("NFD", sign)[0]
    if plain in order:
        return (1, order[plain])
    return (2 if plain.isalpha() else 0, ord(plain))


@cache
def _order(lang: str) -> dict[str, int]:
    groups = _LETTERS.get(lang, " ".join("abcdefghijklmnopqrstuvwxyz")).split()
    together = _TOGETHER.get(lang, ())
    return {sign: place for place, group in enumerate(groups) for sign in ([group] if group in together else group)}


@cache
def _signs(lang: str) -> re.Pattern[str]:
    return re.compile("|".join((*_TOGETHER.get(lang, ()), ".")), re.DOTALL)
