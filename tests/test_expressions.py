"""No regular expression of ours takes longer with a long text than in proportion to its length.

What an application answers may be made to be slow to read, and a script of 300 kB is enough where an expression reads it
again from each of its places. Held against texts derived from each expression (`hostile_texts`); judged by how the
processor's time grows with the length: fourfold text may cost ninefold time, where going over it again costs sixteenfold.
"""

import ast
import contextlib
import importlib
import pkgutil
import re
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, NamedTuple

import msgspec
import pytest

import gatecrash
from gatecrash.core.words.named import ByteWords, Words
from tests.hostile_texts import Shape, shapes

# `control` holds those of its frameworks, and reads nothing of an application's but by what is looked at here.
_LEFT_OUT = "control"
_TESTING = tuple(f"core.testing.{part}" for part in ("oracles", "authorization", "payloads", "probes"))
_PARTS = ("core.auth", *_TESTING, "core.testing", "core", "formats", "node", _LEFT_OUT, "")
# What is passed never has more characters than this, by the code around it or by what people may write there.
_BOUNDED = {
    "core.patterns:_ATOM": 1_000,
    "core.testing.oracles.pages.landing:_NAMED": 160,
    "core.testing.authorization.objects.global_ids:_INNER": 256,
    "core.testing.profiles.patterns:_PIECE": 1_000,
    "control.policies.point_rows:_ESCAPE_OR_LETTERS": 1_000,
    "formats.refusals.told_fields:_TOLD": 500,
}
_GLANCE, _SHORT, _MIDDLE, _LONG = 2_000, 8_000, 50_000, 200_000
# Seconds of the processor. A short text that costs less than the first is read once, on the slowest of machines.
_SUSPICIOUS, _CLEAR, _HOPELESS, _SLACK = 0.03, 0.3, 6.0, 1.0
# Where a text is read again and again, a quarter of it costs a sixteenth: half of that is reason to read the short one.
_WORTH_A_LOOK = _SUSPICIOUS / 32
# A short text at this price makes one in the middle hopeless, even where the price grows with the length alone.
_TOO_DEAR = _HOPELESS * _SHORT / _MIDDLE
_WAYS = ("search", "match", "fullmatch")
_GO_ON = {"finditer", "findall", "sub", "subn", "split", "search"}


class _TooLongError(Exception):
    pass


class Named(NamedTuple):
    """An expression of a module. ways: how it is used."""

    name: str
    pattern: re.Pattern[Any]
    ways: tuple[str, ...]


@pytest.mark.timeout(1800)
def test_what_goes_back_is_known_for_slow_and_what_does_not_is_not() -> None:
    for slow in (r"(?:a+)+b", rb'"(?:[^"\\]|\\.)*"'):
        assert list(_faults(Named("slow", re.compile(slow), ("search",))))
    for quick in (r"(?<!\s)\s++x", r"(?<!a)a+b", r"a[^ab\d]*+\d[^ab]*+b", r"\A\s*x", r"x\s{0,300}y"):
        assert not list(_faults(Named("quick", re.compile(quick), ("search",))))


@pytest.mark.timeout(1800)  # of waiting: what is judged is the processor's time
@pytest.mark.parametrize("part", [part for part in _PARTS if part != _LEFT_OUT])
def test_every_expression_reads_a_long_text_once(part: str) -> None:
    faults = [fault for named in _expressions(part) for fault in _faults(named)]

    assert not faults, "\n".join(faults)


def _expressions(part: str) -> Iterator[Named]:
    """Those of the modules below a package that belong to no part before it, each once."""
    known: set[int] = set()
    for module in _modules():
        below = module.__name__.removeprefix("gatecrash").lstrip(".")
        if next(each for each in _PARTS if not each or f"{below}.".startswith(f"{each}.")) != part:
            continue
        used = _used(module)
        for name, value in list(vars(module).items()):
            for pattern in _within(value, 0):
                if id(pattern) not in known:
                    known.add(id(pattern))
                    yield Named(f"{below}:{name}", pattern, used(name))


