"""What the answers to one baseline's tests say of the target: that it is gone, crawls, leads in circles, or refuses the baseline itself."""

from collections.abc import Awaitable

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.node.test.connections.redirects import RedirectLoop, Trail, brings, moved_to
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.health.bans import BANNED
from gatecrash.node.test.health.hush import was_sent
from gatecrash.node.test.health.lethal import SPARED
from gatecrash.node.test.health.overload import Crawling
from gatecrash.node.test.sessions.checks import Attendance
from gatecrash.node.test.sessions.principal import SIGNED_OUT
from gatecrash.node.test.wording import AWAY, SILENT, TIMED_OUT, TargetGone

FAILURES_IN_A_ROW = 6
"""After so many requests without any answer the target is taken for gone, or a hanging one would cost hours."""

FAILURES_AT_FIRST = 3
"""The same where nothing of the baseline was ever answered in time: each may take a minute, and others wait for their turn meanwhile."""


class Hearing:
    """Hears one baseline's answers. request: the baseline's, as it is sent from now on."""

    def __init__(self, baseline: Baseline, traffic: Traffic, attendance: Attendance) -> None:
        """Nothing was answered yet."""
        self.request: Request = baseline.request
        self._id = baseline.id
        self._traffic = traffic
        self._attendance = attendance
        self._in_a_row = 0
        self._followed = False
        self._crawling = Crawling(baseline.exchange)
        recorded = baseline.response
        # Whether it was a way to another origin already.
        self._moves = recorded is None or moved_to(baseline.request, recorded) is not None

    def rest(self) -> None:
        """One good answer came to a test: the common way."""
        self._in_a_row = 0
        self._crawling.rest()

    def begin(self) -> None:
        """The target is back, or was never away."""
        self._in_a_row = 0

    def hear(self, asked: TestRequest, answer: Answer) -> Awaitable[None] | None:
        """Notes what an answer says of the target; what has to be looked into where it says nothing good."""
        if answer.failure:
            return self._failed(asked, answer)
        response = answer.exchange.response
        if response is not None and response.status < 300 and asked.purpose != "control":  # the common way
            self.rest()
            return None
        self._watch(asked, answer)
        if response is not None and response.status < 400:
            self._stays(asked, response)
        if not self._followed and response is not None and 300 <= response.status < 400 and self._repeats(asked):
            return self._follow(response)
        return None

    async def _failed(self, asked: TestRequest, answer: Answer) -> None:
        """No answer, or no whole one. Raises TargetGone where no dialogue may judge by that."""
        if answer.failure == "not_allowed" or (answer.failure == BANNED and self._traffic.is_banned(asked.request)):
            raise TargetGone(answer.failure)
        # A kill cuts answers off before it refuses connections.
        if answer.failure == AWAY or (
            answer.failure == "closed" and await self._traffic.patience.is_away(asked.request)
        ):
            raise TargetGone(AWAY, cut=answer.failure == "closed", request=asked.request)
        if answer.failure == SILENT:
            raise TargetGone(SILENT, cut=was_sent(answer.exchange), request=asked.request)
        self._watch(asked, answer)

    def _stays(self, asked: TestRequest, response: Response) -> None:
        """Raises TargetGone where the target sends the request on to another origin, as it did not when it was recorded.

        A mirror sends what it does not have on to its master, path and all: a test's own path says nothing of the target.
        """
        if self._moves or asked.request.path != self.request.path:
            return
        if asked.request.first(b"Host") != self.request.first(b"Host"):
            return
        origin = moved_to(asked.request, response)
        if origin is not None and not brings(asked.request, self.request, origin):
            raise TargetGone("moved", f"moved: the target sends this on to {origin}; test it there (--target {origin})")

    def _repeats(self, asked: TestRequest) -> bool:
        """Whether this is the baseline itself, asked again as its sender: a page that sends visitors to the login,
        which sends on who is signed in, is no circle for either.
        """
        return asked.purpose == "control" and asked.identity is None and asked.request == self.request

    async def _follow(self, response: Response | None) -> None:
        """Sees, once, whether the baseline's redirects end."""
        self._followed = True
        trail = Trail(self.request)
        try:
            while response is not None and (following := trail.next(response)) is not None:
                response = (await self._attendance.send(TestRequest(following, "control"))).exchange.response
        except RedirectLoop as loop:
            raise TargetGone("redirect_loop", f"redirect_loop: {loop}") from loop

    def _watch(self, asked: TestRequest, answer: Answer) -> None:
        """Notes whether the target lives, and whether the baseline's own credentials still work."""
        response = answer.exchange.response
        if answer.failure in (SIGNED_OUT, SPARED):
            return
        self._in_a_row = (
            self._in_a_row + 1 if answer.failure and (response is None or answer.failure == TIMED_OUT) else 0
        )
        if self._in_a_row >= FAILURES_IN_A_ROW or (
            self._in_a_row >= FAILURES_AT_FIRST
            and answer.failure == TIMED_OUT
            and not self._traffic.answers(self.request, self._id)
        ):
            raise TargetGone(answer.failure)
        if response is not None and (why := self._crawling.note(response, answer.exchange.elapsed)):
            raise TargetGone("crawling", why)
        if response is not None and self._repeats(asked):
            self._attendance.control.watch(response)
