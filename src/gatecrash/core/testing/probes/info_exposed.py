"""Files, folders and services beside the application that were never meant for visitors.

What it finds
    Listings of folders, data of version control, settings, dumps and files of databases, logs, copies of programs,
    consoles, debug pages and metrics: at well-known names below the root of a host and below the folders of the record,
    and what the host's own robots.txt and listings name.

Why it matters
    Whoever looks for them has a list of the same names and needs no flaw in the application: the file holds the password, the
    history the source, the console runs what it is told.

How it decides
    Each name is asked for once, by GET and without credentials. An answer counts by its content alone: by the form that
    leaks, listings and such files have (`oracles/leaks/leaks.py`, `oracles/leaks/exposed.py`), never by its status or its size. It
    must come a second time, and a name of the same ending that was drawn at random must not be answered so: that is how
    an application answers any address. The root is asked once a run, each further folder once, eight at the most. A
    finding is told at the address that hands it out.

Known misses
    Names that are in no list and that nothing names. Pages that list files in a form of their own. What is handed out
    with credentials only. Descriptions of an API, which most publish on purpose.

Standards and references
    CWE-200, CWE-215 (debug pages), CWE-497 (metrics), CWE-538 (files of the deployment), CWE-548 (listings); OWASP Top
    10:2021 A05 Security Misconfiguration; OWASP API Security Top 10:2023 API8 Security Misconfiguration; RFC 9309
    (robots.txt).
"""

import re
from collections.abc import Generator, Iterator
from urllib.parse import unquote, urljoin

import msgspec

from gatecrash.core.inventory.identifiers import look_of
from gatecrash.core.message import Exchange, Request
from gatecrash.core.points.percent import for_request_line
from gatecrash.core.statuses import FIRST_ERROR, OK
from gatecrash.core.testing.asking import ask_as, concluding, response_of
from gatecrash.core.testing.effects.destruction import bears_repeating
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.oracles.body import media_type, text_of
from gatecrash.core.testing.oracles.leaks.exposed import handed_out
from gatecrash.core.testing.oracles.leaks.kinds import CWE_OF, THREAT_OF, title_of
from gatecrash.core.testing.oracles.leaks.leaks import LISTING, Leak
from gatecrash.core.testing.payloads.exposed import BESIDE, COPIES, FILES, FOLDERS, TELLING
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Outcome, Proof, Verdict, safe

TYPE = "info"
CWE = tuple(sorted({number for numbers in CWE_OF.values() for number in numbers}))
_NOBODY = ""
_MOST_FOLDERS = 8
_MOST_NAMED = 12
_PROGRAM = re.compile(r"\.(?:php\d?|phtml|inc|jspx?|aspx?|py|rb|pl|cgi)$", re.IGNORECASE)
_ROBOTS = "/robots.txt"
_DISALLOWED = re.compile(r"(?m)^[^\S\n]*+(?:Dis)?allow:[^\S\n]*+(/[^\s*?$#]{1,200})[^\S\n]*$", re.IGNORECASE)
_LINK = re.compile(r"<a [^>]{0,200}?href=[\"']([^\"'?#<>\s]{1,300})[\"']", re.IGNORECASE)
_TELLING = re.compile(TELLING, re.IGNORECASE)

_Finding = Generator[TestRequest, Answer, Verdict | None]
_Looking = Generator[TestRequest, Answer, list[Verdict]]


def _dialogue(situation: Situation) -> Dialogue:
    request, told = situation.baseline.request, situation.memory.told
    paths, begun = _paths(situation), {_key(request, folder) for folder in _fresh(situation)}
    told |= begun  # baselines are tested side by side
    try:
        found = yield from _look_at_all(situation, paths)
    except BaseException:
        told -= begun  # whoever comes next looks again
        raise
    worst = max(found, key=lambda verdict: verdict.threat, default=None)
    situation.memory.besides += [verdict for verdict in found if verdict is not worst]
    return worst or safe(TYPE, situation.point)


