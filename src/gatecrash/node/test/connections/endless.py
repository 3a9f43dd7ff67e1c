"""Answers that need not end: events that come as they happen, pictures of a camera.

Whoever waits for their end waits for the longest time that an answer may take, at each test. So one is read until it says
nothing for a while, and is what came until then.
"""

from gatecrash.core.message import Headers, all_values

_TYPES = (b"text/event-stream", b"multipart/x-mixed-replace", b"application/x-ndjson", b"application/stream+json")


def is_endless(headers: Headers) -> bool:
    """Whether an answer with this head may be a stream without an end."""
    return any(value.strip().lower().startswith(_TYPES) for value in all_values(headers, b"Content-Type"))


class Flow:
    """Such an answer under way. last: when its head or latest piece came. cut: it was ended by us."""

    __slots__ = ("began", "cut", "last")

    def __init__(self, now: float) -> None:
        """Its head has just come."""
        self.began = self.last = now
        self.cut = False

    def due(self, quiet: float, flowing: float) -> float:
        """When it has said nothing for too long, or has been read for long enough."""
        return min(self.last + quiet, self.began + flowing)
