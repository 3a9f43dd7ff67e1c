"""Ports: those asked for or free ones, and clear words where one cannot be had."""

import socket

import pytest

from gatecrash.cli.tree import ports


def test_free_ports_differ() -> None:
    found = ports.choose([(option, "127.0.0.1", 0) for option in ("--port", "--proxy-port", "--port")])
    assert len(set(found)) == 3


def test_a_free_port_is_none_that_an_outgoing_connection_is_given() -> None:
    port = ports.free_port()
    assert port < 32768
    with socket.create_server(("127.0.0.1", port)):
        pass


def test_where_all_are_taken_the_system_gives_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr(ports, "_QUIET", [taken.getsockname()[1]] * 20)
        assert ports.free_port() != taken.getsockname()[1]


def test_a_taken_port_names_its_option(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "PATIENCE_SECONDS", 0.0)
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(ports.Taken, match="--proxy-port"):
        ports.choose([("--proxy-port", "127.0.0.1", taken.getsockname()[1])])


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(ports.Taken, match="--host"):
        ports.choose([("--port", "192.0.2.1", 0)])
