"""What is shown to whoever was given its address."""

import json

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.openness.unlisted_links import given_by_link, is_unlisted

LINK, UUID = "x8Qk2mZp7rTb4LsW", "6f1c2d1e-8b1f-4b7e-9d51-0a4a4f3f6b11"


@pytest.mark.parametrize(
    ("path", "field", "value", "given"),
    [
        (b"/boards/" + LINK.encode(), "link", LINK, True),
        (b"/boards/" + LINK.encode(), "share_token", LINK, True),
        (b"/share/" + LINK.encode(), "id", LINK, True),
        (b"/boards/" + LINK.encode(), "id", LINK, False),
        (b"/boards/" + LINK.encode(), "guestToken", LINK, True),
        (b"/guests/" + LINK.encode(), "guest_id", LINK, False),
        (b"/orders/" + UUID.encode(), "uuid", UUID, False),
        (b"/orders/31", "link", "31", False),
        (b"/users/ann", "link", "ann", False),
    ],
    ids=[
        "a link",
        "a share's token",
        "by its path",
        "an object",
        "a guest's link",
        "a guest",
        "a UUID",
        "a number",
        "a name",
    ],
)
def test_the_application_says_that_an_identifier_is_handed_on(path: bytes, field: str, value: str, given: bool) -> None:
    body = json.dumps({"title": "fair", field: value}).encode()
    assert given_by_link(path, value, Response(200, ((b"Content-Type", b"application/json"),), body)) is given


def test_a_whole_path_is_such_a_link() -> None:
    assert is_unlisted(f"/s/{LINK}")
    assert not is_unlisted(f"/s/{LINK}/edit")
    assert not is_unlisted("/share/ann")
