"""Which addresses are the same in another version."""

import pytest

from gatecrash.core.testing.surroundings.versions import names_version, newer_versions


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
