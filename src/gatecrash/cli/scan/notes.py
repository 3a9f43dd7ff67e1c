"""What the reader of a scan must know beside its result: of the capture, of who is signed in, of what is accepted.

warn_of(capture, planner, allowed, dead=…)     before the tests
notes_of(capture, planner, first, trouble)     in its result, as a run keeps them
tell_gone(gone)                                behind them
"""

from collections.abc import Sequence

from gatecrash.cli.capture_file import STRIPPED_WORDS
from gatecrash.cli.output import say, warn
from gatecrash.cli.scan.capture import NO_BASELINE, ScanCapture
from gatecrash.cli.scan.sessions import ENDED, OVER, Found
from gatecrash.core.reports.accepted import Accepted
from gatecrash.core.reports.notes import FRAMES, MESSAGES, SIGNED_IN_AGAIN, SOCKETS, kept, of_nobody, of_users, of_wants
from gatecrash.core.reports.plural import plural
from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.core.testing.selection.hosts import AllowedHosts
from gatecrash.core.testing.selection.replay import NO_HTTP
from gatecrash.node.scan.planned import Planner

MOST_TOLD = 5


def tell_gone(gone: Sequence[Accepted]) -> None:
    """Entries of the list that may be taken out, or were written wrongly."""
    for entry in gone[:MOST_TOLD]:
        say(f"Accepted and not found this time: {entry}.")
    if len(gone) > MOST_TOLD:
        say(f"{len(gone) - MOST_TOLD} more that are accepted were not found this time.")


def warn_of(capture: ScanCapture, planner: Planner, allowed: AllowedHosts, *, dead: bool) -> None:
    """What the reader of the result must know."""
    for item in capture.malformed[:MOST_TOLD]:
        warn(f"entry {item.place} was passed over: {item.why}.")
    if len(capture.malformed) > MOST_TOLD:
        warn(f"{len(capture.malformed) - MOST_TOLD} more entries were passed over.")
    if capture.stripped:
        warn(STRIPPED_WORDS.format(what=", so what is let in by one of these is not tested"))
    if capture.moved:
        say(
            f"The description names {capture.moved}; its requests go to where it was fetched from. --target changes that."
        )
    if capture.drafts:
        say(
            f"{plural(capture.drafts, 'request')} imported from a description; each is sent once first, to learn its answer."
        )
    for name, count in capture.wants.items() if planner.profile is None else ():
        warn(of_wants(name, count))
    hosts = capture.not_allowed
    if hosts:
        named = ", ".join(f"{host} ({count})" for host, count in hosts.most_common(10))
        why = "only loopback may be tested without --allow-host" if allowed.default else "no --allow-host names them"
        way = f" --allow-host {hosts.most_common(1)[0][0]} adds one: name only what you may test; --target sends them elsewhere."
        warn(f"requests to {plural(len(hosts), 'host')} are skipped, because {why}: {named}.{way}")
    for why, count in planner.passed_over.items():
        say(f"{plural(count, 'request')} not tested: {NO_BASELINE[why]}.")
    if planner.signs_in_again:
        say(f"{OVER if dead else ENDED}: tests sign in again as it shows.")
    if planner.profile is not None and planner.profile.recorded:
        _tell_users(planner.profile)


def notes_of(capture: ScanCapture, planner: Planner, first: Found, trouble: str) -> list[str]:
    """What belongs to the scan's result, in the words of a run. trouble: why the description's login lets nobody in; else empty."""
    moved = [f"{capture.base.told()}."] if capture.base is not None else []
    told = [*first.notes, *moved, *([of_nobody(trouble)] if trouble else [])]
    told += [MESSAGES] if planner.passed_over[NO_HTTP] else []
    told += [SOCKETS] if planner.opens else []
    told += [FRAMES] if planner.framed else []
    if planner.signs_in_again:
        told.append(SIGNED_IN_AGAIN)
    elif planner.profile is not None and planner.profile.recorded:
        told += of_users(planner.profile.identities)
    elif planner.profile is None and not trouble:
        told += [of_wants(name, count) for name, count in capture.wants.items()]
    return kept((), told)


def _tell_users(profile: AuthProfile) -> None:
    """Who is told apart, and what a second user of the same rank would have given."""
    users = profile.identities
    if len(users) > 1:
        say(f"{len(users)} users are told apart in the file; what is one's is asked for as another.")
        for note in of_users(users):
            say(note)
