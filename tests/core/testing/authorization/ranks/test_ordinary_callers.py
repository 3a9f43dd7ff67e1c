"""What says that a caller is nobody in particular."""

from random import Random

import orjson
import pytest
from tests.range.jwt_tokens import issued

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.ranks.ordinary_callers import MOST_ASKED, as_visitors_register, ordinary
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.known.identity import ANYBODY, Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer, Situation

POINT = Point.of("header", "AUTHORIZATION")


def said(token: str, told: object = None, *identities: Identity) -> tuple[str, list[bytes]]:
    """What is said of the holder of a token, and which addresses were asked for. told: what he is told about himself."""
    request = Request("GET", b"/api/admin/users", ((b"Authorization", f"Bearer {token}".encode()),))
    exchange = Exchange(request, Response(200))
    situation = Situation(
        baseline=Baseline("bl_1", exchange), point=Point(), value=b"", credentials=(POINT,), policy=DEFAULT,
        random=Random(1), identities=identities,
    )  # fmt: skip
    asked: list[bytes] = []
    dialogue = ordinary(situation, b"/api")
    try:
        question = next(dialogue)
        while True:
            asked.append(question.request.target)
            content = Response(404) if told is None else Response(200, body=orjson.dumps(told))
            question = dialogue.send(Answer(Exchange(question.request, content)))
    except StopIteration as end:
        return end.value, asked


@pytest.mark.parametrize(
    ("claims", "ordinary_one"),
    [
        ({"role": "user"}, True),
        ({"roles": ["ROLE_USER", "customer"]}, True),
        ({"user": {"isAdmin": False}}, True),
        ({"realm": {"roles": ["user", "admin"]}}, False),
        ({"role": "user", "is_staff": True}, False),
        ({"role": "captain"}, False),
        ({"role": "driver"}, True),
        ({"role": "driver", "groups": ["fleet"]}, False),
        ({"role": "landlord"}, False),
        ({"role": "user", "scope": "manager"}, False),
    ],
)
def test_a_tokens_roles_decide_alone(claims, ordinary_one):
    told, asked = said(issued(claims, b"k"))
    assert (bool(told), asked) == (ordinary_one, [])


@pytest.mark.parametrize(
    ("told", "ordinary_one"),
    [
        ({"email": "a@b.example", "role": "member"}, True),
        ({"user": {"is_admin": False, "type": "customer"}}, True),
        ({"role": "member", "groups": ["auditors"]}, False),
        ({"role": "admin"}, False),
    ],
)
def test_what_a_caller_is_told_about_himself_decides_where_his_token_says_nothing(told, ordinary_one):
    words, asked = said("3f9a0c77", told)
    assert (bool(words), asked) == (ordinary_one, [b"/api/me"])


def test_where_nobody_tells_nothing_is_said():
    told, asked = said("3f9a0c77")
    assert (told, len(asked)) == ("", MOST_ASKED)
    assert said("3f9a0c77", {"id": 7, "level": "3"})[0] == ""


def test_an_account_of_our_own_making_is_ordinary():
    assert said("3f9a0c77", None, Identity("account 1", ANYBODY)) == (
        "Its caller is an account that anybody can make by the registration.",
        [],
    )
    assert said("3f9a0c77", None, Identity("ann"))[0] == ""


@pytest.mark.parametrize(
    ("known", "claims", "ordinary_one"),
    [
        (("ordinary=dispatcher",), {"role": "dispatcher"}, True),
        (("ordinary=dispatcher",), {"role": "Dispatcher"}, True),
        (("ordinary=dispatcher",), {"role": "planner"}, False),
        (("ordinary=dispatcher",), {"role": "dispatcher", "is_staff": True}, False),
        (("ordinary=manager",), {"role": "manager"}, False),
        (("ordinary=owner",), {"role": "owner"}, False),
        (("is=dispatcher",), {"role": "dispatcher"}, False),
    ],
)
def test_a_role_that_whoever_registers_is_given_is_low(known, claims, ordinary_one):
    own = Identity("ann", known=known)
    assert bool(said(issued(claims, b"k"), None, own)[0]) is ordinary_one
    assert bool(said("3f9a0c77", claims, own)[0]) is ordinary_one


@pytest.mark.parametrize(
    ("field", "left_out"), [("register", True), ("signUp", True), ("inviteUser", False), ("changePassword", False)]
)
def test_a_registration_by_graphql_is_sent_as_visitors_send_it(field: str, left_out: bool):
    body = orjson.dumps({"query": f'mutation {{ {field}(username: "ann", password: "sesame") {{ id role }} }}'})
    headers = ((b"Content-Type", b"application/json"), (b"Authorization", b"Bearer opaque"))
    exchange = Exchange(Request("POST", b"/graphql", headers, body), Response(200))
    situation = Situation(
        baseline=Baseline("bl_1", exchange), point=Point(), value=b"", credentials=(POINT,), policy=DEFAULT,
        random=Random(1),
    )  # fmt: skip
    changed = as_visitors_register(situation)
    assert (changed.baseline.request.first(b"Authorization") is None) is left_out
    assert (changed.credentials == ()) is left_out
    assert changed.baseline.request.body == body
