"""The parts of an extension that speak of answers, and the small words: expressions, headers, addresses."""

import re
from collections.abc import Iterable
from typing import Any

import yaml

from gatecrash.core.errors import InvalidPattern
from gatecrash.core.notation import from_underscored, upper
from gatecrash.core.patterns import compile_pattern
from gatecrash.core.point import InvalidPoint, Point
from gatecrash.core.testing.conditions import Bounds, Condition, check
from gatecrash.core.testing.extensions import nodes
from gatecrash.core.testing.extensions.extension import Answered
from gatecrash.core.testing.extensions.markers import SAMPLE
from gatecrash.core.testing.extensions.nodes import Wrong
from gatecrash.core.testing.extensions.places import is_steps
from gatecrash.core.testing.out_of_band import DNS, HTTP

_BOUNDS = ("length", "length_difference", "time", "time_difference", "dom_difference")
FIELDS = ("status", "status_difference", *_BOUNDS, "headers", "body")
# RFC 9110 section 5.6.2
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_TARGET = re.compile(r"/(?!/)[\x21-\x7e]*")
_VALUE = re.compile(r"[\x20-\x7e\x80-\xff\t]*")
_LARGEST = 1e9

# Answers, and protocols of the listener.
Detecting = tuple[tuple[Answered, ...], tuple[str, ...]]


def detect(node: yaml.Node, field: str) -> Detecting:
    """The answers, and the protocols, of which one proves a finding. Raises Wrong."""
    wanted: list[Answered] = []
    callers: list[str] = []
    for part in nodes.items(node, field):
        for name, key, value in nodes.entries(part, field):
            if name == "response":
                wanted.append(answered(value, f"{field}.response"))
            elif name == "oob":
                callers += [_protocol(each, f"{field}.oob") for each in nodes.items(value, f"{field}.oob")]
            else:
                raise Wrong(key, f"{field}.{name}", "no such field; there are response and oob")
    return tuple(wanted), tuple(dict.fromkeys(callers))


def answered(node: yaml.Node, field: str) -> Answered:
    """What an answer must be like. Raises Wrong."""
    condition: dict[str, Any] = {}
    more: dict[str, Any] = {}
    for name, key, value in nodes.entries(node, field):
        where = f"{field}.{name}"
        if name == "status":
            condition[name] = tuple(nodes.scalar(each, where) for each in nodes.items(value, where))
        elif name == "status_difference":
            condition[name] = nodes.truth(value, where)
        elif name in _BOUNDS:
            condition[name] = _bounds(value, where)
        elif name == "headers":
            more[name] = tuple(
                (header_name(header, where), expression(text, where)) for _, header, text in nodes.entries(value, where)
            )
        elif name == "body" and isinstance(value, yaml.ScalarNode):
            condition[name] = expression(value, where)
        elif name == "body":
            more |= _html(value, where)
        else:
            raise Wrong(key, where, f"no such field; there are {', '.join(FIELDS)}")
    if not condition and not more:
        raise Wrong(node, field, "names nothing and would always hold")
    return Answered(condition=_checked(node, field, condition) if condition else None, **more)


def expressions(wanted: Iterable[Answered]) -> str:
    """All expressions in them, to look for markers."""
    found = []
    for each in wanted:
        body = each.condition.body if each.condition else None
        found += [body or "", each.tag or "", each.attribute or "", *(value for _, value in each.headers)]
    return "\n".join(found)


def expression(node: yaml.Node, field: str) -> str:
    """A regular expression that markers may stand in. Raises Wrong."""
    text = nodes.scalar(node, field)
    try:
        compile_pattern(SAMPLE.expect(text))
    except InvalidPattern as error:
        raise Wrong(node, field, str(error)) from error
    return text


def header_name(node: yaml.Node, field: str) -> str:
    """The name of a header. Raises Wrong."""
    text = nodes.scalar(node, field)
    if not _TOKEN.fullmatch(text):
        raise Wrong(node, field, f"{text!r} is no name of a header")
    return text


def header_value(node: yaml.Node, field: str) -> str:
    """A value that a header may have. Raises Wrong."""
    text = nodes.scalar(node, field)
    if not _VALUE.fullmatch(text):
        raise Wrong(node, field, "a header holds no line break and no control character")
    return text


def header_of(node: yaml.Node) -> Point | None:
    """The header that a node names outright, so that it can be added; None where it names anything else."""
    if isinstance(node, yaml.SequenceNode):
        steps = [str(each.value) for each in node.value] if is_steps(node) else []
    else:
        try:
            steps = from_underscored(str(node.value))
        except InvalidPoint:
            return None
    # A full stop or a star would be a token's character, too, yet stands in a point for an expression's.
    if len(steps) != 2 or steps[0] != "header" or not re.fullmatch(r"[A-Za-z0-9_-]+", steps[1]):
        return None
    return Point.of("header", upper(steps[1]))


def target(node: yaml.Node, field: str) -> str:
    """A path with its query: extensions send to the baseline's origin and nowhere else. Raises Wrong."""
    text = nodes.scalar(node, field)
    if not _TARGET.fullmatch(text):
        raise Wrong(
            node, field, f"{text!r} is no path; write one such as /admin?x=STR_MARKER, without a host or blanks"
        )
    return text


def token(node: yaml.Node, text: str, field: str) -> None:
    """Raise Wrong where the text is no method."""
    if not _TOKEN.fullmatch(text):
        raise Wrong(node, field, f"{text!r} is no method")


def _protocol(node: yaml.Node, field: str) -> str:
    text = nodes.scalar(node, field)
    if text not in (DNS, HTTP):
        raise Wrong(node, field, f"{text!r} is neither {DNS} nor {HTTP}")
    return text


def _bounds(node: yaml.Node, field: str) -> Bounds:
    given: dict[str, float] = {}
    for name, key, value in nodes.entries(node, field):
        if name not in ("at_least", "at_most"):
            raise Wrong(key, f"{field}.{name}", "no such field; there are at_least and at_most")
        given[name] = nodes.number(value, f"{field}.{name}", 0, _LARGEST)
    return Bounds(**given)


def _html(node: yaml.Node, field: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, key, value in nodes.entries(node, field):
        if name != "html":
            raise Wrong(key, f"{field}.{name}", "no such field; a body is an expression, or has html")
        for part, inner, text in nodes.entries(value, f"{field}.html"):
            if part not in ("tag", "attribute"):
                raise Wrong(inner, f"{field}.html.{part}", "no such field; there are tag and attribute")
            found[part] = expression(text, f"{field}.html.{part}")
    return found


def _checked(node: yaml.Node, field: str, given: dict[str, Any]) -> Condition:
    condition = Condition(**given)
    sample = Condition(**{**given, "body": SAMPLE.expect(condition.body)} if condition.body is not None else given)
    try:
        check(sample)
    except InvalidPattern as error:
        raise Wrong(node, field, str(error)) from error
    return condition
