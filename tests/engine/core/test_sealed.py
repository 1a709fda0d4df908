"""Sealed chance: layout, vectors of docs/sealed_chance.md, fairness."""

import hashlib
import re
from collections import Counter
from pathlib import Path

import pytest

from games.core import sealed

SECRET = bytes(range(32))
WORDS = ["nile", "", "őr"]
DOC = Path(__file__).parents[3] / "docs" / "sealed_chance.md"


def documented(row: str) -> str:
    match = re.search(rf"^\| {re.escape(row)} \| `?([^`|]+?)`? \|$", DOC.read_text(), re.MULTILINE)
    assert match, row
    return match[1]


def test_the_documented_vectors_hold():
    assert documented("commitment") == sealed.commitment(SECRET)
    assert documented("key") == sealed.stream_key(SECRET, WORDS).hex()
    rng = sealed.SealedRng(SECRET, WORDS)
    assert documented("label `bag`, first ten draws below 180") == ", ".join(str(rng.below(180, "bag")) for _ in range(10))
    assert documented("label `setup`, first three draws below 4, 3, 2") == ", ".join(str(rng.below(n, "setup")) for n in (4, 3, 2))
    assert documented("label `dice`, first draw below 2^63") == str(rng.below(2**63, "dice"))


def test_the_commitment_is_the_plain_sha256_of_the_secret():
    assert sealed.commitment(SECRET) == hashlib.sha256(SECRET).hexdigest()


def test_every_word_and_its_seat_changes_the_stream():
    keys = {sealed.stream_key(SECRET, words) for words in (["a", "b"], ["b", "a"], ["ab", ""], ["", "ab"], ["a", "b", ""], ["a"], [""], [])}
    assert len(keys) == 8


def test_labels_do_not_disturb_each_other():
    alone, mixed = sealed.SealedRng(SECRET, WORDS), sealed.SealedRng(SECRET, WORDS)
    bag = [alone.below(100, "bag") for _ in range(20)]
    out = []
    for _ in range(20):
        mixed.below(6, "dice")
        out.append(mixed.below(100, "bag"))
    assert out == bag


def test_a_stream_goes_on_from_its_stored_counters():
    whole = sealed.SealedRng(SECRET, WORDS)
    draws = [whole.below(50, "bag") for _ in range(10)]
    first = sealed.SealedRng(SECRET, WORDS)
    assert [first.below(50, "bag") for _ in range(4)] == draws[:4]
    second = sealed.SealedRng(SECRET, WORDS, dict(first.counters))
    assert [second.below(50, "bag") for _ in range(6)] == draws[4:]


@pytest.mark.parametrize("n", [2, 3, 7, 30, 180])
def test_draws_are_even_by_chi_square(n):
    rng = sealed.SealedRng(SECRET, WORDS)
    draws = 200 * n
    counts = Counter(rng.below(n, "fair") for _ in range(draws))
    assert set(counts) == set(range(n))
    chi = sum((counts[value] - 200) ** 2 / 200 for value in range(n))
    freedom = n - 1
    # Wilson-Hilferty: the 99.99 % point of chi-square; the stream is fixed, so this cannot fail intermittently.
    bound = freedom * (1 - 2 / (9 * freedom) + 3.719 * (2 / (9 * freedom)) ** 0.5) ** 3
    assert chi < bound


def test_values_behind_the_last_whole_multiple_are_rejected():
    """2**64 is not a multiple of 3 * 2**61: taken modulo n, the lowest third would come up 3 times in 8, not once in 3."""
    n = 3 * 2**61
    rng = sealed.SealedRng(SECRET, WORDS)
    low = sum(rng.below(n, "wide") < n // 3 for _ in range(3000))
    assert 900 < low < 1100  # without rejection it would be about 1125
    assert all(rng.below(n, "wide") < n for _ in range(100))


@pytest.mark.parametrize("n", [0, -1, 2**63 + 1])
def test_a_draw_below_nothing_is_refused(n):
    with pytest.raises(ValueError, match="cannot draw"):
        sealed.SealedRng(SECRET, WORDS).below(n, "bag")


def test_bot_seeds_differ_by_version_and_seat_and_repeat():
    seeds = {sealed.bot_seed(SECRET, version, seat) for version in range(20) for seat in range(5)}
    assert len(seeds) == 100
    assert sealed.bot_seed(SECRET, 3, 2) == sealed.bot_seed(SECRET, 3, 2)
