"""What a GraphQL request asks for, by its document."""

import json
import re
from urllib.parse import parse_qs

import msgspec
import pytest

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.objects.named import named_fields
from gatecrash.core.testing.operations.graphql import (
    TOKEN,
    address_of,
    argument_names,
    argument_of,
    deed_of,
    document_of,
    first_field,
    in_other_forms,
    only_queries,
    operation_of,
    place_of,
    says_what_is_called,
    under_other_names,
    words_of,
)


def asked(query: str, **more: object) -> Request:
    body = json.dumps({"query": query, **more}).encode()
    return Request("POST", b"/graphql", ((b"Content-Type", b"application/json"),), body)


def test_the_operation_is_the_one_that_is_named():
    document = "query Mine { orders { id } } mutation Pay($id: ID!) { payOrder(id: $id) { paid } }"
    assert operation_of(asked(document, operationName="Pay")).field == "payOrder"
    assert not only_queries(asked(document, operationName="Pay"))
    assert only_queries(asked(document, operationName="Mine"))


def test_what_is_called_by_name_ends_with_what_it_is_about_as_a_path_does():
    assert place_of(asked("{ ticketOrders { id } }")) == place_of(asked("{ ordersByUser(id: 7) { id } }")) == b"/orders"
    assert place_of(Request("GET", b"/users/7/orders")) == b"/users/7/orders"


def test_a_query_is_asked_under_other_names():
    for query in ("query Mine($n: Int) { a: orders(n: $n) { id } }", "query($n: Int) {orders(n: $n) { id } }"):
        changed = under_other_names(asked(query, operationName="Mine", variables={"n": 3}), "Other", "b")
        assert changed is not None
        document = json.loads(changed.body)
        assert re.sub(r"\s", "", document["query"]) == "queryOther($n:Int){b:orders(n:$n){id}}"
        assert (document["operationName"], document["variables"]) == ("Other", {"n": 3})
        assert changed.first(b"Content-Length") == str(len(changed.body)).encode()
    short = under_other_names(asked("{ orders { id } }"), "Other", "b")
    assert short is not None
    assert json.loads(short.body)["query"].startswith("query Other {")
    assert under_other_names(Request("GET", b"/graphql?query=%7B+teas+%7B+id+%7D+%7D"), "Other", "b") is None


KEPT = "extensions=%7B%22persistedQuery%22%3A%7B%22sha256Hash%22%3A%22ab12%22%7D%7D"


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (Request("GET", f"/graphql?operationName=MyInvoices&variables=%7B%7D&{KEPT}".encode()), ("my", "invoices")),
        (Request("GET", f"/graphql?operationName=My+Invoices&{KEPT}".encode()), ()),
        (Request("GET", f"/graphql?{KEPT}".encode()), ()),
        (Request("POST", b"/graphql", (), b'{"operationName": "Pay", "extensions": {"persistedQuery": {}}}'), ("pay",)),
        (Request("POST", b"/graphql", (), b'{"operationName": "Pay", "note": "persistedQuery"'), ()),
    ],
)
def test_what_the_server_has_kept_is_known_by_its_name(request_: Request, words: tuple[str, ...]):
    assert words_of(request_) == words


def test_the_words_of_a_field_are_told_apart():
    assert words_of(asked("mutation { role: changeUserRole(id: 7) { id } }")) == ("change", "user", "role")
    assert words_of(asked("{ audit_log { at } }")) == ("audit", "log")


@pytest.mark.parametrize(
    "request_",
    [
        Request("GET", b"/search?query=red+shoes"),
        Request("GET", b"/graphql?operationName=Mine&extensions=%7B%7D"),
        Request("POST", b"/search", (), b'{"query": "red shoes"}'),
        Request("POST", b"/search", (), b'{"query": '),
        Request("POST", b"/graphql", (), b'[{"query": "{ a }"}, {"query": "{ b }"}]'),
        Request("POST", b"/graphql", (), b'[7, {"query": 7}]'),
        Request("POST", b"/graphql", (), b'["query", "query"]'),
    ],
)
def test_what_is_no_single_document_has_no_operation(request_):
    assert operation_of(request_) is None
    assert not only_queries(request_)
    assert words_of(request_) == ()


