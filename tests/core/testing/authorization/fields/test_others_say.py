"""Which fields of which things are their owner's own to set."""

from random import Random

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.fields.others_say import is_his_own, is_of_several, lists_of_such
from gatecrash.core.testing.authorization.fields.properties import learned
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.page import Page
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation

JSON = ((b"Content-Type", b"application/json"),)


def situation(path: str, *identities: Identity, pages: tuple[bytes, ...] = ()) -> Situation:
    request = Request("PUT", path.encode(), JSON, b'{"note": "high"}', host="a")
    return Situation(
        baseline=Baseline("a", Exchange(request, Response(200))), point=Point(()), value=b"", credentials=(), policy=DEFAULT,
        random=Random(1), identities=identities, pages=tuple(Page(Request("GET", each), rendered=False) for each in pages),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("path", "shown", "own"),
    [
        ("/my/invoices/7", {"note": "high", "approved": False, "discount": 0}, True),
        ("/budgets/7", {"note": "high", "quota": 100, "tier": "basic"}, True),
        ("/orders/7/edit", {"note": "high", "paid": False}, False),
        ("/budgets/7/edit", {"note": "high", "quota": 100}, True),
        ("/orders/7", {"note": "high", "paid": False}, False),
        ("/leave-requests/7", {"note": "high", "approved": False}, False),
        ("/workspaces/7", {"note": "high", "plan": "free"}, False),
        ("/reviews/7", {"note": "high", "approved": False}, False),
        ("/polls/7", {"note": "high", "quota": 0}, True),
        ("/users/7", {"note": "high", "balance": 5}, False),
        ("/drivers/7", {"note": "high", "verified": False}, False),
        ("/documents/7", {"note": "high", "verified": False}, False),
        ("/dogs/7", {"note": "high", "email": "rex@home.example", "verified": False}, False),
        ("/my/invoices/7", {"note": "high", "approved": False, "approvedBy": None}, False),
        ("/my/invoices/7", {"note": "high", "owner_id": 5, "is_admin": False}, False),
    ],
    ids=[
        "a bill of one's own", "a budget", "changed by a form", "a budget's form", "an order", "applied for", "sold", "for readers", "how many may vote", "people", "people by their work", "handed in", "signs in", "decided",
        "a right whatever it is",
    ],
)  # fmt: skip
def test_what_nobody_else_has_a_say_in(path: str, shown: dict[str, object], own: bool) -> None:
    told = learned(shown, {"note": "high"}, Random(1))
    assert told
    assert {is_his_own(situation(path), each, shown) for each in told} == {own}


def test_what_those_above_set_is_not_his_own() -> None:
    shown = {"note": "high", "approved": False}
    (each,) = learned(shown, {"note": "high"}, Random(1))
    above = Identity("ida", 9, ("sets invoices.approved",))
    assert not is_his_own(situation("/invoices/7", Identity("ann"), above), each, shown)
    assert is_his_own(situation("/invoices/7", Identity("ann"), Identity("ben", 0, above.known)), each, shown)


def test_lists_are_those_of_the_kind() -> None:
    pages = (b"/my/pets/7", b"/my/pets", b"/pets?all=1", b"/my/dogs")
    told = lists_of_such(situation("/my/pets/8", pages=pages))
    assert [page.request.target for page in told] == [b"/my/pets", b"/pets?all=1"]


@pytest.mark.parametrize(
    ("body", "several"),
    [
        (b'[{"user": 5, "verified": false}, {"user": 6, "verified": true}]', True),
        (b'[{"ownerId": 5, "verified": false}, {"ownerId": 5, "verified": true}]', False),
        (b'[{"customer": "tea", "verified": false}, {"customer": "cup", "verified": true}]', False),
        (b'[{"user": 5, "verified": false}, {"user": 6}]', False),
    ],
    ids=["of two", "of one", "customers in books", "one without the field"],
)
def test_a_list_of_several(body: bytes, several: bool) -> None:
    assert is_of_several(Response(200, JSON, body), "verified") == several
