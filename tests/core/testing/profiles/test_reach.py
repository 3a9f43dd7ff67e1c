"""Who stands above whom, by where each is let in."""

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.profiles.reach import Reach, names_nobody


def reach(*entered: bytes, barred: tuple[bytes, ...] = ()) -> Reach:
    made = Reach()
    for path, status in (*((path, 200) for path in entered), *((path, 403) for path in barred)):
        made.see(Exchange(Request("GET", path, host="shop.example"), Response(status, body=b"{}")))
    return made


CUSTOMER = reach(b"/api/v2/me", b"/rentals", barred=(b"/office/stats",))


def test_who_is_let_in_wherever_another_is_and_where_he_is_refused_stands_above_him() -> None:
    clerk = reach(b"/api/v2/me", b"/rentals", b"/office/stats")
    assert clerk.is_above(CUSTOMER, frozenset())
    assert not CUSTOMER.is_above(clerk, frozenset())


def turned_away(*paths: bytes, to: bytes = b"/home", asked: bool = True) -> Reach:
    made = reach(b"/home", b"/tours")
    for path in paths:
        sent_on = Response(302, ((b"Location", to),))
        made.see(Exchange(Request("GET", path, host="shop.example"), sent_on), asked=asked)
    return made


HTML = ((b"Content-Type", b"text/html"),)
TO_LOGIN = Response(302, ((b"Location", b"/login?next=/board"),))
ABOVE = reach(b"/home", b"/tours", b"/rota", b"/shifts", b"/orders", b"/invoices")


@pytest.mark.parametrize("to", [b"/", b"/home?denied=1", b"http://shop.example/start"])
def test_so_does_who_is_let_in_where_another_is_sent_to_a_start_page_from_several_pages(to: bytes) -> None:
    guide = turned_away(b"/rota", b"/shifts", to=to)
    assert ABOVE.is_above(guide, frozenset())
    assert not guide.is_above(ABOVE, frozenset())


OUT = b'<form method="post" action="/logout"><button>Log out</button></form>'


@pytest.mark.parametrize(("shown", "above"), [(OUT, True), (b"<h1>Notices</h1>", False)])
def test_so_does_who_is_let_in_where_another_is_sent_to_the_login_though_he_is_signed_in(
    shown: bytes, above: bool
) -> None:
    board, member = reach(b"/notices", b"/board"), reach(b"/notices")
    for path, response in ((b"/notices", Response(200, HTML, shown)), (b"/board", TO_LOGIN)):
        member.see(Exchange(Request("GET", path, host="club.example"), response), asked=True)
    assert board.is_above(member, frozenset()) is above
    assert not member.is_above(board, frozenset())


@pytest.mark.parametrize(
    ("guide", "why"),
    [
        (turned_away(b"/rota"), "one page may have a reason of its own"),
        (turned_away(b"/rota", b"/shifts", asked=False), "his pages led him there"),
        (turned_away(b"/orders", b"/invoices"), "he has none yet"),
        (turned_away(b"/rota", b"/shifts", to=b"/tours"), "to no start page"),
        (turned_away(b"/rota", b"/shifts", to=b"/shifts/home"), "to pages below them"),
        (turned_away(b"/rota", b"/shifts", to=b"https://id.example/"), "to another site"),
    ],
)
def test_who_is_sent_on_for_other_reasons_is_not_below(guide: Reach, why: str) -> None:
    assert not ABOVE.is_above(guide, frozenset()), why


def test_the_two_sides_of_a_market_do_not() -> None:
    customer = reach(b"/me", b"/basket", barred=(b"/sales",))
    seller = reach(b"/me", b"/sales", barred=(b"/basket",))
    assert not seller.is_above(customer, frozenset())
    assert not customer.is_above(seller, frozenset())


def test_nor_does_anybody_above_who_is_not_known_to_be_signed_in() -> None:
    over = reach(barred=(b"/me", b"/office/stats"))
    assert not reach(b"/me", b"/office/stats").is_above(over, frozenset())


def asked_later(made: Reach, *paths: bytes) -> Reach:
    for path in paths:
        made.see(Exchange(Request("GET", path, host="shop.example"), Response(401)), asked=True)
    return made


def test_who_is_refused_where_he_was_let_in_before_has_a_session_that_is_over_and_stands_below_nobody() -> None:
    clerk = reach(b"/me", b"/files", b"/office/stats")
    assert clerk.is_above(asked_later(reach(b"/me", b"/files"), b"/office/stats"), frozenset())
    assert not clerk.is_above(asked_later(reach(b"/me", b"/files"), b"/office/stats", b"/files"), frozenset())


def test_what_a_session_that_is_over_is_refused_is_nothing_that_its_user_has_more() -> None:
    over = asked_later(reach(b"/me", b"/files"), b"/me", b"/files")
    assert not over.is_above(asked_later(reach(b"/me"), b"/files"), frozenset())


def test_what_is_ones_own_is_no_more_than_others_have() -> None:
    bob, alice = reach(b"/me", b"/users/bob/orders"), reach(b"/me", barred=(b"/users/bob/orders",))
    assert not bob.is_above(alice, frozenset({"bob"}))
    assert not reach(b"/me", b"/orders/7").is_above(reach(b"/me", barred=(b"/orders/7",)), frozenset())


