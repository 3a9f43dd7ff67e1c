"""DOM-based cross-site scripting: what stands in the address is written into the page by the browser (in the DOM).

What it finds
    Scripts within pages, and those of the same host that they load, that take a part of the page's address, undo its escapes,
    and write it where markup is read, or run it; and those that do so with what any other window sends the page.

Why it matters
    A link is enough, as with any such flaw, and the server never sees what stands behind the hash: no firewall, no log.

How it decides
    Where the run has a browser, pages whose scripts read the address and write markup, go to addresses or run code anywhere are opened
    there (`dialogues/opened_pages.py`), with a call of a function that only this test has, of a fresh name, in each part of the
    address that their words speak of: parameters, what stands behind the hash, routes of a router, the window's name. What was called
    is opened again with another name in that place alone, and counts where that is called as well: filters, policies and
    Trusted Types have had their say. What the server writes into the page itself is no matter of its scripts.

    Otherwise, and where nothing is called, the script is read, not run (`oracles/scripts/flow.py`), and only what leaves no
    doubt counts: from the address
    through concatenations, methods that cut a text and functions that undo escapes to `innerHTML`, `outerHTML`,
    `insertAdjacentHTML`, `document.write`, jQuery's `html` or `eval`, also by a function of its own. Any other on the way, any check of the
    address and any other use of the variable end it. A listener for messages is read likewise where it stands at its registration and
    looks at no sender (`oracles/scripts/messages.py`). The page's Content-Security-Policy must let such markup run. The
    script is asked for twice. A script that several pages load is told once.

Known misses
    In a browser: what is shown only to who is signed in by a token that a script keeps; parameters and routes that
    no script names; scripts of other hosts; what runs only when it is clicked on, links apart; messages of other windows. Without one: ways
    through functions, objects and frameworks; scripts that a bundler has renamed, where one short name is many variables; links to
    javascript: addresses; listeners for messages that are functions with a name.

Standards and references
    CWE-79; OWASP Top 10:2021 A03 Injection; OWASP API Security Top 10:2019 API8 Injection; WHATWG HTML, section 8.4
    (document.write) and 8.5 (innerHTML); WHATWG URL, section 1.3 (what browsers escape).
"""

from gatecrash.core.testing.dialogues.inquiry import Inquiry, inquiring
from gatecrash.core.testing.dialogues.opened_pages import WINDOW, Proven, opened_page
from gatecrash.core.testing.dialogues.page_scripts import Found, first_flow, forecasting, has_scripts
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.pages.content_policy import forbids_inline, forbids_markup_by_scripts
from gatecrash.core.testing.oracles.scripts.flow import Flow, flow
from gatecrash.core.testing.oracles.scripts.messages import message_flow
from gatecrash.core.testing.probe import Dialogue, Probe
from gatecrash.core.testing.verdict import Proof, Verdict, safe

TYPE = "xss"
CWE = (79,)
THREAT = 60


def _dialogue(inquiry: Inquiry) -> Dialogue:
    situation = inquiry.situation
    if forbids_inline(inquiry.good) or forbids_markup_by_scripts(inquiry.good):
        return safe(TYPE, situation.point, "the page's policy lets no such markup run")
    proven = yield from opened_page(inquiry, TYPE)
    if proven is not None:
        return _ran(inquiry, proven)
    found = yield from first_flow(inquiry, TYPE, _reads)
    return safe(TYPE, situation.point) if found is None else _vulnerable(inquiry, found)


def _reads(code: str) -> Flow | None:
    return flow(code) or message_flow(code)


def _ran(inquiry: Inquiry, proven: Proven) -> Verdict:
    where = f"{proven.slot.source} ({proven.slot.name})" if proven.slot.name else proven.slot.source
    named = f", with {proven.payload!r} as the name of its window" if proven.slot.source == WINDOW else ""
    words = (
        f"A browser that opened {proven.address}{named} called the function that stands there alone, whose name was drawn for this "
        f"test, and did so before with another name. The answer of the server holds no such name: the page's own script takes it "
        f"from {where}."
    )
    return inquiry.vulnerable(
        ENTRY,
        THREAT,
        Proof(test=proven.exchange, control=inquiry.control, verified_by=words),
        f"in the DOM, from {where}",
    )


def _vulnerable(inquiry: Inquiry, found: Found) -> Verdict:
    source, sink = found.flow
    words = (
        f"The page is shown to a browser, and {found.what} hands what stands in {source} to {sink}: nothing on the way "
        f"checks or escapes it, and no policy of the answer keeps such markup from running. The script was read, not "
        f"run; it was served twice."
    )
    proof = Proof(test=found.exchange, control=inquiry.control, verified_by=words)
    return inquiry.vulnerable(ENTRY, THREAT, proof, f"in the DOM, from {source} to {sink}")


ENTRY = Entry(
    type=TYPE,
    title="DOM-based cross-site scripting",
    cwe=CWE,
    owasp=("A03:2021",),
    owasp_api=("API8:2019",),
    why=(
        "Whoever makes a victim open a link runs scripts on the page in the victim's name. What stands behind the hash "
        "never reaches the server, so that nothing there stops or shows it."
    ),
    remediation=(
        "Write text by `textContent`, and addresses by `setAttribute` after a check of their scheme. Where markup is needed, "
        "clean it with a maintained library. A Content-Security-Policy with Trusted Types finds the places that are left."
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
