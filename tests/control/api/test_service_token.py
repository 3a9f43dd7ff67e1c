"""What stands before an operation: role, size, type, JSON."""

from collections.abc import Callable

import pytest
from django.test import Client
from tests.control.calling import Api

from gatecrash.control.api.roles import Role

pytestmark = [pytest.mark.database, pytest.mark.django_db]

LIMIT = 1024 * 1024
# (method, path, roles that may); `{c}` is the client, `{t}` a token, `{u}` a user, `{p}` a parameter.
MATRIX = [
    ("GET", "/v1/clients", "admin analyst viewer ci"),
    ("POST", "/v1/clients", ""),
    ("GET", "/v1/clients/{c}", "admin analyst viewer ci"),
    ("PATCH", "/v1/clients/{c}", "admin"),
    ("DELETE", "/v1/clients/{c}", ""),
    ("GET", "/v1/users", "admin"),
    ("POST", "/v1/users", "admin"),
    ("GET", "/v1/tokens", "admin"),
    ("POST", "/v1/tokens", "admin"),
    ("GET", "/v1/audit", "admin"),
    ("GET", "/v1/clients/{c}/apid/config/auth-parameters", "admin analyst viewer ci"),
    ("POST", "/v1/clients/{c}/apid/config/auth-parameters", "admin analyst"),
    ("GET", "/v1/clients/{c}/apid/config/auth-rules", "admin analyst viewer ci"),
    ("GET", "/v1/clients/{c}/apid/config/auth-suggestions", "admin analyst viewer ci"),
    ("GET", "/v1/endpoints", "admin analyst viewer ci"),
]


@pytest.mark.parametrize(("method", "path", "allowed"), MATRIX)
@pytest.mark.parametrize("role", [role.value for role in Role])
def test_each_role_may_what_the_contract_says_and_no_more(
    method: str, path: str, allowed: str, role: str, client_id: str, caller: Callable[..., Api]
) -> None:
    body = {"unknown": 1} if method in ("POST", "PATCH") else None
    status, answer = caller(client_id, role).call(method, path.format(c=client_id), body)
    if role in allowed.split():
        assert status == (400 if body else 200)
    else:
        assert (status, answer["error"]) == (403, "forbidden")


def send(api: Api, body: bytes, **extra: str) -> tuple[int, dict[str, object]]:
    extra.setdefault("content_type", "application/json")
    answer = Client().generic("POST", "/v1/tokens", body, headers={"X-Service-API-Token": api.token}, **extra)
    document = answer.json()
    assert document["status"] == answer.status_code
    return document["status"], document["body"]


def test_a_body_of_the_limit_passes_and_one_more_byte_does_not(api: Api) -> None:
    fits = b'{"name": "x", "role": "ci"' + b" " * (LIMIT - 27) + b"}"
    assert len(fits) == LIMIT
    assert send(api, fits)[0] == 200
    assert send(api, fits + b" ")[1]["error"] == "payload_too_large"


@pytest.mark.parametrize("given", ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""])
def test_another_type_is_415(given: str, api: Api) -> None:
    status, body = send(api, b'{"name": "x", "role": "ci"}', content_type=given)
    assert (status, body["error"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize(("coding", "expected"), [("gzip", 415), ("br", 415), ("identity", 200), ("", 200)])
def test_a_body_in_a_content_coding_is_415(coding: str, expected: int, api: Api) -> None:
    assert send(api, b'{"name": "x", "role": "ci"}', HTTP_CONTENT_ENCODING=coding)[0] == expected


@pytest.mark.parametrize("given", ["application/json; charset=utf-8", "Application/JSON", "application/json ;x=y"])
def test_the_type_is_read_without_case_and_parameters(given: str, api: Api) -> None:
    assert send(api, b'{"name": "x", "role": "ci"}', content_type=given)[0] == 200


@pytest.mark.parametrize("body", [b" ", b"{", b"null", b"[]", b'{"a": NaN}', b"[" * 100_000, b'{"a":1,"a":1}', b"\xff"])
def test_bodies_that_are_no_json_object_are_400_with_a_sentence(body: bytes, api: Api) -> None:
    status, answer = send(api, body)
    assert status == 400
    assert set(answer) == {"error", "message"}


def test_nasty_text_is_a_field_error_and_comes_back_as_given(api: Api) -> None:
    status, answer = send(api, b'{"name": "a\\u0000", "role": "\\ud800", "x": 99999999999999999999999}')
    assert status == 400
    assert answer == {
        "name": {"error": "invalid_value", "value": "a\x00"},
        "role": {"error": "invalid_value", "value": "\ud800"},
        "x": {"error": "unknown_field", "value": 99999999999999999999999},
    }
