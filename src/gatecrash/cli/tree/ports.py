"""Ports for the tree: those asked for, or free ones, found before anything is started."""

import errno
import random
import socket
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress

from gatecrash.core.errors import UserError

# A tree that was just killed may need a moment until its sockets are gone.
PATIENCE_SECONDS = 3.0
_QUIET = range(20_000, 32_768)
"""Where free ports are looked for first: above what services are known by, and below what systems give to outgoing connections
(Linux from 32768, others from 49152), which could take a port between its choice and its use.
"""
_TRIES = 20


class Taken(UserError):
    """A port cannot be had."""


def choose(wanted: Sequence[tuple[str, str, int]]) -> list[int]:
    """A port for each wish (option, host, port), 0 standing for any free one.

    Raises Taken, naming the option, where a port is in use, not allowed, or the address is not of this machine.
    The sockets are held until all are chosen, so that two wishes never get the same one.
    """
    with ExitStack() as held:
        return [_bind(held, host, option, port) if port else _any(held, host, option) for option, host, port in wanted]


def free_port(host: str = "127.0.0.1") -> int:
    """A port that nothing listens on, for a program that is started next."""
    return choose([("", host, 0)])[0]


def _any(held: ExitStack, host: str, option: str) -> int:
    """A free port, as the system gives it only where those looked for first are taken."""
    for port in random.sample(_QUIET, _TRIES):
        with suppress(OSError):
            return _listen(held, host, port)
    return _bind(held, host, option, 0)


def _listen(held: ExitStack, host: str, port: int) -> int:
    """The port of a socket that listens and is held; raises OSError where it cannot be had."""
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    taken = held.enter_context(socket.socket(family, kind, protocol))
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    taken.bind(address)
    taken.listen(1)
    return int(taken.getsockname()[1])


def _bind(held: ExitStack, host: str, option: str, port: int) -> int:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return _listen(held, host, port)
        except OSError as error:
            if error.errno == errno.EADDRINUSE and time.monotonic() < deadline:
                time.sleep(0.1)
                continue
            raise Taken(_words(host, option, port, error)) from error


def _words(host: str, option: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} on {host} is in use by another program; choose another with {option} (0: any free one)."
    if error.errno == errno.EACCES:
        return f"Port {port} needs rights that this user does not have; choose one above 1023 with {option}."
    return f"{host} port {port} cannot be listened on ({error.strerror or error}); check --host and {option}."
