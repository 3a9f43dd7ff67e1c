"""The bounds of a node travel to its testing processes as they are."""

import msgspec

from gatecrash.node.test.bounds import DEFAULT_BOUNDS, Bounds


def test_they_come_out_as_they_went_in() -> None:
    bounds = Bounds(3, "a.example", (("127.0.0.1", 80),), verify_tls=False, rps_per_host=7)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(bounds), type=Bounds) == bounds


def test_nothing_set_limits_no_host_and_verifies_certificates() -> None:
    assert DEFAULT_BOUNDS.rps_per_host is None
    assert DEFAULT_BOUNDS.verify_tls
