"""Documents are read as data, with the place of what cannot be read, and references stay within them."""

import io

import pytest

from gatecrash.formats.capture import UnreadableCapture
from gatecrash.formats.descriptions.document import References, as_list, as_object, load


def test_yaml_is_read_by_its_json_schema() -> None:
    loaded = load(io.BytesIO(b"a: yes\nb: 2026-01-31\nc: true\n200: x\nd: &x [1]\ne: *x\n"), "document")
    assert loaded == {"a": "yes", "b": "2026-01-31", "c": True, "200": "x", "d": [1], "e": [1]}


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"{\n  bad", "line 2"),
        (b"a: [\nb: ]:", "line 2"),
        (b"a: !!python/name:os.system x", "could not determine a constructor"),
        (b"[1]", "list"),
        (b"", "NoneType"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(data: bytes, told: str) -> None:
    with pytest.raises(UnreadableCapture, match=told):
        load(io.BytesIO(data), "document")


def test_a_reference_is_followed_through_escapes_and_lists() -> None:
    references = References({"paths": {"/a~b": [{"x": 1}]}, "r": {"$ref": "#/paths/~1a~0b/0"}})
    assert references.follow({"$ref": "#/r"}) == {"x": 1}
    assert references.follow(3) == 3


@pytest.mark.parametrize("pointer", ["#/none", "#/a/5", "other.json#/a", "http://evil.example/a", "#/c"])
def test_a_reference_that_leads_nowhere_out_or_in_a_circle_is_told(pointer: str) -> None:
    with pytest.raises(ValueError, match=r"\$ref"):
        References({"a": [1], "c": {"$ref": "#/c"}}).follow({"$ref": pointer})


def test_what_has_the_wrong_shape_is_empty() -> None:
    assert (as_object([1]), as_list({"a": 1})) == ({}, [])


@pytest.mark.parametrize("pointer", ["#/definitions/Gone", "#/components/schemas/Gone", "#/definitions/There/gone"])
def test_a_schema_that_is_not_there_says_nothing(pointer: str) -> None:
    document = {"definitions": {"There": {"type": "object"}}, "components": {"schemas": {}}}
    assert References(document).follow({"$ref": pointer}) == {}
