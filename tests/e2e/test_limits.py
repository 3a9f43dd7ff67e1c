"""Bad input: each limit of contract 8 from both sides, each field with each wrong type, and nothing changed.

Every refusal is compared with the state before it: a rejected create or copy interrupts nothing and makes nothing.
"""

from typing import Any

import pytest
from tests.e2e.caller import field_error
from tests.e2e.tenant import Tenant

pytestmark = pytest.mark.database

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


def has_lone_surrogate(value: Any) -> bool:
    """Whether UTF-8 cannot hold the text."""
    return any(
        0xD800 <= ord(letter) <= 0xDFFF for text in ([value] if isinstance(value, str) else value) for letter in text
    )


def test_a_nul_in_a_field_name_is_an_unknown_field(refused: Tenant) -> None:
    assert refused.admin.post(RUNS, {"name": "a", "x\x00": 1}).status == 400


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("limit", "0", "out_of_range"),
        ("limit", "1001", "out_of_range"),
        ("limit", "-1", "out_of_range"),
        ("limit", "1.0", "invalid_type"),
        ("limit", "\u00b2", "invalid_type"),
        ("limit", "", "invalid_type"),
        ("limit", "9" * 5000, "invalid_type"),
        ("offset", "-1", "out_of_range"),
        ("offset", "1e3", "invalid_type"),
        ("state", "asleep", "invalid_value"),
        ("name", "x" * 256, "too_long"),
        ("name", "\0", "invalid_value"),
    ],
)
def test_a_faulty_query_is_refused_like_a_field(refused: Tenant, field: str, value: str, code: str) -> None:
    field_error(refused.admin.get(RUNS, params={field: value}), field, code, value)


@pytest.mark.parametrize(("value", "code"), [("61", "out_of_range"), ("-1", "out_of_range"), ("1.5", "invalid_type")])
def test_a_run_can_be_awaited_for_a_minute_at_most(refused: Tenant, value: str, code: str) -> None:
    run = refused.admin.did("GET", RUNS)["objects"][0]
    field_error(refused.admin.get(f"{RUNS}/{run['id']}", params={"wait": value}), "wait", code, value)


def test_all_faulty_query_fields_are_named_at_once(refused: Tenant) -> None:
    answer = refused.admin.get(RUNS, params={"limit": "0", "offset": "x", "state": "asleep"})
    assert (answer.status, set(answer.body)) == (400, {"limit", "offset", "state"})
