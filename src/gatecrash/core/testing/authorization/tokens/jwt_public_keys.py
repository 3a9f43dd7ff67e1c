"""The public key of a recorded token: told by any answer, carried by the token, or at the usual addresses of its host.

found = yield from public_keys(situation, request, token)
"""

from collections.abc import Generator
from typing import NamedTuple

import msgspec

from gatecrash.core.message import Request, is_of_body
from gatecrash.core.testing.authorization.callers.credentials import without_credentials
from gatecrash.core.testing.authorization.tokens.jwt import Token
from gatecrash.core.testing.authorization.tokens.jwt_keys import WELL_KNOWN, PublicKey, carried, published
from gatecrash.core.testing.authorization.tokens.known_keys import keys_known
from gatecrash.core.testing.dialogues.asking import ask_raw, response_of
from gatecrash.core.testing.policy import is_thorough
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

ASYMMETRIC = ("RS", "PS", "ES")
# A key as it is, and in its certificate.
_MOST_KNOWN = 2
_OK = 200


class Found(NamedTuple):
    """The likeliest keys, and how the target itself writes them, where it does."""

    keys: list[PublicKey]
    texts: list[bytes]


def public_keys(situation: Situation, request: Request, token: Token) -> Generator[TestRequest, Answer, Found]:
    """What the token is verified with, as far as anybody can know; only the usual addresses are asked for."""
    known = keys_known(situation.memory.told, token)[:_MOST_KNOWN]
    if known:
        return Found([known[0].key], [each.text for each in known])
    keys = carried(token.header) or (yield from _published(situation, request, token))
    return Found(keys[:1], [])


def count_of_addresses(situation: Situation, request: Request, token: Token) -> int:
    """How many addresses are asked at most."""
    known = keys_known(situation.memory.told, token) or carried(token.header)
    return 0 if known else len(_addresses(request, thorough=is_thorough(situation.policy)))


def _published(situation: Situation, request: Request, token: Token) -> Generator[TestRequest, Answer, list[PublicKey]]:
    """The keys at the usual addresses of this host, asked for as nobody."""
    bare = without_credentials(request, situation.credentials)
    headers = tuple(pair for pair in bare.headers if not is_of_body(pair[0]))
    for path in _addresses(request, thorough=is_thorough(situation.policy)):
        asked: Request = msgspec.structs.replace(bare, method="GET", target=path, headers=headers, body=b"")
        response = response_of((yield from ask_raw(asked, "control")))
        keys = published(response.body, token.header.get("kid")) if response.status == _OK else []
        if keys:
            return keys
    return []


def _addresses(request: Request, *, thorough: bool) -> tuple[bytes, ...]:
    """Where the host publishes its keys; behind a gateway each service has the usual address below its own name."""
    service = b"/".join(request.path.split(b"/")[:2])
    below = (service + WELL_KNOWN[0],) if service.strip(b"/") and service != request.path else ()
    return (*WELL_KNOWN[:1], *below, *(WELL_KNOWN[1:] if thorough else ()))
