import json

import pytest

from gatecrash.control.api import envelope
from gatecrash.control.api.errors import ApiError, FieldErrors, problem


def test_status_and_body_are_the_whole_answer() -> None:
    answer = envelope.ok({"a": None})
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")
    assert json.loads(answer.content) == {"status": 200, "body": {"a": None}}


@pytest.mark.parametrize("value", [2**64, -(2**70), "\ud800", {"\udfff": ["\x00"]}, [[[1.5]]]])
def test_any_value_that_json_can_hold_is_given_back_as_it_was(value: object) -> None:
    answer = envelope.refusal(FieldErrors({"f": problem("invalid_value", value)}))
    assert json.loads(answer.content)["body"]["f"]["value"] == value


def test_a_refusal_has_code_sentence_and_headers() -> None:
    answer = envelope.refusal(ApiError("rate_limited", "Wait.", headers={"Retry-After": "3"}))
    assert json.loads(answer.content) == {"status": 429, "body": {"error": "rate_limited", "message": "Wait."}}
    assert answer["Retry-After"] == "3"
