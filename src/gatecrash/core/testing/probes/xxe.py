"""XML external entities: a document that the server parses makes it read a file.

What it finds
    XML in bodies (SOAP, REST, uploads such as SVG) and in values, whose parser follows external entities; JSON endpoints
    that read XML as well; values that the server puts into a document and that may include files (XInclude).

Why it matters
    The parser reads any file that the server may read, and fetches addresses that callers cannot reach.

How it decides
    An entity of our own that holds fresh letters is declared first. Where documents with a declaration are refused, also
    with one that nothing in them uses, the probe ends: nothing external is followed there. Then an entity names a file that
    every system has, in all texts of the document, and in one at a time, and where our own letters were shown by its public
    name, too, which filters of the word `SYSTEM` forget. The answer must show the file's content by its shape
    (`oracles/files/files.py`), the baseline and the same document with a file that does not exist (of the same words) must not,
    in five and four of them. XInclude is judged as entities are.
    Where no text is shown: a missing file is answered with the parser's complaint about it, twice, and no other.
    Where errors are hidden too: documents that name an empty file, a text, or a file that is no text and breaks the parser,
    are answered otherwise than those that name a missing one, in eight rounds.
    Where none of it shows, and the node listens where the target can reach it: an entity names our listener, its address
    put together by the parser itself out of numbers, so that only who reads declarations can ask for it.

Known misses
    Parsers that follow entities and show neither content nor whether there is a file, where the node has no listener
    that they reach. Files whose content is no well-formed XML may be refused by the parser. Documents with attributes
    only. XML in the place of JSON that deletes, or changes several things, or where no document is answered as well.

Standards and references
    CWE-611; OWASP Top 10:2021 A05 Security Misconfiguration; OWASP API Security Top 10:2023 API8 Security
    Misconfiguration; XML 1.0, sections 2.8 and 4.2.2.
"""

from collections.abc import Callable, Generator, Iterable

import msgspec

from gatecrash.core.errors import UserError
from gatecrash.core.message import Request, with_header
from gatecrash.core.testing.dialogues.callbacks import Bait, called_back
from gatecrash.core.testing.dialogues.files.named_in_documents import Naming, Sending, shows_file
from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply, inquiring
from gatecrash.core.testing.dialogues.turns import in_random_order
from gatecrash.core.testing.effects.takes_all import may_take_all
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.body import media_type
from gatecrash.core.testing.oracles.difference import telling
from gatecrash.core.testing.oracles.files.files import says_missing
from gatecrash.core.testing.out_of_band import OutOfBand
from gatecrash.core.testing.payloads.xxe import (
    BROKEN,
    EXTERNAL,
    INCLUDE,
    INTERNAL,
    MISSING_FILE,
    PUBLIC,
    calling,
    from_json,
    is_document,
    leaves,
    with_entity,
)
from gatecrash.core.testing.places.segments import holds_a_value
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Proof, Verdict, safe

TYPE = "xxe"
CWE = (611,)
# 90: any file is read. 80: addresses are fetched, and files can be carried out that way. 70: files are told apart.
# 40: a name was looked up.
THREAT_SHOWN, THREAT_FETCHED, THREAT_ERROR, THREAT_NAME = 90, 80, 70, 40
BODY = ("post",)
_MOST_SINGLES = 5
# An answer that is one of two at random passes so many once in 65,000 times; fewer bodies are XML than values are asked for pairs.
_ROUNDS = 8
# Files that are there: an empty one, and for parsers that take a missing one for empty, one that is not, and one whose bytes
# of zero no document may hold: it breaks the parser that reads it.
_EMPTY, _FULL, _NO_TEXT = "/dev/null", "/etc/passwd", "/proc/self/cmdline"
# Letters of a folder that is not there.
_MARKED = 4
_LONGEST = 200_000

_Deciding = Generator[TestRequest, Answer, Verdict | None]


