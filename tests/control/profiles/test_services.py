"""Making, replacing and deleting profiles: bounded, noted without secrets, and never under a run that uses one."""

import json
from typing import Any

import pytest
from tests.control.profiles.conftest import SECRETS

from gatecrash.control import wall
from gatecrash.control.accounts.models import AuditEntry
from gatecrash.control.api.errors import ApiError, FieldErrors
from gatecrash.control.profiles import services, usage
from gatecrash.control.profiles.models import AuthProfileRow


def test_changes_are_noted_without_secrets(client_id: str, document: dict[str, Any]) -> None:
    with wall.client(client_id):
        row = services.replace(services.create(document), {**document, "name": "renamed"})
        services.delete(row)
        entries = AuditEntry.objects.filter(target=row.id).order_by("public_id")
        assert {one.action for one in entries} == {
            "auth_profile.create",
            "auth_profile.replace",
            "auth_profile.delete",
        }
        noted = json.dumps([one.detail for one in entries])
        assert not [secret for secret in SECRETS if secret in noted]


def test_a_deleted_one_has_no_secrets_left(client_id: str, document: dict[str, Any]) -> None:
    with wall.client(client_id):
        row = services.create(document)
        services.delete(row)
        assert bytes(AuthProfileRow.objects.get(id=row.id).sealed) == b""
        with pytest.raises(ApiError) as refused:
            services.delete(row)
        assert refused.value.status == 404


def test_one_that_is_used_is_neither_replaced_nor_deleted(
    client_id: str, document: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(usage, "_looks", [lambda profile_id: [f"user of {profile_id}"]])
    with wall.client(client_id):
        row = services.create(document)
        for change in (lambda: services.delete(row), lambda: services.replace(row, document)):
            with pytest.raises(FieldErrors) as refused:
                change()
            problem = refused.value.problems["auth_profile_id"]
            assert (refused.value.status, problem["runs"]) == (409, [f"user of {row.id}"])


def test_a_client_has_a_bounded_number(
    client_id: str, document: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MOST", 1)
    with wall.client(client_id):
        services.create(document)
        with pytest.raises(FieldErrors) as refused:
            services.create(document)
    assert refused.value.problems == {"name": {"error": "out_of_range", "value": None, "max": 1}}


@pytest.mark.parametrize(
    ("fault", "field", "told"),
    [
        ({"identities": [{"name": "a", "values": [{"point": ["nowhere"], "value": "hunter2"}]}]}, "identities", "nowhere"),
        ({"base": "http://h/path?password=hunter2"}, "base", "is no origin"),
        ({"variables": {"a": "${env:HOME}"}}, "body", "filled in by the command line"),
        ({"identities": []}, "body", "has no credentials"),
        ({"sign": {"scheme": "made up", "key": "hunter2"}}, "sign", "is none of"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_by_its_place_and_never_by_its_value(
    client_id: str, document: dict[str, Any], fault: dict[str, Any], field: str, told: str
) -> None:
    given = {**({} if "sign" in fault else document), "name": "x", **fault}
    with wall.client(client_id), pytest.raises(FieldErrors) as refused:
        services.create(given)
    ((name, problem),) = refused.value.problems.items()
    assert (name, problem["error"], problem["value"]) == (field, "invalid_value", None)
    assert told in problem["message"]
    assert "hunter2" not in str(problem)


@pytest.mark.parametrize("given", [10**40, -(10**19), [{"json": {"n": 2**64}}]])
def test_an_integer_that_cannot_be_kept_is_refused_where_it_stands(
    client_id: str, document: dict[str, Any], given: object
) -> None:
    with wall.client(client_id), pytest.raises(FieldErrors) as refused:
        services.create({**document, "refresh": given, "once": given})
    assert {name: problem["error"] for name, problem in refused.value.problems.items()} == {
        "refresh": "out_of_range",
        "once": "out_of_range",
    }
