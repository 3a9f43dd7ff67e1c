"""Whether a value is a JSON Web Token, by its look alone: no signature is verified, no claim is judged."""

import binascii
from functools import lru_cache

import orjson

# `eyJ` is the base64url of `{"`, with which every compact JSON header begins (RFC 7515 section 3.1).
PREFIX = b"eyJ"
_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
# What is left of a compact token without base64url's letters: a JWS has three parts, a JWE five.
_JWS, _JWE = b"..", b"...."


def begins_as_jwt(value: bytes) -> bool:
    """Whether the value begins as every JWT does, and is no document of an application's own in base64 instead: an object
    that ends with the value and names no `alg` is the header of no token that was broken off.
    """
    return value.startswith(PREFIX) and (b"." in value or not _is_own_document(value))


def is_jwt(value: bytes) -> bool:
    """Whether the value is a well-formed JWS (its header has `alg`) or JWE in compact form (RFC 7515, RFC 7516).

    An empty signature is well-formed (`alg` none); whether a server should take it is not asked here.
    """
    return value.startswith(PREFIX) and is_compact(value)


def is_compact(value: bytes) -> bool:
    """The same of a value that is known to begin as a JWT."""
    dots = value.translate(None, _ALPHABET)
    return dots == _JWE or (dots == _JWS and _names_algorithm(value[: value.find(b".")]))


def _is_own_document(value: bytes) -> bool:
    document = object_in(value)
    return document is not None and "alg" not in document


# Few headers are in use at a time and none is secret, so remembering them saves most decoding.
@lru_cache(maxsize=1024)
def _names_algorithm(segment: bytes) -> bool:
    """Whether a token's first segment is base64url of a JSON object with a textual `alg`."""
    header = object_in(segment)
    return header is not None and isinstance(header.get("alg"), str) and bool(header["alg"])


def object_in(segment: bytes) -> dict[str, object] | None:
    """The JSON object that a token's segment holds; None where it is none, as where a payload is compressed."""
    try:
        read = orjson.loads(binascii.a2b_base64(segment.translate(_URL_SAFE) + b"=" * (-len(segment) % 4)))
    except (binascii.Error, orjson.JSONDecodeError):
        return None
    return read if isinstance(read, dict) else None


_URL_SAFE = bytes.maketrans(b"-_", b"+/")
