"""Which object another answer to what made one says that it made."""

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.objects.made import identified, may_be_its_number
from gatecrash.core.testing.known.objects import Made
from gatecrash.core.testing.oracles.leaves import leaves

JSON = (b"Content-Type", b"application/json")
NOTES = Request("POST", b"/notes", (JSON,), b'{"text": "a"}', host="a")


def answered(body: bytes, status: int = 201) -> Response:
    return Response(status, (JSON,), body)


def test_what_made_it_is_known_by_what_its_answer_calls_an_identifier() -> None:
    told = leaves(answered(b'{"total": 3, "number": "N-5", "id": 9}'))
    assert identified(NOTES, told) == [Made(NOTES, ("id",), "9")]
    assert identified(NOTES, leaves(answered(b'{"total": 3}'))) == []


def test_a_version_behind_what_is_listed_says_nothing_of_its_kind() -> None:
    (leaf,) = leaves(answered(b'{"mid": 4}'))
    for path, its_own in ((b"/masts/v1", True), (b"/v1/masts", True), (b"/masts/v1/boats", False)):
        assert may_be_its_number(leaf, Request("POST", path, (JSON,), b"{}", host="a"), {"mast"}) is its_own
