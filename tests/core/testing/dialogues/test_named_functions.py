"""Proof by a function's name: what PHP would call is called here, or looked for in a list."""

import hashlib
from collections.abc import Callable

import msgspec
import pytest
from tests.core.testing.driving import inquiry_into, played, record

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.dialogues.named_functions import (
    Named,
    calls_by_name,
    forecast_of_names,
    may_name_a_function,
)
from gatecrash.core.testing.memory import Memory
from gatecrash.core.testing.probes.rce import PROBE

HASHES: dict[str, Callable[[bytes], str]] = {
    "sha1": lambda text: hashlib.sha1(text).hexdigest(),
    "md5": lambda text: hashlib.md5(text).hexdigest(),
    "upper": lambda text: text.decode().upper(),
}


def inquiry(parameter: str = "fn", seed: int = 1) -> Inquiry:
    target = f"/?{parameter}=upper&text=hello".encode()
    asked = inquiry_into(parameter, record(lambda _: Response(200, (), b"HELLO"), Request("GET", target)), PROBE, seed)
    places = ((Point.of("get", parameter), b"upper"), (Point.of("get", "text"), b"hello"))
    asked.situation = msgspec.structs.replace(asked.situation, memory=Memory(places))
    return asked


def outcome(application: Callable[[str], Response], seed: int = 1) -> Named | None:
    return played(calls_by_name(inquiry(seed=seed)), lambda told: application(told.partition("&")[0]))


def called(name: str) -> Response:
    """A name behind one backslash is the name; no other sign may stand in it."""
    function = HASHES.get(name.lower().removeprefix("\\"))
    return Response(200, (), function(b"hello").encode()) if function else Response(500)


def listed(clean: Callable[[str], str]) -> Callable[[str], Response]:
    return lambda name: called(clean(name)) if clean(name) in HASHES else Response(400, (), b"unknown")


def test_a_function_that_is_called_by_its_name_is_found():
    found = outcome(called)
    assert found is not None
    assert found.called.payload in ("\\sha1", "\\md5")
    assert "function of PHP" in found.told().verified_by


@pytest.mark.parametrize(
    "clean",
    [
        lambda name: name,
        lambda name: name.replace("\\", ""),
        lambda name: name.lstrip("\\"),
        lambda name: name.rpartition("\\")[2],
    ],
)
def test_functions_of_a_list_are_none_however_their_names_are_cleaned(clean):
    for seed in range(40):
        assert outcome(listed(clean), seed) is None


def test_only_parameters_that_say_what_to_call_are_asked():
    assert may_name_a_function(inquiry().situation)
    assert not may_name_a_function(inquiry("city").situation)
    alone = msgspec.structs.replace(inquiry().situation, memory=Memory())
    assert not may_name_a_function(alone)


def test_what_php_calls_a_function_is_a_name_whatever_the_parameter_is_called():
    for value, named in ((b"strtoupper", True), (b"upper", False)):
        changed = msgspec.structs.replace(inquiry("how").situation, value=value)
        assert may_name_a_function(changed) == named


PHP = ((b"X-Powered-By", b"PHP/8.2"),)


def given(*arguments: str, listed: bool = False) -> Callable[[str], Response]:
    """A function of PHP is called with what the request does not hold."""

    def answer(name: str) -> Response:
        function = {**HASHES, "bin2hex": bytes.hex}.get(name.removeprefix("\\").lower())
        if function is None or (listed and name not in HASHES):
            return Response(500, PHP)
        return Response(200, PHP, str([function(each.encode()) for each in arguments]).encode())

    return answer


def learnt(application: Callable[[str], Response], seed: int = 1) -> Named | None:
    recorded = record(lambda _: Response(200, PHP, b"HELLO"), Request("GET", b"/?fn=upper"))
    asked = inquiry_into("fn", recorded, PROBE, seed)
    asked.situation = msgspec.structs.replace(asked.situation, memory=Memory())
    assert may_name_a_function(asked.situation)
    assert forecast_of_names(asked.situation) == 1
    return played(calls_by_name(asked), application)


