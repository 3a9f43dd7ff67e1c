"""1,000 requests in any minute for each token (decisions 1), exactly, in memory.

The count is per process: with several API processes behind a balancer the limit is that many times higher.
"""

import math
import threading
from collections import OrderedDict, deque

WINDOW_SECONDS = 60.0
TOKENS_KEPT = 10_000


class RateLimit:
    """Remembers when each token's last `limit` requests came; safe over threads."""

    def __init__(self, limit: int) -> None:
        """Take the number of requests in a minute; 0 for no limit."""
        self._limit = limit
        self._seen: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = threading.Lock()

    def wait(self, token: str, now: float) -> int:
        """0 where the request may pass, and it is counted; else the whole seconds to wait, and it is not."""
        if not self._limit:
            return 0
        with self._lock:
            times = self._times(token)
            if len(times) == self._limit and now - times[0] < WINDOW_SECONDS:
                return max(1, math.ceil(WINDOW_SECONDS - (now - times[0])))
            times.append(now)  # a full deque drops its oldest
        return 0

    def _times(self, token: str) -> deque[float]:
        times = self._seen.get(token)
        if times is None:
            times = self._seen[token] = deque(maxlen=self._limit)
            if len(self._seen) > TOKENS_KEPT:
                self._seen.popitem(last=False)
        else:
            self._seen.move_to_end(token)
        return times
