"""Lines of a study: every game can be played on, draws are determined, nothing is taken from the reader."""

from __future__ import annotations

import pytest

from games.registry import GAMES, game
from portal.studies import lines, refusals, services, sharing
from portal.studies.models import Move, Study
from tests.portal.studies.conftest import state_at

pytestmark = pytest.mark.django_db


class TestEveryGame:
    @pytest.fixture(params=GAMES)
    def game_key(self, request):
        return request.param

    def test_lines_are_played_shown_and_played_again_alike(self, study, alice, plays, browser):
        at = 0
        for _ in range(6):
            at = plays(alice, study, at)
        before = state_at(study, at)[0]
        rules = game(study.game)
        lines._kept.clear()  # as in another process
        assert rules.state_to_json(state_at(study, at)[0]) == rules.state_to_json(before)
        client = browser(alice)
        for number in range(at + 1):
            page = client.get(f"/studies/{study.pk}/{number}/" if number else f"/studies/{study.pk}/").content.decode()
            assert page.count('class="study-tree__move"') == at + 1
            assert 'id="board"' in page
            assert 'id="study-play"' in page

    def test_a_question_leads_to_a_move(self, study, alice, browser, legal):
        """The buttons of the question are actions of the form around it."""
        seat, actions = legal(study)
        answer = browser(alice).post(f"/studies/{study.pk}/0/play/", {"seat": seat + 1, "action": actions[-1]})
        assert answer.status_code == 303
        move = Move.objects.get()
        assert answer.url == f"/studies/{study.pk}/{move.number}/"
        assert (move.seat, move.text, move.author) == (seat, actions[-1], alice)

    def test_every_legal_action_can_be_played(self, study, alice, legal):
        seat, actions = legal(study)
        for text in actions[:12]:
            number = services.play(study_id=study.pk, user=alice, codes={}, after=0, seat=seat, actions=[text])
            assert Move.objects.get(number=number).text == text


def test_the_same_action_is_the_same_move(study, alice, plays):
    first = plays(alice, study)
    assert plays(alice, study) == first
    assert plays(alice, study, nth=1) != first
    assert Move.objects.count() == 2


def test_a_line_that_is_deleted_and_played_again_shows_the_same_draws(alice, running, starts, plays):
    study = starts(alice, running.table.pk, step=1)
    at, line = 0, []
    for _ in range(10):
        at = plays(alice, study, at)
        line.append(Move.objects.get(study=study, number=at).events)
    first = Move.objects.get(study=study, parent=None).number
    services.delete(study_id=study.pk, user=alice, codes={}, number=first)
    assert not Move.objects.exists()
    lines._kept.clear()
    at, again = 0, []
    for _ in range(10):
        at = plays(alice, study, at)
        again.append(Move.objects.get(study=study, number=at).events)
    assert again == line


def test_studies_of_one_position_draw_differently(alice, ended, starts):
    one, other = starts(alice, ended.table.pk), starts(alice, ended.table.pk)
    assert one.seed != other.seed
    assert one.position == other.position


class TestDraws:
    @pytest.fixture
    def game_key(self):
        return "ra"

    def test_an_action_is_drawn_for_again_beside_it(self, alice, running, starts, legal, browser):
        study = starts(alice, running.table.pk, step=2)
        seat, _actions = legal(study)
        number = services.play(study_id=study.pk, user=alice, codes={}, after=0, seat=seat, actions=["draw"])
        found = {number}
        for _ in range(6):
            found.add(services.draw_again(study_id=study.pk, user=alice, codes={}, number=number))
        moves = Move.objects.filter(study=study)
        assert len(found) == 7 == moves.count()
        assert len({str(move.events) for move in moves}) > 1
        assert 'value="draw"' in browser(alice).get(f"/studies/{study.pk}/{number}/").content.decode()

    def test_not_without_end(self, alice, running, starts, monkeypatch):
        monkeypatch.setattr(services, "MAX_DRAWS", 2)
        study = starts(alice, running.table.pk, step=2)
        seat = state_at(study)[1].actors(state_at(study)[0])[0]
        number = services.play(study_id=study.pk, user=alice, codes={}, after=0, seat=seat, actions=["draw"])
        services.draw_again(study_id=study.pk, user=alice, codes={}, number=number)
        with pytest.raises(refusals.TooManyDraws):
            services.draw_again(study_id=study.pk, user=alice, codes={}, number=number)

    def test_what_is_not_drawn_can_not_come_out_differently(self, alice, running, starts, legal):
        study = starts(alice, running.table.pk, step=2)
        seat, _actions = legal(study)
        number = services.play(
            study_id=study.pk, user=alice, codes={}, after=0, seat=seat, actions=[next(text for text in legal(study)[1] if text != "draw")]
        )
        with pytest.raises(refusals.NoDraws):
            services.draw_again(study_id=study.pk, user=alice, codes={}, number=number)


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"seat": "1", "action": "nonsense"}, 422),
        ({"seat": "1", "action": ""}, 422),
        ({"seat": "1", "action": "x" * 5000}, 422),
        ({"seat": "1", "action": "a\x07b"}, 422),
        ({"seat": "9", "action": "pass"}, 409),
        ({"seat": "-1", "action": "score"}, 409),
        ({"seat": "0", "action": "score"}, 409),
        ({"action": "pass"}, 409),
        ({"seat": "1", "basket": "x", "lot:y": "nine"}, 422),
        ({"seat": "1", "action": " then ".join(["pass"] * 61)}, 422),
    ],
)
def test_what_is_not_possible_is_refused_in_words_and_changes_nothing(study, alice, browser, legal, fields, status):
    seat, _actions = legal(study)
    fields = fields | ({"seat": str(seat + 1)} if fields.get("seat") == "1" else {})
    before = Study.objects.get(pk=study.pk).version
    answer = browser(alice).post(f"/studies/{study.pk}/0/play/", fields)
    assert answer.status_code == status
    assert 'id="study-fault"' in answer.content.decode()
    assert not Move.objects.exists()
    assert Study.objects.get(pk=study.pk).version == before


