"""Every mistake in a document is told with its place, and never with the value."""

from collections.abc import Callable
from typing import Any

import pytest

from gatecrash.core.errors import InvalidProfile
from gatecrash.core.testing.profiles.fields import MOST_ITEMS, MOST_TEXT, Fields

DOCUMENT = {
    "text": "hunter2", "number": 5, "flag": True, "empty": "", "null": None, "list": ["a", "b"], "pairs": {"a": 1, "b": "x"},
    "listed": [["a", "1"], ["a", "2"]], "broken": [["a"]], "long": "x" * (MOST_TEXT + 1), "many": ["a"] * (MOST_ITEMS + 1),
}  # fmt: skip


def fields(place: str = "here") -> Fields:
    return Fields(DOCUMENT, place, "a thing", (*DOCUMENT, "absent"))


def test_what_is_right_is_read() -> None:
    read = fields()
    assert (read.text("text"), read.text("number"), read.text("absent", "d")) == ("hunter2", "5", "d")
    assert (read.flag("flag", default=False), read.flag("absent", default=True)) == (True, True)
    assert (read.whole("number", 1, 9), read.whole("absent", 1, 9, 4)) == (5, 4)
    assert read.pairs("pairs") == (("a", "1"), ("b", "x"))
    assert read.pairs("listed") == (("a", "1"), ("a", "2"))
    assert read.each("list", lambda item, place: f"{place}={item}") == ("here.list[0]=a", "here.list[1]=b")
    assert ("text" in read, "null" in read, "absent" in read) == (True, False, False)


@pytest.mark.parametrize(
    ("read", "told"),
    [
        (lambda read: read.text("absent"), "here.absent: is required"),
        (lambda read: read.text("empty"), "here.empty: is empty"),
        (lambda read: read.text("flag"), "here.flag: is a text, not true or false"),
        (lambda read: read.text("long"), f"here.long: is longer than {MOST_TEXT} characters"),
        (lambda read: read.one_of("text", ("a", "b")), "here.text: is none of a, b"),
        (lambda read: read.flag("text", default=True), "here.text: is true or false, not a text"),
        (lambda read: read.whole("flag", 0, 9), "here.flag: is a whole number from 0 to 9"),
        (lambda read: read.whole("number", 6, 9), "here.number: is a whole number from 6 to 9"),
        (lambda read: read.pairs("text"), f"here.text: is a set of at most {MOST_ITEMS} names and texts"),
        (lambda read: read.pairs("broken"), "here.broken[0]: is a name and a text"),
        (lambda read: read.each("pairs", str), f"here.pairs: is a list of at most {MOST_ITEMS}, not a set of fields"),
        (lambda read: read.each("many", str), f"here.many: is a list of at most {MOST_ITEMS}, not a list"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(read: Callable[[Fields], Any], told: str) -> None:
    with pytest.raises(InvalidProfile) as caught:
        read(fields())
    assert str(caught.value) == told
    assert "hunter2" not in str(caught.value)


def test_unknown_fields_and_other_kinds_of_document() -> None:
    with pytest.raises(InvalidProfile, match="'typo' is no field of a thing; the fields are a, b"):
        Fields({"typo": "hunter2"}, "", "a thing", ("a", "b"))
    with pytest.raises(InvalidProfile, match=r"^x: a thing is a set of fields, not a list$"):
        Fields([], "x", "a thing", ())
    with pytest.raises(InvalidProfile, match=r"^absent: is required$"):
        fields("").text("absent")
