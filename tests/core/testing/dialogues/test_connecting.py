"""Whether a server connects to a host and a port: told by the port at which our listener waits, and by no look at the text."""

import socket
from collections.abc import Callable
from itertools import count
from random import Random
from urllib.parse import quote, unquote

import msgspec
import pytest
from tests.core.testing.driving import record

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.dialogues.connecting import tells_who_listens
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.out_of_band import Listening, addresses
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.probes.ssrf import PROBE
from gatecrash.core.testing.verdict import Proof

OURS, OTHER_HOST = 43_633, "stock.example"


def told(
    application: Callable[[str], str], port: int = OURS, value: str = f"{OTHER_HOST}:8080"
) -> tuple[Proof | None, int]:
    """What comes of it at an application that answers a value with a text, and after how many requests."""

    def respond(request: Request) -> Response:
        asked = unquote(request.target.decode().removeprefix("/?to="))
        return Response(200, ((b"Content-Type", b"text/html"),), f"<h1>Check</h1><p>{application(asked)}</p>".encode())

    baseline = record(respond, Request("GET", b"/?to=" + quote(value).encode(), host="h.example"))
    check = next(each for each in plan(baseline, THOROUGH, (), (PROBE,)) if each.point == ("get", "to"))
    oob = addresses(Listening(host="127.0.0.1", port=port), b"k", "tr", "bl", Point.of("get", "to"), "ssrf")
    situation = msgspec.structs.replace(check.situation(Random(3)), oob=oob)
    dialogue, sent = tells_who_listens(Inquiry(situation, [baseline.exchange])), 0
    try:
        question = next(dialogue)
        while True:
            sent += 1
            question = dialogue.send(Answer(Exchange(question.request, respond(question.request))))
    except StopIteration as end:
        return end.value, sent


def connecting(value: str) -> str:
    return "reachable" if value == f"127.0.0.1:{OURS}" else "not reachable"


def test_where_our_listener_waits_is_told_from_where_nobody_does():
    proof, _ = told(connecting)
    assert proof is not None
    assert proof.test.request.target.endswith(b"127.0.0.1%3A43633")
    assert proof.control.request.target != proof.test.request.target


def test_a_real_connection_tells():
    """Of whoever listens there, and of nobody else on this machine."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]

        def connects(value: str) -> str:
            if not value.startswith("127."):
                return "not reachable"
            with socket.socket() as asking:
                host, _, number = value.partition(":")
                return "reachable" if asking.connect_ex((host, int(number))) == 0 else "not reachable"

        assert told(connects, port)[0] is not None


def apart(value: str) -> str:
    host, _, port = value.partition(":")
    return f"{host}, at {port}: noted"


COUNTER = count()


@pytest.mark.parametrize(
    "application",
    [
        pytest.param(lambda value: "noted", id="nothing of it"),
        pytest.param(lambda value: f"{value} is noted", id="shown"),
        pytest.param(apart, id="shown apart"),
        pytest.param(lambda value: "fine" if 1024 <= int(value.partition(":")[2]) < 65536 else "no port", id="a range"),
        pytest.param(lambda value: "allowed" if value.startswith(OTHER_HOST) else "not allowed", id="a list of hosts"),
        pytest.param(lambda value: "yes" if next(COUNTER) % 2 else "no", id="by turns"),
    ],
)
def test_what_looks_at_the_text_alone_tells_nothing(application):
    proof, sent = told(application)
    assert proof is None
    assert sent <= 4


@pytest.mark.parametrize(
    ("port", "value"), [(443, f"{OTHER_HOST}:80"), (OURS, OTHER_HOST), (OURS, "http://a.example:80/")]
)
def test_ports_that_somebody_chose_and_other_values_are_not_asked_for(port, value):
    assert told(connecting, port, value) == (None, 0)
