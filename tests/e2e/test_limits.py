"""Bad input at the door: each limit of contract 8 from both sides, each field with each wrong type, and nothing changed.

Every refusal is compared with the state before it: a rejected create or copy interrupts nothing and makes nothing.
"""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.absent import require
from tests.e2e.caller import Answer, field_error, plain_error
from tests.e2e.service import Service
from tests.e2e.tenant import Tenant

pytestmark = pytest.mark.database

MIB = 1024 * 1024
RUNS = "/v1/test_run"
HUGE = 10**30

# field: (just inside, just outside), contract 8
BOUNDS: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "rps": ((1, 1000), (0, 1001, -1, HUGE, -HUGE)),
    "rps_per_baseline": ((1, 500), (0, 501, -1, HUGE)),
    "inactivity_timeout": ((300, 86400), (299, 86401, 0, -300, HUGE)),
}
LENGTHS = {"name": 255, "test_record_name": 255, "desc": 4096}
TEXTS = ("name", "test_record_name", "desc", "file_extensions_to_exclude", "policy_id")
FLAGS = ("stop_on_first_fail", "skip_duplicated_baselines")
NOT_ON_COPY = {"test_record_name"}

WRONG: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(TEXTS, (True, 5, 5.0, [], {}, ["a"])),
    **dict.fromkeys(FLAGS, (None, "true", 1, 0, 5.0, [], {})),
    **dict.fromkeys(BOUNDS, (True, False, 5.0, 300.0, "5", "300", [], {}, [300])),
    "name": (None, True, 5, 5.0, [], {}),
    "desc": (None, True, 5, 5.0, [], {}),
    "tags": (True, 5, "a", {}, [5], [None], [["a"]]),
    "node_id": (True, 5, [], {}),
    "clientid": (True, 5, [], {}),
    "target_url": (True, 5, [], {}),
}


@pytest.fixture(scope="module")
def guest(service: Service) -> Iterator[Tenant]:
    """A client that creates what is accepted."""
    with service.tenant() as tenant:
        yield tenant


@pytest.fixture(scope="module")
def watched(service: Service) -> Iterator[Tenant]:
    """A client with a running run and a record that can be copied; nothing may happen to either."""
    with service.tenant() as tenant:
        tenant.recorded("old")
        tenant.admin.did("POST", RUNS, {"name": "bystander"})
        yield tenant


@pytest.fixture
def refused(watched: Tenant) -> Iterator[Tenant]:
    """The watched client; what is asked in this test must leave it as it is."""
    before = watched.state()
    yield watched
    assert watched.state() == before


def forms(field: str) -> tuple[str, ...]:
    """Where a field may stand."""
    return ("create",) if field in NOT_ON_COPY else ("create", "copy")


def base(form: str, tenant: Tenant) -> dict[str, Any]:
    """The least that is accepted."""
    return {"name": "a run"} if form == "create" else {"name": "a copy", "test_record_id": tenant.record_id}


def on_both(table: dict[str, tuple[Any, ...]]) -> list[Any]:
    """Parameters for each form, field and value."""
    return [
        pytest.param(form, field, value, id=f"{form}-{field}-{str(value)[:12]}-{index}")
        for field, values in table.items()
        for form in forms(field)
        for index, value in enumerate(values)
    ]


@pytest.mark.parametrize(("form", "field", "value"), on_both({field: inside for field, (inside, _) in BOUNDS.items()}))
def test_the_limit_itself_is_allowed(guest: Tenant, form: str, field: str, value: int) -> None:
    if guest.record_id is None:
        guest.recorded("source")
    run = guest.admin.did("POST", RUNS, {**base(form, guest), field: value})
    assert (type(run[field]), run[field]) == (int, value)


@pytest.mark.parametrize(("form", "field", "value"), on_both({field: out for field, (_, out) in BOUNDS.items()}))
def test_one_past_the_limit_is_refused(refused: Tenant, form: str, field: str, value: int) -> None:
    answer = refused.admin.post(RUNS, {**base(form, refused), field: value})
    field_error(answer, field, "out_of_range", value)
    low, high = BOUNDS[field][0]
    assert (answer.body[field]["min"], answer.body[field]["max"]) == (low, high)
    assert set(answer.body) == {field}


