"""What stands in the message of a call and says who calls, and what only looks so."""

import orjson
import pytest

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.auth.scheme import AuthType
from gatecrash.core.auth.sessions import Sessions
from gatecrash.core.inventory.called_credentials import called_by_the_same, of_a_call
from gatecrash.core.inventory.learned import Learned
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.authorization.callers.account_endpoints import brings_a_password
from gatecrash.core.testing.operations.questions import is_question
from gatecrash.core.testing.profiles.recorded import RecordedIdentities

TOKEN = "9f2c4be07d1a46c8"
TOKENS = {"anna": TOKEN, "bert": "1c7e90ab55d2f3e4"}
XML = ((b"Content-Type", b"text/xml"),)
SOAP = "http://schemas.xmlsoap.org/soap/envelope/"


def call(body: str, header: str = "", function: str = "GetParcel") -> Request:
    head = f"<s:Header>{header}</s:Header>" if header else ""
    inner = f"<d:{function}>{body}</d:{function}>"
    text = f'<s:Envelope xmlns:s="{SOAP}" xmlns:d="urn:d">{head}<s:Body>{inner}</s:Body></s:Envelope>'
    return Request("POST", b"/service", ((b"Content-Type", b"text/xml"),), text.encode())


def rpc(**members: object) -> Request:
    body = orjson.dumps({"jsonrpc": "2.0", "id": 7, **members})
    return Request("POST", b"/rpc", ((b"Content-Type", b"application/json"),), body)


def asked(document: str, **variables: object) -> Request:
    body = orjson.dumps({"query": document, "variables": variables})
    return Request("POST", b"/graphql", ((b"Content-Type", b"application/json"),), body)


def names(request: Request) -> list[str]:
    return [one.point[-1] for one in of_a_call(request)]


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (call("", f"<d:Auth><d:token>{TOKEN}</d:token></d:Auth>"), ["d:token"]),
        (call("", "<d:SessionHeader><d:sessionId>a1b2c3d4</d:sessionId></d:SessionHeader>"), ["d:sessionId"]),
        (call(f"<d:sessionId>{TOKEN}</d:sessionId><d:id>7</d:id>"), ["d:sessionId"]),
        (rpc(method="host.get", params={"limit": 1}, auth=TOKEN), ["auth"]),
        (rpc(method="parcel.get", params={"session_id": TOKEN, "id": 7}), ["session_id"]),
        (asked("query Me($token: String!) { me(token: $token) { id } }", token=TOKEN, id=7), ["token"]),
        (asked(f'{{ own: parcels(sessionId: "{TOKEN}", first: 7) {{ id }} }}'), ["sessionId"]),
    ],
)
def test_a_call_may_bring_who_calls_in_its_message(request_: Request, expected: list[str]) -> None:
    assert names(request_) == expected
    assert all(one.type is AuthType.BEARER and one.valid for one in of_a_call(request_))


def test_a_name_and_its_password_are_one_credential() -> None:
    told = "<w:UsernameToken><w:Username>ada</w:Username><w:Password>x1</w:Password></w:UsernameToken>"
    request = call("", f'<w:Security xmlns:w="urn:w">{told}</w:Security>')
    assert names(request) == ["w:Username", "w:Password"]
    assert {one.type for one in of_a_call(request)} == {AuthType.BASIC}


def test_what_a_signature_covers_is_good_for_one_message() -> None:
    signed = f"<d:BinarySecurityToken>{TOKEN}</d:BinarySecurityToken><d:SignatureValue>q8Zr2LmT5xWc</d:SignatureValue>"
    assert {one.type for one in of_a_call(call("", signed))} == {AuthType.HMAC}


@pytest.mark.parametrize(
    "request_",
    [
        call(f"<d:token>{TOKEN}</d:token>", function="VerifyToken"),
        call("<d:username>ada</d:username><d:password>lovelace</d:password>", function="Login"),
        call("<d:sessionId>7</d:sessionId>"),
        call("", "<d:MessageToken>urn-uuid-1f0c</d:MessageToken><d:Action>urn:d#GetParcel</d:Action>"),
        call("", "<d:token>{{token}}</d:token>"),
        rpc(method="session.refresh", params={"token": TOKEN}),
        rpc(method="parcel.get", params={"id": TOKEN}, auth=None),
        asked("mutation M($token: String!) { confirmMail(token: $token) }", token=TOKEN),
        asked("query Q($in: In) { parcels(in: $in) { id } }", **{"in": {"token": TOKEN}}),
        asked(f'{{ parcels(first: 7) {{ id log(token: "{TOKEN}") }} }}'),
        Request(
            "POST", b"/clicks", ((b"Content-Type", b"application/json"),), b'{"session_id": "%s"}' % TOKEN.encode()
        ),
        Request("GET", b"/service"),
    ],
)
def test_what_only_looks_so_is_no_credential(request_: Request) -> None:
    assert names(request_) == []


