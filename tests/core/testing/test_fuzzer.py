"""The fuzzer's settings, and which of them cannot work."""

import msgspec
import pytest

from gatecrash.core.errors import InvalidPattern, InvalidPolicy
from gatecrash.core.testing.conditions import Condition
from gatecrash.core.testing.fuzzer import BYTES, PLACES, Fuzzer, check_fuzzer
from gatecrash.core.testing.policy_document import read_policy


def test_what_is_not_set_works():
    check_fuzzer(Fuzzer())
    assert (len(BYTES), len(set(BYTES)), BYTES[0]) == (255, 255, 0)
    assert set(Fuzzer().places) == set(PLACES)


@pytest.mark.parametrize(
    ("fuzzer", "told"),
    [
        (Fuzzer(sizes=(0,)), "fuzzer.sizes"),
        (Fuzzer(sizes=(5000,)), "fuzzer.sizes"),
        (Fuzzer(sizes=()), "one entry"),
        (Fuzzer(anomaly=()), "one entry"),
        (Fuzzer(anomaly=(Condition(status=("5xx",)), Condition())), r"fuzzer.anomaly\[1\]"),
        (Fuzzer(stop=(Condition(body="("),)), r"fuzzer.stop\[0\]"),
        (Fuzzer(no_anomaly=(Condition(status=("500",)),) * 30), "fuzzer.no_anomaly"),
    ],
)
def test_a_mistake_is_told_with_its_field(fuzzer, told):
    with pytest.raises(InvalidPattern, match=told):
        check_fuzzer(fuzzer)


def test_a_policys_document_holds_it():
    document = {
        "types": ["anomaly"],
        "fuzzer": {"sizes": [10], "anomaly": [{"time": {"at_least": 3}}, {"status": ["500-510"], "body": "oops"}]},
    }
    fuzzer = read_policy(document, "p").fuzzer
    assert fuzzer.sizes == (10,)
    assert fuzzer.anomaly[1] == Condition(status=("500-510",), body="oops")
    assert fuzzer.places == PLACES
    again = msgspec.convert(msgspec.to_builtins(fuzzer), Fuzzer)
    assert again == fuzzer


@pytest.mark.parametrize(
    "fuzzer", [{"sises": [1]}, {"places": ["middle"]}, {"anomaly": [{"tmie": {}}]}, {"sizes": [-1]}]
)
def test_a_document_with_a_mistake_is_refused(fuzzer):
    with pytest.raises(InvalidPolicy, match=r"fuzzer|sises|tmie|middle"):
        read_policy({"types": ["anomaly"], "fuzzer": fuzzer}, "p")
