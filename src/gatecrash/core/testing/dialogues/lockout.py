"""Logins that lock accounts: wrong passwords go with the right login in between, and end where that is refused.

    dialogue = sparing(check.probe, situation, tries)

Whatever stands in the field is one more wrong password to the application, and many lock an account after three or five.
Most forget the wrong ones over a right one, so the recorded login is sent after every two. Where it is refused, the account
is locked, and answers say nothing of payloads any more: inconclusive, there and in all later tests that send a wrong one. A
login may be repeated: signing in changes nothing that anybody has.

An account has several baselines, by a form and by an API, which are tested at once: what was tried is counted for all of them,
whichever probe tried it. An answer that looks as if it let in is no sign that it did: only the recorded login is.

Some lead everybody on to one page, and tell only there who was let in. Nothing shows then whether the right login was one, as its
form token may have been stale: the account sees two wrong passwords in a run, and no more.
"""

from collections.abc import Generator

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read
from gatecrash.core.statuses import FIRST_ERROR, FIRST_REDIRECT, FIRST_SERVER_ERROR
from gatecrash.core.testing.authorization.callers.account_endpoints import LOGIN, account_request, lets_in
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.difference import read as reading_of
from gatecrash.core.testing.oracles.difference import same_but_for_numbers
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.testing.oracles.outcomes.told_errors import tells_errors
from gatecrash.core.testing.places.segments import is_name
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.profiles.recorded_logins import secret_of
from gatecrash.core.testing.verdict import Inconclusive, Verdict, inconclusive

MOST_WRONG = 2
"""So many wrong passwords in a row; the strictest common rule locks after three."""

LOCKED = (
    "the account was locked, or its logins are limited, after wrong passwords; test this field with another account"
)
UNTOLD = (
    "right and wrong logins are answered alike, so that nothing shows whether the account is being locked; no more wrong "
    "passwords were sent"
)
UNANSWERED = "the right login was not answered between wrong ones; no more wrong passwords were sent"
_TOO_MANY = 429


class Account:
    """What a run has tried at one account. ended: why it is tried no more, "" while it is."""

    def __init__(self) -> None:
        """Nothing was tried yet."""
        self.ended = ""
        # Wrong passwords since the last right one, those among them that are not answered yet, and the answers of the others.
        self.wrong = 0
        self.under_way = 0
        self.answers: list[Response] = []
        # Whether a wrong password was ever answered otherwise than the right one, and how it was refused.
        self.is_told_apart = False
        self.refused: Response | None = None

    def trying(self, asked: TestRequest) -> Generator[TestRequest, Answer, Answer]:
        """A wrong password."""
        self.wrong += 1
        self.under_way += 1
        try:
            answer = yield asked
        finally:
            self.under_way -= 1
        if answer.exchange.response is not None:
            self.answers.append(answer.exchange.response)
        return answer

    def signing_in(self, baseline: Baseline) -> Generator[TestRequest, Answer, None]:
        """The right login, over which the wrong ones before it are forgotten."""
        right = (yield TestRequest(baseline.request, "control")).exchange.response
        assert baseline.response is not None
        if right is None:
            self.ended = UNANSWERED
            return
        for wrong in self.answers:
            if not _alike(right, wrong):
                self.is_told_apart = True
                self.refused = wrong if wrong.status < FIRST_SERVER_ERROR else self.refused
        if not _as_good(right, baseline.response) or (self.refused is not None and _alike(right, self.refused)):
            self.ended = LOCKED
        elif not self.is_told_apart and self.answers and _tells_nothing(right):
            self.ended = UNTOLD
        self.wrong, self.answers = self.under_way, []


class Tries:
    """What a run has tried at all accounts."""

    def __init__(self) -> None:
        """Nothing was tried yet."""
        self._accounts: dict[tuple[str, int, bytes], Account] = {}

    def of(self, request: Request, whose: bytes) -> Account:
        """What was tried at somebody's account."""
        return self._accounts.setdefault((request.host, request.port, whose.lower()), Account())


def password_of(baseline: Baseline) -> Point | None:
    """Where the password stands in a login that let its sender in; None where the baseline is none."""
    account, good = account_request(baseline.exchange), baseline.response
    if good is None or good.status >= FIRST_ERROR or refusal(good):
        return None
    if account is None:
        return secret_of(baseline.request) if lets_in(good) else None
    return account.password if account.kind == LOGIN else None


def is_within(point: Point, password: Point | None) -> bool:
    """Whether a point is the password's, or decoded inside it."""
    return password is not None and point[: len(password)] == password


def sparing(probe: Probe, situation: Situation, tries: Tries) -> Dialogue:
    """The probe's dialogue; at a login one that spares the account. tries: the run's."""
    dialogue = probe.run(situation)
    password = password_of(situation.baseline)
    if password is None or password[:1] not in (("post",), ("header",)):
        return dialogue
    return _between(probe.type, dialogue, situation, password, tries)


def _between(type_: str, dialogue: Dialogue, situation: Situation, password: Point, tries: Tries) -> Dialogue:
    """Counts wrong passwords, and asks for the recorded login in time."""
    baseline, named = situation.baseline, account_request(situation.baseline.exchange)
    name = named.name if named is not None else None
    account = tries.of(baseline.request, named.value.encode() if named else read(baseline.request, password) or b"")
    try:
        asked = next(dialogue)
        while True:
            # At the field itself the name of the field may change as well (`password[$ne]`); another name beside it
            # leaves the right password where it is.
            is_beside = is_name(situation.point) and not _has_another(asked.request, baseline.request, password)
            is_there = is_within(situation.point, password) and asked.request != baseline.request and not is_beside
            if not (is_there or _is_wrong(asked.request, baseline.request, name, password)):
                answer = yield asked
            else:
                # Another baseline of the account may have used up what may be tried.
                if account.wrong >= MOST_WRONG and not account.ended:
                    yield from account.signing_in(baseline)
                if account.ended:
                    break
                answer = yield from account.trying(asked)
                response = answer.exchange.response
                if account.wrong >= MOST_WRONG or (response is not None and response.status == _TOO_MANY):
                    yield from account.signing_in(baseline)
            asked = dialogue.send(answer)
    except StopIteration as end:
        verdict: Verdict = end.value
        return verdict
    finally:
        dialogue.close()
    return inconclusive(type_, situation.point, Inconclusive.RATE_LIMITED, account.ended)


def _is_wrong(request: Request, recorded: Request, name: Point | None, password: Point) -> bool:
    """Whether it tries another password than the recorded one at the account."""
    if request.path != recorded.path or not _has_another(request, recorded, password):
        return False
    return name is None or read(request, name) == read(recorded, name)


def _has_another(request: Request, recorded: Request, password: Point) -> bool:
    return read(request, password) != read(recorded, password)


def _as_good(response: Response, good: Response) -> bool:
    """Whether an answer lets in as the recorded one did; errors that one alone tells under a good status are a refusal."""
    if tells_errors(text_of(response)) and not tells_errors(text_of(good)):
        return False
    return response.status == good.status and lets_in(response) == lets_in(good) and refusal(response, good) is None


def _alike(one: Response, other: Response) -> bool:
    """Whether nothing tells two answers of a login apart."""
    if one.first(b"Location") != other.first(b"Location") or lets_in(one) != lets_in(other):
        return False
    return same_but_for_numbers(reading_of(one), reading_of(other))


def _tells_nothing(right: Response) -> bool:
    """Whether an answer as that of the right login may be a refusal as well."""
    return FIRST_REDIRECT <= right.status < FIRST_ERROR or not lets_in(right)
