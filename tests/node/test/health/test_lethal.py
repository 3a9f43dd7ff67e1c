"""A byte that ends the target is sent to it no more; other bytes, and other targets, are."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
from tests.node.loop import run
from tests.node.test.restarting import Restarting
from tests.node.test.trying import passes, probe, tried

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.writing import writer_at
from gatecrash.core.testing.asking import ask, concluding
from gatecrash.core.testing.probe import Dialogue, Probe, Situation
from gatecrash.core.testing.verdict import Inconclusive, Outcome, safe
from gatecrash.node.test.health.casualties import MOST_TRIES
from gatecrash.node.test.health.lethal import ENDS, Lethal, holds_null, said_last, why_left_out
from gatecrash.node.test.wording import AWAY, SILENT, TargetGone

FILE = Point.of("get", "file")


def at(target: bytes, host: str = "here", body: bytes = b"") -> Request:
    return Request("GET", target, ((b"Host", b"here"),), body, host=host)


@pytest.mark.parametrize("body", [b'{"a": "\\u0000"}', b"\0"])
def test_a_null_byte_is_known_as_it_is_written(body: bytes) -> None:
    assert holds_null(at(b"/", body=body))
    assert holds_null(at(b"/?a=b%00.png"))
    assert holds_null(Request("GET", b"/", ((b"Cookie", b"a=%00"),)))
    assert not holds_null(at(b"/?a=%0a%ff", body=b"u0000"))


def test_what_ended_a_target_twice_is_spared_there_and_nowhere_else() -> None:
    lethal = Lethal()
    for number in range(ENDS):
        assert not lethal.spares(at(b"/%00")), number
        lethal.note(at(b"/?a=%00"))
        lethal.note(at(b"/?a=b"))
    assert lethal.spares(at(b"/c?d=%00"))
    assert not lethal.spares(at(b"/c?d=e"))
    assert not lethal.spares(at(b"/%00", host="there"))


def test_the_value_is_told_and_no_credential() -> None:
    check = cast("Any", SimpleNamespace(point=FILE, planned=SimpleNamespace(credentials=())))
    assert said_last(at(b"/?file=a%00.png"), check) == ", the last time after 'a\\x00.png'"
    assert said_last(at(b"/?other=a"), check) == said_last(None, check) == ""
    secret = cast("Any", SimpleNamespace(point=FILE, planned=SimpleNamespace(credentials=(FILE,))))
    assert said_last(at(b"/?file=a%00.png"), secret) == ""
    gone = [TargetGone(kind, request=at(b"/?file=a")) for kind in (AWAY, SILENT)]
    assert [why_left_out(each, check, alone=True).partition(" while")[0] for each in gone] == [
        "the target went away again and again",
        "the target answered nobody any more",
    ]
    assert why_left_out(gone[0], check, alone=True).endswith("the last time after 'a'")
    assert not why_left_out(gone[0], check, alone=False).endswith("'a'")


def sends(type_: str, *values: bytes) -> Probe:
    """A probe that asks for these values, one after the other."""

    def dialogue(situation: Situation) -> Dialogue:
        for value in values:
            yield from ask(writer_at(situation.baseline.request, situation.point).write(value))
        return safe(type_, situation.point)

    made = probe(type_, passes, asks=len(values))
    return msgspec.structs.replace(
        made, whole=False, applies=lambda planned: planned.point == FILE, run=concluding(type_, dialogue)
    )


@run
async def test_after_one_check_has_shown_what_ends_the_target_no_other_sends_it() -> None:
    shop = Restarting(cuts=100, lethal=b"%00")
    port = await shop.start()
    probes = [sends(type_, b"a", b"\0") for type_ in ("ptrav", "rce", "sqli", "ssti", "xss")]
    clean = sends("redir", b"b", b"c")
    result, _, _ = await asyncio.wait_for(tried(port, [*probes, clean], path=b"/?file=x"), 60)
    await shop.stop()
    assert shop.cut <= len(probes) + MOST_TRIES, (
        "each once at most before it is known, one of them alone as often as it takes"
    )
    assert result.status == "passed"
    undecided = [one for one in result.verdicts if one.outcome is Outcome.INCONCLUSIVE]
    assert {(one.type, one.reason) for one in undecided} == {(each.type, Inconclusive.CONNECTION) for each in probes}
    told = [one.detail for one in undecided]
    assert sum("went away again and again" in one and "'\\x00'" in one for one in told) == 1
    assert sum("null byte: this was not asked" in one for one in told) == len(probes) - 1
