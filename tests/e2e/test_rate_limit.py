"""A token has so many requests a minute; the next is told when to come back, and other tokens and nodes do not feel it."""

from pathlib import Path

import pytest
from tests.e2e.caller import plain_error
from tests.e2e.service import Service

pytestmark = pytest.mark.database


def test_the_request_after_the_last_is_429(tmp_path: Path, database_url: str) -> None:
    with Service(tmp_path, database_url, GATECRASH_RATE_LIMIT="5") as service, service.tenant() as tenant:
        assert [tenant.admin.get("/v1/test_run").status for _ in range(5)] == [200] * 5
        late = tenant.admin.post("/v1/test_run", {"name": "late"})
        plain_error(late, 429, "rate_limited")
        assert 1 <= int(late.headers["retry-after"]) <= 60
        listed = tenant.callers["viewer"].did("GET", "/v1/test_run")
        assert listed["objects"] == [], "what was refused has not happened, and another token has its own count"
        for _ in range(10):
            tenant.node.beat()
