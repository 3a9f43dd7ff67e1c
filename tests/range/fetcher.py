"""A fetcher of addresses, on the standard library's client, and pages that only speak of addresses."""

import contextlib
import html
import random
import socket
import urllib.error
import urllib.parse
import urllib.request

from gatecrash.core.message import Response
from tests.range.place import PLACES, QUERY, Given, Place, answer, flaw, miss, page, text, twin

_CHANCE = random.Random(7)
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))
HERE = "http://example.com/feed"


def fetch(address: str) -> str:
    if not address.startswith("http"):
        raise ValueError("unknown url type")
    if address == HERE:  # what the caller asked for when it was recorded
        return "the feed of the shop"
    with OPENER.open(address, timeout=2) as found:
        return found.read(4000).decode("utf-8", "replace")


@flaw("ssrf", value=HERE, name="url")
def shown(given: Given) -> Response:
    return text(fetch(str(given.values["url"])))


@flaw("ssrf", value=HERE, name="link")
def in_json(given: Given) -> Response:
    return answer({"preview": fetch(str(given.values["link"]))[:300]})


@flaw("ssrf", value=HERE, name="url")
def error_shown(given: Given) -> Response:
    try:
        return answer({"length": len(fetch(str(given.values["url"])))})
    except (OSError, ValueError) as error:
        return answer({"error": str(error)}, 502 - 2)


@flaw("ssrf", value=HERE, name="webhook")
def error_as_page(given: Given) -> Response:
    try:
        fetch(str(given.values["webhook"]))
    except (OSError, ValueError) as error:
        return page(f"<p>Could not deliver: {html.escape(str(error))}</p>")
    return page("<p>Delivered.</p>")


@flaw("ssrf", value=HERE, name="imageUrl")
def outcome_only(given: Given) -> Response:
    try:
        fetch(str(given.values["imageUrl"]))
    except (OSError, ValueError):
        return answer({"imported": False}, 422)
    return answer({"imported": True})


@twin("ssrf", value=HERE, name="url")
def wants_a_path(given: Given) -> Response:
    """Reads the address, and asks nobody."""
    found = urllib.parse.urlsplit(str(given.values["url"]))
    if found.scheme not in ("http", "https") or found.path in ("", "/"):
        return answer({"error": "a link needs a path"}, 422)
    return answer({"saved": True, "path": found.path})


@twin("ssrf", value=HERE, name="url")
def own_front_page_only(given: Given) -> Response:
    """Takes links to its front page, and asks nobody; links elsewhere are looked at by hand."""
    found = urllib.parse.urlsplit(str(given.values["url"]))
    return answer({"linked": True, "queued": found.hostname != "127.0.0.1"})


@twin("ssrf", value=HERE, name="url")
def saved_only(given: Given) -> Response:
    return answer({"saved": given.values["url"]})


@twin("ssrf", value=HERE, name="url")
def listed_hosts(given: Given) -> Response:
    address = str(given.values["url"])
    if urllib.parse.urlsplit(address).hostname != "example.com":
        return answer({"error": "this host is not allowed"}, 400)
    return answer({"preview": "the feed of the shop"})


@twin("ssrf", value=HERE, name="url")
def front_page_for_anything(given: Given) -> Response:
    return FRONT.handler(given) if given.values["url"] != HERE else page("feed")


@twin("ssrf", value="feed", name="url")
def page_for_addresses_only(given: Given) -> Response:
    """Leads names to its feed, and shows its own page where it is given an address of any host."""
    return (
        FRONT.handler(given)
        if str(given.values["url"]).startswith("http")
        else Response(302, ((b"Location", b"/feed"),))
    )


@twin("ssrf", value=HERE, name="url", ways=(QUERY,))
def teasers_by_chance(given: Given) -> Response:
    """Shows what the front page shows in half of its answers, whatever it is asked for."""
    return FRONT.handler(given) if _CHANCE.random() < 0.5 else page("<p>Nothing new today, come again.</p>")


@twin("ssrf", value=HERE, name="url")
def always_unreachable(given: Given) -> Response:
    if given.values["url"] == HERE:
        return answer({"ok": True})
    return answer({"error": "connect ECONNREFUSED, or getaddrinfo ENOTFOUND: try again"}, 500)


@twin("ssrf", value=HERE, name="url")
def resolves_only(given: Given) -> Response:
    """Looks the name up to check it, and never connects."""
    host = urllib.parse.urlsplit(str(given.values["url"])).hostname or ""
    try:
        socket.getaddrinfo(host, 80) if host != "example.com" else None
    except OSError as error:
        return answer({"error": str(error)}, 400)
    return answer({"saved": True})


@twin("ssrf", value=HERE, name="url")
def keeps_the_way_back(given: Given) -> Response:
    """Its own addresses alone, with their query as the framework writes queries."""
    back = urllib.parse.urlsplit(str(given.values["url"]))
    query = urllib.parse.urlencode(urllib.parse.parse_qsl(back.query, keep_blank_values=True))
    is_own = f"{back.scheme}://{back.netloc}" == given.request.origin
    return page(f"<input name=back value='{html.escape(back._replace(query=query).geturl() if is_own else '/')}'>")


def front(_given: Given) -> Response:
    return page("<h1>The shop of the range</h1><p>Everything here is broken on purpose, or looks it.</p>")


FRONT = Place("", False, "/", front, ())
PLACES.append(FRONT)


@miss("ssrf", value=HERE, name="url", ways=(QUERY,))
def nothing_shown(given: Given) -> Response:
    with contextlib.suppress(OSError, ValueError):
        fetch(str(given.values["url"]))
    return answer({"queued": True})
