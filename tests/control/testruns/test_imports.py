"""Captures become baselines of a record that is still recorded, once each, whatever is wrong with some of them."""

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.control.calling import Api

from gatecrash.control import wall
from gatecrash.control.testruns import baseline_rows, imports
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.fakes.fake_node import FakeNode
from gatecrash.formats.capture import Malformed

pytestmark = pytest.mark.database


def line(path: str, **more: Any) -> str:
    return json.dumps({"method": "GET", "url": f"http://shop.test{path}", "status": 200, "response_body": "{}", **more})


def har(*paths: str) -> bytes:
    entries = [
        {
            "startedDateTime": "2026-11-20T10:00:00Z",
            "request": {"method": "GET", "url": f"http://shop.test{path}", "headers": []},
            "response": {"status": 200, "content": {"text": "{}"}},
        }
        for path in paths
    ]
    return json.dumps({"log": {"entries": entries}}).encode()


@pytest.fixture
def record(api: Api, node: FakeNode) -> str:
    """A record that is recorded."""
    return str(api.post("/v1/test_record", {"name": "imported"})[1]["id"])


@pytest.fixture
def send(api: Api) -> Callable[..., tuple[int, dict[str, Any]]]:
    def call(
        record_id: str, body: bytes, kind: str = "application/json", by: Api = api, query: str = ""
    ) -> tuple[int, dict[str, Any]]:
        answer = by._http.generic(
            "POST",
            f"/v1/test_record/{record_id}/import{query}",
            data=body,
            content_type=kind,
            headers={"X-Service-API-Token": by.token},
        )
        assert answer.json()["status"] == answer.status_code
        return answer.status_code, answer.json()["body"]

    return call


Send = Callable[..., tuple[int, dict[str, Any]]]


def test_har_and_json_lines_zipped_or_not_become_baselines(api: Api, record: str, send: Send) -> None:
    lines = "\n".join([line("/a"), "broken", line("/b"), line("/c", method="POST", status=None, body="x")])
    status, body = send(record, lines.encode(), "application/x-ndjson")
    assert (status, body["imported"]) == (200, 2)
    assert {name: count for name, count in body["skipped"].items() if count} == {"malformed": 1, "unanswered": 1}
    assert [(one["place"], one["reason"]) for one in body["problems"]] == [(2, "malformed"), (4, "unanswered")]
    assert body["problems"][1]["why"].startswith("POST http://shop.test/c: no answer was recorded")
    assert send(record, gzip.compress(har("/d", "/e"), mtime=0), "application/gzip")[1]["imported"] == 2
    shown = api.get(f"/v1/test_record/{record}")[1]
    assert (shown["baseline_count"], shown["domains"]) == (4, ["shop.test"])


@pytest.mark.parametrize("kind", ["application/xml", "text/xml", "application/octet-stream"])
def test_the_xml_of_a_proxy_becomes_baselines(record: str, send: Send, kind: str) -> None:
    raw = "<request>GET /x HTTP/1.1\r\nHost: shop.test\r\n\r\n</request><response>HTTP/1.1 200 OK\r\n\r\nyes</response>"
    xml = f"<items><item><host>shop.test</host><port>80</port><protocol>http</protocol>{raw}</item></items>"
    status, body = send(record, xml.encode(), kind)
    assert (status, body["imported"]) == (200, 1)


def test_sending_a_file_again_does_no_harm(api: Api, record: str, send: Send) -> None:
    assert send(record, har("/a", "/b", "/a"))[1]["imported"] == 2
    status, again = send(record, har("/a", "/b", "/c"))
    assert (status, again["imported"], again["skipped"]["duplicate"]) == (200, 1, 2)
    assert api.get(f"/v1/test_record/{record}")[1]["baseline_count"] == 3


def test_what_another_user_may_have_sent_is_kept_though_nothing_says_which_cookie_is_a_session(
    monkeypatch: pytest.MonkeyPatch, record: str, send: Send
) -> None:
    monkeypatch.setattr(imports, "MOST_ALIKE", 3)

    def sent(*cookies: str) -> dict[str, Any]:
        lines = [line("/me", headers=[["Cookie", f"club={cookie}"]]) for cookie in cookies]
        body: dict[str, Any] = send(record, "\n".join(lines).encode(), "application/x-ndjson")[1]
        return body

    assert sent("ann", "ann", "bob")["imported"] == 2
    again = sent("bob", "ann", "cid", "dan")
    assert (again["imported"], again["skipped"]["duplicate"]) == (1, 3), (
        "of clients that get a new one each time some are kept"
    )


def test_so_is_what_came_with_another_header_of_the_applications_own(record: str, send: Send) -> None:
    lines = [
        line(
            "/me",
            headers=[
                ["X-Guild-Pass", value],
                ["Accept-Language", value],
                ["User-Agent", f"client of {value} {number}"],
            ],
        )
        for number, value in enumerate(("ann", "ann", "bob"))
    ]
    assert send(record, "\n".join(lines).encode(), "application/x-ndjson")[1]["imported"] == 2


def test_a_login_is_kept_for_each_session_that_began_with_it(record: str, send: Send) -> None:
    sent = {
        "method": "POST",
        "body": '{"user": "ann", "password": "pass-1"}',
        "headers": {"Content-Type": "application/json"},
    }
    lines = [line("/login", **sent, response_headers={"Set-Cookie": f"sid={name}"}) for name in ("a1", "b2", "a1")]
    assert send(record, "\n".join(lines).encode(), "application/x-ndjson")[1]["imported"] == 2
    again = send(record, lines[1].encode(), "application/x-ndjson")[1]
    assert (again["imported"], again["skipped"]["duplicate"]) == (0, 1)


