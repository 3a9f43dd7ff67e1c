"""Files that are kept below an application in PHP: run by the server, shown as they are, or refused."""

import re

import msgspec

from gatecrash.core.message import Response
from tests.range.place import Given, answer, flaw, miss, twin
from tests.range.uploads import name_of, shelf, uploading

CODE = re.compile(rb"<\?php echo (\d+)\*(\d+);\?>")
SAYS_SO = (b"X-Powered-By", b"PHP/8.2")
PLAIN = b"application/octet-stream"


def run(content: bytes) -> bytes:
    return CODE.sub(lambda found: b"%d" % (int(found[1]) * int(found[2])), content)


def served(given: Given, *extensions: str) -> Response:
    """As a web server does it: what ends in one of these is run, all else is a download."""
    kept = shelf(given, type_=PLAIN)
    asked = str(given.values.get("q", "")).lower()
    body = kept.body
    if given.request.method == "GET" and asked.endswith(extensions):
        body, kept = run(body), Response(200, ((b"Content-Type", b"text/html"),))
    changed: Response = msgspec.structs.replace(kept, headers=(*kept.headers, SAYS_SO), body=body)
    return changed


def refused() -> Response:
    return msgspec.structs.replace(answer({"error": "no such files"}, 415), headers=(SAYS_SO,))


@flaw("rce", request=uploading)
def runs_what_is_sent(given: Given) -> Response:
    return served(given, ".php")


@flaw("rce", request=uploading)
def forbids_one_spelling(given: Given) -> Response:
    return refused() if name_of(given).endswith(".php") else served(given, ".php", ".phtml")


@flaw("rce", request=uploading)
def wants_an_extension_anywhere(given: Given) -> Response:
    return refused() if name_of(given) and ".txt" not in name_of(given) else served(given, ".php")


@twin("rce", request=uploading)
def hands_out_what_it_is_sent(given: Given) -> Response:
    return served(given, ".none")


@twin("rce", request=uploading)
def wants_an_extension_at_the_end(given: Given) -> Response:
    return refused() if name_of(given) and not name_of(given).endswith(".txt") else served(given, ".php")


@miss("rce", request=uploading)
def says_nothing_of_itself(given: Given) -> Response:
    told = served(given, ".php")
    headers = tuple(pair for pair in told.headers if pair != SAYS_SO)
    hidden: Response = msgspec.structs.replace(told, headers=headers)
    return hidden
