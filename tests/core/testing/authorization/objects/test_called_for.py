"""Arguments that choose a person by what he is called."""

import json

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.authorization.objects.called_for import calls_somebody
from gatecrash.core.testing.authorization.objects.named import named_objects

OWN = frozenset({"falcon", "31", "me"})


def posted(body: str, kind: bytes = b"application/json") -> Request:
    return Request("POST", b"/api", ((b"Content-Type", kind),), body.encode())


def asking(document: str, **variables: str) -> Request:
    return posted(json.dumps({"query": document, "variables": variables}))


def calling(method: str, params: object) -> Request:
    return posted(json.dumps({"jsonrpc": "2.0", "method": method, "params": params, "id": 3}))


def message(function: str, argument: str) -> Request:
    body = f'<e:Envelope xmlns:e="urn:e"><e:Body><{function}><{argument}>Falcon</{argument}></{function}></e:Body></e:Envelope>'
    return posted(body, b"text/xml")


@pytest.mark.parametrize(
    ("asked", "chosen"),
    [
        (asking('{ crewMember(callsign: "Falcon") { id } }'), ["Falcon"]),
        (asking("query A($c: String!) { crewMember(callsign: $c) { id } }", c="Falcon"), ["Falcon"]),
        (calling("Crew.Get", {"callsign": "Falcon"}), ["Falcon"]),
        (calling("Crew.Get", [{"callsign": "Falcon"}]), ["Falcon"]),
        (calling("getCrew", ["Falcon"]), ["Falcon"]),
        (message("GetCrew", "callsign"), ["Falcon"]),
        # Somebody else, or nobody.
        (asking('{ crewMember(callsign: "Heron") { id } }'), []),
        (calling("Crew.Get", {"callsign": "Me"}), []),
        # What is looked for in many.
        (asking('{ crewMembers(callsign: "Falcon") { id } }'), []),
        (asking('{ searchCrew(term: "Falcon") { id } }'), []),
        (calling("Crew.Search", {"term": "Falcon"}), []),
        (message("ListCrew", "callsign"), []),
    ],
)
def test_a_name_that_is_known_chooses_its_bearer(asked: Request, chosen: list[str]):
    assert [each.value for each in named_objects(asked, OWN)] == chosen
    assert named_objects(asked) == []


def test_a_number_calls_nobody_by_name():
    assert not calls_somebody(calling("Crew.Get", {"shelf": "31"}), "31", OWN)
    assert not calls_somebody(Request("GET", b"/crew?callsign=falcon"), "falcon", OWN)
