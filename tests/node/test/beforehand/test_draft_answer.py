"""A request that nobody has sent yet is sent once before its tests, and a bad answer of its own is never called clean."""

import asyncio
import json
import math
from typing import Any

import pytest
from tests.node.loop import run
from tests.node.test.answering import Application, traffic

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.errors import UserError
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.fakes.raw_server import RawServer
from gatecrash.formats.draft import Draft
from gatecrash.node.session import Lifeline
from gatecrash.node.test.beforehand.draft_answer import fault_of, is_unanswered, wants_answer
from gatecrash.node.test.connections.destinations import Destinations
from gatecrash.node.test.connections.sender import Sender
from gatecrash.node.test.connections.traffic import Tally, Traffic
from gatecrash.node.test.trial import Trial
from gatecrash.wire.session import RunOrder
from gatecrash.wire.work import Result

ORDER = RunOrder(run_id="tr_1", generation=1, record_id="r", recording=False, sending=True, policy=DEFAULT)


def answer(status: int, body: str = "{}") -> bytes:
    return (
        f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
    )


async def tried(port: int, method: str = "POST", recorded: Response | None = None) -> Result:
    request = Request(method, b"/things?q=1", ((b"Host", b"x"),), b"", "http", "127.0.0.1", port)
    lifeline = Lifeline(math.inf)
    lifeline.heard(asyncio.get_running_loop().time())
    sender = Sender(Destinations(lambda *_: None, lambda *_: None))
    traffic = Traffic(ORDER, sender, lifeline, Tally(1))
    trial = Trial(
        Baseline("bl_1", Exchange(request, recorded, drafted=recorded is None)), ORDER, traffic, compile_recogniser()
    )
    result = await trial.run(lambda _: None)
    await sender.close()
    return result


@run
async def test_a_draft_waits_for_a_target_that_restarts() -> None:
    said = ["refused"]
    sending = traffic(Application(lambda _: said.pop() if said else Response(200, body=b"{}")))
    draft = Baseline("bl_1", Exchange(Request("GET", b"/things", ((b"Host", b"x"),), host="here"), drafted=True))
    assert (await Trial(draft, ORDER, sending, compile_recogniser(), ()).run(lambda _: None)).status == "passed"


@run
async def test_a_draft_is_sent_as_it_is_before_anything_else_and_then_tested() -> None:
    async with RawServer().answering(answer(201)) as server:
        result = await tried(server.port)
        assert server.received[0].startswith(b"POST /things?q=1 HTTP/1.1\r\n")
        assert len(server.received) > 1
        assert result.status == "passed"


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (401, "auth_failed"),
        (403, "auth_failed"),
        (404, "recording_error"),
        (422, "recording_error"),
        (500, "recording_error"),
    ],
)
def test_whose_own_answer_is_no_good_one_is_tested_and_not_called_clean(status: int, reason: str) -> None:
    @run
    async def tested() -> None:
        async with RawServer().answering(answer(status)) as server:
            result = await tried(server.port)
            assert (result.status, result.reason) == ("error", reason)
            assert str(status) in result.detail
            assert len(server.received) > 1, "it is tested all the same"

    tested()


@pytest.mark.parametrize(
    ("method", "target", "told"),
    [
        ("DELETE", b"/things/1", "not sent: what it would delete was there before"),
        ("POST", b"/things/1/remove", "not sent: what it would delete was there before"),
        ("GET", b"/setup", "not sent: its address or its description says that it resets all there is"),
        ("POST", b"/demo/reset", "not sent: its address or its description says that it resets all there is"),
    ],
)
@run
async def test_what_was_there_before_is_kept_and_told(method: str, target: bytes, told: str) -> None:
    sending = traffic(Application(lambda _: pytest.fail("it is sent")))
    request = Request(method, target, ((b"Host", b"x"),), host="here")
    with pytest.raises(UserError, match=told):
        Trial(Baseline("bl_1", Draft(request, drafted=True, kept=True)), ORDER, sending, compile_recogniser(), ())


