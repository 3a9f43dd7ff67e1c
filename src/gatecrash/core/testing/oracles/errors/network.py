"""What fetching libraries say when there is nobody to fetch from: lists of our own.

Two kinds are told apart, a connection that was refused and a name that leads nowhere: only something that really
connects answers each address with its own kind.
"""

import re

REFUSED, NAMELESS = "refused", "nameless"

_KINDS = {
    REFUSED: re.compile(
        r"ECONNREFUSED|connection refused|actively refused|\[Errno (?:111|61)\]|WinError 10061|connect: connection refused"
        r"|Failed to connect to .{1,80}? port \d+|couldn'?t connect to (?:server|host)|ConnectException",
        re.IGNORECASE,
    ),
    NAMELESS: re.compile(
        r"ENOTFOUND|EAI_AGAIN|getaddrinfo|name or service not known|\[Errno -[235]\]|could ?n[o']t resolve"
        r"|no such host|UnknownHostException|name resolution|nodename nor servname|failed to resolve|No address associated",
        re.IGNORECASE,
    ),
}
# One of these is in every error of the kind: most answers hold none.
_HINTS = {
    REFUSED: (
        "refused",
        "[errno 111]",
        "[errno 61]",
        "10061",
        "failed to connect",
        "couldn't connect",
        "couldnt connect",
        "connectexception",
    ),
    NAMELESS: (
        "enotfound",
        "eai_again",
        "getaddrinfo",
        "not known",
        "[errno -",
        "t resolve",
        "no such host",
        "unknownhost",
        "name resolution",
        "nodename nor",
        "failed to resolve",
        "no address associated",
    ),
}
_MOST = 100_000


def network_errors(text: str) -> frozenset[str]:
    """The kinds of network error that a text tells of."""
    text = text[:_MOST]
    lowered = text.lower()
    return frozenset(
        kind
        for kind, pattern in _KINDS.items()
        if any(hint in lowered for hint in _HINTS[kind]) and pattern.search(text)
    )
