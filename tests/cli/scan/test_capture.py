"""What of a capture is tested, where it is sent, and what detection learned of it."""

import io
import json

import pytest

from gatecrash.cli.scan.capture import ScanCapture
from gatecrash.core.errors import UserError
from gatecrash.core.point import Point
from gatecrash.core.testing.selection.hosts import AllowedHosts
from gatecrash.formats.capture import UnreadableCapture
from gatecrash.node.observe.route import Origin

SID = "q8Zr2LmT5xWc9VbN4kPd7HsJ"


def lines(*urls: str, **more: object) -> io.BufferedReader:
    text = "\n".join(json.dumps({"method": "GET", "url": url, "status": 200, **more}) for url in urls)
    return io.BufferedReader(io.BytesIO(text.encode()))


def test_only_allowed_hosts_are_given_and_the_others_counted() -> None:
    capture = ScanCapture("f", lines("http://a.example/1", "http://b.example/2"), AllowedHosts("a.example"))
    assert [one.request.url for one in capture.exchanges()] == ["http://a.example/1"]
    assert capture.not_allowed == {"b.example": 1}
    assert len(list(capture.exchanges())) == 1, "it can be read again"


def test_a_target_takes_the_requests_of_one_host_host_header_included() -> None:
    target = Origin("http", "127.0.0.1", 3000)
    stream = lines("https://a.example/1?q", headers={"Host": "a.example"})
    (one,) = ScanCapture("f", stream, AllowedHosts(), target=target).exchanges()
    assert one.request.url == "http://127.0.0.1:3000/1?q"
    assert one.request.first(b"Host") == b"127.0.0.1:3000"
    with pytest.raises(UserError, match="from-host"):
        ScanCapture("f", lines("https://a.example/", "https://b.example/"), AllowedHosts(), target=target)


def test_a_form_goes_to_a_target_as_from_its_own_page() -> None:
    headers = {"Host": "a.example", "Origin": "https://a.example", "Referer": "https://a.example/form"}
    stream, target = lines("https://a.example/1", headers=headers), Origin("http", "127.0.0.1", 3000)
    (one,) = ScanCapture("f", stream, AllowedHosts(), target=target).exchanges()
    assert one.request.first(b"Origin") == b"http://127.0.0.1:3000"
    assert one.request.first(b"Referer") == b"http://127.0.0.1:3000/form"


def test_a_login_late_in_the_file_counts_for_its_first_request_too() -> None:
    text = "\n".join(
        json.dumps(one)
        for one in (
            {"method": "GET", "url": "http://localhost/orders", "status": 200, "headers": {"Cookie": f"ticket={SID}"}},
            {
                "method": "POST",
                "url": "http://localhost/login",
                "status": 200,
                "headers": {"Content-Type": "application/x-www-form-urlencoded"},
                "body": "user=ada&password=lovelace",
                "response_headers": {"Set-Cookie": f"ticket={SID}; HttpOnly"},
            },
        )
    )
    capture = ScanCapture("f", io.BufferedReader(io.BytesIO(text.encode())), AllowedHosts())
    first = next(iter(capture.exchanges()))
    assert [one.point[-1] for one in capture.learned.recognise(first.request)] == ["ticket"]


def test_a_cookie_that_lets_in_is_a_session_and_a_member_of_calls_a_parameter() -> None:
    headers = {"Content-Type": "application/json", "Cookie": f"pass={SID}"}
    stream = lines("http://localhost/rpc", method="POST", headers=headers, body=json.dumps({"auth": SID}))
    capture = ScanCapture("f", stream, AllowedHosts())
    member, cookie = Point(("post", "json_doc", "json_obj", "auth")), Point(("header", "COOKIE", "cookie", "pass"))
    capture.know([("localhost", member), ("localhost", cookie)])
    (only,) = capture.exchanges()
    assert {one.point for one in capture.learned.recognise(only.request)} == {member, cookie}


def test_what_cannot_be_read_is_kept_with_its_place() -> None:
    stream = io.BufferedReader(io.BytesIO(b'{"method": "GET", "url": "http://localhost/"}\n{broken\n'))
    assert [item.place for item in ScanCapture("f", stream, AllowedHosts()).malformed] == [2]


