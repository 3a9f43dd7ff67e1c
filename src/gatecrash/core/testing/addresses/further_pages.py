"""The next page of a list that is shown in parts: by the link or the cursor that its answer holds, or by its number.

What somebody has just made stands on the last page of a list that shows the oldest first. Links are those of RFC 8288
(`rel="next"`), of HAL and JSON:API (`_links.next.href`, `links.next`), and fields called so (`next`, `nextPageUrl`);
cursors those of a field called so (`nextCursor`, `next_page_token`), asked for in the parameter that the request has for
it, or that the field's own name says.
"""

import re
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

from gatecrash.core.message import Request, Response, reading
from gatecrash.core.testing.oracles.leaves import Leaf, leaves
from gatecrash.core.testing.oracles.outcomes.refused import is_good

_LINK = re.compile(r"<([^<>]{1,2000})>[^,<]{0,200};\s*rel=\"?next\b", re.IGNORECASE)
_LED = re.compile(r"(?:@odata\.)?next(?:_?page)?_?(?:link|url|uri|href)?", re.IGNORECASE)
_CURSOR = re.compile(r"next_?((?:page_?)?(?:cursor|token|key)|after)", re.IGNORECASE)
_ASKED_BY = re.compile(r"(?:page_?)?(?:cursor|token)|(?:starting_?)?after", re.IGNORECASE)
_NUMBER = re.compile(r"page|number|current_?page|page_?(?:no|number|index)", re.IGNORECASE)
_COUNT = re.compile(r"(?:total_?pages?|last_?page|page_?count|pages)", re.IGNORECASE)
_MOST_ABOVE = 3


def next_page(asked: Request, response: Response) -> Request | None:
    """The question for what a list shows behind this answer; None where it ends here, or nothing says how to go on."""
    if asked.method.upper() != "GET" or not is_good(response):
        return None
    told = [leaf for leaf in leaves(response) if leaf.path and leaf.value and len(leaf.path) <= _MOST_ABOVE]
    target = _led_to(asked, response, told) or _by_cursor(asked, told) or _by_number(asked, told)
    return reading(asked, target) if target and target != asked.target else None


def _led_to(asked: Request, response: Response, told: list[Leaf]) -> bytes:
    links = [value for name, value in response.headers if name.lower() == b"link"]
    found = [link[1] for value in links for link in _LINK.finditer(value.decode("latin-1"))]
    ends = (leaf for leaf in told if _LED.fullmatch(leaf.path[-1]) or tuple(leaf.path[-2:]) == ("next", "href"))
    found += [leaf.value for leaf in ends if re.match(r"/|https?://|\?", leaf.value)]
    return _own_target(asked, found[0]) if found else b""


def _own_target(asked: Request, link: str) -> bytes:
    """What stands behind the host in a link to the list's own address; empty where it leads elsewhere."""
    try:
        there = urlsplit(urljoin(asked.path.decode("latin-1"), link))
    except ValueError:
        return b""
    if there.path.rstrip("/") != asked.path.decode("latin-1").rstrip("/"):
        return b""
    return (there.path + (f"?{there.query}" if there.query else "")).encode("latin-1", "replace")


def _by_cursor(asked: Request, told: list[Leaf]) -> bytes:
    found = ((_CURSOR.fullmatch(leaf.path[-1]), leaf.value) for leaf in told)
    named, value = next(((name, value) for name, value in found if name is not None), (None, ""))
    if named is None:
        return b""
    word = named[1].lstrip("_")
    own = (name for name, _ in _parameters(asked) if _ASKED_BY.fullmatch(name))
    return _with(asked, next(own, word[:1].lower() + word[1:]), value)


def _by_number(asked: Request, told: list[Leaf]) -> bytes:
    """By the number of this page and how many there are. Some call the first one 0: the page behind their last is asked for, and empty."""
    here = next((int(leaf.value) for leaf in told if _NUMBER.fullmatch(leaf.path[-1]) and _is_small(leaf)), None)
    count = next((int(leaf.value) for leaf in told if _COUNT.fullmatch(leaf.path[-1]) and _is_small(leaf)), None)
    if here is None or count is None:
        return b""
    own = next((name for name, _ in _parameters(asked) if _NUMBER.fullmatch(name)), "page")
    return _with(asked, own, str(here + 1)) if here < count else b""


def _is_small(leaf: Leaf) -> bool:
    return leaf.value.isdigit() and len(leaf.value) < 6


def _parameters(asked: Request) -> list[tuple[str, str]]:
    return parse_qsl((asked.query or b"").decode("latin-1"), keep_blank_values=True)


def _with(asked: Request, name: str, value: str) -> bytes:
    kept = [pair for pair in _parameters(asked) if pair[0] != name]
    return asked.path + b"?" + urlencode([*kept, (name, value)]).encode("ascii")
