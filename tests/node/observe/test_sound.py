"""What anybody may invent does not get to those who count."""

import msgspec
import pytest

from gatecrash.core.message import Exchange, Request
from gatecrash.node.observe.sound import MAX_TARGET, Unsound, sound

NOW = 1_795_168_800.0
GOOD = Request("GET", b"/", host="a.example")


@pytest.mark.parametrize("host", ["a.example", "10.0.0.1", "::1", "service_name", "xn--bcher-kva.example"])
def test_every_host_that_can_be_is_sound(host: str) -> None:
    sound(Exchange(msgspec.structs.replace(GOOD, host=host), started=NOW), NOW)


@pytest.mark.parametrize(
    "changed",
    [
        {"method": ""},
        {"method": "G T"},
        {"method": "x" * 33},
        {"host": ""},
        {"host": "a/b"},
        {"host": "é.example"},
        {"host": "a" * 254},
        {"target": b"a"},
        {"target": b"/" * (MAX_TARGET + 1)},
    ],
)
def test_what_would_break_names_is_refused(changed: dict[str, object]) -> None:
    with pytest.raises(Unsound):
        sound(Exchange(msgspec.structs.replace(GOOD, **changed), started=NOW), NOW)


@pytest.mark.parametrize(("started", "taken"), [(0.0, NOW), (NOW - 9, NOW - 9), (NOW + 9, NOW + 9), (NOW + 9999, NOW)])
def test_a_time_of_the_future_is_now(started: float, taken: float) -> None:
    assert sound(Exchange(GOOD, started=started), NOW).started == taken
