"""Points of extensions in both notations."""

import pytest

from gatecrash.core.point import Point
from gatecrash.core.testing.extensions import nodes
from gatecrash.core.testing.extensions.nodes import Wrong
from gatecrash.core.testing.extensions.places import point_or_points


def patterns(text: str):
    (value,) = (value for _, _, value in nodes.entries(nodes.composed(f"into: {text}"), ""))
    return point_or_points(value, "into")


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("GET_q_value", ("get", "q")),
        ("GET_.*_value", ("get", "q")),
        ("GET_q_name", ("get", "q", "name")),
        ("URI_value", ("uri",)),
        ("POST_JSON_DOC_HASH_user_value", ("post", "json_doc", "json_obj", "user")),
        ("POST_JSON_DOC_HASH_.*_value", ("post", "json_doc", "json_obj", "user", "json_obj", "name")),
        ("HEADER_COOKIE_COOKIE_sid_value", ("header", "COOKIE", "cookie", "sid")),
        ("[get, q]", ("get", "q")),
        ("[header, X-.*]", ("header", "X-A")),
        ("[[get, q]]", ("get", "q")),
    ],
)
def test_both_notations_name_the_same_points(text, steps):
    (pattern,) = patterns(text)
    assert pattern.matches(Point(steps))
    assert not pattern.matches(Point.of("path", "3"))


def test_a_list_of_points_is_told_from_the_steps_of_one():
    assert len(patterns("[GET_q_value, [post, xml, xml_tag, a]]")) == 2
    assert len(patterns("[uri]")) == 1
    assert patterns("[]") == ()


@pytest.mark.parametrize("text", ["q", "GET_q", "get_q_value", "GET_*_value", "[get, '[']", "{a: b}"])
def test_what_names_no_point_is_refused(text):
    with pytest.raises(Wrong):
        patterns(text)
