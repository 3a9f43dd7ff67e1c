"""Steps as people write them, and their mistakes."""

from typing import Any

import pytest

from gatecrash.core.errors import InvalidProfile
from gatecrash.core.testing.profiles.profile import Take
from gatecrash.core.testing.profiles.step_document import read_once, read_placed, read_step, read_takes


def test_a_step_with_everything() -> None:
    step = read_step(
        {
            "method": "PUT", "url": "https://id.example/x?a=${b}", "headers": {"X-A": "1"}, "json": {"a": ["${x}", 1]},
            "basic": {"username": "u", "password": 123}, "take": {"t": {"json": "$.t"}, "n": {"header": "x-next", "optional": True}},
        },
        "login[0]",
    )  # fmt: skip
    assert (step.method, step.json, step.basic) == ("PUT", '{"a":["${x}",1]}', ("u", "123"))
    assert step.take == (Take("t", "json", "$.t"), Take("n", "header", "X-NEXT", optional=True))


def test_the_method_follows_the_body() -> None:
    assert read_step({"path": "/a"}, "s").method == "GET"
    assert read_step({"path": "/a", "form": {}}, "s").method == "POST"


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ({}, "s.url: give either url or path"),
        ({"url": "http://a", "path": "/"}, "s.url: give either url or path"),
        ({"path": "a"}, "s.path: is neither"),
        ({"url": "ftp://a"}, "s.url: is neither"),
        ({"path": "/a b"}, "s.path: holds a blank"),
        ({"path": "/", "json": {}, "form": {}}, "s.form: stands beside json"),
        ({"path": "/", "method": "CONNECT"}, "s.method: is none of"),
        ({"path": "/", "json": {1: 2}}, "s.json: holds what JSON cannot say"),
        ({"path": "/", "take": []}, "s.take: is a set of variables"),
        ({"path": "/", "take": {"a b": {"json": "$"}}}, "s.take.a b: is no name for a variable"),
        ({"path": "/", "take": {"uuid": {"json": "$"}}}, "s.take.uuid: is no name"),
        ({"path": "/", "take": {"t": {}}}, "s.take.t: names 0 of"),
        ({"path": "/", "take": {"t": {"json": "$", "header": "x"}}}, "s.take.t: names 2 of"),
        ({"path": "/", "take": {"t": {"json": "$.a["}}}, "s.take.t.json: '$.a[' is no JSON path"),
        ({"path": "/", "take": {"t": {"pattern": "(a+)+"}}}, "s.take.t.pattern: "),
        ({"path": "/", "basic": {"username": ""}}, "s.basic.username: is empty"),
    ],
)
def test_mistakes_are_told_with_their_place(document: dict[str, Any], told: str) -> None:
    with pytest.raises(InvalidProfile) as caught:
        read_step(document, "s")
    assert str(caught.value).startswith(told)


def test_points_of_values_are_checked() -> None:
    assert read_placed({"point": ["header", "x-a"], "value": "v"}, "v").point == ("header", "X-A")
    for point in ([], ["nowhere"], "header", ["header", "cookie"]):
        with pytest.raises(InvalidProfile, match=r"^v\.point: "):
            read_placed({"point": point, "value": "v"}, "v")


def test_what_is_fetched_is_for_changing_requests_and_what_is_made_up_for_all() -> None:
    value = [{"point": ["header", "x"], "value": "${uuid}"}]
    assert read_once({"values": value}, "o").methods == ()
    assert read_once({"values": value, "steps": [{"path": "/"}]}, "o").methods == ("POST", "PUT", "PATCH", "DELETE")
    assert read_once({"values": value, "steps": [{"path": "/"}], "methods": ["get"]}, "o").methods == ("GET",)
    with pytest.raises(InvalidProfile, match=r"^o\.values: is required"):
        read_once({"steps": [{"path": "/"}]}, "o")


def test_nothing_taken_is_nothing() -> None:
    assert read_takes(None, "t") == ()
