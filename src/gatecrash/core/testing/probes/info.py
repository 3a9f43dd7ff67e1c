"""Information exposure: answers that show the inside of the server.

What it finds
    Stack traces and debuggers' pages that odd input brings up, and debug pages, secrets (private keys, tokens of known
    services, database addresses with their password, passwords and their hashes in records of somebody and in claims of
    tokens, codes that reset a password or sign in, in the answer to whoever asks for one, settings with what the service signs
    tokens with or reaches its database and other services with), files of the deployment (settings, dumps of databases, version control,
    source code, logs of requests), metrics of the running service, and listings of folders in the endpoint's own
    answer. How to reach several people who write what others read, told with more of them (`oracles/leaks/contacts_of_authors.py`).

Why it matters
    Traces tell paths, versions and code, which shortens every other attack; some debuggers run code; a secret is used
    at once.

How it decides
    Each kind is known by its own form: a trace by its frames, a debugger by its page, a secret by its fixed shape;
    documented example keys, masked values, what the caller sent itself, a key that it has just had made and what is
    another one each time it is asked for are left out. A trace in a good answer is not judged, because a page may
    be about one: traces count in answers that broke over odd input, twice, and that the baseline does not show. Odd
    input is a text of quotes and signs, an empty array or object, a number beyond all ranges, and for names of files a
    null byte, at three points. The values of the request come first. A segment that names a place leads elsewhere when
    it is changed, and so does one in which any word breaks: that is the application's answer to any address, and is
    told once a run; so is, for each address, what all operations of GraphQL and all functions called there by name have
    in common.
    Metrics are told where they are read without credentials. So are secret settings (`jwt_secret`,
    `database.password`); with credentials an answer must tell both what signs and what opens, because a caller may keep
    one of them for a service of his own. What is described as everybody's is asked for without any.

Known misses
    Secrets without a form of their own. Personal data of others than authors: what a caller may see is not known here.

Standards and references
    CWE-209 (errors), CWE-215 (debug pages), CWE-200 (secrets), CWE-213 (contacts), CWE-538 (files of the
    deployment), CWE-548 (listings), CWE-497 (metrics); OWASP Top 10:2021 A05 Security
    Misconfiguration; OWASP API Security Top 10:2023 API8 Security Misconfiguration.
"""

import re
from collections.abc import Generator, Iterator
from typing import NamedTuple

import msgspec

from gatecrash.core.errors import UserError
from gatecrash.core.inventory.identifiers import look_of
from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.points.walk import read, walk
from gatecrash.core.statuses import FIRST_ERROR, FIRST_SERVER_ERROR
from gatecrash.core.testing.asking import ask_raw, response_of
from gatecrash.core.testing.authorization.callers.account_endpoints import RESET, account_request, asks_for_code
from gatecrash.core.testing.authorization.callers.credentials import without_credentials
from gatecrash.core.testing.authorization.callers.holder import holder_values
from gatecrash.core.testing.authorization.fields.balances import is_amount
from gatecrash.core.testing.authorization.tokens.issued_keys import issues_a_key, may_be_issued
from gatecrash.core.testing.dialogues.inquiry import Inquiry, Reply, inquiring
from gatecrash.core.testing.dialogues.refused_here import forget_what_any_word_meets
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.takes_all import may_change
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.known.identity import lower_of
from gatecrash.core.testing.operations.graphql import words_of
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.leaks.accounts import passwords_in, recovery_codes_in
from gatecrash.core.testing.oracles.leaks.contacts_of_authors import contacts_of_authors
from gatecrash.core.testing.oracles.leaks.kinds import CWE_OF, PASSWORD, THREAT_OF, title_of
from gatecrash.core.testing.oracles.leaks.leaks import DEBUG, METRICS, SECRET, TRACE, Leak, leaks, passages
from gatecrash.core.testing.oracles.leaks.secret_settings import SIGNING, secret_settings_in
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.oracles.outcomes.told_errors import tells_errors
from gatecrash.core.testing.payloads.ptrav import is_named_for_files
from gatecrash.core.testing.places.segments import holds_a_value
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Proof, Verdict

