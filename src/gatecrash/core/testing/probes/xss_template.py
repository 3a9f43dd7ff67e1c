"""Cross-site scripting by a template in the browser: a page shows a value escaped, and a library there runs it as an expression.

What it finds
    Values that a page shows within what AngularJS (1.x) or Vue, with its compiler, reads as its template: in the texts and
    the attributes below the element that the application is mounted on. Double braces are no markup, so escapes of HTML let
    them through, and the library undoes those escapes besides.

Why it matters
    As any other cross-site scripting: whoever makes a victim open a link acts in the victim's name. An expression comes
    to the constructor of functions by the properties that every value has.

How it decides
    An expression that would make a function of a text, which calls another of a fresh name, is sent behind the value. It must
    come back whole, as a browser reads it, where the page's library evaluates (`oracles/pages/templates.py`): below
    its root, and not below what is kept out of it. So must a second one with another name, and the value alone must not. The
    page is read, not run. The page's policy must let inline scripts run. Asked where the recorded answer has such a part.

Known misses
    Libraries within bundles, or mounted by a script in a file of its own; what is stored and shown on another page; what stands
    in a text area; other signs than double braces.

Standards and references
    CWE-79, CWE-1336; OWASP Top 10:2021 A03 Injection; OWASP API Security Top 10:2019 API8 Injection; AngularJS Developer
    Guide, Security; Vue Guide, Security.
"""

from collections.abc import Generator

from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.asking import response_of
from gatecrash.core.testing.dialogues.inquiry import Inquiry, Reply, inquiring
from gatecrash.core.testing.dialogues.other_site import can_be_linked
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.pages.content_policy import forbids_inline
from gatecrash.core.testing.oracles.pages.reflection import renders
from gatecrash.core.testing.oracles.pages.templates import has_template, in_template
from gatecrash.core.testing.places.segments import holds_a_value
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Proof

TYPE = "xss"
CWE = (79, 1336)
# As `xss` has them.
THREAT_LINK, THREAT_CRAFTED = 65, 45


def _dialogue(inquiry: Inquiry) -> Dialogue:
    first = yield from _evaluated(inquiry)
    again = (yield from _evaluated(inquiry, "confirm")) if first is not None else None
    if again is None:
        return (yield from inquiry.nothing_found(TYPE))
    threat = THREAT_LINK if can_be_linked(inquiry.situation.point) else THREAT_CRAFTED
    proof = Proof(
        test=again.exchange,
        control=inquiry.control,
        verified_by=(
            f"{again.payload!r} is shown whole within the part of the page that its library reads as a template, where double "
            "braces are evaluated: the expression makes a function of a text and calls it. It was shown twice, with names drawn "
            "at random. The page was read, not run."
        ),
    )
    return inquiry.vulnerable(ENTRY, threat, proof, "an expression in a template of the browser")


def _evaluated(inquiry: Inquiry, purpose: str = "test") -> Generator[TestRequest, Answer, Reply | None]:
    """The answer whose page evaluates an expression with a fresh name; None where it does not."""
    expression = f"{{{{constructor.constructor('{inquiry.mark(8)}()')()}}}}"
    reply = yield from inquiry.send(inquiry.value + expression, purpose=purpose)
    if reply is None:
        return None
    answer = response_of(reply.exchange)
    shown = renders(answer) and not forbids_inline(answer) and in_template(answer, expression)
    return reply if shown else None


def applies(situation: Situation) -> bool:
    """Where a value is answered by a page that a library in the browser reads."""
    response = situation.baseline.response
    if situation.policy.one_family or response is None or response.status >= FIRST_ERROR or not renders(response):
        return False
    return holds_a_value(situation) and has_template(response)


def forecast(_situation: Situation) -> int:
    """Requests for a value that is not shown, or not evaluated: one."""
    return 1


ENTRY = Entry(
    type=TYPE,
    title="Cross-site scripting by a template in the browser",
    cwe=CWE,
    owasp=("A03:2021",),
    owasp_api=("API8:2019",),
    why=(
        "Whoever makes a victim open a prepared link runs scripts in the victim's browser with the victim's session: the page is "
        "a template, and what stands in double braces is code."
    ),
    remediation=(
        "Write no value of a request into what a library in the browser reads as its template: hand it over as data, by JSON or "
        "an attribute that is read by your own code. Where it must stand there, keep it out by ng-non-bindable or v-pre on "
        "its element. Leave AngularJS, which is maintained no more."
    ),
)
PROBE = Probe(
    type=TYPE, name="template", entry=ENTRY, applies=applies, forecast=forecast, run=inquiring(TYPE, _dialogue)
)
