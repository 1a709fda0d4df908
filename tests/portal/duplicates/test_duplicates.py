"""Duplicate sets: equal deals, who sits where, when the deal is revealed, and what is compared."""

from __future__ import annotations

import json

import pytest

from games.core.records import verify_record
from games.registry import game
from portal.clubs import members
from portal.clubs.models import ClubEntry, DuplicateSet
from portal.clubs.refusals import ClubNotFound
from portal.common.refusals import BadValue, NotAllowed, WrongMoment
from portal.contests import duplicate_selectors, duplicates
from portal.ratings.models import RatingChange
from portal.ratings.services import apply_pending
from portal.tables import refusals, selectors, services, tasks
from portal.tables.access import may_see, visible
from portal.tables.loading import load
from portal.tables.models import Table
from tests.portal.clubs.conftest import person
from tests.portal.tables.driver import play_on
from tests.portal.tables.ending import end

pytestmark = pytest.mark.django_db


def ids(duplicate):
    return list(Table.objects.filter(duplicate=duplicate).order_by("pk").values_list("pk", flat=True))


def sit(duplicate, number, user, seat=0):
    return duplicates.take_seat(duplicate=duplicate, table_id=ids(duplicate)[number], user=user, seat=seat)


def draws(table_id):
    """The draws of chance, in order, cut to the same length."""
    return [record.text for record in load(table_id).table.records.filter(by="chance")]


# The same deal


def test_equal_actions_meet_equal_draws_at_all_tables_of_a_set(pair, alice, bob, dora, olga):
    one, two = ids(pair)
    sit(pair, 0, alice, 0)
    sit(pair, 0, bob, 1)
    sit(pair, 1, dora, 1)  # in another order, so with another version
    services.leave_table(table_id=two, user=dora)
    sit(pair, 1, dora, 0)
    sit(pair, 1, olga, 1)
    assert load(one).table.version != load(two).table.version
    for _ in range(400):
        first, second = load(one), load(two)
        assert (first.table.state, first.table.due, first.table.counters) == (second.table.state, second.table.due, second.table.counters)
        if first.table.status != "playing":
            break
        due = first.table.due[0]
        if due < 0:
            for loaded in (first, second):
                tasks.score(loaded.table.pk, loaded.table.version)
            continue
        action = str(first.game.legal_actions(first.state, due)[-1 if first.table.seq % 3 else 0])
        for loaded in (first, second):
            services.submit_action(
                table_id=loaded.table.pk, user=loaded.seats[due].user, action=action, expected_version=loaded.table.version
            )
    assert load(one).table.status == load(two).table.status == "finished"
    assert draws(one) == draws(two) != []


def test_bots_of_a_set_play_alike_in_equal_positions(made, alice, bob, olga):
    one, two = ids(made)
    sit(made, 0, alice)
    sit(made, 1, bob)
    Table.objects.filter(pk=two).update(version=77, decided_since=[77, 77])  # the number of transactions is not the position
    for _ in range(60):
        first, second = load(one), load(two)
        assert first.table.state == second.table.state
        due = first.table.due[0]
        for loaded in (first, second):
            if due < 0:
                tasks.score(loaded.table.pk, loaded.table.version)
            elif loaded.seats[due].user is None:
                tasks.play_bot(loaded.table.pk, loaded.table.version, due)
            else:
                action = str(loaded.game.legal_actions(loaded.state, due)[0])
                services.submit_action(
                    table_id=loaded.table.pk, user=loaded.seats[due].user, action=action, expected_version=loaded.table.version
                )
    assert draws(one) == draws(two) != []
    assert load(one).table.records.filter(by="bot").exists()


def test_the_tables_of_a_set_share_secret_and_seal_and_take_no_words(made, alice):
    assert len({bytes(table.secret) for table in Table.objects.filter(duplicate=made)} | {bytes(made.secret)}) == 1
    assert {table.commitment for table in Table.objects.filter(duplicate=made)} == {made.commitment}
    loaded = sit(made, 0, alice)
    assert loaded.words == ["", ""]
    assert loaded.table.status == "playing"


