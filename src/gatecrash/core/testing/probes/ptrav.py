"""Path traversal: a value names a file, and may name one outside of its folder.

What it finds
    Values that are used as the name or path of a file, with steps up, as an absolute path, as a file address; through filters
    that decode once more or take out what they know once; with the rest of a name cut off by a null byte; on Linux and Windows.
    And servers that hand out files outside of their folder when the address itself leaves it.

Why it matters
    Whoever reads any file reads configuration, keys and source code, and often gets in by them.

How it decides
    A file that every system has is asked for. Its content must be in the answer by its shape (`/etc/passwd`: the superuser's line
    with its seven fields; `win.ini`: its comment and a section; `/proc/self/status`: its first lines), which no echo of a name
    has, and must not be in the baseline. It must be so again with more steps up, which lead to the same file, and not for a name
    of the same shape and last word that does not exist. The last of these is asked for first, which nobody can overwrite: links
    may write, too. Requests that may change something, by their method or by a name such as `delete`, ask for no other, and its
    first line will do there; the rest for `/etc/passwd` as well, where files are read by their size, or where the first is told
    as one that is not there and the empty device is not answered as the value is. A number is tried once, a text in three ways;
    names of files, values whose parameter is named so, and values that are answered as the baseline with `./` before them are
    tried in all ways, and behind `./` where only what a value begins with is refused. No file that can be written over is
    asked for of a target or of what is read as a path where a name drawn at random is answered as the value, and one in a
    folder that is not there is not.
    Of values that may name a folder, or that are read as a path, and of lists of files, the folder of the process is asked for as
    well, which Linux fills with the same names everywhere.
    What is read as a path is asked for files of the application, too, one and two steps up, with an extension where the value has
    one: manifests of packages, `WEB-INF/web.xml`, settings. Their shape must be shown, and not within the folder.
    PHP: the file that the value names, read through a filter, comes encoded once, twice and three times as was asked.
    Where an error tells, in a runtime's words, at which path there is no such file: names drawn at random with steps up are
    looked for outside of the folder in which names without them are. Where no content is shown: files of `/proc`, or of `/etc`
    where lengths are told, are answered as a file of the folder is, in the words that a missing one is not; by steps up, or past
    a filter. Or they are answered as the value is, and what lies in a missing folder is not, as by what opens files to write,
    the superuser's alone or not.

Known misses
    Requests that delete, and on Windows all that may change something: there, no file is safe to name. Folders listed on Windows.
    Files handed out by their size, in requests that may change something, or by servers that break over one that holds more;
    filters, and what shows another page or breaks over a name that is not there, on systems without `/proc`. Folders that are
    left, but only for files of no known shape, and where an extension is added that none of the application's known files has and
    no error tells the path. Files that are used and neither shown nor told of.

Standards and references
    CWE-22; OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security Top 10:2023 API8 Security Misconfiguration.
"""

from collections.abc import Generator
from functools import partial

import msgspec

from gatecrash.core.message import Response
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read
from gatecrash.core.testing.asking import TIMED_OUT, Stopped, response_of
from gatecrash.core.testing.dialogues.files.file_existence import (
    leaves_out,
    opens_as_usual,
    past_a_filter,
    tells_existence,
    told_by,
    words_of_text,
)
from gatecrash.core.testing.dialogues.files.makes_files import may_write_over
from gatecrash.core.testing.dialogues.files.own_files import is_path, is_sought_in, reads_own_files
from gatecrash.core.testing.dialogues.files.php_filters import picks_a_part, reads_by_filter, takes_filters
from gatecrash.core.testing.dialogues.files.told_outside import looks_outside
from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply, inquiring
from gatecrash.core.testing.dialogues.refused_here import nothing_found_at
from gatecrash.core.testing.dialogues.repeating import shown_by_it_alone
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.sign_in import signs_in
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.difference import says_all_of
from gatecrash.core.testing.oracles.files.files import missing_beside, shapes_asked_for, shapes_in
from gatecrash.core.testing.oracles.platforms import on_windows
from gatecrash.core.testing.payloads.ptrav import (
    ABSOLUTE,
    ADDRESS,
    BEHIND_VALUE,
    FOR_FILES,
    FOR_FILTERS,
    FOR_NUMBERS,
    FOR_TEXTS,
    NESTED,
    OF_FOLDERS,
    OF_LISTINGS,
    RELATIVE,
    Step,
    at_last,
    fill,
    for_target,
)
from gatecrash.core.testing.places.named_files import TARGET, may_list, may_write, ways_for
from gatecrash.core.testing.places.segments import holds_a_value, last_segment_as_a_point
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Outcome, Proof, Verdict, safe

