"""An answer's Date is a moment; what cannot be read is none."""

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.dated import dated


def test_a_date_is_read_as_unix_seconds() -> None:
    assert dated(Response(200, ((b"date", b"Sun, 06 Nov 1994 08:49:37 GMT"),))) == 784111777


@pytest.mark.parametrize("headers", [(), ((b"Date", b""),), ((b"Date", b"yesterday"),), ((b"Date", b"\xff"),)])
def test_what_is_no_date_is_none(headers: tuple[tuple[bytes, bytes], ...]) -> None:
    assert dated(Response(200, headers)) is None
