"""Whether files exist outside of a folder: told by words that a file of the folder gets as well, and by no others."""

import posixpath
from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path
from random import Random
from typing import TypeVar
from urllib.parse import quote, unquote

import pytest
from tests.absent import require
from tests.core.testing.driving import record

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.dialogues.files.file_existence import (
    FILES,
    OF_OWNER,
    OF_PROCESS,
    SIZED,
    Naming,
    Told,
    opens_as_usual,
    tells_existence,
    words_in,
    words_of,
)
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.probes.ptrav import PROBE
from gatecrash.core.testing.verdict import Proof

T = TypeVar("T")
Application = Callable[[str], str]
DISK = {*FILES, "/files", "/files/hello"}


def outcome(application: Application) -> Told | None:
    """What comes of the question for existence."""
    return played(application, tells_existence)


def by_number(value: str) -> str:
    """As JSON of PHP, Perl and databases says it, beside a time and a version."""
    there = posixpath.normpath(f"/files/{value}") in DISK
    return f'{{"there":{int(there)},"at":"10:0","version":"1.0"}}'


def by_number_within(value: str) -> str:
    within = posixpath.normpath(f"/files/{value}").startswith("/files")
    return by_number(value if within else "nothing")


def by_length(value: str) -> str:
    return f'{{"fits":{int(len(value) < 30)}}}'


def by_its_first_words(value: str) -> str:
    """Shows another beginning of each file."""
    name = posixpath.normpath(f"/files/{value}")
    return f"<pre>{chr(97 + sorted(DISK).index(name)) * 4}</pre>" if name in DISK else "Sorry"


@pytest.mark.parametrize("seed", range(6))
def test_where_some_of_a_file_is_shown_what_all_have_in_common_tells(seed: int) -> None:
    assert played(by_its_first_words, tells_existence, seed=seed) is not None


def by_a_greeting(value: str) -> str:
    """Says the value of a file that is there, and its first word of any other; folders are none."""
    name = posixpath.normpath(f"/files/{value}")
    return f"taken: {value}" if name in DISK - {"/files"} else "Sorry, not even a hello"


def by_a_greeting_within(value: str) -> str:
    within = posixpath.normpath(f"/files/{value}").startswith("/files")
    return by_a_greeting(value if within else "nothing")


@pytest.mark.parametrize(("application", "told"), [(by_a_greeting, True), (by_a_greeting_within, False)])
def test_the_words_of_the_value_say_nothing(application: Application, told: bool) -> None:
    assert (outcome(application) is not None) is told


@pytest.mark.parametrize(("application", "told"), [(by_number, True), (by_number_within, False), (by_length, False)])
def test_a_number_says_yes_and_no_as_words_do(application: Application, told: bool) -> None:
    assert (outcome(application) is not None) is told


def by_size(application: Application) -> Told | None:
    """What comes of it where a file of the kernel, which has no length, was answered as one that is not there."""

    def ask(inquiry: Inquiry, naming: Naming) -> Generator[TestRequest, Answer, Told | None]:
        unsized = yield from inquiry.send(naming("/proc/self/status"))
        assert unsized is not None
        assert (yield from tells_existence(inquiry, naming, unsized)) is None, "no other file was asked for"
        yield from inquiry.send(naming(SIZED[0]))
        return (yield from tells_existence(inquiry, naming, unsized))

    return played(application, ask)


def told_length(value: str) -> str:
    name = posixpath.normpath(f"/files/{value}")
    lengths = {"/files/hello": 35, "/files": 4096, **{file: 300 + len(file) for file in SIZED}}
    return f"<pre>{lengths.get(name, 0)}</pre>"


def told_length_within(value: str) -> str:
    within = posixpath.normpath(f"/files/{value}").startswith("/files")
    return told_length(value) if within else "<pre>0</pre>"


def looked_for(value: str) -> str:
    """A search, and something before it that knows the best-known of these files."""
    return "That will not do." if "etc/passwd" in value else f"{3 * (value == 'hello')} found"


@pytest.mark.parametrize(
    ("application", "told"), [(told_length, True), (told_length_within, False), (looked_for, False)]
)
def test_lengths_tell_of_files_that_have_one(application: Application, told: bool) -> None:
    assert (by_size(application) is not None) is told


def test_the_folder_itself_is_named_to_nobody_who_may_delete_it() -> None:
    named: list[str] = []

    def says_of_the_folder_what_it_says_outside(value: str, *, done: str) -> str:
        named.append(value)
        there = posixpath.normpath(f"/files/{value}") in DISK
        return done if value == "hello" else "It is no note." if there else "There is none."

    assert outcome(partial(says_of_the_folder_what_it_says_outside, done="Shown.")) is not None
    assert "." in named
    named.clear()
    assert outcome(partial(says_of_the_folder_what_it_says_outside, done="Removed.")) is None
    assert "." not in named


def opening(application: Application) -> Proof | None:
    """What comes of the question for what is opened."""
    return played(application, opens_as_usual)


def owned(application: Application, value: str = "hello.txt") -> Proof | None:
    """What comes of it where a file that nobody can write was refused as one that is not there."""

    def ask(inquiry: Inquiry, naming: Naming) -> Generator[TestRequest, Answer, Proof | None]:
        refused = yield from inquiry.send(naming("/proc/self/status"))
        return (yield from opens_as_usual(inquiry, naming, refused))

    return played(application, ask, value)


