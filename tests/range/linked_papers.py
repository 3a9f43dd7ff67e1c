"""Files that a page of the tenants leads to: they are its reader's alone, or everybody's."""

from collections.abc import Callable

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, twin
from tests.range.tenants_store import OPAQUE, below, caller, missing, unauthorized

SHEETS = {"31": "ann", "32": "ben"}
PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n(sheet of {who})\ntrailer<</Root 1 0 R>>\n%%EOF\n"
PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)


def by_browser(path: str) -> Callable[[str], Request]:
    headers = ((b"Authorization", OPAQUE["ann"].encode()), (b"User-Agent", b"Mozilla/5.0"))
    return lambda place: Request("GET", f"{place}{path}".encode(), headers)


def sheets(given: Given, *, gives: str, reads: str = "own", ends: str = ".pdf") -> Response:
    """A sheet leads to its paper. gives, reads: to whom a paper and a sheet are given, `own`, `members` or `all`."""
    name, path = caller(given.request), below(given.request)
    number = path[1].partition(".")[0] if len(path) > 1 else ""
    if number not in SHEETS:
        return missing()
    is_sheet = path[0] == "sheets"
    to = reads if is_sheet else gives
    if not name and to != "all":
        return unauthorized()
    if to == "own" and SHEETS[number] != name:
        return missing()
    if is_sheet:
        place = given.request.path.decode().rpartition("/sheets/")[0]
        return answer({"id": int(number), "colour": "green", "paper": f"{place}/papers/{number}{ends}"})
    if ends == ".png":
        return Response(200, ((b"Content-Type", b"image/png"),), PNG)
    return Response(200, ((b"Content-Type", b"application/pdf"),), PDF.replace(b"{who}", SHEETS[number].encode()))


OF_A_SHEET = {"request": by_browser("/papers/31.pdf"), "beside": (by_browser("/sheets/31"),)}


@flaw("auth", **OF_A_SHEET)
def papers_for_visitors(given: Given) -> Response:
    """Who may not read the sheet counts the numbers of its papers."""
    return sheets(given, gives="all")


@twin("auth", **OF_A_SHEET)
def papers_of_ones_own(given: Given) -> Response:
    return sheets(given, gives="own")


@twin("auth", **OF_A_SHEET)
def leaflets_to_hand_on(given: Given) -> Response:
    """Every member is led to it."""
    return sheets(given, gives="all", reads="members")


@twin("auth", **OF_A_SHEET)
def papers_of_what_is_open(given: Given) -> Response:
    return sheets(given, gives="all", reads="all")


@twin("auth", request=by_browser("/papers/31.png"), beside=(by_browser("/sheets/31"),))
def a_picture_of_it(given: Given) -> Response:
    """Sites have pictures shown to everybody, as mails and other sites do."""
    return sheets(given, gives="all", ends=".png")
