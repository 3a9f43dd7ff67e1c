"""Objects below an account: whose account it is is looked at, and whose object it is may not be."""

from collections.abc import Callable

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, miss, twin
from tests.range.tenants_store import PEOPLE, SIGNED, asked, below, caller, missing, orders, unauthorized

ARTICLES = {"31": "How lamps are painted", "32": "What oak is good for", "33": "Roses in the shade"}
NOTES = {"31": "Paint the lamp on Friday", "32": "Ask about the oak shelf"}
SAVED = {"ann": ["31"], "ben": ["32"]}
_ORDER = asked("/accounts/7/orders/31", tokens=SIGNED)
_ARTICLE = asked("/accounts/7/articles/31", tokens=SIGNED)
_NOTE = asked("/accounts/7/notes/31", tokens=SIGNED)
_PAGE = asked("/books/31/pages/4")
PAPERS = {"41": ("31", "Signed by the dock"), "42": ("32", "Signed by the mill")}
_PAPER = {"request": asked("/invoices/31/papers/41"), "beside": (asked("/invoices"), asked("/invoices/31/papers"))}
_HEADER = b"X-Account-ID"


def by_header(place: str) -> Request:
    authorization = (b"Authorization", SIGNED["ann"].encode())
    return Request("GET", f"{place}/orders/31".encode(), (authorization, (_HEADER, b"7")))


def own_account(given: Given, shown: Callable[[str, str], Response]) -> Response:
    """What is below an account is for whoever it belongs to. shown: what stands there, by his name and the number."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if len(path) < 2 or path[1] != str(PEOPLE[name]["id"]):
        return answer({"error": "not your account"}, 403)
    return shown(name, path[3] if len(path) > 3 else "")


def order_of(name: str, number: str) -> Response:
    found = orders("owner = ?", name) if not number else orders("owner = ? AND id = ?", name, number)
    return answer(found if not number else found[0]) if found else missing()


def any_order(name: str, number: str) -> Response:
    if not number:
        return order_of(name, "")
    found = orders("id = ?", number)
    return answer(found[0]) if found else missing()


@flaw("idor", request=_ORDER)
def account_is_looked_at_alone(given: Given) -> Response:
    return own_account(given, any_order)


@flaw("idor", request=by_header)
def account_of_a_header_is_looked_at_alone(given: Given) -> Response:
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if (given.request.first(_HEADER) or b"").decode() != str(PEOPLE[name]["id"]):
        return answer({"error": "not your account"}, 403)
    return any_order(name, path[1] if len(path) > 1 else "")


@miss("idor", request=_NOTE)
def note_that_names_nobody(given: Given) -> Response:
    """Whose note it is is not looked at, and nothing in it says so."""

    def shown(name: str, number: str) -> Response:
        listed = [{"id": int(each), "text": NOTES[each]} for each in SAVED[name]]
        if not number:
            return answer(listed)
        return answer({"id": int(number), "text": NOTES[number]}) if number in NOTES else missing()

    return own_account(given, shown)


@twin("idor", request=_ORDER)
def order_is_looked_at_too(given: Given) -> Response:
    return own_account(given, order_of)


@twin("idor", request=_ORDER)
def own_latest_in_its_place(given: Given) -> Response:
    """An order that is not his is answered with his own latest one."""
    return own_account(given, lambda name, _: answer(orders("owner = ?", name)[-1]))


@twin("idor", request=_ARTICLE)
def articles_that_each_keeps(given: Given) -> Response:
    """What each has put on his list is everybody's to read."""

    def shown(name: str, number: str) -> Response:
        if not number:
            return answer([{"id": int(each), "title": ARTICLES[each]} for each in SAVED[name]])
        title = ARTICLES.get(number)
        return answer({"id": int(number), "title": title, "words": 4 * len(title)}) if title else missing()

    return own_account(given, shown)


def page_of_a_book(given: Given, *, public: bool, told: str) -> Response:
    """A page of a book, for whoever asks: each lists his own books, and theirs alone are what is not public. told: where it is told."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if len(path) == 1:
        return answer([_book(each, public=public, told=told == "list") for each in SAVED.get(name, ())])
    if path[1] not in ARTICLES or (len(path) == 2 and not public and path[1] not in SAVED.get(name, ())):
        return missing()
    if len(path) == 2:
        return answer(_book(path[1], public=public, told=told == "book"))
    return answer({"page": 4, "title": ARTICLES[path[1]], "words": 4 * len(ARTICLES[path[1]])})


def _book(number: str, *, public: bool, told: bool) -> dict[str, object]:
    book: dict[str, object] = {"id": int(number), "title": ARTICLES[number]}
    return {**book, "public": public} if told else book


@flaw("idor", request=_PAGE)
def page_of_a_private_book(given: Given) -> Response:
    return page_of_a_book(given, public=False, told="list")


@twin("idor", request=_PAGE)
def page_of_a_book_that_its_list_calls_public(given: Given) -> Response:
    return page_of_a_book(given, public=True, told="list")


@twin("idor", request=_PAGE)
def page_of_a_book_that_calls_itself_public(given: Given) -> Response:
    return page_of_a_book(given, public=True, told="book")


def paper_of_an_invoice(given: Given, *, looks: bool) -> Response:
    """A paper that names nobody, in an invoice that each lists his own of. looks: whether it has to be one of that invoice."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if len(path) == 1:
        return answer([{"id": int(each), "kind": "rent"} for each in SAVED.get(name, ())])
    if path[1] not in SAVED.get(name, ()):
        return missing()
    if len(path) == 3:
        return answer([{"id": int(each), "signed": True} for each, told in PAPERS.items() if told[0] == path[1]])
    found = PAPERS.get(path[3])
    if found is None or (looks and found[0] != path[1]):
        return missing()
    return answer({"id": int(path[3]), "text": found[1], "pages": len(found[1])})


@flaw("idor", **_PAPER)
def paper_of_any_invoice(given: Given) -> Response:
    return paper_of_an_invoice(given, looks=False)


@twin("idor", **_PAPER)
def paper_of_this_invoice(given: Given) -> Response:
    return paper_of_an_invoice(given, looks=True)
