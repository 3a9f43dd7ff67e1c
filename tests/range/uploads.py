"""Files that are kept and handed out again: as what they are, or as nothing that a browser runs."""

import html
import re
import struct
from collections import OrderedDict
from collections.abc import Callable
from email import message_from_bytes
from email.policy import HTTP
from urllib.parse import unquote
from zlib import compress, crc32

from gatecrash.core.message import Headers, Request, Response
from tests.range.place import Given, answer, flaw, miss, page, posted, text, twin

BOUNDARY = b"hSlVqxEW"
MOST_KEPT = 200
KEPT: OrderedDict[str, tuple[bytes, bytes]] = OrderedDict()


def uploading(path: str) -> Request:
    """A note as a file."""
    head = b'Content-Disposition: form-data; name="file"; filename="note.txt"\r\nContent-Type: text/plain\r\n\r\n'
    body = b"--" + BOUNDARY + b"\r\n" + head + b"green tea\r\n--" + BOUNDARY + b"--\r\n"
    return posted(path, body, b"multipart/form-data; boundary=" + BOUNDARY)


def shelf(given: Given, headers: Headers = (), type_: bytes = b"") -> Response:
    """Keeps a file under its name and tells its address; hands it out as its own type, or as this one."""
    request = given.request
    if request.method == "POST":
        kind = request.first(b"Content-Type") or b""
        part = message_from_bytes(b"Content-Type: " + kind + b"\r\n\r\n" + request.body, policy=HTTP).get_payload(0)
        name = (part.get_filename() or "").rpartition("/")[2]
        if len(KEPT) >= MOST_KEPT:  # the oldest goes, not what another test is about to look for
            KEPT.popitem(last=False)
        KEPT[name] = (part.get_content_type().encode(), part.get_payload(decode=True))
        return answer({"url": f"{request.path.decode()}/{name}"}, 201)
    own, content = KEPT.get(str(given.values.get("q", "")), (b"", b""))
    return Response(200, ((b"Content-Type", type_ or own), *headers), content) if own else text("no such file", 404)


@flaw("xss", request=uploading)
def handed_out(given: Given) -> Response:
    return shelf(given)


@twin("xss", request=uploading)
def downloads(given: Given) -> Response:
    return shelf(given, ((b"Content-Disposition", b"attachment"),))


@twin("xss", request=uploading)
def sandboxed(given: Given) -> Response:
    return shelf(given, ((b"Content-Security-Policy", b"default-src 'none'; sandbox"),))


@twin("xss", request=uploading)
def retyped(given: Given) -> Response:
    return shelf(given, ((b"X-Content-Type-Options", b"nosniff"),), b"application/octet-stream")


def name_of(given: Given) -> str:
    """The name of the file that is sent; empty where none is."""
    found = re.search(rb'filename="([^"]*)"', given.request.body)
    return found[1].decode("latin-1") if found else ""


def typed(name: str) -> bytes:
    """The type that servers give a file by its name, however that is spelled."""
    kinds = {"png": b"image/png", "html": b"text/html", "xml": b"text/xml", "svg": b"image/svg+xml"}
    return kinds.get(name.rpartition(".")[2].lower(), b"text/plain")


@flaw("xss", request=uploading)
def forbids_some_names(given: Given) -> Response:
    if name_of(given).endswith((".html", ".htm", ".svg", ".xml")) or b"Content-Type: text/html" in given.request.body:
        return answer({"error": "no such files"}, 415)
    return shelf(given, type_=typed(str(given.values.get("q", ""))))


@twin("xss", request=uploading)
def forbids_all_but_one(given: Given) -> Response:
    if name_of(given) and not name_of(given).lower().endswith(".txt"):
        return answer({"error": "texts only"}, 415)
    return shelf(given, type_=typed(str(given.values.get("q", ""))))


@twin("xss", request=uploading)
def forbids_some_and_types_none(given: Given) -> Response:
    if name_of(given).endswith((".html", ".htm", ".svg", ".xml")):
        return answer({"error": "no such files"}, 415)
    return shelf(given, type_=b"text/plain")


def chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", crc32(kind + content))


