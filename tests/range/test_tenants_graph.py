"""Objects and functions of the GraphQL tenants, asked for as others."""

import json

import pytest

from gatecrash.core.message import Exchange
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.probes import auth_function, auth_renamed, idor, idor_write
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome
from tests.core.testing.driving import credentials_of, record
from tests.core.testing.probes.as_tenants import drive_as, identities
from tests.range.place import PLACES, Place, respond
from tests.range.tenants_graph import CHANGE, NOTES, ORDER

PROBES = (auth_function.PROBE, auth_renamed.PROBE, idor.PROBE, idor_write.PROBE)


@pytest.mark.parametrize("place", [each for each in PLACES if each.path.startswith("/tenants-graph/")], ids=str)
def test_only_what_is_open_to_others_is_claimed(place: Place) -> None:
    assert claims(place) == ({place.type} if place.flaw and not place.missed else set())


def claims(place: Place) -> set[str]:
    """The classes that the probes of objects and functions of others claim at a place."""
    (request,) = place.requests
    checks = plan(record(respond, request), THOROUGH, credentials_of(request), PROBES, identities=identities(request))
    verdicts = [drive_as(check, respond).verdict for check in checks]
    return {verdict.type for verdict in verdicts if verdict.outcome is Outcome.VULNERABLE}


@pytest.mark.parametrize(
    ("path", "outcome"),
    [
        ("/tenants-graph/changed-where-nothing-reads-it", Outcome.VULNERABLE),
        ("/tenants-graph/owners-change", Outcome.SAFE),
        ("/tenants-graph/nothing-is-changed-for-others", Outcome.SAFE),
    ],
)
def test_a_mutation_is_told_by_what_a_recorded_query_reads_afterwards(path: str, outcome: Outcome) -> None:
    change, query = CHANGE(path), ORDER(path)
    pages = Pages()
    assert pages.add(Exchange(query, respond(query)))
    (check,) = plan(
        record(respond, change), THOROUGH, credentials_of(change), (idor_write.PROBE,),
        identities=identities(change), pages=pages.beside(change),
    )  # fmt: skip
    verdict = drive_as(check, respond).verdict
    assert verdict.outcome is outcome, verdict.detail
    # The owner's own text stands there again.
    assert json.loads(respond(query).body)["data"]["order"]["note"] == "Leave it at the back door"
    if outcome is Outcome.VULNERABLE:
        assert tuple(verdict.point)[-1] == "number"
        assert NOTES["change", "LX-3101"] == "Leave it at the back door"