def _dialogue(inquiry: Inquiry) -> Dialogue:
    if is_document(inquiry.value):
        verdict = yield from _in_document(inquiry, inquiry.value, _placing(inquiry), _written(inquiry))
        if verdict is None and tuple(inquiry.situation.point) != BODY:
            verdict = yield from _include(inquiry)  # a part of a document, which cannot declare anything
    elif tuple(inquiry.situation.point) == BODY:
        verdict = yield from _instead_of_json(inquiry)
    else:
        verdict = yield from _include(inquiry)
    return verdict or (yield from inquiry.nothing_found(TYPE))


_Writing = Callable[[str], Request | None]


def _placing(inquiry: Inquiry) -> Sending:
    def sending(document: str, purpose: str) -> Asking:
        return (yield from inquiry.send(document, purpose=purpose))

    return sending


def _written(inquiry: Inquiry) -> _Writing:
    def writing(document: str) -> Request | None:
        payload = document.encode("utf-8", "surrogateescape")
        try:
            return inquiry.writer.write(payload)
        except UserError:
            return None

    return writing


def _instead_of_json(inquiry: Inquiry) -> _Deciding:
    """The same members as XML, where the application takes them so."""
    document = from_json(inquiry.value)
    if document is None:
        return None

    def sending(changed: str, purpose: str) -> Asking:
        request = _as_xml(inquiry.situation.baseline.request, changed)
        return (yield from inquiry.submit(request, changed, {changed: inquiry.value}, purpose))

    plain = yield from sending(document, "test")
    if plain is None:  # no entity was in it
        return safe(TYPE, inquiry.situation.point, f"any document is refused in the place of JSON: {inquiry.blocked}")
    if not _is_as_good(inquiry, plain):
        return None
    # Whoever minds no body does, or takes for all, what he finds no value of: each time.
    broken = yield from sending(BROKEN.format(mark=inquiry.mark()), "control")
    if broken is not None and _is_as_good(inquiry, broken):
        return None
    request = inquiry.situation.baseline.request
    return (yield from _in_document(inquiry, document, sending, lambda changed: _as_xml(request, changed)))


def _is_as_good(inquiry: Inquiry, reply: Reply) -> bool:
    return reply.reading.status == inquiry.good.status and inquiry.like_baseline(reply.reading)


def _as_xml(request: Request, document: str) -> Request:
    body = document.encode("utf-8", "surrogateescape")
    headers = with_header(request.headers, b"Content-Type", b"application/xml")
    if request.first(b"Content-Length") is not None:
        headers = with_header(headers, b"Content-Length", str(len(body)).encode())
    changed: Request = msgspec.structs.replace(request, headers=headers, body=body)
    return changed


def _in_document(inquiry: Inquiry, document: str, sending: Sending, writing: _Writing) -> _Deciding:
    spans = leaves(document)
    if not spans:
        return None
    name, text = inquiry.mark(), inquiry.mark()
    declaration = INTERNAL.format(name=name, text=text)
    screen, unused = (with_entity(document, declaration, name, where) for where in (spans[:1], []))
    reply = yield from sending(screen, "test")
    if reply is None or not (reply.broke or (yield from _reads_on(inquiry, reply, unused, sending))):
        return None
    places = [spans, *([span] for span in spans[:_MOST_SINGLES] if len(spans) > 1)]
    for place in places:

        def naming(file: str, place: list[tuple[int, int]] = place) -> str:
            return with_entity(document, EXTERNAL.format(name=name, file=file), name, place)

        verdict = yield from _shows_file(inquiry, naming, sending)
        if verdict is not None:
            return verdict
    if text in reply.text and screen not in reply.text:
        verdict = yield from _by_public_name(inquiry, document, name, spans, sending)
        if verdict is not None:
            return verdict
    if inquiry.situation.policy.one_family:
        return None
    verdict = yield from _complains(inquiry, naming, sending)
    verdict = verdict or (yield from _by_listener(inquiry, document, spans, writing))
    verdict = verdict or (yield from _by_outcome(inquiry, naming, sending, _EMPTY))

    def everywhere(file: str) -> str:
        return with_entity(document, EXTERNAL.format(name=name, file=file), name, spans)

    # JSON that was made XML is seldom read by a parser that tells nothing else.
    for known in (_FULL, _NO_TEXT) if is_document(inquiry.value) else (_FULL,):
        verdict = verdict or (yield from _by_outcome(inquiry, everywhere, sending, known))
    return verdict


