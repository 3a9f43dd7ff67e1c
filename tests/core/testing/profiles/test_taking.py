"""Variables out of answers."""

import gzip

import pytest

from gatecrash.core.errors import InvalidProfile
from gatecrash.core.message import Response
from gatecrash.core.testing.profiles.profile import Source, Take
from gatecrash.core.testing.profiles.taking import MOST_VALUE, renewed, take_all

BODY = b'{"data": {"token": "t1", "life": 30, "ok": true, "list": [{"id": "a"}, {"id": "b"}]}, "page": "<b id=\'x\'>"}'
ANSWER = Response(200, ((b"X-Next", b"n1"), (b"Set-Cookie", b"sid=old"), (b"Set-Cookie", b"sid=new; HttpOnly")), BODY)


@pytest.mark.parametrize(
    ("source", "expression", "value"),
    [
        ("json", "$.data.token", "t1"), ("json", "$.data.life", "30"), ("json", "$.data.list[1].id", "b"),
        ("json", "$..id", "a"), ("json", "$.data.list[?@.id == 'b'].id", "b"), ("header", "X-NEXT", "n1"),
        ("cookie", "sid", "new"), ("crumb", "sid", "new"), ("pattern", '"token": "([^"]+)"', "t1"), ("pattern", "t[0-9]", "t1"),
    ],
)  # fmt: skip
def test_each_source_gives_its_value(source: Source, expression: str, value: str) -> None:
    assert take_all([Take("v", source, expression)], ANSWER) == {"v": value}


@pytest.mark.parametrize(
    ("source", "expression"),
    [
        ("json", "$.none"),
        ("json", "$.data"),
        ("json", "$.data.ok"),
        ("header", "X-None"),
        ("cookie", "x"),
        ("pattern", "zz"),
    ],
)
def test_what_is_missing_is_told_without_the_answers_text(source: Source, expression: str) -> None:
    with pytest.raises(InvalidProfile) as caught:
        take_all([Take("v", source, expression)], ANSWER)
    assert str(caught.value) == f"the answer (200) holds no 'v': nothing at {source} {expression}"
    assert take_all([Take("v", source, expression, optional=True)], ANSWER) == {}


def test_compressed_answers_are_read_and_broken_ones_hold_nothing() -> None:
    packed = Response(200, ((b"Content-Encoding", b"gzip"),), gzip.compress(BODY, mtime=0))
    assert take_all([Take("v", "json", "$.data.token")], packed) == {"v": "t1"}
    with pytest.raises(InvalidProfile):
        take_all([Take("v", "json", "$.a")], Response(200, (), b"{"))
    with pytest.raises(InvalidProfile):
        take_all([Take("v", "json", "$.a")], Response(200, (), b'{"a": "%b"}' % (b"x" * (MOST_VALUE + 1))))


def test_what_an_answer_renews_and_what_it_leaves() -> None:
    takes = [Take("a", "header", "X-NEXT"), Take("b", "header", "X-OTHER")]
    assert renewed(takes, ANSWER, {"a": "old", "b": "kept"}) == {"a": "n1", "b": "kept"}
