"""Two kinds of network error, in the words of those who fetch."""

import socket
import urllib.error
import urllib.request

import pytest

from gatecrash.core.testing.oracles.errors.network import NAMELESS, REFUSED, network_errors


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("connect ECONNREFUSED 127.0.0.1:9", REFUSED),
        ("cURL error 7: Failed to connect to 127.0.0.1 port 9: Connection refused", REFUSED),
        ("java.net.ConnectException: Connection refused", REFUSED),
        ("getaddrinfo ENOTFOUND zz.invalid", NAMELESS),
        ("Could not resolve host: zz.invalid", NAMELESS),
        ("java.net.UnknownHostException: zz.invalid", NAMELESS),
        ("dial tcp: lookup zz.invalid: no such host", NAMELESS),
    ],
)
def test_libraries_of_many_languages(text, kind):
    assert network_errors(text) == {kind}


def test_pythons_own_words():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(urllib.error.URLError) as refused:
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(f"http://127.0.0.1:{port}/", timeout=60)
    assert network_errors(str(refused.value)) == {REFUSED}


def test_a_page_about_names_is_none():
    assert network_errors("Enter your name and the host of your site.") == frozenset()