TYPE = "info"
CWE = (200, 209, 213, 215, 497, 538, 548)
ODD = ("'\"<>${{%\\", "99999999999999999999999", "[]")
# No name of a file holds it, and who looks for the file is told so by an error.
ODD_IN_NAMES = "a\0"
_MOST_POINTS = 3
_LEAST_OF_OWN = 2
ONE_TIME = Leak(SECRET, "the one-time code that proves who somebody is, which is for the account's owner alone")
RECOVERY = Leak(SECRET, "the code that sets a forgotten password, which is for the account's owner alone")
_FILE = re.compile(r"[^?#@:]*\w\.[A-Za-z]\w{1,4}")

_Deciding = Generator[TestRequest, Answer, Verdict | None]


class _Odd(NamedTuple):
    """A request with odd input, what to call it, where it stands, and whether that is in the name of a place."""

    request: Request
    what: str
    point: Point
    leads_elsewhere: bool


def _dialogue(inquiry: Inquiry) -> Dialogue:
    found = _in_baseline(inquiry)
    if found is not None and not (yield from _is_made_anew(inquiry, found)):
        words = f"The endpoint's own answer holds {found.kind}: {found.what}, known by its form. Nothing was inserted."
        return _vulnerable(inquiry, found, Proof(test=inquiry.control, verified_by=words))
    verdict = yield from _by_no_credentials(inquiry)
    if verdict is not None:
        return verdict
    if destroys(inquiry.situation.baseline.request) is None:
        verdict = yield from _by_odd_input(inquiry)
        if verdict is not None:
            return verdict
    return (yield from inquiry.nothing_found(TYPE))


def _in_baseline(inquiry: Inquiry) -> Leak | None:
    told = sorted(leaks(inquiry.good_text), key=lambda leak: -THREAT_OF[leak.kind])
    found = next((leak for leak in told if _counts(inquiry, leak)), None)
    if found is None or found.kind != SECRET:
        found = _password(inquiry) or _recovery(inquiry) or _setting(inquiry) or found or _contacts(inquiry)
    return found


def _is_made_anew(inquiry: Inquiry, leak: Leak) -> Generator[TestRequest, Answer, bool]:
    """Whether a secret is another one each time: what hashes a text or makes a key for its caller gives nothing away."""
    request, first = inquiry.situation.baseline.request, passages(inquiry.good_text, leak)
    if leak.kind != SECRET or not first or not is_safe(request):
        return False
    again = yield from inquiry.submit(request, "the same again", purpose="confirm")
    others = passages(again.text, leak) if again is not None else frozenset()
    return bool(others) and not first & others


def _counts(inquiry: Inquiry, leak: Leak) -> bool:
    """A page may be about a trace; whoever has credentials may be meant to read metrics, and to have a key made."""
    if leak.kind == METRICS:
        return not inquiry.situation.credentials
    if leak.kind == SECRET:
        return leak not in leaks(_sent(inquiry)) and not _is_issued(inquiry, leak)
    return leak.kind != TRACE or inquiry.good.status >= FIRST_SERVER_ERROR


def _is_issued(inquiry: Inquiry, leak: Leak) -> bool:
    return may_be_issued(leak.what) and issues_a_key(inquiry.situation.baseline.request)


def _sent(inquiry: Inquiry) -> str:
    """What the caller sent itself, which is no news to it."""
    request = inquiry.situation.baseline.request
    return (request.target + b"\0" + request.body).decode("utf-8", "replace")


def _password(inquiry: Inquiry) -> Leak | None:
    """Passwords of accounts in the answer."""
    if inquiry.good.status >= FIRST_ERROR:
        return None
    sent = _sent(inquiry)
    return PASSWORD if any(text not in sent for text in passwords_in(inquiry.good)) else None


def _recovery(inquiry: Inquiry) -> Leak | None:
    """What resets a password or proves who somebody is, in the answer to whoever asked for it in anybody's name."""
    exchange = inquiry.situation.baseline.exchange
    account = account_request(exchange)
    resets = account is not None and account.kind == RESET
    if not (resets or asks_for_code(exchange)) or inquiry.good.status >= FIRST_ERROR:
        return None
    sent = exchange.request.body.decode("utf-8", "replace")
    told = any(code not in sent for code in recovery_codes_in(inquiry.good))
    return (RECOVERY if resets else ONE_TIME) if told else None


