"""The queue is bounded, the collector may be away, and the service notices neither."""

import logging
import multiprocessing
import socket
import time
from multiprocessing.connection import Connection

import pytest
from tests.middleware.receiving import collector

from gatecrash.cli.tree.ports import free_port
from gatecrash.middleware import sender as module
from gatecrash.middleware.note import Note
from gatecrash.middleware.sender import Sender

NOTE = Note("GET", "http", "a.example", b"/x", [(b"host", b"a.example")], 1_795_000_000.0, 200, [], "")


def numbered(number: int) -> Note:
    return NOTE._replace(target=b"/%d" % number)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "INTERVAL", 0.01)


def test_every_note_arrives_once_and_in_order() -> None:
    with collector() as received:
        sender = Sender(received.address)
        for number in range(2_000):
            sender.put(numbered(number))
        arrived = received.wait(2_000)
        sender.close()
        assert [one.request.target for one in arrived] == [b"/%d" % number for number in range(2_000)]
        assert sender.dropped == 0


def test_a_collector_that_comes_later_gets_what_waited() -> None:
    port = free_port()
    sender = Sender(f"http://127.0.0.1:{port}", max_waiting=100)
    for number in range(150):
        sender.put(numbered(number))
    deadline = time.monotonic() + 60
    while sender._told < 0:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert sender.dropped >= 50
    with collector(port) as received:
        arrived = received.wait(150 - sender.dropped)
        assert arrived[0].request.target == b"/0"
        sender.close()


def test_a_full_queue_drops_and_never_waits() -> None:
    """Nobody answers at that address: packets for discard are not even refused."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as silent:
        sender = Sender(f"http://127.0.0.1:{silent.getsockname()[1]}", max_waiting=10)
        begun = time.monotonic()
        for _ in range(10_000):
            sender.put(NOTE)
        assert time.monotonic() - begun < 60, "a thousandth of what it would take to wait for each"
        assert sender.dropped >= 10_000 - 10 - module.BATCH
        sender.close(0)


@pytest.mark.parametrize("address", ["", "8081", "ftp://a", "http://", "http://a:99999"])
def test_an_address_that_is_none_is_told_and_costs_nothing(address: str, caplog: pytest.LogCaptureFixture) -> None:
    sender = Sender(address)
    sender.put(NOTE)
    assert (sender.usable, sender.dropped, sender._thread) == (False, 1, None)
    assert "no collector's address" in caplog.text


def test_a_wrong_key_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    with collector(key="right") as received, caplog.at_level(logging.WARNING):
        sender = Sender(received.address, key="wrong")
        for _ in range(3):
            sender.put(NOTE)
            deadline = time.monotonic() + 60
            while sender._waiting or not sender.refused:
                assert time.monotonic() < deadline
                time.sleep(0.01)
        sender.close()
        assert sender.refused == 3
        assert caplog.text.count("it answered 401") == 1


def test_with_the_key_it_is_taken() -> None:
    with collector(key="right") as received:
        sender = Sender(received.address, key="right")
        sender.put(NOTE)
        received.wait(1)
        sender.close()


def test_what_a_broken_server_noted_costs_itself_only() -> None:
    with collector() as received:
        sender = Sender(received.address)
        sender.put(NOTE._replace(headers=[("text", b"")]))  # type: ignore[list-item]
        sender.put(NOTE)
        assert received.wait(1)[0].request.target == b"/x"
        sender.close()


def _child(address: str, pipe: Connection) -> None:
    sender = Sender(address)
    sender.put(numbered(1))
    context = multiprocessing.get_context("fork")

    def work() -> None:
        sender.put(numbered(2))
        sender.close(5)

    forked = context.Process(target=work)
    forked.start()
    forked.join()
    sender.close(5)
    pipe.send(forked.exitcode)


def test_a_forked_worker_has_a_sender_of_its_own() -> None:
    """As gunicorn forks: the parent's thread is not in the child."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    with collector() as received:
        process = context.Process(target=_child, args=(received.address, theirs))
        process.start()
        assert ours.recv() == 0
        process.join()
        assert sorted(one.request.target for one in received.wait(2)) == [b"/1", b"/2"]
        assert len(received.exchanges) == 2
