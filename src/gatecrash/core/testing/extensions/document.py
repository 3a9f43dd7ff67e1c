"""Reads an extension strictly: every mistake with its line and field, those of all phases at once.

    extension, mistakes = read("slow.yaml", text)

The format is described in docs/extensions.md.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import yaml

from gatecrash.core.testing.extension_source import LONGEST_TEXT
from gatecrash.core.testing.extensions import answers, nodes
from gatecrash.core.testing.extensions.extension import (
    CALC,
    DNS,
    INSERTIONS,
    STR,
    Answered,
    Change,
    Extension,
    Generating,
    Insertion,
    Sending,
    Told,
    Wanted,
)
from gatecrash.core.testing.extensions.nodes import Mistake, Wrong
from gatecrash.core.testing.extensions.places import point_or_points, points
from gatecrash.core.testing.policy import TYPES

T = TypeVar("T")
# An expression for the method, values, and answers of the baseline.
_Matching = tuple[str, tuple[Wanted, ...], tuple[Answered, ...]]

PHASES = ("meta-info", "collect", "match", "modify", "generate", "send", "detect")
META = ("title", "type", "threat", "description", "remediation", "cwe", "tags")
_DEFAULT_THREAT = 50


def read(name: str, text: str) -> tuple[Extension | None, list[Mistake]]:
    """The extension, or None with all that is wrong with it, in the order of its lines."""
    reader = _Reader(name)
    extension = None
    if len(text) > LONGEST_TEXT:
        return None, [Mistake(1, "", f"over {LONGEST_TEXT // 1024} KiB, far more than an extension")]
    try:
        extension = reader.extension(nodes.composed(text))
    except Wrong as wrong:
        reader.mistakes.append(wrong.mistake)
    return (None if reader.mistakes else extension), sorted(reader.mistakes)


class _Reader:
    """Reads phase by phase; a mistake in one does not hide those of the next."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.mistakes: list[Mistake] = []

    def extension(self, root: yaml.Node) -> Extension:
        phases: dict[str, yaml.Node] = {}
        for name, key, value in nodes.entries(root, ""):
            if name not in PHASES:
                self.mistakes.append(Wrong(key, name, f"no such phase; there are {', '.join(PHASES)}").mistake)
            elif not nodes.is_nothing(value):
                phases[name] = value
        told = self._phase(phases, "meta-info", _told, Told("", "", 1))
        if "meta-info" not in phases:
            self.mistakes.append(Wrong(root, "meta-info", "is missing: title and type say what a finding is").mistake)
        nothing: _Matching = ("", (), ())
        methods, match, before = self._phase(phases, "match", _match, nothing)
        nobody: answers.Detecting = ((), ())
        detect, callers = self._phase(phases, "detect", answers.detect, nobody)
        extension = Extension(
            name=self.name,
            told=told,
            detect=detect,
            callers=callers,
            collect=self._phase(phases, "collect", _collect, None),
            methods=methods,
            match=match,
            before=before,
            modify=self._phase(phases, "modify", _modify, ()),
            generate=self._phase(phases, "generate", _generate, None),
            send=self._phase(phases, "send", _send, ()),
        )
        if not self.mistakes:
            self._check(root, phases, extension)
        return extension

    def _phase(self, phases: dict[str, yaml.Node], name: str, reading: Callable[[yaml.Node, str], T], default: T) -> T:
        if name not in phases:
            return default
        try:
            return reading(phases[name], name)
        except Wrong as wrong:
            self.mistakes.append(wrong.mistake)
            return default

    def _check(self, root: yaml.Node, phases: dict[str, yaml.Node], extension: Extension) -> None:
        """What no phase knows alone."""
        wrong: list[Wrong] = []
        if extension.send and (extension.generate or extension.modify):
            wrong.append(
                Wrong(phases["send"], "send", "stands alone: it sends requests of its own, not the baseline's")
            )
        if not extension.send and not extension.generate and not extension.modify:
            wrong.append(Wrong(root, "generate", "one of generate, modify and send must say what is sent"))
        if not extension.detect and not extension.callers:
            wrong.append(Wrong(root, "detect", "is missing: it says which answer proves the finding"))
        sent = _sent(extension)
        if extension.callers and DNS not in sent:
            wrong.append(Wrong(phases["detect"], "detect.oob", f"nothing that is sent holds {DNS}"))
        wrong += [
            Wrong(phases["detect"], "detect", f"{marker} is looked for, and nothing that is sent holds it")
            for marker in (STR, CALC)
            if sent and marker in answers.expressions(extension.detect) and marker not in sent
        ]
        self.mistakes += [each.mistake for each in wrong]


def _sent(extension: Extension) -> str:
    """All texts that are sent."""
    texts = [change.value for change in extension.modify]
    texts += extension.generate.payloads if extension.generate else ()
    for request in extension.send:
        texts += [request.target, request.body, *(value for _, value in request.headers)]
    return "\n".join(texts)


