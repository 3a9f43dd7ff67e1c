"""A full disk is told apart from a database that is away, for both kinds of database."""

import pytest
from django.db import OperationalError

from gatecrash.control import full_disk


@pytest.mark.parametrize(
    "error",
    [
        OperationalError("database or disk is full"),
        OperationalError(
            'could not extend file "base/5/16384": No space left on device\nHINT:  Check free disk space.'
        ),
    ],
)
def test_no_room(error: Exception) -> None:
    assert full_disk.is_full(error)


@pytest.mark.parametrize(
    "error", [OperationalError("database is locked"), OSError("No space left on device"), RuntimeError("full"), None]
)
def test_other_trouble(error: Exception | None) -> None:
    assert not full_disk.is_full(error)
