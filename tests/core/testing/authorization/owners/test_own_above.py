"""The same object, asked for below what is the asker's own."""

from random import Random

import msgspec
import pytest
from tests.core.testing.driving import credentials_of, record
from tests.core.testing.probes.as_tenants import check_of, drive_as, identities
from tests.range import tenants_below
from tests.range.place import PLACES, Place, answer, respond
from tests.range.tenants_store import OPAQUE

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.objects.named import named_objects
from gatecrash.core.testing.authorization.owners.own_above import below_ones_own
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation
from gatecrash.core.testing.probes.idor_nested import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

ANN = Identity("ann", known=("41", "501", "tenant=501", "ann", "basket=9"))
BEN = Identity("ben", known=("42", "502", "tenant=502", "ben", "basket=8"))


def moved(
    target: str, headers: tuple[tuple[bytes, bytes], ...] = (), other: Identity = BEN, own: Identity = ANN
) -> list[Request]:
    request = Request("GET", target.encode(), ((b"Host", b"a.test"), *headers))
    situation = Situation(
        baseline=record(lambda _: Response(200, (), b"{}"), request),
        point=Point(()),
        value=b"",
        credentials=(),
        policy=DEFAULT,
        random=Random(1),
        identities=(own, other),
    )
    in_path = [each for each in named_objects(request) if each.point[0] == "path"]
    return below_ones_own(situation, in_path[-1], other)


@pytest.mark.parametrize(
    ("target", "instead"),
    [
        ("/orgs/501/items/7", [b"/orgs/502/items/7"]),
        ("/orgs/501/users/41/items/7", [b"/orgs/502/users/42/items/7", b"/orgs/502/users/502/items/7"]),
        ("/items/7?tenant=501", [b"/items/7?tenant=502"]),
        ("/users/41/items/7", [b"/users/42/items/7", b"/users/502/items/7"]),
    ],
)
def test_what_is_the_senders_is_replaced_by_what_is_the_others(target, instead):
    assert [each.target for each in moved(target)] == instead


def test_a_tenant_that_goes_by_a_word_alone_is_replaced_by_the_others():
    ann, ben = Identity("ann", known=("tenant=red-clay",)), Identity("ben", known=("tenant=north-kiln",))
    assert [each.target for each in moved("/orgs/red-clay/items/7", other=ben, own=ann)] == [
        b"/orgs/north-kiln/items/7"
    ]
    assert moved("/orgs/blue-salt/items/7", other=ben, own=ann) == []


def test_where_each_was_recorded_below_his_own_word_that_is_replaced():
    ann, ben = Identity("ann", known=("below=acme",)), Identity("ben", known=("below=globex", "ben"))
    assert [each.target for each in moved("/acme/items/7", other=ben, own=ann)] == [b"/globex/items/7"]
    assert moved("/items/7?tenant=acme", other=ben, own=ann) == []


def test_names_in_capitals_are_replaced_by_such():
    ann, ben = Identity("ann", known=("c100", "ann")), Identity("ben", known=("c200", "below=c200"))
    assert [each.target for each in moved("/customers/C100/bills/7", other=ben, own=ann)] == [
        b"/customers/C200/bills/7"
    ]


def test_a_tenant_in_a_header_is_one_too():
    (request,) = moved("/items/7", ((b"X-Tenant-ID", b"501"),))
    assert (request.target, request.first(b"X-Tenant-ID")) == (b"/items/7", b"502")


@pytest.mark.parametrize("target", ["/orgs/777/items/7", "/items/7", "/items/7/orgs/501"])
def test_nothing_is_asked_where_nothing_above_is_the_senders(target):
    assert moved(target) == []


def test_of_members_of_one_tenant_nothing_is_asked():
    assert moved("/orgs/501/items/7", other=Identity("eva", known=("43", "501", "tenant=501", "eva"))) == []


NAMES = [each for each in PLACES if each.handler.__module__ == tenants_below.__name__ and "paper" in each.path]
SLIPS = {"535": "41", "564": "42"}


@pytest.mark.parametrize("place", NAMES, ids=str)
def test_what_stands_in_an_invoice_is_kept_as_that_is(place: Place) -> None:
    pages = Pages()
    for each in place.beside:
        pages.add(record(respond, each).exchange)
    check = check_of(place.requests[0], respond, probe=PROBE, beside=pages)
    assert check is not None
    assert (drive_as(check, respond).verdict.outcome is Outcome.VULNERABLE) is place.flaw


@pytest.mark.parametrize("shared", [False, True], ids=["each his own", "all of both"])
def test_a_list_elsewhere_may_show_it_to_its_owner_alone(shared: bool) -> None:
    def slips(request: Request) -> Response:
        token = (request.first(b"Authorization") or b"").decode()
        own = {OPAQUE["ann"]: "41", OPAQUE["ben"]: "42"}.get(token)
        if own is None:
            return answer({"error": "please sign in"}, 401)
        path = request.path.decode().strip("/").split("/")
        if path == ["payslips"]:
            return answer([{"id": int(each)} for each, whose in SLIPS.items() if shared or whose == own])
        if len(path) < 4 or path[1] != own or path[3] not in SLIPS:
            return answer({"error": "not yours"}, 403)
        return answer({"id": int(path[3]), "user_id": int(SLIPS[path[3]]), "month": "May"})

    request = Request("GET", b"/users/41/payslips/535", ((b"Authorization", OPAQUE["ann"].encode()),))
    pages = Pages()
    pages.add(record(slips, msgspec.structs.replace(request, target=b"/payslips")).exchange)
    own, other, *_ = identities(request)
    who = (msgspec.structs.replace(own, known=("41",)), msgspec.structs.replace(other, known=("42",)))
    found, beside = credentials_of(request), pages.beside(request)
    (check,) = plan(record(slips, request), DEFAULT, found, (PROBE,), identities=who, pages=beside)
    assert (drive_as(check, slips).verdict.outcome is Outcome.SAFE) is shared
