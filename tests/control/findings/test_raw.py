"""Text for people, and curl commands that a shell reads as they were meant."""

import shlex
import shutil
import subprocess

import pytest
from tests.absent import require

from gatecrash.control.findings.raw import curl, raw_request, raw_response
from gatecrash.core.message import Request, Response

REQUEST = Request(
    "POST",
    b"/a'b?q=1",
    ((b"Host", b"x"), (b"Authorization", b"Bearer $TOKEN"), (b"Content-Length", b"7")),
    b"it's $1",
    host="x",
)


def test_a_request_is_shown_as_it_is_on_the_wire() -> None:
    assert raw_request(REQUEST).split("\r\n")[0] == "POST /a'b?q=1 HTTP/1.1"
    assert raw_request(REQUEST).endswith("\r\n\r\nit's $1")


def test_no_answer_is_no_text() -> None:
    assert raw_response(None) == ""
    assert raw_response(Response(404, (), b"no", b"Not Found")) == "HTTP/1.1 404 Not Found\r\n\r\nno"


def test_a_long_body_is_cut_and_says_so() -> None:
    assert raw_response(Response(200, (), b"x" * 70_000)).endswith(f"\n[{70_000 - 65_536} more bytes]")


@pytest.mark.parametrize("body", [b"it's $1", b"\x00\xff'\\", b"a\nb", b"$TOKEN'$TOKEN"])
def test_the_shell_gives_curl_what_was_sent(body: bytes) -> None:
    bash = shutil.which("bash")
    require(bash, "bash is absent")
    assert bash
    request = Request("POST", REQUEST.target, REQUEST.headers, body, host="x")
    script = f'TOKEN=secret; curl() {{ printf "%s\\0" "$@" | od -An -tx1 -v; }}; {curl(request)}'
    printed = subprocess.run([bash, "-c", script], capture_output=True, check=True).stdout
    words = bytes.fromhex(printed.decode()).split(b"\0")
    if b"\x00" not in body:  # no argument of a command can hold NUL
        assert words[words.index(b"--data-binary") + 1] == body.replace(b"$TOKEN", b"secret")
    assert b"Authorization: Bearer secret" in words
    assert b"Content-Length: 7" not in words


def test_without_a_token_the_command_is_plain_words() -> None:
    words = shlex.split(curl(Request("GET", b"/a", host="x")))
    assert words == ["curl", "--path-as-is", "-i", "-X", "GET", "http://x/a"]
