"""Addresses at which nobody is: they do no harm wherever they are fetched from."""

import socket
import urllib.parse

import pytest

from gatecrash.core.testing.payloads.ssrf import (
    CLOSED,
    CLOSED_PORTS,
    NAMELESS,
    NO_ADDRESS,
    OF_PATHS,
    USUAL,
    disguises,
    is_file,
    is_path,
)


@pytest.mark.parametrize("port", CLOSED_PORTS)
def test_nothing_listens_there(port):
    host = urllib.parse.urlsplit(CLOSED.format(port=port, mark="zz")).hostname
    with socket.socket() as asking:
        assert asking.connect_ex((host, port)) != 0


def test_the_name_belongs_to_nobody():
    assert urllib.parse.urlsplit(NAMELESS.format(mark="zz")).hostname == "zz.invalid"
    assert urllib.parse.urlsplit(NO_ADDRESS.format(mark="zz")).scheme not in ("http", "https", "ftp", "file")


OURS = "http://127.0.0.1:9/k1"
ALLOWED = {
    "begins": lambda url: url.startswith("https://img.example"),
    "holds": lambda url: "img.example" in url,
    "ends": lambda url: url.endswith(".png"),
    "no loopback": lambda url: "127.0.0.1" not in url and "localhost" not in url,
    "pattern": lambda url: url.startswith("https://") and "img.example/" in url,
}


def packed(host):
    return socket.inet_pton(socket.AF_INET6, host)[-4:] if ":" in host else socket.inet_aton(host)


@pytest.mark.parametrize("name", list(ALLOWED))
def test_each_careless_filter_lets_one_pass_that_leads_to_us(name):
    passing = [each for each in disguises(OURS, "https://img.example/a/b.png") if each and ALLOWED[name](each)]
    assert passing
    for url in passing:
        parts = urllib.parse.urlsplit(url)
        assert (packed(parts.hostname), parts.port) == (b"\x7f\0\0\1", 9)
        assert parts.path == "/k1"


def test_a_host_alone_is_answered_by_a_host():
    usual = [disguises(OURS, "cache.example:8080")[index] for index in USUAL]
    assert usual == [OURS, "127.0.0.1:9/k1?cache.example:8080", None, None, None]
    whole = [disguises(OURS, "https://img.example/")[index] for index in USUAL]
    as_user = "https://img.example@[::ffff:7f00:1]:9/k1?https://img.example/"
    assert whole == [OURS, None, as_user, f"{OURS}?https://img.example/", None]


def test_a_host_that_must_end_as_ours_do_is_ended_by_the_value():
    sent = disguises(OURS, "status.partner.example")[USUAL[1]]
    assert sent is not None
    assert sent.endswith(".partner.example")
    for behind in ("", "/status", ":8080/status?full=1"):
        parts = urllib.parse.urlsplit(f"http://{sent}{behind}")
        assert (parts.hostname, parts.port, parts.path) == ("127.0.0.1", 9, "/k1")
    assert disguises(OURS, "two words")[USUAL[1]] == "127.0.0.1:9/k1?"


def test_without_more_questions_one_passes_those_who_look_for_words():
    usual = [disguises(OURS, "https://img.example/a/b.png")[index] for index in USUAL]
    assert [ALLOWED["no loopback"](each) for each in usual if each] == [False, True, False]


def test_a_path_makes_of_the_host_before_it_a_user_of_ours():
    (sent,) = [disguises(OURS, "/stock/5")[index] for index in OF_PATHS]
    for before in ("http://stock.internal", "http://stock.internal:8080"):
        parts = urllib.parse.urlsplit(before + sent)
        assert (parts.hostname, parts.port, parts.path) == ("127.0.0.1", 9, "/k1")
    assert not is_path("//cdn.example/a")
    assert disguises(OURS, "stock/5")[OF_PATHS[0]] is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [("tea.csv", True), ("/sheets/tea.csv", True), ("tea", False), ("1.25", False), ("/a/b?c=d.csv", False)],
)
def test_a_file_has_an_extension(value, expected):
    assert is_file(value) is expected
