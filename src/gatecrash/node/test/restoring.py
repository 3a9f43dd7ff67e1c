"""What the tests of a request that overwrites something leave behind: the request is sent once more as it was recorded.

So is what sets a password, or nobody could sign in with it any more. Where it changes its sender's password for the present one,
which a test has changed, it brings that in the place of the recorded one.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from gatecrash.core.errors import UserError
from gatecrash.core.message import Request, Response
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.testing.authorization.callers.password_changes import PasswordChange, password_change, sets_password
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.effects.writes import puts_back
from gatecrash.core.testing.oracles.outcomes.refused import is_good, is_taken
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.testing.probe import Answer, TestRequest

MOST_TRIED = 3
"""Passwords that tests may have set: more wrong ones in a row could lock the account."""

SECONDS = 5.0
"""So long a run that ends in the middle waits for this."""

Send = Callable[[TestRequest], Awaitable[Answer]]


class Restoring:
    """Of one baseline.

    restoring.begin(baseline, signed_in)    before its tests, which are sent by restoring.send
    await restoring.finish()                behind them
    await restoring.broken_off()            where the run ends before they do
    """

    def __init__(self, send: Send) -> None:
        """send: as the baseline's tests are sent."""
        self.send = send
        self._plain = send
        self._baseline: Baseline | None = None
        self._signed_in: Callable[[], bool] = bool
        self._change: PasswordChange | None = None
        self._set: dict[bytes, None] = {}

    def begin(self, baseline: Baseline, signed_in: Callable[[], bool]) -> None:
        """What comes of its tests is noted where they may change a password. signed_in: whether it has a sender who could be
        renamed.
        """
        self._baseline, self._signed_in = baseline, signed_in
        change = password_change(baseline.request)
        if change is not None and change.old is not None:
            self._change, self.send = change, self._noting

    async def finish(self) -> None:
        """Send it once more; nothing where it was not begun."""
        if self._baseline is None:
            return
        request, response = self._baseline.request, self._baseline.exchange.response
        was_taken = response is None or is_taken(response)
        is_put_back = sets_password(request) or puts_back(request, signed_in=self._signed_in())
        if not was_taken or not (self._change is not None or is_put_back):
            return
        answer = (await self._control(request)).exchange.response
        for password in [*reversed(self._set)][:MOST_TRIED]:
            if answer is None or is_taken(answer):
                return
            answer = (await self._control(self._for_present(request, password))).exchange.response

    async def broken_off(self) -> None:
        """The same where the run ends meanwhile, which waits for it no longer than it must."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.finish(), SECONDS)

    async def _noting(self, asked: TestRequest) -> Answer:
        answer = await self._plain(asked)
        if asked.identity is None and _was_done(answer.exchange.response):
            self._note(asked.request)
        return answer

    def _note(self, request: Request) -> None:
        assert self._change is not None
        for found in walked(request):
            if found.point == self._change.new:
                self._set.pop(found.value, None)
                self._set[found.value] = None

    def _for_present(self, request: Request, password: bytes) -> Request:
        assert self._change is not None
        assert self._change.old is not None
        try:
            return rewrite(request, self._change.old, password)
        except UserError:
            return request

    async def _control(self, request: Request) -> Answer:
        return await self._plain(TestRequest(request, "control"))


def _was_done(response: Response | None) -> bool:
    return response is not None and (is_good(response) or is_taken(response))