def test_errors_queries_and_changes_say_nothing() -> None:
    made = Reach()
    for method, target, status in (("GET", b"/a", 500), ("GET", b"/a?b=c", 200), ("POST", b"/a", 200)):
        made.see(Exchange(Request(method, target, host="shop.example"), Response(status)))
    made.see(Exchange(Request("GET", b"/a", host="shop.example")))
    assert made == Reach()


@pytest.mark.parametrize("path", [b"/orders/7", b"/orders/7/items", b"/u/9b1deb4d-3b7d-4bad", b"/bills/INV-2024-0007"])
def test_paths_with_an_identifier_name_somebody(path: bytes) -> None:
    assert not names_nobody(path)


@pytest.mark.parametrize("path", [b"/api/v2/me", b"/orders", b"/oauth2/userinfo"])
def test_versions_name_nobody(path: bytes) -> None:
    assert names_nobody(path)


def test_where_somebodys_other_token_is_refused_a_kind_of_token_is_asked_for_and_no_rank() -> None:
    one = reach(b"/me", b"/me/sync", barred=(b"/me/sync",))
    other = reach(b"/me", barred=(b"/me/sync",))
    assert not one.is_above(other, frozenset())


def told(*pages: tuple[bytes, bytes], barred: tuple[bytes, ...] = ()) -> Reach:
    made = reach(barred=barred)
    for path, body in pages:
        made.see(Exchange(Request("GET", path, host="shop.example"), Response(200, body=body)))
    return made


@pytest.mark.parametrize(
    ("alice", "bob", "above"),
    [
        pytest.param(
            {b"/me": b"", b"/projects/alpha": b'{"slug": "alpha"}', b"/projects/secret": b'{"slug": "secret"}'},
            reach(b"/me", b"/projects/alpha", barred=(b"/projects/secret",)),
            False,
            id="a thing that its answer calls as the one beside it, which both reach",
        ),
        pytest.param(
            {b"/projects/alpha/issues": b"", b"/projects/secret/issues": b""},
            reach(b"/projects/alpha/issues", barred=(b"/projects/secret/issues",)),
            False,
            id="a thing with the same page below it as one that both reach",
        ),
        pytest.param(
            {b"/me": b"", b"/api/orders": b'{"type": "orders"}', b"/api/office": b'{"type": "office"}'},
            reach(b"/me", b"/api/orders", barred=(b"/api/office",)),
            True,
            id="sections that name their kind",
        ),
        pytest.param(
            {b"/me": b"", b"/api/orders/list": b"", b"/api/users/list": b""},
            reach(b"/me", b"/api/orders/list", barred=(b"/api/users/list",)),
            True,
            id="collections with the same page below them",
        ),
        pytest.param(
            {b"/settings/profile/history": b"", b"/settings/billing/history": b""},
            reach(b"/settings/profile/history", barred=(b"/settings/billing/history",)),
            True,
            id="sections of the settings",
        ),
        pytest.param(
            {b"/me": b"", b"/projects/alpha": b'{"slug": "alpha"}', b"/projects/new": b"<form>"},
            reach(b"/me", b"/projects/alpha", barred=(b"/projects/new",)),
            True,
            id="a page of the collection that is no thing of it",
        ),
    ],
)  # fmt: skip
def test_a_thing_that_is_shared_with_somebody_raises_him_above_nobody(
    alice: dict[bytes, bytes], bob: Reach, above: bool
) -> None:
    assert told(*alice.items()).is_above(bob, frozenset()) is above


PAGE = ((b"Content-Type", b"text/html; charset=utf-8"),)


def read_as_pages(*paths: bytes, barred: tuple[bytes, ...] = ()) -> Reach:
    made = reach(barred=barred)
    for path in paths:
        made.see(Exchange(Request("GET", path, host="shop.example"), Response(200, PAGE, b"<h1>All</h1>")))
    return made


def test_pages_of_a_part_of_the_site_raise_who_reads_them() -> None:
    member = read_as_pages(b"/plots", b"/plots/new", barred=(b"/steward/members",))
    assert read_as_pages(b"/plots", b"/plots/new", b"/steward/members").is_above(member, frozenset())


def test_pages_of_a_collection_may_be_its_things() -> None:
    bob = read_as_pages(b"/projects", b"/projects/alpha", barred=(b"/projects/secret",))
    assert not read_as_pages(b"/projects", b"/projects/alpha", b"/projects/secret").is_above(bob, frozenset())


@pytest.mark.parametrize(
    ("told", "above"),
    [
        (b'{"error": "Upgrade to the Pro plan to see reports"}', False),
        (b"<p>You have no wallet yet.</p>", False),
        (b'{"error": "Please verify your e-mail address first"}', False),
        (b'{"error": "You have no access to the reports"}', True),
        (b"<p>You have not the rights to see this.</p><p>Not here yet? Join us</p>", True),
    ],
)
def test_what_anybody_gets_who_pays_or_begins_something_raises_nobody(told: bytes, above: bool) -> None:
    bob = reach(b"/home")
    bob.see(Exchange(Request("GET", b"/reports", host="shop.example"), Response(403, (), told)))
    assert reach(b"/home", b"/reports").is_above(bob, frozenset()) is above
