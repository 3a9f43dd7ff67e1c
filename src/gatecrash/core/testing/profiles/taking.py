"""Variables out of answers: by JSON path, header, cookie or regular expression."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from gatecrash.core.auth.set_cookie import issued
from gatecrash.core.errors import InvalidProfile
from gatecrash.core.message import Response
from gatecrash.core.points.percent import unquote
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.structured import structured
from gatecrash.core.testing.profiles.json_paths import first_at
from gatecrash.core.testing.profiles.patterns import MOST_SEARCHED, compile_search
from gatecrash.core.testing.profiles.profile import Take

MOST_VALUE: Final = 16 * 1024
_search = lru_cache(maxsize=64)(compile_search)


def take_all(takes: Iterable[Take], response: Response) -> dict[str, str]:
    """The variables that an answer gives; an optional one that is not there is left out.

    Raises InvalidProfile, which names the variable and where it was looked for, and holds nothing of the answer.
    """
    taken: dict[str, str] = {}
    for take in takes:
        value = _BY_SOURCE[take.source](take.expression, response)
        if value is None or not 0 < len(value) <= MOST_VALUE:
            if take.optional:
                continue
            raise InvalidProfile(
                f"the answer ({response.status}) holds no {take.variable!r}: nothing at {take.source} {take.expression}"
            )
        taken[take.variable] = value
    return taken


def renewed(takes: Iterable[Take], response: Response, variables: Mapping[str, str]) -> dict[str, str]:
    """The variables with what this answer renews; an answer that holds nothing changes nothing."""
    found: dict[str, str] = {}
    for take in takes:
        value = _BY_SOURCE[take.source](take.expression, response)
        if value is not None and 0 < len(value) <= MOST_VALUE:
            found[take.variable] = value
    return {**variables, **found}


def _from_json(expression: str, response: Response) -> str | None:
    """Of XML likewise, read as objects."""
    document = structured(response)
    value = None if document is None else first_at(expression, document)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return str(value)


def _from_header(expression: str, response: Response) -> str | None:
    value = response.first(expression.encode("latin-1", "replace"))
    return None if value is None else value.decode("latin-1")


def _from_cookie(expression: str, response: Response) -> str | None:
    name = expression.encode("latin-1", "replace")
    values = [cookie.value for cookie in issued(response) if cookie.name == name]
    return values[-1].decode("latin-1") if values else None


def _from_crumb(expression: str, response: Response) -> str | None:
    value = _from_cookie(expression, response)
    return None if value is None else unquote(value.encode("latin-1")).decode("latin-1")


def _from_pattern(expression: str, response: Response) -> str | None:
    """The first group, else all that matches. The head of an answer is not searched: `header` is there for it."""
    found = _search(expression).search(text_of(response)[:MOST_SEARCHED])
    if found is None:
        return None
    value: str | None = found[1] if found.re.groups else found[0]
    return value


_BY_SOURCE: Final = {
    "json": _from_json,
    "header": _from_header,
    "cookie": _from_cookie,
    "crumb": _from_crumb,
    "pattern": _from_pattern,
}
