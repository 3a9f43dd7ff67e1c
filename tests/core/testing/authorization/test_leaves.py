"""Every scalar of an answer, with the names that lead to it."""

import json

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.leaves import leaves


def answer(document: object, status: int = 200) -> Response:
    return Response(status, ((b"Content-Type", b"application/json"),), json.dumps(document).encode())


def page(text: str) -> Response:
    return Response(200, ((b"Content-Type", b"text/html"),), text.encode())


def test_every_scalar_with_the_names_that_lead_to_it():
    told = leaves(answer({"a": [{"b": 1}, {"b": "x"}], "c": None, "d": True}))
    assert sorted(told) == [(("a", "b"), "1"), (("a", "b"), "x"), (("d",), "True")]
    assert leaves(page("<p>")) == []
