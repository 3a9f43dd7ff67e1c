"""One POST: what a receiver gets, and that nothing which it does raises, redirects or holds the worker."""

import socket
import threading
import time
from collections.abc import Iterator

import pytest
from tests.webhook_receiver import Receiver

from gatecrash import __version__
from gatecrash.control.notifications import sending
from gatecrash.control.notifications.destinations import read


@pytest.fixture
def raw() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening


def answered(listening: socket.socket, *parts: bytes, pause: float = 0.0) -> sending.Outcome:
    """What a receiver that sends these bytes comes to."""

    def serve() -> None:
        connection, _ = listening.accept()
        with connection:
            connection.recv(65536)
            for part in parts:
                connection.sendall(part)
                time.sleep(pause)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        return sending.send(read(f"http://127.0.0.1:{listening.getsockname()[1]}/"), {}, b"{}", seconds=60.0)
    finally:
        thread.join()


def test_a_receiver_gets_the_body_and_its_headers(receiver: Receiver) -> None:
    body = '{"a":"ü"}'.encode()
    assert sending.send(read(receiver.url), {"webhook-id": "evt_1"}, body) == (204, "")
    [(headers, came)] = receiver.came
    assert came == body
    assert headers["host"] == f"127.0.0.1:{receiver.port}"
    assert headers["content-type"] == "application/json"
    assert headers["user-agent"] == f"Gatecrash/{__version__}"
    assert headers["webhook-id"] == "evt_1"


@pytest.mark.parametrize("status", [200, 299, 302, 307, 400, 410, 500])
def test_only_2xx_is_taken_and_no_redirect_is_followed(receiver: Receiver, status: int) -> None:
    receiver.answers = [status]
    outcome = sending.send(read(receiver.url), {}, b"{}")
    assert outcome.status == status
    assert (outcome.error == "") == (status < 300)
    assert len(receiver.came) == 1


@pytest.mark.parametrize(
    ("parts", "status", "told"),
    [
        ((b"HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\n"), 200, ""),
        ((b"HTTP/1.1 100 Continue\r\n\r\n" * 9,), None, "no HTTP"),
        ((), None, "without an answer"),
        ((b"SSH-2.0-x\r\n",), None, "no HTTP"),
        ((b"HTTP/1.1 2\r\n",), None, "no HTTP"),
        ((b"HTTP/1.1 099 x\r\n",), None, "no HTTP"),
        ((b"x" * 200_000,), None, ""),
    ],
)
def test_whatever_comes_back_is_an_outcome(
    raw: socket.socket, parts: tuple[bytes, ...], status: int | None, told: str
) -> None:
    outcome = answered(raw, *parts)
    assert outcome.status == status
    assert told in outcome.error
    assert (outcome.error == "") == (status == 200)


def test_a_receiver_that_dribbles_is_left(raw: socket.socket) -> None:
    """Each byte comes soon enough; all of them would never."""
    port, stop = raw.getsockname()[1], threading.Event()

    def serve() -> None:
        connection, _ = raw.accept()
        with connection:
            while not stop.wait(0.05):
                try:
                    connection.sendall(b"H")
                except OSError:
                    return

    thread = threading.Thread(target=serve)
    thread.start()
    outcome = sending.send(read(f"http://127.0.0.1:{port}/"), {}, b"{}", seconds=0.5)
    stop.set()
    thread.join()
    assert outcome == (None, "No answer within 0.5 seconds.")


def test_nobody_there_and_no_tls_are_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    outcome = sending.send(read(f"http://127.0.0.1:{port}/"), {}, b"{}")
    assert outcome.status is None
    assert "not reached" in outcome.error


def test_an_address_that_may_not_be_called_is_not(receiver: Receiver, settings: object) -> None:
    settings.OWN_ADDRESSES = [f"http://127.0.0.1:{receiver.port}"]  # type: ignore[attr-defined]
    outcome = sending.send(read(receiver.url), {}, b"{}")
    assert (outcome.status, receiver.came) == (None, [])
    assert "itself" in outcome.error


def test_a_certificate_that_nobody_vouches_for_is_refused(raw: socket.socket) -> None:
    """Plain text where TLS is spoken, and so no answer at all."""
    port = raw.getsockname()[1]

    def serve() -> None:
        connection, _ = raw.accept()
        with connection:
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")

    thread = threading.Thread(target=serve)
    thread.start()
    outcome = sending.send(read(f"https://localhost:{port}/"), {}, b"{}", seconds=60.0)
    thread.join()
    assert outcome.status is None
    assert outcome.error