@pytest.mark.parametrize(
    ("body", "above"),
    [
        (b"[%s]", ("json_doc", "json_array", "0")),
        (
            (
                b'--x\r\nContent-Disposition: form-data; name="operations"\r\n\r\n%s\r\n--x\r\nContent-Disposition: form-data; '
                b'name="0"; filename="a"\r\n\r\nA\r\n--x--\r\n'
            ),
            ("multipart", "operations", "json_doc"),
        ),
    ],
    ids=["alone in a batch", "with a file"],
)
def test_an_operation_may_stand_alone_in_a_batch_and_beside_files(body: bytes, above: tuple[str, ...]):
    sent = asked("mutation M($r: ID!) { keepPaper(order: $r) { id } }", operationName="M", variables={"r": "7"})
    kind = b"multipart/form-data; boundary=x" if above[0] == "multipart" else b"application/json"
    request = Request("POST", b"/graphql", ((b"Content-Type", kind),), body % sent.body)
    assert words_of(request) == ("keep", "paper")
    assert document_of(request).startswith("mutation M")
    assert says_what_is_called(request, Point(("post", *above, "json_obj", "operationName")))
    (named,) = named_fields(request)
    assert named.point == ("post", *above, "json_obj", "variables", "json_obj", "r")
    assert argument_of(request, "r") == "order"
    assert in_other_forms(request) == in_other_forms(msgspec.structs.replace(sent, headers=request.headers))


def test_a_document_in_the_query_of_a_get_is_an_operation_too():
    request = Request(
        "GET", b"/graphql?query=query+Mine+%7B+orders+%7B+id+%7D+%7D+query+Other+%7B+a+%7D&operationName=Mine"
    )
    assert str(operation_of(request)) == "query Mine"
    assert only_queries(request)
    assert words_of(request) == ("orders",)


def form(body: bytes, kind: bytes = b"application/x-www-form-urlencoded") -> Request:
    return Request("POST", b"/graphql", ((b"Content-Type", kind),), body)


@pytest.mark.parametrize(
    "request_",
    [
        form(b"variables=%7B%7D&query=mutation+%7B+payOrder(id%3A+7)+%7B+paid+%7D+%7D"),
        form(b"mutation { payOrder(id: 7) { paid } }", b"application/graphql; charset=utf-8"),
    ],
)
def test_a_document_in_a_form_or_alone_is_an_operation_too(request_):
    assert words_of(request_) == ("pay", "order")
    assert not only_queries(request_)
    assert document_of(request_).startswith("mutation")


@pytest.mark.parametrize(
    "request_",
    [
        form(b"query=red+shoes"),
        form(b"a=1&query=red"),
        form(b"query={ a }", b"text/plain"),
        form(b"{ a }", b"text/plain"),
    ],
)
def test_a_form_that_only_has_such_a_field_asks_for_no_operation(request_):
    assert operation_of(request_) is None
    assert document_of(request_) == ""


def test_the_document_of_a_batch_is_its_first_ones():
    assert document_of(Request("POST", b"/graphql", (), b'[{"query": " { a }"}, {"query": "{ b }"}]')) == "{ a }"


@pytest.mark.parametrize(
    ("query", "repeated", "misspelt"),
    [
        ("{ viewer { id } news }", "{ a: viewer { id } b: viewer { id } }", "query { viewe }"),
        (
            'query Q($i: ID! = "{") { mine: card(id: $i) @x(y: {z: 1}) { t(f: "}") } } fragment F on C { t }',
            (
                'query Q($i: ID! = "{") { a: card(id: $i) @x(y: {z: 1}) { t(f: "}") } '
                'b: card(id: $i) @x(y: {z: 1}) { t(f: "}") } } fragment F on C { t }'
            ),
            "query { car }",
        ),
    ],
)
def test_the_first_field_is_repeated_under_other_names_with_all_that_it_asks_for(query, repeated, misspelt):
    field = first_field(query)
    assert field.repeated(["a", "b"]) == repeated
    assert field.misspelt() == misspelt


def test_one_thing_more_is_asked_for_in_the_outermost_object_first():
    field = first_field("mutation M { save(in: {a: 1}) { item { id } ok } }")
    assert [*field.selecting("role")] == [
        "mutation M { save(in: {a: 1}) { role item { id } ok } }",
        "mutation M { save(in: {a: 1}) { item { role id } ok } }",
    ]
    assert [*first_field("{ news }").selecting("role")] == []


@pytest.mark.parametrize("query", ["{ ...F } fragment F on Query { a }", "red shoes", "{ card(id: 1", ""])
def test_a_document_that_begins_with_no_whole_field_has_no_first_one(query):
    assert first_field(query) is None


