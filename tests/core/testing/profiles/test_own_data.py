"""What two users were shown where nothing is named: whether they share anything there."""

import json

import pytest

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.profiles.own_data import OwnData
from gatecrash.core.testing.profiles.profile import AuthProfile, Placed, ProfileIdentity
from gatecrash.core.testing.profiles.recorded import RecordedIdentities

ANN = {"/orders": [{"id": 1, "user_id": 7}, {"id": 2, "user_id": 7}]}
BARE = {"/orders": [{"id": 1}], "/cards": {"data": [{"id": 4}], "total": 1}}


def seen(*answers: tuple[str, object], method: str = "GET", kind: bytes = b"application/json") -> OwnData:
    own = OwnData()
    for target, shown in answers:
        response = Response(200, ((b"Content-Type", kind),), json.dumps(shown).encode())
        own.see(Exchange(Request(method, target.encode()), response))
    return own


def shown(addresses: dict[str, object]) -> OwnData:
    return seen(*addresses.items())


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        (ANN, {"/orders": [{"id": 3, "user_id": 8}]}, True),
        (ANN, {"/orders": [{"id": 2, "user_id": 7}]}, False),
        (ANN, {"/orders": [{"id": 3, "user_id": 7}]}, False),
        (ANN, {"/orders": [{"id": 3, "user_id": 8}, {"id": 4, "user_id": 9}]}, False),
        (ANN, {"/orders": []}, False),
        (ANN, {"/invoices": [{"id": 3, "user_id": 8}]}, False),
        ({"/news": [{"id": 1, "author": "ann"}]}, {"/news": [{"id": 2, "author": "ben"}]}, False),
        (BARE, {"/orders": [{"id": 2}], "/cards": {"data": [{"id": 5}], "total": 1}}, True),
        (BARE, {"/orders": [{"id": 2}], "/cards": {"data": [{"id": 4}], "total": 1}}, False),
        (BARE, {"/orders": [{"id": 2}]}, False),
        ({"/cart": {"id": 7}, "/wallet": {"id": 3}}, {"/cart": {"id": 8}, "/wallet": {"id": 4}}, True),
        ({"/session": {"id": 7}, "/wallet": {"id": 3}}, {"/session": {"id": 8}, "/wallet": {"id": 4}}, False),
        (
            {"/a": {"id": "q1", "items": [{"id": 3}]}, "/b": {"id": "q2", "items": [{"id": 4}]}},
            {"/a": {"id": "q3", "items": [{"id": 3}]}, "/b": {"id": "q4", "items": [{"id": 4}]}},
            False,
        ),
    ],
    ids=[
        "owners",
        "a key in the place of an old one",
        "more of the same owner's",
        "several owners",
        "an empty list",
        "other addresses",
        "news",
        "two lists",
        "one list of two",
        "one list",
        "what is one's own by its address",
        "a session's number",
        "an answer that is counted",
    ],
)
def test_who_shares_nothing_is_somebody_else(one: dict[str, object], other: dict[str, object], differ: bool) -> None:
    assert shown(one).differs_from(shown(other)) is differ
    assert shown(other).differs_from(shown(one)) is differ


def test_what_moves_on_for_one_user_tells_him_from_nobody() -> None:
    moving = seen(("/orders", [{"id": 1, "user_id": 7}]), ("/orders", [{"id": 2, "user_id": 7}]))
    assert not moving.differs_from(shown({"/orders": [{"id": 3, "user_id": 8}]}))


def test_only_what_is_read_without_a_choice_is_looked_at() -> None:
    other = shown({"/orders": [{"id": 3, "user_id": 8}]})
    assert not seen(*ANN.items(), method="POST").differs_from(other)
    assert not seen(*ANN.items(), kind=b"text/html").differs_from(other)
    page = seen(("/orders?page=1", ANN["/orders"]))
    assert not page.differs_from(seen(("/orders?page=1", [{"id": 3, "user_id": 8}])))


def test_what_the_owner_is_called_is_learned_beside_another() -> None:
    ann, ben = shown(ANN), shown({"/orders": [{"id": 3, "user_id": 8}]})
    assert (ann.owners_beside(ben), ben.owners_beside(ann)) == (
        frozenset({"7", "owned by user_id=7"}),
        frozenset({"8", "owned by user_id=8"}),
    )


def test_an_own_word_for_owners_is_learned_from_what_each_is_called() -> None:
    ann = shown({"/pets": [{"id": 1, "keeper_id": 7}, {"id": 2, "keeper_id": 7}]})
    ben = shown({"/pets": [{"id": 3, "keeper_id": 8}]})
    assert ann.owners_beside(ben, {"7"}, {"8"}) == {"7", "owned by keeper_id=7"}
    assert not ann.owners_beside(ben)
    of_several = shown({"/pets": [{"id": 3, "keeper_id": 8}, {"id": 4, "keeper_id": 9}]})
    assert not ann.owners_beside(of_several, {"7"}, {"8"})
    twice = seen(*((("/pets"), [{"id": 1, "keeper_id": each}, {"id": 2, "keeper_id": 7}]) for each in (7, 6)))
    assert not twice.owners_beside(ben, {"7"}, {"8"})


def test_what_both_wrote_at_an_address_that_names_something_is_known_of_both() -> None:
    addresses = ("/cards/31", "/cards", "/graphql")
    ann = seen(*((each, {}) for each in addresses), method="PATCH")
    ben = seen(*((each, {}) for each in (*addresses, "/cards/32")), method="PATCH")
    assert ann.written_as(ben) == ben.written_as(ann) == {"wrote as well PATCH /cards/31"}
    assert not ann.written_as(seen(("/cards/31", {}), method="DELETE"))
    first, second = (seen(("/cards/31", {}), method="DELETE") for _ in "12")
    assert not first.written_as(second), "the number of what was deleted is given again"
    refused = OwnData()
    refused.see(Exchange(Request("PATCH", b"/cards/31"), Response(403)))
    assert not ann.written_as(refused)


