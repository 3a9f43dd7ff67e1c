import pytest

from gatecrash.control.inventory import mapping
from gatecrash.core.errors import ProtocolMismatch
from gatecrash.wire.counts import Counts, EndpointCount, ParameterCount


def count(**given: object) -> EndpointCount:
    fields = {
        "hour": 1,
        "protocol": "rest",
        "method": "GET",
        "host": "h",
        "path": "/",
        "requests": 3,
        "authenticated": 1,
    }
    fields |= {"refused": None, "first_seen": 1, "last_seen": 2}
    return EndpointCount(**(fields | given))


def test_digests_keep_the_borders_of_names() -> None:
    assert mapping.digest(["a", "bc"]) != mapping.digest(["ab", "c"])
    assert mapping.digest(["a"]) == mapping.digest(["a"])
    assert len(mapping.digest([])) == mapping.digest("x").__len__() == 64


def test_names_are_made_storable() -> None:
    assert mapping.name(count(host="API.Example\x00", path="/a")) == ("rest", "GET", "api.example\ufffd", "/a")
    long = mapping.name(count(method="M" * 99, host="h" * 999, path="p" * 9999))
    assert [len(part) for part in long] == [4, mapping.MAX_METHOD, mapping.MAX_HOST, mapping.MAX_PATH]
    assert mapping.parameter_name(ParameterCount("bearer", ("get", "a\x00"), 1, 1)) == ("bearer", ("get", "a\ufffd"))


def test_rows_of_the_same_key_are_added() -> None:
    sums = mapping.endpoint_sums(
        [((1, 2), count()), ((1, 2), count(refused=2, statuses=((2, 1), (4, 2), (9, 9))))], detection=True
    )
    assert sums == {(1, 2): [6, 2, 3, 2, 0, 0, 1, 0, 2, 0]}
    assert mapping.parameter_sums(
        [((1, 7), ParameterCount("x", (), 3, 1)), ((1, 7), ParameterCount("x", (), 2, 2))]
    ) == {(1, 7): [5, 3]}


def test_a_node_without_detection_adds_to_no_share() -> None:
    assert mapping.endpoint_sums([((1, 2), count())], detection=False)[(1, 2)][:5] == [0, 0, 0, 0, 3]


@pytest.mark.parametrize(("spool", "sequence"), [("x" * 129, 1), ("a\x00", 1), ("s", -1), ("s", 2**53)])
def test_an_impossible_batch_is_refused(spool: str, sequence: int) -> None:
    with pytest.raises(ProtocolMismatch):
        mapping.check(Counts("n", "s", spool, sequence, ()))
