"""What an answer lists: the rows of a list, or the one thing that it is, at its top or a few members below."""

from collections.abc import Iterator
from typing import Any

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.structured import structured

MOST_BYTES = 1024 * 1024
MOST_OF_A_LIST = 5
DEEPEST_LIST = 2
"""Members between an answer's top and the object that holds its list: `{"data": {"page": {"items": […]}}}`."""


def json_in(response: Response) -> Any:
    """What an answer holds as JSON, or as XML read like it; None where it is none, too long or compressed."""
    if not response.body or len(response.body) > MOST_BYTES or response.first(b"Content-Encoding"):
        return None
    return structured(response)


def told_of(body: Any) -> list[Any]:
    """What GraphQL answers for each field that was asked for."""
    data = body.get("data") if isinstance(body, dict) else None
    return list(data.values()) if isinstance(data, dict) else []


def things_of(body: Any, depth: int = 0) -> Iterator[Any]:
    """What an answer lists, or the one thing that it is: at its top or a few members below (`{"data": {"items": […]}}`)."""
    if isinstance(body, list):
        yield from body[:MOST_OF_A_LIST]
    elif isinstance(body, dict):
        lists = [one for one in body.values() if isinstance(one, list) and one and isinstance(one[0], dict)]
        for one in lists:
            yield from one[:MOST_OF_A_LIST]
        yield body
        if depth < DEEPEST_LIST:
            for one in body.values():
                yield from things_of(one, depth + 1) if isinstance(one, dict) else ()


def rows_of(body: Any, depth: int = 0) -> list[Any]:
    """The objects of the first list in an answer; of a page by cursors what stands at them."""
    if isinstance(body, list):
        rows = [one for one in body if isinstance(one, dict)]
        return [one["node"] if isinstance(one.get("node"), dict) else one for one in rows]
    within = body.values() if isinstance(body, dict) and depth <= DEEPEST_LIST else ()
    return next((rows for one in within if (rows := rows_of(one, depth + 1))), [])
