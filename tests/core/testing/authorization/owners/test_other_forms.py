"""The same object in another form."""

import pytest
from tests.core.testing.driving import credentials_of, record
from tests.core.testing.probes.as_tenants import OPAQUE, drive_as
from tests.range.tenants_store import BY_TOKEN

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.owners.other_forms import kept_from_him_itself
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.probes.idor import PROBE
from gatecrash.core.testing.verdict import Outcome

OTHER = Identity("ben")
NAMED = Named(Point(("path", "1")), "7", b"/documents")


def told(path: bytes, owners: int, others: int, *newer: bytes) -> tuple[str, list[bytes]]:
    """What is said, and what was asked for it. owners, others: how the object's own address, or a newer version's, answers them."""
    asking, asked = kept_from_him_itself(Request("GET", path), OTHER, NAMED, newer), []
    try:
        question = next(asking)
        while True:
            asked.append(question.request.path)
            status = others if question.identity == OTHER.name else owners
            question = asking.send(Answer(Exchange(question.request, Response(status, body=b"{}"))))
    except StopIteration as end:
        return end.value, asked


@pytest.mark.parametrize("status", [403, 404])
def test_what_refuses_the_other_itself_is_not_his_as_a_file(status: int) -> None:
    said = "/documents/7 is refused to the other"
    assert told(b"/documents/7/download", 200, status) == (said, [b"/documents/7"] * 2)
    assert told(b"/documents/7/invoice.pdf", 200, status)[0] == said
    assert told(b"/documents/7/text", 200, status)[0] == told(b"/documents/7/label", 200, status)[0] == said


@pytest.mark.parametrize(
    ("path", "owners", "others", "asked"),
    [
        (b"/documents/7/download", 200, 200, 2),
        (b"/documents/7/download", 200, 401, 2),
        (b"/documents/7/download", 405, 405, 1),
        (b"/documents/7/comments", 200, 404, 0),
        (b"/documents/7", 200, 404, 0),
        (b"/documents/7/pages/download", 200, 404, 0),
    ],
)
def test_else_nothing_is_said(path: bytes, owners: int, others: int, asked: int) -> None:
    assert told(path, owners, others) == ("", [b"/documents/7"] * asked)


@pytest.mark.parametrize(("others", "said"), [(404, True), (403, True), (401, False), (200, False)])
def test_what_refuses_the_other_in_a_newer_version_is_not_his_in_the_old_one(others: int, said: bool) -> None:
    newer = b"/v2/documents/7"
    expected = "/v2/documents/7, the newer version of it, is refused to the other" if said else ""
    assert told(b"/v1/documents/7", 200, others, newer) == (expected, [newer] * 2)


@pytest.mark.parametrize("guarded", [False, True])
def test_the_old_version_of_what_refuses_the_other_is_told_of(guarded: bool) -> None:
    def shop(request: Request) -> Response:
        caller = BY_TOKEN.get((request.first(b"Authorization") or b"").decode(), "")
        is_kept = guarded or request.path.startswith(b"/v2/")
        if not caller:
            return Response(401)
        if not request.path.endswith(b"/orders/417") or (is_kept and caller != "ann"):
            return Response(404)
        return Response(
            200, ((b"Content-Type", b"application/json"),), b'{"order": "O-417", "quantity": 2, "total": 9.5}'
        )

    request = Request("GET", b"/v1/orders/417", ((b"Authorization", OPAQUE["ann"].encode()),), host="a")
    (check,) = plan(
        record(shop, request), DEFAULT, credentials_of(request), (PROBE,),
        identities=(Identity("ann"), OTHER), newer=(b"/v2/orders/417",),
    )  # fmt: skip
    assert (drive_as(check, shop).verdict.outcome is Outcome.VULNERABLE) is not guarded


@pytest.mark.parametrize(("rank", "found"), [(1, True), (9, False)])
def test_a_word_that_somebody_above_asked_for_is_a_function_and_no_object_of_his(rank: int, found: bool) -> None:
    def shop(request: Request) -> Response:
        caller = BY_TOKEN.get((request.first(b"Authorization") or b"").decode(), "")
        if not caller or not request.path.endswith(b"/stock-takings"):
            return Response(404 if caller else 401)
        if request.path.startswith(b"/v2/") and caller != "ann":
            return Response(403)
        return Response(200, ((b"Content-Type", b"application/json"),), b'{"counted": "2026-03-04", "missing": 12}')

    request = Request("GET", b"/v1/stock-takings", ((b"Authorization", OPAQUE["ann"].encode()),), host="a")
    checks = plan(
        record(shop, request), DEFAULT, credentials_of(request), (PROBE,),
        identities=(Identity("ann", rank=rank), Identity("ben", rank=1)), newer=(b"/v2/stock-takings",),
    )  # fmt: skip
    assert [drive_as(check, shop).verdict.outcome is Outcome.VULNERABLE for check in checks] == [found]
