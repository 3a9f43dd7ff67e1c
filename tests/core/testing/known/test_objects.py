"""Which object an answer to what made one says that it made, and where it is shown."""

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.known.objects import Made
from gatecrash.core.testing.oracles.leaves import leaves

JSON = (b"Content-Type", b"application/json")
NOTES = Request("POST", b"/notes", (JSON,), b'{"text": "a"}', host="a")


def answered(body: bytes, status: int = 201) -> Response:
    return Response(status, (JSON,), body)


def test_another_answer_says_which_object_it_made() -> None:
    made = Made(NOTES, ("id",), "9")
    assert made.identifier(answered(b'{"id": 12}')) == "12"
    assert made.identifier(answered(b'{"id": 12}', 409)) == ""
    assert made.identifier(answered(b'{"error": "access denied", "id": 12}', 200)) == ""


def test_what_an_answer_said_before_is_no_new_object() -> None:
    assert Made(NOTES, ("org_id",), "4").identifier(answered(b'{"id": 7, "org_id": 4}')) == ""


def test_of_a_list_that_shows_several_nothing_is_new() -> None:
    ((path, _),) = leaves(answered(b'{"items": [{"id": 9}]}'))
    made = Made(NOTES, path, "9")
    assert made.identifier(answered(b'{"items": [{"id": 12}]}', 200)) == "12"
    assert made.identifier(answered(b'{"items": [{"id": 3}, {"id": 12}]}', 200)) == ""


@pytest.mark.parametrize(
    ("target", "path", "above"),
    [
        (b"/posts/4/remarks", ("remarks", "id"), b"/posts/4"),
        (b"/v1/posts/4/remarks/", ("post", "remarks", "id"), b"/v1/posts/4"),
        (b"/posts/4/remarks", ("id",), b""),
        (b"/posts/4/remarks", ("data", "id"), b""),
        (b"/posts/remarks", ("remarks", "id"), b""),
        (b"/remarks", ("remarks", "id"), b""),
    ],
)
def test_what_was_made_below_a_thing_is_shown_in_it_where_that_was_the_answer(
    target: bytes, path: tuple[str, ...], above: bytes
) -> None:
    made = Made(Request("POST", target, (JSON,), b"{}", host="a"), path, "9")
    assert made.shown_in() == above
