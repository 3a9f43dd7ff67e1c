"""SIGKILL at random moments of a load of creates, actions, parameters and baselines: nothing acknowledged is lost."""

import os
import random
import signal
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from tests.e2e.caller import Caller
from tests.e2e.load import Acknowledged, Load, check_all_there
from tests.e2e.service import Service
from tests.e2e.tenant import wait_until

from gatecrash.cli.tree.readiness import answers_ready

pytestmark = [pytest.mark.database, pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")]

SEED = 20261121
MOST_MORE = 10


@pytest.fixture
def own(tmp_path: Path, database_url: str) -> Iterator[Service]:
    """A service that no other test uses."""
    with ExitStack() as stack:
        yield stack.enter_context(Service(tmp_path, database_url))


def tree(root: int) -> dict[int, bytes]:
    """The command lines of a process and all below it."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    found = {root}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return {one: command_line(one) for one in found}


def command_line(process: int) -> bytes:
    """What it runs; empty where it has just ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def kill(victims: list[int]) -> None:
    """SIGKILL, all at once."""
    assert victims, "there is somebody to kill"
    for one in victims:
        with suppress(ProcessLookupError):
            os.kill(one, signal.SIGKILL)


def part(service: Service, word: bytes) -> list[int]:
    """The processes of one part of the tree."""
    assert service.process is not None
    return [one for one, line in tree(service.process.pid).items() if word in line and one != service.process.pid]


def disturb(service: Service, known: Acknowledged, chance: random.Random, victims: bytes) -> None:
    """One life under load, and its end somewhere in it. victims: a word of their command lines; empty for all."""
    assert service.process is not None
    load = Load(service.api, service.client_id, service.token_of_owner, known, chance)
    load.start(chance.randint(20, 80))
    assert load.enough.wait(60)
    load.over.wait(chance.uniform(0, 0.03))
    kill(part(service, victims) if victims else list(tree(service.process.pid)))
    load.join()


def check(service: Service, known: Acknowledged) -> None:
    """After the kill, on the service as it is again."""
    path = f"/v1/clients/{service.client_id}/apid/config/auth-parameters"
    with Caller(service.api, service.token_of_owner) as user:
        check_all_there(user, path, known)


def kill_all(service: Service, rounds: int) -> None:
    """Kill the whole tree so many times, and some more until a kill met a request: on a busy machine it may come between two."""
    known, chance = Acknowledged(), random.Random(SEED)
    for number in range(rounds + MOST_MORE):
        if number >= rounds and known.doubtful:
            break
        disturb(service, known, chance, b"")
        service.await_end()
        service.start()
        check(service, known)
    assert known.writes >= 20 * rounds
    assert known.doubtful, "some request was cut off"
    assert known.stored
    assert known.added
    sound(service)


def sound(service: Service) -> None:
    """SQLite itself finds no fault in the file, and the installation check none in the rest."""
    kind, _, path = service.database_url.partition(":///")
    if kind == "sqlite":
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        database.close()


def kill_parts(service: Service, rounds: int) -> None:
    """Kill the API and the worker in turns, so many times; the supervisor brings them back."""
    known, chance = Acknowledged(), random.Random(SEED)
    for word in (b"granian", b"gatecrash.control\0worker") * rounds:
        before = set(part(service, word))
        disturb(service, known, chance, word)
        wait_until(lambda word=word, before=before: set(part(service, word)) - before, bool)
        wait_until(lambda: answers_ready(service.api), bool)
        check(service, known)


def test_a_killed_tree_has_lost_nothing(own: Service) -> None:
    kill_all(own, 3)


def test_a_killed_part_has_lost_nothing(own: Service) -> None:
    kill_parts(own, 1)


@pytest.mark.soak
def test_nor_after_many_kills(own: Service) -> None:
    kill_all(own, 60)


@pytest.mark.soak
def test_nor_after_many_kills_of_a_part(own: Service) -> None:
    kill_parts(own, 20)
