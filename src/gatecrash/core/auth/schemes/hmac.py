"""HMAC signatures: each request is signed with a key that both sides hold (or, in RFC 9421 and a CDN's addresses, a key pair).

What it finds
    HTTP Message Signatures (`Signature` with `Signature-Input`) and their drafts (`Signature keyId="…"`, in
    Authorization and in a header of its own); `HMAC-…`, shared-key and cloud providers' schemes in Authorization; OAuth
    1.0 signed with an HMAC (in a form too, as LTI sends it); webhook senders' signature headers; X-WSSE, whose digest of
    nonce, moment and password is no HMAC by its letter and one by what it does; signed addresses: Azure's,
    CloudFront's, older ones of S3 and Google, those of families/signed_addresses.py, and `signature`, `sign`, `sig` and
    `hmac` beside a moment.

Why it matters
    The key never travels. A receiver of webhooks that does not check the signature takes orders from anybody, and a
    signed address is a credential in itself.

How it decides
    A message signature needs its label in both headers and bytes between colons. A draft's, and all schemes in
    Authorization, need a key id and a signature with a digest's length (drafts: 20 bytes or more, as keys of other
    kinds sign too). A webhook's header needs a digest in the shape its vendor documents; the sender is known, so no
    key id. In a query or form the companions (account, expiry, moment) must stand beside the signature. Nothing is
    computed.

Known misses
    OAuth 1.0 with RSA or PLAINTEXT is listed as not valid. A vendor's header that neither is listed nor reads
    `…-Signature` or `X-…-Hmac`. Signatures within a JSON body.

Standards and references
    RFC 9421 sections 4.1 and 4.2; RFC 8941 section 3.3.5 (byte sequences); draft-cavage-http-signatures-12 section 3;
    RFC 5849 section 3.5.1 (OAuth 1.0); the sources beside each name in core/auth/families.
"""

import re
from collections.abc import Iterable

from gatecrash.core.auth.auth_params import auth_params
from gatecrash.core.auth.base64_text import decoded
from gatecrash.core.auth.families.signed_addresses import ADDRESSES
from gatecrash.core.auth.families.signed_schemes import SCHEMES
from gatecrash.core.auth.families.webhooks import HEADERS
from gatecrash.core.auth.placeholders import is_placeholder
from gatecrash.core.auth.scheme import AuthType, Candidate, Judgement, Place, Rule, Scheme, verdicts
from gatecrash.core.auth.signatures import SHAPES, is_digest, is_of_key_pair, pairs
from gatecrash.core.point import Point

_VERDICTS = verdicts(AuthType.HMAC)
_HEADER = Place.HEADER
_SHAPES = {row.name: row.shape for row in HEADERS}
_FORMS = {row.word: row.form for row in SCHEMES}

# label=:base64: and label=("…" …);…, members of a dictionary (RFC 8941 section 3.2).
_MEMBER = re.compile(rb"(?:^|,)[ \t]*([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/=]+):")
_INPUT = re.compile(rb"""(?:^|,)[ \t]*([a-z*][a-z0-9_.*-]*)=\(""")
_DRAFT = re.compile(rb"\s*(?:keyId|algorithm|created|expires|headers|signature)=", re.IGNORECASE)
_LEAST_DRAFT_BYTES = 20

_KEY_NAMES = frozenset(
    b"keyid,key_id,key,id,credential,accesskeyid,accesskey,access_key,access,apikey,api_key,username,user"
    b",client_token,clientid,client_id,appid,app_id,skn,sr,ak,kid,app_key,appkey".split(b",")
)
_SIGNATURE_NAMES = frozenset(b"signature,sig,mac,hmac,digest,sign".split(b","))
_VISIBLE = re.compile(rb"[!-~]+")

