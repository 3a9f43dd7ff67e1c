"""Addresses that say that all there is, is set up anew or emptied: `/demo/reset`, `/admin/wipe-database`. `/reset-password` is about one.

No value names what is meant, so every request that is answered well does it once more, a link's too.
"""

import re
from typing import Final

from gatecrash.core.words.named import Words

_AFRESH: Final = r"(?:reset|re-?seed|re-?init(?:iali[sz]e)?|wipe|purge|truncate|erase|flush|drop|destroy|nuke)"
_ALL: Final = (
    r"(?:everything|all[-_]?(?:data|tables)|(?:the[-_])?(?:test|demo|sample)?[-_]?(?:data(?:base|set)?|dbs?)"
    r"|demo|sandbox|factory|schema|fixtures)"
)
_EMPTIES: Final = Words(
    rf"(?<![a-z])(?:{_AFRESH}[-_/]?{_ALL}|{_ALL}[-_/]?{_AFRESH}|re-?seed)(?![a-z])(?!/[^/])", re.IGNORECASE
)


def empties_all(address: str) -> bool:
    """Whether an address says so, and no segment behind it says of what."""
    return _EMPTIES.search(address) is not None
