"""Which pages list the things of which a request asks for one."""

import json

import pytest
from tests.core.testing.driving import Application, credentials_of, record
from tests.core.testing.probes.as_tenants import OPAQUE, drive_as, identities
from tests.range.place import page

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.addresses.kinship import how_far, is_box_of, is_called_like, kind_words, lists_its_kind
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes import idor
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

JSON = ((b"Content-Type", b"application/json"),)


def asking(query: str, **variables: object) -> Request:
    return Request("POST", b"/graphql", JSON, json.dumps({"query": query, "variables": variables}).encode(), host="a")


def calling(method: str, **params: object) -> Request:
    body = {"jsonrpc": "2.0", "method": method, "params": params, "id": 1}
    return Request("POST", b"/rpc", JSON, json.dumps(body).encode(), host="a")


@pytest.mark.parametrize(
    ("page", "request_", "found"),
    [
        (b"/proposals", b"/proposal?id=7", True),
        (b"/fees.php?page=2", b"/fee.php?id=7", True),
        (b"/api/orders?sortBy=day", b"/api/order/7", True),
        (b"/club/getFees", b"/club/getFee?id=7", True),
        (b"/fee_list.php", b"/fee_view.php?id=7", True),
        (b"/rpc/fee.list?input=%7B%7D", b"/rpc/fee.byId?input=%7B%22id%22%3A7%7D", True),
        (
            b"/rpc/fee.list?input=%7B%22json%22%3A%7B%22limit%22%3A5%2C%22tag%22%3Anull%7D%7D",
            b"/rpc/fee.byId?input=7",
            True,
        ),
        (b"/rpc/fee.list?input=%7B%22payer%22%3A%22ann%22%7D", b"/rpc/fee.byId?input=7", False),
        (b"/rpc/fee.starred", b"/rpc/fee.byId?input=7", False),
        (b"/fees?page={", b"/fee?id=7", True),
        (b"/fees.php", b"/fee_edit.php", True),
        (b"/index.php?page=fees", b"/index.php?page=fee&id=7", True),
        (b"/?do=fees&sort=day", b"/?do=view_fee&id=7", True),
        (b"/index.php?page=fees&starred=1", b"/index.php?page=fee&id=7", False),
        (b"/index.php?page=members", b"/index.php?page=fee&id=7", False),
        (b"/index.php?page=fee", b"/index.php?page=fee&id=7", False),
        # What somebody has marked or joined is not his for that.
        (b"/proposals?starred=1", b"/proposal?id=7", False),
        (b"/my-courses", b"/course/7", False),
        (b"/members.php", b"/fee.php?id=7", False),
        (b"/board/fees.php", b"/fee.php?id=7", False),
        (b"/fee.php", b"/fee.php?id=7", False),
        (b"/fee.php?id=8", b"/fee.php?id=7", False),
        (b"/", b"/7", False),
    ],
)
def test_a_list_is_known_by_its_name(page: bytes, request_: bytes, found: bool):
    assert lists_its_kind(Request("GET", page, host="a"), Request("GET", request_, host="a")) is found


@pytest.mark.parametrize(
    ("page", "found"),
    [
        (asking("query A($q: String) { incidents(search: $q) { id title } }", q=""), True),
        (asking("{ incidents { id title } }"), True),
        (asking("query A($m: Boolean) { incidents(starred: $m) { id title } }", m=True), False),
        (asking("{ myIncidents { id title } }"), False),
        (asking("{ vehicles { id sign } }"), False),
        (asking("query A($id: Int) { incident(id: $id) { title } }", id=8), False),
    ],
)
def test_a_field_of_many_lists_those_of_the_field_of_one(page: Request, found: bool):
    assert lists_its_kind(page, asking("query A($id: Int) { incident(id: $id) { title } }", id=7)) is found


def test_an_identifier_says_nothing_of_the_kind():
    assert kind_words(Request("GET", b"/api/order/7", host="a")) == ("api", "order")


def test_a_list_of_some_is_called_like_its_kind():
    one = asking("query A($id: ID!) { incident(id: $id) { id title } }", id="7")
    assert is_called_like(asking("{ myIncidents { id title } }"), one)
    assert is_called_like(calling("incident.mine"), calling("incident.get", id=7))
    assert not is_called_like(calling("incident.next"), calling("incident.get", id=7))
    assert not is_called_like(calling("team.mine"), calling("incident.get", id=7))
    assert not is_called_like(asking("{ myTeams { id title } }"), one)
    assert not is_called_like(asking("query B($id: ID!) { openIncident(id: $id) { id } }", id="7"), one)
    assert not is_called_like(Request("GET", b"/", host="a"), one)


@pytest.mark.parametrize(
    ("path", "far"),
    [
        ("/orders.php", 0),
        ("/my-orders.php", 1),
        ("/account.php", 1),
        ("/my_profile", 1),
        ("/news.php", 2),
        ("/accounts/new", 2),
    ],
)
def test_the_page_of_ones_own_is_nearer_than_any_other(path: str, far: int):
    assert how_far(Request("GET", path.encode(), host="a"), Request("GET", b"/order.php?id=7", host="a")) == far


