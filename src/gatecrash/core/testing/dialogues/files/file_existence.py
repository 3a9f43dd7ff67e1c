"""Whether answers tell if a file is there, without showing any of it: proof by words alone.

    told = yield from tells_existence(inquiry, fill, unsized)
    opened = yield from opens_as_usual(inquiry, fill)

A file that is there is answered in other words than one that is not, and in no words but those that a file of the folder
itself gets: who resolves the name first and refuses what lies outside says so in words of its own, and keeps what it keeps.
Who opens files to write makes what is not there, and says of it what it says of the value; only where its folder is missing,
too, is it told as what cannot be opened.
"""

import re
from collections.abc import Callable, Generator, Iterable
from typing import NamedTuple
from urllib.parse import quote

from gatecrash.core.message import Response
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.asking import response_of
from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply
from gatecrash.core.testing.dialogues.repeating import MANY, shown_by_it_alone
from gatecrash.core.testing.effects.takes_all import may_take_all
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.files.files import missing_beside
from gatecrash.core.testing.oracles.remembering import remembered
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.verdict import Proof

# proc(5): on every Linux; nobody can write them, delete them, or make others beside them.
FILES = ("/proc/version", "/proc/uptime", "/proc/meminfo", "/proc/cpuinfo", "/proc/loadavg", "/proc/stat")
# Their lengths are told as none. These have one, and are on every Linux, too, but may be written by the superuser.
SIZED = ("/etc/passwd", "/etc/group", "/etc/hosts", "/etc/resolv.conf")
# Of the process itself: nobody can write them; who runs the machine may open them to try.
OF_PROCESS = ("stat", "maps", "limits", "status", "mounts", "statm")
# Who the process runs as may open these to write; the kernel refuses all that is written but once, before the process began.
OF_OWNER = ("uid_map", "gid_map")
_SELF = "/proc/self"
_FILE = re.compile(r"[^?#]*\w\.[A-Za-z][A-Za-z0-9]{0,4}")
_WORD = re.compile(r"[^\W\d_]+")
# Alone, and no part of a number, a time, an address.
_YES_OR_NO = re.compile(r"(?<![\w./-])(?<!\d:)[01](?![\w./:-])")
# The same for texts of ASCII alone, in a fifth of the time.
_GAPS = {code: " " for code in range(128) if not chr(code).isalpha()}
_FIRST_LINE = re.compile(r"Name:(?:\t|\\t)\w")
_MOST = 100_000

# A file's path to a payload that names it from within the folder.
Naming = Callable[[str], str]


class Told(NamedTuple):
    """The last answer over a file that is there, and over one that is not."""

    there: Reply
    gone: Reply

    def proof(self) -> Proof:
        """The proof in words."""
        return Proof(
            test=self.there.exchange,
            control=self.gone.exchange,
            verified_by=(
                f"{self.there.payload!r}, which every Linux has, is answered as a file that is there; {self.gone.payload!r}, "
                f"which does not exist, and a random name of the folder are answered as what is not. Repeated with several "
                f"files in random order."
            ),
        )


def words_of(reply: Reply) -> frozenset[str]:
    """The words of an answer and its status, without those that were sent; pages show their own address as it was written, too."""
    sent = words_of_text(reply.payload)
    if "%" in reply.text:
        sent |= words_of_text(quote(reply.payload, safe="", errors="surrogateescape"))
    return words_in(response_of(reply.exchange)) - sent


@remembered
def words_in(response: Response) -> frozenset[str]:
    """The words of an answer as it is and of the address that it leads to, and its status."""
    onward = response.first(b"Location") or b""
    return words_of_text(f"{text_of(response)} {onward.decode('latin-1')}") | {f"status {response.status}"}


def told_by(reply: Reply) -> frozenset[str]:
    """The words of an answer, and the numbers that say yes and no in many languages: `{"there": 1}`."""
    return words_of(reply) | _numbers_in(reply.text)


def _numbers_in(text: str) -> frozenset[str]:
    return frozenset(_YES_OR_NO.findall(text[:_MOST]))


def words_of_text(text: str) -> frozenset[str]:
    """The words of a text, in small letters."""
    text = text[:_MOST].casefold()
    return frozenset(text.translate(_GAPS).split() if text.isascii() else _WORD.findall(text))


def leaves_out(inquiry: Inquiry, reply: Reply) -> bool:
    """Whether an answer says less than the baseline and nothing else, as of an empty file; or but the first line of
    `/proc/self/status`.

    Where the value names nothing, whatever is answered well may be such a file.
    """
    if inquiry.good.status >= FIRST_ERROR > reply.reading.status:
        return True
    if words_of(reply) < words_in(inquiry.good) - words_of_text(inquiry.value):
        return True
    return _FIRST_LINE.search(reply.text) is not None and not _FIRST_LINE.search(inquiry.good_text)


def _folder_itself(inquiry: Inquiry) -> Asking:
    """The answer over the folder that files are looked up in; None where it might be deleted."""
    if may_take_all(inquiry.situation.baseline):
        return None
    return (yield from inquiry.send(".", purpose="control"))


