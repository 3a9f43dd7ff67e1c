"""A part that a test needs and this machine lacks: skipped with the reason, except in CI, where nothing may skip."""

import os

import pytest


def nothing_may_skip() -> bool:
    """Whether each test must run here, as in CI."""
    return os.environ.get("GATECRASH_REQUIRE_ALL") == "1"


def absent(reason: str) -> pytest.MarkDecorator:
    """A mark that skips with the reason, or makes the test fail where GATECRASH_REQUIRE_ALL is set."""
    if nothing_may_skip():
        return pytest.mark.usefixtures("nothing_may_be_absent")
    return pytest.mark.skip(reason=reason)


def require(present: object, reason: str) -> None:
    """Skip the running test with the reason unless the part is present; fail instead in CI."""
    if present:
        return
    if nothing_may_skip():
        pytest.fail(f"nothing may be skipped here, but {reason}")
    pytest.skip(reason)
