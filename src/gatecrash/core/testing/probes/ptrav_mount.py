"""Folders that are left by an absolute path: `/assets/%2fetc%2fpasswd` where the server joins the rest to the folder's path.

What it finds
    Servers that hand out the files of a folder below a prefix, and put the folder's path and what follows the prefix together by
    a function for which an absolute path takes the place of all before it (`os.path.join`, `Path / name`, `path.resolve`).
    They often look for steps up, and have nothing against a slash.

Why it matters
    Whoever asks so reads any file of the system: configuration, keys, source code.

How it decides
    Asked are GET requests that were answered with a file, but not where another name is answered alike, as by who
    writes it, nor where the folders say that it is deleted. `/etc/passwd` is asked for right behind each folder of the
    address, the nearest two and the root, with its slashes encoded and as they are. Where the address itself holds a
    file's whole path (`/raw/home/anna/site/plan.txt`, `/file=/tmp/plan.txt`), it is asked for in that path's place,
    too. Its content must be shown by its shape, which the file itself does not have; four times, and a path of the same
    words that does not exist must not show it, three times, in random order. It is told once a folder, and not at each
    of its files.

Known misses
    Other prefixes than the nearest two folders, the root and what stands before a whole path. Windows. What takes the steps
    of such a path apart.

Standards and references
    CWE-22, CWE-36; OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security Top 10:2023 API8 Security Misconfiguration.
"""

import re

import msgspec

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.testing.asking import ask, concluding
from gatecrash.core.testing.dialogues.files.makes_files import may_write_over
from gatecrash.core.testing.dialogues.files.shown_file import confirmed, once_a_folder, shown_at, shows, was_handed_out
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.probe import Dialogue, Probe, Situation
from gatecrash.core.testing.verdict import safe

TYPE = "ptrav"
CWE = (22, 36)
THREAT = 85
FILE = "/etc/passwd"
SLASHES = ("%2f", "/")
_NEAREST = 2
# What the root of a system holds (Filesystem Hierarchy Standard, section 3): behind one of these a whole path may begin.
_TOP = re.compile(rb"(?<!^)/(?:home|srv|var|tmp|opt|usr|root|mnt|media|app|data|Users)/")


def _dialogue(situation: Situation) -> Dialogue:
    request = situation.baseline.request
    target = msgspec.structs.replace(situation, point=Point(("uri",)), value=request.target)
    if (yield from may_write_over(Inquiry(target, [situation.baseline.exchange]))):
        return safe(TYPE, situation.point, "what it names may be written over or deleted")
    for folder in _folders(request):
        for slash in SLASHES:
            asked = yield from ask(_at(situation, folder, FILE, slash))
            if shows(situation, FILE, asked):
                return (yield from _decided(situation, folder, slash))
    return safe(TYPE, situation.point, "an absolute path behind its folders shows nothing")


def _decided(situation: Situation, folder: bytes, slash: str) -> Dialogue:
    """The verdict on a folder that seems to be left so: told once in a run, and not at each of its files."""
    request, known = situation.baseline.request, situation.memory.told
    key = ("left by an absolute path", request.origin, folder.decode("latin-1"))
    pair = yield from confirmed(situation, FILE, lambda file: _at(situation, folder, file, slash))
    if pair is None:
        return safe(TYPE, situation.point, "what does not exist is answered with the same content")
    file = request.path.decode("latin-1")  # which may be begun anew
    if any(told[:-1] == key and told[-1] != file for told in known):
        return safe(TYPE, situation.point, "told of another file of the same folder")
    known.add((*key, file))
    return shown_at(ENTRY, situation, FILE, pair, threat=THREAT)


def _at(situation: Situation, folder: bytes, file: str, slash: str) -> Request:
    """The request for a file by its whole path, right behind what the path begins with."""
    target = folder + file.replace("/", slash).encode()
    asked: Request = msgspec.structs.replace(situation.baseline.request, target=target)
    return asked


def _folders(request: Request) -> list[bytes]:
    """What a whole path may stand behind: the folders of the file, the nearest first, what stands before its own, and the root."""
    folders, folder = [], request.path
    for _ in range(_NEAREST):
        folder = folder.rpartition(b"/")[0]
        folders.append(folder + b"/")
    if (begun := _TOP.search(request.path)) is not None:
        folders.append(request.path[: begun.start()])
    return list(dict.fromkeys([*folders, b"/"]))


def forecast(situation: Situation) -> int:
    """A name that no file has, and each spelling behind each folder."""
    return 1 + len(SLASHES) * len(_folders(situation.baseline.request))


ENTRY = Entry(
    type=TYPE,
    title="A folder is left by an absolute path",
    cwe=CWE,
    owasp=("A01:2021",),
    owasp_api=("API8:2023",),
    why="Whoever puts a whole path behind a public folder's address reads any file of the system: configuration, keys, source code.",
    remediation=(
        "Resolve the whole path first (realpath) and refuse it unless it lies inside the folder; functions that join paths let "
        "an absolute one take the place of all before it. Let the server or the framework hand out files where it can."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="mount",
    entry=ENTRY,
    whole=True,
    applies=was_handed_out,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
    collected=once_a_folder,
)