def _reads_on(inquiry: Inquiry, screened: Reply, unused: str, sending: Sending) -> Generator[TestRequest, Answer, bool]:
    """Whether documents with a declaration are taken: where the first was refused, it may be for the value it changed."""
    if screened.reading.status == inquiry.good.status:
        return True
    alone = yield from sending(unused, "test")
    return alone is not None and alone.reading.status == inquiry.good.status


def _by_public_name(
    inquiry: Inquiry, document: str, name: str, spans: list[tuple[int, int]], sending: Sending
) -> _Deciding:
    """The other word for what is external, where entities are put in and nothing came of the first."""

    def naming(file: str) -> str:
        return with_entity(document, PUBLIC.format(name=name, file=file), name, spans)

    return (yield from _shows_file(inquiry, naming, sending))


def _by_listener(inquiry: Inquiry, document: str, spans: list[tuple[int, int]], writing: _Writing) -> _Deciding:
    """Our own address, in all texts of the document."""
    name = inquiry.mark()

    def baiting(oob: OutOfBand, number: int) -> Bait | None:
        request = writing(with_entity(document, calling(name, oob.url(number)), name, spans))
        return Bait(request) if request is not None else None

    found = inquiry.vulnerable(ENTRY, THREAT_FETCHED, None, "the parser fetches what a document names")
    return (yield from called_back(inquiry, baiting, found, dns_threat=THREAT_NAME))


def _missing(inquiry: Inquiry) -> str:
    return MISSING_FILE.format(mark=inquiry.mark(8))


def _shows_file(inquiry: Inquiry, naming: Naming, sending: Sending) -> _Deciding:
    shown = yield from shows_file(inquiry, naming, sending)
    return None if shown is None else inquiry.vulnerable(ENTRY, THREAT_SHOWN, shown.proof, f"shows {shown.what}")


def _complains(inquiry: Inquiry, naming: Naming, sending: Sending) -> _Deciding:
    """A missing file is complained of by its name, twice; one that exists is not complained of."""
    replies: list[Reply] = []
    for purpose in ("test", "confirm"):
        file = _missing(inquiry)
        reply = yield from sending(naming(file), purpose)
        if reply is None or not _complains_of(reply, file):
            return None
        replies.append(reply)
    # Empty and harmless to any parser; there on every system that has file addresses of this form.
    control = yield from sending(naming("/dev/null"), "control")
    if control is None or says_missing(control.text):
        return None
    proof = Proof(
        test=replies[-1].exchange,
        control=control.exchange,
        verified_by=(
            "A document that names a file which does not exist is answered with a complaint about that very file, twice "
            "with fresh names; one that names an empty file is not: the parser opens what a document names."
        ),
    )
    return inquiry.vulnerable(ENTRY, THREAT_ERROR, proof, "the parser opens files")


