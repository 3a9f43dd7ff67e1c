"""A profile as somebody would write it, its secrets easy to look for."""

from typing import Any

import pytest
from tests.control.testruns.conftest import create, http, new_node, node, show

__all__ = ["create", "http", "new_node", "node", "show"]

SECRETS = ("hunter2", "s3cret-value", "hawk-key-text")


@pytest.fixture
def document() -> dict[str, Any]:
    return {
        "name": "shop users",
        "base": "http://127.0.0.1:9",
        "check": {"url": "/me", "status": 200},
        "identities": [
            {
                "name": "alice",
                "rank": 1,
                "variables": {"password": "hunter2"},
                "login": [
                    {
                        "method": "POST",
                        "url": "/login",
                        "json": {"user": "alice", "password": "${password}"},
                        "take": {"token": {"json": "$.token"}},
                    }
                ],
                "values": [{"point": ["header", "AUTHORIZATION"], "value": "Bearer ${token}"}],
            },
            {"name": "bob", "values": [{"point": ["post", "json_doc", "json_obj", "who"], "value": "s3cret-value"}]},
            {"name": "robot", "sign": {"scheme": "hawk", "key_id": "r", "key": "hawk-key-text"}},
        ],
    }
