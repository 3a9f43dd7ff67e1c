"""By which word an answer shows whoever is signed in as an account."""

import json
from typing import Any

import pytest
from tests.node.scan.accounts.test_oneself import value

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.oracles.structured import structured
from gatecrash.core.testing.profiles.profile import ENROLLED, AuthProfile, ProfileIdentity
from gatecrash.formats.draft import Draft, Hole
from gatecrash.node.scan.accounts.account_words import calls_accounts, named_in
from gatecrash.node.scan.accounts.oneself import Oneself
from gatecrash.node.scan.drafts.known_values import KnownValues

OURS = {"id": 7, "name": "gcann", "mail": "gcann@a.example"}
SHOWN = (
    b'<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><ListSkippersResponse><Skipper><id>2</id>'
    b"<mail>eve@a.example</mail></Skipper><Skipper><id>7</id><mail>gcann@a.example</mail></Skipper></ListSkippersResponse>"
    b"</e:Body></e:Envelope>"
)


def told(body: Any, about: str = "skipper") -> set[tuple[str, str]]:
    return set(named_in(body, about, {"gcann", "gcann@a.example"}))


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ([{"id": 2, "mail": "eve@a.example"}, OURS], {("skipper", "7")}),
        ({"data": [OURS]}, {("skipper", "7")}),
        ({"pilots": [OURS]}, {("pilot", "7")}),
        ({"MyPilotResult": OURS}, {("mypilot", "7")}),
        ([{"id": 2, "mail": "eve@a.example"}], set()),
        ([{"id": 7, "author": "gcann"}], set()),
        ([{"mail": "gcann@a.example"}], set()),
        ([{"id": 7, "skipperId": 7, "mail": "gcann@a.example"}], set()),
    ],
    ids=["a row", "wrapped", "under a word", "a function's", "a stranger", "no name's field", "no number", "his thing"],
)
def test_an_object_with_ones_name_and_a_number_is_what_it_is_called(body: Any, found: set[tuple[str, str]]) -> None:
    assert told(body) == found


def test_a_list_of_a_soap_function_calls_its_rows() -> None:
    shown = structured(Response(200, ((b"Content-Type", b"text/xml"),), SHOWN))
    assert told(shown, "service") == {("skipper", "7")}


def test_what_is_called_nothing_says_no_word() -> None:
    assert told(OURS, "") == set()


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("skipperid", "id"),
        ("skipperuuid", "uuid"),
        ("pilotid", "id"),
        ("lotid", None),
        ("boatid", None),
        ("skipper", None),
        ("id", None),
    ],
)
def test_a_name_ends_with_what_an_account_is_counted_by(name: str, end: str | None) -> None:
    assert calls_accounts(name, {"skipper", "mypilot"}) == end


def met(**others: dict[str, str]) -> Oneself:
    oneself = Oneself({"id": "20"}, called=["gcann"], others=others)
    oneself.meet([{"id": 1, "name": "eve"}, {"id": 20, "name": "gcann"}], "skipper")
    oneself.meet([{"id": 31, "name": "gcann"}], "berth")
    return oneself


@pytest.mark.parametrize(
    ("name", "place", "resource", "meant"),
    [
        ("skipperId", "post", "", "20"),
        ("skipperId", "path", "skipper", "20"),
        ("id", "path", "skipper", "20"),
        ("berthId", "post", "", None),
        ("id", "path", "berth", None),
    ],
)
def test_what_shows_his_number_beside_his_name_is_an_account_under_whatever_word(
    name: str, place: str, resource: str, meant: str | None
) -> None:
    assert value(met(), name, place, resource) == meant
    assert met().places == (("skipper",),)


@pytest.mark.parametrize(
    ("name", "method", "target", "loose", "meant"),
    [
        ("skipperId", "POST", b"/phone", False, "20"),
        ("userId", "POST", b"/phone", False, "20"),
        ("id", "POST", b"/phone", False, None),
        ("berthId", "POST", b"/phone", False, None),
        ("skipperId", "POST", b"/phone", True, None),
        ("skipperId", "GET", b"/phone", False, None),
        ("skipperId", "DELETE", b"/phone", False, None),
        ("skipperId", "POST", b"/skippers/ban", False, None),
    ],
)
def test_the_query_of_what_changes_an_account_names_ones_own(
    name: str, method: str, target: bytes, loose: bool, meant: str | None
) -> None:
    hole = Hole(name, Point(("get", name)), loose=loose)
    asked = Draft(request=Request(method, target + b"?" + name.encode() + b"=1"), drafted=True, holes=(hole,))
    assert met().asked_of(hole, asked) == meant


@pytest.mark.parametrize(("sender", "meant"), [("", "20"), ("second", "21"), ("third", None)])
def test_what_somebody_else_sends_names_his_account(sender: str, meant: str | None) -> None:
    hole = Hole("skipperId", Point(("post", "skipperId")))
    sent = Draft(request=Request("POST", b"/phone"), drafted=True, holes=(hole,), sender=sender)
    oneself = met(second={"id": "21"}, third={})
    assert oneself.value_of(hole, sent, "") == meant
    assert oneself.number_of(sender) == (meant or "")


