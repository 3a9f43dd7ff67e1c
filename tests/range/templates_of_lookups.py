"""Texts whose `${…}` are looked up, as Apache Commons Text was seen to answer: by what stands before the colon, or among own names."""

import base64
import re
from collections.abc import Callable

from gatecrash.core.message import Response
from tests.range.place import FORM, JSON, QUERY, Given, flaw, text, twin

LABEL = "Lamp"
_LOOKUP = re.compile(r"\$\{([^{}:]+)(?::([^{}]*))?\}")
_OWN = {"shop": "Corner"}
_BY_PREFIX: dict[str, Callable[[str], str]] = {
    "base64Encoder": lambda key: base64.b64encode(key.encode()).decode(),
    "base64Decoder": lambda key: base64.b64decode(key).decode(),
    "java": lambda key: {"version": "Java version 17.0.15", "os": "Linux"}.get(key, ""),
}


def looked_up(given: str, prefixes: dict[str, Callable[[str], str]]) -> str:
    """What nobody knows stays as it was written."""

    def tell(found: re.Match[str]) -> str:
        by_prefix = prefixes.get(found[1])
        if by_prefix is not None and found[2] is not None:
            return by_prefix(found[2])
        return _OWN.get(found[1], found[0])

    return _LOOKUP.sub(tell, given)


@flaw("ssti", value=LABEL, ways=(QUERY, FORM, JSON), replayed=True)
def label_of_lookups(given: Given) -> Response:
    return text(f"Label: {looked_up(given.q, _BY_PREFIX)}")


@twin("ssti", value=LABEL, ways=(QUERY, FORM, JSON))
def label_of_own_names(given: Given) -> Response:
    return text(f"Label: {looked_up(given.q, {})}")


@twin("ssti", value=LABEL, ways=(QUERY, FORM, JSON))
def label_beside_its_code(given: Given) -> Response:
    """Tells the whole text once more, encoded."""
    return text(f"Label: {given.q}\nCode: {base64.b64encode(given.q.encode()).decode()}")
