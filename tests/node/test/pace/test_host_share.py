"""A part that is taken away counts until a whole window has passed without it."""

from gatecrash.node.test.pace.host_share import NOTHING, HostShare


def test_the_lower_of_both_limits_holds() -> None:
    share = HostShare(20)
    assert share.limit == 20
    share.tell(5, 0.0, sending=True)
    assert share.limit == 5
    share.tell(50, 1.0, sending=True)
    assert share.limit == 20
    share.tell(None, 2.0, sending=True)
    assert share.limit == 20
    assert HostShare(None).limit is None


def test_what_was_taken_away_is_held_for_a_window() -> None:
    share = HostShare(None)
    assert share.held(0.0) == NOTHING
    share.tell(100, 0.0, sending=True)
    assert share.held(0.1) == 100
    share.tell(40, 10.0, sending=True)
    assert share.held(10.9) == 100
    assert share.held(11.3) == 40
    share.tell(40, 20.0, sending=False)
    assert share.held(20.5) == 40
    assert share.held(21.3) == NOTHING


def test_unlimited_is_more_than_any_number() -> None:
    share = HostShare(None)
    share.tell(None, 0.0, sending=True)
    assert share.held(0.0) is None
    share.tell(10, 5.0, sending=True)
    assert share.held(5.5) is None
    assert share.held(6.3) == 10