def _contacts(inquiry: Inquiry) -> Leak | None:
    """How to reach those who write what others read; whoever stands above somebody may be meant to reach them."""
    situation = inquiry.situation
    if (
        not is_safe(situation.baseline.request)
        or not is_good(inquiry.good)
        or lower_of(situation.identities) is not None
    ):
        return None
    return contacts_of_authors(situation.baseline.request, inquiry.good, holder_values(situation))


def _setting(inquiry: Inquiry) -> Leak | None:
    """Secrets of the service itself; whoever is signed in may keep such settings of his own here, but not several kinds at once."""
    if inquiry.good.status >= FIRST_ERROR:
        return None
    told = secret_settings_in(inquiry.good, _sent(inquiry))
    enough = _LEAST_OF_OWN if inquiry.situation.credentials else 1
    return max(told, key=lambda leak: leak == SIGNING) if len(told) >= enough else None


def _by_no_credentials(inquiry: Inquiry) -> _Deciding:
    """Secrets of the service on a page that is described as everybody's, where it tells them to whoever has no credentials."""
    situation, told = inquiry.situation, secret_settings_in(inquiry.good, _sent(inquiry))
    request = situation.baseline.request
    if not (told and situation.credentials and situation.baseline.exchange.public and is_safe(request)):
        return None
    stranger = yield from ask_raw(without_credentials(request, situation.credentials), "confirm")
    answered = response_of(stranger)
    told &= secret_settings_in(answered, _sent(inquiry)) if is_good(answered) else frozenset()
    if not told:
        return None
    found = max(told, key=lambda leak: leak == SIGNING)
    words = f"Without credentials the endpoint answers with {found.kind}: {found.what}, known by its name. Nothing was inserted."
    return _vulnerable(inquiry, found, Proof(test=stranger, verified_by=words))


def _by_odd_input(inquiry: Inquiry) -> _Deciding:
    known = leaks(text_of(inquiry.good))
    situation = inquiry.situation
    told = situation.memory.told
    anywhere, here = (TYPE, situation.baseline.request.origin), _one_for_all(situation.baseline.request)
    for odd in _odd_requests(situation):
        if (odd.leads_elsewhere and anywhere in told) or here in told:
            return None
        reply = yield from inquiry.submit(odd.request, odd.what)
        if inquiry.blocked:
            yield from forget_what_any_word_meets(inquiry, odd.point)
        if reply is None or not _broke_with(reply, known):
            continue
        again = yield from inquiry.submit(odd.request, odd.what, purpose="confirm")
        if again is None or not _broke_with(again, known):
            continue
        leads_elsewhere = odd.leads_elsewhere or (yield from _leads_any_word_there(inquiry, odd.point, known))
        if (leads_elsewhere and anywhere in told) or here in told:
            return None
        if leads_elsewhere:
            told.add(anywhere)
        if here:
            told.add(here)
        found = max(_broke_with(again, known), key=lambda leak: THREAT_OF[leak.kind])
        words = (
            f"Odd input ({odd.what}) is answered with status {again.reading.status} and a {found.kind} of {found.what}, known "
            f"by its form, twice; the baseline shows none."
        )
        proof = Proof(test=again.exchange, control=inquiry.control, verified_by=words)
        return _vulnerable(inquiry, found, proof)
    return None


def _leads_any_word_there(
    inquiry: Inquiry, point: Point, known: frozenset[Leak]
) -> Generator[TestRequest, Answer, bool]:
    """Whether any word in this segment breaks: then the path leads nowhere, and it is the answer to all such paths."""
    if point[0] != "path":
        return False
    request = inquiry.situation.baseline.request
    if look_of(request.path.decode("latin-1").split("/")[int(point[1]) + 1]) is not None:
        return False
    reply = yield from inquiry.submit(rewrite(request, point, inquiry.mark(10).encode()), "a word", purpose="control")
    return reply is not None and bool(_broke_with(reply, known))


