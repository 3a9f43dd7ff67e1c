"""Identifiers in requests, and where such objects are listed."""

import json
from base64 import b64decode
from random import Random

import pytest

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.objects.named import (
    absent,
    asking_for,
    asks,
    kind_of,
    list_above,
    listing,
    named_fields,
    named_objects,
    neighbours,
    only_reads,
    word_of,
)
from gatecrash.core.testing.known.objects import Named

UUID = "6f1c2d1e-8b1f-4b7e-9d51-0a4a4f3f6b11"


@pytest.mark.parametrize(
    ("target", "named"),
    [
        (b"/orders/31", [("31", b"/orders")]),
        (f"/api/v1/orders/{UUID}".encode(), [(UUID, b"/api/v1/orders")]),
        (b"/users/7/orders/31", [("7", b"/users"), ("31", None)]),
        (b"/books/v1/dune", [("dune", b"/books/v1")]),
        (b"/orders?order_id=31&page=2", [("31", b"/orders?page=2")]),
        (b"/statement?account=31&count=20", [("31", b"/statement?count=20")]),
        (b"/documents/march-bill/download", [("march-bill", b"/documents")]),
        (b"/invoices/INV-2026-1002/text", [("INV-2026-1002", b"/invoices")]),
        (b"/invoices/INV-2026-1002/lines/7", [("INV-2026-1002", b"/invoices"), ("7", None)]),
        (b"/statements?policyholder=PH-3305", [("PH-3305", b"/statements")]),
        (b"/documents/march-bill/lines", [("lines", b"/documents/march-bill")]),
        (b"/stays?skipperId=31&skip=20", [("31", b"/stays?skip=20")]),
        (b"/users?name=ann&username=ann", [("ann", b"/users?name=ann")]),
        (b"/receipts?nick=ann", [("ann", b"/receipts")]),
        (b"/users/7?view=full", [("7", b"/users")]),
        (b"/odata/Orders(31)", [("31", b"/odata/Orders")]),
        (b"/odata/Customers('ann')/Orders(31)", [("ann", b"/odata/Customers"), ("31", None)]),
        (b"/odata/Lines(Order=31,Place='a7c')", [("31", b"/odata/Lines"), ("a7c", None)]),
        (b"/goods?price__gt=4&stock[lte]=90&created_after=7", []),
        (b"/goods?price__gt=4&user_id=31", [("31", b"/goods?price__gt=4")]),
        (b"/rpc/ticket.byId?input=%7B%22id%22%3A31%7D", [("31", b"/rpc/ticket.byId")]),
        (
            b"/rpc/ticket.byId?input=%7B%220%22%3A%7B%22json%22%3A%7B%22id%22%3A31%7D%7D%7D",
            [("31", b"/rpc/ticket.byId")],
        ),
        (
            b"/notes?filter=%7B%22where%22%3A%7B%22ownerId%22%3A31%2C%22price%22%3A%7B%22gte%22%3A4%7D%7D%2C%22limit%22%3A9%7D",
            [("31", b"/notes")],
        ),
        (b"/rpc/ticket.list?input=%7B%22limit%22%3A20%7D", []),
        (b"/users/me", []),
        (b"/orders", []),
        (b"/", []),
        (b"/search?q=lamp", []),
        (b"/7", [("7", None)]),
    ],
)
def test_identifiers_and_their_lists(target, named):
    assert [(each.value, each.collection) for each in named_objects(Request("GET", target))] == named
    named_objects(Request("GET", target)).clear()
    assert len(named_objects(Request("GET", target))) == len(named), "whoever asks has a list of his own"


def test_another_object_is_asked_for_in_its_place():
    request = Request("GET", b"/users/7/orders/31?x=a")
    _, order = named_objects(request)
    assert asking_for(request, order, "32").target == b"/users/7/orders/32?x=a"


@pytest.mark.parametrize("value", ["31", UUID, "3f9a0c77de114b02", "groceries", "ann@example.com"])
def test_an_absent_one_has_the_same_look_and_is_another(value):
    made = absent(value, Random(1))
    assert made != value
    assert made.isdigit() == value.isdigit()
    assert (made.count("-") == 4) == (value.count("-") == 4)
    assert absent(value, Random(2)) != made


