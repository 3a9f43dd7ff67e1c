"""What is shown to whoever was given its address: pages that their owner shares by a link, which no list shows to others.

The application says so: the path (`/share/x8Qk2mZp…`), or the name of the field that holds the identifier
(`"share_link": "x8Qk2mZp…"`). Only identifiers that nobody guesses are such links.
"""

import re
from typing import Final

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.leaves import leaves

_PATH: Final = re.compile(r"/(?:[a-z]|shared?|links?)/(?=[\w-]*\d)[\w-]{16,}/?", re.IGNORECASE)
# The identifier of a guest is a person's.
_FIELD: Final = re.compile(
    r"(?:(?:share|shared|public|invite|invitation|join|unlisted|guest|view)_?)?link(?:_?(?:id|key|code|token))?"
    r"|(?:share|sharing|invite|invitation|join|unlisted)_?(?:id|key|code|token|slug|hash)|guest_?(?:key|code|token|slug|hash)",
    re.IGNORECASE,
)
_UNGUESSED: Final = re.compile(r"(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{8,}")


def is_unlisted(path: str) -> bool:
    """Whether a whole path is such a link."""
    return _PATH.fullmatch(path) is not None


def given_by_link(path: bytes, value: str, *shown: Response) -> bool:
    """Whether an object is reached by a link that is handed on. value: its identifier. shown: its own page, the list that it stands in."""
    if not _UNGUESSED.fullmatch(value):
        return False
    told = (leaf for response in shown for leaf in leaves(response) if leaf.path and leaf.value == value)
    return is_unlisted(path.decode("latin-1")) or any(_FIELD.fullmatch(leaf.path[-1]) for leaf in told)
