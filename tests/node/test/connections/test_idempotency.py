"""Requests that name themselves are sent under another name each time."""

import re

import pytest

from gatecrash.core.message import Request
from gatecrash.node.test.connections.idempotency import renamed

UUID = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"


def key(value: bytes, name: bytes = b"Idempotency-Key", method: str = "POST") -> str:
    request = Request(method, b"/orders", ((b"Host", b"shop.example"), (name, value)), b"{}", host="shop.example")
    return (renamed(request).first(name) or b"").decode()


@pytest.mark.parametrize(
    ("recorded", "look"),
    [
        (b"8e03978e-40d5-43dd-bc93-6894a57f9324", UUID),
        (b'"8e03978e-40d5-43dd-bc93-6894a57f9324"', f'"{UUID}"'),
        (b"order_8e03978e-40d5-43dd-bc93-6894a57f9324", f"order_{UUID}"),
        (b"01ARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3NDEKTSV4[0-9A-F]{12}"),
        (b"ord-7", "ord-7-[0-9a-f]{12}"),
        (b'"ord-7"', '"ord-7-[0-9a-f]{12}"'),
    ],
)
def test_each_request_has_a_key_of_its_own_in_the_look_of_the_recorded_one(recorded: bytes, look: str) -> None:
    sent = {key(recorded), key(recorded, b"X-Idempotency-Key"), recorded.decode()}
    assert len(sent) == 3
    assert all(re.fullmatch(look, each) for each in sent - {recorded.decode()})


@pytest.mark.parametrize("written", [b"8e03978e' OR '1'='1", b"../../etc/hosts", b"<b>7", b"a b", b""])
def test_what_a_probe_wrote_there_stays(written: bytes) -> None:
    assert key(written) == written.decode()


def test_what_only_reads_and_what_has_none_stay() -> None:
    assert key(b"ord-7", method="GET") == "ord-7"
    request = Request("POST", b"/orders", (), b"{}", host="shop.example")
    assert renamed(request) is request
