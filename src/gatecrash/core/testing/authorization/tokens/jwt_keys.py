"""Public keys as servers publish them, in the forms in which a careless verifier would take them for a shared secret; and
a key pair of our own, for tokens that bring their key along.
"""

from base64 import b64decode, b64encode
from binascii import Error
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.x509 import (
    Certificate,
    CertificateBuilder,
    Name,
    NameAttribute,
    load_der_x509_certificate,
    load_pem_x509_certificate,
)
from cryptography.x509.oid import NameOID

from gatecrash.core.testing.authorization.tokens.jwt import Sign, Token, decode, encode

PublicKey = rsa.RSAPublicKey | ec.EllipticCurvePublicKey

_CURVES: dict[str, type[ec.EllipticCurve]] = {"P-256": ec.SECP256R1, "P-384": ec.SECP384R1, "P-521": ec.SECP521R1}
_HASHES: dict[str, hashes.HashAlgorithm] = {"256": hashes.SHA256(), "384": hashes.SHA384(), "512": hashes.SHA512()}
_PEM = serialization.Encoding.PEM
_SPKI = serialization.PublicFormat.SubjectPublicKeyInfo
_PKCS1 = serialization.PublicFormat.PKCS1
# Wide enough for every clock.
_VALID = datetime(2001, 9, 9, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)


def carried(header: Mapping[str, Any]) -> list[PublicKey]:
    """The keys that a token's header carries itself: `jwk`, and the first certificate of `x5c` (RFC 7515 section 4.1)."""
    found = [from_jwk(header["jwk"])] if isinstance(header.get("jwk"), dict) else []
    chain = header.get("x5c")
    if isinstance(chain, list) and chain and isinstance(chain[0], str):
        found.append(_from_certificate(chain[0]))
    return [key for key in found if key is not None]


def from_jwk(jwk: Mapping[str, Any]) -> PublicKey | None:
    """The key of a JWK (RFC 7518 section 6); None for other kinds and for what is none."""
    try:
        if jwk.get("kty") == "RSA":
            return rsa.RSAPublicNumbers(_number(jwk["e"]), _number(jwk["n"])).public_key()
        if jwk.get("kty") == "EC":
            curve = _CURVES[jwk["crv"]]()
            return ec.EllipticCurvePublicNumbers(_number(jwk["x"]), _number(jwk["y"]), curve).public_key()
    except (KeyError, TypeError, ValueError, UnsupportedAlgorithm):
        return None
    return None


def from_pem(text: bytes) -> PublicKey | None:
    """The key of a PEM text (RFC 7468), that of a certificate too; None for other kinds and for what is none."""
    try:
        if text.startswith(b"-----BEGIN CERTIFICATE"):
            return _usable(load_pem_x509_certificate(text).public_key())
        return _usable(serialization.load_pem_public_key(text))
    except (ValueError, UnsupportedAlgorithm):
        return None


def as_pem(key: PublicKey) -> bytes:
    """The key as most files hold it, without the last line's end."""
    return key.public_bytes(_PEM, _SPKI).rstrip(b"\n")


def verifies(key: PublicKey, token: Token) -> bool:
    """Whether the token was signed with the private key of this one (RFC 7518 sections 3.3 to 3.5)."""
    kind, digest = token.algorithm[:2], _HASHES.get(token.algorithm[2:])
    signature = decode(token.parts[2])
    if digest is None or not signature:
        return False
    try:
        if isinstance(key, ec.EllipticCurvePublicKey) and kind == "ES":
            half = len(signature) // 2
            numbers = (int.from_bytes(part, "big") for part in (signature[:half], signature[half:]))
            key.verify(encode_dss_signature(*numbers), token.signed, ec.ECDSA(digest))
            return True
        if isinstance(key, rsa.RSAPublicKey) and kind in ("RS", "PS"):
            pss = padding.PSS(padding.MGF1(digest), padding.PSS.AUTO)
            key.verify(signature, token.signed, padding.PKCS1v15() if kind == "RS" else pss, digest)
            return True
    except (InvalidSignature, ValueError, UnsupportedAlgorithm):
        return False
    return False


def as_secrets(keys: Iterable[PublicKey]) -> list[bytes]:
    """The texts that a server may hold a public key in, the likeliest first: whoever verifies by HMAC verifies with one."""
    texts: list[bytes] = []
    for key in keys:
        pem = key.public_bytes(_PEM, _SPKI)
        texts += [pem, pem.rstrip(b"\n")]
        if isinstance(key, rsa.RSAPublicKey):
            texts.append(key.public_bytes(_PEM, _PKCS1))
    return list(dict.fromkeys(texts))


@cache
def own_key() -> tuple[dict[str, Any], Sign]:
    """An RSA key of this process alone, as the members of a header that carry it, and what signs RS256 with it."""
    private = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    numbers = private.public_key().public_numbers()
    jwk = {"kty": "RSA", "use": "sig", "alg": "RS256", "n": _text(numbers.n), "e": _text(numbers.e)}
    certificate = _certified(private).public_bytes(serialization.Encoding.DER)
    header = {"jwk": jwk, "x5c": [b64encode(certificate).decode()]}

    def sign(signed: bytes) -> bytes:
        return private.sign(signed, padding.PKCS1v15(), hashes.SHA256())

    return header, sign


def _certified(private: rsa.RSAPrivateKey) -> Certificate:
    """A certificate that the key has given itself."""
    name = Name([NameAttribute(NameOID.COMMON_NAME, "gatecrash")])
    begins, ends = _VALID
    builder = CertificateBuilder(name, name, private.public_key(), 1, begins, ends)
    return builder.sign(private, hashes.SHA256())


def _from_certificate(text: str) -> PublicKey | None:
    try:
        return _usable(load_der_x509_certificate(b64decode(text)).public_key())
    except (Error, ValueError, UnsupportedAlgorithm):
        return None


def _usable(key: object) -> PublicKey | None:
    return key if isinstance(key, rsa.RSAPublicKey | ec.EllipticCurvePublicKey) else None


def _number(text: str) -> int:
    return int.from_bytes(decode(text.encode()) or b"", "big")


def _text(number: int) -> str:
    return encode(number.to_bytes((number.bit_length() + 7) // 8, "big")).decode()
