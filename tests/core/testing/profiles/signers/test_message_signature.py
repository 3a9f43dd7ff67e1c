"""HTTP Message Signatures: the example of RFC 9421 appendix B.2.5, and every algorithm verified with its public key."""

import base64

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from gatecrash.core.message import Request
from gatecrash.core.testing.profiles.moment import Moment
from gatecrash.core.testing.profiles.signers.message_signature import (
    ALGORITHMS,
    MessageSignature,
    check_key,
    content_digest,
    points,
    sign,
)

SECRET = "uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ=="
HEADERS = (
    (b"Host", b"example.com"),
    (b"Date", b"Tue, 20 Apr 2021 02:07:55 GMT"),
    (b"Content-Type", b"application/json"),
)
REQUEST = Request("POST", b"/foo?param=Value&Pet=dog", HEADERS, b'{"hello": "world"}', "https", "example.com", 443)
NOW = Moment(now=1618884473.2, nonce="b3k2pp5k7z-50gnwp.yemd")


def pem(key: ed25519.Ed25519PrivateKey | rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey) -> str:
    format_, coding = serialization.PrivateFormat.PKCS8, serialization.Encoding.PEM
    return key.private_bytes(coding, format_, serialization.NoEncryption()).decode()


def test_the_example_with_a_shared_secret_gives_its_signature() -> None:
    config = MessageSignature(
        key_id="test-shared-secret", key=SECRET, algorithm="hmac-sha256", label="sig-b25",
        components=("date", "@authority", "content-type"),
    )  # fmt: skip
    signed = sign(config, REQUEST, NOW)
    assert signed.first(b"Signature-Input") == (
        b'sig-b25=("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"'
    )
    assert signed.first(b"Signature") == b"sig-b25=:pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=:"


def base_of(request: Request) -> bytes:
    """The signature base, put together again from the wire by RFC 9421 section 2.5, for these components only."""
    params = (request.first(b"Signature-Input") or b"").partition(b"=")[2]
    digest = request.first(b"Content-Digest") or b""
    lines = [
        b'"@method": POST', b'"@target-uri": https://example.com/foo?param=Value&Pet=dog', b'"@path": /foo',
        b'"@query": ?param=Value&Pet=dog', b'"content-digest": ' + digest, b'"@signature-params": ' + params,
    ]  # fmt: skip
    return b"\n".join(lines)


COMPONENTS = ("@method", "@target-uri", "@path", "@query", "content-digest")


def signed_with(algorithm: str, key: str) -> tuple[bytes, bytes]:
    """The base and the signature."""
    config = MessageSignature(
        key_id="k", key=key, algorithm=algorithm, components=COMPONENTS, expires_in=60, nonce=True
    )
    request = sign(config, REQUEST, NOW)
    assert request.first(b"Content-Digest") == content_digest(REQUEST.body)
    assert b';expires=1618884533;nonce="b3k2pp5k7z-50gnwp.yemd"' in (request.first(b"Signature-Input") or b"")
    value = request.first(b"Signature") or b""
    return base_of(request), base64.b64decode(value.removeprefix(b"sig1=:").removesuffix(b":"))


def test_ed25519() -> None:
    key = ed25519.Ed25519PrivateKey.generate()
    base, signature = signed_with("ed25519", pem(key))
    key.public_key().verify(signature, base)
    with pytest.raises(InvalidSignature):
        key.public_key().verify(signature, base + b"x")


def test_rsa_in_both_forms() -> None:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    base, signature = signed_with("rsa-pss-sha512", pem(key))
    scheme = padding.PSS(mgf=padding.MGF1(hashes.SHA512()), salt_length=64)
    key.public_key().verify(signature, base, scheme, hashes.SHA512())
    base, signature = signed_with("rsa-v1_5-sha256", pem(key))
    key.public_key().verify(signature, base, padding.PKCS1v15(), hashes.SHA256())


@pytest.mark.parametrize(
    ("algorithm", "curve", "hashed"),
    [("ecdsa-p256-sha256", ec.SECP256R1(), hashes.SHA256()), ("ecdsa-p384-sha384", ec.SECP384R1(), hashes.SHA384())],
    ids=["p256", "p384"],
)
def test_ecdsa(algorithm: str, curve: ec.EllipticCurve, hashed: hashes.HashAlgorithm) -> None:
    key = ec.generate_private_key(curve)
    base, signature = signed_with(algorithm, pem(key))
    half = len(signature) // 2
    assert half == (key.key_size + 7) // 8, "both numbers at full length"
    parts = (int.from_bytes(signature[:half], "big"), int.from_bytes(signature[half:], "big"))
    key.public_key().verify(encode_dss_signature(*parts), base, ec.ECDSA(hashed))


@pytest.mark.parametrize("algorithm", sorted(ALGORITHMS))
def test_a_key_of_another_kind_is_refused(algorithm: str) -> None:
    other = ed25519.Ed25519PrivateKey.generate() if algorithm != "ed25519" else ec.generate_private_key(ec.SECP256R1())
    with pytest.raises(ValueError, match=r".*"):
        check_key(MessageSignature(key_id="k", key=pem(other), algorithm=algorithm))


def test_a_header_that_is_missing_is_left_out_and_a_body_that_changed_has_a_new_digest() -> None:
    config = MessageSignature(key_id="k", key=SECRET, algorithm="hmac-sha256", components=("@method", "x-absent"))
    assert (sign(config, REQUEST, NOW).first(b"Signature-Input") or b"").startswith(b'sig1=("@method");')
    digesting = MessageSignature(key_id="k", key=SECRET, algorithm="hmac-sha256")
    bare = Request("GET", b"/", HEADERS)
    assert sign(digesting, bare, NOW).first(b"Content-Digest") is None
    assert points(config)[0] == ("header", "SIGNATURE")
