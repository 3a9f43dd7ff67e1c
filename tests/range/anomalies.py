"""Parsers, encoders and files that break over single bytes; and targets that break over anything, or by themselves."""

import itertools
import json
import re
from pathlib import Path
from urllib.parse import unquote_to_bytes

import lxml.etree

from gatecrash.core.message import Response
from tests.range.place import FORM, JSON, QUERY, Given, answer, flaw, miss, page, text, twin

ALSO = ("info",)


@flaw("anomaly")
def zero_byte(given: Given) -> Response:
    """The system's own call refuses it."""
    try:
        Path("/nonexistent", given.q[:20]).stat()
    except OSError:
        return answer({"known": False})
    return answer({"known": True})


@flaw("anomaly", ways=(QUERY, FORM), also=ALSO)
def strict_decoding(given: Given) -> Response:
    raw = given.request.body or given.request.query or b""
    return answer({"length": len(unquote_to_bytes(raw).decode("utf-8"))})


@flaw("anomaly")
def expression(given: Given) -> Response:
    return answer({"found": [name for name in ("tea", "coffee") if re.search(given.q, name)]})


@flaw("anomaly")
def formatted(given: Given) -> Response:
    return text(("You asked for " + given.q + " %s times") % 3)


@flaw("anomaly")
def written_into_json(given: Given) -> Response:
    return answer(json.loads('{"asked": "' + given.q + '"}'))


@flaw("anomaly")
def narrow_encoding(given: Given) -> Response:
    return answer({"length": len(given.q.encode("ascii"))})


@flaw("anomaly")
def soft_error(given: Given) -> Response:
    """A proxy turns the failure into a 500 with a page of its own."""
    try:
        lxml.etree.fromstring(f"<asked>{given.q}</asked>")
    except (lxml.etree.XMLSyntaxError, ValueError):
        return page("<h1>Something went wrong</h1>", 500)
    return page("<h1>Taken</h1>")


@twin("anomaly")
def refused(given: Given) -> Response:
    if not given.q.isalnum():
        return answer({"error": "letters and digits only"}, 400)
    return answer({"asked": given.q})


@twin("anomaly")
def breaks_over_anything(given: Given) -> Response:
    return text("internal error", 500) if given.q != "tea" else answer({"asked": "tea"})


@twin("anomaly")
def breaks_over_length(given: Given) -> Response:
    return text("internal error", 500) if len(given.q) > 20 else answer({"asked": given.q[:20]})


TURNS = itertools.count()


@twin("anomaly")
def breaks_by_turns(given: Given) -> Response:
    return text("internal error", 500) if next(TURNS) % 5 == 4 else answer({"asked": given.q})


@twin("anomaly")
def always_broken(given: Given) -> Response:
    return text("internal error", 500)


@twin("anomaly")
def firewall(given: Given) -> Response:
    return page("Request blocked", 403) if re.search(r"[^\w ]", given.q) else answer({"asked": given.q})


@twin("anomaly")
def replaced(given: Given) -> Response:
    return answer({"asked": given.q.encode("ascii", "replace").decode()})


@twin("anomaly")
def echoed(given: Given) -> Response:
    return answer({"asked": given.q})


@flaw("anomaly", ways=(QUERY, JSON))
def in_a_pair(given: Given) -> Response:
    """Only both signs together break it."""
    return text("internal error", 500) if {"{", "["} <= set(given.q) else answer({"asked": given.q})


@miss("anomaly", ways=(QUERY, JSON))
def in_a_distant_pair(given: Given) -> Response:
    """Only both signs together break it, and no payload holds both."""
    return text("internal error", 500) if {"%", "~"} <= set(given.q) else answer({"asked": given.q})
