"""Command injection of the second order: a value that one request keeps becomes part of a command line when another one is sent.

What it finds
    Names, paths and hosts of jobs, exports and backups that are only kept at first, and that a shell reads when a
    recorded request about the same object sets that off: `POST /jobs/4/run` after `POST /jobs` or `PUT /jobs/4`, a page
    below it, or a page beside it that is asked for it by its identifier (`/jobs/convert?job_id=4`).

Why it matters
    Whoever runs commands has the server. What comes out of the application's own store is often taken for safe.

How it decides
    The value gets a second command, which prints the product of two random numbers between random letters and waits two
    seconds. Then the recorded request is sent, with the identifier that the answer gave out in the place of the
    recorded one. The product must be shown there, again with fresh numbers, and not where it is plain text; or the
    answers of that request follow the waits that were kept, in random order, by an exact randomisation test
    (`oracles/timing.py`).
    Only texts are asked for, where the record shows such a request whose name may start a program (`run`, `export`,
    `backup`). An object that was changed is changed back.

Known misses
    Requests of other names. What a schedule or a worker in the background runs, and what is shown on another page
    alone. Requests about the object that stand elsewhere, or that were not recorded. Windows.

Standards and references
    CWE-78; OWASP Top 10:2021 A03 Injection; OWASP API Security Top 10:2019 API8 Injection; POSIX.1-2017, Shell Command Language.
"""

import re
from collections.abc import Generator

from gatecrash.core.inventory.identifiers import look_of
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.asking import Stopped, concluding
from gatecrash.core.testing.dialogues.commands import runs_command
from gatecrash.core.testing.dialogues.later import asking_later, put_back
from gatecrash.core.testing.dialogues.set_off import actions
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.payloads.rce import SEQUENCE, SUBSTITUTED, Way, unended
from gatecrash.core.testing.places.plain_values import is_literal
from gatecrash.core.testing.places.segments import holds_a_value
from gatecrash.core.testing.policy import is_thorough
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Verdict, safe

TYPE = "rce"
CWE = (78,)
# As `rce` has it: output is read at once, or the time tells.
THREAT_SHOWN, THREAT_BLIND = 100, 95
_CHANGING = ("POST", "PUT", "PATCH")
_STARTS = re.compile(
    r"run|start|exec|trigger|launch|build|deploy|process|convert|export|generat|render|print|sync|backup|restore|download|archive|zip"
    r"|pack|scan|check|test|ping|probe|refresh|import|output|logs?$|result|report|thumb|preview",
    re.IGNORECASE,
)


def _dialogue(situation: Situation) -> Dialogue:
    verdict: Verdict | None = None
    try:
        for action in _actions(situation):
            verdict = verdict or (yield from _set_off(situation, action))
    except Stopped:
        yield from put_back(situation)
        raise
    yield from put_back(situation)
    return verdict or safe(TYPE, situation.point)


def _set_off(situation: Situation, action: str) -> Generator[TestRequest, Answer, Verdict | None]:
    """Whether this request makes a shell read what was kept."""
    later = yield from asking_later(situation, action)
    for way in _ways(situation) if later is not None else ():
        assert later is not None
        ran = yield from runs_command(later, way)
        if ran is not None and later.asked is not None:
            threat = THREAT_SHOWN if ran.shown else THREAT_BLIND
            target = later.asked.target.decode("latin-1")
            detail = f"{way.name}, run when {later.asked.method} {target} was sent"
            return later.vulnerable(ENTRY, threat, ran.proof, detail)
    return None


def _actions(situation: Situation) -> list[str]:
    """What may start a program, by its name: no payment, and no approval."""
    return [each for each in actions(situation) if _STARTS.search(each)]


def _ways(situation: Situation) -> tuple[Way, ...]:
    behind = unended(SEQUENCE)  # it is kept by a statement
    return (behind, SUBSTITUTED) if is_thorough(situation.policy) else (behind,)


def applies(situation: Situation) -> bool:
    """Texts that a request keeps, where the record shows another one that sets something off with what was kept."""
    request, response = situation.baseline.request, situation.baseline.response
    if request.method.upper() not in _CHANGING or response is None or response.status >= FIRST_ERROR:
        return False
    value = situation.value.decode("utf-8", "replace")
    if situation.point[0] != "post" or not holds_a_value(situation) or not value or is_literal(value) or look_of(value):
        return False
    return not situation.policy.one_family and not destroys(request) and bool(_actions(situation))


def forecast(situation: Situation) -> int:
    """For each request that may set it off: the payload is kept, and it is sent; once for the value itself."""
    changes = situation.baseline.request.method.upper() != "POST"
    return 2 * len(_actions(situation)) * (1 + len(_ways(situation))) + changes


ENTRY = Entry(
    type=TYPE,
    title="Command injection by a kept value",
    cwe=CWE,
    owasp=("A03:2021",),
    owasp_api=("API8:2019",),
    why=(
        "A value that was kept before becomes part of a command line. Whoever runs commands on the server has all that the "
        "application has: its data, its keys, its network, and often the machine itself."
    ),
    remediation=(
        "Start programs without a shell and hand values over as separate arguments, wherever the values come from: what stands in "
        "your own store was written by users. Check names when they are used, and not only when they are kept."
    ),
)
PROBE = Probe(
    type=TYPE, name="stored", entry=ENTRY, applies=applies, forecast=forecast, run=concluding(TYPE, _dialogue)
)
