"""Cross-site scripting by uploaded files: a file is handed out again as a page or a drawing that runs scripts.

What it finds
    Uploads that keep a file of HTML or SVG, and an address at which a browser is given it as what it is. Where such files
    are refused: checks of the declared type, of the first bytes, of an extension anywhere in the name, and lists of
    forbidden extensions that know one spelling or forget some.

Why it matters
    Whoever sends a victim the address of his file acts in the victim's name: it lies at the application's own origin.

How it decides
    A file is sent in the place of the recorded one, with a fresh name, that calls a function of another fresh name. It
    is looked for where the answer gives an address, at pages of the run whose address holds the recorded file's name or
    an identifier that the upload gave out, and where a page that lists files links to it, or an answer that named the
    recorded one, such as what its sender is told of himself. One that was renamed is looked for on the page that the
    upload leads to, at addresses that no recorded page spoke of. The answer there must be one whose scripts a browser
    runs: by its type, not as a download, not in a sandbox. It must be so for a second file, and a file of plain text
    with the same content must not run, or words without markup in it must be handed out as no page: then the type is
    taken from the content. A disguised file has the recorded one's type, first bytes (of a small picture all of them)
    and extension before its own; with that extension alone, the same content must not run. Where the recorded answer
    names its file, one that does not name the file that was sent has refused it, whatever its status. Other fields that
    hold the recorded file's name say the new one's.

Known misses
    Files that are handed out from another host, later, or to others only. Checks that write pictures anew, or read
    large ones whole. Files behind a form that takes several steps.

Standards and references
    CWE-79, CWE-434; OWASP Top 10:2021 A03 Injection; OWASP API Security Top 10:2019 API8 Injection.
"""

from collections.abc import Generator
from typing import NamedTuple

from gatecrash.core.message import Exchange
from gatecrash.core.testing.asking import response_of
from gatecrash.core.testing.dialogues.files.kept_files import first_bytes, is_kept_file, kept, kind_of, look, places_of
from gatecrash.core.testing.dialogues.inquiry import Inquiry, inquiring
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.pages.reflection import renders, runs
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Proof, Verdict

TYPE = "xss"
CWE = (79, 434)
# Nobody need be lured further than to an address of the application's own.
THREAT = 75


class File(NamedTuple):
    """A file that a browser may run. content: `call` stands for the call."""

    extension: str
    type: str
    content: str


DRAWING = File(
    "svg", "image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg" onload="{call}"><title>{mark}</title></svg>'
)
PAGE = File("html", "text/html", "<!DOCTYPE html><title>{mark}</title><p onclick={call}>")
FILES = (DRAWING, PAGE)

# For names that end in something a list of forbidden ones may not know: another spelling, and documents with scripts.
SPELLED = "HtMl"
DOCUMENT = File(
    "xml",
    "application/xml",
    '<html xmlns="http://www.w3.org/1999/xhtml"><title>{mark}</title><p onclick="{call}"/></html>',
)

_Ran = tuple[Exchange, bytes, str]


class _Sent(NamedTuple):
    """An upload that was taken. name: the file's. call: what its script calls."""

    exchange: Exchange
    name: str
    call: str


def _dialogue(inquiry: Inquiry) -> Dialogue:
    refused = True
    plain = File("txt", "text/plain", "")
    for file in (*FILES, *_disguised(inquiry.situation)):
        if file not in FILES:
            if not refused:
                break
            plain = _undisguised(inquiry.situation)
        sent = yield from _sent(inquiry, file)
        refused = refused and sent is None
        if sent is not None and (yield from _ran(inquiry, sent)) is not None:
            verdict = yield from _confirm(inquiry, file, plain)
            if verdict is not None:
                return verdict
    return (yield from inquiry.nothing_found(TYPE))


def _disguised(situation: Situation) -> tuple[File, ...]:
    """Files that seem to be of the recorded one's kind; none where that has no extension."""
    recorded = _undisguised(situation)
    head = first_bytes(situation).replace("{", "{{").replace("}", "}}")
    if not recorded.extension:
        return ()
    return (
        File(f"{recorded.extension}.{SPELLED}", recorded.type, head + PAGE.content),
        File(f"{recorded.extension}.{DOCUMENT.extension}", recorded.type, DOCUMENT.content),
    )


