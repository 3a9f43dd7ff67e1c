"""A record leaves as HAR, and no credential leaves with it."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.control.calling import Api

from gatecrash.control.testruns.exports import mask
from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.fakes.fake_node import FakeNode

SECRETS = ("s3cret-bearer-token", "hunter2-password", "handed-out-token", "sid-abcdefgh")
LINES = [
    {
        "method": "GET",
        "url": "http://shop.test/a?q=1",
        "headers": {"Authorization": "Bearer s3cret-bearer-token", "Cookie": "PHPSESSID=sid-abcdefgh"},
        "status": 200,
        "response_headers": {"Content-Type": "application/json"},
        "response_body": "{}",
    },
    {
        "method": "POST",
        "url": "http://shop.test/login",
        "headers": {"Content-Type": "application/json"},
        "body": '{"user": "ann", "password": "hunter2-password"}',
        "status": 200,
        "response_body": '{"access_token": "handed-out-token"}',
    },
    {
        "method": "POST",
        "url": "http://shop.test/bytes",
        "headers": {"Content-Type": "application/octet-stream"},
        "body_base64": "gIGC",
        "status": 204,
    },
]


@pytest.fixture
def record(api: Api, node: FakeNode) -> str:
    record_id = str(api.post("/v1/test_record", {"name": "out & back"})[1]["id"])
    answer = upload(api, record_id, "\n".join(map(json.dumps, LINES)).encode())
    assert answer["imported"] == 3
    return record_id


def upload(api: Api, record_id: str, body: bytes, query: str = "") -> dict[str, Any]:
    answer = api._http.generic(
        "POST",
        f"/v1/test_record/{record_id}/import{query}",
        data=body,
        content_type="application/octet-stream",
        headers={"X-Service-API-Token": api.token},
    )
    assert answer.status_code == 200, answer.content
    return answer.json()["body"]


def exported(api: Api, record_id: str) -> Any:
    return api._http.get(f"/v1/test_record/{record_id}/export", headers={"X-Service-API-Token": api.token})


@pytest.mark.database
def test_a_record_leaves_as_har_in_its_order_with_its_credentials_masked(api: Api, record: str) -> None:
    answer = exported(api, record)
    content = b"".join(answer.streaming_content)
    assert answer.status_code == 200
    assert answer["Content-Disposition"] == f'attachment; filename="out-back-{record}.har"'
    entries = json.loads(content)["log"]["entries"]
    assert [one["request"]["url"] for one in entries] == [line["url"] for line in LINES]
    assert [secret for secret in SECRETS if secret.encode() in content] == []
    assert "Bearer $TOKEN" in json.dumps(entries[0]["request"]["headers"])
    assert entries[2]["request"]["postData"] == {
        "mimeType": "application/octet-stream",
        "text": "gIGC",
        "encoding": "base64",
    }


@pytest.mark.database
def test_what_left_can_come_back(api: Api, record: str) -> None:
    content = b"".join(exported(api, record).streaming_content)
    other = str(api.post("/v1/test_record", {"name": "back"})[1]["id"])
    assert upload(api, other, content)["imported"] == 3


@pytest.mark.database
def test_an_empty_record_is_an_empty_file(api: Api, node: FakeNode) -> None:
    record_id = str(api.post("/v1/test_record", {"name": "empty"})[1]["id"])
    assert json.loads(b"".join(exported(api, record_id).streaming_content))["log"]["entries"] == []


@pytest.mark.database
def test_the_records_of_another_client_are_not_there(record: str, caller: Callable[..., Api], other_id: str) -> None:
    assert exported(caller(other_id), record).status_code == 404


def test_forms_lose_their_passwords_and_keep_their_other_fields() -> None:
    request = Request(
        "POST",
        b"/login",
        ((b"Content-Type", b"application/x-www-form-urlencoded"), (b"Content-Length", b"27")),
        b"user=ann&password=hunter2&z=1",
    )
    masked = mask(Exchange(request, Response(200), client="192.0.2.7"), compile_recogniser(())).request
    assert masked.body == b"user=ann&password=$TOKEN&z=1"
    assert masked.first(b"Content-Length") == b"28"
