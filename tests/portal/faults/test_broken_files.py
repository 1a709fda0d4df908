"""A broken position or record: one line that names the field, from the functions, the commands and the page."""

from __future__ import annotations

import copy
import io
import json
import random

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command

from games.core import fuzz_positions
from games.core.contract import PositionError
from games.core.records import actions_of, read_json, start_of_position, start_of_record, verify_record
from games.core.rng import SeededRng
from games.core.sealed import SCHEME, SealedRng, commitment
from games.registry import game
from portal.tables import refusals, services
from tests.engine.test_every_position import CANNOT_BE

SECRET = bytes(range(32))
ODD = [
    None,
    True,
    False,
    0,
    -1,
    1,
    2,
    3,
    17,
    10**30,
    1.5,
    "",
    "x",
    "ra",
    "\0",
    "\u2028",
    [],
    {},
    [[]],
    [None],
    {"x": 1},
    [1, 2, 3],
    "9" * 5000,
]


def make_record():
    """A whole short game of two with the sealed stream, so that the good file is valid."""
    rules = game("ra")
    rng, words = SeededRng(5), ["nile", ""]
    sealed = SealedRng(SECRET, words)
    state = rules.setup(2, {"open_fame": False})
    actions = []
    while due := rules.actors(state):
        actor = due[0]
        if actor == -1:
            action = rules.sample_chance(state, sealed)
        elif actor == -2:
            action = rules.parse_action("score")
        else:
            action = rules.sample_action(state, actor, rng)
        state, _ = rules.apply(state, actor, action)
        actions.append([actor, str(action)])
    outcome = rules.outcome(state)
    return {
        "format": "ziggurat-record/1",
        "game": "ra",
        "rules_version": 1,
        "options": {"open_fame": False},
        "seats": 2,
        "position": None,
        "actions": actions,
        "result": {"places": list(outcome.places), "scores": list(outcome.scores), "reason": outcome.reason},
        "chance": {"scheme": SCHEME, "commitment": commitment(SECRET), "secret": SECRET.hex(), "words": words},
    }


def make_position():
    rules = game("ra")
    rng = SeededRng(3)
    state = rules.setup(3, {"open_fame": False})
    for _ in range(60):
        actor = rules.actors(state)[0]
        action = (
            rules.sample_chance(state, rng)
            if actor == -1
            else rules.legal_actions(state, actor)[0]
            if actor == -2
            else rules.sample_action(state, actor, rng)
        )
        state, _ = rules.apply(state, actor, action)
    return {
        "format": "ziggurat-position/1",
        "game": "ra",
        "rules_version": 1,
        "options": {"open_fame": False},
        "seats": 3,
        "state": rules.state_to_json(state),
        "fill": "x",
    }


RECORD = make_record()
POSITION = make_position()


def places(value, path=()):
    """All paths to a value within `value`."""
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*path, key))
    elif isinstance(value, list):
        for at in range(min(len(value), 4)):
            yield from places(value[at], (*path, at))


def with_change(data, path, change):
    data = copy.deepcopy(data)
    into = data
    for key in path[:-1]:
        into = into[key]
    change(into, path[-1])
    return data


def mutations(data, seed, odd=5):
    """Every value of the file removed, doubled, or replaced with values that do not belong there."""
    rng = random.Random(seed)
    for path in places(data):
        if not path:
            continue
        yield path, with_change(data, path, lambda into, key: into.pop(key))
        yield (
            path,
            with_change(
                data, path, lambda into, key: into.insert(key, into[key]) if isinstance(into, list) else into.update({f"{key}2": into[key]})
            ),
        )
        for value in rng.sample(ODD, odd):
            yield path, with_change(data, path, lambda into, key, value=value: into.__setitem__(key, value))


def is_one_line(text):
    return "\n" not in text and ": " in text and len(text) < 300 and "Traceback" not in text


