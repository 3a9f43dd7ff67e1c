"""Objects that a test has made by a recorded request, in the name of whoever sends its baseline, so that what was there before stays as it is."""

from collections.abc import Generator

import msgspec

from gatecrash.core.message import Request
from gatecrash.core.testing.authorization.makers import Made
from gatecrash.core.testing.authorization.properties import body_of, made_unique, sending
from gatecrash.core.testing.dialogues.asking import ask, response_of
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_LETTERS = "bcdfghjklmnpqrstvwxz"


def may_make(situation: Situation) -> bool:
    """Whether the policy lets a test make something."""
    return "POST" not in {method.upper() for method in situation.policy.methods_excluded}


def in_name_of(request: Request, maker: Made) -> Request:
    """What made an object, in the name of whoever sent the request."""
    headers = tuple(pair for pair in request.headers if not pair[0].lower().startswith(b"content-"))
    changed: Request = msgspec.structs.replace(
        request,
        method=maker.request.method,
        target=maker.request.target,
        headers=(*headers, *maker.request.headers),
        body=maker.request.body,
    )
    return changed


def made_anew(situation: Situation, maker: Made, old: str) -> Generator[TestRequest, Answer, str]:
    """The identifier of an object that its owner has just made by a request whose answer says it; empty where none is made."""
    asked = in_name_of(situation.baseline.request, maker)
    new = maker.identifier(response_of((yield from ask(asked, "control"))))
    body = body_of(asked)
    # SQLite hands out anew the number of what was deleted last; the next one is another.
    if new in ("", old) and body is not None:
        mark = "".join(situation.random.choice(_LETTERS) for _ in range(6))
        new = maker.identifier(response_of((yield from ask(sending(asked, made_unique(body, mark)), "control"))))
    return "" if new == old else new