def test_a_copy_tests_what_was_imported(api: Api, node: FakeNode, record: str, send: Send) -> None:
    from gatecrash.control.jobs.worker import Worker

    send(record, har("/a?q=1", "/b?q=1"))
    api.call("POST", f"/v1/test_record/{record}/action/stop")
    node.beat()
    node.beat()
    run = api.post("/v1/test_run", {"name": "copy", "test_record_id": record})[1]
    Worker().drain()
    node.beat()
    assert [baseline.request.target for baseline in node.claim(run["id"], 5).baselines] == [b"/a?q=1", b"/b?q=1"]


def test_what_a_run_records_is_tested_by_it(api: Api, node: FakeNode, send: Send, create: Callable[..., dict]) -> None:
    run = create()
    assert send(run["test_record_id"], har("/a?q=1"))[1]["imported"] == 1
    shown = api.get(f"/v1/test_run/{run['id']}")[1]
    assert (shown["baseline_count"], shown["baseline_check_waiting_count"], shown["domains"]) == (1, 1, ["shop.test"])


def test_a_record_that_is_closed_takes_nothing(api: Api, record: str, send: Send) -> None:
    api.call("POST", f"/v1/test_record/{record}/action/stop")
    status, body = send(record, har("/a"))
    assert (status, body["test_record_id"]["error"]) == (409, "action_not_allowed")


@pytest.mark.parametrize("broken", [b" ", b"hello", gzip.compress(har("/a"), mtime=0)[:40], b'{"log": {"entries": [{'])
def test_a_file_that_is_no_capture_is_400(record: str, send: Send, broken: bytes) -> None:
    status, body = send(record, broken)
    assert (status, body["error"]) == (400, "invalid_value")


def test_what_was_read_before_a_file_broke_off_stays(
    api: Api, record: str, send: Send, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "MOST_IN_A_PIECE", 1)
    status, body = send(record, har("/a", "/b")[:-20])
    assert status == 400
    assert "1 exchanges before that were imported" in body["message"]
    assert api.get(f"/v1/test_record/{record}")[1]["baseline_count"] == 1


def test_another_type_is_415(record: str, send: Send) -> None:
    assert send(record, har("/a"), "text/html")[0] == 415


@pytest.mark.parametrize(("role", "status"), [("analyst", 200), ("ci", 200), ("viewer", 403), ("node", 403)])
def test_roles(client_id: str, caller: Callable[..., Api], record: str, send: Send, role: str, status: int) -> None:
    assert send(record, har("/a"), by=caller(client_id, role))[0] == status


def test_another_client_s_record_does_not_exist(
    other_id: str, caller: Callable[..., Api], record: str, send: Send
) -> None:
    assert send(record, har("/a"), by=caller(other_id))[0] == 404


def test_a_large_file_is_stored_in_pieces_of_some_megabytes() -> None:
    def many() -> Iterator[Exchange | Malformed]:
        for number in range(9):
            yield Exchange(Request("GET", b"/%d" % number, host="h"), Response(200, body=b"x" * 3 * 1024 * 1024))

    pieces = imports._pieces(imports._baselines(many(), Counter(), []))
    assert [len(piece) for piece in pieces] == [8, 1], "of each answer 1 MiB is kept"


OPENAPI = b"""
openapi: 3.0.3
info: {title: shop, version: "1"}
paths:
  /items/{item_id}:
    get: {responses: {}}
    delete: {responses: {}}
"""


@pytest.mark.database
def test_a_description_is_imported_where_its_user_says_that_the_api_is(api: Api, record: str, send: Send) -> None:
    status, refused = send(record, OPENAPI, "application/yaml")
    assert (status, refused["error"]) == (400, "invalid_value")
    assert "target_url" in refused["message"]
    status, body = send(record, OPENAPI, "application/yaml", query="?target_url=http://shop.test:81")
    assert (status, body["imported"]) == (200, 2)
    with wall.client(api.client_id):
        stored = [one.exchange for _, _, one in baseline_rows.after(record, 0, 9, 9)]
    assert [(one.request.method, one.request.url) for one in stored] == [
        ("GET", "http://shop.test:81/items/1"),
        ("DELETE", "http://shop.test:81/items/1"),
    ]
    assert all(one.drafted and one.response is None for one in stored), "a run asks for their answers first"


@pytest.mark.database
@pytest.mark.parametrize("url", ["nowhere", "ftp://a.test", "http://a.test/path"])
def test_a_target_is_an_origin(record: str, send: Send, url: str) -> None:
    status, refused = send(record, OPENAPI, "application/yaml", query=f"?target_url={url}")
    assert (status, refused["target_url"]) == (400, {"error": "invalid_value", "value": url})


def test_the_first_of_many_troubles_are_told_and_no_secret_of_an_address(record: str, send: Send) -> None:
    lines = [line(f"/n{number}?token=secret", method="POST", status=None, body="x") for number in range(30)]
    body = send(record, "\n".join(lines).encode(), "application/x-ndjson")[1]
    assert (body["skipped"]["unanswered"], len(body["problems"])) == (30, 20)
    assert "secret" not in str(body["problems"])
