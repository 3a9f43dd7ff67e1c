"""Counts keep all they carry."""

import msgspec

from gatecrash.wire import codec
from gatecrash.wire.counts import Added, Counts, EndpointCount, NoteCount, ParameterCount, WithoutCount


def test_a_batch_comes_back_as_it_was() -> None:
    parameter = ParameterCount("bearer", ("header", "AUTHORIZATION"), 9, 8)
    seen = EndpointCount(
        480_000,
        "graphql",
        "POST",
        "h",
        "/{id}",
        10,
        8,
        3,
        1,
        2,
        (parameter,),
        ((2, 9), (4, 1)),
        "query GetTea",
        1,
        (WithoutCount("curl", 2, 2, 1, 2),),
        (NoteCount("basic_without_tls", ("header", "AUTHORIZATION"), 3, 1, 2),),
    )
    for message in (Counts("node_1", "s", "spool", 7, (seen,), detection=False), Added(7, 2)):
        assert codec.decode(codec.encode(message), type(message)) == message


def test_a_batch_that_an_older_node_left_in_its_spool_is_read() -> None:
    old = b"\x01" + msgspec.msgpack.encode(("n", "s", "p", 1, ((1, "rest", "GET", "h", "/", 2, 1, 0, 3, 4),)))
    (row,) = codec.decode(old, Counts).endpoints
    assert (row.operation, row.authenticated_refused, row.without, row.notes) == ("", None, (), ())