@run
async def test_a_target_that_is_not_there_ends_it_at_once() -> None:
    async with RawServer() as server:
        port = server.port
    result = await tried(port)
    assert (result.status, result.reason) == ("error", "connection_failed")


def test_what_was_captured_is_never_asked_first_nor_blamed() -> None:
    captured = Exchange(Request("GET", b"/"), None)
    assert not is_unanswered(captured)
    assert is_unanswered(Exchange(Request("GET", b"/"), drafted=True))
    assert fault_of(Exchange(Request("GET", b"/"), Response(404))) is None
    assert fault_of(Exchange(Request("GET", b"/"), Response(204), drafted=True)) is None


def test_what_a_browsers_cache_answered_is_asked_for_where_asking_changes_nothing() -> None:
    cached = Response(304)
    assert wants_answer(Exchange(Request("GET", b"/"), cached))
    assert not wants_answer(Exchange(Request("POST", b"/"), cached))
    assert not wants_answer(Exchange(Request("GET", b"/"), Response(200)))
    assert not wants_answer(Exchange(Request("GET", b"/")))


@run
async def test_a_cached_answer_that_is_refused_now_is_no_fault_of_a_draft() -> None:
    for status in (200, 404):
        async with RawServer().answering(answer(status)) as server:
            result = await tried(server.port, "GET", Response(304))
            assert len(server.received) > 1
            assert result.reason != "recording_error"


@run
async def test_what_destroys_is_tested_as_the_lowest_who_is_let_in() -> None:
    profile: dict[str, Any] = {
        "values": [{"point": ["header", "X-KEY"], "value": "${key}"}],
        "identities": [
            {"name": name, "rank": rank, "variables": {"key": name}} for rank, name in enumerate(("ann", "boss"))
        ],
    }

    async def deleted(allowed: bytes) -> tuple[list[bytes | None], Result]:
        """Who asked before the tests, and what came of them."""

        def says(request: Request) -> Response:
            return Response(200 if request.first(b"X-Key") == allowed else 403, (), b"done")

        application = Application(says)
        request = Request("DELETE", b"/users/7", ((b"Host", b"x"),), b"", "http", "127.0.0.1", 80)
        draft = Draft(request, drafted=True)
        trial = Trial(Baseline("bl_1", draft), ORDER, traffic(application, profile), compile_recogniser(), ())
        result = await trial.run(lambda _: None)
        assert trial.baseline.request.first(b"X-Key") == (allowed or b"ann")
        return [one.first(b"X-Key") for one in application.asked], result

    senders, result = await deleted(b"boss")
    assert (senders, result.status) == ([b"ann", b"boss"], "passed")
    senders, result = await deleted(b"ann")
    assert (senders, result.status) == ([b"ann"], "passed")
    senders, result = await deleted(b"")
    assert (senders, result.reason) == ([b"ann", b"boss"], "auth_failed")


@pytest.mark.parametrize(
    ("target", "body", "sent", "status"),
    [
        (b"/people/7/role", b'{"role":"example"}', [b'{"role":"example"}', b'{"role":"owner"}'], "passed"),
        (b"/people/7/role", b"{}", [b"{}", b'{"role":"example"}'], "error"),
        (b"/people/7/notes", b'{"role":"example"}', [b'{"role":"example"}'], "error"),
        (b"/people/7/role", b'{"role":"x","password":"y"}', [b'{"role":"x","password":"y"}'], "error"),
    ],
    ids=["a value", "a field", "destroys nothing, and was asked so before", "sets a password"],
)
@run
async def test_what_is_sent_in_its_turn_alone_is_sent_as_its_refusal_asks(
    target: bytes, body: bytes, sent: list[bytes], status: str
) -> None:
    def says(request: Request) -> Response:
        role = json.loads(request.body or b"{}").get("role")
        if role == "owner":
            return Response(200, ((b"Content-Type", b"application/json"),), b'{"id": 7}')
        return Response(422, (), b"role must be one of: owner, vet" if role else b"role is required")

    application = Application(says)
    headers = ((b"Host", b"x"), (b"Content-Type", b"application/json"))
    draft = Draft(Request("PUT", target, headers, body, "http", "127.0.0.1", 80), drafted=True)
    trial = Trial(Baseline("bl_1", draft), ORDER, traffic(application), compile_recogniser(), ())
    result = await trial.run(lambda _: None)
    assert [one.body for one in application.asked[: len(sent)]] == sent
    assert result.status == status
    assert trial.baseline.request.body == (sent[-1] if status == "passed" else sent[0])


