"""Of baselines that agree, an extension tests the first; what has nothing to collect is always tested."""

import msgspec
from tests.core.testing.driving import record

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.extension_source import Source
from gatecrash.core.testing.pacing.collecting import collect
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import once_an_address

ONCE = Source(
    name="once",
    text="""
meta-info: {title: t, type: info}
collect: {uniq: GET_q_value}
generate: {into: "GET_.*_value", payload: x}
detect: {response: {status: 500}}
""",
)


def checks(target: bytes, only: bool = True):
    policy = msgspec.structs.replace(DEFAULT, extensions=(ONCE,), only_custom=only)
    return plan(record(lambda _: Response(200), Request("GET", target)), policy)


def test_the_first_of_those_that_agree_is_tested_at_all_its_points():
    seen: set[tuple[str, ...]] = set()
    assert [check.point for check in collect(checks(b"/?q=a&r=1"), seen)] == [("get", "q"), ("get", "r")]
    assert collect(checks(b"/?q=a&r=2"), seen) == []
    assert len(collect(checks(b"/?q=b&r=2"), seen)) == 2


def test_built_in_probes_are_not_collected():
    seen: set[tuple[str, ...]] = set()
    first = collect(checks(b"/?q=a", only=False), seen)
    again = collect(checks(b"/?q=a", only=False), seen)
    assert len(first) == len(again) + 1
    assert {check.probe.name for check in again} & {"once"} == set()


def test_what_one_has_asked_of_an_endpoint_another_has_not():
    """Probes that are asked once an address say the address alone."""
    first = checks(b"/?q=a")[0]
    alike = [
        msgspec.structs.replace(first, probe=msgspec.structs.replace(first.probe, name=name, collected=once_an_address))
        for name in ("purpose", "second_step")
    ]
    seen: set[tuple[str, ...]] = set()
    assert collect(alike, seen) == alike
    assert collect(alike, seen) == []
