"""Arguments that choose a person by what he is called, whatever they are named: `crewMember(callsign: "falcon")`, as the end
of `/crew/falcon` does.
"""

from typing import Final

from gatecrash.core.inventory.identifiers import singular
from gatecrash.core.message import Request
from gatecrash.core.testing.operations.graphql import words_of

_LEAST_NAME: Final = 3
# What is looked for in many is a word, be it the looker's own name.
_AMONG_MANY: Final = frozenset(
    {"list", "find", "search", "query", "lookup", "filter", "count", "all", "suggest", "complete"}
)


def calls_somebody(request: Request, value: str, own: frozenset[str]) -> bool:
    """Whether a function or a field for one thing is given a word that is known to be somebody's name.

    own: words in lower case that are known to be some.
    """
    if len(value) < _LEAST_NAME or value.isdigit() or value.lower() not in own:
        return False
    words = words_of(request)
    return bool(words) and _AMONG_MANY.isdisjoint(words) and singular(words[-1]) == words[-1]
