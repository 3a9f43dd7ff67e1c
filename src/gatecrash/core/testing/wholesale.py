"""Addresses and buttons that say that all there is, is set up anew or emptied: `/demo/reset`, `/admin/wipe-database`,
`/initdb` without a word more, `/setup.php` with "Create / Reset Database". `/reset-password` is about one.

No value names what is meant, so every request that is answered well does it once more, a link's too.
"""

import re
from typing import Final
from urllib.parse import unquote_plus

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

# Asked of every request: what is not said in English is left to the address.
_SAID: Final = re.compile(_AFRESH, re.IGNORECASE)
# A button says it in few words; who writes about it, in more.
_MOST_WORDS: Final = 5
_MOST_MEMBERS: Final = 6


def is_about_all(request: Request, address: str) -> bool:
    """Whether an address says so, and no segment behind it says of what. One that makes and fills a store may name it by a value."""
    names_one = request.query or request.body.strip() not in (b"", b"{}")
    return _EMPTIES.search(address) is not None or (not names_one and _SETS_UP.search(address) is not None)


def says_to_empty_all(members: str) -> bool:
    """Whether a member of a short form, or of a query, is called so, or holds what a button says."""
    if _SAID.search(members) is None:
        return False
    told = [member.partition("=")[::2] for member in members.split("&")]
    return len(told) <= _MOST_MEMBERS and any(_is_button(name, value) for name, value in told)


def _is_button(name: str, value: str) -> bool:
    words = unquote_plus(value).split()
    return _EMPTIES.search(name) is not None or (
        len(words) <= _MOST_WORDS and _EMPTIES.search("_".join(words)) is not None
    )