def test_tests_know_of_it_and_counts_do_not() -> None:
    request = call("", f"<d:token>{TOKEN}</d:token>")
    assert [one.point[-1] for one in Learned(compile_recogniser(), Sessions()).recognise(request)] == ["d:token"]
    assert compile_recogniser().recognise(request) == ()


def envelope(body: str, header: str = "") -> bytes:
    return f'<e:Envelope xmlns:e="urn:e"><e:Header>{header}</e:Header><e:Body>{body}</e:Body></e:Envelope>'.encode()


def called(body: str, header: str, told: str) -> Exchange:
    request = Request("POST", b"/service", ((b"Host", b"h"), *XML), envelope(body, header), "http", "h", 80)
    return Exchange(request, Response(200, XML, envelope(told)))


def test_their_logins_tell_them_apart_and_each_place_of_a_token_is_kept() -> None:
    identities = RecordedIdentities(Learned(compile_recogniser(), Sessions()))
    for name, token in TOKENS.items():
        login = f"<Login><username>{name}</username><password>k-{name}</password></Login>"
        identities.see(called(login, "", f"<LoginResponse><token>{token}</token></LoginResponse>"))
        identities.see(called("<ListOrders/>", f"<Auth><token>{token}</token></Auth>", "<order>7</order>"))
        identities.see(called(f"<GetBalance><sid>{token}</sid></GetBalance>", "", "<amount>12.50</amount>"))
    profile = identities.profile()
    assert profile is not None
    assert [each.known for each in profile.identities] == [("anna",), ("bert",)]
    placed = [{(one.point[-3], one.point[-1]): one.value for one in each.values} for each in profile.identities]
    assert placed == [dict.fromkeys((("Auth", "token"), ("GetBalance", "sid")), token) for token in TOKENS.values()]


def test_a_name_beside_a_password_in_the_header_tells_them_apart_and_asks_for_nothing_itself() -> None:
    identities = RecordedIdentities(Learned(compile_recogniser(), Sessions()))
    for name in TOKENS:
        token = f"<UsernameToken><Username>{name}</Username><Password>k-{name}-1</Password></UsernameToken>"
        asked = called("<GetParcel><id>7</id></GetParcel>", token, "<place>shelf 3</place>")
        identities.see(asked)
        assert is_question(asked.request)
        assert not brings_a_password(asked.request)
    profile = identities.profile()
    assert profile is not None
    assert [each.known for each in profile.identities] == [("anna",), ("bert",)]
    in_body = called("<GetParcel><id>7</id><password>k</password></GetParcel>", "", "").request
    assert (is_question(in_body), brings_a_password(in_body)) == (False, True)


def test_another_call_is_made_by_the_same_caller() -> None:
    mine, his = TOKENS.values()
    asked = called_by_the_same(
        call("", f"<d:token>{mine}</d:token>"), call(f"<d:sid>{his}</d:sid>", function="ListParcels")
    )
    assert asked.body == call(f"<d:sid>{mine}</d:sid>", function="ListParcels").body
    plain = Request("POST", b"/service", ((b"Cookie", b"sid=1"),))
    assert called_by_the_same(plain, asked) == asked


def test_an_envelope_without_a_header_gets_the_one_of_the_caller() -> None:
    asked = call("<d:id>7</d:id>", function="ListParcels")
    token = f"<d:token>{TOKEN}</d:token>"
    headed = called_by_the_same(call("", token), asked)
    assert headed.body == call("<d:id>7</d:id>", token, "ListParcels").body
    assert headed.first(b"Content-Length") == str(len(headed.body)).encode()
    # Good for one message, or written with names that the other does not declare.
    assert called_by_the_same(call("", f"<d:MessageID>7</d:MessageID>{token}"), asked) == asked
    other = asked.body.replace(b' xmlns:d="urn:d"', b"").replace(b"<d:ListParcels>", b'<d:ListParcels xmlns:d="urn:d">')
    elsewhere = Request("POST", b"/service", XML, other)
    assert called_by_the_same(call("", token), elsewhere) == elsewhere
