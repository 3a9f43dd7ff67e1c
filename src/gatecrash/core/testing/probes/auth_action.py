"""A call by SOAP that is refused by the action in its header, and done under another one.

What it finds
    Functions that a guard keeps from whoever brings no credentials, or from the caller himself, by the action that the
    request names beside its message (`SOAPAction`, or `action` of the media type), while the message itself says what
    is done.

Why it matters
    The action is one more word of the client's. A guard that reads it, before a service that reads the message, keeps
    out nobody who writes another word.

How it decides
    Only calls that read, whose action ends with their function's name, are asked. Without credentials the call must be
    refused. Then its action names, in the place of the function, a fresh word, nothing, or a function that this run saw
    answered without credentials. The answer must say all that the good one says, three times, while the call with its
    own action is refused in between and afterwards. Where the recorded call itself was refused, in words of who may,
    it is sent as it is; what lets in must then be the function's own answer by its name (`GetLedgerResponse`), with
    something in it, and a function of a made-up name must not be answered so under the same action.

Known misses
    Services that do what the action says, whatever function the message names. Functions that change something; refused
    ones whose answer has another name. Guards
    that let nothing in but a few actions, where none of these was tested before.

Standards and references
    CWE-288, CWE-290; SOAP 1.1 section 6.1.1; WSDL 1.1 section 2.4.5; RFC 3902; OWASP Top 10:2021 A01 Broken Access Control;
    OWASP API Security Top 10:2023 API5 Broken Function Level Authorization.
"""

import re
from collections.abc import Callable, Generator, Iterator
from typing import NamedTuple

import msgspec

from gatecrash.core.inventory.protocols.soap import first_element
from gatecrash.core.message import Exchange, Request, Response, with_header
from gatecrash.core.testing.asking import ask_raw, concluding, response_of
from gatecrash.core.testing.authorization.callers.credentials import without_credentials
from gatecrash.core.testing.authorization.openness.access import Access, may_be_repeated, sample_repeatable
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.outcomes.refused import is_good, refusal
from gatecrash.core.testing.oracles.outcomes.told_errors import tells_errors
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import safe, vulnerable

TYPE = "auth"
CWE = (288, 290)
THREAT = 75
_SAYS_ACTION = frozenset({b"soapaction", b"content-type"})
_FOR_EVERYBODY = "action for everybody"
_MOST_KNOWN, _MOST_READ = 2, 20_000
# What a refusal speaks of, in a fault of a call.
_OF_RIGHTS = re.compile(
    r"(?<![a-z])(?:admin(?:istrator)?s?|roles?|privileges?|rights?|permissions?|permitted|allowed|denied|restricted|un-?authori[sz]ed|authori[sz]ed"
    r"|unauthenticated|authenticated|(?:log|sign)(?:ged|ned)? in|credentials?)(?![a-z])",
    re.IGNORECASE,
)
# Between two tags stands more than white space.
_SOMETHING = re.compile(r">(?!\s*+(?:<|\Z))")
# Under another action or its own: twice in a row, so that no limit fits that lets every other one through.
_IN_TURNS = (False, False, True, True, False)


class _Course(NamedTuple):
    """How other actions are tried. plain: the call that is refused under its own one. lets_in, refuses: what an answer to it is.

    by_name: whether an answer is known by the function's name, so that a made-up function must not be answered so. told: the proof.
    """

    plain: Request
    lets_in: Callable[[Exchange], bool]
    refuses: Callable[[Exchange], bool]
    by_name: bool
    told: str


def _dialogue(situation: Situation) -> Dialogue:
    course = _refused_to_all(situation) if _was_refused(situation) else (yield from _let_in_by_credentials(situation))
    if course is None:
        return safe(TYPE, situation.point, "it is refused to nobody")
    for action in _others(situation):
        asked = {False: course.plain, True: _under(course.plain, action)}
        found = yield from ask_raw(asked[True], "test")
        if not course.lets_in(found):
            continue
        if course.by_name and (yield from _answers_any(situation, asked[True])):
            return safe(TYPE, situation.point, "any function is answered so")
        seen: dict[bool, Exchange] = {}
        for is_other in _IN_TURNS:
            seen[is_other] = yield from ask_raw(asked[is_other], "confirm" if is_other else "control")
            if not (course.lets_in(seen[True]) if is_other else course.refuses(seen[False])):
                return safe(TYPE, situation.point, "the action makes no difference, or not each time")
        return vulnerable(
            ENTRY,
            situation.point,
            threat=THREAT,
            test=found,
            control=seen[False],
            verified_by=course.told.format(action=repr(action.decode("latin-1"))),
        )
    return safe(TYPE, situation.point, "no other action lets in")


def _let_in_by_credentials(situation: Situation) -> Generator[TestRequest, Answer, _Course | None]:
    """Without credentials, judged by the answer that they bring; None where that is the same without them."""
    access = Access(situation, (yield from sample_repeatable(situation)))
    access.check_comparable()
    bare = without_credentials(situation.baseline.request, situation.credentials)
    if not _refuses(access, (yield from ask_raw(bare, "control"))):
        situation.memory.told.add((_FOR_EVERYBODY, bare.origin, first_element(bare.body) or ""))
        return None
    told = (
        "Without credentials the call is refused under its own action. Under {action} in the place of its function's name it was "
        "answered three times as it is with them; in between and afterwards it was refused."
    )
    return _Course(bare, access.as_good, lambda seen: _refuses(access, seen), by_name=False, told=told)


