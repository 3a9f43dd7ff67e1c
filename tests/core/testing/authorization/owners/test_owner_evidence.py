"""What says whose an object is: the other pages of the record, driven as two tenants."""

import json
import re
from collections.abc import Callable

import pytest
from msgspec.structs import replace
from tests.core.testing.driving import credentials_of, record
from tests.core.testing.probes.as_tenants import Run, drive_as, identities
from tests.range.place import answer, page, respond
from tests.range.tenants_elsewhere import FAVOURITES, MINE, OFFER
from tests.range.tenants_store import OPAQUE, UUIDS, asked

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.owners.owner_evidence import is_kept_by_one
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.idor import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome


def run(request: Request, *lists: str, application=respond) -> Run:
    """The probe idor at a request, in a record with these pages beside it."""
    pages = Pages()
    for each in lists:
        pages.add(record(application, asked("")(each)).exchange)
    beside = pages.beside(request)
    (check,) = plan(
        record(application, request),
        DEFAULT,
        credentials_of(request),
        (PROBE,),
        identities=identities(request),
        pages=beside,
    )
    return drive_as(check, application)


def test_a_list_at_another_address_says_whose_it_is():
    told = run(asked(f"/deliveries/{UUIDS[0]}")("/tenants-elsewhere/listed-elsewhere"), MINE)
    assert told.verdict.outcome is Outcome.VULNERABLE
    assert f"{MINE} shows the object to its owner" in told.verdict.proof.verified_by


def test_without_that_list_nothing_is_claimed():
    told = run(asked(f"/deliveries/{UUIDS[0]}")("/tenants-elsewhere/listed-elsewhere"))
    assert told.verdict.outcome is Outcome.SAFE


@pytest.mark.parametrize("place", ["marked-by-one", "marked-by-one-and-listed"])
def test_what_one_has_marked_in_a_catalogue_is_nobodys_own(place):
    assert run(asked(f"/offers/{OFFER}")(f"/tenants-elsewhere/{place}"), FAVOURITES).verdict.outcome is Outcome.SAFE


class Proposals:
    """Everybody's own at `/proposals`, one at `/proposal?id=7`. The same small numbers stand on other pages. shared: the list shows all."""

    def __init__(self, *, guarded: bool = False, shared: bool = False) -> None:
        self.guarded, self.shared = guarded, shared

    def __call__(self, request: Request) -> Response:
        token = (request.first(b"Authorization") or b"").decode()
        name = next((name for name, each in OPAQUE.items() if each == token), "")
        own = {"ann": "7", "ben": "8"}.get(name, "")
        if not name:
            return answer({"error": "unauthorized"}, 401)
        if request.path != b"/proposal":
            shown = ["7", "8"] if self.shared or request.path != b"/proposals" else [own]
            return answer([{"id": each, "title": f"Stars, part {each}"} for each in shown])
        asked_for = (request.query or b"").decode().removeprefix("id=")
        if asked_for not in ("7", "8") or (self.guarded and asked_for != own):
            return answer({"error": "no such proposal"}, 404)
        return answer({"id": asked_for, "title": f"Stars, part {asked_for}", "abstract": f"Old stars {asked_for}"})


@pytest.mark.parametrize(
    ("lists", "application", "outcome"),
    [
        (("/lenses", "/domes", "/nights", "/proposals"), Proposals(), Outcome.VULNERABLE),
        (("/lenses", "/domes", "/nights", "/proposals"), Proposals(guarded=True), Outcome.SAFE),
        (("/lenses", "/proposals"), Proposals(shared=True), Outcome.SAFE),
        (("/lenses", "/domes", "/nights"), Proposals(), Outcome.SAFE),
    ],
)
def test_the_list_of_its_kind_says_whose_it_is_wherever_the_same_numbers_stand(lists, application, outcome):
    request = asked("/proposal?id=7")("")
    assert run(request, *lists, application=application).verdict.outcome is outcome


def in_xml(application: Proposals) -> Callable[[Request], Response]:
    """The same, answered as a document of elements."""

    def respond_in_xml(request: Request) -> Response:
        told = application(request)
        document = json.loads(told.body)
        entries = document if isinstance(document, list) else [document]
        inner = "".join(
            f"<entry>{''.join(f'<{name}>{value}</{name}>' for name, value in each.items())}</entry>" for each in entries
        )
        body = f"<?xml version='1.0'?><answer>{inner}</answer>".encode()
        return Response(told.status, ((b"Content-Type", b"application/xml"),), body)

    return respond_in_xml


