"""A recorded answer about one object as it would be about another that was made in the same way: other identifier, same place."""

import re
from typing import Any

import msgspec
import orjson

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.objects.creations import is_long
from gatecrash.core.testing.oracles.body import content_of


def renamed(response: Response, place: tuple[str, ...], old: str, new: str) -> Response:
    """An identifier that no other object can have is renamed wherever it stands, a short number in the place that tells it."""
    if old == new or response.first(b"Content-Encoding") is not None:
        return response
    if is_long(old):
        word = rf"(?<![\w-]){re.escape(old)}(?![\w-])".encode()
        changed = re.sub(word, lambda _: new.encode(), response.body)
    else:
        changed = _with_number(response, place, old, new)
    told: Response = msgspec.structs.replace(response, body=changed)
    return told


def _with_number(response: Response, place: tuple[str, ...], old: str, new: str) -> bytes:
    try:
        document = orjson.loads(content_of(response) or b"")
    except orjson.JSONDecodeError:
        return response.body
    holder = document
    for name in place[:-1]:
        holder = holder.get(name) if isinstance(holder, dict) else None
    if not isinstance(holder, dict) or str(holder.get(place[-1])) != old:
        return response.body
    is_number = isinstance(holder[place[-1]], int) and new.isdigit()
    told: Any = int(new) if is_number else new
    holder[place[-1]] = told
    return orjson.dumps(document)
