"""A vulnerability is shown with the words of its class and a proof that holds no credential."""

from typing import NamedTuple

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.reports.finding import evidence, vulnerability

TOKEN = b"3f9a0c77de114b02"
REQUEST = Request("GET", b"/a?q=%27&api_key=" + TOKEN, ((b"Authorization", b"Bearer " + TOKEN),), host="h")


class Kept(NamedTuple):
    id: str = "vuln_1"
    code: str = "S0001"
    type: str = "sqli"
    threat: int = 90
    title: str = ""
    cwe: tuple[int, ...] = ()
    method: str = "GET"
    url: str = "http://h/a"
    endpoint: str = "GET /a"
    point: tuple[str, ...] = ("get", "q")
    verified_by: str = "Asked twice."
    run_id: str = "tr_1"
    baseline_id: str = "bl_1"
    found_at: int = 7


def test_what_a_finding_does_not_say_its_class_does() -> None:
    shown = vulnerability(Kept())
    assert (shown["cwe"], shown["point"]) == ([89], [["get", "q"]])
    assert shown["title"]
    assert shown["remediation"]
    assert shown["owasp"]
    assert vulnerability(Kept(title="Its own", cwe=(564,), point=()))["title"] == "Its own"


def test_a_finding_of_the_whole_request_has_no_point() -> None:
    assert vulnerability(Kept(point=()))["point"] == []


def test_the_proof_is_text_without_credentials() -> None:
    answer = Response(500, ((b"Set-Cookie", b"sid=" + TOKEN),), b"syntax error", b"Oops")
    shown = evidence(Exchange(REQUEST, answer), Exchange(REQUEST, None), None, compile_recogniser())
    assert TOKEN.decode() not in str(shown)
    assert "Bearer $TOKEN" in str(shown["test_request"])
    assert str(shown["test_response"]).startswith("HTTP/1.1 500 Oops")
    assert (shown["baseline_response"], shown["control_request"]) == (None, None)
    assert str(shown["curl"]).count("$TOKEN") == 2
    assert [shown[f"{side}_credentials"] for side in ("baseline", "control", "test")] == ["A", None, "A"]


def test_lost_evidence_is_null() -> None:
    assert set(evidence(None, None, None, compile_recogniser()).values()) == {None}


def test_a_recorded_password_is_shown_neither_in_the_proof_nor_in_the_command() -> None:
    headers = ((b"Host", b"shop.test"), (b"Content-Type", b"application/x-www-form-urlencoded"))
    recorded = Request("POST", b"/login", headers, b"user=ann&password=wonder11", "http", "shop.test", 80)
    sent = Request("POST", b"/login", headers, b"user=ann%27&password=wonder11", "http", "shop.test", 80)
    shown = evidence(Exchange(sent), Exchange(recorded), None, compile_recogniser())
    assert "wonder11" not in str(shown)
    assert str(shown["curl"]).count("$TOKEN") == 1