def _look_at_all(situation: Situation, paths: list[str]) -> _Looking:
    found: list[Verdict] = []
    for path in paths:
        found += yield from _look(situation, path)
    for path in (yield from _named_by_robots(situation)) if _ROBOTS in paths else []:
        found += [] if path in paths else (yield from _look(situation, path))
    return found


def _look(situation: Situation, path: str) -> _Looking:
    """What is handed out at a path, and where that is a listing what is handed out at the files that it names."""
    verdict = yield from _judge(situation, path)
    if verdict is None:
        return []
    found = [verdict]
    assert verdict.proof is not None
    for named in _named_by_listing(verdict.proof.test) if verdict.cwe == CWE_OF[LISTING] else []:
        more = yield from _judge(situation, named)
        found += [more] if more is not None else []
    return found


def _judge(situation: Situation, path: str) -> _Finding:
    leak = handed_out(path, response_of((yield from ask_as(_asking(situation, path), _NOBODY))))
    if leak is None or _is_told(situation, path, leak):
        return None
    for beside in _beside(path, situation):
        control = yield from ask_as(_asking(situation, beside), _NOBODY, "control")
        if handed_out(path, response_of(control)) == leak:
            return None
    again = yield from ask_as(_asking(situation, path), _NOBODY, "confirm")
    return _vulnerable(situation, path, leak, again, control) if handed_out(path, response_of(again)) == leak else None


def _is_told(situation: Situation, path: str, leak: Leak) -> bool:
    """Whether another dialogue of the run, or another file of the same folder, has told it; from now on this one has."""
    place = path.rstrip("/") if leak.kind == LISTING else path.rpartition("/")[0]
    key = (*_key(situation.baseline.request, place), leak.what)
    known = key in situation.memory.told
    situation.memory.told.add(key)
    return known


def _asking(situation: Situation, path: str) -> Request:
    """A visitor's plain question: nothing of the baseline but the host and the browser."""
    request = situation.baseline.request
    kept = tuple(pair for pair in request.headers if pair[0].lower() in (b"host", b"user-agent"))
    headers = (*kept, (b"Accept", b"text/html,*/*;q=0.8"), (b"Range", b"bytes=0-65535"))
    target = for_request_line(path.encode())
    asked: Request = msgspec.structs.replace(request, method="GET", target=target, headers=headers, body=b"")
    return asked


def _beside(path: str, situation: Situation) -> list[str]:
    """Names that nobody gave to anything: of the same kind in the same folder, and where it is a folder itself, inside of it."""
    folder, _, name = path.rstrip("/").rpartition("/")
    mark = fresh_letters(situation.random, 10)
    if path.endswith("/"):
        return [f"{path}{mark}", f"{folder}/{mark}/"]
    end = "." + name.rpartition(".")[2] if "." in name else ""
    return [f"{folder}/{mark}{end}"]


def _named_by_robots(situation: Situation) -> Generator[TestRequest, Answer, list[str]]:
    """The paths that the host asks programs to leave alone, and the folders that they may be."""
    response = response_of((yield from ask_as(_asking(situation, _ROBOTS), _NOBODY)))
    if response.status != OK or media_type(response) == "text/html":
        return []
    named = list(dict.fromkeys(_DISALLOWED.findall(text_of(response))))[:_MOST_NAMED]
    slashed = [path + "/" for path in named if not path.endswith("/") and "." not in path.rpartition("/")[2]]
    return [path for path in dict.fromkeys([*named, *slashed]) if path != "/" and _may_be_asked(path)]


def _named_by_listing(listing: Exchange) -> list[str]:
    """The files of a listing that are worth a look, within its folder."""
    folder = listing.request.path.decode("latin-1").rstrip("/") + "/"
    linked = (urljoin(folder, link) for link in _LINK.findall(text_of(response_of(listing))))
    inside = dict.fromkeys(unquote(path) for path in linked if path.startswith(folder) and path != folder)
    return [path for path in inside if _TELLING.search(path.rpartition("/")[2])][:_MOST_NAMED]


