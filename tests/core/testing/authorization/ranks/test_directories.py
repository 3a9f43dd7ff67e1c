"""Lists of people in which their readers stand themselves, beside others, driven as two tenants."""

import pytest
from tests.core.testing.driving import record
from tests.core.testing.probes.as_tenants import check_of, drive_as
from tests.range.place import answer
from tests.range.tenants_store import BY_TOKEN, SIGNED, asked

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.probes.idor import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

HILL, VALLEY = {"7": "Ann Berg", "19": "Ida Holm"}, {"8": "Ben Tal"}
ALONE = {"7": "Ann Berg"}
ORDERS = {"7": "Rope", "31": "Tent"}, {"8": "Lamp", "32": "Map"}


def crews(path: bytes, hill: dict[str, str], valley: dict[str, str], **more: str):
    """Ann is told of those of the hill, Ben of those of the valley; by number both are told of whomever they ask for."""

    def respond(request: Request) -> Response:
        name = BY_TOKEN.get((request.first(b"Authorization") or b"").decode(), "")
        own = {"ann": hill, "ben": valley}.get(name)
        if own is None:
            return answer({"error": "please sign in"}, 401)
        if request.path == path:
            return answer([{"id": int(number), "name": called} for number, called in own.items()])
        number = request.path.rpartition(b"/")[2].decode()
        called = {**hill, **valley}.get(number)
        if called is None or not request.path.startswith(path):
            return answer({"error": "nobody"}, 404)
        return answer({"id": int(number), "name": called, "station": "hill" if number in hill else "valley", **more})

    return respond


@pytest.mark.parametrize(
    ("path", "application", "outcome"),
    [
        ("/volunteers", crews(b"/volunteers", HILL, VALLEY), Outcome.SAFE),
        ("/volunteers", crews(b"/volunteers", HILL, VALLEY, phone="+44 20 7946 0000"), Outcome.VULNERABLE),
        ("/volunteers", crews(b"/volunteers", ALONE, VALLEY), Outcome.VULNERABLE),
        ("/orders", crews(b"/orders", *ORDERS), Outcome.VULNERABLE),
    ],
    ids=["colleagues", "their-numbers", "oneself-alone", "a-number-that-is-an-order's"],
)
def test_what_colleagues_are_called_is_no_ones_alone(path: str, application, outcome: Outcome) -> None:
    request = asked(f"{path}/7", tokens=SIGNED)("")
    pages = Pages()
    pages.add(record(application, asked(path, tokens=SIGNED)("")).exchange)
    check = check_of(request, application, probe=PROBE, beside=pages)
    assert check is not None
    assert drive_as(check, application).verdict.outcome is outcome
