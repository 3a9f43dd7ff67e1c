"""What an address begins: a description of an API, or a site, whose pages are read, and what describes the API beside them.

sources = begun_at("https://shop.example/", fetch, walk)

What describes the API beside a site's pages is at a usual place, or where the pages lead to, or is told by the endpoint of GraphQL
that their scripts ask.
"""

import io
import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from typing import BinaryIO, NamedTuple
from urllib.parse import urljoin, urlsplit

from gatecrash.core.errors import TargetError, UserError
from gatecrash.core.message import Exchange
from gatecrash.core.testing.operations.graphql import operation_of
from gatecrash.formats.capture import UnreadableCapture
from gatecrash.formats.opening import kind_of, opened
from gatecrash.node.scan.fetching import NotDescribed, Seen, is_description, origin_of

Source = tuple[str, BinaryIO]
"""A name, and what can be read from its beginning again."""
Fetch = Callable[[str, Seen | None], io.BufferedReader]
"""The description at an address. Raises NotDescribed, UserError, TargetError."""
Walk = Callable[[str], io.BufferedReader | None]
"""What the site's pages offer, as JSON lines; None where no page is there."""

_LOOK = 64 * 1024
_MOST_TRIED, _MOST_ENDPOINTS, _MOST_LOOKED_AT = 4, 2, 256 * 1024
# What shows a description to people, and how it names the description.
_SHOWS_ONE = re.compile(rb"swagger-?ui|redoc|rapi-?doc|stoplight|@scalar|api-reference", re.IGNORECASE)
_NAMED = re.compile(
    rb"""["']([^"'\s<>]{0,200}(?:openapi|swagger|api-docs)[^"'\s<>]{0,40}(?:json|ya?ml|docs))["']""", re.IGNORECASE
)


class Sources(NamedTuple):
    """first, further: what is read as one. pages: what a site's pages offered beside that; None where they are all there is, or
    none were read. site: the address that they were read from; "" for none.
    """

    first: Source
    further: tuple[Source, ...] = ()
    pages: Source | None = None
    site: str = ""


def begun_at(url: str, seen: Seen, fetch: Fetch, walk: Walk) -> Sources:
    """What there is at an address. seen: what was read there. Raises UserError, TargetError."""
    if not seen.is_page:
        with suppress(NotDescribed):
            return Sources((url, fetch(url, seen)))
    return begun_site(url, seen, [], fetch, walk)


def begun_site(site: str, seen: Seen | None, given: list[Source], fetch: Fetch, walk: Walk) -> Sources:
    """What is found at a site's address, and what else is given. Raises UserError, TargetError."""
    found = list(given)
    missing: NotDescribed | None = None
    if not given:
        try:
            found = [(site, fetch(site, seen))]
        except NotDescribed as error:
            missing = error
    beside = bool(found) and not given and _is_at_a_usual_place(found[0][1], site)
    if found and not beside and _is_graphql(found[0][1]):  # its endpoint told which pages stand beside it
        return Sources(found[0], tuple(found[1:]))
    stream = walk(site)
    if stream is None:
        if missing is not None:
            raise missing
        return Sources(found[0], tuple(found[1:]))
    pages = (site, stream)
    # A GraphQL endpoint at a usual place is often one part of the API that a document tells of, which has it as well.
    for told in islice(_led_to(stream), _MOST_TRIED) if beside or not found else ():
        # The site may have gone away behind its pages, which are there.
        with suppress(NotDescribed, UserError, TargetError):
            found = [(told, fetch(told, None))]
            break
    for endpoint in islice(_asked_by_graphql(stream, site), _MOST_ENDPOINTS) if not found else ():
        with suppress(NotDescribed, UserError, TargetError):
            schema = fetch(endpoint, None)
            found = [(endpoint, schema)] if _tells_operations(schema) else []
            break
    return Sources(found[0], tuple(found[1:]), pages, site) if found else Sources(pages, site=site)


def _led_to(pages: BinaryIO) -> Iterator[str]:
    """Where the pages lead to a description: one that was read itself, then what pages that show one to people name, then those."""
    pages.seek(0)
    read = [each for each in opened(pages).items if isinstance(each, Exchange)]
    pages.seek(0)
    shown = [(each.request.url, each.response.body) for each in read if each.response is not None]
    yield from (url for url, body in shown if is_description(body))
    for url, body in shown:
        if _SHOWS_ONE.search(body[:_MOST_LOOKED_AT]) is not None:
            named = (urljoin(url, each[1].decode("latin-1")) for each in _NAMED.finditer(body[:_MOST_LOOKED_AT]))
            yield from (each for each in dict.fromkeys((*named, url)) if origin_of(each) == origin_of(url))


def _asked_by_graphql(pages: BinaryIO, site: str) -> Iterator[str]:
    """The endpoints of GraphQL that the pages' scripts ask, on the same host: they may stand anywhere."""
    pages.seek(0)
    read = [each.request for each in opened(pages).items if isinstance(each, Exchange)]
    pages.seek(0)
    asked = (request.url.partition("?")[0] for request in read if operation_of(request) is not None)
    yield from (each for each in dict.fromkeys(asked) if origin_of(each) == origin_of(site))


def _tells_operations(stream: BinaryIO) -> bool:
    """Whether a document tells the operations of an endpoint, be it out of its suggestions; not that there is one."""
    if not _is_graphql(stream):
        return False
    told = json.loads(stream.read())
    stream.seek(0)
    return not told.get("untold") or bool(told.get("suggested"))


def _is_graphql(stream: BinaryIO) -> bool:
    try:
        return kind_of(stream.read(_LOOK)) == "graphql"
    except UnreadableCapture:  # gzipped, or nothing that is known; its reader tells
        return False
    finally:
        stream.seek(0)


def _is_at_a_usual_place(stream: BinaryIO, site: str) -> bool:
    """Whether it is of a GraphQL endpoint that was not named itself: it was found below the address where a site begins."""
    if not _is_graphql(stream):
        return False
    endpoint = json.loads(stream.read()).get("endpoint")
    stream.seek(0)
    return bool(endpoint) and endpoint != (urlsplit(site).path or "/")
