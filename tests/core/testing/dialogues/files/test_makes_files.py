"""Who makes files is told from who reads them and from who minds no names, by two names at the most."""

from random import Random

import pytest
from tests.core.testing.driving import answered

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.dialogues.files.makes_files import makes_files, may_write_over
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation

NAMED = Point.of("get", "q")
GONE = Response(404, (), b"no such file")


def makes(name: str) -> Response:
    return Response(500) if "/" in name.removeprefix("de/") else Response(200, (), f"kept {name}, 3 bytes".encode())


def adds(name: str) -> Response:
    """A line to the file, and shows all of it."""
    kept = b"Green tea" if name == "de/tea.txt" else b""
    return makes(name) if "/" in name.removeprefix("de/") else Response(200, (), kept + b"visited")


def misses_softly(name: str) -> Response:
    return reads(name) if name == "de/tea.txt" else Response(200, (), b"There is no such page.")


def reads(name: str) -> Response:
    return Response(200, (), b"Green tea.") if name == "de/tea.txt" else GONE


def minds_nothing(_name: str) -> Response:
    return Response(200, (), b"<h1>Our shop</h1><p>Pots and cups, from near and far.</p>")


def says_nothing(_name: str) -> Response:
    return Response(200, (), b"done")


@pytest.mark.parametrize(
    ("answer", "made", "cost"),
    [
        (makes, True, 2),
        (adds, True, 2),
        (reads, False, 1),
        (misses_softly, False, 1),
        (minds_nothing, False, 2),
        (says_nothing, True, 2),
    ],
)
def test_who_makes_files(answer, made, cost):
    sent: list[str] = []

    def respond(request: Request) -> Response:
        sent.append((read(request, NAMED) or b"").decode())
        return answer(sent[-1])

    request = Request("GET", b"/files?q=de/tea.txt")
    exchange = Exchange(request, answer("de/tea.txt"))
    situation = Situation(
        baseline=Baseline("bl_1", exchange), point=NAMED, value=b"de/tea.txt", credentials=(), policy=DEFAULT, random=Random(1)
    )  # fmt: skip
    for _ in range(2):  # the second time it is known
        assert answered(makes_files(Inquiry(situation, [exchange])), respond) is made
    assert len(sent) == cost
    assert all(name.startswith("de/") and name.endswith(".txt") for name in sent)


@pytest.mark.parametrize("threads", ["baba", "bbab", "baab"])
@pytest.mark.parametrize("makes_and_breaks", [False, True])
def test_a_trace_that_names_another_thread_each_time_makes_nothing(threads: str, makes_and_breaks: bool) -> None:
    """One who breaks once the file is made tells by other words that its folder is not there."""
    turns = iter(threads)

    def respond(request: Request) -> Response:
        name = (read(request, NAMED) or b"").decode()
        is_lost = makes_and_breaks and "/" in name.removeprefix("de/")
        thread = {"a": "pool.run", "b": "pool.run reserved.run"}[next(turns)]
        return Response(500, (), f"{'no folder' if is_lost else 'no way'} of {name} at {thread}".encode())

    request = Request("GET", b"/files?q=de/tea.txt")
    exchange = Exchange(request, respond(request))
    situation = Situation(
        baseline=Baseline("bl_1", exchange), point=NAMED, value=b"de/tea.txt", credentials=(), policy=DEFAULT, random=Random(1)
    )  # fmt: skip
    assert answered(makes_files(Inquiry(situation, [exchange])), respond) is makes_and_breaks


@pytest.mark.parametrize(
    ("target", "expected"),
    [("/remove/tea.txt", True), ("/shelf/tea.txt?do=delete", True), ("/shelf/removed.txt", False)],
)
def test_who_deletes_what_a_target_names_is_known_by_its_words(target: str, expected: bool) -> None:
    """He answers a name that no file has as who reads files."""
    exchange = Exchange(Request("GET", target.encode()), Response(200, (), b"done"))
    situation = Situation(
        baseline=Baseline("bl_1", exchange), point=Point.of("uri"), value=target.encode(), credentials=(), policy=DEFAULT, random=Random(1)
    )  # fmt: skip
    assert answered(may_write_over(Inquiry(situation, [exchange])), lambda _: GONE) is expected
