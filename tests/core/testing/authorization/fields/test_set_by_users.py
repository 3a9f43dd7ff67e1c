"""What users of a record set of their own things, and what only sends back what was shown."""

from random import Random

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.fields.assignable_here import assignable
from gatecrash.core.testing.authorization.fields.set_by_users import set_by
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation

JSON = ((b"Content-Type", b"application/json"),)


@pytest.mark.parametrize(
    ("method", "path", "body", "fields"),
    [
        (
            "POST",
            "/my/trips",
            b'{"hill": "high", "paid": true, "discount": 5, "tier": ""}',
            {"trips.paid", "trips.discount"},
        ),
        ("POST", "/my/trips", b'{"hill": "high", "paid": false, "user_id": 7}', set()),
        ("POST", "/orders", b'{"hill": "high", "paid": true}', set()),
        ("PUT", "/my/trips/7", b'{"hill": "high", "paid": true, "discount": 5}', {"trips.paid"}),
        ("PUT", "/my/trips/7", b'{"hill": "high", "paid": false}', set()),
        ("PUT", "/my/accounts/7", b'{"balance": 55}', {"accounts.balance"}),
        ("PUT", "/my/accounts/7", b'{"name": "savings", "balance": 55}', set()),
        ("PUT", "/me/account", b'{"balance": 55}', set()),
        ("PATCH", "/users/7", b'{"nick": "ann", "verified": true}', set()),
        ("POST", "/contacts", b'{"email": "eva@home.example", "verified": true}', set()),
        ("POST", "/graphql", b'{"query": "mutation { pay(paid: true) { id } }", "paid": true}', set()),
    ],
    ids=[
        "made",
        "unset, and an owner",
        "an order",
        "ticked",
        "sent back",
        "sent alone",
        "sent back with its name",
        "oneself",
        "an account",
        "a person",
        "one address for all",
    ],
)
def test_what_is_set_of_things(method: str, path: str, body: bytes, fields: set[str]) -> None:
    assert set_by(Request(method, path.encode(), JSON, body)) == fields


@pytest.mark.parametrize(("rank", "may"), [(0, True), (1, False)], ids=["a peer", "who rules them"])
def test_what_others_of_no_higher_rank_set_of_such_things_may_be_set(rank: int, may: bool) -> None:
    request = Request("PUT", b"/my/trips/7", JSON, b'{"hill": "high"}')
    shown = {"id": 7, "hill": "high", "paid": False}
    situation = Situation(
        baseline=Baseline("a", Exchange(request, Response(200))), point=Point(()), value=b"", credentials=(), policy=DEFAULT,
        random=Random(1), identities=(Identity("ann"), Identity("ben", rank, ("sets trips.paid",))),
    )  # fmt: skip
    assert [each.name for each in assignable(situation, shown, {"hill": "high"})] == ([] if may else ["paid"])