@pytest.mark.parametrize(
    ("application", "outcome"),
    [
        (Proposals(), Outcome.VULNERABLE),
        (Proposals(guarded=True), Outcome.SAFE),
        (Proposals(shared=True), Outcome.SAFE),
    ],
)
def test_a_list_in_xml_says_whose_it_is_as_one_in_json_does(application: Proposals, outcome: Outcome):
    told = run(asked("/proposal?id=7")(""), "/lenses", "/proposals", application=in_xml(application))
    assert told.verdict.outcome is outcome


def carts(request: Request) -> Response:
    """Whatever stands behind the address is named after who owns it, and holds nothing private."""
    if not name_of(request):
        return answer({"error": "please sign in"}, 401)
    if not request.path.endswith((b"/41", b"/wish-list")):
        return answer({"error": "no such thing"}, 404)
    return answer({"id": 41, "user_name": "ann", "lines": [{"product": "tea", "quantity": 2}]})


@pytest.mark.parametrize(
    ("address", "outcome"),
    [
        ("carts", Outcome.VULNERABLE),
        ("rest/basket", Outcome.VULNERABLE),
        ("users/7/documents", Outcome.VULNERABLE),
        ("customers/7/orders", Outcome.VULNERABLE),
        ("users/7/posts", Outcome.SAFE),
        ("teams/7/documents", Outcome.SAFE),
        ("recipes", Outcome.SAFE),
        ("lessons/wish-list", Outcome.SAFE),
    ],
)
def test_what_nobody_shares_needs_no_private_data(address, outcome, monkeypatch):
    """By the word alone each caller is shown his own."""
    monkeypatch.setattr(
        "gatecrash.core.testing.authorization.owners.owner_evidence.holder_values", lambda situation: frozenset({"ann"})
    )
    number = "" if address.startswith("lessons") else "/41"
    assert run(asked(f"/{address}{number}")(""), application=carts).verdict.outcome is outcome


def papers(*, listed: str, name: str) -> Callable[[Request], Response]:
    """Pages made out to somebody by name, each at a code of its own, which whoever is signed in is shown. listed: what a list of
    everybody's links to.
    """

    def application(request: Request) -> Response:
        if not name_of(request):
            return Response(302, ((b"Location", b"/login"),))
        if request.path.endswith(b"/849fa80c6203fdc1"):
            return page(f"<h1>No. 41</h1><p>To: {name}</p><p>Lane 11</p><p>Tea, two of them</p><p>Total: 22</p>")
        if listed and request.path.count(b"/") == 1:
            return page(f"<ul><li><a href='{request.path.decode()}/{listed}'>No. 41</a></li></ul>")
        return page("<h1>Nothing here</h1>", 404)

    return application


@pytest.mark.parametrize(
    ("address", "name", "listed", "outcome"),
    [
        ("receipts", "Ann Marsh", "", Outcome.VULNERABLE),
        ("receipts", "ann@example.com", "", Outcome.VULNERABLE),
        ("receipts", "Ann Marsh", "new", Outcome.VULNERABLE),
        ("receipts", "Ann Marsh", "849fa80c6203fdc1", Outcome.SAFE),
        ("receipts", "Ann Marsh", "78cae4c8e58936bb", Outcome.SAFE),
        ("receipts", "Eva Stone", "", Outcome.SAFE),
        ("articles", "Ann Marsh", "", Outcome.SAFE),
    ],
    ids=[
        "by name",
        "by address",
        "a list of none",
        "both list it",
        "both list newer ones",
        "made out to a third",
        "no paper",
    ],
)
def test_a_paper_is_whose_name_it_is_made_out_to(address, name, listed, outcome, monkeypatch):
    monkeypatch.setattr(
        "gatecrash.core.testing.authorization.owners.owner_evidence.holder_values",
        lambda situation: frozenset({"7", "user", "ann marsh", "ann@example.com"}),
    )
    told = run(asked(f"/{address}/849fa80c6203fdc1")(""), application=papers(listed=listed, name=name))
    assert told.verdict.outcome is outcome


def test_a_paper_may_be_plain_text(monkeypatch):
    monkeypatch.setattr(
        "gatecrash.core.testing.authorization.owners.owner_evidence.holder_values",
        lambda situation: frozenset({"ann marsh"}),
    )
    shown = papers(listed="", name="Ann Marsh")

    def as_text(request: Request) -> Response:
        seen = shown(request)
        text = re.sub(rb"(?:<[^>]*>)+", b"\n", seen.body)
        return Response(200, ((b"Content-Type", b"text/plain"),), text) if seen.status == 200 else seen

    told = run(asked("/receipts/849fa80c6203fdc1")(""), application=as_text)
    assert told.verdict.outcome is Outcome.VULNERABLE


def name_of(request: Request) -> str:
    value = (request.first(b"Authorization") or b"").decode()
    return next((name for name, token in OPAQUE.items() if token == value), "")


