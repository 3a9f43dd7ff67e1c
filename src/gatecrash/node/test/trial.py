"""One baseline's trial: its checks derived, their dialogues driven at once, findings told as they are proven."""

import asyncio
from collections.abc import Callable, Iterable
from random import Random

import msgspec

from gatecrash.core.errors import InvalidPattern, InvalidPoint, InvalidPolicy
from gatecrash.core.inventory.learned import Recognises
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import Check, forecast
from gatecrash.core.testing.dialogues.own_name import careful
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.health.refused_sessions import FOUND_BEFORE
from gatecrash.core.testing.pacing.parts import EVERYTHING, Todo
from gatecrash.core.testing.pacing.waiting import none_waits
from gatecrash.core.testing.probe import Answer, Probe, TestRequest
from gatecrash.core.testing.registry import REGISTRY
from gatecrash.core.testing.selection.replay import replayable
from gatecrash.core.testing.verdict import Inconclusive, Outcome, Verdict, explained, inconclusive, safe
from gatecrash.node.test.beforehand.draft_answer import asked, fault_of, refuse_what_is_none, wants_answer
from gatecrash.node.test.breakage import Breakage
from gatecrash.node.test.conclusion import concluded, found_any, shown_of, unreached
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.derivation import derived
from gatecrash.node.test.health.casualties import Casualties
from gatecrash.node.test.health.hearing import Hearing
from gatecrash.node.test.health.lethal import why_left_out
from gatecrash.node.test.health.spans import STRUCK, Spans
from gatecrash.node.test.health.wellbeing import Wellbeing
from gatecrash.node.test.rejection import TurnedAway, likely_cause, shows_a_lost_right
from gatecrash.node.test.restoring import Restoring
from gatecrash.node.test.retargeting import retargeted
from gatecrash.node.test.sessions.checks import Attendance, SessionLost
from gatecrash.node.test.wording import UNPAID, TargetGone, gone_words
from gatecrash.wire.session import RunOrder
from gatecrash.wire.work import Result

MOST_DIALOGUES = 6
"""Dialogues of one baseline at once: those of ten baselines have a place each at the sender, where to queue for one would
cost a tenth of a request. One for unsafe methods: tests that change state must not run into each other."""

MOST_REPEATS = 3
"""So often checks are made whose session did not live to their end."""


