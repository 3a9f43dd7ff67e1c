"""Who a test request is sent as: what a probe may know of an identity, which is never its credentials."""

import msgspec


class Identity(msgspec.Struct, frozen=True):
    """One identity of the application under test.

    name: unique within a run; a TestRequest names it. rank: higher is more privileged; equal ranks are peers.
    """

    name: str
    rank: int = 0
