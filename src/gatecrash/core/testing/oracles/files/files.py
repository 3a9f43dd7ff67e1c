"""The content of files that every system has, known by its shape and never by a name that was sent."""

import html
import re
from typing import NamedTuple

from gatecrash.core.message import Response
from gatecrash.core.statuses import OK
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.files.packed_texts import packed_texts

_MOST = 500_000
# How servers head the list of a folder's files, and lead to the folder above it.
_LISTS = re.compile(r"index of|directory listing|listing directory|files within|>\s*+\.\./?\s*+<", re.IGNORECASE)
# How a file that is not there is complained of.
_MISSING = re.compile(
    r"no such file|cannot find the (?:file|path)|failed to load|could not (?:find|load|open)|FileNotFound|not found"
    r"|I/O (?:error|warning)|unable to (?:open|load|resolve)",
    re.IGNORECASE,
)
_NEAR = 200


class Shape(NamedTuple):
    """A file's kind, and an expression that only its content matches."""

    name: str
    pattern: re.Pattern[str]


# passwd(5): seven fields; the superuser's user and group are 0, its home is an absolute path.
PASSWD = Shape(
    "/etc/passwd", re.compile(r"(?<![\w.-])root:[^:\s]{0,120}:0:0:[^:\n]{0,120}:/[^:\s]{0,120}:(?:/[\w./-]{1,120})?")
)
# Shipped with every Windows since 3.1: its first comment, and a section behind it.
WIN_INI = Shape("win.ini", re.compile(r"; for 16-bit app support\s{1,8}\[\w{1,20}[\w ]{0,20}\]", re.IGNORECASE))
# proc(5): the first lines of a process's status. Programs name themselves as they like: `node /app/index.`.
# Pages show lines in elements of their own, or as a list of texts.
_LINE = r"(?:\s|<[^<>]{1,40}>|[\"',]){1,20}"
STATUS = Shape(
    "/proc/self/status",
    re.compile(rf"Name:\s{{1,8}}[^\n<\"]{{1,64}}{_LINE}Umask:\s{{1,8}}\d{{4}}{_LINE}State:\s{{1,8}}[A-Z] \("),
)
# Where an answer shows no other line of it.
_FIRST_LINE = re.compile(r"(?:\A|(?<=[>\"]))Name:\t[^\s<>\"]{1,15}(?=\s{0,8}(?:[<\"]|\Z))")
# proc(5): what lists the folder of a process names all of these, in whatever order. Looked for from the beginning only:
# from every letter of a script of 300 kB it would take hours.
PROCESS = Shape(
    "/proc/self",
    re.compile(
        r"\A"
        + "".join(
            rf"(?=.*(?<![\w.-]){name}(?![\w.-]))"
            for name in ("oom_score_adj", "mountinfo", "cmdline", "environ", "statm")
        ),
        re.DOTALL,
    ),
)
# resolv.conf(5): a name server by its address.
RESOLVER = Shape(
    "/etc/resolv.conf",
    re.compile(
        r"(?<![\w.-])nameserver[ \t]{1,8}(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-fA-F]{0,4}:[0-9a-fA-F:]{1,40})(?![\w.-])"
    ),
)
SHAPES = (PASSWD, WIN_INI, STATUS, PROCESS, RESOLVER)
# What each of them holds; and how the files begin in base64.
_HINTS = ("root:", "16-bit", "Umask:", "oom_score_adj", "nameserver", "cm9vdD", "OyBmb3IgMTYt", "TmFtZT")


def shapes_in(response: Response) -> frozenset[str]:
    """The files and folders that an answer shows, as they are, escaped for HTML, as a JSON text, or in base64."""
    text = text_of(response)[:_MOST]
    if not any(hint in text for hint in _HINTS):
        return frozenset()
    return frozenset(shape.name for reading in readings(text) for shape in SHAPES if shape.pattern.search(reading))


def shapes_asked_for(file: str, response: Response, *, alone: bool = False) -> frozenset[str]:
    """The file of this path, where an answer shows it; another that it shows was not asked for.

    alone: of a process's status the first line will do, for those who may ask for no file that is known by one.
    """
    text = text_of(response)[:_MOST]
    if alone and "Name:" in text and any(map(_FIRST_LINE.search, readings(text))) and _last(file) == _last(STATUS.name):
        return frozenset({STATUS.name})
    return frozenset(name for name in shapes_in(response) if _last(name) == _last(file))


def lists_files(response: Response) -> bool:
    """Whether an answer is a list of a folder's files, by its words."""
    return response.status == OK and _LISTS.search(text_of(response)[:_MOST]) is not None


def missing_beside(file: str, mark: str) -> str:
    """The path of a file that does not exist, in the very words of one that does: a search for them finds the same."""
    folder, _, name = file.rpartition("/")
    return f"{folder}/{mark}/{name}"


def _last(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]


def readings(text: str) -> list[str]:
    """A text as it is, without HTML's escapes, without those of JSON, and what it holds in base64."""
    found = [text, *packed_texts(text)]
    if "&" in text:
        found.append(html.unescape(text))
    if "\\" in text:
        plain = text.replace("\\r", "\r").replace("\\n", "\n").replace("\\t", "\t").replace("\\/", "/")
        found.append(plain.replace('\\"', '"'))
    return found


def says_missing(text: str, file: str = "") -> bool:
    """Whether a text complains that a file is not there; near the file's own name, where one is given."""
    at = text.find(file)
    near = text[max(0, at - _NEAR) : at + len(file) + _NEAR] if file else text
    return at >= 0 and _MISSING.search(near) is not None