_ADDRESSES = {row.name: row for row in ADDRESSES}
_TILDED = re.compile(rb"(?<![^~])hmac=([^~]+)\Z")
_DASHED = re.compile(rb"\d{10}-[!-~]*-([^-]+)")
# CloudFront's, which is no digest: its three signs stand for those of base64 that an address may not hold.
_OF_ADDRESSES = bytes.maketrans(b"-_~", b"+=/")
_KEYS_BESIDE_SIGNATURE = (
    "AWSAccessKeyId",
    "OSSAccessKeyId",
    "AccessKeyId",
    "SecretId",
    "Key-Pair-Id",
    "GoogleAccessId",
    "KeyName",
)
_KEY_PAIR, _SERVICE_ACCOUNT = slice(4, 5), slice(5, 6)
_BESIDE_MOMENTS = {
    "signature": "Binance spot API, request security; Laravel, signed URLs",
    "sign": "Tencent Cloud CDN and payment APIs: a name in wide use",
    "hmac": "Shopify, verifying installation requests",
}
_SHARED_ACCESS = ("sv", "se", "sr")
# What keeps a signed address from being good for ever; which of them, each API says by itself.
_MOMENTS = ("timestamp", "expires", "nonce", "ts", "t", "exp", "time", "Expires")
_OAUTH_BESIDE = ("oauth_signature_method", "oauth_consumer_key", "oauth_nonce", "oauth_timestamp")


def judge(candidate: Candidate) -> Judgement | None:
    """HMAC signature by its word, by its header, or by its companions in the query."""
    if candidate.word:
        return _in_authorization(candidate)
    if candidate.place is not _HEADER:
        return _among_parameters(candidate)
    if candidate.name == "SIGNATURE":
        return _message_signature(candidate)
    shape = _SHAPES.get(candidate.name)
    if shape is None:
        return None
    valid = SHAPES[shape](candidate.value)
    # A name that only looks like a vendor's says nothing without a digest.
    return _VERDICTS[valid] if valid or "<" not in candidate.name else None


def _in_authorization(candidate: Candidate) -> Judgement | None:
    if candidate.word == b"signature":
        return _VERDICTS[is_draft(candidate.value)]
    if candidate.word == b"oauth":
        params = auth_params(candidate.value) or {}
        # `OAuth` before an opaque token is a key, not a signature: RFC 5849 names every parameter oauth_….
        signs = any(name.startswith(b"oauth_") for name in params)
        return _VERDICTS[is_oauth(params)] if signs else None
    form = _FORMS.get(candidate.word.decode("latin-1"), "any")
    valid = (form != "pairs" and is_colon_form(candidate.value)) or (form != "colon" and is_pair_form(candidate.value))
    return _VERDICTS[valid]


def is_colon_form(value: bytes) -> bool:
    """Whether the value is a key id and a signature with colons between, the signature at any place but the first."""
    key_id, colon, rest = value.partition(b":")
    if not colon or not _is_key_id(key_id):
        return False
    return any(is_digest(part) for part in rest.split(b":", 8))


def is_pair_form(value: bytes) -> bool:
    """Whether the value holds pairs of which one names a key and one is a signature."""
    named = dict(pairs(value))
    key_id = any(_is_key_id(named[name]) for name in _KEY_NAMES if name in named)
    signed = (named[name] for name in _SIGNATURE_NAMES if name in named)
    return key_id and any(is_digest(_unescaped(value)) for value in signed)


def is_oauth(params: dict[bytes, bytes]) -> bool:
    """Whether OAuth 1.0 parameters are complete and signed with an HMAC."""
    if not params.get(b"oauth_signature_method", b"").upper().startswith(b"HMAC-"):
        return False
    complete = all(params.get(name) for name in (b"oauth_nonce", b"oauth_timestamp"))
    key_id = params.get(b"oauth_consumer_key", b"")
    return complete and _is_key_id(key_id) and is_digest(_unescaped(params.get(b"oauth_signature", b"")))


def is_draft(value: bytes) -> bool:
    """Whether the value is a signature as the drafts before RFC 9421 wrote it."""
    params = auth_params(value)
    if params is None or not _is_key_id(params.get(b"keyid", b"")):
        return False
    return len(decoded(params.get(b"signature", b"")) or b"") >= _LEAST_DRAFT_BYTES


def _message_signature(candidate: Candidate) -> Judgement:
    if _DRAFT.match(candidate.value):
        return _VERDICTS[is_draft(candidate.value)]
    described = candidate.companions[0] if candidate.companions else None
    if described is None:
        # Some senders call a bare digest so.
        return _VERDICTS[SHAPES["any"](candidate.value)]
    labels = {label for label, signature in _MEMBER.findall(candidate.value) if decoded(signature)}
    return _VERDICTS[not labels.isdisjoint(_INPUT.findall(described))]


