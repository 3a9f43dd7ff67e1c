"""ALLOWED_HOSTS: which names and which addresses tests may go to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.errors import InvalidPattern
from gatecrash.core.testing.selection.hosts import AllowedHosts, is_loopback_name, plain, split


@pytest.mark.parametrize(
    ("text", "allowed", "refused"),
    [
        (
            "",
            [("localhost", 1), ("127.0.0.1", 80), ("::1", 80), ("a.localhost", 80)],
            [("example.com", 80), ("10.0.0.1", 80)],
        ),
        ("example.com", [("example.com", 80), ("EXAMPLE.com.", 443)], [("a.example.com", 80), ("localhost", 80)]),
        ("example.com:8080", [("example.com", 8080)], [("example.com", 80)]),
        (".example.com", [("example.com", 80), ("a.b.example.com", 80)], [("badexample.com", 80)]),
        (".example.com:443", [("a.example.com", 443)], [("a.example.com", 80)]),
        ("*", [("example.com", 80), ("10.0.0.1", 1)], []),
        ("(api|www).example.com", [("api.example.com", 80), ("www.example.com", 80)], [("example.com", 80)]),
        ("(a.test|b.test:81)", [("a.test", 80), ("b.test", 81)], [("b.test", 80)]),
        ("~(api|www)\\d*\\.test", [("api7.test", 80)], [("api7.testing", 80), ("xapi.test", 80)]),
        ("~a\\.test:80[0-9]", [("a.test", 803)], [("a.test", 8030)]),
        ("[::1]:8080 10.0.0.1", [("::1", 8080), ("10.0.0.1", 5)], [("::1", 80)]),
        ("a.test, b.test\n.c.test", [("a.test", 1), ("b.test", 1), ("x.c.test", 1)], [("d.test", 1)]),
    ],
)
def test_entries(text, allowed, refused):
    hosts = AllowedHosts(text)
    assert [pair for pair in allowed if not hosts.allows(*pair)] == []
    assert [pair for pair in refused if hosts.allows(*pair)] == []


@pytest.mark.parametrize(
    "host", ["169.254.169.254", "fe80::1", "100.100.100.200", "metadata.google.internal", "fd00:ec2::254"]
)
def test_metadata_is_refused_unless_named(host):
    assert not AllowedHosts("*").allows(host, 80)
    assert not AllowedHosts("~.*").allows(host, 80)
    assert AllowedHosts(host).allows(host, 80)


def test_what_an_allowed_name_resolves_to_is_checked_too():
    anywhere = AllowedHosts("*", own=[("10.0.0.9", 8000)])
    assert anywhere.refusal("a.test", 80, "10.0.0.1") is None
    assert "metadata" in anywhere.refusal("a.test", 80, "169.254.169.254")
    assert "metadata" in anywhere.refusal("a.test", 80, "::ffff:169.254.169.254")
    assert "metadata" in anywhere.refusal("a.test", 80, "fe80::1%eth0")
    assert "itself listens" in anywhere.refusal("a.test", 8000, "10.0.0.9")
    assert anywhere.refusal("a.test", 8001, "10.0.0.9") is None
    assert anywhere.refusal("a.test", 80, "0.0.0.0") is not None


def test_a_name_or_an_address_that_is_named_may_resolve_to_anything():
    assert AllowedHosts("a.test").refusal("a.test", 80, "169.254.169.254") is None
    assert AllowedHosts("* 169.254.169.254").refusal("a.test", 80, "169.254.169.254") is None


def test_without_a_list_a_name_must_also_resolve_to_loopback():
    hosts = AllowedHosts()
    assert hosts.default
    assert hosts.refusal("localhost", 80, "127.0.0.1") is None
    assert "only loopback" in hosts.refusal("localhost", 80, "10.0.0.1")


@pytest.mark.parametrize("text", ["~(", "a.test:0", "a.test:70000", "http://a.test", "a b!c", "(a|b", "a/b"])
def test_what_cannot_be_read_is_refused_with_the_entry(text):
    with pytest.raises(InvalidPattern, match="ALLOWED_HOSTS"):
        AllowedHosts(text)


def test_brackets_cannot_be_made_to_explode():
    with pytest.raises(InvalidPattern, match="more than 1000"):
        AllowedHosts("(a|b)" * 40)


def test_commas_and_blanks_inside_brackets_do_not_separate():
    assert list(split("a, (b|c d) ,e")) == ["a", "(b|c d)", "e"]


@given(st.text(max_size=30), st.text(max_size=20), st.integers(1, 65535))
def test_any_text_is_read_or_refused_and_never_lets_metadata_through_by_pattern(text, host, port):
    try:
        hosts = AllowedHosts(text)
    except InvalidPattern:
        return
    assert hosts.allows(host, port) in (True, False)
    if "169.254" not in text:
        assert not hosts.allows("169.254.1.1", port)


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("localhost", True),
        ("Shop.LOCALHOST.", True),
        ("127.0.0.9", True),
        ("::1", True),
        ("[::1]", True),
        ("10.0.0.1", False),
        ("localhost.example", False),
    ],
)
def test_loopback_is_told_by_the_name_alone(host: str, expected: bool):
    assert is_loopback_name(plain(host)) is expected