@pytest.mark.parametrize(
    ("kind", "body", "words"),
    [
        (b"application/json", b'{"code": ["wrong\ncode"]}', 'answered 400 ({"code": ["wrong code"]}); give'),
        (b"text/plain", b"x" * 500, f"answered 400 ({'x' * 119}\u2026); give"),
        (b"text/html", b"<h1>Bad request</h1>", "answered 400; give"),
        (b"application/json", b"", "answered 400; give"),
    ],
)
def test_what_the_application_says_is_wrong_is_told_in_a_few_words(kind: bytes, body: bytes, words: str) -> None:
    asked = Exchange(Request("POST", b"/a"), Response(400, ((b"Content-Type", kind),), body), drafted=True)
    fault = fault_of(asked)
    assert fault is not None
    assert words in fault[1]


@pytest.mark.parametrize(
    ("status", "reason", "words"),
    [
        (401, "auth_failed", "give its credentials by an auth profile"),
        (403, "auth_failed", "give a user who may, by an auth profile"),
        (404, "recording_error", "give examples whose values exist"),
        (502, "recording_error", 'answered 502 ({"error":"no carrier"}); the application failed'),
    ],
)
def test_what_to_do_is_told_by_how_it_was_refused(status: int, reason: str, words: str) -> None:
    said = Response(status, ((b"Content-Type", b"application/json"),), b'{"error":"no carrier"}')
    fault = fault_of(Exchange(Request("POST", b"/a"), said, drafted=True))
    assert fault is not None
    assert fault[0] == reason
    assert words in fault[1]


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (401, "refused (401 Unauthorized), though it was sent as ann; give what else it asks for by an auth profile"),
        (403, "refused (403 Forbidden), though it was sent as ann; give a user who may, by an auth profile"),
    ],
)
def test_whoever_gave_an_auth_profile_is_told_as_whom_it_was_refused(status: int, words: str) -> None:
    asked = Draft(request=Request("POST", b"/a"), response=Response(status), drafted=True, sender="ann")
    assert fault_of(asked) == ("auth_failed", f"the request as described is {words}")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("s:Client", "answered 500 (No such place); give examples whose values exist"),
        ("s:Server", "answered 500 (No such place); the application failed"),
    ],
)
def test_a_fault_of_soap_says_whose_it_is(code: str, words: str) -> None:
    fault = f"<s:Fault><faultcode>{code}</faultcode><faultstring>No such place</faultstring></s:Fault>"
    body = f'<s:Envelope xmlns:s="urn:s"><s:Body>{fault}</s:Body></s:Envelope>'.encode()
    answered = Response(500, ((b"Content-Type", b"text/xml"),), body)
    told = fault_of(Exchange(Request("POST", b"/a"), answered, drafted=True))
    assert told is not None
    assert words in told[1]


@pytest.mark.parametrize(
    ("path", "body", "is_fault"),
    [
        (b"/register", b"name=a&password=b", False),
        (b"/join", b"name=a&password=b", False),
        (b"/notes", b"text=a", True),
        (b"/register", b"event=7", True),
        (b"/join", b"game=7", True),
    ],
)
def test_a_registration_that_leads_to_the_login_is_not_refused(path: bytes, body: bytes, is_fault: bool) -> None:
    headers = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
    led = Response(302, ((b"Location", b"/login"),), b"")
    fault = fault_of(Exchange(Request("POST", path, headers, body), led, drafted=True))
    assert (fault is not None) == is_fault
