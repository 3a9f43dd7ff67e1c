"""Points as they are typed and shown."""

import click
import pytest

from gatecrash.cli.place import parse_point, place


@pytest.mark.parametrize(
    ("written", "steps"),
    [
        ("header:X-A", ["header", "X-A"]),
        ("cookie:sid", ["header", "COOKIE", "cookie", "sid"]),
        ("query:key", ["get", "key"]),
        ("form:key", ["post", "form_urlencoded", "key"]),
        ("json:key", ["post", "json_doc", "json_obj", "key"]),
    ],
)
def test_short_forms_are_the_contract_s_shapes_and_come_back(written: str, steps: list[str]) -> None:
    assert parse_point(written) == [steps]
    assert place([steps]) == place(steps) == written


def test_json_is_taken_nested_and_bare() -> None:
    assert parse_point('["get", "q"]') == parse_point('[["get", "q"]]') == [["get", "q"]]


@pytest.mark.parametrize("bad", ["X-A", "body:x", "[", ""])
def test_what_cannot_be_read_is_wrong_usage(bad: str) -> None:
    with pytest.raises(click.BadParameter):
        parse_point(bad)


def test_other_points_are_shown_as_their_steps() -> None:
    assert place(["post", "json_doc", "json_array", "0"]) == "post/json_doc/json_array/0"
    assert place([]) == place(None) == "-"
