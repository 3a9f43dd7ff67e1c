"""Passwords of others, set: a request that sets the password of a named account is done for another caller.

What it finds
    Changing requests that send a password for the account that their address, their body or an argument of a GraphQL mutation
    names, and are done for another identity of no higher rank.

Why it matters
    Whoever sets another's password signs in as him. Nothing else needs to be broken.

How it decides
    The account must be named by what says who the owner is: his token, his login, or the answer to `me` when it was
    recorded. Only the recorded request is sent, so the password stays what it is. First the owner sends it for an
    account that does not exist: an answer as for his own, but for the name that it repeats, says that the name
    decides nothing (whoever keeps his passwords for other sites there writes any name), and the other identity is
    asked for nothing. The same without credentials must be refused. Then the other identity sends it, and must be
    answered as the owner was, twice; for the account that does not exist it must be answered otherwise. A form with
    all the request's fields that anybody is shown is where one signs in, and no password is set by it.

Known misses
    Applications that ask for the old password besides: it is sent along, and is the right one.
    Answers that do not tell an account that exists from one that does not.

Standards and references
    CWE-639, CWE-620; OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security Top 10:2023 API1 Broken Object Level
    Authorization.
"""

import re
from collections.abc import Generator, Iterable

from gatecrash.core.message import Exchange, Request, reading
from gatecrash.core.testing.asking import ask, ask_as, concluding, response_of
from gatecrash.core.testing.authorization.callers.account_endpoints import account_request, brings_a_password
from gatecrash.core.testing.authorization.callers.holder import holder_values
from gatecrash.core.testing.authorization.fields.sent_objects import body_of
from gatecrash.core.testing.authorization.objects.named import absent, asking_for, named_fields, named_objects
from gatecrash.core.testing.authorization.openness.access import Access
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.forms.pages import form_page_of
from gatecrash.core.testing.known.identity import Identity, peer_of
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.known.page import Page
from gatecrash.core.testing.operations.graphql import MUTATES, address_of, operation_of
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.outcomes.refused import is_taken
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Verdict, safe, vulnerable
from gatecrash.core.words.named import ByteWords, Words

TYPE = "idor"
CWE = (639, 620)
THREAT = 92
_NOBODY = ""
_PASSWORD = Words(r"passw|passphrase|^pwd$|^pass$|new_?pass", re.IGNORECASE)
_FIELD = re.compile(r"<(?:input|select|button|textarea)\b[^<>]{0,300}?\bname\s*=\s*[\"']?([^\"'\s>]+)", re.IGNORECASE)
_ASKED = re.compile(r"<input\b[^<>]{0,300}\btype\s*=\s*[\"']?password", re.IGNORECASE)
_LOGIN = ByteWords(rb"log[-_]?in|sign[-_]?(?:in|up)|regist|/sessions?(?:/|$)|/tokens?(?:/|$)|oauth", re.IGNORECASE)


def _dialogue(situation: Situation) -> Dialogue:
    other, named = peer_of(situation.identities), _account(situation)
    assert other is not None
    assert named is not None
    access = Access(situation, [situation.baseline.exchange])
    nobodys = absent(named.value, situation.random)
    elsewhere, echoes = asking_for(access.request, named, nobodys), {nobodys: named.value}
    if elsewhere is None:
        return safe(TYPE, situation.point, "no other account can be named in that place")
    unknown = yield from ask(elsewhere, "control")
    if access.as_good(unknown, echoes):
        return safe(TYPE, situation.point, "an account that does not exist is answered alike")
    stranger = yield from ask_as(access.request, _NOBODY, "control")
    if access.as_good(stranger):
        return safe(TYPE, situation.point, "anybody may do so without credentials, which is told elsewhere")
    seen = yield from ask_as(access.request, other.name)
    if not access.as_good(seen):
        return safe(TYPE, situation.point, "the other identity is answered otherwise")
    unknown = yield from ask_as(elsewhere, other.name, "control")
    again = yield from ask_as(access.request, other.name, "confirm")
    if access.as_good(unknown, echoes) or not access.as_good(again):
        return safe(TYPE, situation.point, "the answers do not follow the account")
    if (yield from _is_everybodys(access.request, situation.pages)):
        return safe(TYPE, situation.point, "the form is shown to everybody: it lets in")
    return _vulnerable(access, named, other, again)


