"""News: what happens in one app and others may want to hear of. Who tells knows nothing of who listens.

news.register(hear)                       hear(kind, about), within the teller's transaction and client
news.tell(RUN_ENDED, lambda: News(…))     about is asked by those who want this kind only
"""

from collections.abc import Callable
from typing import Any, NamedTuple

RUN_ENDED = "test_run.ended"
VULNERABILITY_FOUND = "vulnerability.found"
ENDPOINT_STATUS = "endpoint.status"
SCHEDULE_PAUSED = "schedule.paused"


class News(NamedTuple):
    """What happened. text: in one sentence. path: of the page that shows it. data: for programs; nothing secret."""

    text: str
    path: str
    data: dict[str, Any]


About = Callable[[], News | None]
"""What there is to tell; None where it turns out to be nothing."""
Hear = Callable[[str, About], None]

_hearers: list[Hear] = []


def register(hear: Hear) -> None:
    """Let this hear all that is told from now on."""
    if hear not in _hearers:
        _hearers.append(hear)


def tell(kind: str, about: About) -> None:
    """Tell it to everybody who listens."""
    for hear in _hearers:
        hear(kind, about)
