"""Readiness is asked of the part itself."""

import socket
import threading

import pytest

from gatecrash.cli.tree.readiness import accepts, answers_ready


def test_nothing_there_is_not_ready() -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        port = bound.getsockname()[1]
        assert not accepts("127.0.0.1", port)
        assert not answers_ready(f"http://127.0.0.1:{port}")


@pytest.mark.parametrize(("status", "expected"), [(b"200 OK", True), (b"503 Service Unavailable", False)])
def test_the_service_s_own_word_counts(status: bytes, expected: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=answer, args=(server, status))
        thread.start()
        assert answers_ready(f"http://127.0.0.1:{server.getsockname()[1]}") is expected
        thread.join()


def test_a_listening_socket_accepts() -> None:
    with (
        socket.create_server(("::1", 0), family=socket.AF_INET6)
        if socket.has_ipv6
        else socket.create_server(("127.0.0.1", 0)) as server
    ):
        host, port = server.getsockname()[:2]
        assert accepts(f"[{host}]" if ":" in host else host, port)


def answer(server: socket.socket, status: bytes) -> None:
    connection, _ = server.accept()
    with connection:
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 " + status + b"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
