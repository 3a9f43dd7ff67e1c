"""A password counts in the record of somebody, and nowhere else."""

import json

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.accounts import passwords_in

JSON = ((b"Content-Type", b"application/json"),)


def shown(document: object) -> frozenset[str]:
    return passwords_in(Response(200, JSON, json.dumps(document).encode()))


@pytest.mark.parametrize(
    "document",
    [
        [{"id": 1, "username": "ann", "password": "sesame1"}],
        {"users": [{"email": "ann@example.com", "passwordHash": "sesame1"}]},
        {"data": {"user": {"name": "ann", "pwd": "sesame1", "role": "admin"}}},
    ],
)
def test_a_record_of_somebody_shows_its_password(document):
    assert shown(document) == {"sesame1"}


@pytest.mark.parametrize(
    "document",
    [
        {"errors": {"name": "is missing", "password": "is too short"}},
        {"fields": {"username": "string", "password": "string"}},
        {"labels": {"login": "Login", "password": "Password"}},
        {"password": "sesame1"},
        {"username": "ann", "password": None},
        {"username": "ann", "password": "********"},
        {"username": "ann", "password": "[removed]"},
        {"username": "ann", "password_reset": "https://example.com/reset"},
        "password",
        [],
    ],
)
def test_what_only_has_a_member_of_that_name_shows_none(document):
    assert shown(document) == frozenset()


def test_answers_that_are_no_json_show_none():
    assert passwords_in(Response(200, (), b"<p>name: ann, password: sesame1</p>")) == frozenset()
