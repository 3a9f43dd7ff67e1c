"""The answers of requests that nobody has sent yet: each draft of an import is sent once before anything is tested.

Safe methods go first, those without unknown values before those that need some, each without its optional parameters
before all of it: a list without filters is what teaches values for them. Then what changes something, each once; then
again what found nothing, with what was learned meanwhile; and where tests are sent as several users, lists once more,
and one thing is asked for that the scan itself has made rather than one that was there. A request that is refused for
its form is sent once more with nothing optional in it, and is tested so where that is answered well; what only reads,
with as much of it as is let in. A refusal that names missing fields, or the form that a made-up text should have, is
followed by a request with them; any other refusal by one with texts out of answers whose members are called as its
fields, or for the scan's other account. What can destroy is not sent here: its trial sends it when its turn comes, last
of all.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from itertools import groupby

import msgspec

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.openness.access import may_be_repeated
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.places.left_out import LeftOut, left_out
from gatecrash.core.testing.profiles.entrance import entrance_of, fields
from gatecrash.core.testing.profiles.profile import ENROLLED, RECORDED
from gatecrash.core.testing.run_events import Status
from gatecrash.core.testing.selection.replay import trimmed
from gatecrash.formats.draft import Draft
from gatecrash.formats.refusals.told_fields import completed
from gatecrash.formats.refusals.told_files import with_file
from gatecrash.formats.refusals.told_forms import reworded
from gatecrash.node.scan.accounts.oneself import Oneself
from gatecrash.node.scan.accounts.other_account import for_the_other
from gatecrash.node.scan.accounts.own_account import where_accounts_are_made
from gatecrash.node.scan.accounts.own_login import entering
from gatecrash.node.scan.accounts.own_password import keeping_ones_own, of_its_sender
from gatecrash.node.scan.accounts.strangers import Strangers
from gatecrash.node.scan.accounts.unique_accounts import registered_anew
from gatecrash.node.scan.accounts.unknown_password import keeping_who_signs_in
from gatecrash.node.scan.drafts.answered import conflicts, fails, is_good, is_unfit, lists_any, says_as_much
from gatecrash.node.scan.drafts.as_it_stands import as_it_stands
from gatecrash.node.scan.drafts.asked_for import (
    asks_for_one,
    care,
    found_nothing,
    is_a_question,
    is_filtered,
    names_its_end,
    spared,
    unknown,
)
from gatecrash.node.scan.drafts.beside_refused import sender_beside
from gatecrash.node.scan.drafts.kept_things import ends_something, is_kept, makes, thing_of
from gatecrash.node.scan.drafts.known_members import KnownMembers
from gatecrash.node.scan.drafts.known_values import KnownValues, segments
from gatecrash.node.scan.drafts.made_values import MadeValues
from gatecrash.node.scan.drafts.optional_parts import parts_of, with_parts, with_refused
from gatecrash.node.scan.drafts.own_addresses import calling_itself
from gatecrash.node.scan.drafts.own_number import as_own_account
from gatecrash.node.scan.drafts.own_token import holding_ones_own
from gatecrash.node.scan.drafts.refused_fields import narrower
from gatecrash.node.scan.drafts.refused_parts import by_its_rows
from gatecrash.node.scan.drafts.sending import own_credentials, sent_as_meant
from gatecrash.node.scan.drafts.whose_example import WhoseExample
from gatecrash.node.scan.ledger import Tested
from gatecrash.node.test.beforehand.admission import first_sender, sent_by
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.sessions.living import LoginFailed

_MOST_REWORDED = 4


class Obtaining:
    """Fills in the answers of a run's drafts. width: how many safe requests are under way at once."""

    def __init__(self, tested: Iterable[Tested], traffic: Traffic, width: int) -> None:
        """Nothing is sent before `run`."""
        self._drafts = [
            one
            for one in tested
            if one.status is Status.WAITING
            and isinstance(one.baseline.exchange, Draft)
            and one.baseline.response is None
            and not one.baseline.exchange.kept
        ]
        self._traffic = traffic
        self._width = width
        profile = traffic.sessions.profile
        self._written = profile is not None and profile.id not in (RECORDED, ENROLLED)
        self._identities = () if profile is None else profile.identities
        self._several = len(self._identities) > 1
        self._signing_in = [each.variables for each in self._identities]
        self._members = KnownMembers()
        self._made_values = MadeValues()
        self._whose = WhoseExample(traffic)
        wanted = (
            hole.name
            for one in self._drafts
            for hole in _draft(one).holes
            if hole.point[0] == "path" or is_a_question(one.baseline.request)
        )
        self._made = tuple(where_accounts_are_made(one.baseline.request for one in self._drafts))
        self._oneself = Oneself.of(profile, self._made)
        self._known = KnownValues(wanted, self._made, self._oneself)
        entrance = entrance_of(one.baseline.request for one in self._drafts)
        self._strangers = Strangers(self._known, self._oneself, traffic.sessions, entrance, self._made)

    async def run(self) -> None:
        """Send every draft that destroys nothing, in the order above, and fill the holes of those that do."""
        for one in self._drafts:
            draft = entering(self._strangers.joining(_draft(one)), self._identities)
            draft = sent_by(draft, first_sender(self._traffic, draft))
            _set(one, keeping_who_signs_in(draft, self._identities))
        kept = [one for one in self._drafts if not (ends_something(one.baseline.request) or _draft(one).kept)]
        safe = [one for one in kept if may_be_repeated(one.baseline.request)]
        changing = [one for one in kept if not may_be_repeated(one.baseline.request)]
        for _, level in groupby(sorted(safe, key=_unknown_of), key=_unknown_of):
            together = list(level)
            await self._at_once(self._look, [one for one in together if is_filtered(_draft(one))])
            await self._all(together)
        self._keep_passwords()
        changing = [one for one in changing if not _draft(one).kept]
        for one in sorted(changing, key=lambda one: care(_draft(one))):
            await self._obtain(one)
        await self._again(safe)
        if await self._changed_again(changing):
            await self._again(safe)
        await self._at_once(self._by_rows, [one for one in safe if _draft(one).left_out])
        if self._several:
            if any(is_good(one.baseline.response) and not fields(one.baseline.request) for one in changing):
                await self._at_once(self._renew, [one for one in safe if not unknown(_draft(one))[0]])
            asking = [one for one in safe if asks_for_one(_draft(one)) or self._oneself.filters(_draft(one).holes)]
            await self._at_once(partial(self._refill, own=True), asking)
            for one in asking:
                draft, number = _draft(one), self._oneself.number_of(_draft(one).sender)
                _set(
                    one, await as_own_account(draft, number, self._variables_of(draft.sender), partial(self._sent, one))
                )
            await self._changed_again(changing)
            await self._at_once(self._as_beside, safe)
        await self._fill_deletions(changing)
        self._traffic.describe([_draft(one) for one in self._drafts])

    def _keep_passwords(self) -> None:
        """What sets the password of a numbered account sets the sender's to what it is, or is kept back."""
        self._oneself.settle()
        for one in self._drafts:
            draft = _draft(one)
            number, made = self._oneself.number_of(draft.sender), (*self._made, *self._oneself.places)
            _set(one, of_its_sender(draft, self._variables_of(draft.sender), number, made))

    def _variables_of(self, sender: str) -> tuple[tuple[str, str], ...]:
        return next((each.variables for each in self._identities if each.name == sender or not sender), ())

    async def _changed_again(self, changing: Sequence[Tested]) -> bool:
        """What changes something and found nothing, by what was made or listed meanwhile; whether any finds something now."""
        nothing = [one for one in changing if found_nothing(_draft(one)) or _draft(one).stranger]
        for one in nothing:
            await self._obtain(one, again=True)
        return any(is_good(one.baseline.response) for one in nothing)

    async def _fill_deletions(self, changing: Sequence[Tested]) -> None:
        """Fill the holes of what destroys. Of two that name the same thing each is given one of its own, which is made for it:
        `/admin/clips/7` finds nothing once `/clips/7` was deleted. What was there before is kept.
        """
        taken: set[tuple[str, str]] = set()
        for one in self._drafts:
            if not ends_something(one.baseline.request) or _draft(one).kept:
                continue
            draft = await self._as_it_stands(one, await self._made_here(_draft(one)))
            kind, named = thing = thing_of(draft)
            makers = (each for each in changing if named and thing in taken and makes(_draft(each), kind))
            maker = next(makers, None)
            if maker is not None and (made := await self._sent(maker, _draft(maker))) is not None:
                # A probe that deletes asks what made the thing: the answer that its draft keeps tells of the first alone.
                self._traffic.learn(made)
                draft = self._known.filled(_draft(one), own=True)
            taken.add(thing_of(draft))
            _set(one, msgspec.structs.replace(draft, kept=is_kept(draft, self._known, somebodys=self._written)))

    async def _as_it_stands(self, one: Tested, draft: Draft) -> Draft:
        known = map(_draft, self._drafts)
        return await as_it_stands(draft, known, partial(self._sent, one), self._signing_in)

    async def _made_here(self, deletion: Draft) -> Draft:
        """The deletion of what was made here. Where no answer said what that is called, the list shows it now."""
        draft = self._known.filled(deletion, own=True)
        if is_kept(draft, self._known):
            above = segments(draft.request)[:-1]
            lists = (one for one in self._drafts if one.baseline.request.method == "GET")
            shown = next((one for one in lists if segments(one.baseline.request) == above), None)
            if shown is not None and await self._sent(shown, _draft(shown)) is not None:
                draft = self._known.filled(deletion, own=True)
        return draft

    async def _all(self, level: Sequence[Tested], *, again: bool = False) -> None:
        """All of them, some at once."""
        await self._at_once(partial(self._obtain, again=again), level)

    async def _at_once(self, send: Callable[[Tested], Awaitable[None]], level: Sequence[Tested]) -> None:
        waiting = iter(level)

        async def work() -> None:
            for one in waiting:
                await send(one)

        async with asyncio.TaskGroup() as group:
            for _ in range(min(self._width, len(level))):
                group.create_task(work())

    async def _obtain(self, one: Tested, *, again: bool = False) -> None:
        """Send one draft once, with the best values that are known.

        again: only where they are better than before, or are known by now to name something: what was made meanwhile is
        often called 1, as what was made up is.
        """
        before = _draft(one)
        draft = self._known.filled(before, again=again)
        if again and draft is before and not self._known.names(before):
            called = self._made_values.put_into(before)
            if called is None:
                return
            draft = msgspec.structs.replace(before, request=called)
        answered = await self._sent(one, await self._as_it_stands(one, draft))
        if answered is None:
            return
        if is_unfit(answered.response) and before.spare is not None:
            asked = msgspec.structs.replace(spared(before), sender=answered.sender)
            spare = await self._sent(one, await self._as_it_stands(one, self._known.filled(asked, again=again)))
            answered = answered if spare is None else await self._beside_spare(one, draft, answered, spare)
        answered = await self._reworded(one, await narrower(answered, partial(self._sent, one)))
        answered = await self._with_others(one, answered)
        # What is refused for another reason now has values that suit: what it calls may not be there (503).
        if not again or not is_unfit(answered.response):
            _set(one, answered)

    async def _reworded(self, one: Tested, refused: Draft) -> Draft:
        """The draft with the fields and the texts that its refusal asks for; itself where it was not refused, or tells none."""
        for _ in range(_MOST_REWORDED):
            better = self._better(refused)
            answered = await self._sent(one, better) if better is not None else None
            if answered is None:
                break
            refused = answered
        return refused

    async def _with_others(self, one: Tested, refused: Draft) -> Draft:
        """The draft with the target's address, its sender's token, members called as its fields, or for the other account; else itself."""
        refused = await self._at_home(one, refused)
        if is_good(refused.response):
            return refused
        better = [holding_ones_own(refused, own_credentials(self._traffic, refused))]
        if is_unfit(refused.response):
            better += [self._members.put_into(refused.request), for_the_other(refused, self._traffic.sessions)]
        return await self._first_good(one, refused, better)

    async def _at_home(self, one: Tested, refused: Draft) -> Draft:
        """The draft with the target's own address for those that it called in vain; itself where that is answered no better."""
        if is_good(refused.response):
            return refused
        return await self._first_good(one, refused, [self._calling_itself(refused)])

    def _calling_itself(self, refused: Draft) -> Request | None:
        return calling_itself(refused, map(_draft, self._drafts))

    async def _first_good(self, one: Tested, refused: Draft, better: Iterable[Request | None]) -> Draft:
        """The draft with the first request that is answered well; itself where none is."""
        for request in better:
            again = msgspec.structs.replace(refused, request=request, spare=None) if request is not None else None
            answered = await self._sent(one, again) if again is not None else None
            answered = await self._reworded(one, answered) if answered is not None else None
            if answered is not None and is_good(answered.response):
                return answered
        return refused

    def _better(self, refused: Draft) -> Draft | None:
        response = refused.response
        if response is None or not (is_unfit(response) or conflicts(response)):
            return None
        if (asked := completed(refused)) is not None:
            return keeping_ones_own(self._known.filled(asked), self._signing_in)
        request = with_file(refused.request, response) or reworded(refused.request, response)
        request = request or registered_anew(refused.request, response)
        return msgspec.structs.replace(refused, request=request, spare=None) if request is not None else None

    async def _beside_spare(self, one: Tested, whole: Draft, answered: Draft, spare: Draft) -> Draft:
        """The spare draft with what optional suits it, where it is answered well; else what the whole was answered."""
        called = await self._at_home(one, spare)
        if called is not spare:
            told = msgspec.structs.replace(whole, response=spare.response)
            whole = msgspec.structs.replace(whole, request=self._calling_itself(told) or whole.request)
        return await self._fuller(one, whole, called) if is_good(called.response) else answered

    async def _fuller(self, one: Tested, whole: Draft, spare: Draft) -> Draft:
        """The spare draft with whatever optional is not refused: each is a place to test, and so is what is refused, apart.

        whole: with all of it, refused.
        """
        kept: list[str] = []
        refused: list[LeftOut] = []
        for part in parts_of(whole.request, spare.request) if may_be_repeated(whole.request) else ():
            request = with_parts(whole.request, spare.request, [*kept, part])
            answered = await self._sent(one, msgspec.structs.replace(spare, request=request))
            answered = await self._reworded(one, answered) if answered is not None else None
            response = answered.response if answered is not None else None
            if answered is not None and isinstance(response, Response) and is_good(response):
                kept, spare = [*kept, part], answered
                # The next is asked with the value that was let in.
                reworded = with_refused(answered.request, left_out(whole.request, response))
                whole = msgspec.structs.replace(whole, request=reworded) if answered.request != request else whole
            elif isinstance(response, Response) and is_unfit(response):
                refused.append(left_out(request, response))
        return msgspec.structs.replace(spare, left_out=tuple(refused))

    async def _by_rows(self, one: Tested) -> None:
        _set(one, await by_its_rows(_draft(one), self._known, partial(self._sent, one)))

    async def _again(self, safe: Sequence[Tested]) -> None:
        """Ask once more for what was not there, and for lists that were empty: what was made meanwhile may be in them."""
        nothing = [one for one in safe if found_nothing(_draft(one))]
        empty = [one for one in safe if is_filtered(_draft(one)) and not self._known.lists(_draft(one).request)]
        await self._at_once(self._look, empty)
        await self._all(nothing, again=True)
        await self._at_once(self._refill, [one for one in empty if one not in nothing])

    async def _refill(self, one: Tested, *, own: bool = False) -> None:
        """Ask with what is known by now, where that is answered as well. own: for what the scan itself has made, of which it is
        known whose it is.
        """
        before = _draft(one)
        draft = self._known.filled(before, own=own)
        was_good = is_good(before.response)
        # What was refused, or not there, was somebody else's.
        if draft is not before and (was_good or own):
            answered = await self._sent(one, draft)
            if answered is None or not is_good(answered.response):
                return
            as_much = says_as_much(answered, before) or (self._oneself.filters(before.holes) and lists_any(answered))
            if not own or not was_good or names_its_end(before) or as_much:
                _set(one, answered)

    async def _renew(self, one: Tested) -> None:
        """Ask again for a page that was read before anything was made: now it may show what was, and whose that is."""
        before = _draft(one)
        if is_good(before.response):
            answered = await self._sent(one, before)
            if answered is not None and is_good(answered.response):
                _set(one, answered)

    async def _as_beside(self, one: Tested) -> None:
        """Ask as who is let in right beside it where its sender is refused, or as who has the very thing that the document shows."""
        before = _draft(one)
        sender = sender_beside(before, map(_draft, self._drafts), first_sender(self._traffic, before))
        sender = sender or await self._whose.sender_of(before, map(_draft, self._drafts), one.baseline.id)
        answered = await self._sent(one, sent_by(before, sender)) if sender else None
        if answered is not None and is_good(answered.response) and says_as_much(answered, before):
            _set(one, answered)

    async def _look(self, one: Tested) -> None:
        """Ask without filters, for what the answer teaches alone."""
        again = found_nothing(_draft(one))
        await self._sent(one, self._known.filled(spared(_draft(one)), again=again))

    async def _sent(self, one: Tested, draft: Draft) -> Draft | None:
        """The draft with its answer, which was learned from; None where nobody can be signed in for it, or it would change a
        stranger's account.
        """
        draft = self._strangers.spared(draft)
        if draft.stranger:
            _set(one, draft)
            return None
        try:
            draft, answer = await sent_as_meant(self._traffic, one.baseline.id, draft)
        except LoginFailed:
            return None  # its trial signs in again, and says what is wrong
        self._oneself.claimed(own_credentials(self._traffic, draft))
        if (response := answer.exchange.response) is None:
            return draft
        if not fails(response):
            self._known.learn(draft.request, response, draft.thing)
            self._known.keep(draft.taught, response)
            self._made_values.learn(draft.request, response)
            if is_good(response) and may_be_repeated(draft.request):
                self._members.learn(response, draft.thing or next(reversed(segments(draft.request)), ""))
        return msgspec.structs.replace(draft, response=trimmed(response), started=answer.exchange.started)


def _draft(one: Tested) -> Draft:
    exchange = one.baseline.exchange
    assert isinstance(exchange, Draft)
    return exchange


def _set(one: Tested, draft: Draft) -> None:
    one.planned = msgspec.structs.replace(one.planned, baseline=Baseline(one.baseline.id, draft))


def _unknown_of(one: Tested) -> tuple[int, bool]:
    return unknown(_draft(one))
