"""Worked examples as files: form, expected outcomes, expected refusals. test_content plays those of the books."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rules_docs import examples
from rules_docs.examples import ExampleError

SUNS = [[[12, 7, 3], []], [[13, 6, 2], []], [[10, 9, 5], []], [[11, 8, 4], []]]
GOOD: dict[str, Any] = {
    "anchor": "auction-3",
    "title": {"hu": "Licit", "en": "A bid"},
    "position": {
        "format": "ziggurat-position/1",
        "game": "ra",
        "rules_version": 1,
        "options": {},
        "seats": 4,
        "state": {"phase": "turn", "epoch": 1, "due": 0, "track": ["pharaoh"], "ra_track": 2, "centre": 1, "suns": SUNS},
        "fill": "test",
    },
    "steps": [{"actor": 0, "action": "call"}, {"actor": 1, "action": "bid 6", "note": {"en": "Ben bids."}}],
    "expect": {},
}
Write = Callable[..., examples.Example]


@pytest.fixture
def example(tmp_path: Path) -> Write:
    """Write an example like GOOD with some keys replaced, and read it."""

    def write(**changes: Any) -> examples.Example:
        file = tmp_path / "ra" / "examples" / "test.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        data = {key: value for key, value in {**GOOD, **changes}.items() if value is not None}
        file.write_text(json.dumps(data), "utf-8")
        return examples.read_file(file, "ra")

    return write


def expecting(example: Write, **expect: Any) -> list[str]:
    return examples.problems(example(expect=expect))


def test_frames_are_the_position_and_what_each_step_makes_of_it(example: Write) -> None:
    frames = examples.frames(example())
    assert [frame.step.action if frame.step else None for frame in frames] == [None, "call", "bid 6"]
    assert [event.key for event in frames[1].events] == ["called"]


def test_a_step_is_told_by_its_note_or_by_its_events(example: Write) -> None:
    shown = example()
    frames = examples.frames(shown)
    assert examples.caption(shown, frames[1], "en") == "A called Ra with 1\u00a0tile on the auction track."
    assert examples.caption(shown, frames[2], "en") == "Ben bids."
    assert "6" in examples.caption(shown, frames[2], "hu")
    named = example(names={"en": ["Ann", "Bo", "Cy", "Di"]})
    assert examples.caption(named, frames[1], "en").startswith("Ann ")


def test_what_comes_out_as_expected_is_no_problem(example: Write) -> None:
    met = expecting(
        example,
        state={"phase": "auction", "fame": {"0": 10}, "track": ["pharaoh"]},
        due=[2],
        legal=["bid 9", "bid 10", "pass"],
        legal_has=["pass"],
        legal_lacks=["bid 5"],
        illegal={"bid 5": "ra#auction-3"},
        events=["called", {"key": "bid", "params": {"sun": 6}}],
        outcome=None,
    )
    assert met == []


@pytest.mark.parametrize(
    ("expect", "problem"),
    [
        ({"state": {"phase": "turn"}}, 'expect.state.phase: expected "turn", found "auction"'),
        ({"state": {"fame": {"2": 11}}}, "expect.state.fame.2: expected 11, found 10"),
        ({"state": {"colour": 1}}, "expect.state.colour: is missing"),
        ({"due": [1]}, "expect.due[0]: expected 1, found 2"),
        ({"legal": ["pass"]}, "expect.legal: expected"),
        ({"legal_has": ["bid 5"]}, "'bid 5' is not legal"),
        ({"legal_lacks": ["pass"]}, "'pass' is legal"),
        ({"illegal": {"bid 5": "ra#auction-4"}}, "'bid 5' was refused by ra#auction-3, not ra#auction-4"),
        ({"illegal": {"bid 9": "ra#auction-3"}}, "'bid 9' was not refused"),
        ({"events": ["bid", "called"]}, "expect.events[1]"),
        ({"events": ["passed"]}, "no event 'passed'"),
        ({"events": [{"key": "bid", "params": {"sun": 7}}]}, "expect.events[0].params.sun: expected 7, found 6"),
        ({"outcome": {"reason": "suns"}}, "expect.outcome: expected"),
    ],
)
def test_what_comes_out_otherwise_is_told_with_its_place(example: Write, expect: dict[str, Any], problem: str) -> None:
    found = expecting(example, **expect)
    assert len(found) == 1
    assert problem in found[0]


def test_each_step_can_expect_something(example: Write) -> None:
    steps = [{"actor": 0, "action": "call", "expect": {"due": [3]}}]
    assert examples.problems(example(steps=steps)) == ["steps[0].expect.due[0]: expected 3, found 1"]


def test_a_refused_step_leaves_the_position_and_is_told_by_its_reason(example: Write) -> None:
    shown = example(steps=[{"actor": 0, "action": "pass", "refused": "ra#turn-3"}])
    before, after = examples.frames(shown)
    assert after.state is before.state
    assert after.refusal is not None
    assert examples.caption(shown, after, "en") == "You can't pass your turn. Draw a tile, call Ra, or use a god."


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ({"actor": 0, "action": "pass"}, r"steps\[0\] \(pass\): was refused by ra#turn-3"),
        ({"actor": 0, "action": "pass", "refused": "ra#auction-3"}, "was refused by ra#turn-3"),
        ({"actor": 0, "action": "call", "refused": "ra#turn-3"}, "should be refused by ra#turn-3"),
        ({"actor": 0, "action": "dance"}, r"steps\[0\] \(dance\)"),
    ],
)
def test_a_step_that_goes_otherwise_is_a_fault(example: Write, step: dict[str, Any], message: str) -> None:
    with pytest.raises(ExampleError, match=message):
        examples.frames(example(steps=[step]))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"anchor": None}, "anchor: expected str"),
        ({"title": "x"}, "title: expected dict"),
        ({"steps": {}}, "steps: expected list"),
        ({"steps": ["call"]}, r"steps\[0\]: expected an object"),
        ({"steps": [{"actor": "0", "action": "call"}]}, r"steps\[0\]\.actor: expected int"),
        ({"steps": [{"actor": True, "action": "call"}]}, r"steps\[0\]\.actor: expected int"),
        ({"position": {"game": "chess"}}, "position.game: expected 'ra'"),
        ({"position": {"game": "ra"}}, "position.seats: expected int"),
        ({"expect": {"mood": 1}}, "expect.mood: is not one of state"),
        ({"expect": None}, "expect: expected dict"),
        ({"hands": [4]}, "hands: expected a list of seats from 0 to 3"),
        ({"hands": "0"}, "hands: expected a list of seats from 0 to 3"),
    ],
)
def test_a_fault_of_form_is_told_with_file_and_field(example: Write, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ExampleError, match=rf"ra/examples/test\.json: {message}"):
        example(**changes)


def test_a_position_that_cannot_be_is_a_fault(example: Write) -> None:
    with pytest.raises(ExampleError, match="test: position: "):
        examples.frames(example(position={**GOOD["position"], "state": {"centre": 99}}))


@pytest.mark.parametrize("text", ["", "[]", "{", "nonsense"])
def test_what_is_no_json_object_is_a_fault(tmp_path: Path, text: str) -> None:
    file = tmp_path / "bad.json"
    file.write_text(text)
    with pytest.raises(ExampleError, match=r"bad\.json"):
        examples.read_file(file, "ra")


def test_an_unknown_example_is_a_fault() -> None:
    with pytest.raises(ExampleError, match="no example 'nothing'"):
        examples.example("ra", "nothing")


@pytest.mark.parametrize("name", ["x" * 3000, "", "../../ra/examples/auction", "auction.json", "AUCTION", "a\0b"])
def test_no_name_is_too_odd_to_be_no_example(name: str) -> None:
    with pytest.raises(ExampleError, match="no example"):
        examples.example("ra", name)