def test_a_variable_stands_for_the_argument_that_it_is_given_to():
    request = asked(
        "mutation T($i: ID!, $d: Boolean!) { toggle(cardId: $i, done: $d) { ok } }", variables={"i": "7", "d": True}
    )
    assert argument_of(request, "d") == "done"
    assert argument_of(request, "i") == "cardId"
    assert argument_of(request, "x") == "x"
    assert argument_of(Request("POST", b"/a", (), b"{}"), "d") == "d"


def test_a_function_that_is_called_by_its_name_has_words_as_well():
    body = b'{"jsonrpc": "2.0", "method": "orders.getAll", "params": {}, "id": 1}'
    request = Request("POST", b"/rpc", ((b"Content-Type", b"application/json"),), body)
    assert words_of(request) == ("orders", "get", "all")
    assert address_of(request) == "/rpc/orders-get-all"
    assert address_of(asked("mutation { signIn { id } }")) == "/graphql/sign-in"
    assert address_of(Request("GET", b"/orders")) == "/orders"


BODY = ("post", "json_doc", "json_obj")


@pytest.mark.parametrize(
    ("request_", "steps", "expected"),
    [
        (asked("mutation A { a }", operationName="A"), (*BODY, "operationName"), True),
        (asked("mutation A { a }"), (*BODY, "query"), True),
        (asked("mutation A { a }", variables={"query": "x"}), (*BODY, "variables", "json_obj", "query"), False),
        (asked("red shoes"), (*BODY, "query"), False),
        (form(b"query=mutation+%7B+a+%7D"), ("post", "form_urlencoded", "query"), True),
        (form(b'{"jsonrpc": "2.0", "method": "a", "params": {"id": "x"}}'), (*BODY, "method"), True),
        (form(b'{"jsonrpc": "2.0", "method": "a", "params": {"id": "x"}}'), (*BODY, "params", "json_obj", "id"), False),
        (form(b'{"method": "card", "id": "x"}'), (*BODY, "id"), False),
    ],
)
def test_the_name_of_what_is_called_is_told_from_its_values(request_, steps, expected):
    assert says_what_is_called(request_, Point(steps)) is expected


def test_an_operation_is_told_as_a_form_and_by_get():
    request = asked("mutation Pay($n: Int) { pay(amount: $n) { paid } }", variables={"n": 5}, operationName="Pay")
    as_form, by_get = in_other_forms(request)
    assert as_form.first(b"Content-Type") == b"application/x-www-form-urlencoded"
    assert as_form.first(b"Content-Length") == b"%d" % len(as_form.body)
    assert (by_get.method, by_get.body, by_get.first(b"Content-Type")) == ("GET", b"", None)
    for other in (as_form, by_get):
        assert operation_of(other) == operation_of(request)
    assert parse_qs(as_form.body.decode()) == parse_qs((by_get.query or b"").decode())
    assert parse_qs(as_form.body.decode())["variables"] == ['{"n":5}']


@pytest.mark.parametrize("body", [b'{"amount": 5}', b'[{"query": "{ a }"}, {"query": "{ b }"}]', b""])
def test_what_is_no_single_operation_has_no_other_form(body: bytes):
    assert in_other_forms(Request("POST", b"/pay", ((b"Content-Type", b"application/json"),), body)) == ()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ('{ a(b: "c{\\"d") }', ["{", "a", "(", "b", ":", '"c{\\"d"', ")", "}"]),
        ('{ a(b: """c"d\n{""") }', ["{", "a", "(", "b", ":", '"""c"d\n{"""', ")", "}"]),
        ('a "b c\n}', ["a", '"b c', "}"]),
        ('a """b {', ["a", '"""b {']),
    ],
)
def test_a_text_is_one_token_also_where_nothing_closes_it(text, tokens):
    assert TOKEN.findall(text) == tokens


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b'{"query": "mutation { subscribeNews(email: 1) { ok } }"}', ("subscribe", "news")),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "newsletter.subscribe", "params": {}}', ("subscribe", "newsletter")),
        (b'{"email": "ann@example.com"}', ()),
    ],
)
def test_of_a_function_the_deed_comes_first(body: bytes, words: tuple[str, ...]):
    assert deed_of(Request("POST", b"/api", ((b"Content-Type", b"application/json"),), body)) == words


def test_what_stands_before_a_colon_is_named() -> None:
    document = "query ($id: ID!) { boat(id: $id, where: {berth: 7}) { name } }"
    assert argument_names(document) == ["id", "id", "where", "berth"]