def _refused_to_all(situation: Situation) -> _Course:
    """Where nobody was seen let in: the function's own answer says that it was called."""
    plain = situation.baseline.request
    function = _function(plain)
    told = (
        "The call is refused under its own action. Under {action} in the place of its function's name the function's own answer came "
        "three times; in between and afterwards the call was refused, and under the same action a function of a made-up name is not "
        "answered so."
    )
    return _Course(
        plain,
        lambda seen: _is_answer_of(seen, function),
        lambda seen: not _is_answer_of(seen, function) and _speaks_of_rights(response_of(seen)),
        by_name=True,
        told=told,
    )


def _answers_any(situation: Situation, asked: Request) -> Generator[TestRequest, Answer, bool]:
    """Whether a function that nobody wrote is answered by its name as well."""
    made_up = "Get" + fresh_letters(situation.random, 8)
    return _is_answer_of((yield from ask_raw(_calling(asked, made_up), "control")), made_up)


def _was_refused(situation: Situation) -> bool:
    """Whether the recorded call was refused, in words of who may."""
    response = situation.baseline.response
    return response is not None and _speaks_of_rights(response)


def _speaks_of_rights(response: Response) -> bool:
    if refusal(response) is not None:
        return True
    text = text_of(response)
    return tells_errors(text) and _OF_RIGHTS.search(text[:_MOST_READ]) is not None


def _is_answer_of(exchange: Exchange, function: str) -> bool:
    """Whether an answer is that of the function, by the name that it has (WSDL 1.1, section 2.4.5), with something in it."""
    response = response_of(exchange)
    text = text_of(response)[:_MOST_READ]
    if not is_good(response) or tells_errors(text):
        return False
    names = (function + "Response", function + "Result")
    return first_element(text.encode()) in names and _SOMETHING.search(text) is not None


def _function(request: Request) -> str:
    return first_element(request.body) or ""


def _calling(request: Request, name: str) -> Request:
    """The same call of a function of another name."""
    body = re.sub(
        rb"(?<![\w.-])" + re.escape(_function(request).encode()) + rb"(?![\w.-])", name.encode(), request.body
    )
    headers = with_header(request.headers, b"Content-Length", str(len(body)).encode())
    changed: Request = msgspec.structs.replace(request, headers=headers, body=body)
    return changed


def _refuses(access: Access, exchange: Exchange) -> bool:
    return bool(access.refuses(exchange)) or tells_errors(text_of(response_of(exchange)))


def _others(situation: Situation) -> Iterator[bytes]:
    """What is put in the place of the function's name."""
    yield fresh_letters(situation.random, 10).encode()
    yield b""
    origin = situation.baseline.request.origin
    known = (told[2] for told in sorted(situation.memory.told) if told[:2] == (_FOR_EVERYBODY, origin))
    yield from [name.encode() for name in known if name][:_MOST_KNOWN]


def _under(request: Request, name: bytes) -> Request:
    """The same message beside an action that names something else."""
    own = _ending(request)
    headers = tuple(
        (header, own.sub(name, value) if header.lower() in _SAYS_ACTION else value) for header, value in request.headers
    )
    changed: Request = msgspec.structs.replace(request, headers=headers)
    return changed


def _ending(request: Request) -> re.Pattern[bytes]:
    """The function's name at the end of an action."""
    return re.compile(rb"(?<![\w.-])" + re.escape((first_element(request.body) or "").encode()) + rb"(?![\w./#:-])")


def applies(situation: Situation) -> bool:
    """Calls by SOAP that only read, whose action names their function: with credentials, or refused when they were recorded."""
    request, response = situation.baseline.request, situation.baseline.response
    if response is None or not first_element(request.body) or not may_be_repeated(request):
        return False
    said = (value for header, value in request.headers if header.lower() in _SAYS_ACTION)
    if not any(map(_ending(request).search, said)):
        return False
    let_in = is_good(response) and not tells_errors(text_of(response))
    return bool(situation.credentials) if let_in else _was_refused(situation)


def forecast(situation: Situation) -> int:
    """The good answer twice, one without credentials, and two under other actions; of what is refused these two, and a made-up function."""
    return 3 if _was_refused(situation) else 5


ENTRY = Entry(
    type=TYPE,
    title="A call is let in under another action",
    cwe=CWE,
    owasp=("A01:2021",),
    owasp_api=("API5:2023",),
    why=(
        "The guard reads the action that the request names, and the service does what the message says. Whoever writes another action is "
        "let in to every function without credentials."
    ),
    remediation=(
        "Check rights where the function is called, by the message that is carried out, and refuse messages whose action is not that of "
        "their function (SOAP 1.1 section 6.1.1)."
    ),
)
PROBE = Probe(
    type=TYPE,
    entry=ENTRY,
    name="action",
    whole=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
