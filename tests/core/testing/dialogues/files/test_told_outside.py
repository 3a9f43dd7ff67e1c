"""Proof by errors that tell a path: who follows steps up is found, and nobody who stays in the folder or tells nothing."""

import posixpath
from collections.abc import Callable
from urllib.parse import unquote

import pytest
from tests.core.testing.driving import answered, inquiry_into, record

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.dialogues.files.told_outside import looks_outside
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.probes.ptrav import PROBE
from gatecrash.core.testing.verdict import Proof

FOLDER = "/srv/site/pages"
UP = "../" * 8


def missing(path: str) -> Response:
    words = (
        f"<b>Warning</b>:  include({path}): Failed to open stream: No such file or directory in <b>/srv/index.php</b>"
    )
    return Response(200, (), words.encode())


def including(value: str, folder: str = FOLDER) -> Response:
    return Response(200, (), b"About us") if value == "about" else missing(f"{folder}/{value}.php")


def outcome(application: Callable[[str], Response], seed: int = 1) -> tuple[Proof | None, int]:
    """What comes of it at an application that was asked for a file with steps up before, and how often it was asked."""
    asked: list[str] = []

    def answering(request: Request) -> Response:
        asked.append(unquote(request.target.decode()).partition("=")[2])
        return application(asked[-1])

    def dialogue(inquiry: Inquiry):
        yield from inquiry.send(UP + "proc/self/status")
        namings = (lambda path: UP + path.lstrip("/"), lambda path: "....//" * 8 + path.lstrip("/"))
        return (yield from looks_outside(inquiry, namings))

    baseline = record(answering, Request("GET", b"/?page=about"))
    found = answered(dialogue(inquiry_into("page", baseline, PROBE, seed)), answering)
    return found, len(asked)


def looking_up(value: str, ending: str = "") -> Response:
    """As Python and Java tell where a path is made absolute to see whether it lies in the folder, and where it is opened."""
    path = posixpath.normpath(f"{FOLDER}/{value}{ending}")
    return Response(500, (), f"[Errno 2] No such file or directory: '{path}'".encode())


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    "application",
    [
        including,
        lambda value: including(value, "pages"),
        lambda value: including(value, "../pages"),
        lambda value: including(value.replace("../", ""), "pages"),
        lambda value: including("about") if value == "about" else missing(posixpath.normpath(f"{FOLDER}/{value}.php")),
        lambda value: including("about") if value == "about" else looking_up(value, ".html"),
    ],
    ids=[
        "absolute",
        "relative",
        "relative upwards",
        "steps up taken out once",
        "told without detours",
        "with an extension",
    ],
)
def test_names_with_steps_up_are_looked_for_outside(application: Callable[[str], Response], seed: int):
    found, _ = outcome(application, seed)
    assert found is not None
    assert "is looked for at" in found.verified_by


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    "application",
    [
        lambda value: including(posixpath.basename(value)),
        lambda value: including(posixpath.normpath("/" + value).lstrip("/")),
        lambda value: including(value) if ".." not in value else Response(404, (), f"No page {value}".encode()),
        lambda value: including(value.replace(".", "")),
        lambda value: including(value.replace("/", "")),
        lambda value: Response(404, (), f"No such file: /srv/{value}.php".encode()),
        lambda value: including("about") if value == "about" else looking_up(value),
    ],
    ids=[
        "last name",
        "steps up end at the folder",
        "refused",
        "dots taken out",
        "slashes taken out",
        "own words",
        "looked up only",
    ],
)
def test_names_within_the_folder_are_no_proof(application: Callable[[str], Response], seed: int):
    assert outcome(application, seed)[0] is None


def test_where_no_error_tells_a_path_nothing_is_asked():
    _, asked = outcome(lambda _: Response(404, (), b"no such page"))
    assert asked == 2


def written(value: str, folder: str = FOLDER, denied: str = "[Errno 13] Permission denied: '{}'") -> Response:
    """As Python tells of what it opens to write, where it does not run as the superuser."""
    path = f"{folder}/{value}"
    if posixpath.normpath(path).startswith("/proc/self/"):
        return Response(500, (), denied.format(path).encode())
    missing = "/" in value
    return Response(500, (), f"[Errno 2] No such file or directory: '{path}'".encode()) if missing else Response(200)


@pytest.mark.parametrize("seed", range(5))
def test_what_nobody_may_write_is_told_as_such_where_steps_up_are_followed(seed: int):
    found, asked = outcome(written, seed)
    assert found is not None
    assert "may not be opened" in found.verified_by
    assert asked > 4


@pytest.mark.parametrize(
    "application",
    [
        lambda value: written(value.replace("../", "")),
        lambda value: written(value, denied="you may not write {}"),
        lambda value: Response(500, (), f"[Errno 13] Permission denied: '{FOLDER}/{value}'".encode()),
    ],
    ids=["steps up are taken out", "in its own words", "nothing at all may be written"],
)
def test_all_else_is_told_by_nobody_who_writes_there(application: Callable[[str], Response]):
    assert outcome(application)[0] is None


def by_superuser(value: str, told: str = "[Errno 22] Invalid argument") -> Response:
    """As Python tells of what it opens to write, where it runs as the superuser."""
    path = posixpath.normpath(f"{FOLDER}/{value}")
    if path.startswith("/proc/self/"):
        return Response(500, (), told.format(path).encode())
    return written(value)


@pytest.mark.parametrize("seed", range(5))
def test_what_takes_nothing_is_told_as_such_where_the_superuser_writes(seed: int):
    found, _ = outcome(by_superuser, seed)
    assert found is not None
    assert "takes nothing" in found.verified_by


@pytest.mark.parametrize(
    "application",
    [
        lambda value: by_superuser(posixpath.basename(value)),
        lambda value: by_superuser(value, "[Errno 22] Invalid argument: '{}'"),
        lambda value: Response(500, (), b"[Errno 22] Invalid argument"),
    ],
    ids=["last name", "looked up only", "nothing at all is written"],
)
def test_who_does_not_write_there_is_told_nothing_of_it(application: Callable[[str], Response]):
    assert outcome(application)[0] is None