def _undisguised(situation: Situation) -> File:
    """What a file of the recorded one's kind is called, and its type."""
    return File(*kind_of(situation), "")


def _sent(inquiry: Inquiry, file: File, content: File | None = None) -> Generator[TestRequest, Answer, _Sent | None]:
    """The upload of such a file; None where it is refused. content: of another kind of file."""
    name, call = f"{inquiry.mark(10)}.{file.extension}", inquiry.mark(8)
    written = (content or file).content.format(call=f"{call}()", mark=inquiry.mark())
    exchange = yield from kept(inquiry.situation, name, file.type, written)
    return None if exchange is None else _Sent(exchange, name, call)


def _ran(inquiry: Inquiry, sent: _Sent) -> Generator[TestRequest, Answer, _Ran | None]:
    """Where the file is handed out, and how it runs; None where it does not."""
    situation = inquiry.situation
    for target in (yield from places_of(situation, sent.exchange, sent.name)):
        page = response_of((yield from look(situation, sent.exchange, target)))
        how = runs(page, sent.call)
        if how:
            return sent.exchange, target, how
    return None


def _confirm(inquiry: Inquiry, file: File, plain: File) -> Generator[TestRequest, Answer, Verdict | None]:
    """A second file must run, and one of a plain kind with such a content must not."""
    kept = yield from _sent(inquiry, plain, file)
    harmless = (yield from _ran(inquiry, kept)) if kept is not None else None
    sent = yield from _sent(inquiry, file)
    again = (yield from _ran(inquiry, sent)) if sent is not None else None
    if again is None:
        return None
    told = f"The same content sent as .{plain.extension} of type {plain.type} does not run."
    if harmless is not None:
        if not (yield from _is_typed_by_content(inquiry, plain)):
            return None
        told = f"So does the same content sent as .{plain.extension}, and words sent so are handed out as no page: the content is what the type is taken from."
    exchange, target, how = again
    proof = Proof(
        test=exchange,
        control=inquiry.control,
        verified_by=(
            f"A file of type {file.type}, whose name ends in .{file.extension}, that calls a function of a name drawn at "
            f"random was sent. It is handed out at {target.decode('latin-1')!r} so that a browser runs the call {how}, at "
            f"the application's own origin; twice, with fresh names. {told}"
        ),
    )
    return inquiry.vulnerable(ENTRY, THREAT, proof, f"an uploaded file runs {how}")


def _is_typed_by_content(inquiry: Inquiry, plain: File) -> Generator[TestRequest, Answer, bool]:
    """Whether words without markup are handed out, and as no page: what makes a page of every file is no matter of uploads."""
    words = f"{inquiry.mark(8)} {inquiry.mark(8)}"
    sent = yield from _sent(inquiry, plain, File(plain.extension, plain.type, words))
    if sent is None:
        return False
    for target in (yield from places_of(inquiry.situation, sent.exchange, sent.name)):
        page = response_of((yield from look(inquiry.situation, sent.exchange, target)))
        if text_of(page).strip() == words:
            return not renders(page)
    return False


def applies(situation: Situation) -> bool:
    """The content of a file in a request that may keep it, in policies that store."""
    return not situation.policy.one_family and is_kept_file(situation)


def forecast(_situation: Situation) -> int:
    """Requests for a sound point: two files, and a look for each; where they are refused, two disguised ones."""
    return 2 * len(FILES)


ENTRY = Entry(
    type=TYPE,
    title="Cross-site scripting by an uploaded file",
    cwe=CWE,
    owasp=("A03:2021",),
    owasp_api=("API8:2019",),
    why=(
        "A file that runs scripts at your own origin does in the name of whoever opens it what the pages themselves may do: "
        "reads, changes, sends on."
    ),
    remediation=(
        "Hand files out as downloads (Content-Disposition: attachment) with X-Content-Type-Options: nosniff, from a host of "
        "their own, or with a Content-Security-Policy that is a sandbox. Take only types that are needed, judged by content."
    ),
)
PROBE = Probe(type=TYPE, entry=ENTRY, applies=applies, forecast=forecast, run=inquiring(TYPE, _dialogue))