def _modules() -> Iterator[ModuleType]:
    for each in pkgutil.walk_packages(gatecrash.__path__, "gatecrash."):
        if not each.name.endswith("__main__") and not each.name.startswith(f"gatecrash.{_LEFT_OUT}."):
            yield importlib.import_module(each.name)


def _within(value: Any, depth: int) -> Iterator[re.Pattern[Any]]:
    """The expressions in a value, and in what it holds."""
    if isinstance(value, re.Pattern):
        yield value
    elif depth < 5:
        for inner in _held(value):
            yield from _within(inner, depth + 1)


def _held(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [*value.keys(), *value.values()]
    if isinstance(value, tuple | list | set | frozenset):
        return list(value)
    if isinstance(value, Words | ByteWords):
        return [value.pattern]
    return [getattr(value, name) for name in value.__struct_fields__] if isinstance(value, msgspec.Struct) else []


def _used(module: ModuleType) -> Callable[[str], tuple[str, ...]]:
    """How a module uses an expression: by its name; where it is held by others, in all the ways of names that are none of the module's."""
    calls: dict[str, set[str]] = {}
    for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text())):
        if isinstance(node, ast.Attribute) and node.attr in _GO_ON | set(_WAYS):
            name = node.value.id if isinstance(node.value, ast.Name) else ""
            calls.setdefault(name if name in vars(module) else "", set()).add(node.attr)

    def ways(name: str) -> tuple[str, ...]:
        told = calls.get(name) or calls.get("") or set(_WAYS)
        return tuple(way for way in _WAYS if told & (_GO_ON if way == "search" else {way})) or _WAYS

    return ways


def _faults(named: Named) -> Iterator[str]:
    for way in named.ways:
        read = _reader(named.pattern, way)
        cost, shape = _dearest(named, read)
        if shape is not None and cost > _SUSPICIOUS and not _grows_with_its_length(named, read, shape, cost):
            yield f"{named.name} {named.pattern.pattern!r}: {way} goes back over {shape}"


def _dearest(named: Named, read: Callable[[Any], object]) -> tuple[float, Shape | None]:
    """The short text that costs most; once it is clear that one costs too much, no other is tried."""
    glance, short = (min(length, _BOUNDED.get(named.name, length)) for length in (_GLANCE, _SHORT))
    dearest: tuple[float, Shape | None] = (0.0, None)
    for shape in shapes(named.pattern):
        if _seconds(read, _text(named.pattern, shape, glance), _CLEAR) > _WORTH_A_LOOK:
            cost = _seconds(read, _text(named.pattern, shape, short), _TOO_DEAR)
            dearest = max(dearest, (cost, shape), key=lambda told: told[0])
            if cost >= _CLEAR:
                break
    return dearest


def _grows_with_its_length(named: Named, read: Callable[[Any], object], shape: Shape, cost: float) -> bool:
    if named.name in _BOUNDED:
        return _seconds(read, _text(named.pattern, shape, _BOUNDED[named.name])) < _SLACK
    middle = _seconds(read, _text(named.pattern, shape, _MIDDLE)) if cost < _TOO_DEAR else _HOPELESS
    return (
        middle < _HOPELESS
        and _seconds(read, _text(named.pattern, shape, _LONG), 9 * middle + _SLACK) < 9 * middle + _SLACK
    )


def _reader(pattern: re.Pattern[Any], way: str) -> Callable[[Any], object]:
    if way == "search":
        return lambda text: sum(1 for _ in pattern.finditer(text))
    return pattern.match if way == "match" else pattern.fullmatch


def _text(pattern: re.Pattern[Any], shape: Shape, length: int) -> Any:
    text = shape.text(length)
    return text.encode("latin-1", "replace") if isinstance(pattern.pattern, bytes) else text


def _seconds(read: Callable[[Any], object], text: Any, most: float = _HOPELESS) -> float:
    """Of the processor, at most so many: other programs on this machine make nothing slower."""
    begun = time.process_time()
    with _stopped_after(most), contextlib.suppress(_TooLongError):
        read(text)
        return time.process_time() - begun
    return most


@contextlib.contextmanager
def _stopped_after(seconds: float) -> Iterator[None]:
    def stop(_number: int, _frame: FrameType | None) -> None:
        raise _TooLongError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
