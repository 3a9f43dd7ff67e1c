"""Addresses that say that all there is, is set up anew or emptied: `/demo/reset`, `/admin/wipe-database`, `/initdb` without
a word more. `/reset-password` is about one.

No value names what is meant, so every request that is answered well does it once more, a link's too.
"""

import re
from typing import Final

from gatecrash.core.message import Request
from gatecrash.core.words.named import Words

_AFRESH: Final = r"(?:reset|re-?seed|re-?init(?:iali[sz]e)?|wipe|purge|truncate|erase|flush|drop|destroy|nuke)"
_ALL: Final = (
    r"(?:everything|all[-_]?(?:data|tables)|(?:the[-_])?(?:test|demo|sample)?[-_]?(?:data(?:base|set)?|dbs?)"
    r"|demo|sandbox|factory|schema|fixtures)"
)
_EMPTIES: Final = Words(
    rf"(?<![a-z])(?:{_AFRESH}[-_/]?{_ALL}|{_ALL}[-_/]?{_AFRESH}|re-?seed)(?![a-z])(?!/[^/])", re.IGNORECASE
)
_MAKE: Final = r"(?:(?:re-?)?create|init(?:iali[sz]e)?|set-?up|populate|seed|rebuild)"
_STORE: Final = (
    r"(?:(?:test|demo|sample)[-_]?data|(?:the[-_])?(?:test|demo|sample)?[-_]?(?:db|database|schema|tables|fixtures))"
)
_SETS_UP: Final = Words(rf"(?<![a-z])(?:{_MAKE}[-_/]?{_STORE}|{_STORE}[-_/]?{_MAKE})(?![a-z])(?!/[^/])", re.IGNORECASE)


def is_about_all(request: Request, address: str) -> bool:
    """Whether an address says so, and no segment behind it says of what. One that makes and fills a store may name it by a value."""
    names_one = request.query or request.body.strip() not in (b"", b"{}")
    return _EMPTIES.search(address) is not None or (not names_one and _SETS_UP.search(address) is not None)
