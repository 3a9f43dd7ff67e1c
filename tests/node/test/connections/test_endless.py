"""Which answers need not end, and until when they are read."""

import pytest

from gatecrash.node.test.connections.endless import Flow, is_endless


@pytest.mark.parametrize(
    ("kind", "endless"),
    [
        (b"text/event-stream", True),
        (b"Text/Event-Stream; charset=utf-8", True),
        (b"multipart/x-mixed-replace; boundary=frame", True),
        (b"text/html", False),
        (b"application/json", False),
    ],
)
def test_streams_are_known_by_their_type(kind: bytes, endless: bool) -> None:
    assert is_endless(((b"content-type", kind),)) is endless


def test_a_stream_is_over_when_it_is_silent_or_has_been_read_for_long_enough() -> None:
    flow = Flow(10.0)
    assert flow.due(3, 15) == 13
    flow.last = 24.0
    assert flow.due(3, 15) == 25
