"""People are seated together by strength, waiting and number of players, and some don't meet."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from portal.matching.pairing import DAYS, DOUBLINGS, LIVE, POINTS_AT_FIRST, Seeker, counts_for, fit, groups, range_of

COUNTS, USUAL = (2, 3, 4, 5), 4


def seeker(key, points=1500, seats=2, waited_s=0.0, is_rated=True):
    return Seeker(key, points, seats, is_rated, waited_s)


def keys(*seekers, apart=(), tempo=LIVE, counts=COUNTS):
    found = groups(seekers, counts=counts, usual=USUAL, tempo=tempo, apart=apart)
    return [[one.key for one in group] for group in found]


def test_two_of_the_same_strength_meet_at_once():
    assert keys(seeker(1), seeker(2)) == [[1, 2]]


def test_strangers_in_strength_meet_when_one_has_waited():
    near, far = seeker(1), seeker(2, points=1500 + POINTS_AT_FIRST + 1)
    assert keys(near, far) == []
    assert keys(seeker(1, waited_s=LIVE.doubles_s), far) == [[1, 2]]
    assert keys(near, seeker(2, points=5000)) == []
    assert keys(seeker(1, waited_s=LIVE.doubles_s * DOUBLINGS), seeker(2, points=5000)) == [[1, 2]]


def test_the_range_doubles_and_slower_by_correspondence():
    assert [range_of(seeker(1, waited_s=s), LIVE) for s in (0, 14.9, 15, 30)] == [150, 150, 300, 600]
    assert range_of(seeker(1, waited_s=7199), DAYS) == 150
    assert range_of(seeker(1, waited_s=7200), DAYS) == 300


def test_the_one_who_has_waited_longest_is_served_first_and_meets_the_nearest():
    old, near, far = seeker(1, waited_s=60), seeker(2, points=1510), seeker(3, points=1600)
    assert keys(far, near, old) == [[1, 2]]


def test_rated_and_unrated_and_chosen_numbers_do_not_mix():
    assert keys(seeker(1), seeker(2, is_rated=False)) == []
    assert keys(seeker(1, seats=2), seeker(2, seats=3)) == []
    assert keys(seeker(1, seats=3), seeker(2, seats=0), seeker(3, seats=3)) == [[1, 2, 3]]
    assert keys(seeker(1, seats=7), seeker(2, seats=0)) == []


def test_whoever_leaves_the_number_open_gets_the_usual_one_at_first_then_any():
    fresh = [seeker(n, seats=0, waited_s=1.0) for n in range(1, 4)]
    assert keys(*fresh) == []
    assert keys(*fresh, seeker(4, seats=0)) == [[1, 2, 3, 4]]
    patient = seeker(1, seats=0, waited_s=LIVE.patience_s)
    assert keys(patient, *fresh[1:]) == [[1, 2, 3]]
    assert counts_for(patient, (2,), 2, LIVE) == [2]


def test_people_who_block_each_other_do_not_meet_and_others_still_do():
    apart = {frozenset((1, 2))}
    assert keys(seeker(1), seeker(2), apart=apart) == []
    assert keys(seeker(1), seeker(2), seeker(3), apart=apart) == [[1, 3]]
    assert keys(seeker(1, seats=3), seeker(2, seats=3), seeker(3, seats=3), apart={frozenset((2, 3))}) == []


@given(
    st.lists(st.tuples(st.integers(1000, 2500), st.sampled_from((0, 2, 3, 4, 5)), st.booleans(), st.floats(0, 200)), max_size=14),
    st.sets(st.tuples(st.integers(0, 13), st.integers(0, 13)), max_size=10),
)
def test_whatever_comes_each_person_sits_once_where_they_wanted(people, blocks):
    seekers = [Seeker(key, *person) for key, person in enumerate(people)]
    apart = {frozenset(pair) for pair in blocks}
    found = groups(seekers, counts=COUNTS, usual=USUAL, tempo=LIVE, apart=apart)
    seated = [one.key for group in found for one in group]
    assert len(seated) == len(set(seated))
    for group in found:
        assert len(group) in COUNTS
        assert {one.seats for one in group} <= {0, len(group)}
        assert len({one.is_rated for one in group}) == 1
        assert all(fit(group[0], other, LIVE) for other in group[1:])
        assert not any(frozenset((one.key, other.key)) in apart for one in group for other in group if one is not other)
