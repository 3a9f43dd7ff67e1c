"""Uploaded files that the server runs: what somebody sends as a picture is a page of PHP or Java.

What it finds
    Uploads of applications in PHP or Java that keep a script under a name for which the server runs it, and an address at
    which it does: without any check, or behind checks of the declared type and first bytes, of an extension anywhere in the
    name, and lists of forbidden extensions that know one spelling or forget some.

Why it matters
    Whoever sends such a file runs what he likes on the server: it reads the settings, the database and other people's files.

How it decides
    A file is sent in the place of the recorded one, under a fresh name, that multiplies two random numbers and does nothing
    else. It is looked for as `xss_upload` looks for its own. Where it is handed out, the product must stand right behind a
    fresh mark that the file begins with, and that a second time with other numbers; the same file with a letter more in what
    opens the code must not show a product. Only an application that says that it is in such a language is asked. The files
    stay where the upload keeps them, as the recorded one did.

Known misses
    Applications that do not say what they are written in. Files that are handed out elsewhere, later, or under names
    that nothing tells. Settings for the server (`.htaccess`). Pictures that are read whole, and archives.

Standards and references
    CWE-434, CWE-94; OWASP Top 10:2021 A03 Injection; OWASP API Security Top 10:2019 API8 Injection.
"""

from collections.abc import Generator, Iterator
from typing import NamedTuple

from gatecrash.core.message import Exchange
from gatecrash.core.testing.asking import response_of
from gatecrash.core.testing.dialogues.files.kept_files import first_bytes, is_kept_file, kept, kind_of, look, places_of
from gatecrash.core.testing.dialogues.inquiry import Inquiry, inquiring
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.platforms import on_java, on_php
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Proof, Verdict

TYPE = "rce"
CWE = (434, 94)
THREAT = 98
_LEAST, _MOST = 10_000, 99_999


class _Language(NamedTuple):
    """Where files are run. opens, closes: what code stands between. broken: what opens nothing. extensions: the usual one first."""

    name: str
    opens: str
    closes: str
    broken: str
    extensions: tuple[str, ...]


_PHP = _Language("PHP", "<?php echo ", ";?>", "<?phpq echo ", ("php", "pHp", "phtml"))
_JAVA = _Language("Java", "<%=1L*", "%>", "<q%=1L*", ("jsp", "jSp"))


class _File(NamedTuple):
    """A file to be sent. head: its first bytes."""

    extension: str
    type: str
    head: str


class _Run(NamedTuple):
    """An upload that was run, and where. sum: what it was to compute."""

    exchange: Exchange
    target: bytes
    sum: str


def _dialogue(inquiry: Inquiry) -> Dialogue:
    language = _language(inquiry.situation)
    assert language is not None
    for file in _files(inquiry.situation, language):
        told = yield from _ran(inquiry, language, file)
        if isinstance(told, _Run):
            return (yield from _confirm(inquiry, language, file)) or (yield from inquiry.nothing_found(TYPE))
        if told is not None:
            break  # what is kept and not run here is run under no other name
    return (yield from inquiry.nothing_found(TYPE))


def _files(situation: Situation, language: _Language) -> Iterator[_File]:
    """The plain one, and those that seem to be of the recorded one's kind, for where that is refused."""
    extension, type_ = kind_of(situation)
    usual, *others = language.extensions
    yield _File(usual, type_, "")
    head = first_bytes(situation)
    yield from (_File(each, type_, head) for each in others)
    if extension:
        yield _File(f"{extension}.{usual}", type_, head)


def _ran(
    inquiry: Inquiry, language: _Language, file: _File, *, broken: bool = False
) -> Generator[TestRequest, Answer, _Run | Exchange | None]:
    """The file's run; its upload where it was kept and is not run; None where it was refused."""
    situation, mark = inquiry.situation, inquiry.mark(8)
    name, left, right = f"{inquiry.mark(10)}.{file.extension}", *(inquiry.number(_LEAST, _MOST) for _ in range(2))
    opens = language.broken if broken else language.opens
    exchange = yield from kept(situation, name, file.type, f"{file.head}{mark}{opens}{left}*{right}{language.closes}")
    if exchange is None:
        return None
    for target in (yield from places_of(situation, exchange, name)):
        if f"{mark}{left * right}" in text_of(response_of((yield from look(situation, exchange, target)))):
            return _Run(exchange, target, f"{left}*{right}")
    return exchange


def _confirm(inquiry: Inquiry, language: _Language, file: _File) -> Generator[TestRequest, Answer, Verdict | None]:
    """What opens no code must not be run, and other numbers must."""
    if isinstance((yield from _ran(inquiry, language, file, broken=True)), _Run):
        return None
    again = yield from _ran(inquiry, language, file)
    if not isinstance(again, _Run):
        return None
    proof = Proof(
        test=again.exchange,
        control=inquiry.control,
        verified_by=(
            f"A file whose name ends in .{file.extension} and that multiplies two random numbers ({again.sum}) was sent as "
            f"{file.type or 'a file'}. At {again.target.decode('latin-1')!r} the product stands in its place; twice, with other "
            f"numbers. With {language.broken.split()[0]!r} in the place of {language.opens.split()[0]!r} nothing is computed."
        ),
    )
    return inquiry.vulnerable(ENTRY, THREAT, proof, f"an uploaded file is run as {language.name}")


def _language(situation: Situation) -> _Language | None:
    request, response = situation.baseline.request, situation.baseline.response
    if on_php(request, response):
        return _PHP
    return _JAVA if response is not None and on_java(request, [response]) else None


def applies(situation: Situation) -> bool:
    """The content of a file that an application in PHP or Java may keep."""
    return not situation.policy.one_family and is_kept_file(situation) and _language(situation) is not None


def forecast(situation: Situation) -> int:
    """Requests for a sound point: each file, which is refused, or one that is kept, and a look or two."""
    language = _language(situation)
    return len(list(_files(situation, language))) if language is not None else 0


ENTRY = Entry(
    type=TYPE,
    title="Uploaded files are run by the server",
    cwe=CWE,
    owasp=("A03:2021",),
    owasp_api=("API8:2019",),
    why=(
        "A file that the server runs is a program of its sender's: it reads what the application may read, changes what it may "
        "change, and stays."
    ),
    remediation=(
        "Keep uploads outside of the folders that are served, under names of your own, and hand them out by a script that reads "
        "them. Take only the types that are needed, by a list of those; turn off the running of scripts in the folder."
    ),
)
PROBE = Probe(type=TYPE, entry=ENTRY, name="upload", applies=applies, forecast=forecast, run=inquiring(TYPE, _dialogue))