def quantities(request: Request) -> Response:
    """The list holds the object's number as an amount."""
    if not (name := name_of(request)):
        return answer({"error": "please sign in"}, 401)
    if request.path == b"/stock":
        return answer({"shelves": [{"shelf": "A", "amount": 31 if name == "ann" else 7}]})
    return answer({"title": "Lamps", "phone": "+44 20"}) if request.path.endswith(b"/31") else answer({}, 404)


@pytest.mark.parametrize(
    ("address", "shown", "outcome"),
    [
        ("baskets", {"id": 41, "lines": [{"product": "tea"}]}, Outcome.VULNERABLE),
        ("cart-items", {"id": 41, "BasketId": 41, "quantity": 2}, Outcome.VULNERABLE),
        ("cart-items", {"id": 41, "BasketId": 40, "quantity": 2}, Outcome.SAFE),
        ("recipes", {"id": 41, "lines": [{"product": "tea"}]}, Outcome.SAFE),
    ],
)
def test_a_basket_is_its_owners_where_what_he_is_told_about_himself_says_so(address, shown, outcome, monkeypatch):
    monkeypatch.setattr(
        "gatecrash.core.testing.authorization.owners.owner_evidence.holder_values",
        lambda situation: frozenset({"basket=41"}),
    )

    def shop(request: Request) -> Response:
        if not name_of(request):
            return answer({"error": "please sign in"}, 401)
        return answer(shown) if request.path.endswith(b"/41") else answer({"error": "no such thing"}, 404)

    assert run(asked(f"/{address}/41")(""), application=shop).verdict.outcome is outcome


@pytest.mark.parametrize(
    ("theirs", "outcome"), [(("tenant=42",), Outcome.VULNERABLE), (("tenant=41",), Outcome.SAFE), ((), Outcome.SAFE)]
)
def test_what_is_a_tenants_is_no_other_tenants_to_read(theirs, outcome):
    def metering(request: Request) -> Response:
        if not name_of(request):
            return answer({"error": "please sign in"}, 401)
        return answer([{"number": 1, "reading": 20}, {"number": 2, "reading": 7}] if b"/41/" in request.path else [])

    request = asked("/tenants/41/meters")("")
    own, other, *_ = identities(request)
    known = (replace(own, known=("tenant=41",)), replace(other, known=theirs))
    (check,) = plan(record(metering, request), DEFAULT, credentials_of(request), (PROBE,), identities=known)
    assert drive_as(check, metering).verdict.outcome is outcome


SALES = [{"customer": "Lea Brunner", "email": "lea@north.example", "total": 14.5}]
MENU = [{"dish": "soup", "price": 7}, {"dish": "pie", "price": 9}]


@pytest.mark.parametrize(
    ("shown", "theirs", "outcome"),
    [
        (SALES, ("tenant=basel", "basel"), Outcome.VULNERABLE),
        (SALES, ("tenant=zurich", "zurich"), Outcome.SAFE),
        (MENU, ("tenant=basel", "basel"), Outcome.SAFE),
    ],
    ids=["of customers", "of the same tenant", "for all customers"],
)
def test_a_tenant_is_named_in_a_header_as_well(shown, theirs, outcome):
    def branches(request: Request) -> Response:
        if not name_of(request):
            return answer({"error": "please sign in"}, 401)
        return answer(shown if request.first(b"X-Tenant") == b"zurich" else [])

    request = asked("/reports/sales")("")
    request = replace(request, headers=(*request.headers, (b"X-Tenant", b"zurich")))
    own, other, *_ = identities(request)
    known = (replace(own, known=("tenant=zurich", "zurich")), replace(other, known=theirs))
    (check,) = plan(record(branches, request), DEFAULT, credentials_of(request), (PROBE,), identities=known)
    assert drive_as(check, branches).verdict.outcome is outcome


def test_an_amount_of_the_same_number_is_not_the_object():
    assert run(asked("/items/31")(""), "/stock", application=quantities).verdict.outcome is Outcome.SAFE


def letters(request: Request) -> Response:
    """Pages: a list that links to letters, and letters that name whom they are for."""
    if not (name := name_of(request)):
        return page("<form><input type=password name=p></form>", 401)
    if request.path == b"/home":
        return page(f"<p>Hello {name}</p><a href='/letters/{'7001' if name == 'ann' else '7002'}'>your letter</a>")
    known = {b"/letters/7001": "ann", b"/letters/7002": "ben"}.get(request.path)
    return (
        page(f"<h1>Letter</h1><p>Dear {known}, we prescribed rest.</p>")
        if known
        else page("<p>no such letter</p>", 404)
    )


