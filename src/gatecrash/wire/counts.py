"""Counts of observed traffic: the node folds, the control plane adds.

    Counts   POST /v1/node/counts → Added

A batch is named by node, spool and sequence number, is kept on the node's disk until acknowledged, and is applied once.
No value that was observed is in here: only names, places, types and numbers. gc=False: nothing in here can be part of a
cycle, and a batch of 50,000 rows would keep the garbage collector busy for a fifth of the time.
"""

import msgspec

MOST_WITHOUT = 20
MOST_NOTES = 50


class ParameterCount(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One parameter on one endpoint in one hour. type: the JSON name of the authentication type (cli.md).

    seen: requests that carried it. valid: requests in which its value was valid. unproven: it last came as a session
    that nobody proved, so it is listed and not counted.
    """

    type: str
    point: tuple[str, ...]
    seen: int
    valid: int
    unproven: bool = False


class WithoutCount(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Who came without a valid credential. family: the kind of client, one of core/inventory/agents.FAMILIES.

    status: the class of the answer, 1 to 5; 0 where no answer was known. first_seen, last_seen: UNIX seconds.
    """

    family: str
    status: int
    requests: int
    first_seen: int
    last_seen: int


class NoteCount(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A weakness of credentials that traffic showed by itself. kind: one of core/inventory/notes.NoteKind.

    point: the credential's. requests: that showed it. first_seen, last_seen: UNIX seconds. No value is told.
    """

    kind: str
    point: tuple[str, ...]
    requests: int
    first_seen: int
    last_seen: int


class EndpointCount(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One endpoint in one hour. hour: UNIX seconds divided by 3600, floored.

    requests: all that count (decisions 6). authenticated: with at least one valid value.
    refused: answered 401 or 403; None from a source without answers. first_seen, last_seen: UNIX seconds.
    statuses: (status class 1 to 5, requests).
    operation: what the protocol calls within a path, such as `query GetUser` or a SOAP action; "" for REST and gRPC.
    authenticated_refused: the authenticated among the refused; None where refused is None, or from an older node.
    without: who came without authentication, at most MOST_WITHOUT rows, the rest in ("other", 0).
    notes: weaknesses seen on this endpoint, at most MOST_NOTES.
    """

    hour: int
    protocol: str
    method: str
    host: str
    path: str
    requests: int
    authenticated: int
    refused: int | None
    first_seen: int
    last_seen: int
    parameters: tuple[ParameterCount, ...] = ()
    statuses: tuple[tuple[int, int], ...] = ()
    operation: str = ""
    authenticated_refused: int | None = None
    without: tuple[WithoutCount, ...] = ()
    notes: tuple[NoteCount, ...] = ()


class Counts(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One batch. detection: false from nodes that are too old to detect authentication (contract 9.2)."""

    node_id: str
    session: str
    spool: str
    sequence: int
    endpoints: tuple[EndpointCount, ...]
    detection: bool = True


class Added(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Applied, now or earlier. late: rows whose hour had left the window; they are counted as late and kept nowhere."""

    sequence: int
    late: int = 0
