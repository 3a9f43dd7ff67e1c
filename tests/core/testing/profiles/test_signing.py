"""All signed schemes behind one door."""

from gatecrash.core.message import Request
from gatecrash.core.testing.profiles.moment import Moment
from gatecrash.core.testing.profiles.signers import aws_sigv4, digest, hawk, keyed_hash, message_signature
from gatecrash.core.testing.profiles.signing import SCHEMES, proof_points, sign, variable_texts, with_variables

HAWK = hawk.Hawk(key_id="i", key="${key}", ext="e")
HMAC = keyed_hash.KeyedHash(key="k-${key}", header="X-S", signed="${body}", value="${signature}")


def test_every_scheme_has_its_name() -> None:
    assert {
        "aws_sigv4": aws_sigv4.AwsSigV4,
        "hawk": hawk.Hawk,
        "http_message_signature": message_signature.MessageSignature,
        "hmac": keyed_hash.KeyedHash,
        "digest": digest.Digest,
    } == SCHEMES


def test_the_signer_of_the_struct_signs() -> None:
    request, moment = Request("GET", b"/", ((b"Host", b"a"),)), Moment(now=1.0, nonce="n")
    assert (sign(HAWK, request, moment).first(b"Authorization") or b"").startswith(b"Hawk ")
    assert sign(HMAC, request, moment).first(b"X-S")
    assert proof_points(HMAC) == (("header", "X-S"),)


def test_variables_go_into_keys_and_not_into_templates_of_the_request() -> None:
    values = {"key": "secret"}
    filled = with_variables(HMAC, lambda text: text.replace("${key}", values["key"]))
    assert isinstance(filled, keyed_hash.KeyedHash)
    assert (filled.key, filled.signed, filled.value) == ("k-secret", "${body}", "${signature}")
    assert with_variables(digest.Digest(username="u", password="p"), str.upper) == digest.Digest(
        username="u", password="p"
    )
    assert "${body}" not in list(variable_texts(HMAC))
    assert "k-${key}" in list(variable_texts(HMAC))
