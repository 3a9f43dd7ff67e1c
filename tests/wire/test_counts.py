"""Counts keep all they carry."""

from gatecrash.wire import codec
from gatecrash.wire.counts import Added, Counts, EndpointCount, ParameterCount


def test_a_batch_comes_back_as_it_was() -> None:
    parameter = ParameterCount("bearer", ("header", "AUTHORIZATION"), 9, 8)
    seen = EndpointCount(480_000, "rest", "GET", "h", "/{id}", 10, 8, None, 1, 2, (parameter,), ((2, 9), (4, 1)))
    for message in (Counts("node_1", "s", "spool", 7, (seen,), detection=False), Added(7, 2)):
        assert codec.decode(codec.encode(message), type(message)) == message
