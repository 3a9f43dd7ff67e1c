"""Folders that are left through their own name: `/assets../` where the server takes `/assets` off and joins the rest.

What it finds
    Servers and proxies that map a prefix without a slash at its end to a folder with one (nginx: `location /assets { alias
    /srv/site/assets/; }`), so that `/assets../` is the folder above.

Why it matters
    Whoever asks so reads what lies beside the folder that was meant to be public: configuration, backups, the source.

How it decides
    Asked are GET requests that were answered with a file in a folder. `/assets./logo.png` must be answered with the
    very file, which only the prefix without its slash explains: the rest of it is `./logo.png`. With five dots, as
    systems that drop dots at the end of a name would answer, and with letters drawn at random before the dot it must be
    answered otherwise. Then `/assets../` must be there (shown, moved or forbidden), while a folder drawn at random
    below it is not. Nothing beside the folder is read.

Known misses
    Prefixes that are neither the first folder of an address nor the last. Servers that answer 404 for folders, or the same for
    whatever is not there.

Standards and references
    CWE-22; OWASP Top 10:2021 A05 Security Misconfiguration; OWASP API Security Top 10:2023 API8 Security Misconfiguration.
"""

import re
from collections.abc import Generator

import msgspec

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.statuses import NOT_FOUND, OK
from gatecrash.core.testing.asking import ask, concluding, response_of
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Verdict, safe, vulnerable

TYPE = "ptrav"
CWE = (22,)
THREAT = 65
_IS_THERE = frozenset({200, 301, 302, 403})
_FILE = re.compile(rb"[^.]+(?:\.[\w-]+)+")

_Deciding = Generator[TestRequest, Answer, Verdict | None]


def _dialogue(situation: Situation) -> Dialogue:
    for folder in _folders(situation.baseline.request):
        verdict = yield from _left_through(situation, folder)
        if verdict is not None:
            return verdict
    return safe(TYPE, situation.point, "the file is not there with a dot behind its folder's name")


def _left_through(situation: Situation, folder: bytes) -> _Deciding:
    """Whether the folder above is reached by two dots behind the name of this one."""
    request = situation.baseline.request
    rest = request.target[len(folder) :]
    mark = fresh_letters(situation.random, 8).encode()
    dotted = yield from ask(_at(request, folder + b"." + rest))
    if response_of(dotted).status != OK:
        return None
    plain = response_of((yield from ask(request, "control")))
    if not _same(plain, dotted):
        return None
    for other in (folder + b"....." + rest, folder + mark + b"." + rest):
        if _same(plain, (yield from ask(_at(request, other), "control"))):
            return None
    above = yield from ask(_at(request, folder + b"../"))
    nowhere = yield from ask(_at(request, folder + b"../" + mark + b"/"), "control")
    if response_of(above).status not in _IS_THERE or response_of(nowhere).status != NOT_FOUND:
        return None
    if not _same(plain, (yield from ask(_at(request, folder + b"." + rest), "confirm"))):
        return None
    return _vulnerable(situation, folder.decode("latin-1"), above, nowhere)


def _same(plain: Response, exchange: Exchange) -> bool:
    """Whether an answer is the very file."""
    response = response_of(exchange)
    return response.status == plain.status == OK and response.body == plain.body != b""


def _at(request: Request, target: bytes) -> Request:
    asked: Request = msgspec.structs.replace(request, target=target)
    return asked


def _folders(request: Request) -> list[bytes]:
    """The first folder of an address and the last, each with what stands above it."""
    first = b"/" + request.path.split(b"/")[1]
    return list(dict.fromkeys([first, request.path.rpartition(b"/")[0]]))


def _vulnerable(situation: Situation, folder: str, above: Exchange, nowhere: Exchange) -> Verdict:
    status = response_of(above).status
    return vulnerable(
        ENTRY,
        situation.point,
        detail=f"{folder}../ is the folder above",
        threat=THREAT,
        test=above,
        control=nowhere,
        verified_by=(
            f"The file is also there with a dot behind the folder's name ({folder}./), twice, and neither with five dots nor with "
            f"letters drawn at random before the dot: the server takes {folder} off and joins the rest. {folder}../ is answered "
            f"{status}, and a folder drawn at random below it 404. Nothing was read there."
        ),
    )


def applies(situation: Situation) -> bool:
    """Files that were handed out of a folder."""
    request, response = situation.baseline.request, situation.baseline.response
    if request.method.upper() != "GET" or response is None or response.status != OK or not response.body:
        return False
    segments = request.path.split(b"/")
    if len(segments) < 3 or not segments[1] or "path" not in situation.policy.locations:
        return False
    return _FILE.fullmatch(segments[-1]) is not None and b"." not in segments[-2]


def forecast(situation: Situation) -> int:
    """The file with a dot behind each folder's name."""
    return len(_folders(situation.baseline.request))


def collected(request: Request) -> tuple[str, ...] | None:
    """One file stands for all of its folder."""
    segments = request.path.split(b"/")
    if request.method.upper() != "GET" or len(segments) < 3 or not _FILE.fullmatch(segments[-1]):
        return None
    return (request.origin, request.path.rpartition(b"/")[0].decode("latin-1"))


ENTRY = Entry(
    type=TYPE,
    title="A folder is left through its own name",
    cwe=CWE,
    owasp=("A05:2021",),
    owasp_api=("API8:2023",),
    why="Whoever writes two dots behind the name of a public folder reads what lies beside it: configuration, backups, the source.",
    remediation=(
        "End the prefix with a slash where the folder that it stands for has one (nginx: `location /assets/ { alias "
        "/srv/site/assets/; }`), or use `root`. Keep nothing beside public folders that is not public."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="alias",
    entry=ENTRY,
    whole=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
    collected=collected,
)
