"""Files that are kept back by the ending of their names, and handed out with another ending behind a null byte.

What it finds
    Folders of which files with some endings alone are handed out, told by a refusal that names these (`only .md and .pdf files are
    allowed`), where the name is looked at as it was sent and opened as far as the null byte in it: written as `%00`, or as
    `%2500` for who decodes once more behind the look.

Why it matters
    What lies there and is kept back is what nobody was to read: copies of settings and of source code, lists, keys.

How it decides
    Asked are GET requests for a name with an ending that were answered with a refusal (400, 403, 415, 422) which names the
    endings it takes. The name with a null byte and one of these behind it must be answered well and with something in it, twice;
    a name drawn at random with the same behind it must not, twice, nor the name with that ending and no null byte; and the name
    itself must still be refused.

Known misses
    Refusals that name no ending. Endings that are looked for elsewhere in the name. Names in queries and forms: of these `ptrav`
    asks for files that every system has.

Standards and references
    CWE-158, CWE-22; OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security Top 10:2023 API8 Security
    Misconfiguration.
"""

import re
from collections.abc import Generator

import msgspec

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.statuses import FORBIDDEN, OK
from gatecrash.core.testing.asking import ask, concluding, response_of
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import safe, vulnerable

TYPE = "ptrav"
CWE = (158, 22)
THREAT = 70
CUTS = (b"%00", b"%2500")
_REFUSED = frozenset({400, FORBIDDEN, 415, 422})
_NAMED = re.compile(rb"[\w%-][\w.%-]*\.(\w{1,8})")
_ENDING = re.compile(r"(?<![\w./])\.([a-z][a-z0-9]{1,4})(?![\w/(])", re.IGNORECASE)
_MOST_READ = 2_000
_LETTERS = 8


def _dialogue(situation: Situation) -> Dialogue:
    ending = _taken(situation.baseline.request, situation.baseline.response)
    for cut in CUTS:
        first = yield from ask(_named(situation, cut + ending))
        if _hands_out(first) and (yield from _is_cut(situation, cut, ending)):
            again = yield from ask(_named(situation, cut + ending), "confirm")
            control = yield from ask(situation.baseline.request, "control")
            if _hands_out(again) and not _hands_out(control):
                return vulnerable(
                    ENTRY,
                    situation.point,
                    detail=f"a null byte ({cut.decode()}) cuts the ending off",
                    threat=THREAT,
                    test=again,
                    control=control,
                    verified_by=(
                        f"{again.request.target.decode('latin-1')!r} is answered with a file, twice; its name without what stands "
                        f"behind it is refused ({response_of(control).status}), and names drawn at random are not there, nor is the "
                        "name with that ending and no null byte."
                    ),
                )
    return safe(TYPE, situation.point, "a null byte before an ending that is taken hands nothing out")


def _is_cut(situation: Situation, cut: bytes, ending: bytes) -> Generator[TestRequest, Answer, bool]:
    """Whether it is this very name that is opened: others, and the name with the ending itself, are not there."""
    for name, behind in ((b"", cut + ending), (None, ending), (b"", cut + ending)):
        fresh = fresh_letters(situation.random, _LETTERS).encode() if name is not None else None
        if _hands_out((yield from ask(_named(situation, behind, fresh), "control"))):
            return False
    return True


def _named(situation: Situation, behind: bytes, fresh: bytes | None = None) -> Request:
    """The request with this behind its name. fresh: letters before the ending in the name's place."""
    request = situation.baseline.request
    folder, _, name = request.path.rpartition(b"/")
    if fresh is not None:
        name = fresh + b"." + name.rpartition(b".")[2]
    target = folder + b"/" + name + behind + request.target[len(request.path) :]
    changed: Request = msgspec.structs.replace(request, target=target)
    return changed


def _taken(request: Request, response: Response | None) -> bytes:
    """An ending that a refusal names, with its dot, and that the name does not have; empty where there is none."""
    name = request.path.rpartition(b"/")[2]
    if response is None or response.status not in _REFUSED or not _NAMED.fullmatch(name):
        return b""
    own = name.rpartition(b".")[2].decode("latin-1").lower()
    told = [each.lower() for each in _ENDING.findall(text_of(response)[:_MOST_READ])]
    return next((b"." + each.encode() for each in told if each != own), b"")


def _hands_out(exchange: Exchange) -> bool:
    response = response_of(exchange)
    return response.status == OK and bool(response.body.strip())


def applies(situation: Situation) -> bool:
    """A name that was refused for its ending, where the policy looks into paths."""
    baseline = situation.baseline
    is_read = baseline.request.method.upper() == "GET" and "path" in situation.policy.locations
    return is_read and _taken(baseline.request, baseline.response) != b""


def forecast(_situation: Situation) -> int:
    """Each way to write the null byte."""
    return len(CUTS)


ENTRY = Entry(
    type=TYPE,
    title="Files are handed out past a check of their ending",
    cwe=CWE,
    owasp=("A01:2021",),
    owasp_api=("API8:2023",),
    why="What is kept back by the ending of its name is read by whoever writes another one behind a null byte.",
    remediation=(
        "Decode a name once, refuse null bytes in it, and look at the very name that is opened. Keep what nobody may read out of "
        "folders that are handed out."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="cut",
    entry=ENTRY,
    whole=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