def told(method: str, result: object, number: int, params: object = None) -> Exchange:
    """A call of JSON-RPC and its answer."""
    call = {"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}
    shown = {"jsonrpc": "2.0", "id": number, "result": result}
    headers = ((b"Content-Type", b"application/json"), (b"Authorization", b"Bearer 3f9a0c77de114b0%d" % (number % 2)))
    request = Request("POST", b"/rpc", headers, json.dumps(call).encode(), "https", "shop.example", 443)
    return Exchange(request, Response(200, headers[:1], json.dumps(shown).encode()))


@pytest.mark.parametrize(
    ("method", "mine", "theirs", "params", "called"),
    [
        ("orders.list", [{"id": 1, "owner_id": 101}], [{"id": 2, "owner_id": 102}], None, {"101", "owned by owner_id=101"}),
        ("orders.list", [{"id": 1, "owner_id": 101}], [{"id": 2, "owner_id": 101}], None, set()),
        ("orders.list", [{"id": 1, "owner_id": 101}, {"id": 3, "owner_id": 109}], [{"id": 2, "owner_id": 102}], None, set()),
        ("orders.list", [{"id": 1, "owner_id": 101}], [], None, set()),
        ("orders.list", [{"id": 1, "price": 101}], [{"id": 2, "price": 102}], None, set()),
        ("orders.get", {"id": 1, "owner_id": 101}, {"id": 2, "owner_id": 102}, {"id": 1}, set()),
        ("orders.create", {"id": 1, "owner_id": 101}, {"id": 2, "owner_id": 102}, None, set()),
    ],
    ids=["own lists", "one owner's", "several owners", "the number of a call", "no owner's", "a choice", "a change"],
)  # fmt: skip
def test_a_call_that_only_reads_tells_as_an_address_does(
    method: str, mine: object, theirs: object, params: object, called: set[str]
) -> None:
    ann, ben = OwnData(), OwnData()
    ann.see(told(method, mine, 4, params))
    ben.see(told(method, theirs, 5, params))
    assert ann.owners_beside(ben) == called


def test_who_signs_in_as_somebody_wrote_down_is_called_as_his_lists_call_him() -> None:
    users = [
        ProfileIdentity(name=name, values=(Placed(("header", "AUTHORIZATION"), f"Bearer 3f9a0c77de114b0{number}"),))
        for number, name in enumerate(("ann", "ben"))
    ]
    identities = RecordedIdentities(compile_recogniser())
    for number, owner in ((4, 101), (5, 102)):
        identities.see(told("orders.list", [{"id": number, "owner_id": owner}], number))
    profile = identities.complete(AuthProfile(id="p", name="p", identities=tuple(users)))
    assert profile is not None
    assert [set(one.known) for one in profile.identities] == [
        {"101", "owned by owner_id=101"},
        {"102", "owned by owner_id=102"},
    ]


def test_what_a_list_of_his_choice_led_him_to_was_opened_to_him():
    own = seen(
        ("/mail?box=12", [{"id": 922}, {"id": 927}]), ("/mail/922", {"id": 922}), ("/mail/930", {"id": 930}),
        ("/orders?page=2", [{"id": 5}]), ("/orders/5", {"id": 5}),
        ("/users/12/gifts", [{"id": 7}]), ("/gifts/7", {"id": 7}), ("/cards/7", {"id": 7}),
    )  # fmt: skip
    assert own.opened == {"told of /mail/922", "told of /gifts/7"}


def test_a_page_leads_to_what_it_links_to():
    own = OwnData()
    html = ((b"Content-Type", b"text/html; charset=utf-8"),)
    for target, body in (
        ("/people/12/gifts", b"<a href='/gifts/7'>a bike</a>"),
        ("/gifts/7", b"a bike"),
        ("/gifts/8", b""),
    ):
        own.see(Exchange(Request("GET", target.encode()), Response(200, html, body)))
    assert own.opened == {"told of /gifts/7"}


def test_what_he_set_of_things_is_his_to_set():
    own = OwnData()
    changing = Request("PUT", b"/trips/7", ((b"Content-Type", b"application/json"),), b'{"paid": true}')
    own.see(Exchange(changing, Response(200)))
    assert own.sets == {"sets trips.paid"}


RED, BLUE = {"slug": "red-clay", "name": "Red Clay"}, {"id": 12, "slug": "blue-salt", "name": "Blue Salt"}


def test_a_list_of_tenants_that_shows_each_his_own_tells_who_belongs_where() -> None:
    ann, ben = shown({"/v1/orgs": {"items": [RED]}}), shown({"/v1/orgs": {"items": [BLUE]}})
    assert ann.tenants_beside(ben) == {"tenant=red-clay"}
    assert ben.tenants_beside(ann) == {"tenant=12", "tenant=blue-salt"}


@pytest.mark.parametrize(
    ("address", "mine", "theirs"),
    [
        ("/orgs", [RED, BLUE], [BLUE]),
        ("/orgs", [RED], []),
        ("/pieces", [RED], [BLUE]),
        ("/orgs/7/pieces", [RED], [BLUE]),
    ],
    ids=["a directory that grows", "a list that is empty for the other", "other things", "what stands below one"],
)
def test_any_other_list_tells_nothing_of_tenants(address: str, mine: list[object], theirs: list[object]) -> None:
    assert not shown({address: mine}).tenants_beside(shown({address: theirs}))