def _vulnerable(access: Access, named: Named, other: Identity, exchange: Exchange) -> Verdict:
    return vulnerable(
        ENTRY,
        named.point,
        detail=f"{other.name!r} sets the password of {named.value!r}",
        threat=THREAT,
        test=exchange,
        control=access.control,
        verified_by=(
            f"The recorded request, which sets the password of {named.value!r} to what it is, was sent as the identity "
            f"{other.name!r} and answered as it was for the owner, twice. That the account is the owner's: it is named "
            "by what says who the owner is. For an account that does not exist the answer is another, and without "
            "credentials it is refused."
        ),
    )


def _is_everybodys(request: Request, pages: Iterable[Page]) -> Generator[TestRequest, Answer, bool]:
    """Whether who has not signed in is shown the request's own form: a login that keeps the session it came with, and has a
    token of that session in its form, is refused without credentials and answered by the account, too.
    """
    for target in dict.fromkeys((request.path, form_page_of(request, pages) or request.path)):
        form = reading(request, target)
        if destroys(form):
            continue
        text = text_of(response_of((yield from ask_as(form, _NOBODY, "control"))))
        shown = {found.group(1) for found in _FIELD.finditer(text)}
        if _ASKED.search(text) and shown >= set(body_of(request) or {}):
            return True
    return False


def _account(situation: Situation) -> Named | None:
    """The account that the address names, else the body: the identifier that is the owner's own."""
    own = holder_values(situation)
    request = situation.baseline.request
    named = named_fields(request, own) + named_objects(request, own)
    return next((each for each in reversed(named) if each.value.lower() in own), None)


def _sets_password(request: Request) -> bool:
    operation = operation_of(request)
    if operation is not None:
        return operation.type == MUTATES and brings_a_password(request)
    body = body_of(request) or {}
    return any(_PASSWORD.search(name) and isinstance(value, str) and value for name, value in body.items())


def _lets_in(exchange: Exchange) -> bool:
    """Whether a request signs in or registers, by its address or, of GraphQL, where all have one, by its fields and its answer, too."""
    if _LOGIN.search(address_of(exchange.request).encode()):
        return True
    return operation_of(exchange.request) is not None and account_request(exchange) is not None


def applies(situation: Situation) -> bool:
    """Changing requests that send a password for the owner's own account, were answered well, and have a peer to ask as."""
    request, response = situation.baseline.request, situation.baseline.response
    if is_safe(request) or request.method.upper() not in ("PUT", "PATCH", "POST") or not situation.credentials:
        return False
    if response is None or not is_taken(response):
        return False
    if peer_of(situation.identities) is None or _lets_in(situation.baseline.exchange) or not _sets_password(request):
        return False
    return _account(situation) is not None


def forecast(_situation: Situation) -> int:
    """The owner for an account that does not exist, nobody, and the other, who is refused."""
    return 3


ENTRY = Entry(
    type=TYPE,
    title="Passwords of other users can be set",
    cwe=CWE,
    owasp=("A01:2021",),
    owasp_api=("API1:2023",),
    why="Any signed-in caller sets the password of any account that he can name, and signs in as its owner.",
    remediation=(
        "Take the account from the caller's session, never from the address or the body. Ask for the old password, end the "
        "account's other sessions, and tell its owner. Let administrators reset passwords by a function of its own."
    ),
)
PROBE = Probe(
    type=TYPE,
    entry=ENTRY,
    name="password",
    whole=True,
    as_others=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
