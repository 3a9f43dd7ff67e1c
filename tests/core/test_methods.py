"""RFC 9110 section 9.2.1 and 9.2.2 name them one by one."""

from gatecrash.core.methods import IDEMPOTENT, SAFE


def test_what_is_safe_may_be_repeated() -> None:
    assert {"GET", "HEAD", "OPTIONS", "TRACE"} == SAFE
    assert {"PUT", "DELETE"} == IDEMPOTENT - SAFE
