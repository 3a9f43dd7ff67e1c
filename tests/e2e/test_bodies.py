"""Bodies that are no JSON object, of another type, or too large: refused clearly, nothing changed, the connection usable."""

import shutil
import subprocess
from pathlib import Path

import pytest
from tests.absent import require
from tests.e2e.caller import plain_error
from tests.e2e.tenant import Tenant

pytestmark = pytest.mark.database

MIB = 1024 * 1024
RUNS = "/v1/test_run"

BROKEN = {
    "empty": b"",
    "blank": b" \n",
    "brace": b"{",
    "no value": b'{"name": }',
    "trailing comma": b'{"name": "a",}',
    "two documents": b'{"name": "a"}{"name": "b"}',
    "single quotes": b"{'name': 'a'}",
    "no UTF-8": b'{"name": "\xff\xfe"}',
    "overlong UTF-8": b'{"name": "\xc0\x80"}',
    "UTF-16": '{"name": "a"}'.encode("utf-16"),
    "raw NUL": b'{"name": "a\x00b"}',
    "raw newline": b'{"name": "a\nb"}',
    "NaN": b'{"name": "a", "rps": NaN}',
    "Infinity": b'{"name": "a", "rps": Infinity}',
    "minus Infinity": b'{"name": "a", "rps": -Infinity}',
    "leading zero": b'{"name": "a", "rps": 01}',
    "hexadecimal": b'{"name": "a", "rps": 0x5}',
    "list": b"[]",
    "text": b'"name"',
    "number": b"5",
    "null": b"null",
    "true": b"true",
    "deep lists": b'{"name": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "deep objects": b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    "open lists": b"[" * 500_000,
    "a number of a megabyte": b'{"name": "a", "rps": ' + b"9" * 1_000_000 + b"}",
    "an exponent": b'{"name": "a", "rps": 1e999999}',
}


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN.keys())
def test_what_is_no_json_object_is_refused(refused: Tenant, body: bytes) -> None:
    answer = refused.admin.send("POST", RUNS, body)
    assert answer.status == 400
    assert answer.body


def test_of_a_doubled_key_one_value_is_used_or_none(guest: Tenant) -> None:
    answer = guest.admin.send("POST", RUNS, b'{"name": "first", "name": "second", "rps": 5, "rps": 6}')
    if answer.status == 200:
        assert (answer.body["name"], answer.body["rps"]) == ("second", 6)
    else:
        assert answer.status == 400


@pytest.mark.parametrize(
    "kind",
    [
        None,
        "",
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/xml",
        "application/jsonx",
        "json",
        "*/*",
    ],
)
def test_another_content_type_is_415(refused: Tenant, kind: str | None) -> None:
    plain_error(refused.admin.send("POST", RUNS, b'{"name": "a"}', kind), 415, "unsupported_media_type")


@pytest.mark.parametrize("kind", ["application/json", "Application/JSON", "application/json; charset=utf-8"])
def test_json_is_understood_however_it_is_written(guest: Tenant, kind: str) -> None:
    assert guest.admin.send("POST", RUNS, b'{"name": "a"}', kind).status == 200


def padded(size: int) -> bytes:
    """A sound create of exactly so many bytes."""
    return b'{"name": "a"' + b" " * (size - 13) + b"}"


def test_a_body_of_one_mebibyte_is_taken(guest: Tenant) -> None:
    assert guest.admin.send("POST", RUNS, padded(MIB)).status == 200
    assert guest.admin.send("POST", RUNS, iter([padded(MIB)])).status == 200


def test_one_byte_more_is_413(refused: Tenant) -> None:
    plain_error(refused.admin.send("POST", RUNS, padded(MIB + 1)), 413, "payload_too_large")
    plain_error(refused.admin.send("POST", RUNS, iter([padded(MIB + 1)])), 413, "payload_too_large")


def test_a_large_body_of_another_type_is_413_before_415(refused: Tenant) -> None:
    plain_error(refused.admin.send("POST", RUNS, b"x" * (MIB + 1), "text/plain"), 413, "payload_too_large")


@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_of_20_mebibytes_is_413_and_the_service_goes_on(refused: Tenant, chunked: bool) -> None:
    large = b"x" * 65536
    content = (large for _ in range(320)) if chunked else large * 320
    plain_error(refused.admin.send("POST", RUNS, content), 413, "payload_too_large")
    assert refused.admin.get(RUNS).status == 200


def test_curl_is_told_before_it_sends_20_mebibytes(refused: Tenant, tmp_path: Path) -> None:
    require(shutil.which("curl"), "curl was not found")
    (tmp_path / "large").write_bytes(b"x" * 20 * MIB)
    command = ["curl", "-sS", "--noproxy", "*", "-H", f"X-Service-API-Token: {refused.token}", refused.api + RUNS]
    command += ["-H", "Content-Type: application/json", "-H", "Expect: 100-continue", "-o", "-", "-w", " %{http_code}"]
    done = subprocess.run(
        [*command, "--data-binary", f"@{tmp_path / 'large'}"], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.endswith(" 413"), done


def test_an_unread_body_does_not_cost_the_next_request(refused: Tenant) -> None:
    """What the operation did not want to read must not be taken for the next request, nor close the connection."""
    for _ in range(50):
        assert refused.admin.send("GET", RUNS, b"{}").status == 200
        assert refused.admin.send("POST", f"{RUNS}/tr_absent/action/stop", b'{"a": 1}').status == 404
        assert refused.admin.send("PUT", RUNS, b"GET / HTTP/1.1\r\n\r\n").status == 405


def test_the_auth_parameters_take_no_more_either(refused: Tenant) -> None:
    large = b'{"point": [["get", "' + b"x" * MIB + b'"]]}'
    plain_error(refused.admin.send("POST", refused.parameters, large), 413, "payload_too_large")
