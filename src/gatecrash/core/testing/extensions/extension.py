"""An extension that was read: what each of its phases asks for."""

from typing import Literal, NamedTuple

from gatecrash.core.point import Point, PointPattern
from gatecrash.core.testing.conditions import Condition

Insertion = Literal["prefix", "postfix", "replace", "random"]
INSERTIONS: tuple[Insertion, ...] = ("prefix", "postfix", "replace", "random")
STR, CALC, DNS = "STR_MARKER", "CALC_MARKER", "DNS_MARKER"


class Told(NamedTuple):
    """What its findings say of themselves."""

    title: str
    type: str
    threat: int
    description: str = ""
    remediation: str = ""
    cwe: tuple[int, ...] = ()
    tags: tuple[str, ...] = ()


class Wanted(NamedTuple):
    """A value that a request must hold: at a point that the pattern names, the expression is found."""

    pattern: PointPattern
    expression: str


class Answered(NamedTuple):
    """What an answer must be like, all of it. headers: names and expressions. tag, attribute: of a page's elements."""

    condition: Condition | None = None
    headers: tuple[tuple[str, str], ...] = ()
    tag: str | None = None
    attribute: str | None = None


class Change(NamedTuple):
    """A new value at points of the baseline. header: of these the one that is added where the request has none."""

    pattern: PointPattern
    value: str
    header: Point | None = None


class Generating(NamedTuple):
    """Payloads into points. into: nothing for all points of the policy."""

    payloads: tuple[str, ...]
    insertions: tuple[Insertion, ...]
    into: tuple[PointPattern, ...] = ()


class Sending(NamedTuple):
    """A request of its own, to the baseline's origin. target: begins with a slash."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...] = ()
    body: str = ""


class Extension(NamedTuple):
    """All phases. Either it sends requests of its own, or it generates them out of the baseline.

    collect: None where every baseline is tested; else only the first of those that agree at these points.
    methods: the expression that a baseline's method must match; "" for any. before: what the baseline's answer must be like.
    detect: answers of which one proves it. callers: protocols of which one does, where the target comes to our listener.
    """

    name: str
    told: Told
    detect: tuple[Answered, ...]
    callers: tuple[str, ...] = ()
    collect: tuple[PointPattern, ...] | None = None
    methods: str = ""
    match: tuple[Wanted, ...] = ()
    before: tuple[Answered, ...] = ()
    modify: tuple[Change, ...] = ()
    generate: Generating | None = None
    send: tuple[Sending, ...] = ()
