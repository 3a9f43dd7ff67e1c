"""Broken authentication: an endpoint that takes credentials and does not need them.

What it finds
    Endpoints that give the same answer without any credentials, and endpoints that want some but take any.

Why it matters
    Everybody on the network is then every user. Nobody notices, because all clients in use send their credentials.

How it decides
    Detection found credentials in the baseline. The baseline is asked again and must be answered well (methods that
    change something are not repeated: their recorded answer stands). Then all credentials are left out, cookies and
    headers that may hold any included; then all are replaced by random ones of the same look; then all are emptied.
    An answer that says all that the good one says is a finding, after a repeat, and after a path that does not exist
    gave another answer (else one page answers everything). Refusals are known by status, by the way to the login, and in
    words under a 200; another content, such as a reduced public version, is no finding. Where all of that is refused and
    there are several credentials, a safe request is asked once without each of them, to tell which of them is checked;
    that one of two is enough may be meant so, and is told without being a finding.

Known misses
    Answers that hold nothing to compare: empty bodies of safe methods, redirects, static files. Guards that do not look
    at the request (client certificates, addresses) make an endpoint look open. An endpoint meant to be public whose
    clients send credentials all the same is reported: mark it as intentionally public.

Standards and references
    CWE-306 (nothing asked for), CWE-287 (asked for, not checked); OWASP Top 10:2021 A07 Identification and
    Authentication Failures; OWASP API Security Top 10:2023 API2 Broken Authentication.
"""

from collections.abc import Generator

import msgspec

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.points.rewrite import remove
from gatecrash.core.testing.asking import Stopped, ask, concluding, response_of, sample_baseline
from gatecrash.core.testing.credentials import with_emptied, with_garbled, without_credentials
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.body import media_type
from gatecrash.core.testing.oracles.difference import (
    Reading,
    read,
    same_but_for_numbers,
    says_all_of,
    says_anything,
    stable,
)
from gatecrash.core.testing.oracles.refused import refusal
from gatecrash.core.testing.ordering import is_safe
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, Outcome, Proof, Verdict, inconclusive, safe

TYPE = "auth"
MISSING, UNCHECKED = 306, 287
# 80: whoever asks reads. 90: whoever asks changes something. 5 less where a caller must at least pretend to have a key.
THREAT_READ, THREAT_CHANGE, PRETENDING = 80, 90, 5
_STATIC = ("text/css", "text/javascript", "application/javascript", "image/", "font/", "video/", "audio/")
_FIRST_ERROR = 400

_Deciding = Generator[TestRequest, Answer, Verdict]


class _Case:
    """One baseline under question: its good answers, and whether another answer is as good."""

    def __init__(self, situation: Situation, samples: list[Exchange]) -> None:
        self.situation = situation
        self.request: Request = situation.baseline.request
        self.safe = is_safe(self.request)
        self.control = samples[0]
        self.good: Response = response_of(samples[0])
        self.readings: list[Reading] = [read(response_of(sample)) for sample in samples]

    def refuses(self, exchange: Exchange) -> str | None:
        """How the answer refuses; None where it does not."""
        response = response_of(exchange)
        why = refusal(response, self.good)
        if why is None and response.status >= _FIRST_ERROR:
            return f"answers {response.status}"
        return why

    def as_good(self, exchange: Exchange) -> bool:
        """Whether the answer says all that the good ones say; where that was seen once, numbers may differ."""
        if self.refuses(exchange):
            return False
        reading = read(response_of(exchange))
        if self.safe:
            return says_all_of(reading, stable(self.readings))
        return same_but_for_numbers(self.readings[0], reading)


def _dialogue(situation: Situation) -> Dialogue:
    samples = yield from sample_baseline(situation)
    if not samples:
        raise Stopped(
            Inconclusive.NO_CONTROL, "no whole answer to the baseline was recorded, and it may not be repeated"
        )
    case = _Case(situation, samples)
    _check_comparable(case)
    if case.safe and media_type(case.good).startswith(_STATIC):
        return safe(TYPE, situation.point, "a static file")
    bare = without_credentials(case.request, situation.credentials)
    dropped = yield from ask(bare)
    if case.as_good(dropped):
        return (yield from _confirm(case, bare, MISSING))
    garbled = with_garbled(case.request, situation.credentials, situation.random)
    pretended = yield from ask(garbled)
    if case.as_good(pretended):
        return (yield from _confirm(case, garbled, UNCHECKED))
    emptied = with_emptied(case.request, situation.credentials)
    hollow = yield from ask(emptied)
    if case.as_good(hollow):
        return (yield from _confirm(case, emptied, UNCHECKED, emptied=True))
    checked = yield from _checked(case) if case.refuses(dropped) else _nothing()
    return _not_open(case, (dropped, pretended, hollow), checked)


def _checked(case: _Case) -> Generator[TestRequest, Answer, str]:
    """Which of several credentials are checked, in words; nothing is asked for one alone, or where something may change."""
    points = list(dict.fromkeys(case.situation.credentials))
    if len(points) < 2 or not case.safe:
        return ""
    needed: list[str] = []
    for point in points:
        alone = yield from ask(remove(case.request, point))
        if not case.as_good(alone):
            needed.append(str(point))
    if needed:
        return "; checked: " + ", ".join(needed) + ("" if len(needed) == len(points) else ", the others are not needed")
    return "; any one of its credentials is enough"