def _among_parameters(candidate: Candidate) -> Judgement | None:
    """In a query or a form: a name alone says too little, so its companions must stand beside it."""
    if candidate.name == "oauth_signature":
        return _VERDICTS[is_oauth(_as_params(candidate))] if candidate.companions[0] else None
    if candidate.name == "sig":
        version, expiry, resource, *moments = candidate.companions
        shared = expiry and (version or resource)
        return _VERDICTS[is_digest(candidate.value)] if shared else _beside(candidate.value, moments)
    if candidate.name in _ADDRESSES:
        return _in_address(candidate)
    if candidate.name in _BESIDE_MOMENTS:
        return _beside(candidate.value, candidate.companions)
    if not any(candidate.companions):
        return None
    if candidate.name == "Signature" and any(candidate.companions[_KEY_PAIR]):
        return _VERDICTS[is_of_key_pair(candidate.value.translate(_OF_ADDRESSES))]
    # A service account signs with its own key pair, an interoperable key with a digest.
    by_account = candidate.name == "Signature" and any(candidate.companions[_SERVICE_ACCOUNT])
    return _VERDICTS[is_digest(candidate.value) or (by_account and is_of_key_pair(candidate.value))]


def _in_address(candidate: Candidate) -> Judgement | None:
    """A signature of a family whose companions are there; other things may be called so, and are no digest."""
    if not all(candidate.companions):
        return None
    form, signature = _ADDRESSES[candidate.name].form, candidate.value
    if form != "digest":
        found = _TILDED.search(signature) if form == "fields" else _DASHED.fullmatch(signature)
        signature = found[1] if found else b""
    return _VERDICTS[True] if is_digest(signature) else None


def _beside(signature: bytes, moments: Iterable[bytes | None]) -> Judgement | None:
    """A signature beside what limits its life; other things are called so, too, and are no digest."""
    return _VERDICTS[True] if any(moments) and is_digest(signature) else None


def _as_params(candidate: Candidate) -> dict[bytes, bytes]:
    """OAuth 1.0 parameters of a query or form, as if they stood in Authorization (RFC 5849 sections 3.5.2 and 3.5.3)."""
    named = zip(_OAUTH_BESIDE, candidate.companions, strict=True)
    return {name.encode(): value or b"" for name, value in named} | {b"oauth_signature": candidate.value}


def _is_key_id(value: bytes) -> bool:
    return _VISIBLE.fullmatch(value) is not None and not is_placeholder(value)


def _unescaped(value: bytes) -> bytes:
    """A signature with the escapes of its base64 undone (RFC 5849 section 3.6 and shared access signatures)."""
    for escape, character in ((b"%2B", b"+"), (b"%2F", b"/"), (b"%3D", b"=")):
        value = value.replace(escape, character).replace(escape.lower(), character)
    return value


SCHEME: Scheme = Scheme(
    type=AuthType.HMAC,
    judge=judge,
    words=("signature", "oauth", *_FORMS),
    rules=(
        Rule(Point.of("header", "SIGNATURE"), "RFC 9421, section 4", ("SIGNATURE-INPUT",)),
        *(Rule(Point.of("header", row.name), row.source, pattern=row.pattern) for row in HEADERS),
        Rule(Point.of("get", "sig"), "Azure Storage, shared access signatures", (*_SHARED_ACCESS, *_MOMENTS)),
        Rule(Point.of("get", "oauth_signature"), "RFC 5849, section 3.5.3", _OAUTH_BESIDE),
        Rule(Point.of("post", "form_urlencoded", "oauth_signature"), "RFC 5849, section 3.5.2; LTI 1.1", _OAUTH_BESIDE),
        *(Rule(Point.of("get", name), source, _MOMENTS) for name, source in _BESIDE_MOMENTS.items()),
        *(Rule(Point.of("get", row.name), row.source, row.beside) for row in ADDRESSES),
        Rule(
            Point.of("get", "Signature"),
            "Amazon S3 version 2, CloudFront; Alibaba, Tencent and Google Cloud",
            _KEYS_BESIDE_SIGNATURE,
        ),
    ),
)
