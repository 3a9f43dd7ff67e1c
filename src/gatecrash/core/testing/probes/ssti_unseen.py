"""Template injection out of sight: an engine that renders a value later, or for somebody else, asks our listener for an address.

What it finds
    Templates of messages, notifications, reports and the like that a job in the background renders, so that neither an
    answer nor a page shows what came of it, and no answer is late.

Why it matters
    Templates reach the language that they are written in: whoever writes one runs code on the server.

How it decides
    Behind the value stand expressions that reach the engine's language and have it ask for an address of our listener,
    whose last part is a product of two random numbers: Jinja2, Twig, Mako, Tornado, ERB, EJS, Nunjucks, Freemarker and
    Spring EL, in four requests. The product, which is nowhere in the request, must stand in the path that is asked for,
    and once more with fresh numbers. What comes later counts as well. Who fetches the addresses that stand in a text
    asks for no product; a sandbox refuses the call. So this tells of a flaw where the value is a template by design,
    too.
    It is asked where the value or its name says that it may be a template, elsewhere under `thorough` alone.

Known misses
    Targets that cannot reach the listener. Engines that do not reach their language, or by other ways.

Standards and references
    CWE-1336, CWE-94; OWASP Top 10:2021 A03 Injection; CVE-2024-32651 (notifications rendered by Jinja2 without its sandbox).
"""

import re

from gatecrash.core.errors import UserError
from gatecrash.core.testing.dialogues.callbacks import Bait, called_back
from gatecrash.core.testing.dialogues.inquiry import Inquiry, inquiring
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.out_of_band import OutOfBand
from gatecrash.core.testing.payloads.ssti import CALLING
from gatecrash.core.testing.places.segments import holds_a_value
from gatecrash.core.testing.policy import is_thorough
from gatecrash.core.testing.probe import Dialogue, Probe, Situation
from gatecrash.core.testing.template_signs import is_like_a_template, is_named_as_template

TYPE = "ssti"
CWE = (1336, 94)
THREAT = 95
_TEXT = re.compile(rb"[A-Za-z]")


def _dialogue(inquiry: Inquiry) -> Dialogue:
    verdict = inquiry.vulnerable(ENTRY, THREAT, None, "a template engine asks for our address")
    for place, pattern in enumerate(CALLING):

        def baiting(oob: OutOfBand, number: int, pattern: str = pattern) -> Bait | None:
            left, right = inquiry.number(10_001, 31_000), inquiry.number(10_001, 31_000)
            written = pattern.format(url=oob.url(number), left=left, right=right)
            try:
                return Bait(
                    inquiry.writer.write((inquiry.value + written).encode("utf-8", "surrogateescape")),
                    str(left * right),
                )
            except UserError:
                return None

        # The product stands in the path, so a look-up of the name alone never shows it.
        found = yield from called_back(inquiry, baiting, verdict, dns_threat=THREAT, beginning=1 + 2 * place)
        if found is not None:
            return found
    return (yield from inquiry.nothing_found(TYPE))


def applies(situation: Situation) -> bool:
    """Where the value may be a template, by its look or its name; under `thorough` at every text."""
    if situation.policy.one_family or _TEXT.search(situation.value) is None or not holds_a_value(situation):
        return False
    if is_thorough(situation.policy) or is_named_as_template(situation.point):
        return True
    return is_like_a_template(situation.value.decode("utf-8", "replace"))


def forecast(_situation: Situation) -> int:
    """One request for the engines that take each other's expressions for plain text."""
    return len(CALLING)


ENTRY = Entry(
    type=TYPE,
    title="Server-side template injection out of sight",
    cwe=CWE,
    owasp=("A03:2021",),
    owasp_api=("API8:2019",),
    why=(
        "Whoever writes a template runs what its language can: most engines lead to the files, the secrets and the commands of "
        "the server."
    ),
    remediation=(
        "Never render what a user wrote. Where people are meant to write templates, take an engine without logic or its sandbox "
        "(Jinja2: ImmutableSandboxedEnvironment), in a process that may do little, for jobs in the background, too."
    ),
)
PROBE = Probe(type=TYPE, name="unseen", entry=ENTRY, applies=applies, forecast=forecast, run=inquiring(TYPE, _dialogue))
