"""Uploads of any file, which are parsed where they are XML by their names, by lxml."""

from email import message_from_bytes
from email.policy import HTTP

import lxml.etree

from gatecrash.core.message import Response
from tests.range.documents_xml import INTERNAL_ALONE, OPEN_TO_NONE, open_parser
from tests.range.place import Given, answer, flaw, miss, text, twin
from tests.range.uploads import name_of, uploading


def content_of(given: Given) -> bytes:
    kind = given.request.first(b"Content-Type") or b""
    whole = message_from_bytes(b"Content-Type: " + kind + b"\r\n\r\n" + given.request.body, policy=HTTP)
    return bytes(whole.get_payload(0).get_payload(decode=True) or b"")


def parsed(given: Given, ending: str, parser: lxml.etree.XMLParser) -> Response:
    """The words of a document; of anything else that it was kept."""
    if not name_of(given).endswith(ending):
        return answer({"kept": name_of(given)}, 201)
    try:
        words = "".join(lxml.etree.fromstring(content_of(given), parser).itertext())
    except lxml.etree.XMLSyntaxError:
        return text("this is no document", 400)
    return answer({"kept": name_of(given), "words": words}, 201)


@flaw("xxe", request=uploading)
def tables_as_xml(given: Given) -> Response:
    return parsed(given, ".xml", open_parser())


@flaw("xxe", request=uploading)
def drawings(given: Given) -> Response:
    return parsed(given, ".svg", open_parser())


@flaw("xxe", request=uploading)
def taken_no_more(given: Given) -> Response:
    """What is refused in the end was read before."""
    told = parsed(given, ".xml", open_parser())
    return text("no longer taken: " + told.body.decode().replace("\\n", "\n"), 410) if b"words" in told.body else told


@miss("xxe", request=uploading)
def counted(given: Given) -> Response:
    told = parsed(given, ".xml", open_parser())
    return answer({"letters": len(told.body)}, told.status)


@twin("xxe", request=uploading)
def entities_of_its_own(given: Given) -> Response:
    return parsed(given, ".xml", INTERNAL_ALONE)


@twin("xxe", request=uploading)
def no_entities(given: Given) -> Response:
    return parsed(given, ".xml", OPEN_TO_NONE)


@twin("xxe", request=uploading)
def shown_unread(given: Given) -> Response:
    return text(f"kept: {content_of(given).decode('utf-8', 'replace')}")