@pytest.mark.parametrize("arguments", [("hello",), ("a b", "c"), ("a" * 64,)])
def test_a_function_is_found_by_what_another_one_tells_that_it_is_given(arguments):
    found = learnt(given(*arguments))
    assert found is not None
    assert found.called.payload in ("\\sha1", "\\md5")
    assert "another function told" in found.told().verified_by


@pytest.mark.parametrize(
    "application",
    [
        pytest.param(given("hello", listed=True), id="functions of a list"),
        pytest.param(lambda _: Response(200, PHP, b"68656c6c6f"), id="signs of its own"),
        pytest.param(lambda name: Response(200, PHP, hashlib.md5(name.encode()).hexdigest().encode()), id="a digest"),
        pytest.param(lambda name: Response(200, PHP, f"68656c6c6f {name}".encode()), id="shown"),
        pytest.param(lambda _: Response(500, PHP), id="an error"),
    ],
)
def test_nothing_is_learnt_where_no_function_is_called(application):
    for seed in range(20):
        assert learnt(application, seed) is None


RUBY = ((b"Server", b"WEBrick/1.8.1 (Ruby/3.1.2)"),)
PUBLIC = {"daily": "Three plots were watered", "hash": "182", "inspect": "#<Report>"}
PRIVATE = ("binding", "caller_locations", "local_variables", "global_variables", "__method__")


def sent(application: Callable[[str], Response], seed: int = 1) -> Named | None:
    """What comes of it at a server of Ruby, whose reports are asked for by their names and nothing beside them."""
    recorded = record(lambda _: Response(200, RUBY, b"Three plots were watered"), Request("GET", b"/?action=daily"))
    asked = inquiry_into("action", recorded, PROBE, seed)
    assert may_name_a_function(asked.situation)
    return played(calls_by_name(asked), application)


def by_send(name: str) -> Response:
    if name in PUBLIC or name in PRIVATE:
        return Response(200, RUBY, PUBLIC.get(name, f"[:{len(name)}]").encode())
    return Response(500, RUBY, f"undefined method {name}. Did you mean? {name[:3]}".encode())


def by_public_send(name: str) -> Response:
    """Tells Ruby's own message as a report that could not be made."""
    told = (
        f"private method '{name}' called for #<Report>"
        if name in PRIVATE
        else f"undefined method '{name}' for #<Report>"
    )
    return Response(200, RUBY, PUBLIC.get(name, f"No report: {told}").encode())


def test_any_method_of_ruby_that_is_named_is_called():
    found = sent(by_send)
    assert found is not None
    assert found.called.payload in PRIVATE
    assert "a private method that every object of Ruby has" in found.told().verified_by


@pytest.mark.parametrize(("server", "asked"), [(RUBY, True), (((b"Server", b"gunicorn"),), False)])
@pytest.mark.parametrize("parameter", ["kind", "period", "scope"])
def test_in_ruby_any_parameter_may_name_a_method(server, asked, parameter):
    recorded = record(lambda _: Response(200, server, b"watered"), Request("GET", f"/?{parameter}=daily".encode()))
    situation = inquiry_into(parameter, recorded, PROBE).situation
    assert may_name_a_function(situation) is asked
    assert forecast_of_names(situation) == 2 * asked


@pytest.mark.parametrize(
    "application",
    [
        pytest.param(lambda name: by_send(name if name in PUBLIC else "none"), id="public methods alone"),
        pytest.param(lambda name: Response(200, RUBY, f"A report on {name}".encode()), id="shown, whatever it is"),
        pytest.param(lambda name: Response(200, RUBY, b"[]"), id="not used"),
        pytest.param(by_public_send, id="the refusal of private ones is told"),
        pytest.param(lambda name: by_send("hash" if name in PRIVATE[:4] else "none"), id="words that are known"),
    ],
)
def test_no_method_is_called_where_private_ones_are_not(application):
    for seed in range(20):
        assert sent(application, seed) is None