def test_each_record_of_a_set_is_verified_after_the_reveal(made, alice, bob):
    one, two = ids(made)
    sit(made, 0, alice)
    sit(made, 1, bob)
    play_on(one, seed=1)
    with pytest.raises(refusals.Sealed):
        selectors.record_of(one, alice)
    play_on(two, seed=2)
    for table_id, user in ((one, alice), (two, bob), (one, bob)):
        data = json.loads(json.dumps(selectors.record_of(table_id, user)))
        assert verify_record(data, game).is_good
        assert data["chance"]["secret"] == bytes(made.secret).hex()


# Seats


def test_nobody_sits_at_two_tables_of_a_set(pair, alice):
    sit(pair, 0, alice)
    with pytest.raises(WrongMoment):
        sit(pair, 1, alice)
    with pytest.raises(WrongMoment):
        sit(pair, 0, alice, 1)
    assert sit(pair, 0, alice).seat_of(alice) == 0  # the same seat again is not an error


def test_a_seat_given_back_before_the_start_may_be_taken_elsewhere(pair, alice):
    sit(pair, 0, alice)
    services.leave_table(table_id=ids(pair)[0], user=alice)
    assert load(ids(pair)[0]).table.status == "open"
    assert sit(pair, 1, alice, 1).seat_of(alice) == 1


def test_who_left_a_game_of_the_set_gets_no_seat_at_another_table(made, alice):
    sit(made, 0, alice)
    services.leave_table(table_id=ids(made)[0], user=alice)
    with pytest.raises(WrongMoment):
        sit(made, 1, alice)


def test_seats_that_are_taken_missing_or_of_another_table_are_refused(pair, made, alice, bob, dora, charlie, duel):
    sit(pair, 0, alice)
    with pytest.raises(WrongMoment):
        sit(pair, 0, bob)
    for seat in (-1, 2, 99):
        with pytest.raises(BadValue):
            sit(pair, 0, bob, seat)
    with pytest.raises(WrongMoment):
        sit(made, 0, dora, 1)  # the bot's
    for table_id in (ids(made)[0], duel.pk, 10**9, -1):
        with pytest.raises(ClubNotFound):
            duplicates.take_seat(duplicate=pair, table_id=table_id, user=bob, seat=0)
    with pytest.raises(ClubNotFound):
        sit(pair, 1, charlie)
    with pytest.raises(ClubNotFound):
        sit(pair, 1, None)
    sit(made, 0, bob)
    with pytest.raises(WrongMoment):
        sit(made, 0, dora)  # it has started


def test_a_stranger_of_a_public_club_gets_no_seat(public, made, charlie):
    with pytest.raises(NotAllowed):
        duplicates.take_seat(duplicate=duplicate_selectors.set_of(public, made.pk), table_id=ids(made)[0], user=charlie, seat=0)


def test_the_common_way_to_a_seat_is_closed(public, made, pair, alice, bob, charlie):
    """`join`, `start`, `add_bot`: a table of a set does not exist for anyone without a seat, and belongs to nobody."""
    table_id = ids(pair)[0]
    for user in (bob, charlie):
        for call in (
            lambda user=user: services.join_table(table_id=table_id, user=user),
            lambda user=user: services.start_table(table_id=table_id, user=user),
            lambda user=user: services.add_bot(table_id=table_id, user=user, level="apprentice"),
        ):
            with pytest.raises(refusals.TableNotFound):
                call()
    sit(pair, 0, bob)
    assert services.join_table(table_id=table_id, user=bob).seat_of(bob) == 0
    for call in (
        lambda: services.start_table(table_id=table_id, user=bob),
        lambda: services.add_bot(table_id=table_id, user=bob, level="apprentice"),
        lambda: services.remove_bot(table_id=table_id, user=bob, seat=1),
    ):
        with pytest.raises(refusals.NotYourSeat):
            call()


def test_who_leaves_the_club_gives_back_seats_at_open_tables_only(pair, made, club, bob, dora):
    sit(pair, 0, bob)
    sit(made, 0, bob)
    members.leave(club=club, user=bob)
    assert load(ids(pair)[0]).seat_of(bob) is None
    assert load(ids(made)[0]).seat_of(bob) == 0
    assert may_see(load(ids(made)[0]), bob)
    assert not may_see(load(ids(pair)[0]), bob)