def test_neighbours_are_numbers_only():
    assert neighbours("7") == ["8", "6", "9", "5"]
    assert neighbours("1") == ["2", "3"]
    assert neighbours("007") == neighbours(UUID) == neighbours("dune") == []


def test_a_list_is_asked_for_with_who_asks_and_no_body():
    headers = ((b"Authorization", b"Bearer x"), (b"Content-Type", b"application/json"))
    asked = listing(Request("PUT", b"/orders/31", headers, b"{}"), b"/orders")
    assert (asked.method, asked.target, asked.headers, asked.body) == ("GET", b"/orders", headers[:1], b"")


@pytest.mark.parametrize(
    ("path", "collection", "target"),
    [
        (b"/orders/31/", b"/orders", b"/orders/"),
        (b"/orders/31/", b"/orders/", b"/orders/"),
        (b"/orders/31/", b"/me", b"/me/"),
        (b"/orders/31/", b"/orders?page=2", b"/orders?page=2"),
        (b"/orders/31/", b"/orders.json", b"/orders.json"),
        (b"/orders/31", b"/orders", b"/orders"),
    ],
)
def test_a_list_is_asked_for_with_a_slash_where_addresses_end_with_one(path, collection, target):
    assert listing(Request("GET", path), collection).target == target


def test_words_that_credentials_name_are_identifiers_wherever_they_stand():
    named = named_objects(Request("PUT", b"/users/name1/email"), frozenset({"name1"}))
    assert [(each.value, each.collection, each.sure) for each in named] == [
        ("name1", b"/users", True),
        ("email", None, False),
    ]


QUERY = (
    b'{"query": "query One($id: Int!, $sort: String) { order(id: $id) { id } }", "variables": {"id": 31, "sort": "up"}}'
)


def test_a_graphql_query_names_objects_by_its_arguments():
    request = Request("POST", b"/graphql", ((b"Content-Type", b"application/json"),), QUERY)
    (named,) = named_objects(request)
    assert (named.point[-1], named.value, named.collection) == ("id", "31", None)
    assert b'"id": 5' in asking_for(request, named, "5").body
    literal = Request("POST", b"/graphql", request.headers, b'{"query": "{ order(id: 7) { id } }"}')
    assert [each.value for each in named_objects(literal)] == ["7"]


@pytest.mark.parametrize(
    ("body", "reads"),
    [
        (QUERY, True),
        (b'{"query": "{ me { id } }"}', True),
        (b'{"query": "mutation Drop { drop(id: 1) }"}', False),
        (b'{"query": "query A { a } mutation B { b(id: 1) }", "operationName": "B"}', False),
        (b'{"query": "tea"}', False),
        (b"", False),
    ],
)
def test_a_graphql_query_only_reads(body, reads):
    assert only_reads(Request("POST", b"/graphql", (), body)) is reads


FORM = (b"Content-Type", b"application/x-www-form-urlencoded")
BODY = (b"Content-Type", b"application/json")


@pytest.mark.parametrize(
    ("target", "is_asking"),
    [
        (b"/jobs/search", True),
        (b"/api/getOrders", True),
        (b"/details", True),
        (b"/reports/download", True),
        (b"/orders", False),
        (b"/orders/cancel", False),
        (b"/budget", False),
        (b"/search/delete-all", False),
    ],
)
def test_a_post_asks_where_its_address_says_so(target, is_asking):
    assert asks(Request("POST", target, (BODY,), b'{"a": 1}')) is is_asking
    assert not asks(Request("PUT", target, (BODY,), b'{"a": 1}'))


def test_what_a_body_asks_for_is_named_by_its_fields():
    request = Request("POST", b"/jobs/search", (BODY,), b'{"jobId": 7, "words": "two words", "page": 3, "size": 10}')
    assert [(each.point[-1], each.value) for each in named_objects(request)] == [("jobId", "7")]
    form = Request("POST", b"/note", (FORM,), b"id=7001&note=by+post&n=41")
    assert [each.point[-1] for each in named_fields(form)] == ["n", "id"], "what is chosen by name comes last"
    assert named_objects(form) == [], "a request that changes something names nothing to read"


