"""XML that is parsed by lxml: with entities on, with its defaults, with document types refused; and XInclude."""

import json
import re
from contextlib import suppress
from pathlib import Path

import lxml.etree

from gatecrash.core.message import Request, Response
from tests.range.place import FORM, JSON, Given, answer, flaw, miss, page, posted, text, twin

ORDER = b'<?xml version="1.0"?><order><item id="3">tea</item><count>5</count><note>for ann</note></order>'


def order(path: str) -> Request:
    return posted(path, ORDER, b"application/xml")


def as_json(path: str) -> Request:
    return posted(path, b'{"item": "tea", "count": 5}', b"application/json")


def open_parser() -> lxml.etree.XMLParser:
    return lxml.etree.XMLParser(resolve_entities=True, no_network=True, load_dtd=True)


# libxml2 puts in what is declared in the document, and lxml from its fifth version on nothing else.
INTERNAL_ALONE = lxml.etree.XMLParser(resolve_entities="internal", no_network=True)
OPEN_TO_NONE = lxml.etree.XMLParser(resolve_entities=False, no_network=True)


def value(document: bytes, parser: lxml.etree.XMLParser, name: str = "item") -> str:
    return lxml.etree.fromstring(document, parser).findtext(name) or ""


class Files(lxml.etree.Resolver):
    """Opens files itself, and says so where it cannot, as most parsers do."""

    def resolve(self, system_url: str, public_id: str, context: object) -> object:
        if system_url and system_url.startswith("file:"):
            return self.resolve_string(Path(system_url.removeprefix("file://")).read_text(), context)
        return None


@flaw("xxe", request=order)
def echoed(given: Given) -> Response:
    return answer({"ordered": value(given.request.body, open_parser())})


@flaw("xxe", request=order)
def other_leaf(given: Given) -> Response:
    """Only a number is taken for the count, and the note is shown."""
    if not value(given.request.body, open_parser(), "count").isdigit():
        return text("the count is no number", 400)
    return text("noted: " + value(given.request.body, open_parser(), "note"))


@flaw("xxe", request=order)
def whole_document(given: Given) -> Response:
    tree = lxml.etree.fromstring(given.request.body, open_parser())
    return Response(200, ((b"Content-Type", b"application/xml"),), lxml.etree.tostring(tree))


@flaw("xxe", request=order)
def errors_only(given: Given) -> Response:
    parser = open_parser()
    parser.resolvers.add(Files())
    try:
        lxml.etree.fromstring(given.request.body, parser)
    except (lxml.etree.XMLSyntaxError, OSError) as error:
        return text(str(error), 400)
    return text("taken")


CALL = b'<?xml version="1.0"?><call><operation>greet</operation><who>ann</who></call>'


def call(path: str) -> Request:
    return posted(path, CALL, b"application/xml")


def greeted(document: bytes, parser: lxml.etree.XMLParser) -> Response:
    """Knows one operation by its exact name, which stands first, and tells nothing of any other."""
    if value(document, parser, "operation") != "greet":
        return text("no such operation", 400)
    return text("hello " + value(document, parser, "who"))


@flaw("xxe", request=call)
def operation_first(given: Given) -> Response:
    return greeted(given.request.body, open_parser())


@twin("xxe", request=call)
def operation_first_without_entities(given: Given) -> Response:
    return greeted(given.request.body, OPEN_TO_NONE)


@twin("xxe", request=call)
def operation_first_and_no_declarations(given: Given) -> Response:
    if b"<!DOCTYPE" in given.request.body:
        return text("no such operation", 400)
    return greeted(given.request.body, open_parser())


@flaw("xxe", request=order)
def one_word_refused(given: Given) -> Response:
    """Looks for the one word by which files are named, and forgets the other."""
    if b"SYSTEM" in given.request.body:
        return text("no outside files", 400)
    return answer({"ordered": value(given.request.body, open_parser())})


@twin("xxe", request=order)
def one_word_refused_and_none_followed(given: Given) -> Response:
    """Puts in what a document declares itself, and nothing of a file's."""
    if b"SYSTEM" in given.request.body:
        return text("no outside files", 400)
    return answer({"ordered": value(given.request.body, INTERNAL_ALONE)})


@flaw("xxe", request=as_json)
def json_or_xml(given: Given) -> Response:
    if b"xml" in (given.request.first(b"Content-Type") or b""):
        return answer({"ordered": value(given.request.body, open_parser())})
    return answer({"ordered": json.loads(given.request.body)["item"]})


@flaw("xxe", name="q", also=("xss",))
def included(given: Given) -> Response:
    tree = lxml.etree.fromstring(f"<check><item>{given.q}</item></check>".encode(), lxml.etree.XMLParser())
    tree.getroottree().xinclude()
    return text("".join(tree.itertext()))


@flaw("xxe", request=order)
def counted(given: Given) -> Response:
    """Tells how long a text is; of files that are not there nothing is read, and nothing told."""
    return answer({"signs": len(value(given.request.body, open_parser()))})


@twin("xxe", request=order)
def counted_without_entities(given: Given) -> Response:
    return answer({"signs": len(value(given.request.body, OPEN_TO_NONE))})


@twin("xxe", request=order)
def counts_all_signs(given: Given) -> Response:
    return answer({"signs": len(given.request.body)})


def part(given: Given) -> lxml.etree._Element:
    return lxml.etree.fromstring(f"<letter>{given.q}</letter>", OPEN_TO_NONE)


@flaw("xxe", value="<p>Dear Ann</p>", ways=(FORM, JSON))
def part_with_others_included(given: Given) -> Response:
    letter = part(given)
    letter.getroottree().xinclude()
    return answer({"letter": "".join(letter.itertext())})


