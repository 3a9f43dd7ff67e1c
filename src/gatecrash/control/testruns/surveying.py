"""What a record tells as a whole: the users whose requests it holds, and whether it holds credentials at all.

A run without an auth profile signs in as those users, so that a node tests a record as `scan` tests a capture. What the
record does not say of them, the answers may that a node got for each of them. Their credentials are sealed for the
run's row while it is at work, and gone from it when it has ended.
"""

import logging
from collections.abc import Iterable

import msgspec

from gatecrash.control import vault
from gatecrash.control.findings.recognising import current_recogniser
from gatecrash.control.inventory.queries import learned_sessions
from gatecrash.control.profiles import queries as profiles
from gatecrash.control.testruns import baseline_rows, check_rows
from gatecrash.control.testruns.models import TestRun
from gatecrash.core.auth.sessions import Sessions
from gatecrash.core.errors import InvalidProfile
from gatecrash.core.inventory.endpoint import host_of
from gatecrash.core.inventory.learned import Learned
from gatecrash.core.message import Exchange
from gatecrash.core.point import Point
from gatecrash.core.reports import notes
from gatecrash.core.testing.profiles.profile import AuthProfile, ProfileIdentity
from gatecrash.core.testing.profiles.recorded import RecordedIdentities
from gatecrash.core.testing.selection.replay import why_not

log = logging.getLogger(__name__)

CHUNK = 100
NOBODY = b""
MOST_ANSWERS = 500
MOST_BYTES = 512 * 1024
"""Of the answers that are kept with a run: its row is read often."""

_profile = msgspec.msgpack.Decoder(AuthProfile)
_exchanges = msgspec.msgpack.Decoder(tuple[Exchange, ...])


class Survey(msgspec.Struct, frozen=True):
    """recorded: the users, sealed for the run's row; NOBODY without two. bare: there are no credentials in the record.

    count: of the users; None where the record cannot be read. again: whether they signed out and sign in anew. notes: what
    the reader of the run must know of them.
    """

    recorded: bytes
    bare: bool
    count: int | None = None
    again: bool = False
    notes: tuple[str, ...] = ()


def survey(row: TestRun) -> Survey:
    """Look at every baseline of the run's record, in the order of recording. Where one cannot be opened, nobody is told
    apart: tests go on as they were recorded, and the run ends.
    """
    try:
        seen = _seen(row)
        users = seen.profile() if row.auth_profile_id is None else _senders(row.auth_profile_id, seen)
    except (vault.CannotOpen, InvalidProfile):
        log.exception("test run %s: its record, or its auth profile, cannot be read", row.id)
        return Survey(NOBODY, bare=False)
    if users is None:
        return Survey(NOBODY, seen.bare, 0 if seen.bare else 1, notes=_notes(row))
    again = row.auth_profile_id is None and not users.recorded
    told = (notes.SIGNED_IN_AGAIN,) if again else _notes(row, users)
    return Survey(_seal(row, users), users.bare if again else seen.bare, len(users.identities), again, told)


def _notes(row: TestRun, found: AuthProfile | None = None) -> tuple[str, ...]:
    """What is told of a record's users, who do not sign in again; with an auth profile it does not matter who they are."""
    if row.auth_profile_id is not None:
        return ()
    told = notes.of_users(found.identities) if found is not None else ()
    return (*told, notes.OVER) if row.sessions_over else told


def users(row: TestRun) -> AuthProfile | None:
    """The users that the record showed; None where it showed none, or was not surveyed. Raises CannotOpen.

    Of a run with an auth profile only who sent what is kept here, and what the application calls them: secrets of the
    profile stand in its own row alone.
    """
    if not row.recorded:
        return None
    return _profile.decode(vault.unseal(bytes(row.recorded), client_id=row.client_id, row=named(row.id)))


def named(run_id: str) -> str:
    """The row's name in the seal."""
    return f"{run_id}/recorded"