TYPE = "ptrav"
CWE = (22,)
# 85: any file that the application may read. 70: opens any, and may write it. 50: which files there are.
THREAT, THREAT_OPENED, THREAT_EXISTENCE = 85, 70, 50
LINUX_FILE, WINDOWS_FILE = "/etc/passwd", "/windows/win.ini"
# Nobody can write or delete it, root included.
READ_ONLY_FILE = "/proc/self/status"
# Whoever writes to it changes nothing.
EMPTY_DEVICE = "/dev/null"
FOLDER = "/proc/self"

_Deciding = Generator[TestRequest, Answer, Verdict | None]


def _dialogue(inquiry: Inquiry) -> Dialogue:
    situation, file = inquiry.situation, _file(inquiry)
    steps = ways_for(situation, windows=file == WINDOWS_FILE)
    verdict = yield from _try(inquiry, steps, file)
    unknown = verdict is None and steps == FOR_TEXTS and not situation.policy.one_family
    path = unknown and (yield from is_path(inquiry))
    if path:
        verdict, steps = (yield from _try(inquiry, [each for each in FOR_FILES if each not in steps], file)), FOR_FILES
    if verdict is None and file == READ_ONLY_FILE and not may_write(situation):
        verdict = yield from _without_proc(inquiry, file)
    # Who packs a folder reads all of it, and the one of a process has no end.
    shown = path and inquiry.basis[0].kind != "opaque" and not may_write(situation)
    if verdict is None and (may_list(situation) or shown):
        targeted = tuple(situation.point) == TARGET
        verdict = yield from _try(inquiry, *((OF_LISTINGS, f"{FOLDER}/") if targeted else (OF_FOLDERS, FOLDER)))
    verdict = verdict or (yield from _by_existence(inquiry, file)) or (yield from _by_filter(inquiry))
    last = at_last(steps, read_on=_looks_at_beginnings(inquiry, file))
    verdict = verdict or (yield from _by_own_files(inquiry)) or (yield from _try(inquiry, last, file))
    if verdict is not None:
        return verdict
    nothing = yield from nothing_found_at(inquiry, TYPE)
    if nothing.outcome is not Outcome.SAFE or not _asks_for_target_too(situation):
        return nothing
    return (yield from _by_target(inquiry))


def _looks_at_beginnings(inquiry: Inquiry, file: str) -> bool:
    """Whether steps up that a value begins with are answered otherwise than those behind the value: somebody refuses the first."""
    replied = {reply.payload: told_by(reply) - words_of_text(reply.payload) for reply in inquiry.replies}
    first, behind = (replied.get(_payload(inquiry, step, file)) for step in (RELATIVE, BEHIND_VALUE))
    return first is not None and behind is not None and first != behind


def _by_target(asked: Inquiry) -> Dialogue:
    """The same place by the raw target, for servers that hand files out themselves: only where its last segment told nothing."""
    situation, target = asked.situation, Point(TARGET)
    value = read(situation.baseline.request, target) or b""
    inquiry = Inquiry(msgspec.structs.replace(situation, point=target, value=value), [asked.control])
    verdict = yield from _try(inquiry, for_target(inquiry.value), _file(inquiry))
    if verdict is not None:
        return verdict
    nothing = yield from nothing_found_at(inquiry, TYPE)
    return msgspec.structs.replace(nothing, point=tuple(situation.point))


def _asks_for_target_too(situation: Situation) -> bool:
    """Whether the point is the last segment of the path, and the target is looked at together with it."""
    asks = situation.point[0] == "path" and situation.baseline.request.method.upper() == "GET"
    return asks and tuple(situation.point) == last_segment_as_a_point(situation)


def _file(inquiry: Inquiry) -> str:
    """The file to ask for."""
    if _windows(inquiry.good, inquiry.value):
        return WINDOWS_FILE
    # What hands out files by the target itself does so by their size, and writes none.
    return LINUX_FILE if tuple(inquiry.situation.point) == TARGET else READ_ONLY_FILE


def _windows(response: Response, value: str) -> bool:
    """Whether the answer's headers or the value say that files are found as Windows does."""
    return on_windows(response) or "\\" in value


def _try(inquiry: Inquiry, steps: tuple[Step, ...] | list[Step], file: str) -> _Deciding:
    """Ask in each way, once for each different text, until one shows the file."""
    asked: set[str] = set()
    if tuple(inquiry.situation.point) == TARGET and (yield from may_write_over(inquiry)):
        return None
    for step in steps:
        payload = _payload(inquiry, step, file)
        if payload in asked:
            continue
        asked.add(payload)
        verdict = yield from _ask(inquiry, step, file, payload)
        if verdict is not None:
            return verdict
    return None