def test_a_plan_that_fails_in_the_middle_leaves_nothing(study, alice, legal):
    seat, actions = legal(study)
    with pytest.raises(refusals.NotPossible):
        services.play(study_id=study.pk, user=alice, codes={}, after=0, seat=seat, actions=[actions[0], "nonsense"])
    assert not Move.objects.exists()


def test_a_move_that_is_gone_is_not_played_on(study, alice, browser, plays, legal):
    number = plays(alice, study)
    services.delete(study_id=study.pk, user=alice, codes={}, number=number)
    seat, actions = legal(study)
    assert browser(alice).get(f"/studies/{study.pk}/{number}/").status_code == 404
    answer = browser(alice).post(f"/studies/{study.pk}/{number}/play/", {"seat": seat + 1, "action": actions[0]})
    assert answer.status_code == 404
    assert "no longer in the study" in answer.content.decode()


def test_a_line_goes_before_the_others_where_it_branches_off(study, alice, plays):
    first, second = plays(alice, study), plays(alice, study, nth=1)
    deep = plays(alice, study, plays(alice, study, second))
    assert services.tree(study).after[0] == [first, second]
    services.promote(study_id=study.pk, user=alice, codes={}, number=deep)
    assert services.tree(study).after[0] == [second, first]
    services.promote(study_id=study.pk, user=alice, codes={}, number=deep)
    assert services.tree(study).after[0] == [second, first]


def test_a_full_study_says_so(study, alice, plays, monkeypatch):
    monkeypatch.setattr(services, "MAX_MOVES", 2)
    second = plays(alice, study, plays(alice, study))
    with pytest.raises(refusals.StudyFull):
        plays(alice, study, second)
    assert plays(alice, study) == 1  # what is there can be followed


def test_comments_are_plain_text(study, alice, plays, browser):
    number = plays(alice, study)
    client = browser(alice)
    address = f"/studies/{study.pk}/{number}/comment/"
    assert client.post(address, {"comment": "<b>bold</b>\r\n\u202etwo", "mark": "!?"}).status_code == 303
    move = Move.objects.get()
    assert (move.comment, move.mark, move.commented_by) == ("<b>bold</b>\ntwo", "!?", alice)
    page = client.get(f"/studies/{study.pk}/{number}/").content.decode()
    assert "&lt;b&gt;bold&lt;/b&gt;<br>two" in page
    assert client.post(address, {"comment": "x" * 1001, "mark": ""}).status_code == 422
    refused = client.post(address, {"comment": "y", "mark": "??"})
    assert refused.status_code == 422
    assert Move.objects.get().mark == "!?"


def test_limits(study, alice, plays, starts, running, monkeypatch):
    monkeypatch.setattr(services, "CHANGES_PER_HOUR", 1)
    monkeypatch.setattr(services, "NEW_PER_HOUR", 2)
    plays(alice, study)
    with pytest.raises(refusals.TooManyMoves):
        plays(alice, study, nth=1)
    starts(alice, running.table.pk)
    with pytest.raises(refusals.TooManyNewStudies):
        starts(alice, running.table.pk)
    monkeypatch.setattr(services, "MAX_STUDIES", 2)
    with pytest.raises(refusals.TooManyStudies):
        starts(alice, running.table.pk)


def test_rules_that_have_changed_are_said_and_the_lines_stay(study, alice, plays, browser):
    number = plays(alice, study)
    Move.objects.update(text="nonsense")
    lines._kept.clear()
    answer = browser(alice).get(f"/studies/{study.pk}/{number}/")
    assert answer.status_code == 200
    page = answer.content.decode()
    assert "by today" in page
    assert page.count('class="study-tree__move"') == 2


def test_a_title_is_needed(alice, study):
    for title in ("", " \u202e"):
        with pytest.raises(refusals.NoTitle):
            sharing.set_up(study_id=study.pk, user=alice, title=title, visibility="me")
    with pytest.raises(refusals.TitleTooLong):
        sharing.set_up(study_id=study.pk, user=alice, title="x" * 81, visibility="me")
