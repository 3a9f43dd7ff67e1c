"""Whether a page links to an address: as it is, or as pages of old write it, seen from their own folder, with `&amp;` in it.

links_to(page, b"/board/index.php?page=message&id=7")    also `href="index.php?page=message&amp;id=7"` and `href="?page=message&id=7"`
links_in(text, target)                                   the links themselves; their text is to be `unescaped`
with_whole_addresses(answer, b"/orders/")                a page with its links as they are meant there: `?id=7` is `/orders/?id=7`
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import urljoin

import msgspec

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.body import media_type, text_of

_HOLDS_LINKS = re.compile(r"(?:href|src|action)\s*+=", re.IGNORECASE)
# Links that leave out something: no path, no other origin, no place on the page itself.
_RELATIVE = re.compile(
    r"""(<a\b[^<>]{0,500}?\bhref\s{0,5}=\s{0,5}["']?)([^"'\s<>/#:][^"'\s<>:#]{0,500})(?=["'\s>#])""", re.IGNORECASE
)


def links_to(page: str, target: bytes) -> bool:
    """Whether a text holds an address, or a link to it. An empty address is linked to by nothing."""
    return next(links_in(unescaped(page), target), None) is not None


def unescaped(page: str) -> str:
    """A page with the addresses in it as a browser reads them."""
    return page.replace("&amp;", "&")


def links_in(text: str, target: bytes) -> Iterator[re.Match[str]]:
    """Where an address stands in a text; where it does nowhere, the links that leave out what they share with the page's own."""
    if not target:
        return
    whole, relative = _expressions(target)
    found = None
    for found in whole.finditer(text):
        yield found
    if found is None and relative is not None and _HOLDS_LINKS.search(text) is not None:
        yield from relative.finditer(text)


def with_whole_addresses(answer: Response, path: bytes) -> Response:
    """A page as it is read at its own path, where `?id=7` and `7` can be nothing else's; any other answer as it is."""
    if "html" not in media_type(answer):
        return answer
    here, page = path.decode("latin-1"), text_of(answer)
    whole = _RELATIVE.sub(lambda found: found[1] + urljoin(here, found[2]), page)
    if whole == page:
        return answer
    read: Response = msgspec.structs.replace(answer, body=whole.encode())
    return read


@lru_cache(512)
def _expressions(target: bytes) -> tuple[re.Pattern[str], re.Pattern[str] | None]:
    """For the whole address, and for those links that leave out what stands before its last words; None where too little is left.

    A number alone (`href="7"`) may be anything's, and so may `?id=7`: a query must say more.
    """
    address = target.decode("latin-1")
    path, asked, query = address.partition("?")
    segments = path.strip("/").split("/")
    least = 1 if asked else 2
    written = ["/".join(segments[start:]) + asked + query for start in range(len(segments) - least + 1)]
    if "&" in query:
        written.append(asked + query)
    whole = re.compile(re.escape(address) + r"(?![\w-])")
    if not written:
        return whole, None
    any_of = "|".join(re.escape(each) for each in written)
    return whole, re.compile(rf"(?:href|src|action)\s*+=\s*+[\"']?(?:\.{{1,2}}/)*+(?:{any_of})(?![\w-])", re.IGNORECASE)
