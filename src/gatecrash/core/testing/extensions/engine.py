"""An extension as a probe: what it sends, and when its finding is proven.

Like every probe's, a finding must not show in the baseline's own answer, and must come again with fresh markers.
"""

from collections.abc import Generator, Iterator
from functools import lru_cache
from typing import NamedTuple

import msgspec

from gatecrash.core.errors import InvalidPolicy, UserError
from gatecrash.core.message import Exchange, Request, with_header, without_header
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.asking import concluding, known_answers, settled
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.extension_source import Source
from gatecrash.core.testing.extensions.document import read
from gatecrash.core.testing.extensions.extension import DNS, Extension, Insertion, Sending
from gatecrash.core.testing.extensions.judging import collected, is_meant, shows
from gatecrash.core.testing.extensions.markers import Markers, fresh
from gatecrash.core.testing.oracles.outcomes.refused import block
from gatecrash.core.testing.out_of_band import Lure, came, proven, strongest
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, Outcome, Proof, Verdict, inconclusive

# A look-up alone tells that somebody knows a name, an extension's author may have meant more.
_DNS_SHARE = 0.5
_CONFIRM_SECONDS = 3.0


class _Try(NamedTuple):
    """One thing to send: a payload into the point, or the request of that number. None: the modified baseline alone."""

    text: str = ""
    insertion: Insertion = "replace"
    sending: Sending | None = None


@lru_cache(64)
def probes_of(sources: tuple[Source, ...]) -> tuple[Probe, ...]:
    """The probes of a policy's extensions, in their order. Raises InvalidPolicy with the place of what is wrong."""
    return tuple(probe_of(_read(source)) for source in sources)


def probe_of(extension: Extension) -> Probe:
    """The extension as a probe: at single points where it generates, once for the whole request where it does not."""
    told = extension.told
    entry = Entry(
        type=told.type,
        title=told.title,
        cwe=told.cwe,
        owasp=(),
        owasp_api=(),
        why=told.description,
        remediation=told.remediation,
    )
    tries = len(list(_tries(extension)))

    def applies(situation: Situation) -> bool:
        into = extension.generate.into if extension.generate else ()
        at_point = not into or any(pattern.matches(situation.point) for pattern in into)
        return at_point and is_meant(extension, situation.baseline)

    def dialogue(situation: Situation) -> Dialogue:
        return (yield from _dialogue(extension, entry, situation))

    return Probe(
        type=told.type,
        name=extension.name,
        entry=entry,
        whole=extension.generate is None,
        names_points=bool(extension.generate and extension.generate.into),
        applies=applies,
        forecast=lambda _: tries,
        run=concluding(told.type, dialogue),
        collected=lambda request: collected(extension, request),
    )


def _read(source: Source) -> Extension:
    extension, mistakes = read(source.name, source.text)
    if extension is None:
        first = mistakes[0]
        where = f"extension {source.name}, line {first.line}"
        raise InvalidPolicy(f"{where}: {first.field}: {first.message}" if first.field else f"{where}: {first.message}")
    return extension


def _tries(extension: Extension) -> Iterator[_Try]:
    if extension.generate is not None:
        for payload in extension.generate.payloads:
            for insertion in extension.generate.insertions:
                yield _Try(payload, insertion)
    elif extension.send:
        for sending in extension.send:
            yield _Try(sending=sending)
    else:
        yield _Try()


def _dialogue(extension: Extension, entry: Entry, situation: Situation) -> Dialogue:
    samples = yield from known_answers(situation)
    if not samples:
        return inconclusive(entry.type, situation.point, Inconclusive.NO_CONTROL, "no whole answer was recorded")
    if extension.callers and not extension.detect and situation.oob is None:
        detail = f"the extension {extension.name} needs a listener that the target can reach"
        return inconclusive(entry.type, situation.point, Inconclusive.NO_CONTROL, detail)
    asking = _Asking(extension, entry, Inquiry(situation, samples))
    for one in _tries(extension):
        verdict = yield from asking.judge(one)
        if verdict is not None:
            return verdict
    return (yield from asking.inquiry.nothing_found(entry.type))