def test_a_field_is_called_as_behind_the_controls_that_it_stands_in():
    names = ("ctl00%24Main%24hidCustomerId", "ctl00%24Main%24Id", "ctl00%24Main%24txtPrice")
    body = "&".join(f"{name}=7" for name in names).encode()
    request = Request("POST", b"/Orders.aspx", (FORM,), body)
    found = named_fields(request)
    assert [each.point[-1] for each in found] == ["ctl00$Main$hidCustomerId", "ctl00$Main$Id"]
    assert [word_of(each) for each in found] == ["customer", ""]


def test_how_much_is_moved_names_nothing_and_what_it_is_taken_from_comes_last():
    body = b'{"from": "4410020011", "to": "4410030018", "amount": 5, "unitPrice": 7, "rating": 4, "yearly_budget": 9000, "seats": 12}'
    request = Request("POST", b"/transfers", (BODY,), body)
    assert [each.point[-1] for each in named_fields(request)] == ["to", "from"]


def test_a_header_names_a_tenant_where_its_word_is_known_to_be_one():
    headers = ((b"X-Tenant", b"acme"), (b"X-Theme", b"acme"), (b"X-Acme-Organization-Code", b"other"))
    request = Request("GET", b"/reports/sales", headers)
    found = named_objects(request, frozenset({"acme"}))
    assert [(each.point[-1], each.value) for each in found if each.point[0] == "header"] == [("X-TENANT", "acme")]
    assert [each for each in named_objects(request) if each.point[0] == "header"] == []


@pytest.mark.parametrize("name", ["member", "customer", "forPatient", "booking_holder", "of"])
def test_a_word_for_somebody_chooses_whose_it_is_where_it_holds_what_the_sender_is_called(name):
    request = Request("GET", f"/bills?{name}=Ann&sort=up".encode())
    (named,) = named_objects(request, frozenset({"ann"}))
    assert (named.point[-1], named.value, named.collection) == (name, "Ann", b"/bills?sort=up")
    assert named_objects(request) == named_objects(request, frozenset({"ben"})) == []


def test_other_words_that_hold_what_the_sender_is_called_choose_nothing():
    request = Request("GET", b"/posts?q=ann&role=ann&page=ann")
    assert named_objects(request, frozenset({"ann"})) == []


def test_a_body_that_asks_chooses_by_such_a_word_and_one_that_changes_something_does_not():
    asking = Request("POST", b"/bills/search", (BODY,), b'{"customer": "ann", "state": "open"}')
    assert [each.point[-1] for each in named_objects(asking, frozenset({"ann"}))] == ["customer"]
    assert named_fields(asking) == []


def test_a_variable_chooses_by_the_name_of_its_argument():
    document = b'{"query": "query B($c: String!, $n: String) { bills(customer: $c, note: $n) { iban } }", "variables": {"c": "ann", "n": "ann"}}'
    request = Request("POST", b"/graphql", (BODY,), document)
    assert [(each.point[-1], each.value) for each in named_objects(request, frozenset({"ann"}))] == [("c", "ann")]
    by_name = Request("POST", b"/graphql", (BODY,), document.replace(b"customer:", b"username:"))
    assert [each.value for each in named_objects(by_name)] == ["ann"]


def test_headers_and_small_numbers_in_cookies_name_objects():
    headers = (
        (b"X-Order-Id", b"31"),
        (b"X-Request-Id", b"32"),
        (b"X-Device-Id", b"33"),
        (b"Cookie", b"customer=41; sid=8f2c6d0e1b7a; _ga=1234567890123"),
    )
    found = named_objects(Request("GET", b"/report", headers))
    assert [(each.point[-1], each.value) for each in found] == [("X-ORDER-ID", "31"), ("customer", "41")]


@pytest.mark.parametrize(
    ("request_", "kind"),
    [
        (Request("GET", b"/api/orders/31"), "order"),
        (Request("GET", b"/api/companies/31"), "compan"),
        (Request("GET", b"/odata/Orders(31)"), "order"),
        (Request("GET", b"/odata/Orders(31)/Bill"), "order"),
        (Request("GET", b"/users/7/orders/31"), "order"),
        (Request("GET", b"/things?order_id=31"), "order"),
        (Request("GET", b"/prescription?id=31"), "prescription"),
        (Request("GET", b"/report", ((b"X-Job-Id", b"31"),)), "job"),
        (Request("POST", b"/jobs/search", (BODY,), b'{"orderId": 31}'), "order"),
        (Request("POST", b"/disputes/bulk", (BODY,), b'{"ids": [31, 32]}'), "dispute"),
        (Request("POST", b"/disputes/by-ids", (BODY,), b'{"ids": [31, 32]}'), "dispute"),
        (Request("GET", b"/rpc/ticket.byId?input=%7B%22id%22%3A31%7D"), "ticket"),
        (Request("GET", b"/fee.php?id=31"), "fee"),
        (Request("GET", b"/31"), ""),
    ],
)
def test_the_word_for_what_an_identifier_chooses(request_, kind):
    assert kind_of(request_, named_objects(request_)[-1]) == kind


