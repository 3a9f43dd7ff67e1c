"""What all who read it may change."""

import json

import pytest
from tests.core.testing.driving import record
from tests.core.testing.probes.as_tenants import check_of, drive_as
from tests.range import tenants_walls
from tests.range.place import PLACES, Place, respond

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.owners.open_to_all import is_open_to_all
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.probes.idor_write import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

WALLS = [each for each in PLACES if each.handler.__module__ == tenants_walls.__name__]


@pytest.mark.parametrize("place", WALLS, ids=str)
def test_who_began_what_all_write_on_is_not_its_owner_alone(place: Place) -> None:
    pages = Pages()
    for each in place.beside:
        pages.add(record(respond, each).exchange)
    check = check_of(place.requests[0], respond, probe=PROBE, beside=pages)
    assert check is not None
    assert (drive_as(check, respond).verdict.outcome is Outcome.VULNERABLE) is place.flaw


def is_open(path: str, told: dict[str, object]) -> bool:
    named = Named(Point.of("path", "1"), "7", True, None)
    answer = Response(200, ((b"Content-Type", b"application/json"),), json.dumps(told).encode())
    return is_open_to_all(Request("PUT", path.encode()), named, answer)


@pytest.mark.parametrize("path", ["/boards/7", "/api/notice-boards/7", "/wikis/7", "/team/pads/7"])
def test_some_things_are_called_after_what_people_write_on_together(path: str) -> None:
    assert is_open(path, {"id": 7, "owner": "ann"})


@pytest.mark.parametrize("path", ["/notes/7", "/dashboards/7", "/boards/7/cards/9", "/skateboards/7", "/boards"])
def test_others_are_not(path: str) -> None:
    assert not is_open(path, {"id": 7, "owner": "ann", "state": "open"})


@pytest.mark.parametrize(
    ("said", "value", "opens"),
    [
        ("editable_by", "everyone", True),
        ("editPolicy", "anyone", True),
        ("who_can_edit", "all", True),
        ("anyone_can_edit", True, True),
        ("collaborative", True, True),
        ("collaborative", False, False),
        ("edit_policy", "owner", False),
        ("visibility", "everyone", False),
    ],
)
def test_a_thing_may_say_so_itself(said: str, value: object, opens: bool) -> None:
    assert is_open("/notes/7", {"id": 7, "owner": "ann", said: value}) is opens
