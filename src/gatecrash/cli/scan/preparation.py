"""What a scan does before its tests: reads what it was given, signs in, asks first what it has to know, and plans."""

from collections.abc import Iterable
from contextlib import ExitStack
from functools import partial
from typing import NamedTuple

import msgspec

from gatecrash.cli.scan.capture import ScanCapture
from gatecrash.cli.scan.deleted import to_be_made
from gatecrash.cli.scan.sessions import Found, ask_first, ask_signed_in, who_is_who
from gatecrash.cli.scan.settings import ScanSettings
from gatecrash.cli.scan.sign_in import announce, ask_endpoints, enrolment_of, find_operations, sign_in
from gatecrash.cli.scan.sources import Reading, capture_of, signed_in, sources_of
from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.node.scan.accounts.enrolment import Enrolment
from gatecrash.node.scan.captures.deleted_things import DeletedThings
from gatecrash.node.scan.fetching import is_url, origin_of
from gatecrash.node.scan.planned import Planned, Planner
from gatecrash.node.test.connections.traffic import Tally
from gatecrash.wire.session import RunOrder


class Prepared(NamedTuple):
    """What is tested. order: with who is signed in. first: what asking told. deleted: what is made anew once somebody is signed
    in. nobody: why nobody is signed in by a description that has a login; "" where somebody is, or it has none.
    """

    capture: ScanCapture
    order: RunOrder
    planner: Planner
    planned: list[Planned]
    first: Found
    deleted: DeletedThings | None
    nobody: str


def prepare(settings: ScanSettings, tally: Tally, opened: ExitStack) -> Prepared:
    """All of it; for a plan alone nothing is sent but what reads descriptions and pages. opened: what is closed once that is done.

    Raises UserError, TargetError, click.UsageError, KeyboardInterrupt.
    """
    order, sends = settings.order(), not settings.plan_only
    capture, enrolment, profile = _read(settings, order, tally, opened)
    if capture.drafts and sends:
        ask_endpoints(capture, msgspec.structs.replace(order, profile=profile), settings.way, tally)
    first = ask_first(capture, order, settings.way) if profile is None and sends else Found()
    planner = _planner(settings, capture, order, profile, first)
    exchanges = capture.exchanges()
    planned = planner.plan(first.completed(exchanges) if enrolment is None else map(enrolment.filled_in, exchanges))
    order = msgspec.structs.replace(order, profile=planner.profile)
    if planner.signs_in_again and sends and ask_signed_in(capture, first, order, settings.way):
        planner = _planner(settings, capture, order, profile, first)
        planned = planner.plan(first.completed(capture.exchanges()))
        order = msgspec.structs.replace(order, profile=planner.profile)
    deleted = to_be_made(capture, order, dead=bool(first.dead)) if sends else None
    nobody = enrolment.trouble if enrolment is not None and profile is None else ""
    return Prepared(
        capture=capture, order=order, planner=planner, planned=planned, first=first, deleted=deleted, nobody=nobody
    )


def _read(
    settings: ScanSettings, order: RunOrder, tally: Tally, opened: ExitStack
) -> tuple[ScanCapture, Enrolment | None, AuthProfile | None]:
    """What was given, as whoever is signed in sees it; the way in that it shows, and who that is."""
    profile, sends = settings.profile, not settings.plan_only
    reading = Reading(order, settings.way, profile, settings.crawl_pages, submits=sends)
    sources = sources_of(settings.files, reading, opened)
    read = partial(
        capture_of,
        allowed=settings.way.allowed,
        target=settings.target,
        from_hosts=settings.from_hosts,
        custom=settings.custom,
        home=next((origin_of(name) for name in settings.files if is_url(name)), None),
    )
    capture = read(sources)
    if capture.drafts and sends:
        find_operations(capture, order, settings.way, tally)
    enrolment = enrolment_of(capture, profile) if settings.sign_up else None
    if enrolment is None:
        return capture, None, profile
    if not sends:
        announce(enrolment)
        return capture, enrolment, enrolment.foreseen()
    sign_in(enrolment, order, settings.way, tally)
    if enrolment.profile is not None:
        capture = signed_in(capture, sources, reading._replace(profile=enrolment.profile), read, opened)
    return capture, enrolment, enrolment.profile


def _planner(
    settings: ScanSettings, capture: ScanCapture, order: RunOrder, profile: AuthProfile | None, first: Found
) -> Planner:
    def ask(asked: Iterable[Request]) -> list[Exchange]:
        return [] if settings.plan_only else who_is_who(asked, order, settings.way)

    return Planner(
        settings.policy,
        capture.learned,
        exclude_extensions=settings.exclude_extensions,
        skip_duplicates=settings.skip_duplicates,
        profile=profile,
        dead=first.dead,
        ask=ask,
    )
