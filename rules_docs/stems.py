"""Words as the search sees them: small letters without accents, cut to a stem that all forms of a word share.

The stemmers are light: they cut endings, not meanings, and lean towards cutting alike rather than cutting right. The same
functions read the books and the questions, so a stem that looks odd does no harm as long as every form leads to it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from functools import lru_cache
from typing import Final

_ACCENTS: Final = re.compile("[\u0300-\u036f]+")
WORD: Final = re.compile(r"[^\W_]+")
_VOWELS_HU: Final = "aeiou"
_HU_TOGETHER: Final = re.compile(r"([bcdfghjklmnprstz])\1[ae]l$")  # -val, -vel: "lapkakkal"
_HU_CASES: Final = [
    "ban",
    "ben",
    "bol",
    "ba",
    "be",
    "rol",
    "ra",
    "re",
    "tol",
    "hoz",
    "hez",
    "nal",
    "nel",
    "nak",
    "nek",
    "kent",
    "val",
    "vel",
    "ert",
    "ig",
    "kor",
    "on",
    "en",
    "an",
    "n",
    "ot",
    "et",
    "at",
    "t",
]
_HU_VERBS: Final = [
    "ni",
    "ani",
    "eni",
    "hat",
    "het",
    "hato",
    "heto",
    "hatsz",
    "hetsz",
    "hatod",
    "heted",
    "hatunk",
    "hetunk",
    "hattok",
    "hettek",
    "asz",
    "esz",
    "sz",
    "ol",
    "el",
    "al",
    "ott",
    "ett",
    "otta",
    "ette",
    "unk",
    "tok",
    "tek",
    "nak",
    "nek",
    "va",
    "ve",
    "jon",
    "jen",
]
_HU_OWNERS: Final = [
    "k",
    "ak",
    "ek",
    "ok",
    "jai",
    "jei",
    "ai",
    "ei",
    "i",
    "ja",
    "je",
    "a",
    "e",
    "am",
    "em",
    "om",
    "m",
    "ad",
    "ed",
    "od",
    "d",
    "aid",
    "eid",
    "jaid",
    "jeid",
    "unk",
    "uk",
    "juk",
    "atok",
    "etek",
    "otok",
    "aitok",
    "eitek",
    "aink",
    "eink",
    "as",
    "es",
    "os",
    "ik",
    "o",
    "ai",
    "u",
]
_HU_MADE: Final = ["as", "es", "elem", "alom", "o", "ott", "ett", "ol", "al", "el"]  # words made of verbs and verbs made of nouns
_HU_ENDINGS: Final = {
    owner + case
    for owner in [
        "",
        "",
        "m",
        "d",
        "k",
        "em",
        "ed",
        "ek",
        "om",
        "od",
        "ok",
        "am",
        "ad",
        "ak",
        "a",
        "e",
        "ja",
        "je",
        "ei",
        "ai",
        "i",
        "unk",
        "atok",
        "etek",
        "aim",
        "eim",
        "aid",
        "eid",
        "aik",
        "eik",
    ]
    for case in ["", *_HU_CASES]
} | {"as", "es", "ni", "asa", "ese", "ast", "est", "ik", "sz"}
_HU_BEFORE: Final = re.compile(r"^(?:meg|el|le|fel|ki|be|at|vissza|ossze|oda|szet|hozza|ujra)(?=.{5})")
_EN_DOUBLE: Final = re.compile(r"([bdfgmnprt])\1$")
_RU_SELF: Final = re.compile(r"(?<=..)с[яь]$")
_RU_ENDINGS: Final = sorted(
    [
        "иями",
        "ями",
        "ами",
        "иеи",
        "иям",
        "ием",
        "иях",
        "ах",
        "ях",
        "ев",
        "ов",
        "ие",
        "ье",
        "еи",
        "ии",
        "ям",
        "ем",
        "ам",
        "ом",
        "ои",
        "я",
        "а",
        "е",
        "и",
        "о",
        "у",
        "ы",
        "ь",
        "ю",
        "ия",
        "ья",
        "ию",
        "ью",
        "ими",
        "ыми",
        "его",
        "ого",
        "ему",
        "ому",
        "ее",
        "ые",
        "ое",
        "ыи",
        "ых",
        "их",
        "ым",
        "им",
        "ую",
        "юю",
        "ая",
        "яя",
        "ою",
        "ею",
        "ила",
        "ыла",
        "ена",
        "ител",
        "итель",
        "ителя",
        "ители",
        "ителем",
        "ителеи",
        "ителям",
        "ителями",
        "ителях",
        "ителю",
        "еите",
        "уите",
        "ите",
        "или",
        "ыли",
        "уи",
        "ил",
        "ыл",
        "ило",
        "ыло",
        "ено",
        "ят",
        "ует",
        "уют",
        "ит",
        "ыт",
        "ены",
        "ить",
        "ыть",
        "ишь",
        "ла",
        "на",
        "ете",
        "аите",
        "яите",
        "ли",
        "ло",
        "но",
        "ет",
        "ют",
        "ут",
        "ат",
        "ны",
        "ть",
        "ешь",
        "нно",
        "ать",
        "ять",
        "еть",
        "ает",
        "ают",
        "яет",
        "яют",
        "аем",
        "яем",
        "аете",
        "али",
        "яли",
        "ал",
        "ял",
        "ала",
        "яла",
        "ало",
        "яло",
        "евать",
        "авать",
        "ивать",
        "ывать",
        "ован",
        "ована",
        "овано",
        "ованы",
        "ение",
        "ения",
        "ению",
        "ении",
        "ением",
        "ание",
        "ания",
        "анию",
        "ании",
        "анием",
        "анныи",
        "анная",
        "анное",
        "анные",
        "анных",
        "енныи",
        "енная",
        "енное",
        "енные",
        "енных",
        "енного",
        "енному",
        "енным",
        "енными",
        "вшии",
        "вшая",
        "вшие",
        "вших",
        "ущии",
        "ющии",
        "ящии",
        "ащии",
    ],
    key=len,
    reverse=True,
)
_RU_VOWELS: Final = "аеиоуыэюя"


def fold(word: str) -> str:
    """Return a word in small letters without accents.

    >>> fold("Napkövek")
    'napkovek'
    """
    small = word.lower()
    return small if small.isascii() else _ACCENTS.sub("", unicodedata.normalize("NFKD", small))


def words(text: str) -> list[str]:
    """Return the words of a text, folded, in order.

    >>> words("A „Rá-lapka” az 1.")
    ['a', 'ra', 'lapka', 'az', '1']
    """
    return WORD.findall(fold(text))


@lru_cache(maxsize=50_000)
def stems(folded: str, lang: str) -> tuple[str, ...]:
    """Return the stems of a folded word: two forms of a word share at least one. Numbers stay as they are.

    English and Russian words have one stem. Hungarian piles up endings and many words end in what could be one
    (vezér, licit, isten), so a Hungarian word has a stem for each way of cutting it.

    >>> stems("migration", "en") == stems("migrating", "en")
    True
    >>> sorted(set(stems("vezerek", "hu")) & set(stems("vezert", "hu")))
    ['vezer']
    """
    if len(folded) < 4 or not folded.isalpha():
        return (folded,)
    if lang == "en":
        return (_english(folded),)
    if lang == "hu":
        return tuple(sorted(_hungarian(folded)))
    return (_russian(folded),) if lang == "ru" else (folded,)


_EN_IRREGULAR: Final = {
    "dice": "die",
    "lost": "lose",
    "cities": "city",
    "built": "build",
    "taken": "take",
    "took": "take",
    "drawn": "draw",
    "drew": "draw",
    "chosen": "choose",
    "chose": "choose",
    "paid": "pay",
    "kept": "keep",
    "tied": "tie",
    "dies": "die",
    "used": "use",
    "fought": "fight",
    "losing": "lose",
    "armies": "army",
    "thrown": "throw",
    "broken": "break",
    "stolen": "steal",
}


def is_telling(root: str, folded: str, lang: str) -> bool:
    """Whether a stem is surely the word's own: cut off by a known ending, or most of the word. Others it may share with strangers.

    >>> is_telling("kez", "kezben", "hu"), is_telling("var", "varos", "hu")
    (True, False)
    """
    if lang != "hu" or root == folded:
        return True
    return (folded.startswith(root) and folded[len(root) :] in _HU_ENDINGS) or (len(root) > 3 and len(root) >= 0.6 * len(folded))


def parts(folded: str, lang: str, known: Collection[str]) -> set[str]:
    """Return what a Hungarian word is made of: the verb without its prefix, and both parts of a compound whose first is known.

    >>> sorted(parts("sarokkincsek", "hu", {"sarok"}))
    ['kincsek', 'sarok']
    """
    if lang != "hu" or len(folded) < 7:
        return set()
    found = {rest for rest in (_HU_BEFORE.sub("", folded),) if rest != folded}
    for at in range(4, len(folded) - 4):
        if folded[:at] in known and len(folded) > 8:
            found |= {folded[:at], folded[at:]}
    return found


def _english(word: str) -> str:
    word = _EN_IRREGULAR.get(word, word)
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith(("sses", "xes", "ches", "shes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ization", "isation", "ation", "ition", "ating", "ing", "ion", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) > 2 and any(letter in "aeiouy" for letter in rest):
            word = _EN_DOUBLE.sub(r"\1", rest)
            break
    for ending in ("izer", "iser", "ize", "ise", "ate"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) > 3:
            word = rest
            break
    if word.endswith("e") and len(word) > 3:
        word = word[:-1]
    return word[:-1] + "i" if word.endswith("y") and len(word) > 3 else word


def _hungarian(word: str) -> set[str]:
    least = 3 if len(word) < 6 else 4
    found = {word}
    if (together := _HU_TOGETHER.sub(r"\1", word)) != word:
        found.add(together)
    for endings in (_HU_CASES, _HU_VERBS, _HU_OWNERS, _HU_OWNERS, _HU_MADE):
        found |= {_vowelled(one[: -len(ending)], least) or one for one in found for ending in endings if one.endswith(ending)}
    for one in tuple(found):
        if one.endswith("v") and one[-2] in "ou":  # napkov, emlekmuv
            found.add(one[:-1])
    return found


def _vowelled(rest: str, least: int) -> str:
    is_short_word = len(rest) == 3 and rest[1] in _VOWELS_HU and rest[0] not in _VOWELS_HU and rest[2] not in _VOWELS_HU  # kor, kez
    return rest if (len(rest) >= least or is_short_word) and any(letter in _VOWELS_HU for letter in rest) else ""


def _russian(word: str) -> str:
    word = _RU_SELF.sub("", word)
    for ending in _RU_ENDINGS:
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= 3 and any(letter in _RU_VOWELS for letter in rest):
            word = rest
            break
    word = word.rstrip("ь") or word
    if len(word) > 4 and word.endswith("вл"):  # торговля, торговать
        word = word[:-1]
    if (
        len(word) > 4 and word[-1] in "кц" and word[-2] in "ое" and word[-1] not in _RU_VOWELS and word[-3] not in _RU_VOWELS
    ):  # плиток, торговец
        word = word[:-2] + word[-1]
    return "камн" if word == "камен" else word
