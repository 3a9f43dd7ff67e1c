"""Which low rights of one's own account, that a request sets itself, may be raised."""

from random import Random

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.fields.sent_rights import raised
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.known.identity import ANYBODY, Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation

ANN = {"email": "ann@example.com", "is_staff": False, "role": "user", "balance": 5}
MADE = Identity("ann", ANYBODY, ("ann@example.com",))


def raised_for(
    shown: dict[str, object], sent: dict[str, object], *identities: Identity, path: bytes = b"/me"
) -> dict[str, object]:
    request = Request("PUT", path, (), b"", host="a")
    situation = Situation(
        baseline=Baseline("bl_1", Exchange(request, Response(200))), point=Point(), value=b"", credentials=(),
        policy=DEFAULT, random=Random(1), identities=identities,
    )  # fmt: skip
    return {each.full_name: each.new for each in raised(situation, shown, sent)}


@pytest.mark.parametrize(
    ("sent", "found"),
    [
        ({"is_staff": False}, {"is_staff": True}),
        ({"role": "user"}, {"role": "admin"}),
        ({"is_staff": True}, {}),
        ({"role": "editor"}, {}),
        ({"balance": 5}, {}),
        ({"name": "Ann"}, {}),
    ],
)
def test_what_is_low_and_a_right_is_raised(sent: dict[str, object], found: dict[str, object]) -> None:
    assert raised_for(ANN, sent, MADE) == found


@pytest.mark.parametrize(
    ("own", "found"),
    [
        (MADE, True),
        (Identity("ann", 0, ("ann@example.com", "is=user")), True),
        (Identity("ann", 0, ("ann@example.com", "is=headmaster")), False),
        (Identity("ann", 0, ("ann@example.com",)), False),
        (Identity("ann", ANYBODY, ("eve@example.com",)), False),
        (Identity("ann", ANYBODY, ()), False),
    ],
    ids=[
        "a made account",
        "a low role",
        "a role that nobody knows",
        "nothing told",
        "another's object",
        "who is not known",
    ],
)
def test_only_who_is_nobody_in_particular_raises_his_own(own: Identity, found: bool) -> None:
    assert bool(raised_for(ANN, {"is_staff": False}, own)) is found


@pytest.mark.parametrize(
    ("known", "others", "found"),
    [
        ((), (2,), True),
        ((), (1,), False),
        ((), (2, 0), False),
        (("is=admin",), (2,), False),
    ],
    ids=["somebody stands above", "peers alone", "somebody stands below, too", "who rules by his role"],
)
def test_who_stands_below_another_and_above_nobody_raises_his_own(known, others, found) -> None:
    own = Identity("ann", 1, ("ann@example.com", *known))
    every = (own, *(Identity(f"other{rank}", rank, ()) for rank in others))
    assert bool(raised_for(ANN, {"is_staff": False}, *every)) is found


@pytest.mark.parametrize(
    ("path", "sent", "found"),
    [
        (b"/users/7/role", {"role": "user"}, False),
        (b"/users/7/roles/", {"role": "user"}, False),
        (b"/users/7/set-staff", {"is_staff": False}, False),
        (b"/users/7", {"role": "user"}, True),
        (b"/users/7/profile", {"is_staff": False}, True),
    ],
)
def test_what_is_called_after_the_right_is_the_function_that_gives_it(path: bytes, sent, found: bool) -> None:
    assert bool(raised_for(ANN, sent, MADE, path=path)) is found
