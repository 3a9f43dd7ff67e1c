"""DOM-based open redirect: a page's own script goes to an address that stands in the page's.

What it finds
    Scripts within pages, and those of the same host that they load, that take a parameter or the hash out of the page's
    address and set the location to it.

Why it matters
    A link to a trusted site ends on another, and the server never sees where: what stands behind the hash is in no log. An
    address that begins with `javascript:` runs as a script of the page besides.

How it decides
    The script is read, not run (`oracles/scripts/flow.py`), and only what leaves no doubt counts: from the address
    through methods that cut a text and functions that undo escapes to `location`, `location.href`, `assign` or
    `replace`, with nothing put before it. Any other function on the way, any check of the address and any other use of
    the variable end it. The script is asked for twice. A script that several pages load is told once.

Known misses
    Ways through methods, what functions return, objects and frameworks; scripts that a bundler has renamed; windows that are opened, links
    that are changed.

Standards and references
    CWE-601; OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security Top 10:2023 API8 Security Misconfiguration;
    WHATWG HTML, section 7.2.4 (the location of a page).
"""

from gatecrash.core.testing.dialogues.inquiry import Inquiry, inquiring
from gatecrash.core.testing.dialogues.page_scripts import first_flow, forecasting, has_scripts
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.scripts.flow import landing_flow
from gatecrash.core.testing.probe import Dialogue, Probe
from gatecrash.core.testing.verdict import Proof, safe

TYPE = "redir"
CWE = (601,)
THREAT = 40


def _dialogue(inquiry: Inquiry) -> Dialogue:
    found = yield from first_flow(inquiry, TYPE, landing_flow)
    if found is None:
        return safe(TYPE, inquiry.situation.point)
    source = found.flow.source
    proof = Proof(
        test=found.exchange,
        control=inquiry.control,
        verified_by=(
            f"The page is shown to a browser, and {found.what} sets its location to what stands in {source}, with nothing before it "
            f"and no check on the way. The script was read, not run; it was served twice."
        ),
    )
    return inquiry.vulnerable(ENTRY, THREAT, proof, f"in the DOM, from {source} to the page's location")


ENTRY = Entry(
    type=TYPE,
    title="DOM-based open redirect",
    cwe=CWE,
    owasp=("A01:2021",),
    owasp_api=("API8:2023",),
    why=(
        "A link that begins with your name and ends on a stranger's page makes phishing believable, and one that ends in "
        "`javascript:` runs a script in the visitor's name."
    ),
    remediation=(
        "Let scripts go to paths of your own or to names from a fixed list: read the address with `new URL(to, location.origin)` and "
        "compare its whole origin with the page's."
    ),
)
PROBE = Probe(
    type=TYPE,
    entry=ENTRY,
    name="dom",
    whole=True,
    applies=has_scripts,
    forecast=forecasting(TYPE),
    run=inquiring(TYPE, _dialogue),
)
