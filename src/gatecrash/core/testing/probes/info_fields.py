"""Secrets that an answer holds once it is asked for them: `?fields=id,name,password_hash`, `?expand=menu,owner`.

What it finds
    Parameters that choose which fields an answer has, or which objects stand within it, and that give away passwords,
    their hashes and other secrets of a fixed form when their names are added to the list.

Why it matters
    Whoever guesses a column's name reads what no page shows: hashes that are tried at leisure, keys that are used at once.

How it decides
    The parameter is named as such parameters are (`fields`, `select`, `include`, `expand`). Of a list of fields each
    must be a member of the recorded answer; then the usual names of secrets are added, one a request. Where objects are
    included, what the answer's identifiers name is (`owner` of `owner_id`). The answer must hold a secret that is known
    by its form and that neither the recorded answer nor the answer with a made-up name holds, twice.

Known misses
    Secrets without a form of their own, personal data, names of the application's own, and parameters that were not recorded.

Standards and references
    CWE-200, CWE-213; OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security Top 10:2023 API3 Broken Object Property
    Level Authorization.
"""

import re
from collections.abc import Generator

import msgspec

from gatecrash.core.message import Response
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.asking import response_of
from gatecrash.core.testing.dialogues.inquiry import Inquiry, Reply, inquiring
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.leaks.accounts import passwords_in
from gatecrash.core.testing.oracles.leaks.kinds import PASSWORD, THREAT_OF, title_of
from gatecrash.core.testing.oracles.leaks.leaks import SECRET, Leak, leaks
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Proof, Verdict

TYPE = "info"
CWE = (200, 213)
_FIELDS = re.compile(
    r"\$?(?:fields?|select|only|attributes|attrs|columns|cols|props|properties|projection)(?:\[\w*\])?"
)
_OBJECTS = re.compile(r"\$?(?:expand|include|includes|embed|populate|with|relations)(?:\[\w*\])?")
_WORDS = re.compile(r"[A-Za-z_][\w.-]*(?:,\s?[A-Za-z_][\w.-]*)*")
_NAMES = ("password", "password_hash", "passwordHash", "hashed_password", "passwd", "api_key", "secret")
_REFERS = re.compile(r"(\w+?)(?:_id|Id|_uuid)")
_MOST_OBJECTS = 4


def _dialogue(inquiry: Inquiry) -> Dialogue:
    for name in _added(inquiry.situation):
        verdict = yield from _given(inquiry, name)
        if verdict is not None:
            return verdict
    return (yield from inquiry.nothing_found(TYPE))


def _given(inquiry: Inquiry, name: str) -> Generator[TestRequest, Answer, Verdict | None]:
    """Whether the answer holds a secret with this name in the list, twice, and none with a made-up one."""
    leak = _secret(inquiry, (yield from inquiry.send(f"{inquiry.value},{name}")))
    if leak is None:
        return None
    made_up = f"{inquiry.value},{inquiry.mark(8)}"
    control = yield from inquiry.send(made_up, purpose="control")
    again = yield from inquiry.send(f"{inquiry.value},{name}", purpose="confirm")
    if control is None or again is None or _secret(inquiry, control) or _secret(inquiry, again) != leak:
        return None
    proof = Proof(
        test=again.exchange,
        control=control.exchange,
        verified_by=(
            f"With {name!r} added to the list the answer holds {leak.kind}: {leak.what}, known by its form, twice. Neither the recorded "
            f"answer nor the one to {made_up!r} holds it."
        ),
    )
    verdict = inquiry.vulnerable(ENTRY, THREAT_OF[SECRET], proof, f"{name!r} is given to whoever asks for it")
    titled: Verdict = msgspec.structs.replace(verdict, title=title_of(leak))
    return titled


def _secret(inquiry: Inquiry, reply: Reply | None) -> Leak | None:
    """A secret that an answer holds and the recorded one does not."""
    if reply is None or reply.reading.status >= FIRST_ERROR:
        return None
    response = response_of(reply.exchange)
    found = {leak for leak in leaks(text_of(response)) if leak.kind == SECRET} - leaks(inquiry.good_text)
    if passwords_in(response) - passwords_in(inquiry.good):
        found.add(PASSWORD)
    return min(found, default=None)


def _added(situation: Situation) -> list[str]:
    """The names that are added to the list, one a request; none where it is no such list."""
    response, value = situation.baseline.response, situation.value.decode("utf-8", "replace")
    if response is None or response.status >= FIRST_ERROR or not _WORDS.fullmatch(value):
        return []
    listed = {word.strip() for word in value.split(",")}
    members = _members(response)
    if _FIELDS.fullmatch(situation.point[-1].lower()):
        return [name for name in _NAMES if name not in listed] if listed <= members else []
    if not _OBJECTS.fullmatch(situation.point[-1].lower()):
        return []
    referred = dict.fromkeys(match[1] for name in sorted(members) if (match := _REFERS.fullmatch(name)))
    return [name for name in referred if name not in listed][:_MOST_OBJECTS]


def _members(response: Response) -> set[str]:
    return {name for leaf in leaves(response) for name in leaf.path}


def applies(situation: Situation) -> bool:
    """Parameters of the query that choose what an answer holds."""
    if situation.point[0] != "get" or len(situation.point) != len(("get", "name")):
        return False
    return situation.baseline.request.method.upper() == "GET" and bool(_added(situation))


def forecast(situation: Situation) -> int:
    """One request for each name."""
    return len(_added(situation))


ENTRY = Entry(
    type=TYPE,
    title="Fields are given to whoever names them",
    cwe=CWE,
    owasp=("A01:2021",),
    owasp_api=("API3:2023",),
    why=(
        "The client chooses which columns the answer holds, and columns that no page shows are among them: hashes of passwords "
        "and keys are read with one more word in the address."
    ),
    remediation=(
        "Compare the names with a list of fields that may be shown, for each kind of object and each role, and leave out or refuse all "
        "others. Do not serialise database rows as they are."
    ),
)
PROBE = Probe(type=TYPE, name="fields", entry=ENTRY, applies=applies, forecast=forecast, run=inquiring(TYPE, _dialogue))
