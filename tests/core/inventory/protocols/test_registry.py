"""Which protocol a request speaks, and what a gRPC answer's code means."""

from gatecrash.core.inventory.endpoint import Protocol
from gatecrash.core.inventory.heads import read_heads
from gatecrash.core.inventory.protocols.call import MOST_BYTES
from gatecrash.core.inventory.protocols.registry import REGISTRY, spoken, status_of
from gatecrash.core.message import Request, Response

JSON = (b"Content-Type", b"Application/JSON; charset=utf-8")
QUERY = b'{"query": "query GetTea { tea }"}'


def asked(method="POST", target=b"/x", headers=(), body=b""):
    return spoken(Request(method, target, headers, body), read_heads(headers))


def test_each_protocol_is_told_by_what_it_says():
    assert asked("GET", b"/teas?page=2") == (Protocol.REST, ("",))
    assert asked(headers=(JSON,), body=b'{"tea": 1}') == (Protocol.REST, ("",))
    assert asked(headers=(JSON,), body=QUERY) == (Protocol.GRAPHQL, ("query GetTea",))
    assert asked("GET", b"/graphql?query=%7Btea%7D") == (Protocol.GRAPHQL, ("query { tea }",))
    assert asked(headers=((b"content-type", b"application/grpc+proto"),)) == (Protocol.GRPC, ("",))
    soap = ((b"Content-Type", b"text/xml"), (b"SOAPAction", b'"urn:tea#Brew"'))
    assert asked(headers=soap, body=b"<x/>") == (Protocol.SOAP, ("Brew",))


def test_a_body_that_is_coded_or_very_long_is_not_read():
    assert asked(headers=(JSON, (b"Content-Encoding", b"gzip")), body=QUERY) == (Protocol.REST, ("",))
    assert asked(headers=(JSON, (b"Content-Encoding", b"Identity")), body=QUERY)[0] is Protocol.GRAPHQL
    assert asked(headers=(JSON,), body=QUERY + b" " * MOST_BYTES) == (Protocol.REST, ("",))


def test_every_protocol_has_one_speaker_and_rest_is_asked_last():
    assert {speaker.protocol for speaker in REGISTRY} == set(Protocol)
    assert REGISTRY[-1].protocol is Protocol.REST


def test_a_grpc_code_says_what_another_answer_says_by_status():
    def answered(code: bytes, protocol=Protocol.GRPC):
        return status_of(protocol, Response(200, ((b"grpc-status", code),)))

    assert [answered(code) for code in (b"0", b"16", b"7", b"12", b"5", b"x")] == [200, 401, 403, 404, 200, 200]
    assert answered(b"16", Protocol.REST) == 200
    assert status_of(Protocol.GRPC, Response(200)) == 200
