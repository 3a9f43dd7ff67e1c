"""All signed schemes behind one door."""

from gatecrash.core.message import Request
from gatecrash.core.testing.profiles.moment import Moment
from gatecrash.core.testing.profiles.signers import (
    aws_sigv4,
    digest,
    hawk,
    keyed_hash,
    message_signature,
    username_token,
)
from gatecrash.core.testing.profiles.signing import (
    SCHEMES,
    foreseen,
    proof_points,
    sign,
    variable_texts,
    with_variables,
)

HAWK = hawk.Hawk(key_id="i", key="${key}", ext="e")
HMAC = keyed_hash.KeyedHash(key="k-${key}", header="X-S", signed="${body}", value="${signature}")


def test_every_scheme_has_its_name() -> None:
    assert {
        "aws_sigv4": aws_sigv4.AwsSigV4,
        "hawk": hawk.Hawk,
        "http_message_signature": message_signature.MessageSignature,
        "hmac": keyed_hash.KeyedHash,
        "digest": digest.Digest,
        "ws_username_token": username_token.UsernameToken,
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


ENVELOPE = Request(
    "POST",
    b"/ws",
    ((b"Content-Type", b"text/xml"),),
    b"<s:Envelope xmlns:s='urn:s'><s:Body><A>1</A></s:Body></s:Envelope>",
)


def test_what_depends_on_the_request_is_foreseen_in_it() -> None:
    named = username_token.UsernameToken(username="${user}", password="${password}")
    placed, points = foreseen(named, ENVELOPE)
    assert [point[-1] for point in points] == ["wsse:Password"]
    assert b"UsernameToken" in placed.body
    assert foreseen(HAWK, ENVELOPE) == (ENVELOPE, (("header", "AUTHORIZATION"),))


def test_a_password_as_it_is_stays_good_and_a_digest_is_made_anew() -> None:
    moment = Moment(now=1.0, nonce="n")
    for kind, anew in (("text", []), ("digest", ["Password", "Username", "Nonce", "Created"])):
        config = username_token.UsernameToken(username="u", password="p", kind=kind)
        points = proof_points(config, sign(config, ENVELOPE, moment))
        assert [point[-1].rpartition(":")[2] for point in points] == anew
        assert proof_points(config) == ()