def _told(node: yaml.Node, field: str) -> Told:
    given: dict[str, Any] = {}
    for name, key, value in nodes.entries(node, field):
        where = f"{field}.{name}"
        if name not in META:
            raise Wrong(key, where, f"no such field; there are {', '.join(META)}")
        if name == "threat":
            given[name] = nodes.whole(value, where, 1, 100)
        elif name == "cwe":
            given[name] = tuple(nodes.whole(each, where, 1, 99_999) for each in nodes.items(value, where))
        elif name == "tags":
            given[name] = tuple(nodes.scalar(each, where) for each in nodes.items(value, where))
        else:
            given[name] = nodes.scalar(value, where)
        if name == "type" and given[name] not in TYPES:
            raise Wrong(value, where, f"{given[name]!r} is none of {', '.join(TYPES)}")
    for name in ("title", "type"):
        if not given.get(name):
            raise Wrong(node, f"{field}.{name}", "is missing")
    return Told(**{"threat": _DEFAULT_THREAT, **given})


def _collect(node: yaml.Node, field: str) -> Any:
    found = None
    for name, key, value in nodes.entries(node, field):
        if name != "uniq":
            raise Wrong(key, f"{field}.{name}", "no such field; there is uniq")
        found = point_or_points(value, f"{field}.uniq")
    return found


def _match(node: yaml.Node, field: str) -> _Matching:
    methods, wanted, before = "", [], []
    for part in nodes.items(node, field):
        if isinstance(part, yaml.MappingNode) and any(key.value == "point" for key, _ in part.value):
            pattern, value = _point_and_value(part, field)
            wanted.append(Wanted(pattern, answers.expression(value, f"{field}.value")))
            continue
        for name, key, value in nodes.entries(part, field):
            if name == "method":
                methods = answers.expression(value, f"{field}.method")
            elif name == "response":
                before.append(answers.answered(value, f"{field}.response"))
            else:
                where = f"{field}.{name}"
                wanted.append(Wanted(points(key, where)[0], answers.expression(value, where)))
    return methods, tuple(wanted), tuple(before)


def _modify(node: yaml.Node, field: str) -> tuple[Change, ...]:
    changes = []
    for part in nodes.items(node, field):
        if isinstance(part, yaml.MappingNode) and any(key.value == "point" for key, _ in part.value):
            pattern, value = _point_and_value(part, field)
            key = next(value for key, value in part.value if key.value == "point")
            changes.append(Change(pattern, nodes.scalar(value, f"{field}.value"), answers.header_of(key)))
            continue
        for name, key, value in nodes.entries(part, field):
            where = f"{field}.{name}"
            changes.append(Change(points(key, where)[0], nodes.scalar(value, where), answers.header_of(key)))
    return tuple(changes)


def _point_and_value(node: yaml.Node, field: str) -> tuple[Any, yaml.Node]:
    known = {name: value for name, _, value in nodes.entries(node, field)}
    if set(known) != {"point", "value"}:
        raise Wrong(node, field, "an entry with `point` has `value` beside it, and nothing else")
    return points(known["point"], f"{field}.point")[0], known["value"]


def _generate(node: yaml.Node, field: str) -> Generating:
    payloads: tuple[str, ...] = ()
    insertions: tuple[Insertion, ...] = ("replace",)
    into: Any = ()
    for name, key, value in nodes.entries(node, field):
        where = f"{field}.{name}"
        if name == "payload":
            payloads = tuple(nodes.scalar(each, where) for each in nodes.items(value, where))
        elif name == "method":
            insertions = tuple(_insertion(each, where) for each in nodes.items(value, where))
        elif name == "into":
            into = point_or_points(value, where)
        else:
            raise Wrong(key, where, "no such field; there are payload, method and into")
    if not payloads:
        raise Wrong(node, f"{field}.payload", "is missing")
    return Generating(payloads, insertions, into)


def _insertion(node: yaml.Node, field: str) -> Insertion:
    text = nodes.scalar(node, field)
    for known in INSERTIONS:
        if text == known:
            return known
    raise Wrong(node, field, f"{text!r} is none of {', '.join(INSERTIONS)}")


def _send(node: yaml.Node, field: str) -> tuple[Sending, ...]:
    return tuple(_request(each, field) for each in nodes.items(node, field))


def _request(node: yaml.Node, field: str) -> Sending:
    given: dict[str, Any] = {"method": "GET"}
    for name, key, value in nodes.entries(node, field):
        where = f"{field}.{name}"
        if name in ("method", "body"):
            given[name] = nodes.scalar(value, where)
        elif name == "url":
            given["target"] = answers.target(value, where)
        elif name == "headers":
            given[name] = tuple(
                (answers.header_name(header, where), answers.header_value(text, where))
                for _, header, text in nodes.entries(value, where)
            )
        else:
            raise Wrong(key, where, "no such field; there are method, url, headers and body")
    if "target" not in given:
        raise Wrong(node, f"{field}.url", "is missing")
    answers.token(node, given["method"], f"{field}.method")
    return Sending(**given)