def played(
    application: Application,
    ask: Callable[[Inquiry, Naming], Generator[TestRequest, Answer, T | None]],
    value: str = "hello",
    seed: int = 1,
) -> T | None:
    """What comes of it at an application that is told the value."""
    good = Response(200, (), application(value).encode())
    baseline = record(lambda _: good, Request("GET", f"/?q={value}".encode(), host="127.0.0.1"))
    check = next(one for one in plan(baseline, THOROUGH, (), (PROBE,)) if one.point == Point.of("get", "q"))
    inquiry = Inquiry(check.situation(Random(seed)), [baseline.exchange])
    dialogue = ask(inquiry, lambda path: f"..{path}")
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


def test_a_page_that_shows_its_own_address_as_it_was_written_tells_as_well():
    assert outcome(lambda value: f"{tells(value)}: /?q={quote(value, safe='')}") is not None


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


def writes(value: str) -> str:
    """Makes what is not there, where its folder is; whoever runs the machine opens what nobody can write, too."""
    path = on_disk(value)
    there = posixpath.dirname(path) in ("/files", "/proc/self")
    return f"Ready to write {posixpath.basename(value)}" if there else f"{posixpath.basename(value)} cannot be written"


def runs(value: str) -> str:
    """A shell that may run none of what is there."""
    there = value == "hello" or on_disk(value).startswith("/proc/self/")
    return f"sh: 1: {value}: " + ("Permission denied" if there else "not found")


def test_what_opens_files_to_write_is_told_by_folders_that_are_not_there():
    found = opening(writes)
    assert found is not None
    assert found.test.request.target.decode().partition("%2F")[2].startswith("proc%2Fself%2F")
    assert outcome(writes) is None, "what makes files tells nothing of their existence"


@pytest.mark.parametrize(
    "application",
    [
        pytest.param(lambda value: writes(posixpath.basename(value)), id="the last part alone"),
        pytest.param(lambda value: writes(value) if value == "hello" else "refused", id="refused outside"),
        pytest.param(lambda value: writes("hello") if len(value) < 19 else "too long", id="refused by length"),
        pytest.param(lambda value: writes(value.replace("''", "")), id="a command line, whose quotes vanish"),
        pytest.param(
            lambda value: runs(value.replace("''", "")), id="a command line, which shows names without quotes"
        ),
        pytest.param(lambda value: "Noted." if "self" in value or value == "hello" else "No.", id="a word of it"),
        pytest.param(lambda value: "Noted.", id="whatever is sent"),
    ],
)
def test_what_does_not_leave_its_folder_opens_nothing(application: Application):
    assert opening(application) is None


def test_what_cannot_be_opened_by_others_than_who_runs_the_machine_proves_nothing():
    assert opening(lambda value: "permission denied" if "/proc/self" in on_disk(value) else writes(value)) is None


def writes_as_owner(value: str) -> str:
    """The same, run by somebody: of the process's own files only those are opened that he may write."""
    path = on_disk(value)
    if posixpath.dirname(path) == "/proc/self" and posixpath.basename(path) not in OF_OWNER:
        return f"{posixpath.basename(value)} cannot be written"
    return writes(value)


def test_who_does_not_run_the_machine_opens_what_is_his_own():
    found = owned(writes_as_owner)
    assert found is not None
    assert found.test.request.target.decode().rpartition("%2F")[2] in OF_OWNER
    assert (opening(writes_as_owner), owned(writes_as_owner, "hello")) == (None, None), (
        "who asks for what names no file?"
    )


@pytest.mark.parametrize(
    "application",
    [
        pytest.param(lambda value: writes_as_owner(posixpath.basename(value)), id="the last part alone"),
        pytest.param(lambda value: "Noted." if "self" in value or value == "hello.txt" else "No.", id="a word of it"),
        pytest.param(lambda value: "Noted.", id="whatever is sent"),
        pytest.param(lambda value: "Noted." if "_" in value or value == "hello.txt" else "No.", id="a sign of it"),
    ],
)
def test_what_opens_nothing_outside_is_told_of_no_owner(application: Application):
    assert owned(application) is None


@pytest.mark.parametrize("name", OF_OWNER)
def test_the_kernel_takes_nothing_that_is_written_to_what_its_owner_may_open(name):
    """Not even from who runs the machine: user_namespaces(7) has them written once, which is done for every process here."""
    file = Path("/proc/self", name)
    require(file.exists(), f"no {name} on this system")
    before = file.read_text()
    with pytest.raises(OSError), file.open("w") as opened:
        opened.write(before)
    assert file.read_text() == before


def test_only_what_nobody_can_write_is_named():
    """Each is there on every Linux and may be read alone (proc(5))."""
    assert not {"mem", "comm", "sched", "oom_score_adj", "coredump_filter"} & {*OF_PROCESS, *OF_OWNER}


def test_an_answer_says_also_where_it_leads() -> None:
    answers = [Response(302, ((b"Location", b"/%s" % name),)) for name in (b"ready", b"missing")]
    assert [words_in(each) - {"status 302"} for each in answers] == [{"ready"}, {"missing"}]
