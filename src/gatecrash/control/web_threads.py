"""The threads that answer requests, and how many of them may be held by callers who wait for something to change.

A caller who waits holds a thread. Where all were held, nobody would be answered: no node's heartbeat either, and a node
without its control plane stops its tests (decisions 11).
"""

import os


def threads_for(processors: int) -> int:
    """How many threads a machine's web server has. SQLite's readers wait little; more only queue for the interpreter."""
    return min(8, 2 * processors + 1)


def waiters_among(threads: int) -> int:
    """How many of the threads each of two kinds of waiting may hold: less than half, so that one is always free."""
    return max(1, (threads - 1) // 2)


WEB_THREADS = threads_for(os.cpu_count() or 1)
MOST_WAITERS = waiters_among(WEB_THREADS)