# Making, starting, ending


def test_officers_alone_make_start_close_and_end(club, pair, alice, olga, bob, charlie):
    sit(pair, 0, bob)

    def calls(user):
        return (
            lambda: duplicates.create_set(club=club, actor=user, name="New", game="ra", seats=3, n_tables=2),
            lambda: duplicates.start_table(duplicate=pair, table_id=ids(pair)[0], actor=user),
            lambda: duplicates.close_open_tables(duplicate=pair, actor=user),
            lambda: duplicates.end_set(duplicate=pair, actor=user),
        )

    for user, refusal in ((bob, NotAllowed), (charlie, ClubNotFound), (None, ClubNotFound)):
        for call in calls(user):
            with pytest.raises(refusal):
                call()
    assert DuplicateSet.objects.count() == 1
    make, start, _close, _end = calls(olga)
    make()
    assert start().table.status == "playing"
    assert duplicates.close_open_tables(duplicate=pair, actor=alice) == 1
    assert duplicates.end_set(duplicate=pair, actor=olga) == 1
    assert list(ClubEntry.objects.filter(club=club).order_by("id").values_list("verb", flat=True))[-3:] == [
        "duplicates_made",
        "duplicates_closed",
        "duplicates_ended",
    ]


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"name": "x" * 10_000}, "name"),
        ({"name": "a\x00b"}, "name"),
        ({"name": "a\u202eb"}, "name"),
        ({"game": "chess"}, "game"),
        ({"game": ""}, "game"),
        ({"seats": 9}, "seats"),
        ({"seats": 0, "bots": ()}, "seats"),
        ({"seats": -1, "bots": ()}, "seats"),
        ({"seats": 10**9, "bots": ("",)}, "seats"),
        ({"n_tables": 1}, "n_tables"),
        ({"n_tables": 13}, "n_tables"),
        ({"n_tables": -5}, "n_tables"),
        ({"bots": ("emperor", "emperor", "emperor")}, "bots"),
        ({"bots": ("", "grandmaster", "")}, "seats"),
        ({"bots": ("", "apprentice")}, "seats"),
        ({"options": {"no such option": True}}, "seats"),
    ],
)
def test_what_is_no_set_is_refused_and_changes_nothing(club, olga, changed, field):
    values = {"name": "Week", "game": "ra", "seats": 3, "n_tables": 2, **changed}
    with pytest.raises(BadValue) as refusal:
        duplicates.create_set(club=club, actor=olga, **values)
    assert refusal.value.field == field or (changed.get("seats") == 0 and refusal.value.field in ("bots", "seats"))
    assert not DuplicateSet.objects.exists()
    assert not Table.objects.exists()
    assert not ClubEntry.objects.filter(verb="duplicates_made").exists()


def test_an_empty_table_is_not_started(pair, olga):
    with pytest.raises(WrongMoment):
        duplicates.start_table(duplicate=pair, table_id=ids(pair)[0], actor=olga)


def test_what_has_begun_or_ended_is_not_started_closed_or_ended_again(made, olga, alice):
    sit(made, 0, alice)
    with pytest.raises(WrongMoment):
        duplicates.start_table(duplicate=made, table_id=ids(made)[0], actor=olga)
    duplicates.end_set(duplicate=made, actor=olga)
    with pytest.raises(WrongMoment):
        duplicates.end_set(duplicate=made, actor=olga)
    with pytest.raises(WrongMoment):
        duplicates.close_open_tables(duplicate=made, actor=olga)
    with pytest.raises(WrongMoment):
        sit(made, 1, olga)
    loaded = load(ids(made)[0])
    with pytest.raises(refusals.WrongStatus):
        services.submit_action(table_id=loaded.table.pk, user=alice, action="draw", expected_version=loaded.table.version)


# The reveal


def is_revealed(duplicate):
    return DuplicateSet.objects.get(pk=duplicate.pk).revealed_at is not None