def test_an_identifier_may_be_called_as_what_its_function_is_about_with_no_sign_between():
    body = json.dumps({"jsonrpc": "2.0", "method": "ticket.get", "params": {"ticketid": 7}, "id": 1}).encode()
    request = Request("POST", b"/rpc", ((b"Content-Type", b"application/json"),), body)
    assert kind_of(request, named_objects(request)[-1]) == "ticket"


@pytest.mark.parametrize(
    ("body", "named"),
    [
        (b'{"ids": [31, 32]}', ["31", "32"]),
        (b'{"order": {"id": 31, "note": "ring"}}', ["31"]),
        (b'{"orderIds": "31,32", "page": 2}', ["31"]),
        (b'{"ticketNumber": "LX-31", "text": "two words"}', ["LX-31"]),
        (b'[{"id": 31, "note": "ring"}, {"id": 32, "note": "ring"}]', ["31"]),
        (b'[{"op": "replace", "path": "/place", "value": 31}]', []),
    ],
)
def test_lists_and_objects_in_a_body_name_objects_too(body, named):
    request = Request("POST", b"/orders/search", ((b"Content-Type", b"application/json"),), body)
    assert [each.value for each in named_fields(request)] == named


def test_the_first_of_several_in_a_query_is_named():
    (named,) = named_objects(Request("GET", b"/orders?ids=31,32"))
    assert (named.value, named.collection) == ("31", b"/orders")


def test_a_mutation_names_objects_by_its_arguments_and_never_by_its_address():
    body = b'{"query": "mutation ($in: In!) { updateTicket(input: $in) { id } }", "variables": {"in": {"number": "LX-31", "clientMutationId": "7"}}}'
    request = Request("POST", b"/api/graphql", ((b"Content-Type", b"application/json"),), body)
    (named,) = named_fields(request)
    assert (named.value, kind_of(request, named)) == ("LX-31", "ticket")
    assert named_objects(request) == []


CARD = "Q2FyZDo1MTA="  # Card:510


def test_a_query_asked_by_get_names_objects_by_its_arguments_and_never_by_its_document():
    document = b"query+C(%24id:ID!)%7Bcard(id:%24id)%7Bid%7D%20b:board(number:51)%7Bid%7D%7D"
    request = Request("GET", b"/graphql?query=" + document + b"&variables=%7B%22id%22:%22Q2FyZDo1MTA=%22%7D")
    assert asks(request)
    assert {each.value for each in named_objects(request)} == {CARD, "51"}


def test_an_absent_global_identifier_and_the_neighbours_of_one_are_of_its_kind():
    assert neighbours(CARD)[:2] == ["Q2FyZDo1MTE=", "Q2FyZDo1MDk="]
    other = absent(CARD, Random(1))
    assert b64decode(other).startswith(b"Card:")
    assert other != CARD


@pytest.mark.parametrize(
    ("name", "is_asking"), [("GetCardText", True), ("cardSearchQuery", True), ("RenameCard", False)]
)
def test_an_operation_whose_document_the_server_keeps_asks_where_its_name_says_so(name, is_asking):
    body = {"operationName": name, "variables": {"id": CARD}, "extensions": {"persistedQuery": {"sha256Hash": "7f"}}}
    request = Request("POST", b"/graphql", ((b"Content-Type", b"application/json"),), json.dumps(body).encode())
    assert asks(request) is is_asking
    assert [each.value for each in named_fields(request)] == [CARD]


def call(body: bytes) -> Request:
    return Request("POST", b"/rpc", (), body)


