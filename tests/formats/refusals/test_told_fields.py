"""Fields that a refusal says are missing are added with made-up values, and nothing else is."""

import json
from typing import Any

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.formats.draft import Draft
from gatecrash.formats.refusals.told_fields import completed, lacking

HEADERS = ((b"Host", b"x"),)
JSON = (b"Content-Type", b"application/json")


def answer(said: Any, status: int = 400) -> Response:
    body = said if isinstance(said, str) else json.dumps(said)
    return Response(status, (JSON,), body.encode())


def refused(said: Any, method: str = "POST", target: str = "/entries", body: str = "", status: int = 400) -> Draft:
    headers = (*HEADERS, JSON) if body else HEADERS
    request = Request(method, target.encode(), headers, body.encode(), "http", "127.0.0.1", 9)
    return Draft(request=request, response=answer(said, status), drafted=True)


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ({"error": "raceId and emergencyPhone are required"}, ["raceId", "emergencyPhone"]),
        ({"error": "text is required"}, ["text"]),
        ({"message": "code missing"}, ["code"]),
        ({"message": "name, email, and password are required fields"}, ["name", "email", "password"]),
        ({"message": "Please provide username, password and email"}, ["username", "password", "email"]),
        ({"message": "Missing required parameters: from, to_date"}, ["from", "to_date"]),
        ({"error": "Missing 'callbackUrl'"}, ["callbackUrl"]),
        ({"message": '"seats" is required'}, ["seats"]),
        ({"message": "must have required property 'seats'"}, ["seats"]),
        ({"message": "'seats' is a required property"}, ["seats"]),
        ({"title": "'seats' is a required property"}, ["seats"]),
        ({"title": "is required"}, ["title"]),
        ({"message": "Entry validation failed: shirt: Path `shirt` is required."}, ["shirt"]),
        ({"message": "Title cannot be blank"}, ["title"]),
        ({"errors": {"day": ["The day field is required."], "phone": ["The phone field is required."]}}, ["day", "phone"]),
        ({"title": ["This field is required."], "code": ["This field may not be null."]}, ["title", "code"]),
        ({"day": ["Missing data for required field."]}, ["day"]),
        ({"errors": [{"type": "field", "msg": "Invalid value", "path": "url", "location": "body"}]}, ["url"]),
        ({"errors": [{"field": "seats", "defaultMessage": "must not be null"}]}, ["seats"]),
        ({"detail": [{"type": "missing", "loc": ["body", "film_id"], "msg": "Field required"}]}, ["film_id"]),
        ("Cannot destructure property 'raceId' of 'req.body' as it is undefined.", ["raceId"]),
        ({"error": "Cannot read properties of undefined (reading 'raceId')"}, ["raceId"]),
        ("<html><pre>TypeError: Cannot destructure property &#39;raceId&#39; of &#39;req.body&#39;</pre></html>", ["raceId"]),
        ({"error": "url must be an absolute URL"}, ["url"]),
        ({"message": "Validation failed: amount should be between 1 and 500; unit must be m or km"}, ["amount", "unit"]),
        ({"error": "The request must be JSON, and you must be there"}, []),
        ({"error": "Authentication required"}, []),
        ({"error": "A valid token is required"}, []),
        ({"error": "no such race"}, []),
        ({"error": "The request body is required"}, []),
        ({"status": "fail", "message": "Not found"}, []),
        ({"error": "missing fields", "fields": ["herd_id", "notes"]}, ["herd_id", "notes"]),
        ({"code": 17, "missing": ["herd_id"]}, ["herd_id"]),
        ({"error": "not allowed", "fields": ["herd_id"]}, []),
        ({"error": "missing fields", "fields": ["See the manual"]}, []),
        ("<html><p>name is required</p></html>", []),
        ("", []),
        ([[[[[["x is required"]]]]]], []),
    ],
)  # fmt: skip
def test_names_are_read_as_frameworks_and_people_write_them(said: Any, names: list[str]) -> None:
    assert list(lacking(answer(said))) == names


def test_a_body_that_the_document_does_not_describe_is_made_of_what_is_missing() -> None:
    draft = completed(refused({"error": "raceId and emergencyPhone are required"}))
    assert draft is not None
    assert json.loads(draft.request.body) == {"raceId": 1, "emergencyPhone": "+12025550123"}
    assert draft.request.first(b"Content-Type") == b"application/json"
    assert draft.request.first(b"Content-Length") == str(len(draft.request.body)).encode()
    assert [(hole.name, hole.point[-1], hole.given) for hole in draft.holes] == [("raceId", "raceId", False)]


def test_fields_that_are_there_keep_their_values() -> None:
    draft = completed(refused("shirt is required", body='{"raceId": 7}'))
    assert draft is not None
    assert json.loads(draft.request.body) == {"raceId": 7, "shirt": "example"}
    assert completed(refused("raceId is required", body='{"raceId": 7}')) is None


def test_what_reads_is_given_parameters() -> None:
    draft = completed(refused("file is required", "GET", "/guide?hall=1"))
    assert draft is not None
    assert draft.request.target == b"/guide?hall=1&file=example"
    assert completed(refused("hall is required", "GET", "/guide?hall=1")) is None


@pytest.mark.parametrize("status", [200, 401, 403, 404, 409])
def test_other_answers_ask_for_nothing(status: int) -> None:
    assert completed(refused("shirt is required", status=status)) is None


@pytest.mark.parametrize("body", ["<a/>", "[1]", '{"a"'])
def test_bodies_of_other_kinds_stay(body: str) -> None:
    assert completed(refused("shirt is required", body=body)) is None


@pytest.mark.parametrize("status", [400, 415, 422, 500])
def test_what_was_sent_without_a_body_gets_an_empty_object_where_nothing_is_named(status: int) -> None:
    again = completed(refused("Internal Server Error", status=status))
    assert again is not None
    assert (again.request.body, again.request.first(b"Content-Type")) == (b"{}", b"application/json")


@pytest.mark.parametrize(
    "draft", [refused("no", body="{}"), refused("no", "GET"), refused("no", status=404), refused("no", status=401)]
)
def test_what_has_a_body_or_takes_none_or_is_refused_otherwise_gets_none(draft: Draft) -> None:
    assert completed(draft) is None


FORM = ((b"Content-Type", b"application/x-www-form-urlencoded"),)


@pytest.mark.parametrize(
    ("request_", "filled"),
    [
        (
            Request("POST", b"/x", ((b"Content-Type", b"application/json"),), b'{"phone": "", "a": "b"}'),
            b'{"phone":"+12025550123","a":"b"}',
        ),
        (Request("POST", b"/x", FORM, b"phone=&a=b&a=c"), b"a=b&a=c&phone=%2B12025550123"),
        (Request("POST", b"/x", FORM, b"a=b"), b"a=b&phone=%2B12025550123"),
        (Request("POST", b"/x", FORM, b"phone=5"), None),
        (Request("GET", b"/x?phone=&a=b"), b"a=b&phone=%2B12025550123"),
    ],
)
def test_what_was_left_empty_is_filled_in_where_it_is_missed(request_: Request, filled: bytes | None) -> None:
    response = Response(400, (), b'{"error": "phone is required"}')
    asked = completed(Draft(request=request_, response=response, drafted=True))
    found = None if asked is None else asked.request.body or asked.request.query
    assert found == filled