def _ask(inquiry: Inquiry, step: Step, file: str, payload: str) -> _Deciding:
    """Ask in one way; once more for a file that has a size, where this one, which has none, may have been read."""
    reply = yield from inquiry.send(payload)
    if reply is None:
        return None
    if _shown(inquiry, reply, file):
        return (yield from _confirm(inquiry, step, file))
    if file == READ_ONLY_FILE and not may_write(inquiry.situation) and leaves_out(inquiry, reply):
        return (yield from _ask(inquiry, step, LINUX_FILE, _payload(inquiry, step, LINUX_FILE)))
    return None


def _without_proc(inquiry: Inquiry, file: str) -> _Deciding:
    """The file that every other system has, where the first is told as one that is not there, and not by a server's error.

    Not so where an empty device, which anybody may write to, does as well as the value: it may be opened to write.
    """
    there, odd = _there_and_odd(inquiry, file)
    facts = inquiry.basis[0].facts
    if there is None or odd is None or told_by(there) != told_by(odd):
        return None
    if there.broke or says_all_of(there.reading, facts):
        return None
    device = yield from inquiry.send(_payload(inquiry, RELATIVE, EMPTY_DEVICE), purpose="control")
    if device is None or says_all_of(device.reading, facts):
        return None
    return (yield from _try(inquiry, [RELATIVE, ABSOLUTE], LINUX_FILE))


def _there_and_odd(inquiry: Inquiry, file: str) -> tuple[Reply | None, Reply | None]:
    """How the file was answered by steps up, and by steps that are none but for filters; None for what was not asked."""
    replied = {reply.payload: reply for reply in inquiry.replies}
    there, odd = (replied.get(_payload(inquiry, step, file)) for step in (RELATIVE, NESTED))
    return there, odd


def _by_existence(inquiry: Inquiry, file: str) -> _Deciding:
    """Whether answers tell if a file outside is there, or was opened. Not of a login: tests of the registration have made accounts
    that are called after the same files, and none after files that are not there.
    """
    if signs_in(inquiry.situation.baseline.request):
        return None
    there, odd = _there_and_odd(inquiry, file)
    if there is None or odd is None or tuple(inquiry.situation.point) == TARGET:
        return None
    naming, nested = partial(_payload, inquiry, RELATIVE), partial(_payload, inquiry, NESTED)
    outside = yield from looks_outside(inquiry, (naming, nested))
    if outside is not None:
        return inquiry.vulnerable(ENTRY, THREAT_OPENED, outside, "looks for files outside of the folder")
    as_missing = there if told_by(there) == told_by(odd) else None
    told = yield from tells_existence(inquiry, naming, as_missing)
    past = past_a_filter(inquiry, there, [partial(_payload, inquiry, step) for step in FOR_FILTERS], file)
    if told is None and past is not None:
        told = yield from tells_existence(inquiry, past)
    if told is not None:
        return inquiry.vulnerable(ENTRY, THREAT_EXISTENCE, told.proof(), "tells whether files outside of it exist")
    opened = yield from opens_as_usual(inquiry, naming, as_missing)
    return inquiry.vulnerable(ENTRY, THREAT_OPENED, opened, "opens files outside of the folder") if opened else None


def _by_filter(inquiry: Inquiry) -> _Deciding:
    """The text of the file that the value names, through a filter of PHP: for those who add an extension, or run what they read."""
    situation, file_named = inquiry.situation, ADDRESS in ways_for(inquiry.situation, windows=False)
    sought = takes_filters(situation, file_named) or (_takes_filters(situation) and is_sought_in(inquiry))
    found = (yield from reads_by_filter(inquiry)) if sought else None
    return inquiry.vulnerable(ENTRY, THREAT, found.told(), "reads files through filters of PHP") if found else None


def _by_own_files(inquiry: Inquiry) -> _Deciding:
    """Files of the application: for those who add an extension, or never leave the folder that all of it lies in."""
    situation = inquiry.situation
    steps = ways_for(situation, windows=False)
    unlikely = steps == FOR_NUMBERS or situation.point[0] in ("post", "uri")
    if unlikely or situation.policy.one_family or may_write(situation):
        return None
    own = (yield from reads_own_files(inquiry)) if steps != FOR_TEXTS or is_sought_in(inquiry) else None
    return inquiry.vulnerable(ENTRY, THREAT, own.told(), f"shows the application's {own.file.name}") if own else None


