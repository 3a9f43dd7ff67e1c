"""Tokens taken for what they are not meant for: a login hands out several, and each opens what only one of them should.

What it finds
    Refresh tokens, identity tokens and tokens of another audience (another service's, by the claim `aud`) that are taken
    where an access token is asked for.

Why it matters
    A refresh token lives for weeks and is kept where an access token never is; as an access token it outlives every
    log-out and every change of rights. A token for a small service (a chat, a download) becomes a key to all of them.

How it decides
    The recorded answer to a login or a refresh is searched for tokens. The access token is known by its field's name; the
    others must say by name (`refresh_token`, `id_token`) or by claim (`typ`, `token_use`, another `aud`) that they are
    meant for something else. A recorded request with a token in a header, or the address `me` beside the login, is then
    asked with the access token, which must be good, and with it garbled, which must be refused. Another token that is
    answered as the good one, twice, while it is refused once it is garbled, is a finding. Nothing is forged. Where one
    service refuses it, up to two others are asked (`/shop/…` after `/account/…`): behind a gateway each checks by itself.

Known misses
    Tokens that no recorded answer shows, or that have expired since. Tokens that are sent in cookies or bodies.

Standards and references
    CWE-287 and CWE-863; RFC 7519 section 4.1.3 (audience), RFC 8725 sections 3.8, 3.9 and 3.11, RFC 9068 section 4;
    OWASP Top 10:2021 A07; OWASP API Security Top 10:2023 API2 Broken Authentication.
"""

from collections.abc import Generator

from gatecrash.core.message import Exchange
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.asking import ask_raw, concluding, response_of
from gatecrash.core.testing.authorization.callers.credentials import garble
from gatecrash.core.testing.authorization.owners.told_facts import has_nearly_all
from gatecrash.core.testing.authorization.tokens.issued_tokens import Handed, access_of, handed_out, others_of
from gatecrash.core.testing.authorization.tokens.opened import Opened, opened, questions, service_of
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest, once_an_address
from gatecrash.core.testing.verdict import Inconclusive as Reason
from gatecrash.core.testing.verdict import Verdict, inconclusive, safe, vulnerable

TYPE = "auth"
CWE = (287, 863)
THREAT = 65
_MOST_TOKENS, _MOST_SERVICES = 3, 3


def _dialogue(situation: Situation) -> Dialogue:
    answer = situation.baseline.response
    handed = handed_out(answer) if answer is not None else []
    access = access_of(handed)
    assert access is not None
    services: set[str] = set()
    for request, bearing in questions(situation):
        if service_of(request) in services or len(services) == _MOST_SERVICES:
            continue
        endpoint = yield from opened(situation, access.value, request, bearing)
        if endpoint is None:
            continue
        services.add(service_of(request))
        taken = yield from _all_taken(situation, endpoint, others_of(handed, access)[:_MOST_TOKENS])
        if taken:
            return _vulnerable(situation, endpoint, taken)
    if services:
        return safe(TYPE, situation.point, "only the access token is taken")
    detail = "nothing is known that the access token opens, or it has expired since"
    return inconclusive(TYPE, situation.point, Reason.NO_CONTROL, detail)


def _all_taken(
    situation: Situation, endpoint: Opened, others: list[Handed]
) -> Generator[TestRequest, Answer, list[tuple[Handed, Exchange]]]:
    """The tokens that the endpoint takes, each with its second answer."""
    taken: list[tuple[Handed, Exchange]] = []
    for other in others:
        again = yield from _taken(situation, endpoint, other)
        if again is not None:
            taken.append((other, again))
    return taken


def _taken(situation: Situation, endpoint: Opened, other: Handed) -> Generator[TestRequest, Answer, Exchange | None]:
    """The second answer to the other token, where both are as good as the access token's and a garbled one is refused."""
    first = yield from ask_raw(endpoint.with_token(other.value))
    if not has_nearly_all(response_of(first), endpoint.said):
        return None
    garbled = yield from ask_raw(endpoint.with_token(garble(other.value, situation.random)), "control")
    again = yield from ask_raw(endpoint.with_token(other.value), "confirm")
    if has_nearly_all(response_of(garbled), endpoint.said) or not has_nearly_all(response_of(again), endpoint.said):
        return None
    return again


def _vulnerable(situation: Situation, endpoint: Opened, taken: list[tuple[Handed, Exchange]]) -> Verdict:
    where = f"{endpoint.request.method} {endpoint.request.path.decode('latin-1')}"
    first, again = taken[0]
    told = " and ".join(f"{other.name!r}, {other.why}" for other, _ in taken)
    return vulnerable(
        ENTRY,
        situation.point,
        detail=", ".join(f"{other.name} at {where}" for other, _ in taken),
        threat=THREAT,
        title=f"{first.kind} are accepted as access tokens",
        test=again,
        control=endpoint.good,
        verified_by=(
            f"The answer to this request holds {told}. {where} gives each what it gives to the access token, twice; "
            "garbled they are refused."
        ),
    )


def applies(situation: Situation) -> bool:
    """Answers that hand out an access token and another one beside it."""
    request, response = situation.baseline.request, situation.baseline.response
    if response is None or response.status >= FIRST_ERROR or is_safe(request):
        return False
    handed = handed_out(response)
    access = access_of(handed)
    return access is not None and bool(others_of(handed, access))


def forecast(situation: Situation) -> int:
    """The access token and a garbled one where it is good, and each of the others."""
    answer = situation.baseline.response
    handed = handed_out(answer) if answer is not None else []
    access = access_of(handed)
    return 2 + len(others_of(handed, access)[:_MOST_TOKENS]) if access is not None else 2


ENTRY = Entry(
    type=TYPE,
    title="Tokens are accepted for a purpose they were not issued for",
    cwe=CWE,
    owasp=("A07:2021",),
    owasp_api=("API2:2023",),
    why=(
        "A token that lives long, or that was given to a service of little weight, opens everything. Whoever finds one in "
        "a backup, a browser's store or another service's log is signed in for weeks, log-outs notwithstanding."
    ),
    remediation=(
        "Say in each token what it is for (`aud`, and `typ` or `token_use`), and refuse at every service what is not for "
        "it: pass the expected audience and issuer to the library, and take access tokens only. Sign refresh tokens with "
        "another key, or make them opaque."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="purpose",
    entry=ENTRY,
    whole=True,
    of_answers=True,
    collected=once_an_address,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
