"""What is told beside a scan's result: no more than can be read, and what to do about it."""

import io
import json

import pytest

from gatecrash.cli.scan.capture import ScanCapture
from gatecrash.cli.scan.notes import MOST_TOLD, notes_of, tell_gone, warn_of
from gatecrash.cli.scan.sessions import Found
from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.reports.accepted import Accepted
from gatecrash.core.reports.notes import FRAMES, MESSAGES, SOCKETS
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.profiles.profile import MANAGER, RECORDED, AuthProfile, ProfileIdentity
from gatecrash.core.testing.selection.hosts import AllowedHosts
from gatecrash.node.scan.planned import Planner


def test_hosts_that_are_skipped_are_named_with_both_ways_to_test_them_and_few_of_many_faults(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = [json.dumps({"method": "GET", "url": "http://shop.example/teas", "status": 200})] * 2
    lines += ["{"] * (MOST_TOLD + 2)
    allowed = AllowedHosts("")
    capture = ScanCapture("traffic.jsonl", io.BytesIO("\n".join(lines).encode()), allowed)
    warn_of(capture, Planner(DEFAULT, capture.recogniser), allowed, dead=False)
    told = capsys.readouterr().err
    assert "shop.example (2)" in told
    assert "--allow-host shop.example" in told
    assert "--target sends them elsewhere" in told
    assert told.count("was passed over") == MOST_TOLD
    assert "2 more entries were passed over" in told


def test_a_few_accepted_findings_that_are_gone_are_named_and_the_others_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    gone = [Accepted(type="sqli", endpoint=f"GET /{number}", reason="known") for number in range(MOST_TOLD + 3)]
    tell_gone(gone)
    told = capsys.readouterr().err
    assert told.count("Accepted and not found this time") == MOST_TOLD
    assert "3 more that are accepted" in told
    tell_gone([])
    assert capsys.readouterr().err == ""


def test_who_has_one_ordinary_user_beside_managers_is_told_to_record_another(
    capsys: pytest.CaptureFixture[str],
) -> None:
    allowed = AllowedHosts("")
    capture = ScanCapture("traffic.jsonl", io.BytesIO(b'{"method": "GET", "url": "http://127.0.0.1/"}'), allowed)

    def told(*ranks: int) -> str:
        users = tuple(ProfileIdentity(name=f"recorded {place}", rank=rank) for place, rank in enumerate(ranks))
        profile = AuthProfile(id=RECORDED, name="Recorded identities", identities=users, recorded=True)
        planner = Planner(DEFAULT, capture.recogniser, profile=profile)
        warn_of(capture, planner, allowed, dead=False)
        said = capsys.readouterr().err
        assert all(note in said for note in notes_of(capture, planner, Found(), "")), "the result tells the same"
        assert bool(notes_of(capture, planner, Found(), "")) == ("second ordinary user" in said)
        return said

    assert "record a second ordinary user" in told(0, MANAGER)
    assert "2 users are told apart" in (peers := told(0, 0))
    assert "second ordinary user" not in peers
    assert told(0) == ""


def test_messages_of_websockets_are_told_as_not_tested(capsys: pytest.CaptureFixture[str]) -> None:
    allowed, planner = AllowedHosts(""), Planner(DEFAULT, compile_recogniser())
    capture = ScanCapture("traffic.jsonl", io.BytesIO(b'{"method": "GET", "url": "http://127.0.0.1/"}'), allowed)
    planner.plan([Exchange(Request("GET", b"/chat", (), b"", "http", "127.0.0.1", 80), Response(101))])
    warn_of(capture, planner, allowed, dead=False)
    assert "1 request not tested: they open a WebSocket or a tunnel" in capsys.readouterr().err
    assert notes_of(capture, planner, Found(), "") == [MESSAGES]


def test_what_is_said_through_a_socket_is_told_to_be_asked_alone() -> None:
    capture = ScanCapture("t.jsonl", io.BytesIO(b'{"method": "GET", "url": "http://127.0.0.1/"}'), AllowedHosts(""))
    planner = Planner(DEFAULT, compile_recogniser())
    opening = Request("GET", b"/chat", ((b"Upgrade", b"websocket"),), b"", "http", "127.0.0.1", 80)
    planner.plan([Exchange(opening, Response(101))])
    assert notes_of(capture, planner, Found(), "") == [SOCKETS]


def test_messages_of_grpc_that_cannot_be_read_are_told_as_not_tested() -> None:
    capture = ScanCapture("t.jsonl", io.BytesIO(b'{"method": "GET", "url": "http://127.0.0.1/"}'), AllowedHosts(""))

    def told(kind: bytes, flag: bytes = b"\1") -> list[str]:
        planner = Planner(DEFAULT, compile_recogniser())
        headers = ((b"Content-Type", kind),)
        call = Request("POST", b"/tea.Shop/Brew", headers, flag + b"\0\0\0\x02\x08\x07", "http", "127.0.0.1", 80)
        planner.plan([Exchange(call, Response(200, headers))])
        return notes_of(capture, planner, Found(), "")

    assert told(b"application/grpc-web+proto") == told(b"application/gRPC") == [FRAMES]
    assert told(b"application/grpc+json") == [FRAMES]
    assert told(b"application/grpc-web+proto", b"\0") == []
    assert told(b"application/json") == []
