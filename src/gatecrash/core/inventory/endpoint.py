"""An endpoint: protocol, method, host and path template within a client, as in `GET api.example.com /users/{user_id}`."""

import hashlib
import hmac
import ipaddress
from enum import StrEnum

import msgspec

from gatecrash.core.message import DEFAULT_PORTS, Request

_DIGEST_BYTES = 16


class Protocol(StrEnum):
    """What an endpoint speaks; the values are the names in JSON."""

    REST = "rest"
    GRAPHQL = "graphql"
    SOAP = "soap"
    GRPC = "grpc"


class EndpointKey(msgspec.Struct, frozen=True, array_like=True, order=True):
    """What makes two requests the same endpoint.

    method: in uppercase. host: in lower case, with its port where that is not the scheme's own, so that two services on
    one machine stay apart. path: the template. operation: what the protocol calls within that path, as `query GetUser`;
    "" without one.
    """

    protocol: str
    method: str
    host: str
    path: str
    operation: str = ""

    def __str__(self) -> str:
        """Method, host, template and operation, as people write it."""
        return " ".join((self.method, self.host, self.path, self.operation)).rstrip()


def host_of(request: Request) -> str:
    """The host of an endpoint key, written one way: lower case, its port where that is not the scheme's own.

    An IPv6 address stands in brackets and in its short form (RFC 5952), an absolute name without its last dot.
    """
    host = request.host.lower()
    if ":" in host:
        host = _in_brackets(host)
    elif host[-1:] == ".":
        host = host[:-1]
    return host if request.port == DEFAULT_PORTS.get(request.scheme) else f"{host}:{request.port}"


def _in_brackets(host: str) -> str:
    """An IPv6 address as addresses have it."""
    try:
        return f"[{ipaddress.IPv6Address(host.strip('[]'))}]"
    except ValueError:
        return f"[{host.strip('[]')}]"


def identity(key: EndpointKey) -> bytes:
    """16 bytes that stand for the key, the same on every machine: for a row's unique index."""
    digest = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    _feed(digest, key)
    return digest.digest()


def endpoint_id(client_id: str, secret: bytes, key: EndpointKey) -> str:
    """The identifier `ep_…`: always the same for a client's endpoint, and not to be guessed without the secret."""
    mac = hmac.new(secret, client_id.encode(), hashlib.sha256)
    _feed(mac, key)
    return f"ep_{mac.hexdigest()[: 2 * _DIGEST_BYTES]}"


def _feed(digest: "hmac.HMAC | hashlib.blake2b", key: EndpointKey) -> None:
    """Each part with its length in front, so that no two keys run together; no operation is no part at all."""
    parts = (key.protocol, key.method, key.host, key.path)
    for part in (*parts, key.operation) if key.operation else parts:
        raw = part.encode()
        digest.update(len(raw).to_bytes(4, "big") + raw)
