"""Whether an answer names its caller as whose it is."""

from random import Random

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.openness.caller_named import names_caller
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation


def names(path: str, body: bytes, request: Request | None = None) -> bool:
    good = Response(200, ((b"Content-Type", b"application/json"),), body)
    situation = Situation(
        baseline=Baseline("bl_1", Exchange(request or Request("GET", path.encode()), good)),
        point=Point(),
        value=b"",
        credentials=(),
        policy=DEFAULT,
        random=Random(1),
        identities=(Identity("recorded 1", known=("ann",)),),
    )
    return names_caller(situation, good, path)


def test_a_catalogue_tells_whose_each_thing_is():
    rows = b'[{"slug": "owls", "name": "Owls", "owner": "ben"}, {"slug": "larks", "name": "Larks", "owner": "ann"%s}]'
    assert not names("/clubs", rows % b"")
    assert not names("/clubs", (rows % b"").replace(b"ben", b"ann"))
    assert not names("/clubs", b'{"clubs": [{"id": 3, "owner": "ben"}, {"id": 4, "owner": "ann"}]}')
    assert names("/clubs", rows % b', "dues": 7')
    assert names("/clubs", b'[{"slug": "larks", "name": "Larks", "owner": "ann"}]')


def test_what_is_published_is_called_by_a_title_of_its_own():
    told = b'{"title": "The Quiet Sea", "price": 4, "owner": "ann"}'
    assert not names("/books/The%20Quiet%20Sea", told)
    assert names("/books/wanted", told)


def test_what_reads_a_document_tells_what_it_read():
    document = b"<order><name>Ann</name><town>Graz</town></order>"
    request = Request("POST", b"/read", ((b"Content-Type", b"application/xml"),), document)
    assert not names("/read", b'{"name": "Ann"}', request)
    assert not names("/read", b'{"town": "Graz", "name": "Ann"}', request)
    assert names("/read", b'{"name": "Ann", "points": 40}', request)
    assert names("/read", b'{"name": "Ann"}', Request("POST", b"/read", (), b""))