def _one_for_all(request: Request) -> tuple[str, ...]:
    """What stands for the address of all operations of one endpoint, whose errors one place words; empty where the path is all."""
    return (TYPE, request.origin, request.path.decode("latin-1")) if words_of(request) else ()


def _broke_with(reply: Reply, known: frozenset[Leak]) -> frozenset[Leak]:
    """Traces and debug pages that the answer shows and the baseline does not; PHP shows its warnings under a 200 as well, and
    GraphQL and JSON-RPC tell all errors so.
    """
    shown = {leak for leak in leaks(reply.text) - known if leak.kind in (TRACE, DEBUG)}
    if reply.reading.status >= FIRST_ERROR or tells_errors(reply.text):
        return frozenset(shown)
    return frozenset(leak for leak in shown if leak.what == "PHP" and leak.kind == TRACE)


def _odd_requests(situation: Situation) -> Iterator[_Odd]:
    """Odd input at each of the first points in turn; what stands in the name of a place comes last."""
    request = situation.baseline.request
    points = [found for found in walk(request).points if not found.container and _is_value(found.point)]
    named = [(not _is_own(situation, found.point, found.value), found.point) for found in points]
    for leads_elsewhere, point in sorted(named, key=lambda each: each[0])[:_MOST_POINTS]:
        for text in _odd_texts(situation, point):
            try:
                shown = text.replace("\0", "%00")
                yield _Odd(rewrite(request, point, text.encode()), f"{shown} at {point}", point, leads_elsewhere)
            except UserError:
                continue


def _odd_texts(situation: Situation, point: Point) -> Iterator[str]:
    """An amount, or any number in what may change something, gets no number: who takes it would move that much."""
    request = situation.baseline.request
    may_move = may_change(situation.baseline) or is_amount(point[-1])
    amount = may_move and (read(request, point) or b"").replace(b".", b"", 1).isdigit()
    yield from (text for text in ODD if not (amount and text.isdigit()))
    if _may_name_a_file(request, point):
        yield ODD_IN_NAMES


def _may_name_a_file(request: Request, point: Point) -> bool:
    """Whether a value outside of the path names a file, by its parameter or its look."""
    if point[0] == "path":
        return False
    value = (read(request, point) or b"").decode("utf-8", "replace")
    return is_named_for_files(point[-1]) or _FILE.fullmatch(value) is not None


def _is_own(situation: Situation, point: Point, value: bytes) -> bool:
    """Whether what stands there is a value of the request, and no name of a place."""
    return point[0] != "path" or holds_a_value(msgspec.structs.replace(situation, point=point, value=value))


def _is_value(point: Point) -> bool:
    return point[0] in ("get", "path", "post") and len(point) > 1


def _vulnerable(inquiry: Inquiry, leak: Leak, proof: Proof) -> Verdict:
    detail = f"{leak.kind}: {leak.what}"
    verdict = inquiry.vulnerable(ENTRY, THREAT_OF[leak.kind], proof, detail, CWE_OF[leak.kind])
    return msgspec.structs.replace(verdict, title=title_of(leak))


def applies(_situation: Situation) -> bool:
    """Every request."""
    return True


def forecast(situation: Situation) -> int:
    """One request for each odd text at each of the first points."""
    return 0 if destroys(situation.baseline.request) else sum(1 for _ in _odd_requests(situation))


ENTRY = Entry(
    type=TYPE,
    title="Information exposure",
    cwe=CWE,
    owasp=("A05:2021",),
    owasp_api=("API8:2023",),
    why=(
        "What the inside looks like shortens every other attack: paths, versions and code in traces, consoles in debug "
        "pages, and secrets that are used at once."
    ),
    remediation=(
        "Switch debug modes off in production, answer errors with a number and keep their text in the log, and list no "
        "folders. Hand out of what is kept the fields that a reader needs, named one by one: never a password, its hash or a "
        "key. Replace every secret that was shown: it must be taken for known."
    ),
)
PROBE = Probe(type=TYPE, entry=ENTRY, whole=True, applies=applies, forecast=forecast, run=inquiring(TYPE, _dialogue))
