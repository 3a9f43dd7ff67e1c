"""Folders of which files with some endings alone are handed out: by a look at the name as it was sent, or as it is opened."""

from urllib.parse import unquote

from gatecrash.core.message import Request, Response
from tests.range.place import Given, flaw, miss, page, text, twin

KEPT = {"guide.md": "# Guide", "stock.csv.old": "tea;12;shelf 4", "hours.pdf": "%PDF-1.4"}
ENDINGS = (".md", ".pdf")


def stock(path: str) -> Request:
    return Request("GET", f"{path}/stock.csv.old".encode())


def last(given: Given) -> str:
    """The name as frameworks hand it on: decoded once."""
    return unquote(given.request.path.decode("latin-1").rpartition("/")[2])


def refused(told: str = "only .md and .pdf files are allowed") -> Response:
    return text(told, 403)


def opened(name: str) -> Response:
    """As far as a null byte, as the system reads names."""
    found = KEPT.get(name.partition("\0")[0])
    return text(found) if found is not None else text("Not Found", 404)


@flaw("ptrav", request=stock)
def ends_at_a_null_byte(given: Given) -> Response:
    return opened(last(given)) if last(given).endswith(ENDINGS) else refused()


@flaw("ptrav", request=stock)
def decodes_once_more(given: Given) -> Response:
    name = last(given)
    if "\0" in name:
        return text("Bad Request", 400)
    return opened(unquote(name)) if name.endswith(ENDINGS) else refused()


@miss("ptrav", request=stock)
def tells_no_ending(given: Given) -> Response:
    return opened(last(given)) if last(given).endswith(ENDINGS) else refused("not for you")


@twin("ptrav", request=stock)
def looks_at_what_it_opens(given: Given) -> Response:
    name = last(given).partition("\0")[0]
    return opened(name) if name.endswith(ENDINGS) else refused()


@twin("ptrav", request=stock)
def has_one_page_for_all(given: Given) -> Response:
    """Whatever ends as it should is answered with the application's front page."""
    return page("<div id=root></div>") if last(given).endswith(ENDINGS) else refused()


@twin("ptrav", request=stock)
def takes_no_null_byte(given: Given) -> Response:
    name = last(given)
    if "\0" in name or "%00" in name:
        return text("Bad Request", 400)
    return opened(name) if name.endswith(ENDINGS) else refused()
