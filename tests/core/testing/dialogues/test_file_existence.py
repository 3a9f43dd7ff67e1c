"""Whether files exist outside of a folder: told by words that a file of the folder gets as well, and by no others."""

import posixpath
from collections.abc import Callable
from random import Random
from urllib.parse import unquote

import pytest
from tests.core.testing.driving import record

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.dialogues.file_existence import FILES, Told, tells_existence, words_of
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.probes.ptrav import PROBE

Application = Callable[[str], str]
DISK = {*FILES, "/files", "/files/hello"}


def outcome(application: Application) -> Told | None:
    """What comes of it at an application that is told the value, `hello` in the baseline."""
    good = Response(200, (), application("hello").encode())
    baseline = record(lambda _: good, Request("GET", b"/?q=hello", host="127.0.0.1"))
    check = next(one for one in plan(baseline, THOROUGH, (), (PROBE,)) if one.point == Point.of("get", "q"))
    inquiry = Inquiry(check.situation(Random(1)), [baseline.exchange])
    dialogue = tells_existence(inquiry, lambda path: f"..{path}")
    try:
        asked = next(dialogue)
        while True:
            value = unquote(asked.request.target.decode()).partition("=")[2]
            asked = dialogue.send(Answer(Exchange(asked.request, Response(200, (), application(value).encode()))))
    except StopIteration as end:
        return end.value


def on_disk(value: str) -> str:
    return posixpath.normpath(f"/files/{value}")


def tells(value: str) -> str:
    return (
        f"{posixpath.basename(value)} is there" if on_disk(value) in DISK else f"{posixpath.basename(value)} is missing"
    )


def test_an_application_that_tells_is_told_with_what_is_there_and_what_is_not():
    found = outcome(tells)
    assert found is not None
    assert (words_of(found.there) >= {"there"}, words_of(found.gone) >= {"missing"}) == (True, True)
    assert found.there.payload.removeprefix("..") in FILES


def test_a_value_that_is_no_file_itself_is_judged_by_the_folder():
    assert outcome(lambda value: tells(value.replace("hello", "nothing"))) is not None


@pytest.mark.parametrize(
    "application",
    [
        pytest.param(lambda value: f"{value} is missing", id="always missing"),
        pytest.param(
            lambda value: "outside" if "proc" in on_disk(value) and on_disk(value) in DISK else tells(value),
            id="refused in words of its own",
        ),
        pytest.param(lambda value: "refused" if "proc" in value else tells(value), id="refused by its words"),
        pytest.param(lambda value: tells(value.replace("''", "")), id="named in a command line, whose quotes vanish"),
    ],
)
def test_what_a_file_of_the_folder_is_not_told_proves_nothing(application: Application):
    assert outcome(application) is None


def test_a_page_that_says_so_by_turns_proves_nothing():
    turns = iter(["is there", "is missing"] * 30)
    assert outcome(lambda value: "is there" if value == "hello" else next(turns)) is None
