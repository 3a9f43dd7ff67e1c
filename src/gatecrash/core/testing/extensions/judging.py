"""Whether an answer is what an extension looks for, and whether a baseline is what it is meant for."""

import re
from collections.abc import Iterable

import msgspec

from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import Point
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.conditions import Measured, found_in, holds, measured
from gatecrash.core.testing.extensions.extension import Answered, Extension
from gatecrash.core.testing.extensions.markers import SAMPLE, Markers
from gatecrash.core.testing.oracles.pages.markup import START, tokens

_MOST_MARKUP = 500_000


def is_meant(extension: Extension, baseline: Baseline) -> bool:
    """Whether the match phase holds: the method, all values, and one of the answers where any is named."""
    request = baseline.request
    if extension.methods and not re.fullmatch(extension.methods, request.method):
        return False
    if extension.match:
        found = [(each.point, each.value.decode("utf-8", "replace")) for each in walk(request).points]
        for wanted in extension.match:
            if not any(wanted.pattern.matches(at) and found_in(wanted.expression, value) for at, value in found):
                return False
    if not extension.before:
        return True
    return baseline.response is not None and shows(extension.before, baseline.exchange, baseline.exchange, SAMPLE)


def shows(wanted: Iterable[Answered], exchange: Exchange, good: Exchange, markers: Markers) -> bool:
    """Whether an answer is any of these. good: the baseline's, which differences are to."""
    if exchange.response is None or good.response is None:
        return False
    seen, usual = measured(exchange), measured(good)
    return any(_is(one, exchange, seen, usual, markers) for one in wanted)


def collected(extension: Extension, request: Request) -> tuple[str, ...] | None:
    """What two baselines have in common of which only the first is tested; None where all are."""
    if extension.collect is None:
        return None
    key = [extension.name, request.method, request.host, str(request.port)]
    for each in walk(request).points:
        if any(pattern.matches(each.point) for pattern in extension.collect):
            key += [_written(each.point), each.value.decode("utf-8", "replace")]
    return tuple(key)


def _is(one: Answered, exchange: Exchange, seen: Measured, usual: Measured, markers: Markers) -> bool:
    condition = one.condition
    if condition is not None and condition.body is not None:
        condition = msgspec.structs.replace(condition, body=markers.expect(condition.body))
    return (
        (condition is None or holds(condition, seen, usual))
        and all(_has_header(exchange, name, markers.expect(value)) for name, value in one.headers)
        and ((one.tag is None and one.attribute is None) or _has_element(one, seen.text, markers))
    )


def _has_header(exchange: Exchange, name: str, expression: str) -> bool:
    assert exchange.response is not None
    values = exchange.response.all(name.encode("ascii"))
    return any(found_in(expression, value.decode("utf-8", "replace")) for value in values)


def _has_element(one: Answered, text: str, markers: Markers) -> bool:
    """Whether an element of the page has this name, or an attribute of this name; both of one element where both are named."""
    for token in tokens(text[:_MOST_MARKUP]):
        if token.kind != START:
            continue
        is_named = one.tag is None or re.fullmatch(markers.expect(one.tag), token.name, re.IGNORECASE)
        if is_named and (one.attribute is None or _has_attribute(markers.expect(one.attribute), token.attributes)):
            return True
    return False


def _has_attribute(expression: str, attributes: Iterable[object]) -> bool:
    names = (str(getattr(each, "name", "")) for each in attributes)
    return any(re.fullmatch(expression, name, re.IGNORECASE) for name in names)


def _written(point: Point) -> str:
    return "\x00".join(point)