def test_the_good_files_are_good():
    assert verify_record(RECORD, game).is_good
    rules, state = start_of_position(POSITION, game)
    assert rules.state_to_json(state) == POSITION["state"]


def test_every_broken_record_is_refused_or_does_not_hold():
    """Every change is found; only values that the check does not read (none in a record) may go unnoticed."""
    refused = failed = 0
    for path, data in mutations(RECORD, 1):
        try:
            verdict = verify_record(read_json(json.dumps(data)), game)
        except PositionError as error:
            assert is_one_line(str(error)), (path, error)
            refused += 1
        else:
            assert all(is_one_line(line) for line in verdict.problems), (path, verdict.problems)
            same = data == RECORD or {**data, "options": {"open_fame": False}} == RECORD  # an option left out is its default
            extra = len(path) <= 2 and isinstance(path[-1], str) and f"{path[-1]}2" in str(data)  # more than a record has
            other = path == ("chance",) and data["chance"] is None if "chance" in data else path == ("chance",)
            assert not verdict.is_good or same or extra or other or path[-1] == "position", (path, data)
            failed += not verdict.is_good
    assert refused > 30
    assert failed > 30


def test_every_broken_position_is_refused_with_one_line_or_completed():
    refused = 0
    for path, data in mutations(POSITION, 2, odd=4):
        try:
            rules, state = start_of_position(read_json(json.dumps(data)), game)
        except PositionError as error:
            assert is_one_line(str(error)), (path, error)
            refused += 1
        else:  # missing values are filled in; the result is a position that can be played and stored
            again = rules.state_from_json(rules.state_to_json(state))
            assert again == state
            rules.actors(state)
    assert refused > 100


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"format": "ziggurat-record/2"}, "format"),
        ({"game": "chess"}, "game"),
        ({"game": "\ud800"}, "game"),
        ({"rules_version": 99}, "rules_version"),
        ({"rules_version": True}, "rules_version"),
        ({"seats": 6}, "seats"),
        ({"options": {"open_fame": 1}}, "options.open_fame"),
        ({"options": {"x": 1}}, "options"),
        ({"actions": [[0, 1]]}, "actions[0]"),
        ({"actions": "draw"}, "actions"),
        ({"chance": {**RECORD["chance"], "secret": "xyz"}}, "chance.secret"),
        ({"chance": {**RECORD["chance"], "words": ["a"]}}, "chance.words"),
        ({"chance": {**RECORD["chance"], "words": ["\udfff", ""]}}, "chance"),
        ({"chance": {**RECORD["chance"], "scheme": "mine/1"}}, "chance.scheme"),
        ({"result": {"places": [1, 2], "scores": float("inf"), "reason": "x"}}, "result"),
        ({"result": [[[[[[[[[[[[[[1]]]]]]]]]]]]]]}, "result"),
        ({"position": {**POSITION, "seats": 2}}, "state.seats"),
        ({"position": POSITION}, "position.seats"),
    ],
)
def test_a_broken_record_names_its_field(change, field):
    with pytest.raises(PositionError) as caught:
        verify_or_start({**RECORD, **change})
    assert str(caught.value).startswith(f"{field}:"), caught.value
    str(caught.value).encode()


def verify_or_start(data):
    data = read_json(json.dumps(data))
    verify_record(data, game)
    start_of_record(data, game)  # what verification reports as a problem of the record is a fault of the position here
    actions_of(data)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '"x"', "[" * 100_000, '{"a": ' * 5000, "\xff\xfe", '{"seats": ' + "9" * 5000 + "}", '{"format": NaN}']
)
def test_what_is_no_record_at_all_is_told_in_one_line(text):
    with pytest.raises(PositionError) as caught:
        verify_record(read_json(text), game)
    assert is_one_line(str(caught.value)), caught.value


