"""`gatecrash scan` of a description, before anything is tested: finds where its operations are, and signs in by those that it has
for it where there is no auth profile, or one of a single user, or says why not; and asks its GraphQL endpoints for what else they do.
"""

import asyncio
import time
from functools import partial

import uvloop

from gatecrash.cli.interruption import term_interrupts
from gatecrash.cli.output import say, warn
from gatecrash.cli.scan.capture import ScanCapture
from gatecrash.core.message import Request
from gatecrash.core.reports.notes import of_more_told, of_no_other
from gatecrash.core.reports.plural import plural
from gatecrash.core.testing.profiles.entrance import Account, Entrance, fields
from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.accounts.enrolment import Enrolment, brings_credentials, lets_in_whom
from gatecrash.node.scan.accounts.registering import told
from gatecrash.node.scan.drafts.base_path import Moved, moved
from gatecrash.node.scan.drafts.told_schema import told_to_users
from gatecrash.node.scan.outgoing import Way, traffic_of
from gatecrash.node.test.connections.traffic import Tally
from gatecrash.wire.session import RunOrder

SAVED = frozenset({"postman", "insomnia", "curl", "http"})
"""Descriptions that people save with their own credentials in them."""

_NONE = Entrance(None, None)
BASELINE = "sign-in"
"""What the requests that sign in are counted under: they belong to no baseline."""


def enrolment_of(capture: ScanCapture, given: AuthProfile | None = None) -> Enrolment | None:
    """The way in that a description shows; None where there is none, nothing is behind it, or its user saved another for all
    that wants one. given: an auth profile; where no two of its users are of one rank, one account more is made.
    """
    if not capture.drafts or (given is not None and given.has_peers):
        return None
    drafts = capture.described()
    if capture.kind in SAVED and not lets_in_whom(drafts, partial(has_own_credentials, capture)):
        return None
    enrolment = Enrolment(drafts, beside=given)
    if not enrolment.possible or enrolment.entrance == _NONE:  # the forms of its site's pages may be the way in
        forms = Enrolment((item for item in capture.exchanges() if isinstance(item, Draft)), beside=given)
        enrolment = enrolment if enrolment.possible and forms.entrance == _NONE else forms
    return enrolment if enrolment.possible else None


def has_own_credentials(capture: ScanCapture, request: Request) -> bool | None:
    """Whether a saved request brings what lets it in today; as `brings_credentials`."""
    points = [one.point for one in capture.recogniser.recognise(request) if one.valid]
    return brings_credentials(request, points, time.time())


def announce(enrolment: Enrolment) -> None:
    """What a plan cannot do without sending anything."""
    entrance = enrolment.entrance
    made = (
        f"{plural(enrolment.wanted, 'account')} would be made by {_operation(entrance.registration)}"
        if entrance.registration
        else ""
    )
    login = (
        f"{'and signed in' if made else 'the scan would sign in'} by {_operation(entrance.login)}"
        if entrance.login
        else ""
    )
    asked = (
        ""
        if made or login
        else f"{_operation(enrolment.untold[0].request)} would be asked for its fields, and accounts made by it"
    )
    say(f"{made} {login}{asked}".strip() + "; --no-sign-up leaves that out.")


def find_operations(capture: ScanCapture, order: RunOrder, way: Way, tally: Tally) -> None:
    """Find out where the described operations really are, and warn where the description names another address.

    Raises KeyboardInterrupt.
    """
    drafts = capture.described()

    async def run() -> Moved | None:
        async with traffic_of(order, way, tally) as traffic:
            return await moved(drafts, lambda request: traffic.send(request, BASELINE))

    with term_interrupts(), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        capture.base = runner.run(run())
    if capture.base is not None:
        warn(f"{capture.base.told()}.")


def ask_endpoints(capture: ScanCapture, order: RunOrder, way: Way, tally: Tally) -> None:
    """Have the description's GraphQL endpoints tell what it does not, in the name of whoever is signed in. Raises KeyboardInterrupt."""
    drafts = capture.described() if capture.kind != "graphql" else []

    async def run() -> list[Draft]:
        async with traffic_of(order, way, tally) as traffic:
            return await told_to_users(traffic, BASELINE, drafts)

    with term_interrupts(), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        capture.told = tuple(runner.run(run()))
    capture.drafts += len(capture.told)
    if capture.told:
        say(of_more_told([each.request.path.decode("latin-1") for each in capture.told]))


def sign_in(enrolment: Enrolment, order: RunOrder, way: Way, tally: Tally) -> None:
    """Make accounts and sign in; says what came of it. Raises KeyboardInterrupt."""

    async def run() -> None:
        async with traffic_of(order, way, tally) as traffic:
            await enrolment.run(lambda request: traffic.send(request, BASELINE))

    with term_interrupts(), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run())
    if not enrolment.accounts and not enrolment.trouble:
        return
    if enrolment.profile is None:
        warn(f"nobody is signed in: {enrolment.trouble}. Give an auth profile (--auth-profile FILE).")
        return
    if not enrolment.accounts:
        warn(of_no_other(enrolment.trouble))
        return
    names = ", ".join(_called(account, enrolment.entrance.registration) for account in enrolment.accounts)
    how = (
        f" that {_operation(enrolment.entrance.registration)} made for this scan"
        if enrolment.entrance.registration
        else ""
    )
    say(f"Signed in as {plural(len(enrolment.accounts), 'account')}{how}: {names}.")
    if enrolment.doubt:
        warn(f"{enrolment.doubt}, so most is refused. Say where it goes in an auth profile (--auth-profile FILE).")


def _called(account: Account, registration: Request | None) -> str:
    """What an account signs in with: a form that asks for no address knows none."""
    asked = set(fields(registration).values()) if registration is not None else set()
    return account.user if "user" in asked and "mail" not in asked else account.mail or account.user


def _operation(request: Request | None) -> str:
    return "" if request is None else told(request)
