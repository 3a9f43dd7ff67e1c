"""A mapper to a relational store, which reads operators as words without a dollar sign, as Prisma's does."""

import operator
from typing import Any

from gatecrash.core.message import Response
from tests.range.documents import USERS, parsed
from tests.range.place import JSON, Given, answer, flaw, twin

_KNOWN: dict[str, Any] = {"equals": operator.eq, "in": operator.contains, "not": operator.ne}


def found_by(value: object) -> list[str]:
    """Who is found; an operator that does not exist breaks it."""
    told = value if isinstance(value, dict) else {"equals": value}
    return [
        str(user["name"])
        for user in USERS
        if all(_KNOWN[name](operand, user["name"]) for name, operand in told.items())
    ]


@flaw("nosqli", ways=(JSON,))
def taken_as_parsed(given: Given) -> Response:
    return answer(found_by(parsed(given)))


@twin("nosqli", ways=(JSON,))
def breaks_over_objects(given: Given) -> Response:
    """What is no text breaks before the mapper sees it."""
    return answer(found_by("".join((parsed(given), ""))))


@twin("nosqli", ways=(JSON,))
def texts_alone(given: Given) -> Response:
    value = parsed(given)
    if not isinstance(value, str):
        return answer({"error": "q must be a text"}, 400)
    return answer(found_by(value))