def named_answers(run_id: str) -> str:
    """The name of what senders were answered, in its seal."""
    return f"{run_id}/answered"


def sealed_answers(row: TestRun, answered: Iterable[Exchange]) -> bytes:
    """What the record's senders were answered before, and now, for the run's row. Raises CannotOpen."""
    known = {each.request: each for each in (*_answers(row), *answered)}
    kept = list(known.values())[:MOST_ANSWERS]
    while sum(len(each.response.body) for each in kept if each.response is not None) > MOST_BYTES:
        kept.pop()
    return vault.seal(msgspec.msgpack.encode(kept), client_id=row.client_id, row=named_answers(row.id))


def is_known(row: TestRun, found: Survey) -> bool:
    """Whether the row says the same of who was recorded. Raises CannotOpen."""
    if not row.recorded or not found.recorded:
        return row.recorded is not None and bytes(row.recorded) == found.recorded
    known, told = (
        vault.unseal(bytes(each), client_id=row.client_id, row=named(row.id)) for each in (row.recorded, found.recorded)
    )
    return known == told


def completed(given: AuthProfile, row: TestRun) -> AuthProfile:
    """A profile that was given, with what the record tells of its identities. Raises CannotOpen."""
    told = users(row)
    known = {} if told is None else {each.name: each.known for each in told.identities}
    identities = tuple(
        msgspec.structs.replace(each, known=known.get(each.name, each.known)) for each in given.identities
    )
    holders = () if told is None else told.holders
    whole: AuthProfile = msgspec.structs.replace(given, bare=row.bare, identities=identities, holders=holders)
    return whole


def _senders(profile_id: str, seen: RecordedIdentities) -> AuthProfile | None:
    """Which of a profile's identities sent what, without its secrets; None where it has one identity or nobody is known."""
    given = profiles.profile(profile_id)
    told = None if given is None or len(given.identities) < 2 else seen.complete(given)
    if told is None or not told.holders:
        return None
    names = tuple(
        ProfileIdentity(name=each.name, rank=each.rank, hosts=each.hosts, known=each.known) for each in told.identities
    )
    return AuthProfile(id=told.id, name=told.name, identities=names, holders=told.holders)


def _seal(row: TestRun, profile: AuthProfile) -> bytes:
    return vault.seal(msgspec.msgpack.encode(profile), client_id=row.client_id, row=named(row.id))


def signs_in(row: TestRun) -> bool:
    """Whether the run signs in as the record's users did, or what is known of them cannot be read: nobody looks again."""
    try:
        known = users(row)
    except vault.CannotOpen:
        return True
    return known is not None and not known.recorded


def _seen(row: TestRun) -> RecordedIdentities:
    """A session's cookie is known by the login that issued it: by those in the record, and by what nodes have seen."""
    record_id, until = row.record_id, row.record.last_sequence
    refused = check_rows.refused(row.id) if row.sessions_over else frozenset()
    headers = [Point(("header", name)) for name in row.credential_headers]
    recogniser, sessions = current_recogniser(headers), Sessions()
    sessions.adopt(learned_sessions())
    identities = RecordedIdentities(Learned(recogniser, sessions))
    last = 0
    while batch := baseline_rows.after(record_id, last, until, CHUNK):
        for _, _, baseline in batch:
            exchange = baseline.exchange
            sessions.follow(host_of(exchange.request), exchange, recogniser.recognise(exchange.request))
            if not why_not(exchange):
                identities.see(exchange)
            if baseline.id in refused:
                identities.over(exchange)
        last = batch[-1][0]
    for exchange in _answers(row):
        identities.tell(exchange)
    return identities


def _answers(row: TestRun) -> tuple[Exchange, ...]:
    """Raises CannotOpen."""
    if row.answered is None:
        return ()
    raw = vault.unseal(bytes(row.answered), client_id=row.client_id, row=named_answers(row.id))
    return _exchanges.decode(raw)