BOXES = {"ann": ("71", "74"), "ben": ("80", "82"), "ida": ("90",)}


def bank(box: str, kind: str, *, common: str = "", refuses: bool = False) -> Application:
    """A box for each, which leads to `/<kind>/71`. common: what lies in all of them. refuses: whether others may not read it."""

    def application(request: Request) -> Response:
        token = (request.first(b"Authorization") or b"").decode()
        caller = next((name for name, each in OPAQUE.items() if each == token), "")
        if caller not in BOXES:
            return Response(401)
        own = (*BOXES[caller], *([common] if common else []))
        if request.path == f"/{box}".encode():
            return page("".join(f'<li><a href="/{kind}/{each}">Subject {each}</a></li>' for each in dict.fromkeys(own)))
        if b"/on-" in request.path:  # leads to something else of this number
            return page('<a href="/pots/71">Pot</a>')
        asked = request.path.decode().rpartition("/")[2]
        known = own if refuses else [each for box in BOXES.values() for each in box]
        return page(f"<h1>Subject {asked}</h1><p>Words {asked}</p>") if asked in known else Response(404)

    return application


def shop(where: str, kind: str, *, common: str = "", refuses: bool = False) -> Application:
    """The same of a page that leads to `<kind>.php?no=71`."""

    def application(request: Request) -> Response:
        token = (request.first(b"Authorization") or b"").decode()
        caller = next((name for name, each in OPAQUE.items() if each == token), "")
        if caller not in BOXES:
            return Response(302, ((b"Location", b"/login.php"),))
        own = (*BOXES[caller], *([common] if common else []))
        if request.path == f"/{where}".encode():
            return page("".join(f"<li><a href={kind}.php?no={each}>See</a></li>" for each in dict.fromkeys(own)))
        asked = (request.query or b"").decode().removeprefix("no=")
        known = own if refuses else [each for box in BOXES.values() for each in box]
        return page(f"<h1>Paper {asked}</h1><p>Key under pot {asked}</p>") if asked in known else Response(404)

    return application


@pytest.mark.parametrize(
    ("where", "kind", "how", "outcome"),
    [
        ("account.php", "order", {}, Outcome.VULNERABLE),
        ("account.php", "order", {"refuses": True}, Outcome.SAFE),
        ("account.php", "order", {"common": "71"}, Outcome.SAFE),
        # What each has chosen to see; and a page that is nobody's own may be picked for him.
        ("account.php", "recipe", {}, Outcome.SAFE),
        ("start.php", "order", {}, Outcome.SAFE),
    ],
)
def test_the_page_of_ones_own_says_whose_is_what_each_keeps(where: str, kind: str, how: dict, outcome: Outcome) -> None:
    application, pages = shop(where, kind, **how), Pages()
    headers = ((b"Authorization", OPAQUE["ann"].encode()),)
    request = Request("GET", f"/{kind}.php?no=71".encode(), headers)
    pages.meet(record(application, Request("GET", f"/{where}".encode(), headers)).exchange, visited=False)
    (check,) = plan(
        record(application, request), DEFAULT, credentials_of(request), (idor.PROBE,),
        identities=identities(request), pages=pages.beside(request),
    )  # fmt: skip
    assert drive_as(check, application).verdict.outcome is outcome


@pytest.mark.parametrize(
    ("box", "kind", "how", "outcome"),
    [
        ("inbox", "letter", {}, Outcome.VULNERABLE),
        ("mailbox", "message", {}, Outcome.VULNERABLE),
        ("inbox", "letter", {"refuses": True}, Outcome.SAFE),
        ("inbox", "letter", {"common": "71"}, Outcome.SAFE),
        # What happened to a thread that he wrote in, which all may read.
        ("inbox", "thread", {}, Outcome.SAFE),
        ("favourites", "letter", {}, Outcome.SAFE),
    ],
    ids=["a letter", "a message", "refused to others", "sent to all", "what all may read", "no box"],
)
def test_what_was_sent_to_one_alone_is_nobody_elses(box: str, kind: str, how: dict, outcome: Outcome) -> None:
    application, pages = bank(box, kind, **how), Pages()
    headers = ((b"Authorization", OPAQUE["ann"].encode()),)
    request = Request("GET", f"/{kind}/71".encode(), headers)
    for path in (*(f"/pots/on-{word}" for word in ("oak", "elm", "ash", "fir")), f"/{box}"):
        pages.meet(record(application, Request("GET", path.encode(), headers)).exchange, visited=False)
    (check,) = plan(
        record(application, request), DEFAULT, credentials_of(request), (idor.PROBE,),
        identities=identities(request), pages=pages.beside(request),
    )  # fmt: skip
    assert drive_as(check, application).verdict.outcome is outcome


@pytest.mark.parametrize(
    ("path", "kind", "is_box"),
    [
        (b"/inbox", "letter", True),
        (b"/my/mailbox", "mail", True),
        (b"/inbox", "post", False),
        (b"/box", "letter", False),
    ],
)
def test_a_box_is_known_by_its_name_and_by_what_lies_in_it(path: bytes, kind: str, is_box: bool) -> None:
    assert is_box_of(Request("GET", path), Request("GET", f"/{kind}/7".encode())) is is_box
