"""The document has the fields of the command line reference, in its order; no others but where they have something to say."""

from gatecrash.core.reports.json import BASELINE, VULNERABILITY, document


def test_only_the_named_fields_are_in_it() -> None:
    finding = {**dict.fromkeys(VULNERABILITY, "x"), "found_at": 1}
    baseline = {**dict.fromkeys(BASELINE, "y"), "reason": None, "detail": "z"}
    made = document({"id": "tr_1"}, [finding], [baseline])
    assert list(made) == ["test_run", "vulnerabilities", "baselines"]
    assert made["test_run"] == {"id": "tr_1"}
    assert list(made["vulnerabilities"][0]) == list(VULNERABILITY)
    assert list(made["baselines"][0]) == list(BASELINE)


def test_a_baseline_in_error_has_its_detail() -> None:
    failed = {**dict.fromkeys(BASELINE, "y"), "reason": "connection_failed", "detail": "no_control: none was recorded"}
    (made,) = document({}, [], [failed])["baselines"]
    assert list(made) == [*BASELINE, "detail"]
    assert made["detail"] == "no_control: none was recorded"


def test_one_of_several_with_one_cause_names_where_that_is_told() -> None:
    cors = {**dict.fromkeys(VULNERABILITY, "x"), "type": "cors", "point": [], "url": "http://a.example/1", "threat": 35}
    first, second = document({}, [{**cors, "code": "S0001"}, {**cors, "code": "S0002"}], [])["vulnerabilities"]
    assert list(first) == list(VULNERABILITY)
    assert (list(second), second["cause"]) == ([*VULNERABILITY, "cause"], "S0001")


def test_a_suppressed_one_says_so_and_no_other_does() -> None:
    finding = dict.fromkeys(VULNERABILITY, "x")
    known = {**finding, "suppressed": True, "suppression_reason": "until spring"}
    first, second = document({}, [known, {**finding, "suppressed": False}], [])["vulnerabilities"]
    assert (first["suppressed"], first["suppression_reason"]) == (True, "until spring")
    assert list(second) == list(VULNERABILITY)
