"""What a record's descriptions hold, each request sent once before any is tested: what one is answered teaches the others.

The first draft that a run is given has all of them asked for. Where nobody said how to sign in, and the record holds no
request of anybody, accounts are made and signed in by the login that they show. It is what `scan` does with a
description, with the same parts.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Sequence

import msgspec

from gatecrash.core.errors import PeerError, ProtocolMismatch, UserError
from gatecrash.core.inventory.learned import Recognises
from gatecrash.core.message import Request
from gatecrash.core.reports.notes import of_more_told, of_no_other, of_nobody, of_wants
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.run_events import Status
from gatecrash.formats.draft import Draft, packed, unpacked
from gatecrash.node.scan.accounts.enrolment import Enrolment, brings_credentials, lets_in_whom
from gatecrash.node.scan.accounts.standings import Standings
from gatecrash.node.scan.drafts.base_path import moved
from gatecrash.node.scan.drafts.obtaining import Obtaining
from gatecrash.node.scan.drafts.second_containers import SecondContainers
from gatecrash.node.scan.drafts.told_schema import told_to_users
from gatecrash.node.scan.ledger import Tested
from gatecrash.node.scan.planned import Planned
from gatecrash.node.test.beforehand.acquaintance import introduce
from gatecrash.node.test.beforehand.draft_answer import is_unanswered
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.lease import Lease
from gatecrash.node.test.recorder import new_id
from gatecrash.node.test.retargeting import retargeted
from gatecrash.node.test.sessions.of_run import Sessions
from gatecrash.node.uplink import DESCRIBE
from gatecrash.wire.session import RunOrder
from gatecrash.wire.work import Describe, Described

log = logging.getLogger(__name__)

SIGN_IN = "sign-in"
"""What the requests that sign in are counted under: they belong to no baseline."""

Drafts = Sequence[tuple[str, bool, Draft]]


class Descriptions:
    """The drafts of one run. width: how many safe ones are under way at once."""

    def __init__(self, order: RunOrder, lease: Lease, traffic: Traffic, recogniser: Recognises, width: int) -> None:
        """Nothing is asked before `of`."""
        self._order = order
        self._lease = lease
        self._traffic = traffic
        self._recogniser = recogniser
        self._width = width
        self._answered: dict[str, Baseline] = {}
        self._elsewhere: tuple[str, ...] = ()
        self._learning: asyncio.Task[None] | None = None

    async def of(self, baseline: Baseline) -> Baseline:
        """The baseline with its answer, and with values that are there; as it is where none could be had."""
        if not is_unanswered(baseline.exchange):
            return baseline
        if self._learning is None:
            self._learning = asyncio.ensure_future(self._learn())
        await asyncio.shield(self._learning)  # who else waits for it must not lose it
        return self._answered.pop(baseline.id, baseline)

    def keep(self, answered: Baseline) -> None:
        """A part of the baseline was put off: for that it is not asked for again."""
        self._answered[answered.id] = answered

    async def close(self) -> None:
        """Ends what is under way."""
        if self._learning is not None:
            self._learning.cancel()
            await asyncio.gather(self._learning, return_exceptions=True)

    async def _learn(self) -> None:
        try:
            told = await self._told(None, ())
            drafts = await self._where_they_are(self._read(told.drafts))
            drafts = await self._let_in(drafts) if told.only else drafts
            await self._obtain([*drafts, *await self._told_beside(drafts)] if told.extends else drafts)
        except (PeerError, ProtocolMismatch, msgspec.DecodeError) as error:
            log.warning("drafts are sent one by one", extra={"run": self._order.run_id, "why": str(error)})

    async def _told(self, users: int | None, notes: tuple[str, ...]) -> Described:
        return await self._lease.ask(DESCRIBE, Describe, Described, users, (*self._elsewhere, *notes))

    def _read(self, told: Sequence[tuple[str, bool, bytes]]) -> Drafts:
        drafts = []
        for identifier, is_open, raw in told:
            try:
                drafts.append((identifier, is_open, self._aimed(unpacked(raw))))
            except UserError:
                continue  # its trial says what is wrong with it
        return drafts

    def _aimed(self, draft: Draft) -> Draft:
        """Sent to where the run's tests go."""
        exchanges = [Baseline("", draft)]
        if draft.spare is not None:
            exchanges.append(Baseline("", msgspec.structs.replace(draft, request=draft.spare)))
        aimed = [retargeted(one, self._order.target_url).request for one in exchanges]
        spare = aimed[1] if draft.spare is not None else None
        changed: Draft = msgspec.structs.replace(draft, request=aimed[0], spare=spare)
        return changed

    async def _where_they_are(self, drafts: Drafts) -> Drafts:
        """The drafts of one description below the base path that its operations have."""
        found = await moved([draft for _, _, draft in drafts], lambda request: self._traffic.send(request, SIGN_IN))
        if found is None:
            return drafts
        self._elsewhere = (f"{found.told()}.",)
        log.warning("operations are below another base path", extra={"run": self._order.run_id, "why": found.told()})
        return [(identifier, is_open, found.draft(draft)) for identifier, is_open, draft in drafts]

    async def _let_in(self, drafts: Drafts) -> Drafts:
        """Signs in by the login among the drafts, where some draft that needs it does not bring what lets it in, and nobody
        said how, or as whom who may do no more than another; the login itself with who fits it.
        """
        given = self._traffic.sessions.profile
        asking = lets_in_whom([draft for _, _, draft in drafts], self._has_own)
        if not asking or (given is not None and (given.recorded or given.has_peers)):
            return drafts
        enrolment = Enrolment((draft for _, _, draft in drafts), beside=given)
        if enrolment.possible:
            await enrolment.run(lambda request: self._traffic.send(request, SIGN_IN))
        if given is not None:
            await self._join(enrolment)
        elif enrolment.profile is None and not enrolment.trouble:
            wanted = Counter(name for _, _, draft in drafts for name in draft.wants)
            if wanted:
                await self._told(0, tuple(of_wants(*each) for each in wanted.items()))
            return drafts
        elif enrolment.profile is None:
            log.warning("nobody is signed in", extra={"run": self._order.run_id, "why": enrolment.trouble})
            await self._told(0, (of_nobody(enrolment.trouble),))
        else:
            self._traffic.sessions = Sessions(enrolment.profile, self._traffic.send_urgently)
            await self._told(len(enrolment.profile.identities), ())
        filled = ((identifier, is_open, enrolment.filled_in(draft)) for identifier, is_open, draft in drafts)
        return [(identifier, is_open, draft) for identifier, is_open, draft in filled if isinstance(draft, Draft)]

    async def _join(self, enrolment: Enrolment) -> None:
        """An account beside those of the profile; who of these is signed in by now stays so."""
        before = self._traffic.sessions
        if enrolment.profile is not None and enrolment.accounts:
            self._traffic.sessions = Sessions(enrolment.profile, self._traffic.send_urgently)
            self._traffic.sessions.go_on(before.signed_in)
            self._traffic.sessions.inherit(before)
            await self._told(len(enrolment.profile.identities), ())
        elif enrolment.trouble:
            log.warning("no second user", extra={"run": self._order.run_id, "why": enrolment.trouble})
            await self._told(0, (of_no_other(enrolment.trouble),))

    async def _told_beside(self, drafts: Drafts) -> Drafts:
        """What GraphQL endpoints among the drafts tell beside them, which is kept in the record before any of it is sent."""
        found = [
            (new_id(), each) for each in await told_to_users(self._traffic, SIGN_IN, [one for _, _, one in drafts])
        ]
        if not found:
            return []
        notes = (of_more_told([each.request.path.decode("latin-1") for _, each in found]),)
        kept = tuple((identifier, packed(each)) for identifier, each in found)
        await self._lease.ask(DESCRIBE, Describe, Described, None, notes, kept)
        return [(identifier, True, each) for identifier, each in found]

    def _has_own(self, request: Request) -> bool | None:
        points = [each.point for each in self._recogniser.recognise(request) if each.valid]
        return brings_credentials(request, points, time.time())

    async def _obtain(self, drafts: Drafts) -> None:
        tested = [
            Tested(Planned(Baseline(identifier, draft), ""), Status.WAITING)
            for identifier, is_open, draft in drafts
            if is_open
        ]
        await Obtaining(tested, self._traffic, self._width).run()
        answered = [one.baseline.exchange for one in tested]
        await SecondContainers(self._traffic, SIGN_IN).make([one for one in answered if isinstance(one, Draft)])
        for exchange in answered:  # what makes an object is known before it is asked what else may be done to such ones
            introduce(exchange, self._traffic, self._recogniser)
        await Standings(self._traffic, SIGN_IN).learn(one.baseline.exchange for one in tested)
        self._answered = {one.baseline.id: one.baseline for one in tested}
