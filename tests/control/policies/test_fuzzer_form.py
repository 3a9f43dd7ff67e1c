"""The fuzzer's fields give back the settings that they show."""

import msgspec

from gatecrash.control.policies.fuzzer_form import document, initial
from gatecrash.core.testing.conditions import Bounds, Condition
from gatecrash.core.testing.fuzzer import Fuzzer

SETTINGS = Fuzzer(
    places=("end", "replace"),
    sizes=(8, 64),
    anomaly=(Condition(status=("5xx",), time=Bounds(at_least=2.0)), Condition(body="Trace")),
    no_anomaly=(),
    stop=(Condition(status_difference=False),),
)


def test_what_is_shown_means_the_same_settings() -> None:
    shown = initial(msgspec.to_builtins(SETTINGS))
    assert shown["fuzzer_anomaly"] == '{"status":["5xx"],"time":{"at_least":2.0}}\n{"body":"Trace"}'
    assert shown["fuzzer_sizes"] == ["8", "64"]
    assert msgspec.convert(document(dict(shown)), Fuzzer) == SETTINGS


def test_what_cannot_be_read_goes_on_to_be_refused() -> None:
    found = {"fuzzer_places": ["end"], "fuzzer_sizes": ["x"], "fuzzer_anomaly": "{no json", "name": "kept"}
    assert document(found) == {
        "places": ["end"],
        "sizes": ["x"],
        "anomaly": ["{no json"],
        "no_anomaly": [],
        "stop": [],
    }
    assert found == {"name": "kept"}


def test_fields_that_are_all_empty_mean_the_usual_settings() -> None:
    assert document({"name": "x"}) == {}
