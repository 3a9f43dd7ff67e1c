"""The same weakness has the same fingerprint wherever it is found, and no other has it."""

from gatecrash.core.message import Request
from gatecrash.core.testing.fingerprint import code_of, digest, endpoint_name, endpoint_of, fingerprint


def of(target: bytes, type_: str = "sqli", point: tuple[str, ...] = ("get", "q"), **more: object) -> str:
    return fingerprint(type_, endpoint_of(Request("GET", target, host="h", **more)), point)  # type: ignore[arg-type]


def test_identifiers_and_values_do_not_count() -> None:
    assert of(b"/items/5?q=1") == of(b"/items/77?q=2")


def test_type_endpoint_host_and_point_do() -> None:
    same = of(b"/items/5")
    others = [
        of(b"/items/5", "xss"),
        of(b"/orders/5"),
        of(b"/items/5", point=("get", "p")),
        of(b"/items/5", port=8080),
    ]
    assert len({same, *others}) == 5


def test_parts_do_not_run_together() -> None:
    assert digest(("ab", "c")) != digest(("a", "bc"))


def test_codes_grow_beyond_four_digits() -> None:
    assert (code_of(1), code_of(12345)) == ("S0001", "S12345")


def graphql(document: str) -> Request:
    body = b'{"query": "%s"}' % document.encode()
    headers = ((b"Content-Type", b"application/json"),)
    return Request("POST", b"/graphql", headers=headers, body=body, host="h")


SOAP = Request(
    "POST",
    b"/soap",
    headers=((b"Content-Type", b"text/xml"), (b"SOAPAction", b'"urn:shop/GetTea"')),
    body=b"<Envelope/>",
    host="h",
)
GRPC = Request("POST", b"/shop.Tea/Get", headers=((b"Content-Type", b"application/grpc"),), host="h")
POINT = ("post", "json_doc", "json_obj", "query")


def test_two_operations_of_one_path_are_two_flaws() -> None:
    codes = {fingerprint("sqli", endpoint_of(graphql(one)), POINT) for one in ("query A { a }", "query B { b }")}
    assert len(codes) == 2


def test_the_same_operation_is_the_same_flaw_whatever_its_arguments_are() -> None:
    first, second = (endpoint_of(graphql(f"query A {{ a(id: {number}) }}")) for number in (1, 2))
    assert fingerprint("sqli", first, POINT) == fingerprint("sqli", second, POINT)
    assert endpoint_name(first) == "POST /graphql query A"


def test_soap_and_grpc_are_told_apart_from_rest() -> None:
    assert endpoint_of(SOAP).operation == "GetTea"
    assert endpoint_name(endpoint_of(SOAP)) == "POST /soap GetTea"
    assert endpoint_name(endpoint_of(GRPC)).startswith("POST /shop.Tea/Get")


def test_a_code_of_rest_stays_what_it_was_before_operations_counted() -> None:
    before = digest(("sqli", "rest", "GET", "h", "/items/{item_id}", "get", "q"))
    assert of(b"/items/5?q=1") == before


def test_what_holds_of_the_whole_address_is_one_flaw_whichever_operation_showed_it() -> None:
    codes = {fingerprint("graphql", endpoint_of(graphql(one)), ()) for one in ("query A { a }", "query B { b }")}
    assert len(codes) == 1
