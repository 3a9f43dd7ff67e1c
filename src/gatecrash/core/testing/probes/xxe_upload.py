"""XML external entities in uploads: a file that is called XML, or a drawing, is parsed by who takes any.

What it finds
    Uploads whose recorded file is no XML, and that parse one where it is: by the name's ending `.xml`, or `.svg` where
    drawings are read as pictures are, with a parser that follows external entities.

Why it matters
    The parser reads any file that the server may read. That an upload takes such files is often forgotten: the form asks
    for a picture or a table.

How it decides
    A file of our own is sent in the place of the recorded one, under a fresh name, with an entity that holds fresh letters.
    Only where the answer has these right behind the text that they were put behind, which the file itself does not, a parser
    has put them in; else the probe ends. Then an entity names a file that every system has, and its content must be shown, and
    not for a file that does not exist, as `xxe` decides (`dialogues/files/named_in_documents.py`). Whether the upload is
    taken in the end says nothing: the file was parsed before.

Known misses
    Parsers whose texts are shown nowhere in the answer to the upload. Offices' documents and other archives of XML.

Standards and references
    CWE-611; OWASP Top 10:2021 A05 Security Misconfiguration; OWASP API Security Top 10:2023 API8 Security
    Misconfiguration; XML 1.0, sections 2.8 and 4.2.2.
"""

import re
from collections.abc import Generator
from typing import NamedTuple

from gatecrash.core.testing.dialogues.files.kept_files import is_kept_file, upload
from gatecrash.core.testing.dialogues.files.named_in_documents import shows_file
from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, inquiring
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.files.files import readings
from gatecrash.core.testing.payloads.xxe import EXTERNAL, INTERNAL, is_document, leaves, with_entity
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Verdict

TYPE = "xxe"
CWE = (611,)
THREAT = 90


class _File(NamedTuple):
    """A document. content: `{text}` stands for its one text."""

    extension: str
    type: str
    content: str


_FILES = (
    _File("xml", "text/xml", '<?xml version="1.0"?><note><text>{text}</text></note>'),
    _File(
        "svg",
        "image/svg+xml",
        '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><text x="1" y="20">{text}</text></svg>',
    ),
)


def _dialogue(inquiry: Inquiry) -> Dialogue:
    for file in _FILES:
        if (yield from _is_parsed(inquiry, file)):
            return (yield from _shows(inquiry, file)) or (yield from inquiry.nothing_found(TYPE))
    return (yield from inquiry.nothing_found(TYPE))


def _is_parsed(inquiry: Inquiry, file: _File) -> Generator[TestRequest, Answer, bool]:
    before, name, text = inquiry.mark(), inquiry.mark(), inquiry.mark()
    document = file.content.format(text=before)
    reply = yield from _sent(
        inquiry, file, with_entity(document, INTERNAL.format(name=name, text=text), name, leaves(document)), "test"
    )
    put_in = re.compile(rf"{before}\s{{1,8}}{text}")
    return reply is not None and any(map(put_in.search, readings(reply.text)))


def _shows(inquiry: Inquiry, file: _File) -> Generator[TestRequest, Answer, Verdict | None]:
    name, document = inquiry.mark(), file.content.format(text=inquiry.mark())

    def naming(path: str) -> str:
        return with_entity(document, EXTERNAL.format(name=name, file=path), name, leaves(document))

    def sending(written: str, purpose: str) -> Asking:
        return (yield from _sent(inquiry, file, written, purpose))

    shown = yield from shows_file(inquiry, naming, sending)
    return None if shown is None else inquiry.vulnerable(ENTRY, THREAT, shown.proof, f"shows {shown.what}")


def _sent(inquiry: Inquiry, file: _File, document: str, purpose: str) -> Asking:
    """Under a name of its own each time: none writes over another."""
    request = upload(inquiry.situation, f"{inquiry.mark(10)}.{file.extension}", file.type, document)
    if request is None:
        return None
    return (yield from inquiry.submit(request, document, {document: inquiry.value}, purpose))


def applies(situation: Situation) -> bool:
    """The content of a file that is no XML: of that the probe `xxe` asks."""
    if situation.policy.one_family or not is_kept_file(situation):
        return False
    return not is_document(situation.value.decode("utf-8", "replace"))


def forecast(_situation: Situation) -> int:
    """Requests for a sound point: each kind of document."""
    return len(_FILES)


ENTRY = Entry(
    type=TYPE,
    title="XML external entities in an uploaded file",
    cwe=CWE,
    owasp=("A05:2021",),
    owasp_api=("API8:2023",),
    why=(
        "Whoever sends such a file reads any file that the server may read: configuration, keys and source code, and reaches "
        "addresses that callers cannot reach."
    ),
    remediation=(
        "Turn off document types and external entities in every parser that reads uploads, drawings among them. Look for what a "
        "file is before anything parses it, and refuse kinds that the form does not ask for."
    ),
)
PROBE = Probe(type=TYPE, entry=ENTRY, name="upload", applies=applies, forecast=forecast, run=inquiring(TYPE, _dialogue))