def _by_outcome(inquiry: Inquiry, naming: Naming, sending: Sending, known: str) -> _Deciding:
    """Whether documents that name a file are answered otherwise than those that name none, by a path as long.

    Both end in the same name: a parser that may not open any file says which one it was not allowed to.
    """
    folder, _, file = known.rpartition("/")
    replies: dict[bool, list[Reply]] = {True: [], False: []}
    documents: list[str] = []
    for there in (True, False, *in_random_order(inquiry.random, _ROUNDS - 1)):
        missing = "" if there else f"{inquiry.mark(_MARKED)}/"
        # More slashes are the same file, and another document.
        slashes = "/" * (_MARKED + 1 + inquiry.random.randrange(1, 7) - len(missing))
        name = f"{folder}{slashes}{missing}{file}"
        documents.append(naming(name))
        reply = yield from sending(documents[-1], "confirm" if len(replies[False]) > 1 else "test")
        if reply is None:
            return None
        replies[there].append(reply)
        readings = [[each.reading for each in replies[kind]] for kind in (True, False)]
        told = all(readings) and [fact for fact in telling(*readings) if not _repeats(fact[1], folder, documents)]
        if all(readings) and not told:
            return None
    proof = Proof(
        test=replies[False][-1].exchange,
        control=replies[True][-1].exchange,
        verified_by=(
            f"Documents that name a file ({known}) are answered otherwise than those that name one of the same name, by a path "
            f"as long, which does not exist, in {_ROUNDS} rounds of fresh names in random order: the parser opens what a "
            f"document names."
        ),
    )
    return inquiry.vulnerable(ENTRY, THREAT_ERROR, proof, "the parser opens files")


def _repeats(said: str, folder: str, documents: Iterable[str]) -> bool:
    """Whether it shows the name of the file again, or a piece of a document that was sent, as validators point out where
    they stumbled: that tells nothing of the file. The documents differ in slashes and what stands between them.
    """
    return folder[1:] in said or ("/" in said and any(said in document.lower() for document in documents))


def _complains_of(reply: Reply, file: str) -> bool:
    """Whether it is the file that is missed, and the document itself was not just echoed."""
    echoed = "<!ENTITY" in reply.text or "&lt;!ENTITY" in reply.text
    return not echoed and says_missing(reply.text, file)


def _include(inquiry: Inquiry) -> _Deciding:
    """A value that the server puts into a document of its own, or stands in the baseline's."""
    raw = inquiry.situation.point[:2] == ("post", "xml")
    name = inquiry.mark()

    def naming(file: str) -> str:
        return INCLUDE.format(name=name, file=file)

    def sending(payload: str, purpose: str) -> Asking:
        return (yield from inquiry.send(payload, purpose=purpose, raw=raw))

    return (yield from _shows_file(inquiry, naming, sending))


def applies(situation: Situation) -> bool:
    """XML bodies and values, JSON bodies, and single texts where the answer is XML or the policy looks for all."""
    if len(situation.value) > _LONGEST:
        return False
    value = situation.value.decode("utf-8", "replace")
    if is_document(value):
        return True
    if tuple(situation.point) == BODY:
        # Who reads no XML finds no value.
        is_json = b"json" in (situation.baseline.request.first(b"Content-Type") or b"").lower()
        return is_json and from_json(value) is not None and not may_take_all(situation.baseline)
    if not holds_a_value(situation) or situation.point[0] == "path" or "xml_attr" in situation.point:
        return False
    response = situation.baseline.response
    return (
        situation.point[:2] == ("post", "xml")
        or (response is not None and media_type(response).endswith("xml"))
        or "xpathi" in situation.policy.types
    )


def forecast(situation: Situation) -> int:
    """Requests for a sound point: a document that is refused, the members as XML, or one inclusion."""
    value = situation.value.decode("utf-8", "replace")
    if not is_document(value):
        return 1
    return (3 if situation.policy.one_family else 5) + min(_MOST_SINGLES, len(leaves(value)))


ENTRY = Entry(
    type=TYPE,
    title="XML external entities",
    cwe=CWE,
    owasp=("A05:2021",),
    owasp_api=("API8:2023",),
    why=(
        "A document that names a file makes the parser read it: keys, configuration and source code. Addresses work too, "
        "so that the server asks services that callers cannot reach."
    ),
    remediation=(
        "Switch document types and external entities off in the parser (each library has its own setting), and XInclude "
        "with them. Take JSON where XML is not needed, and refuse media types that you do not expect."
    ),
)
PROBE = Probe(type=TYPE, entry=ENTRY, applies=applies, forecast=forecast, run=inquiring(TYPE, _dialogue))
