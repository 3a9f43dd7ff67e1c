"""What the words of a command make of the listener, and which words cannot be."""

import pytest

from gatecrash.core.errors import UserError
from gatecrash.node.oob.settings import GRACE_SECONDS, LOCAL_GRACE_SECONDS, OobSettings, reached_at, settings_of


def test_no_address_is_no_listener():
    assert settings_of("") is None


@pytest.mark.parametrize(
    ("words", "grace"),
    [
        (("127.0.0.1:0",), LOCAL_GRACE_SECONDS),
        (("127.0.0.1:4711",), GRACE_SECONDS),
        (("192.0.2.1:0",), GRACE_SECONDS),
        (("127.0.0.1:0", "198.51.100.7:80"), GRACE_SECONDS),
        (("127.0.0.1:0", None, "oob.example.com"), GRACE_SECONDS),
        (("127.0.0.1:0", None, None, None, 7.0), 7.0),
    ],
)
def test_a_run_stays_for_half_a_minute_where_the_listener_was_asked_for(words, grace):
    settings = settings_of(*words)
    assert settings is not None
    assert settings.grace == grace


def test_the_zone_is_answered_where_the_listener_is_on_port_53():
    settings = settings_of("192.0.2.1:80", None, "OOB.example.com")
    assert settings is not None
    assert (settings.zone, settings.dns_host, settings.dns_port) == ("oob.example.com", "192.0.2.1", 53)
    settings = settings_of("192.0.2.1:80", None, "oob.example.com", "0.0.0.0:5353")
    assert settings is not None
    assert (settings.dns_host, settings.dns_port) == ("0.0.0.0", 5353)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("", ("127.0.0.1", 99)),
        ("oob.example.com", ("oob.example.com", 99)),
        ("oob.example.com:80", ("oob.example.com", 80)),
        ("192.0.2.1", ("192.0.2.1", 99)),
        ("2001:db8::1", ("2001:db8::1", 99)),
        ("[2001:db8::1]:80", ("2001:db8::1", 80)),
    ],
)
def test_how_targets_reach_it(address, expected):
    assert reached_at(OobSettings(address=address), 99) == expected


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("nowhere",), "--oob-listen nowhere"),
        (("127.0.0.1:70000",), "--oob-listen"),
        (("0.0.0.0:80",), "--oob-address"),
        (("127.0.0.1:0", "x:99999"), "--oob-address"),
        (("127.0.0.1:0", None, "no zone"), "--oob-zone"),
        (("127.0.0.1:0", None, None, "127.0.0.1:53"), "--oob-zone"),
        (("127.0.0.1:0", None, "oob.example.com", "x"), "--oob-dns-listen"),
        (("", None, "oob.example.com"), "--oob-listen"),
    ],
)
def test_what_cannot_be_is_told_with_its_option(words, told):
    with pytest.raises(UserError, match=told):
        settings_of(*words)
