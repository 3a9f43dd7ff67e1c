"""Labels, printed by a program. One operation lets a shell read what it is sent; its twins do not.

The flaw is real: `sh` reads the parameter. A fence before it keeps the demo harmless: only command lines whose every
command is one of a few that change nothing are run at all, in the shop's own folder, with an empty environment, bounded
in time, and without the right to write files.
"""

import asyncio
import contextlib
import os
import re
import signal
from http import HTTPStatus

from gatecrash.demo.target.http import TEXT, Call, Reply
from gatecrash.demo.target.store import Store

MOST_SECONDS = 6.0
_MOST_LENGTH = 500
_MOST = 16 * 1024
_HARMLESS = frozenset({"echo", "sleep", "id", "uname", "whoami", "true"})
_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
# No slash, redirection, assignment, brace, quote within a word, or escape but that of a parenthesis.
_CHARACTERS = re.compile(r"[\w \n.,:;!?|&$()`'\"#*+-]*", re.ASCII)
_ARITHMETIC = re.compile(r"\$\(\(\d{1,9}[*+-]\d{1,9}\)\)|\\[()]")
_BLANK = "${IFS}"
# What a shell reads as a command: the first word of the line, and of whatever follows one of these.
_BEGINS = re.compile(r"[\n;|&(]+")
_QUOTED = re.compile(r"""['"]""")


async def labels(store: Store, call: Call) -> Reply:
    """FLAW, rce: the text becomes part of a command line."""
    line = f"echo Label: {call.query.get('text', '')}"
    if not is_harmless(line):
        return Reply(HTTPStatus.BAD_REQUEST, {"error": "The demo's fence runs a few harmless commands only."})
    return await _printed(store, "sh", "-c", f"ulimit -f 0; {line}")


async def stickers(store: Store, call: Call) -> Reply:
    """Twin of `labels`: the same program, started without a shell; the text is one argument."""
    text = call.query.get("text", "")
    if "\0" in text:
        return Reply(HTTPStatus.BAD_REQUEST, {"error": "A sticker cannot show this."})
    return await _printed(store, "echo", "Sticker:", text)


def tags(_: Store, call: Call) -> Reply:
    """Twin of `labels`: no program at all; the text comes back as it was sent."""
    return _plain(f"Tag: {call.query.get('text', '')}\n")


def is_harmless(line: str) -> bool:
    """Whether every command of a line is a harmless one, however its quotes are read."""
    # A backtick becomes `$(`, opening or closing: whatever follows one is looked at, and where a command begins, a
    # dollar sign is no harmless word, for what is substituted there would be run.
    bare = _ARITHMETIC.sub("0", line).replace(_BLANK, " ")
    if len(line) > _MOST_LENGTH or not _CHARACTERS.fullmatch(bare):
        return False
    bare = bare.replace("`", "$(")
    # Whether quotes are in force where a command begins is not asked: they count as not there.
    for part in _BEGINS.split(bare):
        words = part.replace(")", " ").split("#", 1)[0].split()
        first = words[0] if words else ""
        if _QUOTED.sub("", first) and first not in _HARMLESS:
            return False
    return True


async def _printed(store: Store, *command: str) -> Reply:
    """What a program prints; it and whatever it started are ended when they take too long, or nobody waits any more."""
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=store.folder,
        env=_ENVIRONMENT,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        shown, _ = await asyncio.wait_for(process.communicate(), MOST_SECONDS)
    except TimeoutError:
        _end(process)
        return Reply(HTTPStatus.GATEWAY_TIMEOUT, {"error": "The printer did not answer."})
    except asyncio.CancelledError:
        _end(process)
        raise
    return _plain(shown[:_MOST].decode("utf-8", "replace"))


def _end(process: asyncio.subprocess.Process) -> None:
    """End the whole group: a shell may be gone while what it left in the background still holds its output open."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _plain(text: str) -> Reply:
    return Reply(HTTPStatus.OK, text, {"X-Content-Type-Options": "nosniff"}, TEXT)