@pytest.mark.parametrize(("form", "field", "value"), on_both(WRONG))
def test_a_wrong_type_is_refused(refused: Tenant, form: str, field: str, value: object) -> None:
    answer = refused.admin.post(RUNS, {**base(form, refused), field: value})
    field_error(answer, field, "invalid_type", value)
    assert set(answer.body) == {field}


@pytest.mark.parametrize("value", [True, 5, 5.0, [], {}])
def test_a_record_identifier_is_a_string(refused: Tenant, value: object) -> None:
    field_error(
        refused.admin.post(RUNS, {"name": "a", "test_record_id": value}), "test_record_id", "invalid_type", value
    )


@pytest.mark.parametrize("field", ["rps", "rps_per_baseline"])
def test_null_is_the_default_where_the_default_is_null(guest: Tenant, field: str) -> None:
    assert guest.admin.did("POST", RUNS, {"name": "a", field: None})[field] is None


@pytest.mark.parametrize(("field", "length"), LENGTHS.items())
def test_a_text_may_be_as_long_as_documented(guest: Tenant, field: str, length: int) -> None:
    for text in ("x" * length, "é" * length, "🙂" * length):
        assert guest.admin.did("POST", RUNS, {"name": "a", field: text})[field] == text


@pytest.mark.parametrize("form", ["create", "copy"])
@pytest.mark.parametrize(("field", "length"), LENGTHS.items())
def test_a_longer_text_is_refused(refused: Tenant, form: str, field: str, length: int) -> None:
    if form in forms(field):
        text = "é" * (length + 1)
        answer = refused.admin.post(RUNS, {**base(form, refused), field: text})
        field_error(answer, field, "too_long", text)
        assert answer.body[field]["max"] == length


@pytest.mark.parametrize("form", ["create", "copy"])
def test_the_name_is_required(refused: Tenant, form: str) -> None:
    body = base(form, refused)
    del body["name"]
    answer = refused.admin.post(RUNS, body)
    field_error(answer, "name", "required", None)
    assert set(answer.body) == {"name"}


def test_an_empty_name_is_refused(refused: Tenant) -> None:
    field_error(refused.admin.post(RUNS, {"name": ""}), "name", "invalid_value", "")


@pytest.mark.parametrize("form", ["create", "copy"])
@pytest.mark.parametrize("field", ["unknown", "id", "state", "vulns", "Name", "", "__class__", "name ", "é"])
def test_an_unknown_field_is_refused(refused: Tenant, form: str, field: str) -> None:
    field_error(
        refused.admin.post(RUNS, {**base(form, refused), field: {"deep": [1]}}), field, "unknown_field", {"deep": [1]}
    )


def test_create_and_copy_cannot_be_mixed(refused: Tenant) -> None:
    answer = refused.admin.post(RUNS, {**base("copy", refused), "test_record_name": "a"})
    assert [fault["error"] for fault in answer.body.values()] == ["not_allowed_with_test_record_id"]
    field_error(answer, "test_record_name", "not_allowed_with_test_record_id", "a")


@pytest.mark.parametrize("form", ["create", "copy"])
def test_all_faulty_fields_are_named_at_once(refused: Tenant, form: str) -> None:
    faulty = {"name": 5, "rps": 0, "rps_per_baseline": "5", "inactivity_timeout": 5.0, "desc": "x" * 4097, "odd": None}
    answer = refused.admin.post(RUNS, {**base(form, refused), **faulty, "policy_id": "pol_absent"})
    codes = {
        "name": "invalid_type",
        "rps": "out_of_range",
        "rps_per_baseline": "invalid_type",
        "inactivity_timeout": "invalid_type",
        "desc": "too_long",
        "odd": "unknown_field",
        "policy_id": "not_found",
    }
    assert answer.status == 400
    assert {field: fault["error"] for field, fault in answer.body.items()} == codes
    assert {field: fault["value"] for field, fault in answer.body.items()} == {**faulty, "policy_id": "pol_absent"}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("policy_id", "pol_absent"),
        ("policy_id", ""),
        ("test_record_id", "rec_absent"),
        ("test_record_id", ""),
        ("test_record_id", "x" * 64),
        ("node_id", "node_absent"),
        ("auth_profile_id", "prof_absent"),
    ],
)
def test_an_identifier_of_nothing_is_not_found(refused: Tenant, field: str, value: str) -> None:
    field_error(refused.admin.post(RUNS, {"name": "a", field: value}), field, "not_found", value)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("clientid", "cl_other"),
        ("type", "hub"),
        ("target_url", "ftp://example.com"),
        ("target_url", "no address"),
        ("target_url", "http://"),
        ("name", "a\x00b"),
        ("desc", "\x00"),
        ("test_record_name", "\x00"),
        ("policy_id", "\x00"),
        ("tags", ["\x00"]),
        ("name", "\ud800"),
        ("desc", "a\udfff"),
        ("tags", ["\udc00"]),
    ],
    ids=ascii,
)
def test_a_value_that_cannot_be_used_is_refused(refused: Tenant, field: str, value: object) -> None:
    answer = refused.admin.post(RUNS, {"name": "a", field: value})
    assert answer.status == 400
    if not has_lone_surrogate(value):  # such a text is no JSON at all to some parsers; being refused is what counts
        assert answer.body[field]["error"] in {"invalid_value", "not_found"}