def test_whoever_sends_them_all_is_who_was_told() -> None:
    oneself = Oneself({"id": "1"}, others={"second": {}})
    oneself.learn(Request("GET", b"/me"), Response(200, body=b'{"id": 20}'))
    assert oneself.number_of("second") == "20"


def test_the_first_of_a_profile_is_known_by_his_variables() -> None:
    first = ProfileIdentity(name="one", variables=(("user", "gcann"), ("password", "p"), ("id", "20")))
    second = ProfileIdentity(name="two", variables=(("id", "21"),))
    oneself = Oneself.of(AuthProfile(id="p", name="p", identities=(first, second)), [])
    oneself.meet([{"id": 20, "name": "gcann"}], "skipper")
    assert [oneself.number_of(each) for each in ("one", "two")] == ["20", "21"]
    assert value(oneself, "skipperId") == "20"
    assert Oneself.of(None, []).number == ""


@pytest.mark.parametrize(
    ("kind", "rows", "number"),
    [
        (ENROLLED, [{"id": 1, "name": "eve"}, {"id": 20, "name": "gcann"}], "20"),
        (ENROLLED, [{"id": 20, "name": "gcann"}, {"id": 31, "name": "gcann"}], ""),
        (ENROLLED, [{"id": 5, "userId": 20, "name": "gcann"}], ""),
        ("p", [{"id": 20, "name": "gcann"}], ""),
    ],
    ids=["one", "two", "names another", "of an account that was there"],
)
def test_the_one_number_of_a_name_that_was_just_made_is_the_accounts(kind: str, rows: Any, number: str) -> None:
    own = ProfileIdentity(name="one", variables=(("user", "gcann"),))
    oneself = Oneself.of(AuthProfile(id=kind, name="p", identities=(own,)), [])
    oneself.meet(rows, "skipper")
    oneself.settle()
    assert oneself.number == number
    assert value(oneself, "skipperId") == (number or None)


def test_what_is_made_later_under_his_name_tells_no_number_and_what_was_told_stays() -> None:
    late, known = Oneself(new=["gcann"]), Oneself({"id": "7"}, new=["gcann"])
    late.settle()
    for oneself in (late, known):
        oneself.meet([{"id": 31, "name": "gcann"}], "berth")
        oneself.settle()
    assert (late.number, known.number) == ("", "7")


def test_the_number_of_the_first_account_is_not_that_of_the_second() -> None:
    oneself = Oneself(new=["gcann"], others={"second": {}})
    oneself.meet([{"id": 20, "name": "gcann"}], "skipper")
    oneself.settle()
    assert (oneself.number_of(""), oneself.number_of("second")) == ("20", "")


def soap(function: str, **held: str) -> Request:
    inner = "".join(f"<{name}>{text}</{name}>" for name, text in held.items())
    body = f'<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><{function}>{inner}</{function}></e:Body></e:Envelope>'
    return Request("POST", b"/service", ((b"Content-Type", b"text/xml"),), body.encode())


def mutation(function: str, **held: str) -> Request:
    body = {"query": f"mutation M {{ {function}(id: $id) {{ id }} }}", "variables": held}
    return Request("POST", b"/graphql", ((b"Content-Type", b"application/json"),), json.dumps(body).encode())


@pytest.mark.parametrize(
    ("name", "request_", "meant"),
    [
        ("skipperId", soap("ChangeMail", skipperId="1", mail="a"), "20"),
        ("skipperId", soap("SetPhone", skipperId="1", phone="a"), "20"),
        ("skipperId", soap("ChangePassword", skipperId="1", password="a"), None),
        ("skipperId", soap("DeleteSkipper", skipperId="1"), None),
        ("skipperId", mutation("disableSkipper", skipperId="1"), None),
        ("id", mutation("editSkipper", id="1", phone="a"), "20"),
        ("id", mutation("editBerth", id="1", phone="a"), None),
        ("id", mutation("deleteSkipper", id="1"), None),
    ],
)
def test_a_call_that_writes_over_an_account_names_ones_own(name: str, request_: Request, meant: str | None) -> None:
    hole = Hole(name, Point(("post", name)))
    assert met().value_of(hole, Draft(request=request_, drafted=True, holes=(hole,)), "") == meant


@pytest.mark.parametrize(("method", "target"), [("POST", b"/phone?skipperId=2"), ("PATCH", b"/phone?skipperId=2")])
def test_what_a_list_shows_of_others_is_not_written_over(method: str, target: bytes) -> None:
    known = KnownValues(oneself=Oneself({"id": "20"}, called=["gcann"]))
    rows = b'[{"id": 1, "name": "eve"}, {"id": 20, "name": "gcann"}]'
    known.learn(Request("GET", b"/skippers"), Response(200, ((b"Content-Type", b"application/json"),), rows))
    hole = Hole("skipperId", Point(("get", "skipperId")))
    asked = Draft(request=Request(method, target), drafted=True, holes=(hole,))
    assert known.filled(asked).request.target == b"/phone?skipperId=20"
