"""Folders that are left by servers that hand out nothing but names with an extension.

What it finds
    Servers that hand out the files of a folder, look for a dot in the last part of the name, as pages of a browser's own
    routes have none, and look for nothing else: steps up lead to any file whose name has an extension.

Why it matters
    Whoever asks so reads configuration, keys in files and source code (`settings.yaml`, `server.key`, `main.py`).

How it decides
    Asked are GET requests that were answered with a file, but not where another name is answered alike, as by who
    writes it, nor where the folders say that it is deleted. `/etc/resolv.conf`, which every Linux has, is asked for from the
    file's own folder by steps up, as they are and percent-encoded. Its content must be shown by its shape, which the file
    itself does not have; four times, and a path of the same words that does not exist must not show it, three times, in
    random order. It is told once a folder, and not at each of its files.

Known misses
    Windows. Systems without name servers of their own. Extensions from a list that does not have this one.

Standards and references
    CWE-22; OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security Top 10:2023 API8 Security Misconfiguration;
    resolv.conf(5).
"""

import msgspec

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.testing.asking import ask, concluding
from gatecrash.core.testing.dialogues.files.makes_files import may_write_over
from gatecrash.core.testing.dialogues.files.shown_file import confirmed, once_a_folder, shown_at, shows, was_handed_out
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.files.files import RESOLVER
from gatecrash.core.testing.payloads.ptrav import ALL_ENCODED, RELATIVE, Step, fill
from gatecrash.core.testing.probe import Dialogue, Probe, Situation
from gatecrash.core.testing.verdict import safe

TYPE = "ptrav"
CWE = (22,)
THREAT = 80
FILE = RESOLVER.name
WAYS = (RELATIVE, ALL_ENCODED)


def _dialogue(situation: Situation) -> Dialogue:
    request = situation.baseline.request
    target = msgspec.structs.replace(situation, point=Point(("uri",)), value=request.target)
    if (yield from may_write_over(Inquiry(target, [situation.baseline.exchange]))):
        return safe(TYPE, situation.point, "what it names may be written over or deleted")
    for step in WAYS:
        asked = yield from ask(_at(situation, step, FILE))
        if shows(situation, FILE, asked):
            return (yield from _decided(situation, step))
    return safe(TYPE, situation.point, "steps up to a name with an extension show nothing")


def _decided(situation: Situation, step: Step) -> Dialogue:
    """The verdict on a folder that seems to be left so."""

    def naming(file: str) -> Request:
        return _at(situation, step, file, extra=situation.random.randrange(1, 4))

    pair = yield from confirmed(situation, FILE, naming)
    if pair is None:
        return safe(TYPE, situation.point, "what does not exist is answered with the same content")
    return shown_at(ENTRY, situation, FILE, pair, threat=THREAT)


def _at(situation: Situation, step: Step, file: str, extra: int = 0) -> Request:
    """The request for a file by steps up from the folder of the recorded one."""
    request = situation.baseline.request
    folder = request.path.rpartition(b"/")[0] + b"/"
    asked: Request = msgspec.structs.replace(request, target=folder + fill(step, file, "", extra).encode())
    return asked


def forecast(_situation: Situation) -> int:
    """A name that no file has, and each way up."""
    return 1 + len(WAYS)


ENTRY = Entry(
    type=TYPE,
    title="A folder is left for files with an extension",
    cwe=CWE,
    owasp=("A01:2021",),
    owasp_api=("API8:2023",),
    why="Whoever puts steps up into a public file's address reads settings, keys and source code: they have an extension, too.",
    remediation=(
        "Resolve the whole path first (realpath) and refuse it unless it lies inside the folder; a look at the end of a name "
        "says nothing of where it leads. Let the server or the framework hand out files where it can."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="extension",
    entry=ENTRY,
    whole=True,
    applies=was_handed_out,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
    collected=once_a_folder,
)
