"""The target's own address stands where it calls another in vain."""

import json
from typing import Any

import msgspec
import pytest
from tests.node.loop import run
from tests.node.scan.drafts.shops import in_json
from tests.node.scan.drafts.test_obtaining import draft, obtained

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.fakes.raw_server import RawServer
from gatecrash.formats.draft import Draft, Hole, left_out_of
from gatecrash.node.scan.drafts.own_addresses import calling_itself

JSON = ((b"Content-Type", b"application/json"),)


def refused(status: int, said: str, body: Any, method: str = "POST", target: str = "/photos") -> Draft:
    request = Request(method, target.encode(), JSON, json.dumps(body).encode(), "http", "127.0.0.1", 9)
    return Draft(request=request, response=Response(status, JSON, json.dumps({"error": said}).encode()), drafted=True)


def read(target: str, status: int = 200) -> Draft:
    return refused(status, "none", {}, "GET", target)


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (500, "no"),
        (502, "no"),
        (503, "no"),
        (400, "could not fetch the photo"),
        (500, "getaddrinfo ENOTFOUND example.com"),
    ],
)
def test_what_is_called_in_vain_gives_way_to_a_page_that_is_there(status: int, said: str) -> None:
    one = refused(status, said, {"url": "https://example.com/a.png", "title": "tea"})
    pages = [one, read("/gone", 404), read("/photos"), read("/list?page=1"), read("/health")]
    called = calling_itself(one, pages)
    assert called is not None
    assert json.loads(called.body) == {"url": "http://127.0.0.1:9/health", "title": "tea"}
    other = calling_itself(one, [])
    assert other is not None
    assert json.loads(other.body)["url"] == "http://127.0.0.1:9/"


@pytest.mark.parametrize(
    ("status", "said", "body"),
    [
        (400, "url is not allowed", {"url": "https://example.com/"}),
        (200, "could not fetch", {"url": "https://example.com/"}),
        (502, "could not fetch", {"title": "tea"}),
        (403, "could not connect", {"url": "https://example.com/"}),
    ],
)
def test_other_refusals_and_what_names_no_address_stay(status: int, said: str, body: Any) -> None:
    assert calling_itself(refused(status, said, body), [read("/health")]) is None


@run
async def test_a_request_that_calls_somebody_is_answered_and_what_it_made_is_read() -> None:
    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        while raw := await server.read_request(reader):
            if raw.startswith(b"POST /calls"):
                at_home = b"http://127.0.0.1:%d/" % server.port in raw
                answer = (201, '{"link": "/report?report_id=7"}') if at_home else (503, "{}")
            else:
                answer = (200 if b"report_id=7" in raw else 404), "{}"
            writer.write(in_json(*answer))

    async with RawServer(talk) as server:
        call = refused(0, "", {"api": "https://example.com/report"}, target="/calls")
        call = msgspec.structs.replace(
            call, response=None, request=msgspec.structs.replace(call.request, port=server.port)
        )
        shown = (Hole("report_id", Point(("get", "report_id")), given=True),)
        report = msgspec.structs.replace(draft(server.port, "GET", "/report?report_id=2"), holes=shown)
        ledger = await obtained(server.port, call, report)
    assert [one.baseline.response.status for one in ledger.tested.values() if one.baseline.response] == [201, 200]


def test_one_that_is_named_in_parts_gives_way_whatever_is_said_of_it() -> None:
    body = {"source": {"scheme": "example", "host": "example", "port": 1, "path": "example"}, "title": "tea"}
    called = calling_itself(refused(422, "unknown type", body), [read("/health")])
    assert called is not None
    own = {"scheme": "http", "host": "127.0.0.1", "port": 9, "path": "/health"}
    assert json.loads(called.body) == {"source": own, "title": "tea"}
    assert calling_itself(refused(200, "none", body), []) is None, "it is not refused"
    assert calling_itself(refused(422, "unknown type", {"host": "example", "title": "tea"}), []) is None


@run
async def test_what_falls_over_an_address_is_asked_with_as_much_of_it_as_suits() -> None:
    """The picture's address is reached from nowhere, and the made-up color is refused before anybody looks at it."""

    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        own = b"url=http%%3A%%2F%%2F127.0.0.1%%3A%d" % server.port
        while raw := await server.read_request(reader):
            status = 422 if b"color=" in raw else 200 if own in raw else 500
            writer.write(in_json(status, "{}"))

    async with RawServer(talk) as server:
        spare = "/cut?url=https%3A%2F%2Fexample.com%2F"
        whole = draft(server.port, "GET", spare + "&color=example&size=7")
        whole = msgspec.structs.replace(whole, spare=draft(server.port, "GET", spare).request)
        ledger = await obtained(server.port, whole)
    (tested,) = ledger.tested.values()
    asked, response = tested.baseline.request.target, tested.baseline.response
    assert response is not None
    assert response.status == 200
    assert b"127.0.0.1" in asked
    assert asked.endswith(b"&size=7")
    assert [one.query.rpartition(b"&")[2] for one in left_out_of(tested.baseline.exchange)] == [b"color=example"]


def test_what_declares_a_namespace_is_no_address_that_is_called() -> None:
    body = b'<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><Get><url>%s</url></Get></s:Body></s:Envelope>'
    for url, called in ((b"http://example.com/a", b"http://127.0.0.1:9/"), (b"7", None)):
        request = Request("POST", b"/soap", ((b"Content-Type", b"text/xml"),), body % url, "http", "127.0.0.1", 9)
        answered = Draft(request=request, response=Response(500, (), b"no"), drafted=True)
        changed = calling_itself(answered, ())
        assert (changed.body if changed is not None else None) == (body % called if called else None)