def _takes_filters(situation: Situation) -> bool:
    """Whether PHP may read the value as an address."""
    steps = ways_for(situation, windows=False)
    return takes_filters(situation, ADDRESS in steps) or (steps == FOR_TEXTS and picks_a_part(situation))


def _payload(inquiry: Inquiry, step: Step, file: str, extra: int = 0) -> str:
    folder, targeted = inquiry.value.partition("?")[0].rpartition("/")[0], tuple(inquiry.situation.point) == TARGET
    return f"{folder}/{fill(step, file, '', extra)}" if targeted else fill(step, file, inquiry.value, extra)


def _shown(inquiry: Inquiry, reply: Reply, file: str) -> frozenset[str]:
    """The file that was asked for, where an answer shows it and the baseline does not."""
    alone = may_write(inquiry.situation)
    return shapes_asked_for(file, response_of(reply.exchange), alone=alone) - shapes_in(inquiry.good)


def _confirm(inquiry: Inquiry, step: Step, file: str) -> _Deciding:
    """A name of the same shape that does not exist must show nothing; the same file by a longer way must be shown."""

    def nothing() -> Asking:
        missing = _payload(inquiry, step, missing_beside(file, inquiry.mark(8)))
        try:
            return (yield from inquiry.send(missing, purpose="control"))
        except Stopped as stopped:
            # Some never answer for what is not there, which shows nothing of a file.
            if stopped.detail != TIMED_OUT:
                raise
            return Reply(inquiry.control, missing, inquiry.basis[0], inquiry.good_text)

    def longer() -> Asking:
        extra = inquiry.random.randrange(1, 4)
        return (yield from inquiry.send(_payload(inquiry, step, file, extra), purpose="confirm"))

    def shown(reply: Reply) -> frozenset[str]:
        return _shown(inquiry, reply, file)

    control = yield from nothing()
    if control is None:
        return None
    if shown(control):
        return safe(TYPE, inquiry.situation.point, "a name that does not exist is answered with the same content")
    again = yield from longer()
    if again is None or not shown(again) or not (yield from shown_by_it_alone(inquiry, longer, nothing, shown)):
        return None
    what = min(shown(again))
    silent = " (it is not answered in time; the value is)" if control.exchange is inquiry.control else ""
    proof = Proof(
        test=again.exchange,
        control=control.exchange,
        verified_by=(
            f"{again.payload!r} is answered with the content of {what}, known by its shape, which the baseline does "
            f"not show; shown five times by different ways ({step.name}). {control.payload!r}, which does not exist{silent}, "
            f"shows nothing of the kind, nor do others like it."
        ),
    )
    return inquiry.vulnerable(ENTRY, THREAT, proof, f"shows {what}")


def applies(situation: Situation) -> bool:
    """Any single value, and the target itself where it has a folder to leave; nothing that may be deleted by its name."""
    request, response = situation.baseline.request, situation.baseline.response
    if tuple(situation.point) == TARGET:
        return request.method.upper() == "GET" and not last_segment_as_a_point(situation)
    if not is_safe(request):
        value = situation.value.decode("utf-8", "replace")
        if request.method.upper() == "DELETE" or (response is not None and _windows(response, value)):
            return False
    return holds_a_value(situation)


def forecast(situation: Situation) -> int:
    """Requests for a sound point: one for each way that fits the value. A few more are asked where answers differ, and not counted."""
    value, response = situation.value.decode("utf-8", "replace"), situation.baseline.response
    steps = ways_for(situation, windows=response is not None and _windows(response, value))
    if tuple(situation.point) == TARGET:
        return 1 + len(steps)
    target = situation.baseline.request.target.decode("latin-1")
    more = 1 + len(for_target(target)) if _asks_for_target_too(situation) else 0
    ways = len({fill(step, LINUX_FILE, value) for step in (*steps, *at_last(steps))})
    return ways + more + may_list(situation) * len(OF_FOLDERS) + _takes_filters(situation)


ENTRY = Entry(
    type=TYPE,
    title="Path traversal",
    cwe=CWE,
    owasp=("A01:2021",),
    owasp_api=("API8:2023",),
    why=(
        "Whoever chooses which file is read gets configuration, keys, source code and other people's documents, and often "
        "full access by what stands in them."
    ),
    remediation=(
        "Let callers name things by identifiers and look the file up in a table. Where a name must be taken, resolve the "
        "whole path first (realpath) and refuse it unless it lies inside the folder; do not try to take out what is "
        "dangerous. Let the process read nothing that it does not need."
    ),
)
PROBE = Probe(type=TYPE, entry=ENTRY, applies=applies, forecast=forecast, run=inquiring(TYPE, _dialogue))
