"""How much a target bears: so many requests at once as it answers without slowing down, fewer where it says it is too much.

The number follows the answers' latency, compared with the best that the same baseline had, so that a slow endpoint is
not taken for a strained target: it grows quickly until answers take noticeably longer, then by about one a round trip;
where they take far longer it shrinks (additive increase, multiplicative decrease). What answers slowly to one request
at a time is not strained by us: it has become slower, and its best is learned anew; where its answers take by far not
equally long, what they take on the average, asked alone, is what later ones are compared with. 429 and 503 halve it and
bring a pause, of the length that Retry-After asks for (RFC 9110 section 10.2.3), else doubling from one to the next.
One endpoint's own limiter (a login's) is not the host's: where it goes on refusing one baseline while all others are
answered, it slows nothing down. Neither does what hangs alone (`cat` without a name): no answer in time tells of the
host where others came quickly meanwhile.

Times are seconds of a clock that never goes backwards, passed in.
"""

from collections import deque
from collections.abc import Iterator, Sequence

from gatecrash.core.testing.pacing.wearing import Wearing

FIRST_WIDTH = 2.0
"""So few that the first answers show how quick the target is when nothing strains it."""

MOST_WIDTH = 64
"""As many as the sender has connections to one origin."""

MOST_IN_JITTER = 16
"""The same where answers take by far not equally long: strain that is no more than their jitter goes unnoticed."""

# Below this a latency tells more of this machine than of the target: with sixty requests under way each answer waits for as
# long as the others take to be judged.
FLOOR_SECONDS = 0.01
_EASY, _STRAINED = 1.5, 2.5
_SMOOTHING = 0.1
_MOST_RATIO = 8.0
_FORGET_BEST_AFTER = 2000
# Slow answers to one request at a time in a row, from which on the target is slower than it was. Waits that were asked for
# (time-based tests) come by twos and threes.
_SLOWER_AFTER = 40
# The average of answers to one at a time is no more than so many times their median: the waits among them are no jitter.
_MOST_OVER_MEDIAN = 3.0
_LONG_SMOOTHING = 0.01

FIRST_PAUSE = 0.25
LONGEST_PAUSE = 8.0
LONGEST_RETRY_AFTER = 30.0
TOO_LONG_SECONDS = 60.0
"""Retry-After of more than this is not waited for: a pause of the longest kind would end in another refusal."""

GIVEN_UP_PAUSE = 0.1
EPISODES = 4
"""So many pauses without one good answer, and the target is taken to refuse for good: tests go on, unanswered and slow."""

ELSEWHERE = 20
"""So many good answers to other baselines, while one was refused EPISODES times and nobody else, tell that its limiter is its own.

As many while one request hung tell that it hung alone.
"""

BESIDE = 2.0
"""So many requests at once at least, once one had no answer: others tell beside the next whether it hangs alone."""

_SEVERAL = 3


