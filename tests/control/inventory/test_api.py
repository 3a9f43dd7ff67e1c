"""Contract 4.1 and 4.2, and the inventory over the API."""

from collections.abc import Callable
from typing import Any, get_args

import pytest
from tests.control.calling import Api

from gatecrash.control import wall
from gatecrash.control.inventory import queries, schemas, services
from gatecrash.control.inventory.models import AuthParameter
from gatecrash.core.auth.parameters import DEFAULTS
from gatecrash.core.auth.scheme import AuthType
from gatecrash.wire.counts import Counts, EndpointCount, ParameterCount

pytestmark = [pytest.mark.database, pytest.mark.django_db]

HOUR = 3600


def path(client_id: str, entry: str = "") -> str:
    return f"/v1/clients/{client_id}/apid/config/auth-parameters{entry and '/' + entry}"


def test_the_34_defaults_come_first_in_a_stable_order(api: Api) -> None:
    status, body = api.get(path(api.client_id))
    assert status == 200
    assert [entry["point"] for entry in body["parameters"]] == [[list(point)] for point in DEFAULTS]
    assert len(body["parameters"]) == 34
    assert {(entry["source"], entry["created_at"]) for entry in body["parameters"]} == {("default", None)}
    assert len({entry["id"] for entry in body["parameters"]}) == 34
    assert api.get(path(api.client_id))[1] == body


SHAPES = [
    [["header", "X-CUSTOM"]],
    [["header", "COOKIE", "cookie", "Sess"]],
    [["get", "Tok"]],
    [["post", "form_urlencoded", "Field"]],
    [["post", "json_doc", "json_obj", "Field"]],
]


@pytest.mark.parametrize("point", SHAPES)
def test_each_shape_of_the_contract_is_added_listed_and_removed(point: list[list[str]], api: Api) -> None:
    status, entry = api.post(path(api.client_id), {"point": point})
    assert status == 200
    assert set(entry) == {"id", "point", "source", "created_at"}
    assert (entry["point"], entry["source"]) == (point, "custom")
    assert entry["id"].startswith("ap_")
    assert isinstance(entry["created_at"], int)
    assert api.get(path(api.client_id))[1]["parameters"][34:] == [entry]
    assert api.delete(path(api.client_id, entry["id"])) == (200, entry)
    assert len(api.get(path(api.client_id))[1]["parameters"]) == 34
    assert api.delete(path(api.client_id, entry["id"]))[0] == 404


def test_a_bare_location_is_understood_and_a_header_is_stored_in_capitals(api: Api) -> None:
    status, entry = api.post(path(api.client_id), {"point": ["header", "x-a"]})
    assert (status, entry["point"]) == (200, [["header", "X-A"]])


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ([["header", "X-A"]], [["header", "x-a"]]),
        ([["get", "a"]], ["get", "a"]),
        (None, [["header", "apikey"]]),
        (None, [["get", "api_key"]]),
        (None, [["header", "COOKIE", "cookie", "<IDP>_IDENTITY"]]),
    ],
)
def test_a_duplicate_is_409_a_default_included(first: object, again: object, api: Api) -> None:
    if first is not None:
        assert api.post(path(api.client_id), {"point": first})[0] == 200
    expected = {"point": {"error": "already_exists", "value": again}}
    assert api.post(path(api.client_id), {"point": again}) == (409, expected)


def test_names_in_other_casings_are_other_entries_except_of_headers(api: Api) -> None:
    for name in ("Api_Key", "API_KEY"):
        assert api.post(path(api.client_id), {"point": [["get", name]]})[0] == 200


def test_a_name_of_a_built_in_rule_may_be_added(api: Api) -> None:
    assert api.post(path(api.client_id), {"point": [["header", "AUTHORIZATION"]]})[0] == 200


BAD_POINTS: list[Any] = [
    None,
    1,
    "header",
    {},
    [],
    [[]],
    [["header"]],
    [["header", ""]],
    [["header", "A B"]],
    [["header", "A\tB"]],
    [["header", "A", "B"]],
    [["header", 1]],
    [["header", "COOKIE"]],
    [["header", "cookie"]],
    [["header", "HOST"]],
    [["header", "Content-Type"]],
    [["header", "USER-AGENT"]],
    [["header", "COOKIE", "cookie", ""]],
    [["get", "x" * 257]],
    [["get", "a\x7f"]],
    [["get", "a"], ["get", "b"]],
    [["path", "0"]],
    [["post", "json_doc", "a"]],
    [["post", "xml", "xml_tag", "a"]],
    [[["get", "a"]]],
    [["get", None]],
]


