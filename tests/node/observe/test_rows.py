"""Rows hold all that was counted, and batches gathered into few hold the same as the many."""

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.inventory.fold import Folder
from gatecrash.core.inventory.templates import of_a_file
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.node.observe.rows import MAX_ENDPOINTS, batches_of, gathered
from gatecrash.wire.counts import Counts, EndpointCount

HOUR = 3600


def traffic(second: int) -> list[Exchange]:
    named = ((b"X-API-Key", b"key-of-some-length-1"), (b"User-Agent", b"curl/8.0"))
    return [
        Exchange(Request("GET", b"/teas", named, host="h"), Response(200), started=second),
        Exchange(Request("GET", b"/teas", (), host="h"), Response(401), started=second + 1),
        Exchange(Request("GET", b"/cups?access_token=abcdefgh1234", (), host="h"), Response(500), started=second + 2),
        Exchange(Request("POST", b"/cups", named[1:], host="h"), None, started=second + 3),
    ]


def test_an_hour_of_batches_gathered_is_what_one_batch_would_have_held() -> None:
    whole = [exchange for second in range(0, 3 * HOUR, 60) for exchange in traffic(second)]
    # From the third on every exchange is told at once.
    many, folder = [], Folder(compile_recogniser())
    for start in range(0, len(whole), 4):
        for exchange in whole[start : start + 4]:
            folder.add(exchange)
        many += batches_of(folder.take())
    assert len(many) > 100
    [one] = gathered(many)
    at_once = Folder(compile_recogniser(), of_a_file())
    for exchange in whole:
        at_once.add(exchange)
    [direct] = batches_of(at_once.take())
    assert rows(one) == rows(direct)
    assert sum(row.requests for row in one.endpoints) == len(whole)
    assert {row.hour for row in one.endpoints} == {0, 1, 2}
    assert any(row.notes for row in one.endpoints)
    assert any(row.without for row in one.endpoints)


def rows(batch: Counts) -> dict[tuple[int, str, str], tuple[object, ...]]:
    return {
        (row.hour, row.method, row.path): (
            *(row.requests, row.authenticated, row.refused, row.authenticated_refused, row.first_seen, row.last_seen),
            *(sorted(map(repr, part)) for part in (row.parameters, row.statuses, row.without, row.notes)),
        )
        for row in batch.endpoints
    }


def test_batches_are_of_bounded_size() -> None:
    row = EndpointCount(1, "rest", "GET", "h", "/", 1, 0, None, 0, 0)
    many = [Counts("", "", "", 0, (EndpointCount(hour, *[getattr(row, name) for name in row.__struct_fields__[1:]]),)) for hour in range(MAX_ENDPOINTS + 1)]  # fmt: skip
    assert [len(batch.endpoints) for batch in gathered(many)] == [MAX_ENDPOINTS, 1]
