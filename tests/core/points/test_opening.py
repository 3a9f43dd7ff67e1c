"""Opening what a point names."""

import pytest

from gatecrash.core.message import Request
from gatecrash.core.points.codec import CONTAINER, LIMITS, Part, Unreadable
from gatecrash.core.points.opening import BODY, open_body, open_named

JSON = Request("POST", b"/", ((b"Content-Type", b"application/json"),), b'{"a":"b"}')


def part(value: bytes, steps: tuple[str, ...] = BODY, kind: int = 0) -> Part:
    return Part(steps, 0, len(value), value, 0, len(value), kind)


def test_a_body_is_opened_as_what_it_is_and_as_nothing_else() -> None:
    opened = open_named(JSON, part(JSON.body), "json_doc", LIMITS, 32)
    assert opened is not None
    assert [found.value for found in opened[1]] == [b"", b"b"]
    assert open_named(JSON, part(JSON.body), "form_urlencoded", LIMITS, 32) is None


def test_a_body_of_no_format_is_opened_by_decoders_only() -> None:
    plain = Request("POST", b"/", ((b"Content-Type", b"image/png"),), b"aGVsbG8=")
    assert open_body(plain, plain.body, LIMITS, 32) is None
    assert open_named(plain, part(plain.body), "json_doc", LIMITS, 32) is None
    opened = open_named(plain, part(plain.body), "base64", LIMITS, 32)
    assert opened is not None
    assert opened[1][0].value == b"hello"


def test_a_broken_declared_body_raises() -> None:
    with pytest.raises(Unreadable):
        open_body(JSON, b"{", LIMITS, 32)


def test_nothing_is_opened_in_containers_or_below_the_last_level() -> None:
    assert open_named(JSON, part(b"aGVsbG8=", ("get", "a"), CONTAINER), "base64", LIMITS, 32) is None
    assert open_named(JSON, part(b"aGVsbG8=", ("get", "a")), "base64", LIMITS, 2) is None
    assert open_named(JSON, part(b"aGVsbG8=", ("get", "a")), "base64", LIMITS, 3) is not None
    assert open_named(JSON, part(b"aGVsbG8=", ("get", "a")), "get", LIMITS, 32) is None
