"""Signed schemes as people write them down: `sign: {scheme: hawk, key_id: …, key: …}`."""

from typing import Any, Final

from gatecrash.core.testing.profiles.fields import Fields, text_of, wrong
from gatecrash.core.testing.profiles.signers import hawk, keyed_hash, message_signature, username_token
from gatecrash.core.testing.profiles.signing import SCHEMES, Signer

_NAMES: Final = {
    "aws_sigv4": ("access_key", "secret_key", "region", "service", "session_token"),
    "hawk": ("key_id", "key", "algorithm", "hash_body", "ext"),
    "http_message_signature": ("key_id", "key", "algorithm", "components", "label", "expires_in", "nonce", "tag"),
    "hmac": ("key", "key_id", "header", "signed", "value", "algorithm", "key_encoding", "encoding", "headers"),
    "digest": ("username", "password"),
    "ws_username_token": ("username", "password", "kind"),
}


def read_signer(document: object, place: str) -> Signer:
    """The signer. Raises InvalidProfile with the place of what is wrong."""
    names = {name for each in _NAMES.values() for name in each}
    scheme = Fields(document, place, "sign", ("scheme", *sorted(names))).one_of("scheme", SCHEMES)
    fields = Fields(document, place, f"the scheme {scheme}", ("scheme", *_NAMES[scheme]))
    given: dict[str, Any] = _READERS[scheme](fields)
    signer: Signer = SCHEMES[scheme](**given)  # type: ignore[assignment]
    return signer


def _aws(fields: Fields) -> dict[str, Any]:
    required = {name: fields.text(name) for name in ("access_key", "secret_key", "region", "service")}
    return {**required, "session_token": fields.text("session_token", "")}


def _hawk(fields: Fields) -> dict[str, Any]:
    return {
        "key_id": fields.text("key_id"),
        "key": fields.text("key"),
        "algorithm": fields.one_of("algorithm", hawk.ALGORITHMS, "sha256"),
        "hash_body": fields.flag("hash_body", default=True),
        "ext": fields.text("ext", ""),
    }


def _message(fields: Fields) -> dict[str, Any]:
    components = fields.each("components", lambda item, at: text_of(item, at).lower())
    for place, name in enumerate(components):
        if name.startswith("@") and name not in message_signature.DERIVED:
            known = ", ".join(message_signature.DERIVED)
            raise wrong(f"{fields.at('components')}[{place}]", f"is none of {known}, nor a header's name")
    given: dict[str, Any] = {
        "key_id": fields.text("key_id"),
        "key": fields.text("key"),
        "algorithm": fields.one_of("algorithm", message_signature.ALGORITHMS),
        "components": components or message_signature.COMPONENTS,
        "label": fields.text("label", "sig1"),
        "expires_in": fields.whole("expires_in", 1, 86400),
        "nonce": fields.flag("nonce", default=False),
        "tag_value": fields.text("tag", ""),
    }
    if "${" not in given["key"]:
        try:
            message_signature.check_key(message_signature.MessageSignature(**given))
        except ValueError as error:
            # Chained texts of the library could quote the key.
            raise wrong(
                fields.at("key"), f"is no key for {given['algorithm']}: PEM, or base64 for hmac-sha256"
            ) from error
    return given


def _hmac(fields: Fields) -> dict[str, Any]:
    headers = fields.pairs("headers")
    templates = [("signed", fields.text("signed")), ("value", fields.text("value", "${signature}"))]
    for name, template in [*templates, *((f"headers.{name}", template) for name, template in headers)]:
        unknown = keyed_hash.unknown_word(template)
        if unknown is not None:
            known = ", ".join(sorted(keyed_hash.WORDS))
            raise wrong(fields.at(name), f"${{{unknown[:60]}}} is none of {known}, header:Name")
    given: dict[str, Any] = {
        **dict(templates),
        "key": fields.text("key"),
        "key_id": fields.text("key_id", ""),
        "header": fields.text("header"),
        "headers": headers,
        "algorithm": fields.one_of("algorithm", keyed_hash.ALGORITHMS, "sha256"),
        "key_encoding": fields.one_of("key_encoding", keyed_hash.KEY_ENCODINGS, "text"),
        "encoding": fields.one_of("encoding", keyed_hash.ENCODINGS, "hex"),
    }
    if "${" not in given["key"]:
        try:
            keyed_hash.key_bytes(keyed_hash.KeyedHash(**given))
        except ValueError as error:
            raise wrong(fields.at("key"), f"is not written in {given['key_encoding']}") from error
    return given


def _digest(fields: Fields) -> dict[str, Any]:
    return {"username": fields.text("username"), "password": fields.text("password", "")}


def _username_token(fields: Fields) -> dict[str, Any]:
    return {**_digest(fields), "kind": fields.one_of("kind", username_token.KINDS, username_token.TEXT)}


_READERS: Final = {
    "aws_sigv4": _aws,
    "hawk": _hawk,
    "http_message_signature": _message,
    "hmac": _hmac,
    "digest": _digest,
    "ws_username_token": _username_token,
}