def _paths(situation: Situation) -> list[str]:
    """What is asked beside this baseline: below the root, if nobody has yet, and below its own folders; and copies of the program."""
    paths: dict[str, None] = {}
    for folder in _fresh(situation):
        names = (*FILES, _ROBOTS[1:], *FOLDERS) if folder == "/" else BESIDE
        paths |= dict.fromkeys(folder + name for name in names)
        own = situation.baseline.request.path.decode("latin-1")
        if _PROGRAM.search(own) and own.rpartition("/")[0] + "/" == folder:
            paths |= dict.fromkeys(own + end for end in COPIES)
    return list(paths)


def _fresh(situation: Situation) -> Iterator[str]:
    """The folders of the baseline that nobody has looked at: the root, the first, and that in which it lies."""
    request, told = situation.baseline.request, situation.memory.told
    segments = request.path.decode("latin-1").split("/")[1:-1]
    plain = segments[: next((place for place, each in enumerate(segments) if not each or look_of(each)), None)]
    known = sum(1 for key in told if key[:2] == (TYPE, _of(request)) and len(key) == 3)
    for count in dict.fromkeys((0, min(1, len(plain)), len(plain))):
        folder = "/" + "".join(each + "/" for each in plain[:count])
        if _key(request, folder) not in told and known <= _MOST_FOLDERS and _may_be_asked(folder):
            known += 1
            yield folder


def _may_be_asked(path: str) -> bool:
    """Whether the words of a path say nothing of what a question for it would end: without the name of a thing, that may be all."""
    return bears_repeating(Request("POST", path.encode("utf-8", "replace")))


def _key(request: Request, path: str) -> tuple[str, str, str]:
    return (TYPE, _of(request), path)


def _of(request: Request) -> str:
    return "beside " + request.origin


def _vulnerable(situation: Situation, path: str, leak: Leak, exchange: Exchange, control: Exchange) -> Verdict:
    return Verdict(
        outcome=Outcome.VULNERABLE,
        type=TYPE,
        point=tuple(situation.point),
        detail=f"{leak.kind} at {path}: {leak.what}",
        threat=THREAT_OF[leak.kind],
        cwe=CWE_OF[leak.kind],
        title=title_of(leak),
        elsewhere=True,
        proof=Proof(
            test=exchange,
            control=control,
            verified_by=(
                f"Asked for {path!r} without credentials, twice, the host hands out {leak.kind}: {leak.what}, known by its form. "
                f"A name drawn at random beside it is not answered so."
            ),
        ),
    )


def applies(situation: Situation) -> bool:
    """The first requests of a host and of its folders that were answered well."""
    response = situation.baseline.response
    return response is not None and response.status < FIRST_ERROR and any(True for _ in _fresh(situation))


def forecast(situation: Situation) -> int:
    """One request for each name."""
    return len(_paths(situation))


def _collected(request: Request) -> tuple[str, ...]:
    return (request.origin, request.path.rpartition(b"/")[0].decode("latin-1"))


ENTRY = Entry(
    type=TYPE,
    title="Files and services that should not be public",
    cwe=CWE,
    owasp=("A05:2021",),
    owasp_api=("API8:2023",),
    why=(
        "What lies beside the application needs no flaw in it: a copy of the settings holds the passwords, version control "
        "the source, and everybody who looks has the same list of names."
    ),
    remediation=(
        "Serve one folder that holds nothing but what is public, and switch listings off. Keep consoles, metrics and debug pages "
        "behind the network or a sign-in. Replace each secret that was handed out: it must be taken for known."
    ),
)
PROBE = Probe(
    type=TYPE,
    entry=ENTRY,
    name="exposed",
    whole=True,
    collected=_collected,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
