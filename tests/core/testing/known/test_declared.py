"""What is refused says most of what stands in its section."""

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.known.declared import Declared


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (b"/api/v1/loans", True),
        (b"/loans/8/notes", True),
        (b"/clubs", False),
        (b"/clubs/1", False),
        (b"/clubs/1/members/2", True),
        (b"/glazes", False),
        (b"/api/v1", False),
        (b"/", False),
    ],
)
def test_what_is_refused_stands_beside_what_has_the_same_first_word(path: bytes, expected: bool):
    declared = Declared(
        True, (Request("GET", b"/members"), Request("GET", b"/api/v1/loans/7"), Request("GET", b"/clubs/1/members"))
    )
    assert declared.refuses_beside(path) is expected


def test_nothing_stands_beside_nothing():
    assert not Declared(True).refuses_beside(b"/loans")
    assert not Declared(True, (Request("GET", b"/"),)).refuses_beside(b"/"), "the root is no section"