# One grey dot.
PICTURE = (
    b"\x89PNG\r\n\x1a\n"
    + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    + chunk(b"IDAT", compress(b"\0\x80"))
    + chunk(b"IEND", b"")
)


def picturing(path: str) -> Request:
    head = b'Content-Disposition: form-data; name="file"; filename="me.png"\r\nContent-Type: image/png\r\n\r\n'
    body = b"--" + BOUNDARY + b"\r\n" + head + PICTURE + b"\r\n--" + BOUNDARY + b"--\r\n"
    return posted(path, body, b"multipart/form-data; boundary=" + BOUNDARY)


def is_picture(given: Given) -> bool:
    """Whether a picture of one dot begins what is sent, down to its end; what comes behind is nobody's concern."""
    return b"\r\n\r\n" + PICTURE in given.request.body and b"Content-Type: image/png" in given.request.body


def pictures(given: Given, type_: bytes = b"") -> Response:
    if given.request.method == "POST" and not is_picture(given):
        return answer({"error": "no picture"}, 415)
    return shelf(given, type_=type_ or typed(str(given.values.get("q", ""))))


@flaw("xss", request=picturing)
def reads_pictures(given: Given) -> Response:
    return pictures(given)


@twin("xss", request=picturing)
def reads_pictures_and_hands_out_nothing_else(given: Given) -> Response:
    return pictures(given, b"image/png")


@twin("xss", request=picturing)
def reads_pictures_and_their_names(given: Given) -> Response:
    if name_of(given) and not name_of(given).lower().endswith(".png"):
        return answer({"error": "pictures only"}, 415)
    return pictures(given)


LATEST: dict[str, str] = {}


def renamed(given: Given, headers: Headers = ()) -> Response:
    """Keeps a file under a name of its own, and leads to a page that shows the latest as a picture."""
    path = given.request.path.decode()
    if given.request.method == "POST":
        sent = shelf(given).body.decode().rpartition("/")[2].rstrip('"}')
        name = f"{crc32(sent.encode()):08x}.{sent.rpartition('.')[2]}"
        KEPT[name] = KEPT.pop(sent)
        LATEST[path] = name
        return Response(303, ((b"Location", path.encode()),))
    if not given.q:
        return page(f'<p>Your picture</p><img src="{path}/{LATEST.get(path, "")}">')
    return shelf(given, headers)


@flaw("xss", request=uploading)
def renames(given: Given) -> Response:
    return renamed(given)


@twin("xss", request=uploading)
def renames_and_downloads(given: Given) -> Response:
    return renamed(given, ((b"Content-Disposition", b"attachment"),))


@miss("xss", request=uploading)
def untold(given: Given) -> Response:
    """Hands files out, and tells nobody where."""
    return answer({"kept": True}) if shelf(given).status == 201 else shelf(given)


NAMES: dict[str, OrderedDict[str, None]] = {}


def putting(path: str) -> Request:
    """A note under a name of the client's."""
    return Request("PUT", path.encode() + b"/note.txt", ((b"Content-Type", b"text/plain"),), b"green tea")


def listing(path: str) -> Request:
    return Request("GET", path.encode())


def folder(given: Given, shown: Callable[[str], str], kept: Callable[[str], str] = str) -> Response:
    """Keeps the names of files that are put, and lists them."""
    request = given.request
    at, _, name = unquote(request.path.decode()).rpartition("/")
    if request.method == "PUT":
        names = NAMES.setdefault(at, OrderedDict())
        if len(names) >= MOST_KEPT:
            names.popitem(last=False)
        names[kept(name)] = None
        return text("kept", 201)
    return page("".join(f"<li>{shown(each)}</li>" for each in tuple(NAMES.get(f"{at}/{name}", ()))))


@flaw("xss", request=putting, beside=(listing,))
def lists_names_as_they_are(given: Given) -> Response:
    return folder(given, str)


@twin("xss", request=putting, beside=(listing,))
def lists_names_escaped(given: Given) -> Response:
    return folder(given, html.escape)


@twin("xss", request=putting, beside=(listing,))
def keeps_letters_of_names_alone(given: Given) -> Response:
    return folder(given, str, lambda name: re.sub(r"[^\w.]", "", name))