def numbers(duplicate):
    return [load(table_id).table.finish_number for table_id in ids(duplicate)]


def test_the_last_table_reveals_and_numbers_all_games_in_the_order_of_their_ends(made, alice, bob, duel):
    one, two = ids(made)
    sit(made, 0, alice)
    sit(made, 1, bob)
    end(two)
    assert not is_revealed(made)
    assert numbers(made) == [None, None]
    end(duel.pk)
    end(one)
    assert is_revealed(made)
    first = load(duel.pk).table.finish_number
    assert numbers(made) == [first + 2, first + 1]


def test_no_rating_changes_before_the_reveal(pair, alice, bob, dora, olga):
    one, two = ids(pair)
    for number, seat, user in ((0, 0, alice), (0, 1, bob), (1, 0, dora), (1, 1, olga)):
        sit(pair, number, user, seat)
    end(one)
    apply_pending()
    assert not RatingChange.objects.exists()
    end(two)
    apply_pending()
    assert set(RatingChange.objects.values_list("table_id", flat=True)) == {one, two}


def test_closing_the_open_tables_reveals_what_is_over(made, alice, olga):
    sit(made, 0, alice)
    end(ids(made)[0])
    assert not is_revealed(made)
    duplicates.close_open_tables(duplicate=made, actor=olga)
    assert is_revealed(made)
    assert numbers(made)[0] is not None
    assert numbers(made)[1] is None


def test_closing_the_open_tables_waits_for_the_running_ones(made, alice, olga):
    sit(made, 0, alice)
    duplicates.close_open_tables(duplicate=made, actor=olga)
    assert not is_revealed(made)
    end(ids(made)[0])
    assert is_revealed(made)


def test_ending_a_set_breaks_off_running_games_without_a_result(made, alice, bob, olga):
    sit(made, 0, alice)
    sit(made, 1, bob)
    end(ids(made)[0])
    duplicates.end_set(duplicate=made, actor=olga)
    assert is_revealed(made)
    broken = load(ids(made)[1]).table
    assert (broken.status, broken.outcome, broken.finish_number, broken.waits_for) == ("abandoned", None, None, "")
    assert tasks.reconcile() == 0
    page = selectors.table_page(broken.pk, bob)
    assert page.seal.secret is None
    assert page.turn.legal == []


def test_closing_the_club_closes_open_tables_and_lets_the_others_end(made, club, alice):
    from portal.clubs import services as clubs

    sit(made, 0, alice)
    clubs.close_club(club=club, actor=alice)
    assert [load(table_id).table.status for table_id in ids(made)] == ["playing", "abandoned"]
    end(ids(made)[0])
    assert is_revealed(made)


# Who sees what


def test_a_table_of_a_set_is_seen_by_its_own_seats_until_the_reveal(public, made, alice, bob, olga, charlie):
    one, two = ids(made)
    everybody = (alice, bob, olga, charlie, None)

    def seen():
        each = []
        for table_id in (one, two):
            who = [user for user in everybody if may_see(load(table_id), user)]
            assert who == [user for user in everybody if visible(Table.objects.filter(pk=table_id), user).exists()]
            assert who == [user for user in everybody if may_see(Table.objects.get(pk=table_id), user)]
            each.append(who)
        return each

    assert seen() == [[], []]
    sit(made, 0, alice)
    assert seen() == [[alice], []]
    end(one)
    sit(made, 1, bob)
    assert seen() == [[alice], [bob]]
    end(two)
    assert seen() == [list(everybody), list(everybody)]


