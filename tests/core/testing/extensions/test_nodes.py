"""YAML nodes keep their places."""

import pytest

from gatecrash.core.testing.extensions import nodes
from gatecrash.core.testing.extensions.nodes import Wrong


def node(text: str):
    return next(value for _, _, value in nodes.entries(nodes.composed(f"a: {text}"), ""))


def test_a_list_of_mappings_reads_as_one_mapping():
    root = nodes.composed("a:\n  - b: 1\n  - c: 2\n    d: 3\n")
    (value,) = (value for _, _, value in nodes.entries(root, ""))
    assert [(name, nodes.scalar(each, "")) for name, _, each in nodes.entries(value, "a")] == [
        ("b", "1"),
        ("c", "2"),
        ("d", "3"),
    ]


def test_a_single_value_stands_for_a_list_of_one():
    assert [nodes.scalar(each, "") for each in nodes.items(node("x"), "a")] == ["x"]
    assert [nodes.scalar(each, "") for each in nodes.items(node("[x, y]"), "a")] == ["x", "y"]


def test_a_text_is_read_as_it_is_written():
    for text in ("yes", "1.0", "0x10", "~"):
        assert nodes.scalar(node(text), "a") == text


def test_numbers_and_truth_are_checked():
    assert nodes.number(node("2.5"), "a", 0, 3) == 2.5
    assert nodes.whole(node("3"), "a", 0, 3) == 3
    assert nodes.truth(node("True"), "a")
    for read, text in (
        (lambda given: nodes.number(given, "a", 0, 3), "nan"),
        (lambda given: nodes.number(given, "a", 0, 3), "4"),
        (lambda given: nodes.whole(given, "a", 0, 3), "1.5"),
        (lambda given: nodes.truth(given, "a"), "yes"),
    ):
        with pytest.raises(Wrong) as caught:
            read(node(text))
        assert caught.value.mistake[:2] == (1, "a")


def test_what_was_left_out_is_nothing():
    assert nodes.is_nothing(node(""))
    assert not nodes.is_nothing(node("''"))
    assert not nodes.is_nothing(node("[]"))


def test_no_list_is_endless():
    with pytest.raises(Wrong, match="more than"):
        nodes.items(node(str(["x"] * 201)), "a")
