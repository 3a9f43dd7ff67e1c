from gatecrash.control.inventory import views
from gatecrash.core.auth.parameters import DEFAULTS

ROW = (1, "ep_1", "rest", "GET", "h", "/a", 1, 2, "", 1000, 949, 10, 3, 0, 0, 990, 0, 10, 0)


def test_defaults_have_identifiers_that_never_change() -> None:
    assert len(views.DEFAULT_IDS) == len(DEFAULTS) == 34
    assert views.default_id(DEFAULTS[0]) == "ap_default_962fc68ef89c4a43"


def test_status_and_coverage_come_from_the_core_and_never_round_up() -> None:
    shown = views.endpoint(ROW, [("bearer", ["header", "AUTHORIZATION"], 950, 949), ("basic", '["get", "a"]', 3, 0)])
    assert (shown["status"], shown["coverage"], shown["types"]) == ("partial", 94.9, ["bearer"])
    assert shown["statuses"] == {"1xx": 0, "2xx": 990, "3xx": 0, "4xx": 10, "5xx": 0}
    assert shown["parameters"][1] == {
        "type": "basic",
        "coverage": 0.0,
        "key": "a",
        "context": "query",
        "point": [["get", "a"]],
        "seen": 3,
        "valid": 0,
    }


def test_without_answers_refused_is_null_and_without_traffic_status_is() -> None:
    silent = (*ROW[:9], 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    shown = views.endpoint(silent, [])
    assert (shown["refused"], shown["status"], shown["coverage"]) == (None, None, None)