@pytest.mark.parametrize("point", BAD_POINTS)
def test_any_other_shape_is_invalid_point_and_changes_nothing(point: object, api: Api) -> None:
    status, body = api.post(path(api.client_id), {"point": point})
    assert status == 400
    assert set(body) == {"point"}
    assert (body["point"]["error"], body["point"]["value"]) == ("invalid_point", point)
    assert len(api.get(path(api.client_id))[1]["parameters"]) == 34


def test_point_is_required_and_other_fields_are_unknown(api: Api) -> None:
    assert api.post(path(api.client_id), {"x": 1}) == (
        400,
        {"point": {"error": "required", "value": None}, "x": {"error": "unknown_field", "value": 1}},
    )


def test_a_default_cannot_be_removed(api: Api) -> None:
    first = api.get(path(api.client_id))[1]["parameters"][0]
    status, body = api.delete(path(api.client_id, first["id"]))
    assert (status, body["error"]) == (403, "forbidden")


def test_a_client_has_at_most_1000_custom_entries(api: Api, client_id: str) -> None:
    with wall.client(client_id):
        AuthParameter.objects.bulk_create(
            AuthParameter(id=f"ap_{number}", point=["get", f"n{number}"], digest=str(number), created_at=1)
            for number in range(999)
        )
    assert api.post(path(api.client_id), {"point": [["get", "last"]]})[0] == 200
    status, body = api.post(path(api.client_id), {"point": [["get", "over"]]})
    assert (status, body["point"]["error"], body["point"]["max"]) == (400, "out_of_range", 1000)


def test_a_change_reaches_nodes_with_a_new_version_and_the_audit_log(api: Api, client_id: str) -> None:
    before = queries.client_config(client_id)
    entry = api.post(path(client_id), {"point": [["header", "X-A"]]})[1]
    after = queries.client_config(client_id)
    assert after.version > before.version
    assert (before.parameters, after.parameters) == ((), (("header", "X-A"),))
    api.delete(path(client_id, entry["id"]))
    assert queries.client_config(client_id).version > after.version
    assert queries.config_version(client_id) == queries.client_config(client_id).version
    actions = [one["action"] for one in api.get("/v1/audit")[1]["objects"]]
    assert {"auth_parameter.create", "auth_parameter.delete"} <= set(actions)


def test_one_clients_entries_are_not_anothers(api: Api, other_id: str, caller: Callable[..., Api]) -> None:
    entry = api.post(path(api.client_id), {"point": [["get", "mine"]]})[1]
    other = caller(other_id)
    assert len(other.get(path(other_id))[1]["parameters"]) == 34
    assert other.delete(path(other_id, entry["id"]))[0] == 404
    assert other.post(path(other_id), {"point": [["get", "mine"]]})[0] == 200


def test_a_refused_change_changes_nothing(api: Api, client_id: str, caller: Callable[..., Api]) -> None:
    entry = api.post(path(client_id), {"point": [["get", "mine"]]})[1]
    before = (api.get(path(client_id))[1], queries.config_version(client_id))
    for role in ("viewer", "ci", "node"):
        weak = caller(client_id, role)
        assert weak.post(path(client_id), {"point": [["get", "b"]]})[0] == 403
        assert weak.delete(path(client_id, entry["id"]))[0] == 403
    assert (api.get(path(client_id))[1], queries.config_version(client_id)) == before


def test_built_in_rules_are_read_beside(api: Api) -> None:
    status, body = api.get(f"/v1/clients/{api.client_id}/apid/config/auth-rules")
    assert status == 200
    names = [name["point"] for rule in body["rules"] for name in rule["names"]]
    assert [["header", "X-API-KEY"]] in names
    assert {"basic", "bearer"} <= {word for rule in body["rules"] for word in rule["words"]}


def test_the_filter_knows_every_type() -> None:
    assert get_args(schemas.TypeName) == tuple(item.value for item in AuthType)


def observe(client_id: str, at: int, *counts: EndpointCount, sequence: int = 1) -> None:
    batch = Counts(node_id="node_1", session="s", spool="p", sequence=sequence, endpoints=counts)
    services.apply_counts(client_id, "node_1", batch, at=at)