def has_lone_surrogate(value: object) -> bool:
    """Whether UTF-8 cannot hold the text."""
    return any(
        0xD800 <= ord(letter) <= 0xDFFF for text in ([value] if isinstance(value, str) else value) for letter in text
    )  # type: ignore[attr-defined]


def test_a_nul_in_a_field_name_is_an_unknown_field(refused: Tenant) -> None:
    assert refused.admin.post(RUNS, {"name": "a", "x\x00": 1}).status == 400


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


def answers(tenant: Tenant, bodies: list[object]) -> list[Answer]:
    """The answers to adding each of these parameters."""
    return [tenant.admin.post(tenant.parameters, body) for body in bodies]


@pytest.mark.parametrize(
    "point",
    [
        [],
        [[]],
        [["header"]],
        [["header", ""]],
        [["header", "A", "B"]],
        [["header", "X-" + "A" * 255]],
        [["header", "X A"]],
        [["header", "X\tA"]],
        [["header", "X\x00"]],
        [["header", "X\x7f"]],
        [["header", "COOKIE"]],
        [["header", "cookie"]],
        [["header", "HOST"]],
        [["header", "Content-Type"]],
        [["header", "CONTENT-LENGTH"]],
        [["header", "USER-AGENT"]],
        [["header", "COOKIE", "cookie"]],
        [["header", "COOKIE", "cookie", ""]],
        [["header", "COOKIE", "x", "sid"]],
        [["header", "X-A", "cookie", "sid"]],
        [["get"]],
        [["get", ""]],
        [["get", "a", "b"]],
        [["get", "a" * 257]],
        [["get", "a b"]],
        [["post", "a"]],
        [["post", "form_urlencoded"]],
        [["post", "form_urlencoded", ""]],
        [["post", "json_doc", "a"]],
        [["post", "json_doc", "json_obj"]],
        [["post", "json_doc", "json_obj", "a", "json_obj", "b"]],
        [["post", "json_doc", "json_array", "0"]],
        [["path", "0"]],
        [["uri"]],
        [["GET", "a"]],
        [["header", "X-A"], ["get", "a"]],
        [["header", 5]],
        [["header", None]],
        [["header", ["X-A"]]],
        [[["header", "X-A"]]],
        ["header"],
        ["get", "a", "b"],
    ],
    ids=str,
)
def test_a_point_of_another_shape_is_refused(refused: Tenant, point: object) -> None:
    field_error(refused.admin.post(refused.parameters, {"point": point}), "point", "invalid_point", point)


@pytest.mark.parametrize("point", [True, 5, 5.0, "header", {}, None])
def test_a_point_that_is_no_list_is_refused(refused: Tenant, point: object) -> None:
    answer = refused.admin.post(refused.parameters, {"point": point})
    assert answer.status == 400
    assert answer.body["point"]["error"] in {"invalid_type", "invalid_point"}
    assert answer.body["point"]["value"] == point


def test_a_point_is_required_and_comes_alone(refused: Tenant) -> None:
    missing, more = answers(refused, [{}, {"point": [["get", "a"]], "source": "default"}])
    field_error(missing, "point", "required", None)
    field_error(more, "source", "unknown_field", "default")


def test_a_name_of_256_characters_is_taken(guest: Tenant) -> None:
    for point in (["header", "X" * 256], ["get", "a" * 256], ["post", "json_doc", "json_obj", "é" * 256]):
        assert guest.admin.did("POST", guest.parameters, {"point": [point]})["point"] == [point]
