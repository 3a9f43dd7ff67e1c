"""Template injection into addresses that are fetched: the engine's answer is where the target comes to.

What it finds
    Addresses (of a hook, a feed, a page to watch) that are rendered as a template before they are fetched, at once or later, and
    whose content is shown nowhere.

Why it matters
    Templates reach the language that they are written in: whoever writes one runs code on the server.

How it decides
    An address of our listener whose path holds a product of two random numbers, in the two spellings that most engines read, must
    be asked for with the product in its path, which is nowhere in the request; and again with fresh numbers. What comes later
    counts as well. A fetcher that renders nothing asks for the brackets.

Known misses
    Targets that cannot reach the listener. Engines that compute nothing, or break over both spellings. Values that are templates
    already: that they are rendered is what their author wants.

Standards and references
    CWE-1336, CWE-94; OWASP Top 10:2021 A03 Injection.
"""

import re

from gatecrash.core.errors import UserError
from gatecrash.core.testing.dialogues.callbacks import Bait, called_back
from gatecrash.core.testing.dialogues.inquiry import Inquiry, inquiring
from gatecrash.core.testing.dialogues.template_reach import is_a_template
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.out_of_band import OutOfBand
from gatecrash.core.testing.places.segments import holds_a_value
from gatecrash.core.testing.probe import Dialogue, Probe, Situation

TYPE = "ssti"
CWE = (1336, 94)
THREAT = 90
_ADDRESS = re.compile(rb"https?://[^/\s]", re.IGNORECASE)
# A slash between the two, so that each is a part of the path by itself.
_RENDERED = "{url}/{{{{{left}*{right}}}}}/${{{left}*{right}}}"


def _dialogue(inquiry: Inquiry) -> Dialogue:
    def baiting(oob: OutOfBand, number: int) -> Bait | None:
        left, right = inquiry.number(10_001, 31_000), inquiry.number(10_001, 31_000)
        written = _RENDERED.format(url=oob.url(number), left=left, right=right)
        try:
            return Bait(inquiry.writer.write(written.encode()), str(left * right))
        except UserError:
            return None

    verdict = inquiry.vulnerable(ENTRY, THREAT, None, "an address is rendered as a template before it is fetched")
    # The product stands in the path, so a look-up of the name alone never shows it.
    found = yield from called_back(inquiry, baiting, verdict, dns_threat=THREAT)
    return found or (yield from inquiry.nothing_found(TYPE))


def applies(situation: Situation) -> bool:
    """Where the value is an address with a host, and no template by design."""
    if situation.policy.one_family or _ADDRESS.match(situation.value) is None or not holds_a_value(situation):
        return False
    return not is_a_template(situation.value.decode("utf-8", "replace"))


def forecast(_situation: Situation) -> int:
    """One address, of which nobody computes anything."""
    return 1


ENTRY = Entry(
    type=TYPE,
    title="Server-side template injection into an address",
    cwe=CWE,
    owasp=("A03:2021",),
    owasp_api=("API8:2019",),
    why=(
        "Whoever writes a template runs what its language can: most engines lead to the files, the secrets and the commands of "
        "the server."
    ),
    remediation=(
        "Never render what a user wrote: put values into the parts of an address that need them, by replacing fixed marks. "
        "Where people are meant to write templates, take an engine without logic, or a sandbox, in a process that may do little."
    ),
)
PROBE = Probe(
    type=TYPE, name="fetched", entry=ENTRY, applies=applies, forecast=forecast, run=inquiring(TYPE, _dialogue)
)
