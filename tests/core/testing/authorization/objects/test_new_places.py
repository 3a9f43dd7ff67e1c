"""Where its owner may read what a request has just made."""

from random import Random

import pytest
from tests.core.testing.driving import answered, record

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.objects.new_places import places_of_new, read_as_made_by
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.page import Page
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation

JSON = (b"Content-Type", b"application/json")
MAKING = Request("POST", b"/notes", (JSON, (b"Authorization", b"Bearer a")), b'{"text": "call back"}', host="a")


def test_the_new_one_itself_comes_first_then_its_list_then_a_few_pages_nearby():
    pages = tuple(Page(Request("GET", b"/page/%d" % each, host="a"), rendered=False) for each in range(9))
    situation = Situation(
        baseline=record(lambda _: Response(201, (JSON,), b'{"id": 7}'), MAKING),
        point=Point(()), value=b"", credentials=(), policy=DEFAULT, random=Random(1), pages=pages,
    )  # fmt: skip
    found = places_of_new(situation, Response(201, (JSON,), b'{"id": 8, "text": "call back"}'))
    assert [each.target for each in found] == [b"/notes/8", b"/notes", b"/page/0", b"/page/1", b"/page/2"]
    assert {each.method for each in found} == {"GET"}
    assert all(each.first(b"Authorization") == b"Bearer a" for each in found)


@pytest.mark.parametrize(
    ("kept", "where"),
    [
        (b'[{"id": 8, "text": "call back zqw", "author": "ann"}]', b"/notes"),
        (b'[{"id": 8, "text": "call back zqw", "author": "ben"}]', None),
        (b'[{"id": 8, "text": "call back zqw", "author": "ann", "sentBy": "ben"}]', None),
        (b'[{"id": 7, "text": "call back", "author": "ann"}]', None),
    ],
    ids=["in her name", "in his own", "in hers, with who sent it", "not kept"],
)
def test_what_another_made_in_the_owners_name_is_read_where_it_shows_the_mark(kept, where):
    situation = Situation(
        baseline=record(lambda _: Response(201, (JSON,), b'{"id": 7}'), MAKING),
        point=Point(()), value=b"", credentials=(), policy=DEFAULT, random=Random(1),
        identities=(Identity("ann", known=("ann",)), Identity("ben", known=("ben",))),
    )  # fmt: skip

    def application(request: Request) -> Response:
        return Response(200, (JSON,), kept) if request.path == b"/notes" else Response(404)

    dialogue = read_as_made_by(situation, Response(201, (JSON,), b'{"id": 8}'), "zqw", "ann", situation.identities[1])
    seen = answered(dialogue, application)
    assert (seen and seen.request.target) == where
