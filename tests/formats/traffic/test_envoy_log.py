"""Envoy's JSON access log, as Envoy writes it."""

import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.auth.parameters import HEADERS
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.formats.capture import Malformed
from gatecrash.formats.traffic import envoy_log

DEPLOYED = Path(__file__).resolve().parents[3] / "deploy" / "envoy" / "access-log.yaml"
LINE = {
    "start_time": "2026-11-20T10:00:00.250Z",
    "method": "POST",
    "scheme": "https",
    "authority": "api.example.com:8443",
    "path": "/a?x=1",
    "protocol": "HTTP/2",
    "response_code": 200,
    "connection_id": 9,
    "downstream_remote_address": "192.0.2.7",
    "request_headers": {"authorization": "Bearer abcdefgh", "cookie": "-", "x-api-key": None, ":path": "/"},
    "response_headers": {"set-cookie": "a=b"},
}


def one(line: object) -> Exchange | Malformed:
    raw = line if isinstance(line, bytes) else json.dumps(line).encode()
    (found,) = envoy_log.read(io.BytesIO(raw))
    return found


def test_a_line_becomes_the_exchange_it_describes() -> None:
    headers = ((b"host", b"api.example.com:8443"), (b"authorization", b"Bearer abcdefgh"))
    request = Request("POST", b"/a?x=1", headers, b"", "https", "api.example.com", 8443, "2")
    assert one(LINE) == Exchange(
        request, Response(200, ((b"set-cookie", b"a=b"),)), 1795168800.25, None, "9", "192.0.2.7"
    )


@pytest.mark.parametrize("name", HEADERS)
def test_every_default_header_is_in_the_log_that_is_deployed(name: str) -> None:
    assert f'{name.lower()}: "%REQ({name})%"' in DEPLOYED.read_text()


def test_the_deployed_logs_of_both_servers_name_the_same_headers() -> None:
    envoy = {name.lower().replace("-", "_") for name in re.findall(r"%REQ\(([A-Z0-9_-]+)\)%", DEPLOYED.read_text())}
    nginx = set(
        re.findall(r"'\"http_([a-z0-9_]+)\":", (DEPLOYED.parents[1] / "nginx" / "gatecrash-log.conf").read_text())
    )
    assert envoy == nginx - {"host"}


@pytest.mark.parametrize("code", [0, "0", "-", None])
def test_a_code_of_nought_is_no_answer(code: object) -> None:
    found = one({**LINE, "response_code": code})
    assert isinstance(found, Exchange)
    assert found.response is None


def test_the_time_may_be_in_seconds() -> None:
    found = one({**LINE, "start_time": "1795168800.25"})
    assert isinstance(found, Exchange)
    assert found.started == 1795168800.25


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"[1]", "no JSON object"),
        (b'{"path": ' + b"[" * 5000 + b"]" * 5000 + b"}", ""),
        (b"{", "no JSON"),
        ({**LINE, "path": "-"}, "names no method and path"),
        ({**LINE, "response_code": 20}, "no HTTP status"),
        ({**LINE, "start_time": None}, "no start_time"),
        ({**LINE, "start_time": "1e300"}, ""),
        ({**LINE, "authority": None}, "names no host"),
    ],
)
def test_a_broken_line_says_why(line: object, why: str) -> None:
    found = one(line)
    assert isinstance(found, Malformed)
    assert why in found.why


@given(st.lists(st.binary()))
def test_no_bytes_raise(lines: list[bytes]) -> None:
    list(envoy_log.read(io.BytesIO(b"\n".join(lines))))


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=4,
)


@given(st.dictionaries(st.sampled_from(sorted(LINE)), JSON))
def test_no_value_of_a_field_raises(changed: dict[str, object]) -> None:
    assert isinstance(one({**LINE, **changed}), Exchange | Malformed)
