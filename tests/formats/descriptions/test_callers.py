"""Where a described message wants to be told who calls, and where it says so itself."""

import orjson
import pytest

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.formats.descriptions.callers import with_callers
from gatecrash.formats.draft import Draft, Hole

AUTH = Point.of("post", "json_doc", "json_obj", "auth")
ITEM = Point.of("post", "json_doc", "json_obj", "params", "json_obj", "itemid")
SOAP = (
    '<e:Envelope xmlns:e="urn:e"><e:Header><Session><{name}>{value}</{name}></Session></e:Header>'
    "<e:Body><GetItem><id>1</id></GetItem></e:Body></e:Envelope>"
)


def rpc(auth: str | None, *open_: Point) -> Draft:
    body = orjson.dumps({"jsonrpc": "2.0", "method": "item.get", "params": {"itemid": 1}, "auth": auth, "id": 1})
    request = Request("POST", b"/rpc", ((b"Content-Type", b"application/json"),), body)
    return Draft(request=request, drafted=True, holes=tuple(Hole(point[-1], point) for point in open_))


def soap(name: str, value: str) -> Draft:
    body = SOAP.format(name=name, value=value).encode()
    return Draft(request=Request("POST", b"/service", ((b"Content-Type", b"text/xml"),), body), drafted=True)


def test_a_variable_without_a_value_is_where_the_login_gives_its_token() -> None:
    draft = with_callers(rpc("example", AUTH, ITEM))
    assert [(place.scheme, place.point) for place in draft.places] == [("bearer", AUTH)]
    assert (draft.wants, [hole.point for hole in draft.holes]) == (("auth",), [ITEM])


def test_so_is_an_element_of_a_soap_header_that_holds_nothing_of_its_own() -> None:
    draft = with_callers(soap("token", "example"))
    assert [(place.scheme, place.point[-1]) for place in draft.places] == [("bearer", "token")]
    assert draft.wants == ("token",)
    assert [place.scheme for place in with_callers(soap("password", "")).places] == ["basic"]


def test_where_all_is_made_up_an_argument_of_json_holds_nothing_of_its_own_either() -> None:
    assert [place.point for place in with_callers(rpc("example"), made_up=True).places] == [AUTH]


@pytest.mark.parametrize(
    "draft",
    [rpc("9f2c4be07d1a46c8", AUTH), rpc(None), rpc("example"), soap("token", "9f2c4be07d1a46c8"), soap("page", "1")],
)
def test_what_is_brought_or_asked_for_by_nobody_stays(draft: Draft) -> None:
    assert with_callers(draft) == draft
