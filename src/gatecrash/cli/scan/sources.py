"""What `gatecrash scan` is given, opened: files, descriptions at addresses, and the pages of a site.

An address at which a page is answered is where a site begins. Its pages are read, and so is what describes the API beside them:
files and addresses that are given as well, what is at a usual place, or what the pages lead to.
"""

import io
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from typing import Any, NamedTuple

import click

from gatecrash.cli.capture_file import whole_file
from gatecrash.cli.scan.capture import ScanCapture
from gatecrash.cli.scan.crawl import crawled, crawled_signed_in
from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.formats.opening import opened
from gatecrash.node.scan.fetching import NotDescribed, Seen, fetched, is_url, seen_at
from gatecrash.node.scan.outgoing import Way
from gatecrash.node.scan.starts import Fetch, Source, Sources, Walk, begun_site
from gatecrash.wire.session import RunOrder


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
    return begun_site(site, seen, found, *_ways(reading, held))


def _ways(reading: Reading, held: ExitStack) -> tuple[Fetch, Walk]:
    """How an address is asked for its description, and a site's pages are read."""

    def fetch(url: str, seen: Seen | None) -> io.BufferedReader:
        return held.enter_context(_described(url, reading, seen))

    def walk(site: str) -> io.BufferedReader | None:
        stream = crawled(site, reading.order, reading.way, reading.profile, reading.most, submits=reading.submits)
        return None if stream is None else held.enter_context(stream)

    return fetch, walk


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


def _described(url: str, reading: Reading, seen: Seen | None = None) -> io.BufferedReader:
    way = reading.way
    return fetched(url, way.allowed, verify_tls=way.verify_tls, proxy=way.proxy, seen=seen)


def _seen(url: str, way: Way) -> Seen:
    return seen_at(url, way.allowed, verify_tls=way.verify_tls, proxy=way.proxy)
