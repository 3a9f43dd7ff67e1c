"""The registry of signed schemes: adding one is its file and its line here."""

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Final

import msgspec

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.testing.profiles.moment import Moment
from gatecrash.core.testing.profiles.signers import (
    aws_sigv4,
    digest,
    hawk,
    keyed_hash,
    message_signature,
    username_token,
)

Signer = (
    aws_sigv4.AwsSigV4
    | hawk.Hawk
    | message_signature.MessageSignature
    | keyed_hash.KeyedHash
    | digest.Digest
    | username_token.UsernameToken
)

_MODULES: Final[dict[type[msgspec.Struct], ModuleType]] = {
    aws_sigv4.AwsSigV4: aws_sigv4,
    hawk.Hawk: hawk,
    message_signature.MessageSignature: message_signature,
    keyed_hash.KeyedHash: keyed_hash,
    digest.Digest: digest,
    username_token.UsernameToken: username_token,
}
# Names in documents, and the struct that each is read into.
SCHEMES: Final[dict[str, type[msgspec.Struct]]] = {str(kind.__struct_config__.tag): kind for kind in _MODULES}
# Their words are filled per request and not from the session's variables.
_TEMPLATES: Final = frozenset({"signed", "value", "headers", "components"})


def sign(config: Signer, request: Request, moment: Moment) -> Request:
    """The request, signed for this moment."""
    signed: Request = _MODULES[type(config)].sign(config, request, moment)
    return signed


def proof_points(config: Signer, request: Request | None = None) -> tuple[Point, ...]:
    """The points that a signature fills anew for each request, that of the proof itself first. request: a signed one, where they
    depend on it.
    """
    if isinstance(config, username_token.UsernameToken):
        anew = request is not None and config.kind == username_token.DIGEST
        return username_token.points_in(request) if request is not None and anew else ()
    points: tuple[Point, ...] = _MODULES[type(config)].points(config)
    return points


def foreseen(config: Signer, request: Request) -> tuple[Request, tuple[Point, ...]]:
    """The request with a place for its signature where that depends on the request, and the point of the proof."""
    if not isinstance(config, username_token.UsernameToken):
        return request, proof_points(config)[:1]
    placed = username_token.sign(config, request, Moment(now=0, nonce=""))
    return placed, username_token.points_in(placed)[:1]


def with_variables(config: Signer, fill: Callable[[str], str]) -> Signer:
    """The signer with variables filled into its keys and names: keys that a login hands out."""
    changed = {name: fill(text) for name, text in _texts(config) if "${" in text}
    filled: Signer = msgspec.structs.replace(config, **changed) if changed else config
    return filled


def variable_texts(config: Signer) -> Iterator[str]:
    """The texts of a signer that may hold variables of the session."""
    return (text for _, text in _texts(config))


def _texts(config: Signer) -> Iterator[tuple[str, str]]:
    for name in config.__struct_fields__:
        value = getattr(config, name)
        if isinstance(value, str) and name not in _TEMPLATES:
            yield name, value
