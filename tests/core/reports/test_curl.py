"""A curl command reproduces a request and holds no credential; a real shell reads it back."""

import shlex
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.reports.curl import curl, quote
from gatecrash.core.testing.operations.sockets import as_opening

TOKEN = b"3f9a0c77de114b02"


def test_a_get_with_a_token():
    request = Request(
        "GET",
        b"/orders?q=%27",
        ((b"Host", b"127.0.0.1:8001"), (b"Authorization", b"Bearer " + TOKEN)),
        host="127.0.0.1",
        port=8001,
    )
    assert curl(request) == (
        'curl --globoff --path-as-is -H "Authorization: Bearer $TOKEN" http://127.0.0.1:8001/orders?q=%27'.replace(
            "http://127.0.0.1:8001/orders?q=%27", "'http://127.0.0.1:8001/orders?q=%27'"
        )
    )


def test_a_body_and_its_method():
    request = Request(
        "POST", b"/a", ((b"Content-Type", b"application/json"), (b"Content-Length", b"9")), b'{"a": \'}', host="h"
    )
    command = curl(request)
    assert "-X POST" in command
    assert "Content-Length" not in command
    assert shlex.split(command)[-2] == '{"a": \'}'


def test_credentials_anywhere_are_masked():
    request = Request(
        "POST",
        b"/a?api_key=" + TOKEN,
        ((b"Cookie", b"sid=" + TOKEN), (b"X-Api-Key", TOKEN), (b"Content-Type", b"application/json")),
        b'{"client_secret": "' + TOKEN + b'"}',
        host="h",
    )
    points = [Point.of("get", "api_key"), Point.of("post", "json_doc", "json_obj", "client_secret")]
    command = curl(request, points)
    assert TOKEN.decode() not in command
    assert command.count("$TOKEN") == 4


def test_a_host_header_of_its_own_is_kept():
    assert "-H 'Host: other'" in curl(Request("GET", b"/", ((b"Host", b"other"),), host="h"))


def test_an_empty_header_is_still_sent():
    assert "'X-Empty;'" in curl(Request("GET", b"/", ((b"X-Empty", b""),), host="h"))


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here to read the words back")
@given(st.binary(min_size=1, max_size=30).filter(lambda word: b"\0" not in word))
def test_a_shell_reads_every_word_back_byte_for_byte(word):
    shown = subprocess.run(["bash", "-c", f"printf %s {quote(word)}"], capture_output=True, check=True, timeout=60)
    assert shown.stdout == word


def test_a_mask_of_before_is_the_readers_to_fill_in():
    headers = ((b"X-Mine", b"$TOKEN"), (b"Host", b"h"))
    command = curl(Request("POST", b"/a?k=$TOKEN&q='", headers, b'{"k": "$TOKEN"}', host="h"))
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash here to fill it in")
    script = f'TOKEN=secret; curl() {{ printf "%s\\n" "$@"; }}; {command}'
    words = subprocess.run([bash, "-c", script], capture_output=True, check=True, timeout=60).stdout.splitlines()
    assert b"X-Mine: secret" in words
    assert b'{"k": "secret"}' in words
    assert words[-1] == b"http://h/a?k=secret&q='"


def test_a_socket_is_opened_and_listened_to():
    asked = as_opening(Request("GET", b"/live", ((b"Host", b"h"), (b"Cookie", b"sid=1")), b'{"op": "sub"}', host="h"))
    words = shlex.split(curl(asked))
    assert {"--include", "--no-buffer", "Connection: Upgrade", "Upgrade: websocket", "Cookie: sid=$TOKEN"} <= {*words}
    assert words[-1] == "http://h/live"
    assert not any("sub" in word or word == "-X" for word in words)
    assert any(word.startswith("Sec-WebSocket-Key: ") and "$" not in word for word in words)
