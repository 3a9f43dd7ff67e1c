"""The queue between traffic and observers is bounded and gives its bytes back."""

from gatecrash.core.message import Exchange, Request
from gatecrash.node.observe.observations import KEPT_OF_CUT, Copy, Observation, Observations


def test_a_full_queue_drops_counts_and_gives_the_bytes_back() -> None:
    queue = Observations(max_waiting=1, max_bytes=100)
    for _ in range(3):
        assert queue.reserve(50)
        queue.put(Observation(Exchange(Request("GET", b"/")), whole=True, size=50))
    assert queue.dropped == 2
    assert not queue.reserve(60)
    assert len(queue.take_now()) == 1
    assert queue.reserve(100)


def test_a_copy_ends_at_its_limit_and_at_the_budget_and_counts_on() -> None:
    queue = Observations(max_bytes=6)
    copy = Copy(queue, limit=5)
    for piece in (b"abc", b"de", b"f"):
        copy.add(piece)
    assert (copy.bytes(), copy.cut, copy.size, copy.kept) == (b"abcde", True, 6, 5)
    other = Copy(queue, limit=100)
    other.add(b"gh")
    assert (other.bytes(), other.cut) == (b"", True)


def test_of_a_body_over_the_limit_only_the_beginning_is_held_on() -> None:
    limit = 3 * KEPT_OF_CUT
    queue = Observations(max_bytes=limit)
    copy = Copy(queue, limit)
    for _ in range(4):
        copy.add(b"x" * KEPT_OF_CUT)
    assert (copy.cut, copy.size, copy.kept) == (True, 4 * KEPT_OF_CUT, KEPT_OF_CUT)
    assert copy.bytes() == b"x" * KEPT_OF_CUT
    assert queue.reserve(limit - KEPT_OF_CUT)
    assert not queue.reserve(1)


def test_no_more_is_taken_than_a_number_or_so_many_bytes_and_the_rest_waits_in_order() -> None:
    queue = Observations(max_bytes=1000)
    for number in range(6):
        assert queue.reserve(100)
        queue.put(Observation(Exchange(Request("GET", b"/%d" % number)), whole=True, size=100))
    assert not queue.full_for(7)
    taken = [queue.take_now(most=1), queue.take_now(size=150), queue.take_now(most=2), queue.take_now()]
    assert [[each.exchange.request.target for each in some] for some in taken] == [
        [b"/0"],
        [b"/1", b"/2"],
        [b"/3", b"/4"],
        [b"/5"],
    ]
    assert not queue.full_for(1)
    assert queue.reserve(1000)
