"""Functions that are called by name, by POST."""

import json

import pytest

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.testing.operations.questions import (
    called,
    is_of_a_service,
    is_question,
    named_in_query,
    names_function,
    what_is_called,
    without_number,
)


def posted(target: str, body: object = None, method: str = "POST") -> Request:
    return Request(method, target.encode(), ((b"Content-Type", b"application/json"),), json.dumps(body or {}).encode())


def by_number(name: str, number: int = 1) -> dict:
    return {"jsonrpc": "2.0", "method": name, "params": {"id": 7}, "id": number}


@pytest.mark.parametrize(
    ("request_", "words", "about"),
    [
        (posted("/rpc/parcel.get"), ("get", "parcel"), "parcel"),
        (posted("/rpc/v1/getParcels"), ("get", "parcels"), "parcel"),
        (posted("/parcels.ParcelService/GetParcel"), ("get", "parcel"), "parcel"),
        (posted("/rpc/parcel.getById"), ("get", "by", "id", "parcel"), "parcel"),
        (posted("/rpc/find_parcel_by_number"), ("find", "parcel", "by", "number"), "parcel"),
        (posted("/api?method=parcel.setState"), ("set", "state", "parcel"), "parcel"),
        (posted("/index?page=2&action=listParcels"), ("list", "parcels"), "parcel"),
        (posted("/rpc", by_number("parcel.cancel")), ("cancel", "parcel"), "parcel"),
        (posted("/parcels/search"), ("search", "parcels"), "parcel"),
        (posted("/parcel/details"), ("get", "parcel"), "parcel"),
        (posted("/parcels"), (), ""),
        (posted("/parcels/7/search"), (), ""),
        (posted("/search.php"), (), ""),
        (posted("/rpc/parcel.get", method="GET"), (), ""),
    ],
)
def test_a_name_says_what_is_done_and_to_what(request_: Request, words: tuple[str, ...], about: str):
    assert (called(request_), what_is_called(request_)) == (words, about)


@pytest.mark.parametrize(
    ("request_", "reads"),
    [
        (posted("/rpc/parcel.get"), True),
        (posted("/api?method=parcel.list"), True),
        (posted("/rpc", [by_number("parcel.list"), by_number("letter.get")]), True),
        (posted("/rpc", [by_number("parcel.list"), by_number("letter.remove")]), False),
        (posted("/rpc", by_number("adminListParcels")), True),
        (posted("/rpc", by_number("internal_get_parcels")), True),
        (posted("/rpc", by_number("adminDeleteParcel")), False),
        (posted("/rpc", by_number("listAdmin.drop")), False),
        (posted("/rpc/getOrCreateParcel"), False),
        (posted("/rpc/fetchAndLock"), False),
        (posted("/rpc/message.read"), False),
        (posted("/rpc/readMessage"), True),
        (posted("/rpc/data.load"), False),
        (posted("/rpc/parcel.setState"), False),
        (posted("/rpc/token.get", {"name": "ann", "password": "x"}), False),
        (posted("/rpc/user.getToken"), False),
        (posted("/sms/get-verify-code"), False),
        (posted("/rpc/getNextJob"), False),
        (posted("/queue/fetch"), False),
        (posted("/rpc/message.read_all"), False),
        (posted("/rpc/loadBalance"), False),
        (posted("/rpc/loadParcels"), True),
        (posted("/rpc/retrieveFunds"), False),
        (posted("/rpc/listForSale"), False),
        (posted("/rpc/user.viewAs"), False),
        (posted("/rpc", by_number("parcels.mine")), True),
        (posted("/rpc", by_number("Parcel.All")), True),
        (posted("/rpc", by_number("myParcels")), True),
        (posted("/rpc", by_number("mineBlock")), False),
        (posted("/rpc", by_number("block.mineNext")), False),
        (posted("/rpc", by_number("myParcelsCancel")), False),
        (posted("/parcels"), False),
    ],
)
def test_what_only_reads_says_so_by_its_first_word(request_: Request, reads: bool):
    assert is_question(request_) is reads


@pytest.mark.parametrize(
    ("target", "reads"),
    [
        ("/view-cart", False),
        ("/get-in-touch", False),
        ("/index?action=show_topic", False),
        ("/api?method=parcel.get", True),
        ("/rpc/getParcel", True),
        ("/parcels/search", True),
    ],
)
def test_a_form_that_is_posted_back_to_a_page_does_more_than_read(target: str, reads: bool):
    form = ((b"Content-Type", b"application/x-www-form-urlencoded; charset=utf-8"),)
    assert is_question(Request("POST", target.encode(), form, b"id=7")) is reads


def test_a_function_in_the_query_is_named_as_it_is_written():
    assert named_in_query(posted("/api?method=parcel.get")) == "parcel.get"
    assert named_in_query(posted("/api?method=cash")) == ""
    assert named_in_query(posted("/api")) == ""
    assert names_function(Point.of("get", "Method"), b"parcel.get")
    assert not names_function(Point.of("get", "method"), b"cash")
    assert not names_function(Point.of("post", "method"), b"parcel.get")


def test_too_many_fields_name_nothing():
    assert named_in_query(posted("/api?" + "&".join(f"a{each}=1" for each in range(60)) + "&method=parcel.get")) == ""


def test_the_same_call_has_the_same_body_whatever_its_number():
    ones, others = (posted("/rpc", by_number("parcel.get", number)) for number in (1, 2))
    assert without_number(ones) == without_number(others)
    assert without_number(ones) != without_number(posted("/rpc", by_number("parcel.list")))
    for other in (b'{"id": 7}', b'{"jsonrpc"'):
        assert without_number(Request("POST", b"/rpc", (), other)) == other


def test_a_method_of_a_service_is_called_by_its_path_as_grpc_writes_it():
    assert is_of_a_service(posted("/zoo.v1.Animals/ListKinds"))
    assert is_of_a_service(posted("/twirp/zoo.Animals/ListKinds"))
    assert not any(is_of_a_service(posted(path)) for path in ("/api/v1.2/Kinds", "/Zoo/ListKinds", "/a.js/list"))
    assert not is_of_a_service(Request("GET", b"/zoo.v1.Animals/ListKinds"))
