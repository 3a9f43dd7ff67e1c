"""Which function does which job.

    @job("clone")                     run when asked: services.enqueue("clone", client_id=…, key=record_id)
    @job("roll", every=60)            run once a minute across clients, by whichever worker is free

An app's jobs stand in its `work.py`, which the worker imports in the order of `parts.APPS`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

from gatecrash.control.parts import APPS

Work = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Handler:
    """A job's function, called with the job's key. every: seconds between runs; 0 for jobs that are asked for.

    lease: seconds after which another worker takes it over; the function must be harmless when run twice.
    outward: it waits for others' machines, so it is done in threads of its own, where nobody's cloning waits for it.
    """

    name: str
    work: Work
    every: float = 0
    lease: float = 60
    outward: bool = False


_handlers: dict[str, Handler] = {}


def job(name: str, *, every: float = 0, lease: float = 60, outward: bool = False) -> Callable[[Work], Work]:
    """Register a job under a name. See the module's text."""

    def register(work: Work) -> Work:
        assert name not in _handlers or _handlers[name].work is work, name
        _handlers[name] = Handler(name, work, every, lease, outward)
        return work

    return register


def handlers() -> dict[str, Handler]:
    """Every job of every app."""
    for name in APPS:
        if find_spec(f"gatecrash.control.{name}.work"):
            import_module(f"gatecrash.control.{name}.work")
    return _handlers
