import json

import pytest

from gatecrash.control.api.errors import ApiError
from gatecrash.control.api.json_body import MAX_DEPTH, is_storable, parse


def test_a_plain_object_is_read_as_it_is() -> None:
    assert parse(b' {"a": [1, 2.5, null, true, "\xc3\xa4"]} ') == {"a": [1, 2.5, None, True, "ä"]}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"{'a': 1}",
        b'{"a": 1,}',
        b'{"a": 1} x',
        b'{"a": NaN}',
        b'{"a": Infinity}',
        b'{"a": -Infinity}',
        b'{"a": 1e999}',
        b'{"a": -1.0e999}',
        b'{"a": 1, "a": 2}',
        b'{"a": {"b": 1, "b": 1}}',
        b"\xff\xfe",
        b'{"a": "\xff"}',
        b"[" * 1_000_000,
        b'{"a":' * 200_000,
        b'{"a": ' + b"9" * 5000 + b"}",
        ("\ufeff{}").encode(),
        b'{"a": "\n"}',
        b'{"a\\u0000": 1}',
        b'{"a": {"\\ud800": 1}}',
    ],
)
def test_what_parsers_could_read_differently_is_a_plain_refusal(body: bytes) -> None:
    with pytest.raises(ApiError) as caught:
        parse(body)
    assert caught.value.status == 400
    assert caught.value.message.endswith(".")


@pytest.mark.parametrize("body", [b"[]", b"null", b"1", b'"x"', b"true"])
def test_what_is_no_object_is_of_the_wrong_type(body: bytes) -> None:
    with pytest.raises(ApiError) as caught:
        parse(body)
    assert caught.value.code == "invalid_type"


def test_nesting_is_bounded_exactly() -> None:
    def nested(levels: int) -> bytes:
        return b'{"a":' * levels + b"1" + b"}" * levels

    assert parse(nested(MAX_DEPTH - 1))
    with pytest.raises(ApiError, match=r"deeper than 32 levels"):
        parse(nested(MAX_DEPTH + 1))


@pytest.mark.parametrize("value", ["a\x00", ["x", {"y": "\x00"}], "\ud800", {"a": ["\udfff"]}])
def test_text_that_no_database_takes_is_found_anywhere(value: object) -> None:
    assert not is_storable(value)
    assert is_storable(
        json.loads(json.dumps(value).replace("\\u0000", "").replace("\\ud800", "").replace("\\udfff", ""))
    )
