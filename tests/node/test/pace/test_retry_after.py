"""How long a target asks for is read from a number or a date."""

from email.utils import formatdate
from time import time

import pytest

from gatecrash.node.test.pace.retry_after import retry_after


@pytest.mark.parametrize(
    ("value", "seconds"), [(None, None), (b"7", 7.0), (b" 3 ", 3.0), (b"soon", None), (b"-1", None), (b"", None)]
)
def test_retry_after_in_seconds(value: bytes | None, seconds: float | None) -> None:
    assert retry_after(value) == seconds


def test_retry_after_as_a_date() -> None:
    found = retry_after(formatdate(time() + 60, usegmt=True).encode())
    assert found is not None
    assert 50 < found <= 60
    assert retry_after(formatdate(0, usegmt=True).encode()) == 0.0
