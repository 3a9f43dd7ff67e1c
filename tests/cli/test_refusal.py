"""The service's errors are told field by field, in plain words, with the way out."""

import pytest

from gatecrash.cli.refusal import FIELD_WORDS, explain


def test_each_field_has_a_line_of_its_own() -> None:
    body = {
        "rps": {"error": "out_of_range", "value": 2000, "min": 1, "max": 1000},
        "colour": {"error": "unknown_field", "value": "blue"},
        "name": {"error": "required", "value": None},
        "policy_id": {"error": "not_found", "value": "fast", "choices": ["default", "quick"]},
    }
    head, *lines = explain(400, body)
    assert head == "The service refused (400):"
    assert lines == [
        "  rps: is out of range (given: 2000); 1 to 1000 is allowed",
        "  colour: is not known to the service (given: blue)",
        "  name: is missing",
        "  policy_id: does not exist (given: fast); choose one of default, quick",
    ]


def test_a_run_that_has_ended_allows_nothing_more() -> None:
    lines = explain(409, {"action": {"error": "action_not_allowed", "value": "stop", "choices": []}})
    assert lines[1].endswith("lists what is (given: stop); there is nothing to choose from")


def test_a_plain_error_shows_its_sentence_and_a_way_out() -> None:
    lines = explain(401, {"error": "unauthorized", "message": "The API token is not valid."})
    assert lines[1] == "  The API token is not valid."
    assert "gatecrash token create" in lines[2]


def test_the_record_that_is_still_recording_leads_to_stop() -> None:
    lines = explain(400, {"test_record_id": {"error": "not_ready_for_cloning", "value": "rec_1"}})
    assert "gatecrash run stop" in lines[1]


def test_an_unknown_code_is_still_readable() -> None:
    assert explain(400, {"name": {"error": "too_odd", "value": "x"}})[1] == "  name: too odd (given: x)"
    assert explain(400, {"name": "no"})[1] == "  name: no"


def test_every_documented_field_code_has_words() -> None:
    codes = (
        "required invalid_type out_of_range invalid_value unknown_field not_found invalid_point too_long "
        "not_ready_for_cloning empty_test_record not_allowed_with_test_record_id already_exists action_not_allowed"
    )
    assert set(codes.split()) == set(FIELD_WORDS)


def test_an_empty_text_is_shown_as_one() -> None:
    assert explain(400, {"name": {"error": "invalid_value", "value": ""}})[1] == '  name: is empty (given: "")'


@pytest.mark.parametrize("hint", ["message", "reason"])
def test_why_a_value_cannot_be_used_is_told(hint: str) -> None:
    fault = {"error": "invalid_value", "value": "ftp://x", hint: "an origin is needed"}
    assert (
        explain(400, {"target_url": fault})[1] == "  target_url: cannot be used: an origin is needed (given: ftp://x)"
    )
