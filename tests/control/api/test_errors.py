import pytest

from gatecrash.control.api.errors import ApiError, FieldErrors, problem


@pytest.mark.parametrize(
    ("codes", "status"),
    [
        (["already_exists"], 409),
        (["already_exists", "action_not_allowed"], 409),
        (["already_exists", "required"], 400),
        (["not_found"], 400),
    ],
)
def test_a_mix_of_conflict_and_fault_is_400(codes: list[str], status: int) -> None:
    assert FieldErrors({str(place): problem(code, 1) for place, code in enumerate(codes)}).status == status


def test_not_ready_for_cloning_carries_exactly_error_and_value() -> None:
    assert problem("not_ready_for_cloning", "rec_1", min=1) == {"error": "not_ready_for_cloning", "value": "rec_1"}


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("unauthorized", 401),
        ("forbidden", 403),
        ("not_found", 404),
        ("method_not_allowed", 405),
        ("payload_too_large", 413),
        ("unsupported_media_type", 415),
        ("rate_limited", 429),
        ("internal", 500),
        ("invalid_value", 400),
        ("action_not_allowed", 409),
    ],
)
def test_each_code_has_its_status(code: str, status: int) -> None:
    assert ApiError(code, "x").status == status
