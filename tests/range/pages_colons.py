"""Pages whose addresses hold a host before its port, or a number before what is done with it."""

import html
import re
from urllib.parse import unquote

from gatecrash.core.message import Request, Response
from tests.range.place import Given, flaw, page, text, twin


def mirrored(path: str) -> Request:
    return Request("GET", f"{path}/relay.local:8080/index".encode(), ((b"Accept", b"text/html"),))


def counted(path: str) -> Request:
    return Request("GET", f"{path}/7:summary".encode(), ((b"Accept", b"text/html"),))


def at(given: Given, shape: str) -> str:
    """What stands before the colon in an address of this shape; empty in any other."""
    found = re.search(shape, given.request.path.decode("latin-1"))
    return unquote(found[1]) if found else ""


@flaw("xss", request=mirrored)
def a_host_that_no_relay_knows(given: Given) -> Response:
    host = at(given, r"/([^/:@]+):\d+/index$")
    return page(f"<p>The host '{host}' is none of ours.</p>", 403) if host else page("none", 404)


@twin("xss", request=mirrored)
def a_host_that_is_told_escaped(given: Given) -> Response:
    host = at(given, r"/([^/:@]+):\d+/index$")
    return page(f"<p>The host '{html.escape(host)}' is none of ours.</p>", 403) if host else page("none", 404)


@twin("xss", request=mirrored)
def a_host_that_is_told_as_text(given: Given) -> Response:
    host = at(given, r"/([^/:@]+):\d+/index$")
    return text(f"The host '{host}' is none of ours.", 403) if host else page("none", 404)


@flaw("xss", request=counted)
def a_summary_of_what_is_not_there(given: Given) -> Response:
    return page(
        f"<p>No bed {at(given, r'/([^/:]+):summary$')}</p>", 404 if at(given, r"/([^/:]+):summary$") != "7" else 200
    )


@twin("xss", request=counted)
def a_summary_by_number_alone(given: Given) -> Response:
    number = at(given, r"/(\d+):summary$")
    return page(f"<p>Bed {number}</p>") if number else page("none", 404)


@twin("xss", request=counted)
def a_summary_that_is_told_escaped(given: Given) -> Response:
    return page(f"<p>No bed {html.escape(at(given, r'/([^/:]+):summary$'))}</p>")
