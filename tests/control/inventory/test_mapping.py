import pytest

from gatecrash.control.inventory import mapping
from gatecrash.core.auth.scheme import AuthType
from gatecrash.core.errors import ProtocolMismatch
from gatecrash.wire.counts import Counts, EndpointCount, NoteCount, ParameterCount, WithoutCount


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
    assert mapping.name(count(host="API.Example\x00", path="/a")) == ("rest", "GET", "api.example\ufffd", "/a", "")
    long = mapping.name(count(method="M" * 99, host="h" * 999, path="p" * 9999, operation="o" * 999))
    most = [4, mapping.MAX_METHOD, mapping.MAX_HOST, mapping.MAX_PATH, mapping.MAX_OPERATION]
    assert [len(part) for part in long] == most
    assert mapping.credential_name(ParameterCount("bearer", ("get", "a\x00"), 1, 1)) == ("bearer", ("get", "a\ufffd"))


def test_rows_of_the_same_key_are_added() -> None:
    sums = mapping.endpoint_sums(
        [((1, 2), count()), ((1, 2), count(refused=2, statuses=((2, 1), (4, 2), (9, 9))))], detection=True
    )
    assert sums == {(1, 2): (6, 2, 3, 2, 0, 0, 0, 1, 0, 2, 0)}


def test_a_node_without_detection_adds_to_no_share() -> None:
    assert mapping.endpoint_sums([((1, 2), count())], detection=False)[(1, 2)][:6] == (0, 0, 0, 0, 0, 3)


def test_a_name_without_an_operation_has_the_digest_of_its_four_parts() -> None:
    plain = mapping.name(count())
    assert mapping.name_digest(plain) == mapping.digest(list(plain[:4]))
    assert mapping.name_digest(mapping.name(count(operation="query A"))) != mapping.name_digest(plain)


def test_stored_numbers_are_never_renumbered() -> None:
    """Rows hold them: a new type or state may only be appended."""
    names = [
        "api_key",
        "aws_sigv4",
        "basic",
        "bearer",
        "cookie",
        "digest",
        "hawk",
        "hmac",
        "negotiate",
        "ntlm",
        "scram",
    ]
    assert list(mapping.TYPE_BITS.items())[:11] == [(name, 1 << place) for place, name in enumerate(names)]
    assert set(mapping.TYPE_BITS) == {item.value for item in AuthType}
    assert mapping.STATUSES == (None, "missing", "partial", "consistent")
    assert mapping.DOCUMENT_STATES == (None, "documented", "shadow")


@pytest.mark.parametrize(
    "wrong",
    [
        {"refused": 1, "authenticated_refused": 2},
        {"authenticated_refused": 1},
        {"without": (WithoutCount("curl", 2, 4, 1, 1),)},
        {"without": (WithoutCount("curl", 2, 1, -1, 1),)},
        {"notes": (NoteCount("jwt_alg_none", ("get", "a"), 4, 1, 1),)},
        {"notes": (NoteCount("jwt_alg_none", ("get", "a"), 1, 1, 2**60),)},
    ],
)
def test_impossible_details_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ProtocolMismatch):
        mapping.check(Counts("n", "s", "p", 1, (count(**wrong),)))


@pytest.mark.parametrize(("spool", "sequence"), [("x" * 129, 1), ("a\x00", 1), ("s", -1), ("s", 2**53)])
def test_an_impossible_batch_is_refused(spool: str, sequence: int) -> None:
    with pytest.raises(ProtocolMismatch):
        mapping.check(Counts("n", "s", spool, sequence, ()))
