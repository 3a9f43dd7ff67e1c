"""What an address says of everything, and of one thing."""

import pytest

from gatecrash.core.testing.wholesale import empties_all


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("/admin/reset-database", True),
        ("/api/demo/reset", True),
        ("/wipeDatabase", True),
        ("/maintenance/reseed.php", True),
        ("/reset-password", False),
        ("/databases/7/reset", False),
        ("/data/reset/7", False),
        ("/demographics/reset", False),
    ],
)
def test_what_empties_all_there_is(address: str, expected: bool) -> None:
    assert empties_all(address) is expected
