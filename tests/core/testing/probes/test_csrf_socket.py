"""The probe csrf_socket, driven against the range's places over a real port."""

from tests.core.testing.driving import credentials_of, drive, record
from tests.core.testing.probes.at_range import WITHOUT_NAMES, AtRange
from tests.range.sockets import AGREES, OWN, SESSION, opening, says

from gatecrash.core.message import Request, Response, without_header
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.probes.csrf_socket import PROBE
from gatecrash.core.testing.verdict import Inconclusive, Outcome


class TestProbe(AtRange):
    name = "csrf_socket"
    probe = PROBE


def checks(request: Request, *, kept_home: bool = False) -> int:
    baseline, found = record(lambda _: Response(101, AGREES, b'{"user": "ann"}'), request), credentials_of(request)
    return len(plan(baseline, WITHOUT_NAMES, found, (PROBE,), kept_home=found if kept_home else ()))


def test_only_sockets_that_a_browser_alone_signs_in_are_asked() -> None:
    asked = opening("/live")
    assert checks(asked) == 1
    assert not checks(asked, kept_home=True)
    assert not checks(Request("GET", b"/live", ((b"Cookie", SESSION),)))
    bearer = ((b"Authorization", b"Bearer 9d2f77a1c0ab41"), *without_header(asked.headers, b"Cookie"))
    assert not checks(Request("GET", b"/live", bearer))


def test_a_foreign_opening_is_a_whole_one_and_tells_no_page() -> None:
    protocols = (b"Sec-WebSocket-Protocol", b"chat.v1")
    request = opening("/live?csrf_token=t9Xq2LmZ4vRb8Kd1")
    request = Request("GET", request.target, (*request.headers, protocols), host="127.0.0.1", port=8001)
    sent: list[Request] = []

    def listening(asked: Request) -> Response:
        sent.append(asked)
        return says({"user": OWN}) if asked.first(b"Origin") == b"http://127.0.0.1" else Response(403)

    (check,) = plan(record(listening, request), WITHOUT_NAMES, credentials_of(request), (PROBE,))
    assert drive(check, listening).verdict.outcome is Outcome.SAFE
    foreign = [each for each in sent if each.first(b"Origin") != b"http://127.0.0.1"]
    origins = [(each.first(b"Origin") or b"").decode() for each in foreign]
    assert [each[:3] for each in origins] == ["htt", "htt", "htt", "nul"]
    assert origins[1].startswith("http://127.0.0.1.")
    assert origins[2].endswith("127.0.0.1:8001")
    for each in foreign:
        assert (each.target, each.first(b"Referer")) == (b"/live", None)
        assert {(b"Upgrade", b"websocket"), (b"Connection", b"Upgrade"), protocols} <= set(each.headers)


def test_a_socket_that_answers_one_site_in_two_ways_is_left_open() -> None:
    request, turns = opening("/live"), iter(range(100))

    def wavering(asked: Request) -> Response:
        if not asked.first(b"Cookie"):
            return Response(401)
        if asked.first(b"Origin") == b"http://127.0.0.1":
            return says({"user": OWN})
        return says({"user": OWN}) if next(turns) == 0 else says(code=1008)

    (check,) = plan(record(wavering, request), WITHOUT_NAMES, credentials_of(request), (PROBE,))
    assert drive(check, wavering).verdict.reason is Inconclusive.UNSTABLE
