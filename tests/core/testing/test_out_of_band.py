"""Names of the listener: the same for the same test, another for any other; and what a hit proves."""

from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import Point
from gatecrash.core.testing.out_of_band import (
    DNS,
    HTTP,
    LDAP,
    NAME_LENGTH,
    Hit,
    Listening,
    OutOfBand,
    addresses,
    content_at,
    name_in_host,
    name_in_path,
    proven,
    strongest,
)
from gatecrash.core.testing.verdict import Outcome, Verdict

HERE = Listening(host="127.0.0.1", port=4711)
ZONED = Listening(host="192.0.2.9", port=80, zone="oob.example.com")
POINT = Point.of("get", "q")
EXCHANGE = Exchange(Request("GET", b"/"))
VERDICT = Verdict(outcome=Outcome.VULNERABLE, type="ssrf", point=tuple(POINT), threat=70, detail="fetched")


def made(listening: Listening = HERE, key: bytes = b"k", **changed: object) -> OutOfBand:
    given = {"run_id": "tr_1", "baseline_id": "bl_1", "point": POINT, "type_": "ssrf"} | changed
    return addresses(listening, key, **given)


def test_a_name_is_the_same_after_a_restart_and_another_for_every_other_test():
    same = made().name(1)
    assert made().name(1) == same
    others = {
        made().name(2),
        made(key=b"l").name(1),
        made(run_id="tr_2").name(1),
        made(baseline_id="bl_2").name(1),
        made(point=Point.of("get", "r")).name(1),
        made(type_="xxe").name(1),
    }
    assert len(others | {same}) == 7
    assert {len(name) for name in others} == {NAME_LENGTH}


def test_steps_that_only_join_alike_give_other_names():
    assert made(point=Point.of("get", "q", "name")).name(1) != made(point=Point.of("get", "q"), type_="name").name(1)


def test_addresses_of_both_kinds_lead_back_to_the_name():
    here, zoned = made(), made(ZONED)
    assert here.url(3) == f"http://127.0.0.1:4711/{here.name(3)}"
    assert here.host(3) == ""
    assert zoned.url(3) == f"http://{zoned.name(3)}.oob.example.com/{zoned.name(3)}"
    assert made(Listening(host="::1", port=81)).url(1).startswith("http://[::1]:81/")
    assert name_in_path(here.url(3).partition("4711")[2] + "/12/x?y") == (here.name(3), "12/x?y")
    assert name_in_host("42." + zoned.host(3).upper() + ".", ZONED.zone) == (zoned.name(3), "42")


def test_a_directory_is_asked_at_the_same_port_and_proves_as_much_as_a_fetch():
    here, zoned = made(), made(ZONED)
    assert here.ldap_url(3) == f"ldap://127.0.0.1:4711/{here.name(3)}"
    assert zoned.ldap_url(3) == f"ldap://{zoned.name(3)}.oob.example.com:80/{zoned.name(3)}"
    lure = here.lure(3, VERDICT, dns_threat=30)
    looked_up, asked = Hit(name=lure.name, protocol=DNS), Hit(name=lure.name, protocol=LDAP, source="10.0.0.1")
    assert strongest(lure, [looked_up, asked]) == asked
    verdict = proven(lure, asked, EXCHANGE)
    assert (verdict.threat, verdict.detail) == (70, "fetched")
    assert "looked for at our listener, as in a directory (LDAP), by 10.0.0.1." in verdict.proof.verified_by


def test_what_holds_no_name_of_ours_is_none():
    name = made().name(1)
    for path in ("/", "", "/favicon.ico", f"/{name}x", f"/x/{name}", f"/{name[:-1]}!"):
        assert name_in_path(path) is None, path
    for host in (f"{name}.example.com", "oob.example.com", f"{name}.x.oob.example.com", name):
        assert name_in_host(host, ZONED.zone) is None, host
    assert name_in_host(f"{name}.", "") is None


def test_a_loopback_listener_is_for_targets_of_the_same_machine_only():
    assert HERE.reaches("localhost")
    assert HERE.reaches("127.0.0.2")
    assert not HERE.reaches("api.example.com")
    assert Listening(host="192.0.2.9", port=1).reaches("api.example.com")
    assert ZONED.reaches("api.example.com")


def test_a_fetch_proves_more_than_a_look_up_and_neither_is_another_tests():
    lure = made().lure(1, VERDICT, dns_threat=30)
    fetch, look_up = Hit(name=lure.name, protocol=HTTP, source="192.0.2.1"), Hit(name=lure.name, protocol=DNS)
    assert strongest(lure, [look_up, fetch]) is fetch
    assert strongest(lure, [look_up]) is look_up
    assert strongest(lure, [Hit(name=made().name(2), protocol=HTTP)]) is None
    found, weak = proven(lure, fetch, EXCHANGE), proven(lure, look_up, EXCHANGE)
    assert (found.threat, weak.threat) == (70, 30)
    assert "192.0.2.1" in found.proof.verified_by
    assert "only the name" in weak.detail
    assert proven(lure, look_up, EXCHANGE, threat=90).threat == 30


def test_what_was_to_be_computed_must_be_there_whole():
    lure = made().lure(1, VERDICT, dns_threat=30, computed="391")
    assert strongest(lure, [Hit(name=lure.name, protocol=HTTP, asked="$((17*23))")]) is None
    assert strongest(lure, [Hit(name=lure.name, protocol=HTTP, asked="13910")]) is None
    for asked in ("391", "391/x", "a.391"):
        assert strongest(lure, [Hit(name=lure.name, protocol=DNS, asked=asked)]) is not None


def test_a_late_hit_says_so():
    lure = made().lure(1, VERDICT, dns_threat=30)
    told = proven(lure, Hit(name=lure.name, protocol=HTTP), EXCHANGE, late=12.4).proof.verified_by
    assert "Late: it came 12 s after" in told


def test_the_content_of_an_address_is_not_in_the_address():
    name = made().name(1)
    assert content_at(name) == content_at(name) != content_at(made().name(2))
    assert content_at(name) not in made().url(1)
