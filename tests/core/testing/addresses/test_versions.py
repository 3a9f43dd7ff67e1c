"""Which addresses are the same in another version."""

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.addresses.versions import names_version, newer_versions, other_versions


@pytest.mark.parametrize(
    ("target", "newer"),
    [
        (b"/v1/members", [b"/v2/members", b"/v3/members", b"/v4/members"]),
        (
            b"/api/v9/members?page=1",
            [b"/api/v10/members?page=1", b"/api/v11/members?page=1", b"/api/v12/members?page=1"],
        ),
        (b"/members/v1", []),
        (b"/videos/1", []),
        (b"/members?next=/v1/members", []),
    ],
)
def test_the_next_versions_of_an_address(target: bytes, newer: list[bytes]) -> None:
    assert list(newer_versions(target)) == newer
    assert names_version(target) is bool(newer)


@pytest.mark.parametrize(
    ("target", "others"),
    [
        (b"/api/v1/jobs?page=2", [b"/api/v2/jobs?page=2"]),
        (b"/v2/jobs", [b"/v3/jobs", b"/v1/jobs"]),
        (b"/jobs?path=/v1/", []),
        (b"/video/v", []),
        (b"/api/v1.0/jobs", [b"/api/v2.0/jobs"]),
    ],
)
def test_the_versions_beside_one(target: bytes, others: list[bytes]) -> None:
    assert [other.target for other in other_versions(Request("GET", target))] == others
