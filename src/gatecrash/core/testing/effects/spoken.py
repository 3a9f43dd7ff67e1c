"""What a request says of itself in words: its address with the function or the page that it asks for, and its members."""

from functools import lru_cache

from gatecrash.core.message import Request
from gatecrash.core.testing.operations.graphql import address_of, only_queries
from gatecrash.core.testing.operations.one_script import page_asked
from gatecrash.core.testing.operations.questions import named_in_query
from gatecrash.core.words.english import in_english

# A dozen probes ask the same of one request, in a row.
MOST_KEPT = 16
# So much of a form's beginning, and of its end, is read.
FORM_BYTES = 4096


@lru_cache(MOST_KEPT)
def spoken_address(request: Request) -> str:
    """The path, of a site's one script with the page; of a GraphQL mutation its field, and of a call the function,
    which say what is done.
    """
    if only_queries(request):
        return request.path.decode("ascii", "backslashreplace")
    # `/api?method=parcel.remove`: all functions at one address.
    in_query = named_in_query(request) if request.method.upper() == "POST" else ""
    in_query = in_query or in_english(page_asked(request))
    return address_of(request) + (f"/{in_query}" if in_query else "")


def members_said(request: Request) -> str:
    """The members of the query and of a form, as written."""
    form = (request.first(b"Content-Type") or b"").lower().startswith(b"application/x-www-form-urlencoded")
    # What a page keeps of itself stands in the middle, before the button that was used.
    last = request.body[FORM_BYTES:][-FORM_BYTES:].partition(b"&")[2] if form else b""
    parts = (request.query or b"", request.body[:FORM_BYTES] if form else b"", last)
    return "&".join(part.decode("latin-1") for part in parts if part)
