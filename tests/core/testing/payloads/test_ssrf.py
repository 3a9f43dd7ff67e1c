"""Addresses at which nobody is: they do no harm wherever they are fetched from."""

import socket
import urllib.parse

import pytest

from gatecrash.core.testing.payloads.ssrf import CLOSED, CLOSED_PORTS, NAMELESS, NO_ADDRESS


@pytest.mark.parametrize("port", CLOSED_PORTS)
def test_nothing_listens_there(port):
    host = urllib.parse.urlsplit(CLOSED.format(port=port, mark="zz")).hostname
    with socket.socket() as asking:
        assert asking.connect_ex((host, port)) != 0


def test_the_name_belongs_to_nobody():
    assert urllib.parse.urlsplit(NAMELESS.format(mark="zz")).hostname == "zz.invalid"
    assert urllib.parse.urlsplit(NO_ADDRESS.format(mark="zz")).scheme not in ("http", "https", "ftp", "file")