def count(at: int, path: str, requests: int, authenticated: int, **more: Any) -> EndpointCount:
    parameters = (
        (ParameterCount("bearer", ("header", "AUTHORIZATION"), authenticated, authenticated),) if authenticated else ()
    )
    given = {"method": "GET", "host": "api.example.com", "refused": 0, "parameters": parameters, **more}
    return EndpointCount(
        hour=at // HOUR,
        protocol="rest",
        path=path,
        requests=requests,
        authenticated=authenticated,
        first_seen=at,
        last_seen=at,
        **given,
    )


@pytest.fixture
def observed(client_id: str) -> int:
    """Four endpoints, one of each status and one without detection's answer."""
    at = 1_800_000_000
    observe(
        client_id,
        at,
        count(at, "/consistent", 100, 95),
        count(at, "/partial", 10_000, 9499),
        count(at, "/missing", 5, 0, refused=None, method="POST"),
        count(at, "/almost", 100_000, 1, host="other.example.com"),
    )
    return at


def listed(api: Api, query: str = "") -> list[str]:
    status, body = api.get(f"/v1/endpoints{query}")
    assert status == 200
    return [one["path"] for one in body["objects"]]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ["/consistent", "/missing", "/partial", "/almost"]),
        ("?status=consistent", ["/consistent"]),
        ("?status=partial", ["/partial", "/almost"]),
        ("?status=missing", ["/missing"]),
        ("?status=no_traffic", []),
        ("?type=bearer", ["/consistent", "/partial", "/almost"]),
        ("?type=basic", []),
        ("?host=OTHER.example.com", ["/almost"]),
        ("?method=post", ["/missing"]),
        ("?limit=2", ["/consistent", "/missing"]),
        ("?limit=2&offset=3", ["/almost"]),
        ("?status=partial&host=api.example.com", ["/partial"]),
    ],
)
def test_the_list_is_filtered_ordered_and_paged(query: str, expected: list[str], api: Api, observed: int) -> None:
    assert listed(api, query) == expected


def test_total_counts_all_that_match(api: Api, observed: int) -> None:
    assert api.get("/v1/endpoints?limit=1&status=partial")[1]["total"] == 2


def test_an_endpoint_has_status_coverage_and_the_four_columns(api: Api, observed: int) -> None:
    shown = next(one for one in api.get("/v1/endpoints")[1]["objects"] if one["path"] == "/consistent")
    status, whole = api.get(f"/v1/endpoints/{shown['id']}")
    assert (status, whole | shown) == (200, whole)
    assert shown["id"].startswith("ep_")
    assert (shown["status"], shown["coverage"], shown["requests"], shown["authenticated"]) == (
        "consistent",
        95.0,
        100,
        95,
    )
    assert shown["types"] == ["bearer"]
    assert shown["parameters"] == [
        {
            "type": "bearer",
            "coverage": 95.0,
            "key": "AUTHORIZATION",
            "context": "header",
            "point": [["header", "AUTHORIZATION"]],
            "seen": 95,
            "valid": 95,
            "unproven": False,
        }
    ]


def test_status_is_exact_and_refused_is_null_without_answers(api: Api, observed: int) -> None:
    by_path = {one["path"]: one for one in api.get("/v1/endpoints")[1]["objects"]}
    assert (by_path["/partial"]["status"], by_path["/partial"]["coverage"]) == ("partial", 94.99)
    assert (by_path["/almost"]["status"], by_path["/almost"]["coverage"]) == ("partial", 0.01)
    assert by_path["/missing"]["refused"] is None
    assert by_path["/partial"]["refused"] == 0


@pytest.mark.parametrize("query", ["?status=x", "?type=x", "?limit=0", "?limit=1001", "?offset=-1", "?host=%00"])
def test_a_wrong_filter_is_a_field_error(query: str, api: Api) -> None:
    status, body = api.get(f"/v1/endpoints{query}")
    assert status == 400
    assert set(body) == {query[1:].partition("=")[0]}


def test_another_clients_endpoints_are_not_there(
    api: Api, observed: int, other_id: str, caller: Callable[..., Api]
) -> None:
    first = api.get("/v1/endpoints")[1]["objects"][0]
    other = caller(other_id)
    assert other.get("/v1/endpoints")[1] == {"objects": [], "total": 0, "next_cursor": None}
    assert other.get(f"/v1/endpoints/{first['id']}")[0] == 404
