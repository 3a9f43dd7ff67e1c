"""A file of the system that an answer shows where the request names it: asked for again, and for what does not exist.

if shows(situation, FILE, exchange):
pair = yield from confirmed(situation, FILE, naming)
shown_at(entry, situation, FILE, pair, threat=…)     the verdict on both
was_handed_out(situation)     whether the recorded answer is a file of a folder, of which one is asked about for all
"""

import re
from collections.abc import Callable, Generator

from gatecrash.core.message import Exchange, Request
from gatecrash.core.statuses import OK
from gatecrash.core.testing.asking import ask, response_of
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.oracles.files.files import missing_beside, shapes_asked_for, shapes_in
from gatecrash.core.testing.probe import Answer, Situation, TestRequest
from gatecrash.core.testing.verdict import Verdict, vulnerable

THERE, GONE = 3, 3
_FILE = re.compile(rb"[^.]+(?:\.[\w-]+)+")

Naming = Callable[[str], Request]
"""The request that names a file, by its path."""


def shows(situation: Situation, file: str, exchange: Exchange) -> bool:
    """Whether an answer shows the file, and the baseline does not."""
    good = situation.baseline.response
    return bool(shapes_asked_for(file, response_of(exchange)) - (shapes_in(good) if good else frozenset()))


def confirmed(
    situation: Situation, file: str, naming: Naming
) -> Generator[TestRequest, Answer, tuple[Exchange, Exchange] | None]:
    """The last answers over the file and over a path of the same words that does not exist; None where the file is not shown each
    time, or the other ever is, in random order.
    """
    last: dict[bool, Exchange] = {}
    turns = [True] * THERE + [False] * GONE
    situation.random.shuffle(turns)
    for there in turns:
        mark = fresh_letters(situation.random, 8)
        asked = naming(file if there else missing_beside(file, mark))
        last[there] = yield from ask(asked, "confirm" if there else "control")
        if shows(situation, file, last[there]) is not there:
            return None
    return last[True], last[False]


def shown_at(entry: Entry, situation: Situation, file: str, pair: tuple[Exchange, Exchange], *, threat: int) -> Verdict:
    """The verdict where the file was shown by the first of a pair, and nothing of the kind by the second."""
    test, control = pair
    return vulnerable(
        entry,
        situation.point,
        detail=f"shows {file}",
        threat=threat,
        test=test,
        control=control,
        verified_by=(
            f"{test.request.target.decode('latin-1')} is answered with the content of {file}, known by its shape, which the file "
            f"that was recorded does not show; four times. {control.request.target.decode('latin-1')}, which does not exist, shows "
            f"nothing of the kind, nor do others like it, in random order."
        ),
    )


def was_handed_out(situation: Situation) -> bool:
    """Whether a file of a folder was handed out, where the policy looks into paths."""
    request, response = situation.baseline.request, situation.baseline.response
    if response is None or response.status != OK or not response.body:
        return False
    return "path" in situation.policy.locations and once_a_folder(request) is not None


def once_a_folder(request: Request) -> tuple[str, ...] | None:
    """For `collected`: one file stands for all of its folder; None for what is no file."""
    folder, _, name = request.path.rpartition(b"/")
    if request.method.upper() != "GET" or not _FILE.fullmatch(name):
        return None
    return (request.origin, folder.decode("latin-1"))
