"""What `gatecrash scan` is given, opened: files, descriptions at addresses, and the pages of a site.

An address at which a page is answered is where a site begins. Its pages are read, and so is what describes the API beside them:
files and addresses that are given as well, what is at a usual place, or what the pages lead to.
"""

import io
import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from itertools import islice
from typing import Any, BinaryIO, NamedTuple
from urllib.parse import urljoin, urlsplit

import click

from gatecrash.cli.capture_file import whole_file
from gatecrash.cli.scan.capture import ScanCapture, Source
from gatecrash.cli.scan.capture_url import NotDescribed, Seen, fetched, is_description, is_url, origin_of, seen_at
from gatecrash.cli.scan.crawl import crawled, crawled_signed_in
from gatecrash.core.errors import UserError
from gatecrash.core.message import Exchange
from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.formats.capture import UnreadableCapture
from gatecrash.formats.opening import kind_of, opened
from gatecrash.node.scan.outgoing import Way
from gatecrash.wire.session import RunOrder

_LOOK = 64 * 1024
_MOST_TRIED, _MOST_LOOKED_AT = 4, 256 * 1024
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


class Reading(NamedTuple):
    """How addresses are read. most: pages that are read by each caller; 0 for none. submits: whether forms are sent."""

    order: RunOrder
    way: Way
    profile: AuthProfile | None
    most: int
    submits: bool


def sources_of(names: Iterable[str], reading: Reading, held: ExitStack) -> Sources:
    """Everything that was named, until `held` is closed. Raises UserError, TargetError, click.UsageError."""
    named = list(names)
    found: list[Source] = [(name, held.enter_context(whole_file(name))) for name in named if not is_url(name)]
    sites: dict[str, Seen | None] = {}
    for name in filter(is_url, named):
        _check_beside(name, found)
        seen = _seen(name, reading.way) if reading.most else None
        if seen is not None and seen.is_page:
            sites[name] = seen
        else:
            try:
                found.append((name, held.enter_context(_described(name, reading, seen))))
            except NotDescribed:
                if not reading.most:
                    raise
                sites[name] = seen
    if len(sites) > 1:
        raise click.UsageError(f"{' and '.join(sites)} are two sites; a scan reads the pages of one.")
    if not sites:
        return Sources(found[0], tuple(found[1:]))
    [(site, seen)] = sites.items()
    return _with_site(site, seen, found, reading, held)


def _check_beside(url: str, files: Iterable[Source]) -> None:
    for name, stream in files:
        if not opened(stream).drafted:
            raise click.UsageError(
                f"{url} is an address, and {name} is captured traffic; beside an address only a description is read. Scan one of them alone."
            )
        stream.seek(0)


def capture_of(sources: Sources, **how: Any) -> ScanCapture:
    """What is read of them. how: as ScanCapture takes it. Raises UserError."""
    return ScanCapture(*sources.first, further=sources.further, pages=sources.pages, **how)


def signed_in(
    capture: ScanCapture, sources: Sources, reading: Reading, read: Callable[[Sources], ScanCapture], held: ExitStack
) -> ScanCapture:
    """The same with a site's pages as they are shown to whom the scan has signed in since; itself where there are none, or where
    he is let in by what no browser sends with a page. reading: with him. read: as `capture_of`.
    """
    profile = reading.profile
    by_header = sources.pages is not None and profile is not None and any(each.values for each in profile.identities)
    if not sources.site or profile is None or by_header:
        return capture
    seen = capture.exchanges() if sources.pages is None else capture.shown()
    stream = held.enter_context(
        crawled_signed_in(sources.site, reading.order, reading.way, profile, reading.most, seen)
    )
    pages = (sources.site, stream)
    again = read(sources._replace(first=pages) if sources.pages is None else sources._replace(pages=pages))
    again.base = capture.base
    return again


def _with_site(site: str, seen: Seen | None, found: list[Source], reading: Reading, held: ExitStack) -> Sources:
    """What is found at a site's address, and what else is given."""
    missing: NotDescribed | None = None
    given = bool(found)
    if not given:
        try:
            found = [(site, held.enter_context(_described(site, reading, seen)))]
        except NotDescribed as error:
            missing = error
    beside = bool(found) and not given and _is_at_a_usual_place(found[0][1], site)
    if found and not beside and _is_graphql(found[0][1]):  # its endpoint told which pages stand beside it
        return Sources(found[0], tuple(found[1:]))
    stream = crawled(site, reading.order, reading.way, reading.profile, reading.most, submits=reading.submits)
    if stream is None:
        if missing is not None:
            raise missing
        return Sources(found[0], tuple(found[1:]))
    pages = (site, held.enter_context(stream))
    # A GraphQL endpoint at a usual place is often one part of the API that a document tells of, which has it as well.
    for told in islice(_led_to(pages[1]), _MOST_TRIED) if beside or not found else ():
        with suppress(NotDescribed, UserError):
            found = [(told, held.enter_context(_described(told, reading)))]
            break
    return Sources(found[0], tuple(found[1:]), pages, site) if found else Sources(pages, site=site)


def _described(url: str, reading: Reading, seen: Seen | None = None) -> io.BufferedReader:
    way = reading.way
    return fetched(url, way.allowed, verify_tls=way.verify_tls, proxy=way.proxy, seen=seen)


def _seen(url: str, way: Way) -> Seen:
    return seen_at(url, way.allowed, verify_tls=way.verify_tls, proxy=way.proxy)


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