@pytest.mark.parametrize("arguments", [b'{"order_id": 31}', b'[{"order_id": 31}]'])
def test_a_call_names_objects_by_its_parameters_and_never_by_its_number(arguments: bytes):
    request = call(b'{"jsonrpc": "2.0", "method": "orders.get", "params": ' + arguments + b', "id": 7}')
    request = Request("POST", b"/rpc", ((b"Content-Type", b"application/json"),), request.body)
    assert asks(request)
    assert [(each.point[-1], each.value) for each in named_objects(request)] == [("order_id", "31")]
    assert kind_of(request, named_objects(request)[0]) == "order"
    assert not asks(call(b'{"jsonrpc": "2.0", "method": "orders.cancel", "params": {"id": 31}, "id": 7}'))


def test_a_message_names_objects_by_the_elements_of_its_body():
    body = b'<s:Envelope xmlns:s="urn:s"><s:Body><w:GetOrder xmlns:w="urn:w"><w:id>31</w:id></w:GetOrder></s:Body></s:Envelope>'
    request = Request("POST", b"/ws", ((b"Content-Type", b"text/xml"),), body)
    assert asks(request)
    assert [(each.point[-1], each.value) for each in named_objects(request)] == [("w:id", "31")]
    assert kind_of(request, named_objects(request)[0]) == "order"


def test_a_header_names_a_tenant_by_what_its_sender_is_known_by():
    request = Request("GET", b"/meters", ((b"X-Tenant-Id", b"T-acme"),))
    assert [each.value for each in named_objects(request, frozenset({"t-acme"}))] == ["T-acme"]
    assert named_objects(request) == []


@pytest.mark.parametrize(
    ("name", "word"), [("order_id", "order"), ("orderId", "order"), ("bed", "bed"), ("id", ""), ("x:docNo", "doc")]
)
def test_the_name_of_a_parameter_has_a_word_for_what_it_chooses(name: str, word: str):
    assert word_of(Named(Point.of("get", name), "7", None)) == word


def test_the_parts_of_a_form_choose_an_object_as_its_fields_do_and_its_token_chooses_none():
    token = "5RgXv4U6yhZ2sN2456TjlfR4xZJZ0Y3klkmo1CHb"
    plain = f"csrfmiddlewaretoken={token}&profile_id=41&town=Kiel".encode()
    parts = "".join(
        f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in (("csrfmiddlewaretoken", token), ("profile_id", "41"), ("town", "Kiel"))
    )
    for kind, body in (
        (b"application/x-www-form-urlencoded", plain),
        (b"multipart/form-data; boundary=x", f"{parts}--x--\r\n".encode()),
    ):
        request = Request("POST", b"/profile", ((b"Content-Type", kind),), body)
        assert [(each.point[-1], each.value) for each in named_fields(request)] == [("profile_id", "41")]


def test_a_soap_header_names_nothing() -> None:
    header = "<MessageID>7710</MessageID><sessionId>9f2c4be07d1a46c8</sessionId>"
    body = f'<e:Envelope xmlns:e="urn:e"><e:Header>{header}</e:Header><e:Body><GetOrder><id>31</id></GetOrder></e:Body></e:Envelope>'
    request = Request("POST", b"/service", ((b"Content-Type", b"text/xml"),), body.encode())
    assert [each.value for each in named_fields(request)] == ["31"]


def test_a_document_that_is_sent_alone_may_only_read():
    kind = ((b"Content-Type", b"application/graphql"),)
    asked = Request("POST", b"/graphql", kind, b'query Bill { bill(id: "7") { id sum } }')
    assert only_reads(asked)
    assert [each.value for each in named_objects(asked)] == ["7"]
    assert not only_reads(Request("POST", b"/graphql", kind, b'mutation { pay(id: "7") { id } }'))


@pytest.mark.parametrize(("path", "chosen"), [(b"/v1/visits/7:cancel", ["7"]), (b"/v1/documents:runQuery", [])])
def test_what_a_custom_method_is_asked_of_is_an_object(path: bytes, chosen: list[str]) -> None:
    asked = Request("POST", path, (), b"{}")
    found = [each for each in named_objects(asked) if len(each.point) > 2]
    assert [each.value for each in found] == chosen
    assert [list_above(asked, each.point) for each in found] == [b"/v1/visits"] * len(chosen)