class Trial:
    """The checks of one baseline under one lease. remaining: test requests still expected. put_off: checks that `resume` makes.

    Raises UserError where what was recorded cannot be sent, or the order's target address is none: a recording error.
    """

    def __init__(
        self,
        baseline: Baseline,
        order: RunOrder,
        traffic: Traffic,
        recogniser: Recognises,
        probes: Iterable[Probe] = REGISTRY,
        *,
        todo: Todo = EVERYTHING,
        spent: int = 0,
    ) -> None:
        """todo: which of its checks are to be made. spent: test requests that others of them have cost before."""
        refuse_what_is_none(baseline.exchange)
        # Tests are sent in a coding that we can read, whatever the recorded client could.
        self.baseline = retargeted(Baseline(baseline.id, replayable(baseline.exchange)), order.target_url)
        self.remaining = 0
        self._order = order
        self._traffic = traffic
        self._probes = probes
        self.todo = todo
        self._spent = spent
        self._verdicts: list[Verdict] = []
        # Of parts that were told: what was found, and control answers.
        self._known: list[Verdict] = []
        self._attended_before = (0, 0)
        self._random = Random()  # noqa: S311 - payloads need variety, not secrecy
        self._turned_away = TurnedAway()
        self._attendance = Attendance(self.baseline, traffic, recogniser)
        self._hearing = Hearing(self.baseline, traffic, self._attendance)
        self.restoring = Restoring(self._attendance.send)
        self._spans = Spans()
        self._open: list[Check] = []
        self._unmade: list[Check] = []
        self.put_off: list[Check] = []
        self._unpaid_later: list[Verdict] = []
        self._breakage = Breakage(baseline.id)
        self._wellbeing: Wellbeing | None = None

    async def run(self, tell: Callable[[Result], None], puts_off: Callable[[Check], bool] = none_waits) -> Result:
        """Drives all checks; tells findings as they come, and returns the final result. Only cancellation raises.
        puts_off: which of them `resume` is to make, later; the result is not final while any are put off.
        """
        try:
            self._traffic.met(self.baseline.exchange)  # before others that begin meanwhile want its list
            failure = await self._introduce()
            if failure:
                self._traffic.forget(self.baseline.id)
                return self._ended_by(TargetGone(failure))
            kept, left = self._checks()
        except SessionLost as lost:
            return self._lost(lost)
        except (InvalidPattern, InvalidPolicy, InvalidPoint) as error:
            return self._result("error", "invalid_policies", str(error))
        except Exception as error:  # noqa: BLE001 - one baseline's trouble must not stop the run
            return self._internal(error)
        for each in left:
            later = puts_off(each) and any(map(puts_off, kept))
            unpaid = inconclusive(each.probe.type, each.point, Inconclusive.BUDGET, UNPAID)
            (self._unpaid_later if later else self._verdicts).append(unpaid)
        return await self._made(kept, tell, puts_off)

    async def resume(self, tell: Callable[[Result], None], puts_off: Callable[[Check], bool] = none_waits) -> Result:
        """Drives the checks that were put off, but for those that still are; the final result is of all of them."""
        self._breakage.keep()
        return await self._made(self._dropped(), tell, puts_off)

    def told(self) -> None:
        """What was made by now was told as a part of its own; of what `resume` makes the results tell alone."""
        self._traffic.tally.close(self.baseline.id)
        self._known += [each for each in self._verdicts if each.outcome is Outcome.VULNERABLE]
        self._verdicts = []
        self._attended_before = (self._attendance.control.good, self._attendance.control.asked)

    async def _made(self, left: list[Check], tell: Callable[[Result], None], later: Callable[[Check], bool]) -> Result:
        self.put_off = [each for each in left if later(each)]
        try:
            await self._watched([each for each in left if not later(each)], tell)
        except SessionLost as lost:
            self._open += self._dropped()
            return self._lost(lost)
        except TargetGone as gone:
            self._unmade += self._dropped()
            return self._ended_by(gone)
        except Exception as error:  # noqa: BLE001 - one baseline's trouble must not stop the run
            self._dropped()
            return self._internal(error)
        finally:
            self.remaining = forecast(self.put_off)
            self._traffic.forget(self.baseline.id)
        return self._conclusion()

    def _dropped(self) -> list[Check]:
        """What is put off no longer."""
        dropped, self.put_off = self.put_off, []
        self._verdicts += self._unpaid_later
        self._unpaid_later = []
        return dropped

    async def _introduce(self) -> str:
        """The baseline signed in, and asked for once where nobody knows its answer; the failure where none came."""
        self.baseline = await self._attendance.dress()
        failure = ""
        if wants_answer(self.baseline.exchange):
            self.baseline, failure = await asked(self.baseline, self._attendance, self._traffic)
            if await self._traffic.patience.outlasts(failure, self.baseline.request):
                self.baseline, failure = await asked(self.baseline, self._attendance, self._traffic)
            self._attendance.learn(self.baseline.exchange)
        self._hearing.request = self.baseline.request
        return failure

    def _checks(self) -> tuple[list[Check], list[Check]]:
        principal = self._attendance.principal
        self._traffic.met(self.baseline.exchange, visited=not principal.credentials)
        return derived(self.baseline, self._order, self._traffic, principal, self._probes, self.todo, self._spent)

    async def _watched(self, checks: list[Check], tell: Callable[[Result], None]) -> None:
        """The checks, at a target that is well before and behind them. Raises SessionLost, and TargetGone where it is not."""
        if not checks:
            return
        traffic, request, again = self._traffic, self.baseline.request, self._wellbeing is not None
        well = self._wellbeing or Wellbeing(self.baseline.id, request, traffic.spoilt, self._attendance.send)
        self._wellbeing = well
        await well.begin(lambda: traffic.pages.beside(request))
        await self._attended(checks, tell, again=again)
        await well.end()

    async def _attended(self, checks: list[Check], tell: Callable[[Result], None], *, again: bool) -> None:
        """The checks between two control requests; what a dead session may have spoilt is made again. Raises SessionLost."""
        self._open, lived = checks, False
        await self._attendance.begin(again=again)
        self.restoring.begin(self.baseline, lambda: bool(self._attendance.principal.credentials))
        for _ in range(MOST_REPEATS):
            await self._persist(self._open, tell)
            await self.restoring.finish()
            lived = await self._attendance.end()
            if lived:
                self._open = await self._struck()
                if not self._open:
                    return
            self._forget_undecided()
        if not lived:
            raise SessionLost("the session ended during each of the attempts to test this")
        self._leave(self._open, Inconclusive.BLOCKED, STRUCK)

    async def _struck(self) -> list[Check]:
        """The checks that a ban of the target may have answered; they are to be made again."""
        name = self.baseline.id
        return self._spans.struck_by(await self._traffic.settle(self.baseline.request, name), name)

    def _forget_undecided(self) -> None:
        """Leaves the findings of the open checks alone, and what the budget left out; all else of them is open again."""
        kept = (Outcome.VULNERABLE, Inconclusive.BUDGET)
        again = {(check.probe.type, tuple(check.point)) for check in self._open}
        self._verdicts = [
            each
            for each in self._verdicts
            if each.outcome in kept or each.reason in kept or (each.type, tuple(each.point)) not in again
        ]
        found = {(each.type, each.point) for each in self._verdicts}
        self._breakage.forget()
        self._open = [check for check in self._open if (check.probe.type, tuple(check.point)) not in found]

    async def _persist(self, checks: Iterable[Check], tell: Callable[[Result], None]) -> None:
        """All dialogues; where the target restarts meanwhile, those that it cut off are begun anew when it is back."""
        waiting = dict(enumerate(checks))
        casualties = Casualties(self._traffic.patience, self.baseline.request)
        while waiting:
            self.remaining = forecast([*waiting.values(), *self.put_off])
            try:
                await self._drive_all(waiting, casualties, tell)
            except TargetGone as gone:
                self._unmade = list(waiting.values())
                left_out = await self._outlast(gone, waiting, casualties)
                for place in left_out:
                    check = waiting.pop(place)
                    why = why_left_out(gone, check, alone=len(left_out) == 1)
                    self._verdicts.append(inconclusive(check.probe.type, check.point, Inconclusive.CONNECTION, why))
            self._hearing.begin()

    async def _outlast(self, gone: TargetGone, waiting: dict[int, Check], casualties: Casualties) -> list[int]:
        """The checks that are to be left out when the target is back. Raises TargetGone with those under which it went for good."""
        try:
            return await casualties.outlast(gone)
        except TargetGone as over:
            under = [waiting[place] for place in sorted(casualties.struck)]
            raise TargetGone(over.kind, over.detail or gone_words(over.kind, under)) from gone

    async def _drive_all(
        self, checks: dict[int, Check], casualties: Casualties, tell: Callable[[Result], None]
    ) -> None:
        """The dialogues that may be made now, some at once; the first exception ends the others. What has its verdict is taken
        out of checks.
        """
        waiting = iter(casualties.next(checks))
        places = self._traffic.dialogues(self.baseline.request)

        async def work() -> None:
            while True:
                async with self._traffic.writers.turn(self._traffic.onward.end_of(self.baseline.request)):
                    if not places.enters(self.baseline.id):
                        await places.enter(self.baseline.id)
                    try:
                        place, check = next(waiting, (-1, None))
                        if check is None:
                            return
                        async with casualties.during(place):
                            began = self._spans.now()
                            verdicts = self._foregone(check) or await self._breakage.outlived(check, self._drive(check))
                            self._spans.made(check, began)
                    finally:
                        places.leave(self.baseline.id)
                del checks[place]
                for told in (*verdicts, *check.memory.take_besides()):
                    self._verdicts.append(told)
                    if told.outcome is Outcome.VULNERABLE:
                        tell(self._finding(told))

        disturbing = casualties.narrow or any(each.probe.undisturbed for each in checks.values())
        wide = is_safe(self.baseline.request) and not disturbing
        workers = [asyncio.ensure_future(work()) for _ in range(MOST_DIALOGUES if wide else 1)]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    def _foregone(self, check: Check) -> tuple[Verdict, ...]:
        """The verdict where nothing has to be asked for it."""
        if not explained(check.probe.type, check.point, [*self._known, *self._verdicts]):
            return ()
        self.remaining -= check.forecast
        return (safe(check.probe.type, check.point, "a flaw with a name is proven there"),)

    async def _drive(self, check: Check) -> Verdict:
        """One dialogue: its requests sent, their answers handed back, until it concludes."""
        planting, request = self._traffic.planting, self.baseline.request
        oob = planting.addresses(check, self.baseline) if planting else None
        dialogue = careful(check.probe, check.situation(self._random, oob), self._traffic.tries)
        left = check.forecast
        telling = bool(check.planned.credentials) and shows_a_lost_right(request, check.point)
        send, rest, hear = self.restoring.send, self._hearing.rest, self._hearing.hear
        turn = self._traffic.measuring.at(request, self.baseline.id, self._traffic.dialogues(request))
        try:
            asked = next(dialogue)
            while True:
                if asked.measured or turn.is_concerned:
                    await turn.comes(asked)
                turn.begins(asked)
                if asked.lures or asked.pause or asked.opening:
                    answer = await self._ask(check, asked)
                else:
                    answer = await send(asked)
                    response = answer.exchange.response
                    good = response is not None and response.status < 300 and not answer.failure
                    if good and asked.purpose == "test":
                        rest()  # as `hear` has it: the common way
                    elif (trouble := hear(asked, answer)) is not None:
                        await trouble
                turn.answered(answer.exchange.elapsed)
                if telling and asked.purpose == "test":
                    self._turned_away.note(answer.exchange, self.baseline.exchange)
                if left:
                    left -= 1
                    self.remaining -= 1
                asked = dialogue.send(answer)
        except StopIteration as end:
            verdict: Verdict = end.value
            return planting.conclude(check, self.baseline.id, verdict) if planting else verdict
        finally:
            self.remaining -= left
            turn.end()
            dialogue.close()
            if planting is not None:
                planting.break_off(check, self.baseline.id)

    async def _ask(self, check: Check, asked: TestRequest) -> Answer:
        """Sends, behind its pause; where the request holds addresses of our listener, the answer tells who came there."""
        await self._traffic.tally.waits.out(asked.pause)
        planting, showing = self._traffic.planting, self._traffic.showing
        if planting is None or not asked.lures:
            return await (showing.opened(asked, self._send) if asked.opening else self._send(asked))
        planting.plant(check, self.baseline.id, asked)
        answer = await self._send(asked)
        return msgspec.structs.replace(answer, hits=await planting.hits(asked, answer.exchange))

    async def _send(self, asked: TestRequest) -> Answer:
        answer = await self.restoring.send(asked)
        if (trouble := self._hearing.hear(asked, answer)) is not None:
            await trouble
        return answer

    def _finding(self, verdict: Verdict) -> Result:
        sent, part = self._traffic.tally.of(self.baseline.id), self.todo.part
        return Result(baseline_id=self.baseline.id, final=False, verdicts=(verdict,), sent=sent, part=part)

    def _conclusion(self) -> Result:
        if self._breakage.words:
            return self._result(*self._breakage.ending(found=self._found()))
        refused, before = self._attendance.control.refused, self.todo.part > 0
        return self._result(
            *concluded(self.baseline.exchange, self._verdicts, self._turned_away, refused=refused, before=before)
        )

    def _lost(self, lost: SessionLost) -> Result:
        """Never passed: whatever found nothing may have found it because nobody was signed in."""
        self._forget_undecided()
        self._leave(self._open, Inconclusive.SESSION, str(lost))
        if self._found():
            return self._result("failed", detail=f"{FOUND_BEFORE}{lost}")
        if fault := fault_of(self.baseline.exchange):
            return self._result("error", *fault)
        return self._result("error", "auth_failed", f"{lost}{likely_cause(self.baseline.request)}")

    def _ended_by(self, gone: TargetGone) -> Result:
        why = gone.detail or gone_words(gone.kind)
        if self._found():
            self._leave(self._unmade, Inconclusive.CONNECTION, why)
            return self._result("failed", detail=f"connection_failed: {why}")
        return self._result(*unreached(self.baseline.request.host, gone.kind, why))

    def _internal(self, error: Exception) -> Result:
        self._breakage.note(error)
        return self._result(*self._breakage.ending(found=self._found()))

    def _leave(self, checks: Iterable[Check], reason: Inconclusive, why: str) -> None:
        """These checks stay undecided."""
        self._verdicts += [inconclusive(each.probe.type, each.point, reason, why) for each in checks]

    def _found(self) -> bool:
        return found_any(self._verdicts)

    def _result(self, status: str, reason: str | None = None, detail: str = "") -> Result:
        shown = shown_of(self._verdicts, status, detail)
        control, (good, asked) = self._attendance.control, self._attended_before
        return Result(
            baseline_id=self.baseline.id,
            final=True,
            status=status,
            reason=reason,
            detail=detail,
            verdicts=shown,
            sent=self._traffic.tally.of(self.baseline.id),
            authenticated=(control.good - good, control.asked - asked),
            listen=self._traffic.planting.grace(self.baseline.id) if self._traffic.planting else 0.0,
            part=self.todo.part,
        )
