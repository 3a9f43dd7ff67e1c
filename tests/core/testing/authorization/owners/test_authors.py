"""What somebody has said under his name is his to change, be it read by all."""

import json

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.objects.renewals import in_path
from gatecrash.core.testing.authorization.owners.authors import is_said_by

VALUES = frozenset({"ann", "4017"})


def is_his(path: bytes, told: object) -> bool:
    request = Request("PUT", path)
    named = in_path(request)
    assert named is not None
    return is_said_by(
        request, named, Response(200, ((b"Content-Type", b"application/json"),), json.dumps(told).encode()), VALUES
    )


@pytest.mark.parametrize(
    ("path", "told"),
    [
        (b"/comments/7", {"id": 7, "author": "ann", "text": "x"}),
        (b"/api/posts/7", {"id": 7, "author": 4017, "text": "x"}),
        (b"/blog-posts/7", {"id": 7, "author": {"id": 4017, "name": "Ann"}}),
        (b"/listings/7", {"id": 7, "seller_id": 4017, "price": 90}),
        (b"/api/adverts/7", {"id": 7, "seller": {"id": 4017, "name": "Ann"}, "price": 90}),
        (b"/properties/7", {"id": 7, "host": "ann", "nights": 3}),
        (b"/replies/7", [{"id": 7, "written_by": "ann"}, {"id": 8, "written_by": "ann"}]),
    ],
)
def test_whoever_speaks_is_named(path: bytes, told: object) -> None:
    assert is_his(path, told)


@pytest.mark.parametrize(
    ("path", "told"),
    [
        (b"/pages/7", {"id": 7, "author": "ann"}),  # of a wiki
        (b"/comments/7", {"id": 7, "author": "ben"}),
        (b"/comments/7", [{"id": 7, "author": "ann"}, {"id": 8, "author": "ben"}]),
        (b"/comments/7", {"id": 7, "text": "ann"}),
        (b"/books/7", {"id": 7, "author": "ann"}),
        (b"/orders/7", {"id": 7, "seller_id": 4017, "buyer_id": 4018}),
        (b"/listings/7", {"id": 7, "seller_id": 4018}),
        (b"/listings/7", {"id": 7, "author": "ann"}),
    ],
)
def test_who_began_a_page_or_speaks_among_others_is_not(path: bytes, told: object) -> None:
    assert not is_his(path, told)
