"""A file is proven to be shown where it is each time, and what does not exist never."""

from collections.abc import Callable
from random import Random

import msgspec
import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.dialogues.files.shown_file import GONE, THERE, confirmed, once_a_folder, shows
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer, Situation

FILE = "/etc/passwd"
CONTENT = b"root:x:0:0:root:/root:/bin/sh\n"
REQUEST = Request("GET", b"/page", host="a")


def situation(body: bytes = b"a page") -> Situation:
    baseline = Baseline("bl_1", Exchange(REQUEST, Response(200, body=body)))
    return Situation(
        baseline=baseline, point=Point(), value=b"", credentials=(), policy=DEFAULT, random=Random(4)
    )  # fmt: skip


def played(answers: Callable[[str, int], bytes]) -> tuple[tuple[Exchange, Exchange] | None, list[tuple[str, str]]]:
    """What is proven, and which files were asked for with which purpose. answers: the page for a path, at its turn."""
    asked: list[tuple[str, str]] = []
    dialogue = confirmed(situation(), FILE, lambda file: msgspec.structs.replace(REQUEST, target=file.encode()))
    try:
        question = next(dialogue)
        while True:
            path = question.request.target.decode()
            asked.append((path, question.purpose))
            body = answers(path, len(asked))
            question = dialogue.send(Answer(Exchange(question.request, Response(200, body=body))))
    except StopIteration as end:
        return end.value, asked


def test_the_file_and_paths_of_the_same_words_are_asked_for_in_random_order():
    pair, asked = played(lambda path, _: CONTENT if path == FILE else b"no such page")
    assert pair is not None
    there, gone = pair
    assert there.request.target == FILE.encode()
    assert gone.request.target.startswith(b"/etc/")
    assert gone.request.target.endswith(b"/passwd")
    assert sorted(purpose for _, purpose in asked) == ["confirm"] * THERE + ["control"] * GONE
    assert len({path for path, purpose in asked if purpose == "control"}) == GONE


@pytest.mark.parametrize(
    "answers",
    [lambda *_: CONTENT, lambda *_: b"a page", lambda _, turn: CONTENT if turn % 2 else b"a page"],
    ids=["always", "never", "by turns"],
)
def test_nothing_is_proven_by_what_is_shown_whatever_is_asked_for(answers: Callable[[str, int], bytes]):
    assert played(answers)[0] is None


def test_what_the_baseline_shows_already_is_not_shown():
    shown = Exchange(REQUEST, Response(200, body=CONTENT))
    assert shows(situation(), FILE, shown)
    assert not shows(situation(CONTENT), FILE, shown)


@pytest.mark.parametrize(
    ("method", "target", "folder"),
    [
        ("GET", b"/look/site.css?v=3", "/look"),
        ("GET", b"/look/app.min.js", "/look"),
        ("GET", b"/look/", None),
        ("GET", b"/look", None),
        ("POST", b"/look/site.css", None),
    ],
)
def test_one_file_stands_for_its_folder(method: str, target: bytes, folder: str | None):
    told = once_a_folder(Request(method, target, host="a"))
    assert told == (None if folder is None else (REQUEST.origin, folder))
