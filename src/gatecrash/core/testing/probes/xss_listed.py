"""Cross-site scripting by a list: a page escapes what is a text, and writes a list as it becomes one.

What it finds
    Parameters, fields of forms and members of JSON that a page shows escaped, and that it shows as they are where they are
    given more than once (`q=…&q=`), or as a list (`["…"]`): filters and template engines of languages without types look
    whether a value is a text before they escape it, and joined with its like it becomes one only behind them.

Why it matters
    As any other cross-site scripting: whoever makes a victim open a link acts in the victim's name.

How it decides
    Fresh letters in a list of two, of which the second is empty, are sent first; a page that does not show them ends it. The
    payloads for the contexts in which it shows them must run, in a list, and again with other names. Letters alone, as the
    recorded request sends its text, must be shown, too: what shows lists only reckons with them, as a template's expression
    does. The same payload alone must not run: what runs then as well is no matter of lists. Values of which the answer is a page;
    in the default policy where it names a framework of Node, whose parsers make lists of names that come twice.

Known misses
    Pages that keep the list and show it later. Parsers that want brackets behind the name.

Standards and references
    CWE-79, CWE-843; OWASP Top 10:2021 A03 Injection; OWASP API Security Top 10:2019 API8 Injection; WHATWG HTML, section 13.2.5.
"""

import json
import re
from collections.abc import Generator
from urllib.parse import quote

from gatecrash.core.errors import UserError
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.asking import response_of
from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply, inquiring
from gatecrash.core.testing.dialogues.operators.operator_objects import in_json, takes_objects
from gatecrash.core.testing.dialogues.other_site import can_be_linked
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.pages.content_policy import forbids_inline
from gatecrash.core.testing.oracles.pages.reflection import places, renders, runs
from gatecrash.core.testing.oracles.platforms import on_node
from gatecrash.core.testing.payloads.xss import payloads_for
from gatecrash.core.testing.places.segments import holds_a_value
from gatecrash.core.testing.policy import is_thorough
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Proof, Verdict

TYPE = "xss"
CWE = (79, 843)
# As `xss` has them.
THREAT_LINK, THREAT_CRAFTED, UNDER_POLICY = 65, 45, 20
_MOST_PAYLOADS = 4
_NAME = re.compile(r"[\w.-]+")


def _dialogue(inquiry: Inquiry) -> Dialogue:
    mark = inquiry.mark(8)
    shown = yield from _ask(inquiry, inquiry.value + mark)
    found = places(response_of(shown.exchange), mark) if shown is not None and _is_page(shown) else ()
    patterns = dict.fromkeys(pattern for place in found for pattern in payloads_for(place))
    for pattern in list(patterns)[:_MOST_PAYLOADS]:
        if (yield from _how(inquiry, pattern))[1]:
            verdict = yield from _confirm(inquiry, pattern)
            return verdict or (yield from inquiry.nothing_found(TYPE))
    return (yield from inquiry.nothing_found(TYPE))


def _confirm(inquiry: Inquiry, pattern: str) -> Generator[TestRequest, Answer, Verdict | None]:
    """The text alone must be shown and not run, and the list must run once more, with other names."""
    mark = inquiry.mark(8)
    plain = yield from inquiry.send(inquiry.value + mark, purpose="control")
    if plain is None or not _is_page(plain) or not places(response_of(plain.exchange), mark):
        return None
    alone, runs_alone = yield from _how(inquiry, pattern, "control")
    if alone is None or runs_alone:
        return None
    again, how = yield from _how(inquiry, pattern, "confirm")
    if again is None or not how:
        return None
    guarded = forbids_inline(response_of(again.exchange))
    threat = THREAT_LINK if can_be_linked(inquiry.situation.point) else THREAT_CRAFTED
    proof = Proof(
        test=again.exchange,
        control=alone.exchange,
        verified_by=(
            f"{again.payload!r}, the first of a list, is shown so that a browser runs its call {how}; it was shown twice, with "
            f"names drawn at random. {alone.payload!r} as a text alone does not run: texts are escaped, and lists are not."
        ),
    )
    return inquiry.vulnerable(ENTRY, threat - UNDER_POLICY * guarded, proof, f"in a list, runs {how}")


def _how(
    inquiry: Inquiry, pattern: str, purpose: str = "test"
) -> Generator[TestRequest, Answer, tuple[Reply | None, str]]:
    """An answer to a payload, and how a browser would run it: empty where it would not. A control is sent as a text."""
    name = inquiry.mark(8)
    payload = pattern.format(value=inquiry.value, call=f"{name}()", name=name, mark=inquiry.mark())
    reply = yield from (
        inquiry.send(payload, purpose=purpose) if purpose == "control" else _ask(inquiry, payload, purpose)
    )
    return reply, runs(response_of(reply.exchange), name) or "" if reply is not None and _is_page(reply) else ""


def _ask(inquiry: Inquiry, text: str, purpose: str = "test") -> Asking:
    """The answer to a list of two, of which the second is empty: whoever takes the last one alone shows nothing."""
    if in_json(inquiry.situation):
        written = json.dumps([text, ""])
    else:
        written = f"{quote(text, safe='', errors='surrogateescape')}&{quote(inquiry.situation.point[-1], safe='')}="
    try:
        request = inquiry.writer.write(written.encode("utf-8", "surrogateescape"), raw=True)
    except UserError:
        return None
    return (yield from inquiry.submit(request, text, {text: inquiry.value}, purpose))


def _is_page(reply: Reply) -> bool:
    return renders(response_of(reply.exchange))


def applies(situation: Situation) -> bool:
    """Where a list can stand in the place of a value whose answer is a page."""
    response = situation.baseline.response
    if situation.policy.one_family or response is None or response.status >= FIRST_ERROR or not renders(response):
        return False
    if not (on_node(response) or is_thorough(situation.policy)) or not takes_objects(situation):
        return False
    named = _NAME.fullmatch(situation.point[-1]) is not None
    return named and situation.point[-2] != "json_array" and holds_a_value(situation)


def forecast(_situation: Situation) -> int:
    """Requests for a point whose value is not shown: one."""
    return 1


ENTRY = Entry(
    type=TYPE,
    title="Cross-site scripting by a list",
    cwe=CWE,
    owasp=("A03:2021",),
    owasp_api=("API8:2019",),
    why=(
        "Whoever makes a victim open a prepared link runs scripts in the victim's browser with the victim's session: texts are "
        "escaped, and the same text in a list is not."
    ),
    remediation=(
        "Check every value's type before it is used: a text must be a text. Escape where the page is written and whatever the "
        "value's type is, behind the step that makes a text of it; take a template engine that does so."
    ),
)
PROBE = Probe(type=TYPE, name="listed", entry=ENTRY, applies=applies, forecast=forecast, run=inquiring(TYPE, _dialogue))