class Congestion:
    """What one host bears. width: how many requests may be under way at once."""

    def __init__(self, most: int = MOST_WIDTH) -> None:
        """Nothing is known yet; most: never more at once."""
        self._most = most
        self._width = min(FIRST_WIDTH, most)
        # Asked for with each request.
        self.width = int(self._width)
        self._growing_fast = True
        self._best: dict[str, float] = {}
        self._ratio = 1.0
        # What answers to one request at a time took, in a row of slow ones, as so many times the best.
        self._slow_alone: list[float] = []
        # So many times as long as the best an answer takes, asked alone: more than 1 where they take by far not equally long.
        self._jitter = 1.0
        # The average of hundreds of answers, as so many times the best.
        self._usual = 1.0
        self._shrunk_at = -1.0
        self._pause_until = 0.0
        self._paused_at = 0.0
        self.episodes = 0
        self._good = 0
        # When the last good answers came.
        self._good_at = deque((-1.0,), maxlen=ELSEWHERE)
        # By baseline: the pauses that it brought since its last good answer, and the host's good answers before them.
        self._refusing: dict[str, tuple[int, int]] = {}
        self._limited_alone: set[str] = set()
        self._wearing = Wearing()
        # Who was told to wait for too long since any other was answered.
        self._told_too_long: set[str] = set()
        self._told_at = 0.0

    @property
    def given_up(self) -> bool:
        """Whether the target has refused through several pauses, or lets hardly anything through, so that asking again is no use."""
        return self.episodes >= EPISODES or self._wearing.host_is_worn

    @property
    def paused(self) -> bool:
        """Whether there was a pause since the last good answer, so that `wait` is worth asking."""
        return self.episodes > 0

    def knows(self, baseline_id: str) -> bool:
        """Whether the baseline was answered, as far as anybody remembers."""
        return baseline_id in self._best

    def best_of(self, baseline_id: str) -> float | None:
        """The shortest time that an answer to the baseline took, as far as anybody remembers."""
        return self._best.get(baseline_id)

    def state(self) -> tuple[float, ...]:
        """What is known of the host, all but the baselines' own best: for the other processes that send to it."""
        return (
            self._width,
            float(self._growing_fast),
            self._ratio,
            self._shrunk_at,
            self._pause_until,
            self._paused_at,
            float(self.episodes),
            self._jitter,
        )

    def adopt(self, state: Sequence[float]) -> None:
        """Go on from what another process knows, given by its `state`."""
        self._width, growing_fast, self._ratio, self._shrunk_at, self._pause_until, self._paused_at, *others = state
        self._growing_fast, self.episodes = bool(growing_fast), int(others[0])
        if self._jitter != others[1]:
            self._jitter = self._usual = others[1]
        self.width = int(self._width)

    def wait(self, now: float) -> float:
        """The seconds for which nothing may be sent."""
        return max(0.0, self._pause_until - now)

    def answered(self, now: float, baseline_id: str, latency: float) -> None:
        """An ordinary answer came, so many seconds after its request was sent."""
        self._good += 1
        self._good_at.append(now)
        if self._refusing:
            self._refusing.pop(baseline_id, None)
        if self._wearing.alone:
            self._wearing.answered()
        if self._told_too_long and now - latency > self._told_at:
            self._told_too_long.clear()
        if self.episodes and now >= self._pause_until:
            self.episodes = 0
        if latency < FLOOR_SECONDS:
            latency = FLOOR_SECONDS
        best = self._best.get(baseline_id)
        slowness = 1.0 / self._jitter if latency == best else self._slowness(baseline_id, latency, best)
        ratio = self._ratio = self._ratio + _SMOOTHING * (slowness - self._ratio)
        if self._jitter > 1.0:
            self._note_jitter(slowness * self._jitter)
        if ratio < _EASY:
            if self._slow_alone:
                self._slow_alone.clear()
            if self._width < self._most:
                self._grow()
        else:
            self._growing_fast = False
            if self.width == 1:
                self._slow_though_alone(latency / self._best[baseline_id])
            elif ratio > _STRAINED:
                self._shrink(now, 0.9, latency)

    def _slow_though_alone(self, times_best: float) -> None:
        """One request at a time is answered slowly: after many of them that is what the target is now."""
        self._slow_alone.append(times_best)
        if len(self._slow_alone) < _SLOWER_AFTER:
            return
        alone = sorted(self._slow_alone)
        average, median = sum(alone) / len(alone), alone[len(alone) // 2]
        self._jitter = self._usual = min(average, _MOST_OVER_MEDIAN * median) / alone[0]
        self._ratio = 1.0
        self._slow_alone.clear()
        self._best.clear()

    def _note_jitter(self, times_best: float) -> None:
        """Where hundreds of answers took hardly longer than the best, the jitter is over."""
        self._usual += _LONG_SMOOTHING * (times_best - self._usual)
        if self._usual < _EASY:
            self._jitter = 1.0

    def _slowness(self, baseline_id: str, latency: float, best: float | None) -> float:
        """How many times as long as the baseline's best answer this one took."""
        if best is None or latency < best:
            if len(self._best) > _FORGET_BEST_AFTER:
                self._best.clear()
            self._best[baseline_id] = latency
            return 1.0 / self._jitter
        return min(latency / (best * self._jitter), _MOST_RATIO)

    def refused(self, now: float, sent_at: float, retry_after: float | None = None, baseline_id: str = "") -> bool:
        """A limiter answered (429, 503); whether it is the host's. Those sent before its pause began belong to that pause."""
        if self._is_its_own(baseline_id) or self._is_too_long(now, retry_after, baseline_id):
            return False
        self._wearing.refused(baseline_id)
        if sent_at < self._paused_at and now < self._pause_until + LONGEST_PAUSE:
            return True
        pauses, good = self._refusing.get(baseline_id, (0, self._good))
        self._refusing[baseline_id] = (pauses + 1, good)
        if len(self._refusing) >= _SEVERAL:  # whoever asks is refused
            self._refusing.clear()
        self._shrink(now, 0.5, 0.0)
        hopeless = retry_after is not None and retry_after > EPISODES * LONGEST_RETRY_AFTER
        self.episodes = max(EPISODES, self.episodes) if hopeless else self.episodes + 1
        self._paused_at = now
        pause = self._pause(retry_after)
        self._pause_until = now + pause
        self._wearing.waits(pause)
        return True

    def _is_its_own(self, baseline_id: str) -> bool:
        """Whether the limiter that refuses a baseline is known to look at nothing else, or was waited for long enough."""
        if baseline_id in self._limited_alone:
            return True
        pauses, good = self._refusing.get(baseline_id, (0, 0))
        if (pauses < EPISODES or self._good - good < ELSEWHERE) and not self._wearing.is_worn(baseline_id):
            return False
        self._limited_alone.add(baseline_id)
        return True

    def _is_too_long(self, now: float, retry_after: float | None, baseline_id: str) -> bool:
        """Whether the limiter wants more than is ever waited for, and nothing tells that it refuses whoever asks."""
        if retry_after is None or retry_after <= TOO_LONG_SECONDS:
            return False
        if not self._told_too_long:
            self._told_at = now
        self._told_too_long.add(baseline_id)
        return len(self._told_too_long) < _SEVERAL

    def lost(self, now: float, sent_at: float) -> None:
        """No answer came in time to what was sent then."""
        hung_alone = len(self._good_at) == ELSEWHERE and self._good_at[0] > sent_at and self._ratio < _STRAINED
        if not hung_alone:
            self._shrink(now, 0.5, 1.0)
            if self._width < BESIDE:
                self._width = min(BESIDE, self._most)
                self.width = int(self._width)

    def _pause(self, retry_after: float | None) -> float:
        if self.given_up:
            return GIVEN_UP_PAUSE
        if retry_after is not None:
            return min(max(retry_after, FIRST_PAUSE), LONGEST_RETRY_AFTER)
        return min(FIRST_PAUSE * 2.0 ** (self.episodes - 1), LONGEST_PAUSE)

    def _grow(self) -> None:
        most = self._most if self._jitter == 1.0 else min(self._most, MOST_IN_JITTER)
        self._width = min(most, self._width + (1.0 if self._growing_fast else 1.0 / self._width))
        self.width = int(self._width)

    def _shrink(self, now: float, factor: float, at_most_every: float) -> None:
        """Once a round trip: the answers that follow were sent at the old width."""
        self._growing_fast = False
        if now - self._shrunk_at >= at_most_every:
            self._shrunk_at = now
            self._width = max(1.0, self._width * factor)
            self.width = int(self._width)


class Turns:
    """Who may send next, under_way the number of those that do: among the baselines that wait: one after the other,
    each in the order of its own asking.

    A baseline holds at most half of what may be under way while there are others, and alone it leaves one free for who
    comes, so that a slow one never holds them up.
    """

    def __init__(self) -> None:
        """Nobody waits."""
        self._waiting: dict[str, list[int]] = {}
        self._held: dict[str, int] = {}
        self._next = 0
        self.under_way = 0

    def __len__(self) -> int:
        """How many wait."""
        return sum(map(len, self._waiting.values()))

    def take(self, baseline_id: str, width: int) -> bool:
        """Have a turn at once where nobody waits for one and there is room: the common way, and the quick one."""
        held = self._held.get(baseline_id, 0)
        if self._waiting or self.under_way >= width:
            return False
        # The least is 1; a call of max() would be most of this function's time.
        if held and held >= (width - 1 if self.under_way == held else width // 2):
            return False
        self._held[baseline_id] = held + 1
        self.under_way += 1
        return True

    def ask(self, baseline_id: str) -> int:
        """Queue up; the number is called when it is the turn."""
        self._next += 1
        self._waiting.setdefault(baseline_id, []).append(self._next)
        return self._next

    def withdraw(self, baseline_id: str, number: int) -> None:
        """Leave the queue."""
        mine = self._waiting.get(baseline_id, [])
        if number in mine:
            mine.remove(number)
            if not mine:
                del self._waiting[baseline_id]

    def call(self, width: int) -> Iterator[int]:
        """The numbers whose turn it is while so many may be under way; each is under way from then on."""
        while self._waiting and self.under_way < width:
            called = self._next_called(width)
            if called is None:
                return
            mine = self._waiting.pop(called)
            number = mine.pop(0)
            if mine:
                self._waiting[called] = mine  # to the end: the others come first
            self._held[called] = self._held.get(called, 0) + 1
            self.under_way += 1
            yield number

    def done(self, baseline_id: str) -> None:
        """One of this baseline's turns is over."""
        held = self._held.get(baseline_id, 0)
        if held:
            self.under_way -= 1
            if held > 1:
                self._held[baseline_id] = held - 1
            else:
                del self._held[baseline_id]

    def lend(self, baseline_id: str) -> bool:
        """Leave a turn of this baseline to others though it is not over; whether it had one."""
        had = baseline_id in self._held
        self.done(baseline_id)
        return had

    def take_back(self, baseline_id: str) -> None:
        """A turn that was lent is the baseline's again, were it one too many now."""
        self._held[baseline_id] = self._held.get(baseline_id, 0) + 1
        self.under_way += 1

    def _next_called(self, width: int) -> str | None:
        for baseline_id in self._waiting:
            if self._may(baseline_id, width):
                return baseline_id
        return None

    def _may(self, baseline_id: str, width: int) -> bool:
        held = self._held.get(baseline_id, 0)
        if held < width // 2 or not held:  # the common case first: this is asked for every request
            return True
        return len(self._waiting) == 1 and self.under_way == held and held < width - 1