def test_a_file_of_which_nothing_can_be_read_is_a_mistake() -> None:
    stream = io.BufferedReader(io.BytesIO(b'{"some": "settings"}\n'))
    with pytest.raises(UnreadableCapture, match="f: No entry can be read"):
        ScanCapture("f", stream, AllowedHosts())


def test_several_files_of_traffic_are_one_whose_connections_and_places_are_each_their_own() -> None:
    first = lines("http://localhost/1", connection="7")
    second = io.BufferedReader(
        io.BytesIO(b'{"method": "GET", "url": "http://localhost/2", "connection": "7"}\n{broken\n')
    )
    capture = ScanCapture("a.jsonl", first, AllowedHosts(), further=[("b.jsonl", second)])
    assert [(one.request.url, one.connection) for one in capture.exchanges()] == [
        ("http://localhost/1", "7"),
        ("http://localhost/2", "1/7"),
    ]
    (broken,) = capture.malformed
    assert (broken.place, broken.why.partition(":")[0]) == (2, "b.jsonl")


def test_a_description_is_scanned_alone() -> None:
    described = io.BufferedReader(io.BytesIO(b'{"openapi": "3.1.0", "paths": {"/a": {"get": {}}}}'))
    with pytest.raises(UserError, match=r"api.json is no captured traffic \(openapi\)"):
        ScanCapture("a.jsonl", lines("http://localhost/1"), AllowedHosts(), further=[("api.json", described)])


@pytest.mark.parametrize(
    ("server", "asked", "moved"),
    [
        ("http://localhost:8080", "http://127.0.0.1:7103/a", "localhost:8080"),
        ("http://127.0.0.1:7103", "http://127.0.0.1:7103/a", ""),
        ("http://api.example", "http://api.example/a", ""),
    ],
)
def test_another_port_of_this_machine_was_the_address_of_who_wrote_it(server: str, asked: str, moved: str) -> None:
    text = json.dumps({"openapi": "3.1.0", "servers": [{"url": server}], "paths": {"/a": {"get": {}}}})
    stream, home = io.BufferedReader(io.BytesIO(text.encode())), Origin("http", "127.0.0.1", 7103)
    capture = ScanCapture("f", stream, AllowedHosts("*"), home=home)
    assert [one.request.url for one in capture.exchanges()] == [asked]
    assert capture.moved == moved


@pytest.mark.parametrize(("sent", "stripped"), [("X-API-Key", False), ("Accept-Language", True), ("Cookie", False)])
def test_a_har_file_with_a_key_of_its_own_was_not_robbed_of_its_credentials(sent: str, *, stripped: bool) -> None:
    request = {
        "method": "GET",
        "url": "http://localhost/orders",
        "headers": [{"name": sent, "value": "kq82jd93ksl20dk3"}],
    }
    entry = {"startedDateTime": "2026-01-05T10:00:00Z", "request": request, "response": {"status": 200, "headers": []}}
    har = json.dumps({"log": {"version": "1.2", "entries": [entry]}}).encode()
    capture = ScanCapture("f.har", io.BufferedReader(io.BytesIO(har)), AllowedHosts())
    assert capture.stripped is stripped


def test_described_calls_have_the_token_header_that_the_sites_scripts_send_beside_them() -> None:
    described = io.BufferedReader(io.BytesIO(b'{"openapi": "3.1.0", "paths": {"/a": {"post": {}, "get": {}}}}'))
    call = {"method": "POST", "url": "http://localhost/b", "headers": [["X-CSRF-Token", "of-the-page"]], "status": 201}
    pages = io.BufferedReader(io.BytesIO(json.dumps(call).encode()))
    capture = ScanCapture(
        "api.json",
        described,
        AllowedHosts(),
        target=Origin("http", "localhost", 80),
        home=Origin("http", "localhost", 80),
        pages=("http://localhost/", pages),
    )
    sent = {(each.request.method, each.request.path): each.request for each in capture.exchanges()}
    assert sent["POST", b"/a"].first(b"X-CSRF-Token") == b"of-the-page"
    assert sent["GET", b"/a"].first(b"X-CSRF-Token") is None