def _files_to_tell(inquiry: Inquiry, naming: Naming, unsized: Reply | None) -> tuple[str, ...]:
    if unsized is None:
        return FILES
    sized = next((each for each in inquiry.replies if each.payload == naming(SIZED[0])), None)
    return () if sized is None or told_by(sized) == told_by(unsized) else SIZED


def past_a_filter(inquiry: Inquiry, there: Reply, ways: Iterable[Naming], file: str) -> Naming | None:
    """Which of the ways that were asked is answered as the value is, where the one by plain steps up (there) is not."""
    usual = words_in(inquiry.good) - words_of_text(inquiry.value)
    if usual <= words_of(there):
        return None
    passed = {reply.payload for reply in inquiry.replies if words_of(reply) == usual}
    return next((way for way in ways if way(file) in passed), None)


def tells_existence(
    inquiry: Inquiry, naming: Naming, unsized: Reply | None = None
) -> Generator[TestRequest, Answer, Told | None]:
    """Whether the answers tell files that are there from others, each time, as they do within the folder.

    unsized: the answer over a file without a length, where it was as over one that is not there. Then files that have
    one are asked for, where the first of them was asked for before and was answered otherwise: sizes tell, too.
    """
    files = _files_to_tell(inquiry, naming, unsized)
    return (yield from _tells(inquiry, naming, files)) if files else None


def _tells(inquiry: Inquiry, naming: Naming, files: tuple[str, ...]) -> Generator[TestRequest, Answer, Told | None]:
    def there() -> Asking:
        return (yield from inquiry.send(naming(inquiry.random.choice(files)), purpose="confirm"))

    def gone() -> Asking:
        missing = missing_beside(inquiry.random.choice(files), inquiry.mark(8))
        return (yield from inquiry.send(naming(missing), purpose="control"))

    one, other = (yield from there()), (yield from gone())
    if one is None or other is None:
        return None
    said, unsaid = told_by(one) - told_by(other), told_by(other) - told_by(one)
    # The value's own words are those that were sent.
    good = (words_in(inquiry.good) - words_of_text(inquiry.value)) | _numbers_in(inquiry.good_text)
    said = said & good or said  # where some of a file is shown, that is another with each
    if not said and not unsaid:
        return None

    def as_there(words: frozenset[str]) -> bool:
        return said <= words and not unsaid & words

    nothing = yield from inquiry.send(inquiry.mark(10), purpose="control")
    if nothing is None or said & told_by(nothing) or not unsaid <= told_by(nothing):
        return None
    if not as_there(good):
        folder = yield from _folder_itself(inquiry)
        if folder is None or not as_there(told_by(folder)):
            return None

    def shown(reply: Reply) -> bool:
        return as_there(told_by(reply))

    if not (yield from shown_by_it_alone(inquiry, there, gone, shown, MANY)):
        return None
    quoted = yield from inquiry.send(naming(inquiry.random.choice(files).replace("c/", "c''/")), purpose="control")
    if quoted is not None and shown(quoted):
        return None  # a shell takes the quotes off, and it is a command line that names the file
    return Told(one, other)


def opens_as_usual(
    inquiry: Inquiry, naming: Naming, refused: Reply | None = None
) -> Generator[TestRequest, Answer, Proof | None]:
    """Whether a file outside is opened as the value is, and one in a folder that is not there is not: by a path as
    long, each time.

    refused: the answer over a file that may be read alone, where it was as over one that is not there. Then files are asked for
    that their owner may open to write, and not the superuser alone, where the value looks like a file's name.
    """
    if refused is not None and (inquiry.as_usual(refused) or not _FILE.fullmatch(inquiry.value)):
        return None
    files = OF_PROCESS if refused is None else OF_OWNER
    # What a command line makes of a name is shown without its quotes.
    names = words_of_text(" ".join((_SELF, *files)))
    usual = words_in(inquiry.good) - words_of_text(inquiry.value) - names

    def there() -> Asking:
        return (yield from inquiry.send(naming(f"{_SELF}/{inquiry.random.choice(files)}"), purpose="confirm"))

    def gone() -> Asking:
        folder = f"/proc/{inquiry.mark(len('self'))}"
        return (yield from inquiry.send(naming(f"{folder}/{inquiry.random.choice(files)}"), purpose="control"))

    def opened(reply: Reply) -> bool:
        return words_of(reply) - names == usual

    first = yield from there()
    if first is None or not opened(first) or not (yield from shown_by_it_alone(inquiry, there, gone, opened, MANY)):
        return None
    # The same words, and no such folder.
    other = yield from inquiry.send(naming(f"/proc/{inquiry.mark(4)}-self/{files[0]}"), purpose="control")
    # A shell takes the quotes off, and it is a command line that names the file.
    quoted = yield from inquiry.send(naming(f"{_SELF[:-1]}''f/{files[0]}"), purpose="control")
    if other is None or opened(other) or quoted is None or opened(quoted):
        return None
    return Proof(
        test=first.exchange,
        control=other.exchange,
        verified_by=(
            f"{first.payload!r}, which every Linux has, is answered as the value is; {other.payload!r}, of the same words, whose "
            f"folder does not exist, is not, nor are others as long as the first. Repeated with several files and folders in random order."
        ),
    )
