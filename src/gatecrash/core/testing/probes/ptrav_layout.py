"""Path traversal by an option: a page hands its whole query or body to its engine, which takes the file of its layout from it.

What it finds
    Pages of Node that render with the query or the body as data (`res.render("berth", req.query)`), by an engine that reads the name of the
    page's layout out of the data, and looks it up in a folder that steps up lead out of (Handlebars: CVE-2021-32820).

Why it matters
    Whoever names the layout is shown any file of the server whose name has an extension: settings with their passwords, source
    code, keys.

How it decides
    Asked are pages that a GET request with a query was answered with, or a request with a form or an object of JSON. Beside
    what was sent stands a layout with steps up to `/etc/resolv.conf`, which every Linux has: names without an extension are
    given the engine's. Its content must be shown by its shape, which the recorded page does not have; four times, by ways of
    different length. A path of the same words that does not exist must not show it, three times, in random order.

Known misses
    Forms in parts. Options of other names. Engines that give each name their extension. Windows.

Standards and references
    CWE-22, CWE-73; OWASP Top 10:2021 A01 Broken Access Control.
"""

from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing.asking import ask, concluding
from gatecrash.core.testing.dialogues.files.shown_file import confirmed, shows
from gatecrash.core.testing.dialogues.page_data import beside, data_of, hands_data, once_a_method
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.payloads.ptrav import LEVELS
from gatecrash.core.testing.probe import Dialogue, Probe, Situation
from gatecrash.core.testing.verdict import Verdict, safe, vulnerable

TYPE = "ptrav"
CWE = (22, 73)
THREAT = 80
FILE = "/etc/resolv.conf"
OPTION = "layout"


def _dialogue(situation: Situation) -> Dialogue:
    test = yield from ask(_naming(situation, FILE))
    if not shows(situation, FILE, test):
        return safe(TYPE, situation.point, "the engine takes no layout from what is sent")
    pair = yield from confirmed(
        situation, FILE, lambda file: _naming(situation, file, extra=situation.random.randrange(1, 4))
    )
    if pair is None:
        return safe(TYPE, situation.point, "what does not exist is answered with the same content")
    return _vulnerable(situation, *pair)


def _naming(situation: Situation, file: str, extra: int = 0) -> Request:
    """The recorded request with a layout beside its data."""
    return beside(situation.baseline.request, {OPTION: "../" * (LEVELS + extra) + file.lstrip("/")})


def _vulnerable(situation: Situation, test: Exchange, control: Exchange) -> Verdict:
    return vulnerable(
        ENTRY,
        situation.point,
        detail=f"shows {FILE} in the place of the page's layout",
        threat=THREAT,
        test=test,
        control=control,
        verified_by=(
            f"With a layout named in what it is sent the page is the content of {FILE}, known by its shape; four times. "
            f"{data_of(control.request).decode('utf-8', 'replace')}, where there is none, shows nothing of the kind, nor do others like it, "
            f"in random order."
        ),
    )


def applies(situation: Situation) -> bool:
    """Pages that take data, and were named no layout themselves."""
    return hands_data(situation) and OPTION.encode() not in data_of(situation.baseline.request).lower()


def forecast(_situation: Situation) -> int:
    """One request, which shows the page as it was, or breaks."""
    return 1


ENTRY = Entry(
    type=TYPE,
    title="The layout of a page is taken from what is sent",
    cwe=CWE,
    owasp=("A01:2021",),
    owasp_api=("API8:2023",),
    why="Whoever names the file of a page's layout is shown any file of the server whose name has an extension.",
    remediation=(
        "Hand the engine an object with the values that the page shows, each by its name, and never the whole query or body; "
        "or name the layout behind it, so that nothing that is sent takes its place."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="layout",
    entry=ENTRY,
    whole=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
    collected=once_a_method,
)