@twin("xxe", value="<p>Dear Ann</p>", ways=(FORM, JSON))
def part_as_it_is(given: Given) -> Response:
    return answer({"letter": "".join(part(given).itertext())})


@twin("xxe", value="<p>Dear Ann</p>", ways=(FORM, JSON))
def part_of_known_elements(given: Given) -> Response:
    """Breaks over any other element."""
    if {each.tag for each in part(given).iter()} != {"letter", "p"}:
        return text("internal error", 500)
    return answer({"letter": given.q})


@flaw("xxe", value=ORDER.decode(), name="q")
def in_a_value(given: Given) -> Response:
    return answer({"ordered": value(given.q.encode(), open_parser())})


@flaw("xxe", request=order)
def breaks_without_a_word(given: Given) -> Response:
    """Shows nothing of the document, and one word for whatever goes wrong."""
    parser = lxml.etree.XMLParser(resolve_entities=True, load_dtd=True)
    parser.resolvers.add(Files())
    try:
        lxml.etree.fromstring(given.request.body, parser)
    except (lxml.etree.XMLSyntaxError, OSError):
        return answer({"taken": False}, 500)
    return answer({"taken": True})


@twin("xxe", request=order)
def breaks_over_entities_without_a_word(given: Given) -> Response:
    """Whatever an external entity names, there or not, is refused in the same words."""
    broken = b"SYSTEM" in given.request.body
    return answer({"taken": False}, 500) if broken else answer({"taken": bool(value(given.request.body, OPEN_TO_NONE))})


@twin("xxe", request=order)
def refuses_by_the_last_part_of_a_name(given: Given) -> Response:
    """Opens nothing, and says what it may not open, as Java's own parser does (JAXP 1.5, accessExternalDTD)."""
    named = re.search(rb'SYSTEM "[^"]*?/([^"/]*)"', given.request.body)
    if named:
        file = named[1].decode()
        return text(f"Failed to read external document '{file}', because 'file' access is not allowed.", 500)
    return answer({"taken": bool(value(given.request.body, OPEN_TO_NONE))})


@twin("xxe", request=order)
def points_out_where_it_stumbles(given: Given) -> Response:
    """A validator of pages, which know no entities: it shows some letters round the end of what it takes for no document type."""
    document = given.request.body.decode()
    end = document.find("]>")
    return answer(
        {"errors": [] if end < 0 else [{"said": "a bogus document type", "near": document[end - 11 : end + 9]}]}
    )


@twin("xxe", request=order)
def breaks_at_random(given: Given) -> Response:
    """Opens nothing, and says the one or the other by the document's length and its letters."""
    sum_ = sum(given.request.body) % 2
    return answer({"taken": sum_ == 0}, 200 if sum_ == 0 else 500)


@twin("xxe", request=order)
def entities_off(given: Given) -> Response:
    return answer({"ordered": value(given.request.body, lxml.etree.XMLParser(resolve_entities=False))})


@twin("xxe", request=order)
def internal_only(given: Given) -> Response:
    return answer({"ordered": value(given.request.body, lxml.etree.XMLParser(resolve_entities="internal"))})


@twin("xxe", request=order)
def doctype_refused(given: Given) -> Response:
    if b"<!DOCTYPE" in given.request.body:
        return text("document types are not allowed", 400)
    return answer({"ordered": value(given.request.body, open_parser())})


@twin("xxe", request=order)
def echoes_document(given: Given) -> Response:
    return text("could not find in your document: " + given.request.body.decode())


@twin("xxe", request=order)
def passwd_for_anything(given: Given) -> Response:
    """Shows an example of a file to everything that has an entity."""
    if b"ENTITY" in given.request.body:
        return text("Files look like root:x:0:0:root:/root:/bin/sh, not like this.")
    return answer({"ordered": "tea"})


@twin("xxe", request=as_json)
def json_only(given: Given) -> Response:
    if b"json" not in (given.request.first(b"Content-Type") or b""):
        return text("unsupported media type", 415)
    return answer({"ordered": "tea"})


@twin("xxe", request=as_json)
def forbidden_unless_json(given: Given) -> Response:
    """Takes every other type for a form of another site."""
    if b"json" not in (given.request.first(b"Content-Type") or b""):
        return text("forged", 403)
    return answer({"ordered": "tea"})


@twin("xxe", request=as_json)
def same_for_anything(given: Given) -> Response:
    return answer({"ordered": "tea"})


@twin("xxe", name="q")
def escaped_into_document(given: Given) -> Response:
    element = lxml.etree.Element("item")
    element.text = re.sub(r"[\x00-\x08\x0b-\x1f]", "", given.q)
    return page(element.text.replace("<", "&lt;"))


@flaw("xxe", request=order)
def nothing_shown(given: Given) -> Response:
    """Takes a missing file for an empty one, and breaks over what is no text."""
    value(given.request.body, open_parser())
    return text("taken")


@twin("xxe", request=order)
def nothing_shown_without_entities(given: Given) -> Response:
    value(given.request.body, OPEN_TO_NONE)
    return text("taken")


@twin("xxe", request=order)
def refuses_names_of_system_files(given: Given) -> Response:
    """Opens nothing, and refuses what names a folder of the system."""
    if re.search(rb"/(?:proc|etc)/", given.request.body):
        return text("not taken")
    value(given.request.body, OPEN_TO_NONE)
    return text("taken")


@miss("xxe", request=order)
def nothing_told(given: Given) -> Response:
    """Whatever the parser says, the answer is the same."""
    with suppress(lxml.etree.XMLSyntaxError):
        value(given.request.body, open_parser())
    return text("taken")
