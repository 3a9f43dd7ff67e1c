"""The inventory as a file: what the filters leave, whole over many pages, and readable by other programs."""

import csv
import io
import json
import time
from typing import Any

import pytest
from django.test import Client
from tests.control.calling import Api
from tests.control.inventory.traffic import count, observe

from gatecrash.control.inventory import queries
from gatecrash.wire.counts import ParameterCount

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def download(api: Api, query: str) -> Any:
    """The raw answer."""
    return Client().get(f"/v1/endpoints/export?{query}", headers={"X-Service-API-Token": api.token})


def valid(document: Any) -> None:
    """What reads descriptions of APIs reads this one."""
    import schemathesis  # here: each process of the tests would import it for these two alone

    schemathesis.openapi.from_dict(document).validate()


def text(answer: Any) -> str:
    assert answer.status_code == 200, answer.content
    return b"".join(answer.streaming_content).decode()


@pytest.fixture
def observed(api: Api) -> Api:
    now = int(time.time())
    key = (ParameterCount("api_key", ("header", "X-API-KEY"), 10, 10),)
    cookie = (ParameterCount("cookie", ("header", "COOKIE", "cookie", "s id;"), 10, 10),)
    body = (ParameterCount("bearer", ("post", "json_doc", "json_obj", "access_token"), 10, 10),)
    observe(
        api.client_id,
        count("/users/{user_id}", at=now),
        count("/keys", valid=10, parameters=key, at=now),
        count("/pages", valid=10, parameters=cookie, at=now),
        count("/body", valid=10, parameters=body, method="POST", at=now),
        count("/graphql", protocol="graphql", method="POST", operation="query Teas", at=now),
        count("/graphql", protocol="graphql", method="POST", operation="mutation Buy", valid=0, at=now),
        count('/=cmd|"calc"', valid=0, at=now, refused=None),
        count("/odd", method="PURGE", at=now),
        at=now,
    )
    return api


def test_json_is_the_list(observed: Api) -> None:
    answer = download(observed, "format=json")
    assert answer["Content-Disposition"] == 'attachment; filename="endpoints.json"'
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert json.loads(text(answer))["objects"] == observed.get("/v1/endpoints")[1]["objects"]


def test_csv_has_a_row_for_each_endpoint(observed: Api) -> None:
    answer = download(observed, "format=csv&sort=-path")
    assert answer["Content-Type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(text(answer))))
    assert [row["path"] for row in rows] == sorted((row["path"] for row in rows), reverse=True)
    assert len(rows) == 8
    by_path = {row["path"]: row for row in rows}
    assert (by_path["/keys"]["types"], by_path["/keys"]["coverage"], by_path["/keys"]["refused"]) == (
        "api_key",
        "100.0",
        "0",
    )
    assert by_path['/=cmd|"calc"']["refused"] == ""


def test_openapi_is_a_valid_document_with_the_security_that_was_seen(observed: Api) -> None:
    document = json.loads(text(download(observed, "format=openapi")))
    valid(document)
    operation = document["paths"]["/users/{user_id}"]["get"]
    assert operation["security"] == [{"bearer": []}, {}]
    schemes = document["components"]["securitySchemes"]
    assert schemes["bearer"] == {"type": "http", "scheme": "bearer"}
    [key] = document["paths"]["/keys"]["get"]["security"]
    assert schemes[next(iter(key))] == {
        "type": "apiKey",
        "in": "header",
        "name": "X-API-KEY",
        "description": "type: api_key",
    }
    [cookie] = document["paths"]["/pages"]["get"]["security"]
    assert schemes[next(iter(cookie))]["name"] == "s id;"
    operations = {one["operation"]: one["status"] for one in document["paths"]["/graphql"]["post"]["x-gatecrash"]}
    assert operations == {"query Teas": "partial", "mutation Buy": "missing"}
    assert "/odd" not in document["paths"], "OpenAPI has no word for PURGE"


def test_the_filters_are_those_of_the_list(observed: Api) -> None:
    found = json.loads(text(download(observed, "format=json&status=missing&protocol=graphql")))["objects"]
    assert [one["operation"] for one in found] == ["mutation Buy"]


def test_many_pages_make_one_file(observed: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "_PAGE", 3)
    assert len(json.loads(text(download(observed, "format=json&sort=-requests,path")))["objects"]) == 8
    assert len(text(download(observed, "format=csv")).splitlines()) == 9


def test_an_inventory_without_endpoints_is_a_valid_file(api: Api) -> None:
    assert json.loads(text(download(api, "format=json"))) == {"objects": []}
    assert len(text(download(api, "format=csv")).splitlines()) == 1
    valid(json.loads(text(download(api, "format=openapi"))))


@pytest.mark.parametrize("query", ["", "format=xlsx", "format=csv&sort=colour"])
def test_what_cannot_be_exported_is_an_enveloped_error(api: Api, query: str) -> None:
    answer = download(api, query)
    assert (answer.status_code, answer.json()["status"]) == (400, 400)
    assert set(answer.json()["body"]) <= {"format", "sort"}
