"""What the tap says itself, and whom it lets pass."""

import base64

import pytest

from gatecrash.node.http1.head import read_request_head, read_response_head
from gatecrash.node.observe.observations import Observations
from gatecrash.node.observe.passing import MAX_DISCARD, Passing, may_pass, refusal, response_head
from gatecrash.node.observe.route import Origin, reverse


def passing(raw: bytes) -> Passing:
    head = read_request_head(raw)
    return Passing(head, reverse(head, Origin("http", "a", 80)), Observations(), 0.0)


def test_only_the_right_credentials_pass() -> None:
    def header(scheme: bytes, text: bytes) -> tuple[tuple[bytes, bytes], ...]:
        return ((b"proxy-authorization", scheme + b" " + base64.b64encode(text)),)

    assert may_pass(header(b"BASIC", b"me:pass"), "me:pass")
    assert not may_pass(header(b"Basic", b"me:past"), "me:pass")
    assert not may_pass(header(b"Bearer", b"me:pass"), "me:pass")
    assert not may_pass((), "me:pass")


@pytest.mark.parametrize("status", [400, 405, 407, 431, 502, 504, 508])
def test_a_refusal_is_a_whole_answer_with_its_sentence(status: int) -> None:
    head, _, body = refusal(status, "It is so.", closing=True, with_body=True).partition(b"\r\n\r\n")
    read = read_response_head(head)
    assert (read.status, read.framing.length, body) == (status, len(body), b"Gatecrash: It is so.\n")
    assert refusal(status, "It is so.", closing=True, with_body=False).endswith(b"\r\n\r\n")
    assert (b"Proxy-Authenticate" in head) is (status == 407)


def test_an_answer_with_two_lengths_is_passed_on_with_one() -> None:
    answer = read_response_head(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked")
    raw = response_head(answer, chunked=True, closing=False, version="1.1")
    assert raw == b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    raw = response_head(answer, chunked=False, closing=True, version="1.0")
    assert b"Transfer-Encoding" not in raw


def test_a_client_that_stops_in_its_body_is_stalled_and_an_application_has_its_time() -> None:
    upload = passing(b"POST / HTTP/1.1\r\nContent-Length: 5")
    assert upload.owes_body
    assert not upload.is_stalled(now=299, active=0)
    assert upload.is_stalled(now=301, active=0)
    upload.discarding = True
    assert upload.is_stalled(now=11, active=11)
    upload.request_done = True
    upload.ended = 0.0
    assert not upload.is_stalled(now=1000, active=0)
    assert upload.is_unanswered(now=31, patience=30)
    assert not upload.is_unanswered(now=29, patience=30)


def test_what_is_discarded_has_an_end() -> None:
    upload = passing(b"POST / HTTP/1.1\r\nContent-Length: 5")
    assert upload.discard(b"x")
    upload.discarded = MAX_DISCARD
    assert not upload.discard(b"x")


def test_only_a_whole_request_without_a_body_and_of_an_idempotent_method_is_repeated() -> None:
    get, post = passing(b"GET / HTTP/1.1"), passing(b"POST / HTTP/1.1")
    assert not get.repeatable
    get.request_done = post.request_done = True
    assert get.repeatable
    assert not post.repeatable
