"""Adding authentication parameters: every point that contract 2.3 does not know is refused, and nothing changed."""

import pytest
from tests.e2e.caller import Answer, field_error
from tests.e2e.tenant import Tenant

pytestmark = pytest.mark.database


def answers(tenant: Tenant, bodies: list[object]) -> list[Answer]:
    """The answers to adding each of these parameters."""
    return [tenant.admin.post(tenant.parameters, body) for body in bodies]


@pytest.mark.parametrize(
    "point",
    [
        [],
        [[]],
        [["header"]],
        [["header", ""]],
        [["header", "A", "B"]],
        [["header", "X-" + "A" * 255]],
        [["header", "X A"]],
        [["header", "X\tA"]],
        [["header", "X\x00"]],
        [["header", "X\x7f"]],
        [["header", "COOKIE"]],
        [["header", "cookie"]],
        [["header", "HOST"]],
        [["header", "Content-Type"]],
        [["header", "CONTENT-LENGTH"]],
        [["header", "USER-AGENT"]],
        [["header", "COOKIE", "cookie"]],
        [["header", "COOKIE", "cookie", ""]],
        [["header", "COOKIE", "x", "sid"]],
        [["header", "X-A", "cookie", "sid"]],
        [["get"]],
        [["get", ""]],
        [["get", "a", "b"]],
        [["get", "a" * 257]],
        [["get", "a b"]],
        [["post", "a"]],
        [["post", "form_urlencoded"]],
        [["post", "form_urlencoded", ""]],
        [["post", "json_doc", "a"]],
        [["post", "json_doc", "json_obj"]],
        [["post", "json_doc", "json_obj", "a", "json_obj", "b"]],
        [["post", "json_doc", "json_array", "0"]],
        [["path", "0"]],
        [["uri"]],
        [["GET", "a"]],
        [["header", "X-A"], ["get", "a"]],
        [["header", 5]],
        [["header", None]],
        [["header", ["X-A"]]],
        [[["header", "X-A"]]],
        ["header"],
        ["get", "a", "b"],
    ],
    ids=str,
)
def test_a_point_of_another_shape_is_refused(refused: Tenant, point: object) -> None:
    field_error(refused.admin.post(refused.parameters, {"point": point}), "point", "invalid_point", point)


@pytest.mark.parametrize("point", [True, 5, 5.0, "header", {}, None])
def test_a_point_that_is_no_list_is_refused(refused: Tenant, point: object) -> None:
    answer = refused.admin.post(refused.parameters, {"point": point})
    assert answer.status == 400
    assert answer.body["point"]["error"] in {"invalid_type", "invalid_point"}
    assert answer.body["point"]["value"] == point


def test_a_point_is_required_and_comes_alone(refused: Tenant) -> None:
    missing, more = answers(refused, [{}, {"point": [["get", "a"]], "source": "default"}])
    field_error(missing, "point", "required", None)
    field_error(more, "source", "unknown_field", "default")


def test_a_name_of_256_characters_is_taken(guest: Tenant) -> None:
    for point in (["header", "X" * 256], ["get", "a" * 256], ["post", "json_doc", "json_obj", "é" * 256]):
        assert guest.admin.did("POST", guest.parameters, {"point": [point]})["point"] == [point]
