"""Which segments of a saved request's path name a thing."""

import io

import msgspec
import pytest

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.formats.draft import Draft, Hole
from gatecrash.formats.saved import curl
from gatecrash.formats.saved.written_numbers import with_numbered


def at(path: str, *holes: Hole) -> list[str]:
    draft = Draft(request=Request("GET", path.encode()), drafted=True, holes=holes)
    return [hole.point[1] for hole in with_numbered(draft).holes if hole not in holes]


@pytest.mark.parametrize(
    ("path", "places"),
    [
        ("/api/orders/7", ["2"]),
        ("/orders/7/lines/12?x=3", ["1", "3"]),
        ("/orders/3f2b8c1e-5d47-4a6b-9c0e-1a2b3c4d5e6f", ["1"]),
        ("/orders/64b7f0c2a1d3e4f5a6b7c8d9", ["1"]),
        ("/orders/new", []),
        ("/v2/7", []),
        ("/7", []),
        ("/orders/7/8", ["1"]),
        ("/", []),
    ],
)
def test_a_number_behind_a_word_names_a_thing(path: str, places: list[str]) -> None:
    assert at(path) == places


def test_what_is_a_hole_already_stays_the_only_one() -> None:
    hole = Hole("order", Point(("path", "1")))
    draft = Draft(request=Request("GET", b"/orders/7"), drafted=True, holes=(hole,))
    assert with_numbered(draft) is draft
    assert with_numbered(msgspec.structs.replace(draft, holes=())).holes == (Hole("id", hole.point, given=True),)


def test_a_command_line_names_things_so() -> None:
    (draft,) = curl.read(io.BytesIO(b"curl -X DELETE http://a.example/orders/7\n"))
    assert isinstance(draft, Draft)
    assert draft.holes == (Hole("id", Point(("path", "1")), given=True),)