def test_a_letter_that_a_page_links_to_for_one_only_is_his_where_it_names_him(monkeypatch):
    """The name is what the record tells of the sender, as his login does."""
    monkeypatch.setattr(
        "gatecrash.core.testing.authorization.owners.owner_evidence.holder_values", lambda _: frozenset({"ann"})
    )
    told = run(asked("/letters/7001")(""), "/home", application=letters)
    assert told.verdict.outcome is Outcome.VULNERABLE


def test_a_letter_that_names_nobody_known_is_not_claimed():
    assert run(asked("/letters/7001")(""), "/home", application=letters).verdict.outcome is Outcome.SAFE


@pytest.mark.parametrize(("sender", "outcome"), [("Ida", Outcome.VULNERABLE), ("Ben", Outcome.SAFE)])
def test_a_letter_that_ones_inbox_shows_as_the_others_is_his_too(sender, outcome, monkeypatch):
    """Who wrote it may read it, though no inbox of his shows it. Both names are what the record tells."""

    def inbox(request: Request) -> Response:
        seen = letters(request)
        if request.path != b"/home":
            return seen
        return replace(seen, body=seen.body.replace(b"<a ", f"<p>{sender} wrote: <a ".encode()))

    for whose in ("owner_evidence", "listed_elsewhere"):
        module = f"gatecrash.core.testing.authorization.owners.{whose}"
        monkeypatch.setattr(f"{module}.holder_values", lambda _: frozenset({"ann"}))
        monkeypatch.setattr(f"{module}.values_of", lambda *_: frozenset({"ben"}))
    assert run(asked("/letters/7001")(""), "/home", application=inbox).verdict.outcome is outcome


def test_another_kinds_number_is_not_the_object():
    """The list of what is the caller's own holds a product of the same number as the order that is asked for."""

    def shop(request: Request) -> Response:
        if not (name := name_of(request)):
            return answer({"error": "please sign in"}, 401)
        if request.path == b"/mine":
            return answer({"products": [{"id": 31}] if name == "ann" else []})
        return answer({"title": "Lamps", "phone": "+44 20"}) if request.path.endswith(b"/31") else answer({}, 404)

    assert run(asked("/orders/31")(""), "/mine", application=shop).verdict.outcome is Outcome.SAFE
    assert run(asked("/products/31")(""), "/mine", application=shop).verdict.outcome is Outcome.VULNERABLE


@pytest.mark.parametrize(("all_of_it", "outcome"), [(True, Outcome.SAFE), (False, Outcome.VULNERABLE)])
def test_a_filter_of_ones_own_is_no_list_where_the_list_shows_it_to_both(all_of_it, outcome):
    """`/papers?mine=1` shows each his own; `/papers` is what the team has."""

    def team(request: Request) -> Response:
        if not (name := name_of(request)):
            return answer({"error": "please sign in"}, 401)
        if request.path == b"/papers":
            both = all_of_it and request.query is None
            return answer(
                [{"id": 70311, "title": "plan"}] if both or name == "ann" else [{"id": 70312, "title": "menu"}]
            )
        return (
            answer({"id": 70311, "title": "plan", "text": "rows"})
            if request.path.endswith(b"/70311")
            else answer({}, 404)
        )

    assert run(asked("/papers/70311")(""), "/papers?mine=1", application=team).verdict.outcome is outcome


@pytest.mark.parametrize(
    ("method", "target", "body", "kept"),
    [
        ("POST", b"/api/orders/search", b'{"userId": 7}', True),
        ("GET", b"/api/orders?user_id=7", b"", True),
        ("GET", b"/inbox", b"", True),
        ("GET", b"/export/bookings.csv?user=7", b"", True),
        ("GET", b"/export/bookings.csv?user=8", b"", False),
        ("GET", b"/export/posts.csv?user=7", b"", False),
        ("POST", b"/api/orders/search", b'{"productId": 7}', False),
        ("POST", b"/api/orders/search", b'{"userId": 8}', False),
        ("GET", b"/api/posts?user_id=7", b"", False),
        ("GET", b"/api/orders/7", b"", False),
        ("POST", b"/graphql", b'{"query": "{ ticketOrders(user: 7) { id } }"}', True),
        ("POST", b"/graphql", b'{"query": "{ postsBy(user: 7) { id } }"}', False),
    ],
)
def test_what_is_asked_for_by_its_owners_number_is_his_where_nobody_shares_it(method, target, body, kept):
    headers = ((b"X-Member-Id", b"7"),) if target == b"/inbox" else ()
    request = Request(method, target, (*headers, (b"Content-Type", b"application/json")), body)
    assert is_kept_by_one(request, frozenset({"7", "ann"})) is kept
    assert not is_kept_by_one(request)
