"""HTTP Message Signatures: chosen components of the request, signed with a shared or a private key.

Standards and references
    RFC 9421 sections 2.1 and 2.2 (fields and derived components), 2.3 (parameters), 2.5 (signature base), 3.3
    (algorithms), 4.1 and 4.2 (the two header fields); RFC 9530 section 2 (Content-Digest).
"""

import base64
import hashlib
import hmac
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

import msgspec
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from gatecrash.core.message import DEFAULT_PORTS, Request, with_header
from gatecrash.core.point import Point
from gatecrash.core.testing.profiles.guarded import Guarded
from gatecrash.core.testing.profiles.moment import Moment

PROOF: Final = Point.of("header", "SIGNATURE")
COMPONENTS: Final = ("@method", "@authority", "@path", "@query", "content-digest")


class MessageSignature(Guarded, frozen=True, array_like=True, kw_only=True, tag="http_message_signature"):
    """A key and what it signs.

    algorithm: one of ALGORITHMS. key: PEM (PKCS 8) of a private key; for hmac-sha256 the secret in base64.
    components: derived ones (`@method`) and header names; a header that a request lacks is left out of its signature.
    expires_in: seconds until the signature's `expires`; None without. nonce: whether each carries a fresh one.
    """

    key_id: str
    key: str
    algorithm: str
    components: tuple[str, ...] = COMPONENTS
    label: str = "sig1"
    expires_in: int | None = None
    nonce: bool = False
    tag_value: str = ""


def points(_config: MessageSignature) -> tuple[Point, ...]:
    """Where the signature stands, the proof first."""
    return (PROOF, Point.of("header", "SIGNATURE-INPUT"))


def sign(config: MessageSignature, request: Request, moment: Moment) -> Request:
    """The request, signed for this moment; an older signature is replaced, its Content-Digest renewed."""
    headers = request.headers
    if "content-digest" in config.components and (request.body or request.first(b"Content-Digest")):
        headers = with_header(headers, b"Content-Digest", content_digest(request.body))
        request = msgspec.structs.replace(request, headers=headers)
    covered = [(name, value) for name in config.components if (value := _component(name, request)) is not None]
    params = "(" + " ".join(f'"{name}"' for name, _ in covered) + ")" + _parameters(config, moment)
    lines = [*(f'"{name}": {value}' for name, value in covered), f'"@signature-params": {params}']
    text = "\n".join(lines).encode("latin-1", "replace")
    signature = base64.b64encode(ALGORITHMS[config.algorithm](config.key, text)).decode()
    headers = with_header(headers, b"Signature-Input", f"{config.label}={params}".encode("latin-1", "replace"))
    headers = with_header(headers, b"Signature", f"{config.label}=:{signature}:".encode())
    result: Request = msgspec.structs.replace(request, headers=headers)
    return result


def content_digest(body: bytes) -> bytes:
    """The value of Content-Digest."""
    return b"sha-256=:" + base64.b64encode(hashlib.sha256(body).digest()) + b":"


def check_key(config: MessageSignature) -> None:
    """Raises ValueError where the key is none of the algorithm's kind."""
    ALGORITHMS[config.algorithm](config.key, b"")


def _parameters(config: MessageSignature, moment: Moment) -> str:
    created = int(moment.now)
    shown = f";created={created}"
    shown += f";expires={created + config.expires_in}" if config.expires_in is not None else ""
    shown += f';nonce="{moment.nonce}"' if config.nonce else ""
    # Without `alg`, which the verifier knows by the key: RFC 9421 section 3.2 asks it to take no other.
    shown += f';keyid="{config.key_id}"'
    return shown + (f';tag="{config.tag_value}"' if config.tag_value else "")


def _component(name: str, request: Request) -> str | None:
    """The component's value (RFC 9421 section 2); None for a header that the request does not have."""
    derived = DERIVED.get(name)
    if derived is not None:
        return derived(request)
    values = [b" ".join(value.split(b"\r\n")).strip().decode("latin-1") for value in request.all(name.encode())]
    return ", ".join(values) if values else None


def _authority(request: Request) -> str:
    """Host in lower case, the scheme's own port left out (RFC 9421 section 2.2.3)."""
    named = (request.first(b"Host") or request.host.encode()).decode("latin-1").lower()
    return named.removesuffix(f":{DEFAULT_PORTS.get(request.scheme)}")


DERIVED: Final[dict[str, Callable[[Request], str]]] = {
    "@method": lambda request: request.method,
    "@authority": _authority,
    "@scheme": lambda request: request.scheme,
    "@target-uri": lambda request: f"{request.scheme}://{_authority(request)}{request.target.decode('latin-1')}",
    "@request-target": lambda request: request.target.decode("latin-1"),
    "@path": lambda request: request.path.decode("latin-1") or "/",
    "@query": lambda request: "?" + (request.query or b"").decode("latin-1"),
}


@lru_cache(maxsize=16)
def _private_key(pem: str) -> object:
    """Read once: an RSA key takes longer to read than to sign with."""
    return serialization.load_pem_private_key(pem.encode(), password=None)


def _key_of(pem: str, kind: type) -> Any:
    """The key, of this kind. Raises ValueError."""
    private = _private_key(pem)
    if isinstance(private, kind):
        return private
    raise ValueError(f"the key is no {kind.__name__}")


def _hmac_sha256(key: str, text: bytes) -> bytes:
    return hmac.new(base64.b64decode(key, validate=True), text, hashlib.sha256).digest()


def _ed25519(key: str, text: bytes) -> bytes:
    private: ed25519.Ed25519PrivateKey = _key_of(key, ed25519.Ed25519PrivateKey)
    return private.sign(text)


def _rsa_pss_sha512(key: str, text: bytes) -> bytes:
    # RFC 9421 section 3.3.1: a salt of 64 octets.
    scheme = padding.PSS(mgf=padding.MGF1(hashes.SHA512()), salt_length=64)
    private: rsa.RSAPrivateKey = _key_of(key, rsa.RSAPrivateKey)
    return private.sign(text, scheme, hashes.SHA512())


def _rsa_v1_5_sha256(key: str, text: bytes) -> bytes:
    private: rsa.RSAPrivateKey = _key_of(key, rsa.RSAPrivateKey)
    return private.sign(text, padding.PKCS1v15(), hashes.SHA256())


def _ecdsa(curve: str, size: int, algorithm: hashes.HashAlgorithm) -> Callable[[str, bytes], bytes]:
    def signed(key: str, text: bytes) -> bytes:
        private: ec.EllipticCurvePrivateKey = _key_of(key, ec.EllipticCurvePrivateKey)
        if private.curve.name != curve:
            raise ValueError(f"the key is not of the curve {curve}")
        # RFC 9421 section 3.3.4: r and s one after the other, not ASN.1.
        r, s = decode_dss_signature(private.sign(text, ec.ECDSA(algorithm)))
        return r.to_bytes(size, "big") + s.to_bytes(size, "big")

    return signed


ALGORITHMS: Final[dict[str, Callable[[str, bytes], bytes]]] = {
    "hmac-sha256": _hmac_sha256,
    "ed25519": _ed25519,
    "rsa-pss-sha512": _rsa_pss_sha512,
    "rsa-v1_5-sha256": _rsa_v1_5_sha256,
    "ecdsa-p256-sha256": _ecdsa("secp256r1", 32, hashes.SHA256()),
    "ecdsa-p384-sha384": _ecdsa("secp384r1", 48, hashes.SHA384()),
}
