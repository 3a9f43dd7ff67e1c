"""Nothing is sent to where a webhook must not lead, whatever its name says and whenever it says it."""

import pytest
from django.test import override_settings

from gatecrash.control.notifications import destinations
from gatecrash.control.notifications.destinations import NotAllowed, Unresolved, read, resolve
from gatecrash.core.errors import UserError

PUBLIC = "203.0.114.9"


def leads(url: str, *addresses: str) -> str:
    return resolve(read(url), lambda _host, _port: list(addresses))


@pytest.mark.parametrize(
    ("url", "origin", "target"),
    [
        ("https://hooks.example.com/a/b?c=d", "https://hooks.example.com", "/a/b?c=d"),
        ("https://Hooks.Example.com.:8443", "https://hooks.example.com:8443", "/"),
        ("http://[::1]:9/x#part", "http://[::1]:9", "/x"),
        ("https://h:443/", "https://h", "/"),
    ],
)
def test_an_address_is_read(url: str, origin: str, target: str) -> None:
    assert (read(url).origin, read(url).target) == (origin, target)


@pytest.mark.parametrize(
    "url",
    [
        "", "hooks.example.com", "ftp://h/", "//h/", "https://", "https:///x", "https://u:p@h/", "https://h:0/",
        "https://h:99999/", "https://h/a b", "https://h/\r\nX: y", "https://h\\@other/", "https://hö.example/", "https://[::1",
    ],
)  # fmt: skip
def test_what_is_no_address_that_can_be_called_is_refused(url: str) -> None:
    with pytest.raises(NotAllowed):
        read(url)


@pytest.mark.parametrize(
    "address",
    [
        "169.254.169.254", "fe80::1", "fe80::1%eth0", "100.100.100.200", "168.63.129.16", "fd00:ec2::254", "::ffff:169.254.169.254",
        "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1", "0.0.0.0", "::", "224.0.0.1", "ff02::1",
        "10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1", "fd00::1", "::ffff:10.0.0.1", "64:ff9b::10.0.0.1", "127.0.0.1", "::1",
    ],
)  # fmt: skip
def test_a_public_name_that_leads_inside_is_refused(address: str) -> None:
    """Loopback, too: a name that anybody may give an address is not the operator's word."""
    with pytest.raises(NotAllowed):
        leads("https://hooks.example.com/", address)
    with pytest.raises(NotAllowed):
        leads("https://hooks.example.com/", PUBLIC, address)


def test_https_to_a_public_address_is_taken_and_plain_http_is_not() -> None:
    assert leads("https://hooks.example.com/", PUBLIC) == PUBLIC
    with pytest.raises(NotAllowed, match="Plain HTTP"):
        leads("http://hooks.example.com/", PUBLIC)


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/", "http://localhost:9/", "https://[::1]:9/"])
def test_loopback_is_open_until_the_operator_says_what_is(url: str) -> None:
    address = "::1" if "::1" in url else "127.0.0.1"
    assert leads(url, address) == address
    with override_settings(WEBHOOK_HOSTS="chat.internal"), pytest.raises(NotAllowed, match="private"):
        leads(url, address)


@override_settings(WEBHOOK_HOSTS="chat.internal .team.internal:8065 ~10\\.1\\..*")
def test_what_the_operator_names_may_be_private_and_plain() -> None:
    assert leads("http://chat.internal/", "10.0.0.1") == "10.0.0.1"
    assert leads("http://a.team.internal:8065/", "192.168.0.1") == "192.168.0.1"
    assert leads("http://anything.example/", "10.1.2.3") == "10.1.2.3"
    assert leads("https://hooks.example.com/", PUBLIC) == PUBLIC
    for url, address in (
        ("http://a.team.internal:80/", "192.168.0.1"),
        ("http://a.team.internal:8065/", "169.254.169.254"),
        ("http://other.example/", "10.2.2.3"),
    ):
        with pytest.raises(NotAllowed):
            leads(url, address)


def test_the_service_itself_is_never_called() -> None:
    own = {
        "OWN_ADDRESSES": ["http://127.0.0.1:8000", "http://127.0.0.1:8080"],
        "WEBHOOK_HOSTS": "127.0.0.1,localhost,*",
    }
    with override_settings(**own):
        assert leads("http://127.0.0.1:8001/", "127.0.0.1") == "127.0.0.1"
        for url in ("http://127.0.0.1:8000/", "http://localhost:8080/v1/x", "http://other.example:8000/"):
            with pytest.raises(NotAllowed, match="itself"):
                leads(url, "127.0.0.1")
        with pytest.raises(NotAllowed, match="itself"):
            leads("http://[::ffff:127.0.0.1]:8000/", "::ffff:127.0.0.1")
    with override_settings(PUBLIC_URL="https://Gatecrash.example.com"), pytest.raises(NotAllowed, match="itself"):
        leads("https://gatecrash.example.com/v1/webhook", PUBLIC)


def test_a_name_that_leads_nowhere_says_so() -> None:
    def away(_host: str, _port: int) -> list[str]:
        raise OSError("no such name")

    with pytest.raises(Unresolved, match=r"hooks\.example\.com"):
        resolve(read("https://hooks.example.com/"), away)
    with pytest.raises(Unresolved):
        leads("https://hooks.example.com/")


def test_the_systems_own_names_are_looked_up() -> None:
    assert resolve(read("http://localhost:9/")) in {"127.0.0.1", "::1"}


def test_a_setting_that_cannot_be_read_ends_the_start() -> None:
    assert destinations.read_hosts(None) == ""
    assert destinations.read_hosts("a,b") == "a,b"
    with pytest.raises(UserError, match="GATECRASH_WEBHOOK_HOSTS: `~\\(`"):
        destinations.read_hosts("~(")
