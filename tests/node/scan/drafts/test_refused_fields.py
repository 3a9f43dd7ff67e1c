"""Fields that a refusal names are asked for no more, a few times."""

import asyncio
import json

import msgspec

from gatecrash.core.message import Request, Response
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.drafts.refused_fields import narrower

JSON = ((b"Content-Type", b"application/json"),)


def refused(*path: str) -> Response:
    errors = [{"message": "sign in", "path": list(path)}]
    return Response(200, JSON, json.dumps({"data": None, "errors": errors}).encode())


def asked(query: str, response: Response) -> Draft:
    body = json.dumps({"query": query}).encode()
    return Draft(request=Request("POST", b"/graphql", JSON, body), response=response, drafted=True)


def narrowed(draft: Draft, *answers: Response) -> tuple[Draft, int]:
    """What is left of a draft whose narrower ones are answered in turn, and how often it was sent."""
    left = list(answers)

    async def send(one: Draft) -> Draft:
        await asyncio.sleep(0)
        return msgspec.structs.replace(one, response=left.pop(0))

    return asyncio.run(narrower(draft, send)), len(answers) - len(left)


def test_each_refused_field_is_left_out() -> None:
    good = Response(200, JSON, b'{"data": {"show": {"id": 1}}}')
    found, sent = narrowed(asked("{ show { id mail pay } }", refused("show", "mail")), refused("show", "pay"), good)
    assert (json.loads(found.request.body)["query"], found.response, sent) == (
        "{ show { id __typename __typename } }",
        good,
        2,
    )


def test_what_is_answered_well_or_is_no_graphql_is_not_sent_again() -> None:
    fine = asked("{ show { id } }", Response(200, JSON, b'{"data": {"show": {"id": 1}}}'))
    plain = Draft(request=Request("GET", b"/shows"), response=refused("show", "mail"), drafted=True)
    assert [narrowed(one) for one in (fine, plain)] == [(fine, 0), (plain, 0)]
