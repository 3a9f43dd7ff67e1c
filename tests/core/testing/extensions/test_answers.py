"""What extensions say of answers; the mistakes in it are in test_document.py."""

import pytest

from gatecrash.core.point import Point
from gatecrash.core.testing.conditions import Bounds
from gatecrash.core.testing.extensions import answers, nodes
from gatecrash.core.testing.extensions.nodes import Wrong


def node(text: str):
    return next(value for _, _, value in nodes.entries(nodes.composed(f"a: {text}"), ""))


def test_several_answers_and_callers_may_be_named():
    wanted, callers = answers.detect(node("[{response: {status: 500}}, {oob: http}, {response: {body: x}}]"), "detect")
    assert [each.condition.status for each in wanted] == [("500",), ()]
    assert callers == ("http",)


def test_all_fields_of_an_answer_are_read():
    one = answers.answered(
        node(
            "{status: 5xx, status_difference: true, length_difference: {at_least: 9}, headers: {A: b}, body: STR_MARKER}"
        ),
        "response",
    )
    assert one.condition.status_difference is True
    assert one.condition.length_difference == Bounds(at_least=9)
    assert one.headers == (("A", "b"),)
    assert "STR_MARKER" in answers.expressions([one])


def test_a_header_that_is_named_outright_can_be_added():
    assert answers.header_of(node("HEADER_X-A_value")) == Point.of("header", "X-A")
    assert answers.header_of(node("[header, x-a]")) == Point.of("header", "X-A")
    for text in ("GET_q_value", "HEADER_X-.*_value", "[header, 'X-.*']", "HEADER_COOKIE_COOKIE_a_value", "nonsense"):
        assert answers.header_of(node(text)) is None, text


def test_an_address_is_a_path_of_the_same_origin():
    assert answers.target(node("'/a?b=STR_MARKER'"), "url") == "/a?b=STR_MARKER"
    for text in ("'http://x/'", "'a'", "'/ü'", "'/a b'", "'//x/'"):
        with pytest.raises(Wrong):
            answers.target(node(text), "url")