class _Asking:
    """One dialogue of an extension."""

    def __init__(self, extension: Extension, entry: Entry, inquiry: Inquiry) -> None:
        self.extension = extension
        self.entry = entry
        self.inquiry = inquiry
        self.number = 0

    def judge(self, one: _Try) -> Generator[TestRequest, Answer, Verdict | None]:
        """A finding that comes twice, with fresh markers, and does not show in the baseline."""
        first = yield from self._asked(one, "test", 0.0)
        if first is None:
            return None
        again = yield from self._asked(one, "confirm", _CONFIRM_SECONDS)
        return again

    def _asked(self, one: _Try, purpose: str, patience: float) -> Generator[TestRequest, Answer, Verdict | None]:
        situation = self.inquiry.situation
        self.number += 1
        markers = fresh(situation.random, situation.oob, self.number)
        request = _request(self.extension, situation, one, markers)
        if request is None:
            return None
        lures = self._lures(one)
        answer = yield TestRequest(request, purpose, lures=lures, patience=patience if lures else 0.0)
        for lure in lures:
            hit = strongest(lure, answer.hits)
            if hit is not None and (hit.protocol in self.extension.callers or came(hit)):
                return proven(lure, hit, answer.exchange, more=_words(self.extension, ""))
        return self._shown(settled(answer), markers)

    def _shown(self, exchange: Exchange, markers: Markers) -> Verdict | None:
        response = exchange.response
        why = block(response) if response is not None else None
        if why and not block(self.inquiry.good):
            self.inquiry.blocked = why
        control = self.inquiry.control
        if not shows(self.extension.detect, exchange, control, markers):
            return None
        if shows(self.extension.detect, control, control, markers):
            return None
        shown = ": what it looks for is in the answer, twice with fresh markers, and not in the baseline's"
        proof = Proof(test=exchange, control=control, verified_by=_words(self.extension, shown))
        return self.inquiry.vulnerable(self.entry, self.extension.told.threat, proof, self.extension.name)

    def _lures(self, one: _Try) -> tuple[Lure, ...]:
        oob, extension = self.inquiry.situation.oob, self.extension
        if oob is None or not extension.callers or DNS not in _text_of(extension, one):
            return ()
        told = extension.told
        found = Verdict(
            outcome=Outcome.VULNERABLE,
            type=self.entry.type,
            point=tuple(self.inquiry.situation.point),
            detail=extension.name,
            threat=told.threat,
            cwe=told.cwe,
            title=told.title,
        )
        meant = "dns" in extension.callers
        weak = told.threat if meant else max(1, int(told.threat * _DNS_SHARE))
        return (oob.lure(self.number, found, dns_threat=weak),)


def _words(extension: Extension, shown: str) -> str:
    """What an extension's finding says of itself: reports know the words of types, not those of extensions."""
    told = extension.told
    mend = f"To mend: {told.remediation}" if told.remediation else ""
    words = (f"Found by the extension {extension.name}{shown}.", told.description, mend)
    return " ".join(" ".join(part.split()) for part in words if part)


def _text_of(extension: Extension, one: _Try) -> str:
    """All that one request holds of the extension's own."""
    texts = [one.text, *(change.value for change in extension.modify)]
    if one.sending is not None:
        texts += [one.sending.target, one.sending.body, *(value for _, value in one.sending.headers)]
    return "\n".join(texts)


def _request(extension: Extension, situation: Situation, one: _Try, markers: Markers) -> Request | None:
    """What is sent; None where the place cannot hold it."""
    baseline = situation.baseline.request
    try:
        if one.sending is not None:
            return _own(baseline, one.sending, markers)
        request = _modified(extension, baseline, markers)
        if extension.generate is None:
            return request
        value = _inserted(situation, one, markers.fill(one.text))
        return rewrite(request, situation.point, value.encode("utf-8", "surrogateescape"))
    except UserError:
        return None


def _inserted(situation: Situation, one: _Try, payload: str) -> str:
    value = situation.value.decode("utf-8", "surrogateescape")
    at = situation.random.randint(0, len(value))
    return {
        "prefix": payload + value,
        "postfix": value + payload,
        "random": value[:at] + payload + value[at:],
    }.get(one.insertion, payload)


def _modified(extension: Extension, request: Request, markers: Markers) -> Request:
    """The baseline with the modify phase's values; a header that it names and the request has not is added."""
    for change in extension.modify:
        value = markers.fill(change.value).encode("utf-8", "surrogateescape")
        places = [found.point for found in walk(request).points if change.pattern.matches(found.point)]
        for point in places:
            request = rewrite(request, point, value)
        if not places and change.header is not None:
            name = change.header[1].title().encode("ascii")
            request = msgspec.structs.replace(request, headers=(*request.headers, (name, value)))
    return request


def _own(baseline: Request, sending: Sending, markers: Markers) -> Request:
    """A request of the extension's own, with the baseline's headers but for those of its body."""
    body = markers.fill(sending.body).encode("utf-8", "surrogateescape")
    headers = baseline.headers
    for name in (b"Content-Length", b"Content-Type", b"Content-Encoding", b"Transfer-Encoding"):
        headers = without_header(headers, name)
    for given, value in sending.headers:
        headers = with_header(headers, given.encode("ascii"), markers.fill(value).encode("utf-8", "surrogateescape"))
    if body or sending.method in ("POST", "PUT", "PATCH"):
        headers = with_header(headers, b"Content-Length", str(len(body)).encode())
    request: Request = msgspec.structs.replace(
        baseline,
        method=sending.method,
        target=markers.fill(sending.target).encode("utf-8", "surrogateescape"),
        headers=headers,
        body=body,
    )
    return request
