"""Whose fault a failed call is, told by the exit code."""

import socket
import ssl
import threading
from pathlib import Path

import pytest
from tests.cli.conftest import Invoke
from tests.node.test.sending import certificate


def test_what_does_not_exist_is_refused(invoke: Invoke) -> None:
    for command in (("run", "show"), ("record", "show"), ("vuln", "show"), ("endpoints", "show")):
        refused = invoke(*command, "no_such/thing")
        assert (refused.exit_code, refused.stdout) == (4, ""), command


def test_a_service_that_is_away_is_3(invoke: Invoke) -> None:
    result = invoke("run", "list", "--api", "http://127.0.0.1:9")
    assert (result.exit_code, "was not reached" in result.stderr) == (3, True)


def test_what_answers_but_is_no_gatecrash_is_3(invoke: Invoke) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=_answer_once, args=(server,))
        thread.start()
        result = invoke("run", "list", "--api", f"http://127.0.0.1:{server.getsockname()[1]}")
        thread.join()
    assert (result.exit_code, "not as Gatecrash does" in result.stderr) == (3, True)


def test_a_service_under_an_authority_of_its_own_is_reached_where_that_is_named(
    invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pem = certificate(tmp_path)
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(pem)
    monkeypatch.setenv("SSL_CERT_FILE", str(pem))
    with tls.wrap_socket(socket.create_server(("127.0.0.1", 0)), server_side=True) as server:
        thread = threading.Thread(target=_answer_once, args=(server,))
        thread.start()
        result = invoke("run", "list", "--api", f"https://127.0.0.1:{server.getsockname()[1]}")
        thread.join()
    assert (result.exit_code, "not as Gatecrash does" in result.stderr) == (3, True)


def _answer_once(server: socket.socket) -> None:
    connection, _ = server.accept()
    with connection:
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi")
