"""Who acts: set once at the edge, read where the audit log is written."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

SYSTEM = "system"

_actor: ContextVar[str] = ContextVar("gatecrash_actor", default=SYSTEM)


@contextmanager
def acting(identifier: str) -> Iterator[None]:
    """Write what follows into the audit log under a token's or user's identifier."""
    token = _actor.set(identifier)
    try:
        yield
    finally:
        _actor.reset(token)


def current() -> str:
    """The identifier of who acts; `system` for jobs and the command line."""
    return _actor.get()