def test_the_player_of_a_finished_table_sees_the_result_without_the_secret(made, alice, bob, client):
    one, two = ids(made)
    sit(made, 0, alice)
    sit(made, 1, bob)
    end(one)
    secret = bytes(made.secret).hex()
    client.force_login(alice)
    for path in (
        f"/tables/{one}/",
        f"/tables/{one}/region/",
        f"/tables/{one}/log/",
        f"/api/v1/tables/{one}/",
        f"/clubs/enlil/duplicates/{made.pk}/",
    ):
        response = client.get(path)
        assert response.status_code == 200, path
        assert secret not in response.content.decode(), path
    page = client.get(f"/tables/{one}/").content.decode()
    assert "appear when the last of them is over" in page
    assert made.commitment in page
    assert "/record/" not in page
    assert client.get(f"/tables/{one}/record/").status_code == 409
    assert client.get(f"/api/v1/tables/{one}/record/").json()["error"]["code"] == "sealed"
    assert client.get(f"/api/v1/tables/{one}/").json()["is_sealed"] is True
    end(two)
    assert secret in client.get(f"/tables/{one}/").content.decode()
    assert client.get(f"/tables/{one}/record/").json()["chance"]["secret"] == secret


# The comparison


def test_each_seat_is_compared_with_the_same_seat_of_the_others(club, olga, alice, bob, dora):
    made = duplicates.create_set(club=club, actor=olga, name="Three", game="ra", seats=2, n_tables=4, bots=("", "apprentice"))
    people = (alice, bob, dora, person("emil"))
    from portal.clubs import ways_in

    ways_in.join_by_link(code=club.link_code, user=people[3])
    for number, user in enumerate(people):
        sit(made, number, user)
        end(ids(made)[number])
    scores = ((30, 1), (30, 1), (30, 2), (10, 2))  # Alice and Bob level, Dora behind because of her place
    for table_id, (score, place) in zip(ids(made), scores, strict=True):
        load(table_id).table.seats.filter(index=0).update(score=score, place=place)
        load(table_id).table.seats.filter(index=1).update(score=20, place=3 - place)
    page = duplicate_selectors.set_page(duplicate_selectors.set_of(club, made.pk), alice)
    first, second = page.comparison
    assert [(row.seat.name, row.beaten_text, row.others, row.percent) for row in first.results] == [
        ("alice", "2½", 3, 83),
        ("bob", "2½", 3, 83),
        ("dora", "1", 3, 33),
        ("emil", "0", 3, 0),
    ]
    assert [row.beaten_text for row in second.results] == ["2½", "2½", "½", "½"]
    assert [(line.rank, line.result.seat.name) for line in page.ranking] == [(1, "alice"), (1, "bob"), (3, "dora"), (4, "emil")]
    assert sum(row.beaten for row in first.results) == sum(row.beaten for row in second.results) == 6  # each pair of tables gives one point


def test_who_left_is_named_but_not_ranked(made, club, alice, bob):
    sit(made, 0, alice)
    sit(made, 1, bob)
    services.leave_table(table_id=ids(made)[0], user=alice)

    def page():
        return duplicate_selectors.set_page(duplicate_selectors.set_of(club, made.pk), bob)

    assert page().tables[0].seats[0].name == "alice"  # after the reveal it says that she left
    assert page().tables[0].seats[0].took_over == ""
    for table_id in ids(made):
        end(table_id)
    assert page().comparison[0].results[0].others == 1
    left = next(row.seat for row in page().comparison[0].results if row.seat.name == "alice")
    assert left.took_over
    assert [line.result.seat.name for line in page().ranking] == ["bob"]


def test_a_single_finished_table_is_compared_with_nothing(made, club, alice, olga):
    sit(made, 0, alice)
    end(ids(made)[0])
    duplicates.end_set(duplicate=made, actor=olga)
    page = duplicate_selectors.set_page(duplicate_selectors.set_of(club, made.pk), alice)
    assert [row.others for row in page.comparison[0].results] == [0]
    assert page.ranking == []


def test_before_the_reveal_the_page_holds_neither_scores_nor_secret(made, club, alice, bob):
    sit(made, 0, alice)
    sit(made, 1, bob)
    end(ids(made)[0])
    page = duplicate_selectors.set_page(duplicate_selectors.set_of(club, made.pk), alice)
    assert (page.comparison, page.ranking, page.secret, page.n_ended) == ([], [], None, 1)


def test_an_open_table_of_a_set_is_in_no_list_of_tables_to_join(made, bob):
    assert Table.objects.filter(duplicate=made, status=Table.Status.OPEN).exists()
    assert not selectors.open_tables(bob).exists()
