"""What stands in a section for those who manage and is told outside of it as well."""

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.authorization.ranks.told_anyway import outside, told_anyway
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.oracles.difference import read
from gatecrash.core.testing.probe import Answer

JSON, HTML = (b"Content-Type", b"application/json"), (b"Content-Type", b"text/html")
BOOKED = Response(200, (JSON,), b'[{"room": "Hall", "day": "2026-12-30"}, {"room": "Lab", "day": "2026-12-31"}]')


@pytest.mark.parametrize(
    ("path", "there"),
    [
        (b"/admin/news", b"/news"),
        (b"/api/v1/manage/rooms/7", b"/api/v1/rooms/7"),
        (b"/admin", None),
        (b"/news", None),
    ],
)
def test_the_same_address_outside(path: bytes, there: bytes | None) -> None:
    assert outside(path) == there


@pytest.mark.parametrize(
    ("told", "answer", "anyway"),
    [
        (BOOKED, BOOKED, True),
        (BOOKED, Response(200, (HTML,), b"<p>Hall 2026-12-30</p><p>Lab 2026-12-31</p>"), True),
        (BOOKED, Response(200, (HTML,), b"<p>Hall</p>"), False),
        (BOOKED, Response(403, (JSON,), b"{}"), False),
    ],
    ids=["the same", "as a page", "less", "refused"],
)
def test_what_is_told_there(told: Response, answer: Response, anyway: bool) -> None:
    request = Request("GET", b"/manage/rooms?day=1")
    asking = told_anyway(request, Identity("ann"), told, read(told).facts)
    sent = next(asking)
    assert (sent.request.target, sent.identity) == (b"/rooms?day=1", "ann")
    with pytest.raises(StopIteration) as end:
        asking.send(Answer(Exchange(sent.request, answer)))
    assert end.value.value is anyway


@pytest.mark.parametrize(("path", "anyway"), [(b"/admin/news", True), (b"/admin/logs", False)])
def test_what_is_written_for_all_to_read_may_stand_in_the_section_alone(path: bytes, anyway: bool) -> None:
    asking = told_anyway(Request("GET", path), Identity("ann"), BOOKED, read(BOOKED).facts)
    with pytest.raises(StopIteration) as end:
        asking.send(Answer(Exchange(next(asking).request, Response(404))))
    assert end.value.value is anyway


def test_what_people_keep_to_themselves_is_asked_for_nowhere_else() -> None:
    mails = Response(200, (JSON,), b'[{"email": "ann@a.example"}, {"email": "ben@a.example"}]')
    assert not list(told_anyway(Request("GET", b"/admin/users"), Identity("eve"), mails, read(mails).facts))