@pytest.mark.parametrize("command", ["verify_record", "replay"])
@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"\xff\xfe\x00", b"{" * 5000, json.dumps({**RECORD, "seats": "2"}).encode(), None])
def test_the_commands_say_one_line(tmp_path, command, content):
    file = tmp_path / "record.json"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(CommandError) as caught:
        call_command(command, str(file), stdout=io.StringIO())
    assert is_one_line(str(caught.value))
    assert caught.value.returncode == 2


@pytest.mark.parametrize("game_key", [[], {}, None, 1, "chess"])
def test_replay_refuses_a_game_that_is_no_name(tmp_path, game_key):
    file = tmp_path / "record.json"
    file.write_text(json.dumps({**RECORD, "game": game_key}))
    with pytest.raises(CommandError, match="game"):
        call_command("replay", str(file), stdout=io.StringIO())


def test_a_record_that_does_not_hold_ends_with_code_1(tmp_path):
    file = tmp_path / "record.json"
    file.write_text(json.dumps({**RECORD, "result": None}))
    out = io.StringIO()
    with pytest.raises(SystemExit) as caught:
        call_command("verify_record", str(file), stdout=out)
    assert caught.value.code == 1
    assert "result:" in out.getvalue()


@pytest.mark.django_db
class TestThePage:
    def post(self, client, content):
        return client.post("/verify/", {"record": SimpleUploadedFile("record.json", content, "application/json")})

    def test_takes_a_good_record(self, client):
        assert self.post(client, json.dumps(RECORD).encode()).status_code == 200

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            (b"", "file: "),
            (b"\xff\xfe\x00", "file: "),
            (b"[" * 50_000, "file: "),
            (b"[1]", "file: "),
            (json.dumps({**RECORD, "game": "\ud800"}).encode(), "game: "),
            (json.dumps({**RECORD, "seats": 10**30}).encode(), "seats: "),
            (json.dumps({**RECORD, "actions": [[0, "\ud800"]]}).encode(), "actions: "),
            (json.dumps({**RECORD, "rules_version": "<script>"}).encode(), "rules_version: "),
            (b" " * 60_001, "file: "),
        ],
    )
    def test_names_the_field(self, client, content, said):
        response = self.post(client, content)
        assert response.status_code == 422
        assert said in response.content.decode()
        assert "<script>alert" not in response.content.decode()

    @pytest.mark.parametrize("table", ["0", "-1", "x", "9" * 25, "9" * 6000, "٣", "%00", "1e3"])
    def test_says_that_there_is_no_such_table(self, client, table):
        response = client.get(f"/verify/?table={table}")
        assert response.status_code in (200, 400)
        if response.status_code == 200:
            assert "This table doesn&#x27;t exist" in response.content.decode()

    @pytest.mark.parametrize(("key", "partial", "field"), CANNOT_BE, ids=[f"{key} {field}" for key, _, field in CANNOT_BE])
    def test_names_the_field_of_a_position_that_cannot_be(self, client, alice, key, partial, field):
        rules = game(key)
        seats = 4 if key in ("ra", "tigris_euphrates") else rules.meta.seats[0]  # as the cases have them
        file = fuzz_positions.file_of(rules, partial, seats)
        response = self.post(client, json.dumps(fuzz_positions.record_of(rules, file, [])).encode())
        assert response.status_code in (200, 422)  # an invalid record, or not a record
        assert field in response.content.decode()
        with pytest.raises(refusals.BadFile) as refused:
            services.create_table(owner=alice, game_key=key, seats=seats, options=file["options"], position=file)
        assert field in str(refused.value)
        assert refused.value.status == 400

    def test_without_a_file(self, client):
        assert client.post("/verify/").status_code == 422

    def test_broken_multipart(self, client):
        for body in (b"", b'--x\r\nContent-Disposition: form-data; name="record"; filename="a"\r\n\r\n{', b"\0" * 100):
            response = client.post("/verify/", body, content_type="multipart/form-data; boundary=x")
            assert 400 <= response.status_code < 500
