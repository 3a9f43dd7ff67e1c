"""Objects of others that stand beside the caller's own, by their numbers."""

import msgspec
import orjson
import pytest
from tests.core.testing.driving import credentials_of, record
from tests.core.testing.probes.as_tenants import drive_as
from tests.range.tenants_store import SIGNED

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.owners.beside_own import is_own
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.idor import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

REQUEST = Request("GET", b"/hives/31", ((b"Authorization", SIGNED["ann"].encode()),))


class Yard:
    """Hives by number, with who owns each; the list shows each caller his own."""

    def __init__(self, owners: dict[int, int]) -> None:
        self.owners, self.asked = owners, []

    def __call__(self, request: Request) -> Response:
        self.asked.append(request.path)
        if request.first(b"Authorization") is None:
            return Response(401)
        told = [{"id": number, "userId": owner, "name": f"hive {number}"} for number, owner in self.owners.items()]
        if request.path == b"/hives":
            return answer([each for each in told if each["userId"] == 7])
        found = next((each for each in told if request.path == b"/hives/%d" % each["id"]), None)
        return answer(found) if found else Response(404)


def answer(document: object) -> Response:
    return Response(200, ((b"Content-Type", b"application/json"),), orjson.dumps(document))


class SharedYard(Yard):
    """Hives that everybody may see, and whoever wants to see his own says so."""

    def __call__(self, request: Request) -> Response:
        asked = super().__call__(request)
        if asked.status != 200 or request.path != b"/hives" or request.query == b"owner=7":
            return asked
        return answer([{"id": number, "userId": owner} for number, owner in self.owners.items()])


def claimed(yard: Yard):
    known, pages = (Identity("recorded 1", 0, ("7", "ann")),), Pages()
    pages.add(record(yard, msgspec.structs.replace(REQUEST, target=b"/hives?owner=7")).exchange)
    (check,) = plan(
        record(yard, REQUEST), DEFAULT, credentials_of(REQUEST), (PROBE,), identities=known, pages=pages.beside(REQUEST)
    )
    yard.asked.clear()
    return drive_as(check, yard).verdict


@pytest.mark.parametrize(
    ("owners", "outcome"),
    [
        ({30: 8, 31: 7, 32: 9}, Outcome.VULNERABLE),
        # The nearest are the caller's own; two of one other owner are enough.
        ({29: 8, 30: 7, 31: 7, 32: 7, 34: 8}, Outcome.VULNERABLE),
        # One alone may be shared with the caller.
        ({30: 8, 31: 7, 32: 7}, Outcome.SAFE),
        ({31: 7}, Outcome.SAFE),
    ],
)
def test_two_that_the_list_leaves_out_are_enough(owners, outcome):
    assert claimed(Yard(owners)).outcome is outcome


def test_a_list_that_its_reader_has_narrowed_says_nothing_of_what_it_leaves_out():
    assert claimed(SharedYard({30: 8, 31: 7, 32: 9})).outcome is Outcome.SAFE


def test_where_the_nearest_four_are_nobodys_no_more_are_asked_for():
    yard = Yard({31: 7, 36: 8})
    claimed(yard)
    assert b"/hives/36" not in yard.asked
    assert sum(path != b"/hives" for path in yard.asked) <= 6


def test_what_is_private_is_ones_own_where_the_answer_names_one():
    private = answer({"userId": 7, "iban": "XX02 0000 00015838"})
    assert is_own(REQUEST, private, frozenset({"7"}))
    assert not is_own(REQUEST, private, frozenset({"8"}))
    assert not is_own(REQUEST, answer({"userId": 7, "crop": "oats"}), frozenset({"7"}))