def _nothing() -> Generator[TestRequest, Answer, str]:
    """Asks nothing."""
    yield from ()
    return ""


def _check_comparable(case: _Case) -> None:
    if case.good.status >= _FIRST_ERROR or refusal(case.good):
        raise Stopped(Inconclusive.NO_CONTROL, f"the baseline's own answer is no success ({case.good.status})")
    if case.safe and not says_anything(stable(case.readings)):
        raise Stopped(Inconclusive.NO_CONTROL, "the baseline's answer holds nothing that could be compared")


def _confirm(case: _Case, request: Request, weakness: int, *, emptied: bool = False) -> _Deciding:
    """Repeat it; and ask for a path that does not exist, which must not be answered the same."""
    if case.safe:
        elsewhere = yield from ask(nowhere(request, case.situation), "control")
        if case.as_good(elsewhere):
            return safe(TYPE, case.situation.point, "any path at all gets this answer")
    if weakness == UNCHECKED and not emptied:
        request = with_garbled(case.request, case.situation.credentials, case.situation.random)
    again = yield from ask(request, "confirm")
    if not case.as_good(again):
        raise Stopped(Inconclusive.UNSTABLE, "the same question without good credentials was answered in two ways")
    return _vulnerable(case, again, weakness, emptied=emptied)


def nowhere(request: Request, situation: Situation) -> Request:
    """The request with the last segment of its path replaced by one that surely does not exist."""
    name = "".join(situation.random.choice("bcdfghjklmnpqrstvwxz") for _ in range(12)).encode()
    path, mark, query = request.target.partition(b"?")
    parent = path.rstrip(b"/").rpartition(b"/")[0]
    return msgspec.structs.replace(request, target=parent + b"/" + name + mark + query)


def _not_open(case: _Case, answers: tuple[Exchange, ...], checked: str) -> Verdict:
    """Safe where credentials matter; inconclusive where only a changing request was seen to differ for unknown reasons."""
    point = case.situation.point
    refused = case.refuses(answers[0])
    if refused and all(case.refuses(answer) for answer in answers):
        return safe(TYPE, point, f"without credentials it {_told(refused)}{checked}")
    if case.safe:
        return safe(TYPE, point, "without credentials it gives another answer")
    return inconclusive(
        TYPE,
        point,
        Inconclusive.NO_CONTROL,
        "without good credentials the answer differs and refuses nothing; the baseline may not be repeated to compare",
    )


def _told(refusal_words: str) -> str:
    return f"answers {refusal_words}" if refusal_words[:1].isdigit() else refusal_words


def _vulnerable(case: _Case, exchange: Exchange, weakness: int, *, emptied: bool) -> Verdict:
    names = ", ".join(sorted({str(point) for point in case.situation.credentials}))
    threat = THREAT_READ if case.safe else THREAT_CHANGE
    if weakness == MISSING:
        title, what = "Answers without credentials", f"Without any credentials ({names} left out)"
    elif emptied:
        title, what = "Takes empty credentials", f"With empty credentials ({names})"
        threat -= PRETENDING
    else:
        title, what = "Takes any credentials", f"With random credentials of the same look ({names})"
        threat -= PRETENDING
    beside = (
        "the baseline, repeated with its own credentials, gives; a path that does not exist is answered differently"
        if case.safe
        else "the recorded baseline had with its own credentials"
    )
    return Verdict(
        outcome=Outcome.VULNERABLE,
        type=TYPE,
        point=tuple(case.situation.point),
        threat=threat,
        cwe=(weakness,),
        title=title,
        proof=Proof(
            test=exchange,
            control=case.control,
            verified_by=f"{what} the answer says all that {beside}. Asked twice.",
        ),
    )


def applies(situation: Situation) -> bool:
    """Where detection found credentials; OPTIONS is answered to everybody by design."""
    return bool(situation.credentials) and situation.baseline.request.method.upper() != "OPTIONS"


def forecast(situation: Situation) -> int:
    """Requests for a sound endpoint: two good answers where they may be asked for, none, garbled and empty credentials.

    A safe request with several credentials is asked once without each of them besides.
    """
    several = len(set(situation.credentials))
    return (2 + (several if several > 1 else 0) if is_safe(situation.baseline.request) else 0) + 3


ENTRY = Entry(
    type=TYPE,
    title="Broken authentication",
    cwe=(MISSING, UNCHECKED),
    owasp=("A07:2021",),
    owasp_api=("API2:2023",),
    why=(
        "Whoever reaches the endpoint may use it as if signed in. No client in use notices, because all of them send their "
        "credentials, so such a hole stays open until somebody tries without."
    ),
    remediation=(
        "Check the caller's credentials before anything else, in one place for all endpoints (a gateway or a middleware "
        "that refuses by default), and verify them: signature, expiry and issuer of a token, the key against the store. "
        "Answer 401 without them. List the endpoints that are public on purpose, and mark them so here."
    ),
)
PROBE = Probe(type=TYPE, entry=ENTRY, whole=True, applies=applies, forecast=forecast, run=concluding(TYPE, _dialogue))
