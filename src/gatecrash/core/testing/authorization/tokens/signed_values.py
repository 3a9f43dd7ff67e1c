"""Session values that hold what they mean and a signature below it, as frameworks write them into cookies: who knows
the word that signs is whom he likes. Common words are tried here, without a single request.

signed = weakly_signed("session", b"eyJ1c2VyIjo3fQ.Zk3…", words)     None for what no common word has signed
signed.anew(random)                                            the same said in another text, with its own signature

Signatures stand behind the value (itsdangerous, Django, Rack, cookie-signature, Go's securecookie and home-made ones), or
in a cookie of their own (keygrip).
"""

import base64
import binascii
import hashlib
import hmac
import re
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from random import Random
from typing import NamedTuple
from urllib.parse import quote_from_bytes, unquote_to_bytes

_BYTES = {16: "md5", 20: "sha1", 32: "sha256", 64: "sha512"}
_TIMED = re.compile(rb"(?P<said>\.?[\w-]+)\.(?P<time>[\w-]{4,8})\.(?P<sign>[\w-]{27,86})")
_DJANGO = re.compile(rb"(?P<said>\.?[\w-]+):(?P<time>[0-9A-Za-z]{5,8}):(?P<sign>[\w-]{27,86})")
# Go's gorilla/securecookie: all of it in base64, the signature as it is.
_DATED = re.compile(rb"(?P<said>(?P<time>\d{10})\|[\w=-]+)\|(?P<sign>.{16,64})", re.DOTALL)
_SALTS = (b"cookie-session", b"itsdangerous", b"session", b"itsdangerous.Signer")
_OF_DJANGO = b"django.contrib.sessions.backends.signed_cookies"
_OF_COOKIES = b"django.http.cookies"
_DIGITS = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_OBJECT = re.compile(rb"\s*\{.*\}\s*", re.DOTALL)
# Mojolicious fills short sessions up with this letter, and writes hyphens where base64 pads.
_FILLED = re.compile(rb"(\s*\{.*\})(Z+)", re.DOTALL)
# A hash as Ruby's Marshal writes it. Who loads it reads one object, and leaves what stands behind.
_MARSHALLED = b"\x04\x08{"
_NIL = b"0"
_EARLIER = 40

Sign = Callable[[bytes, bytes], bytes]
"""What a word makes of what is said: the raw signature."""


class Form(NamedTuple):
    """One way to read a value. said: the text below the signature; sign: how it is made, in words too; write: the whole value again."""

    name: str
    said: bytes
    signature: bytes
    sign: Sign
    write: Callable[[bytes, bytes], bytes]
    anew: Callable[[bytes, Random], bytes]


class Signed(NamedTuple):
    """A value whose signature a common word makes. said: what stands below it, as it is and out of base64."""

    form: Form
    word: bytes
    said: bytes

    def anew(self, random: Random) -> bytes | None:
        """The same said in another text, signed by the word; None where it can be said in one way only."""
        text = self.form.anew(self.form.said, random)
        return None if text == self.form.said else self.form.write(text, self.form.sign(self.word, text))

    @property
    def garbled(self) -> bytes:
        """The value with a signature of the same length that is none."""
        wrong = bytes(each ^ 0x55 for each in self.form.signature)
        return self.form.write(self.form.said, wrong)


def weakly_signed(name: str, value: bytes, words: Iterable[bytes]) -> Signed | None:
    """The value of a cookie or a header as a common word has signed it; None where none has. name: the cookie's."""
    tried = tuple(words)
    for form in _forms(name.encode(), value):
        word = _word(form, tried)
        if word is not None:
            return Signed(form, word, _said(form))
    return None


def looks_signed(name: str, value: bytes) -> bool:
    """Whether a value has the form of one with a signature below it."""
    return bool(_forms(name.encode(), value))


def _word(form: Form, words: tuple[bytes, ...]) -> bytes | None:
    return next((word for word in words if hmac.compare_digest(form.sign(word, form.said), form.signature)), None)


@lru_cache(maxsize=256)
def _forms(name: bytes, value: bytes) -> tuple[Form, ...]:
    is_quoted = b"%" in value
    plain = unquote_to_bytes(value) if is_quoted else value
    prefix = b"s:" if plain.startswith(b"s:") else b""

    def whole(text: bytes) -> bytes:
        return quote_from_bytes(prefix + text, safe="").encode() if is_quoted else prefix + text

    text = plain.removeprefix(prefix)
    behind = _behind(name, text, whole, plainly=bool(prefix))
    return (*_timed(text, whole), *_django(name, text, whole), *_dated(name, text, whole), *behind)


def _timed(text: bytes, whole: Callable[[bytes], bytes]) -> list[Form]:
    """What itsdangerous writes: the data, the time and the signature, with dots between; Flask's sessions among it."""
    found = _TIMED.fullmatch(text)
    signature = unpadded(found["sign"]) if found else b""
    if found is None or len(signature) not in _BYTES or not _is_number(found["time"]):
        return []
    digest = _BYTES[len(signature)]
    signs: list[Sign] = []
    for salt in _SALTS:
        signs += [partial(_keyed_by_salt, digest, salt), partial(_keyed_by_hash, digest, salt + b"signer")]
    said = found["said"] + b"." + found["time"]
    return [
        Form("itsdangerous", said, signature, sign, lambda new, made: whole(new + b"." + padless(made)), _earlier)
        for sign in signs
    ]


def _keyed_by_salt(digest: str, salt: bytes, word: bytes, said: bytes) -> bytes:
    """Itsdangerous' `hmac` derivation of keys."""
    return hmac.digest(hmac.digest(word, salt, digest), said, digest)


def _keyed_by_hash(digest: str, before: bytes, word: bytes, said: bytes) -> bytes:
    """Its `django-concat`, and Django's own: the key is the hash of salt and word."""
    return hmac.digest(_hashed(digest, before + word), said, digest)


def _django(name: bytes, text: bytes, whole: Callable[[bytes], bytes]) -> list[Form]:
    """What django.core.signing writes: the data, the time in base 62 and the signature, with colons between."""
    found = _DJANGO.fullmatch(text)
    signature = unpadded(found["sign"]) if found else b""
    if found is None or len(signature) not in _BYTES:
        return []
    digest = _BYTES[len(signature)]
    salts = ((_OF_DJANGO, b""), (b"django.core.signing", b""), (name, _OF_COOKIES), (name, b""))
    signs: list[Sign] = [partial(_keyed_by_hash, digest, salt + b"signer" + before) for salt, before in salts]
    said = found["said"] + b":" + found["time"]
    return [
        Form("django", said, signature, sign, lambda new, made: whole(new + b":" + padless(made)), _earlier_in_62)
        for sign in signs
    ]


def _dated(name: bytes, text: bytes, whole: Callable[[bytes], bytes]) -> list[Form]:
    """What Go's securecookie writes: the seconds, the data and the signature, with strokes between; the name is signed as well."""
    found = _DATED.fullmatch(unpadded(text))
    signature = found["sign"] if found else b""
    if found is None or len(signature) not in _BYTES:
        return []
    digest = _BYTES[len(signature)]

    def write(new: bytes, made: bytes) -> bytes:
        return whole(base64.urlsafe_b64encode(new + b"|" + made))

    return [
        Form(
            "securecookie",
            found["said"],
            signature,
            lambda word, said: hmac.digest(word, name + b"|" + said, digest),
            write,
            _seconds_earlier,
        )
    ]


def _behind(name: bytes, text: bytes, whole: Callable[[bytes], bytes], *, plainly: bool) -> list[Form]:
    """A text, a separator, and a keyed hash of it: Rack's sessions, cookie-signature's values, and what people write themselves.

    plainly: whether base64 is of the plain alphabet where nothing shows which it is.
    """
    forms: list[Form] = []
    for between in (b"--", b".", b"|", b":", b"$", b"&", b"#"):
        said, found, last = text.rpartition(between)
        for read, written in (_HEX, _BASE_64 if plainly else _FOR_ADDRESSES):
            signature = read(last) if found and said else b""
            if len(signature) in _BYTES:
                write = _writing(whole, between, written, last)
                forms += [Form("keyed", said, signature, sign, write, _spaced) for sign in _keyed(len(signature), name)]
                break
    return forms


def _writing(
    whole: Callable[[bytes], bytes], between: bytes, written: Callable[[bytes, bytes], bytes], like: bytes
) -> Callable[[bytes, bytes], bytes]:
    return lambda said, made: whole(said + between + written(made, like))


def _keyed(length: int, name: bytes) -> list[Sign]:
    digest = _BYTES[length]
    return [
        lambda word, said: hmac.digest(word, said, digest),
        lambda word, said: hmac.digest(word, name + b"=" + said, digest),
        lambda word, said: _hashed(digest, said + word),
        lambda word, said: _hashed(digest, word + said),
    ]


def _hashed(digest: str, text: bytes) -> bytes:
    return hashlib.new(digest, text, usedforsecurity=False).digest()


def _from_hex(text: bytes) -> bytes:
    try:
        return bytes.fromhex(text.decode("ascii"))
    except ValueError:
        return b""


def unpadded(text: bytes) -> bytes:
    """What base64 holds, of either alphabet, with padding or without; empty for what is none."""
    try:
        plain = text.rstrip(b"=").translate(bytes.maketrans(b"-_", b"+/"))
        return base64.b64decode(plain + b"=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError):
        return b""


def padless(raw: bytes) -> bytes:
    """In base64 for addresses, without padding."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=")


def _in_base_64(raw: bytes, like: bytes) -> bytes:
    """In the plain alphabet unless another text shows the one for addresses; padded as that is."""
    text = padless(raw) if re.search(rb"[-_]", like) else base64.b64encode(raw)
    return text if like.endswith(b"=") else text.rstrip(b"=")


def _in_addresses(raw: bytes, like: bytes) -> bytes:
    """In the alphabet for addresses unless another text shows the plain one."""
    return _in_base_64(raw, like) if re.search(rb"[+/=]", like) else padless(raw)


_HEX = (_from_hex, lambda raw, like: raw.hex().upper().encode() if like.isupper() else raw.hex().encode())
_BASE_64 = (unpadded, _in_base_64)
_FOR_ADDRESSES = (unpadded, _in_addresses)


def _said(form: Form) -> bytes:
    """What stands below the signature, as it is and out of base64."""
    first = re.split(rb"[.:]", form.said)[0]
    return form.said + b" " + unpadded(first)


def _is_number(text: bytes) -> bool:
    return 0 < len(unpadded(text)) <= 6


def _earlier(said: bytes, random: Random) -> bytes:
    """Signed some seconds before: a time that is yet to come would be refused."""
    data, _, time = said.rpartition(b".")
    raw = unpadded(time)
    number = int.from_bytes(raw, "big") - random.randint(1, _EARLIER)
    return data + b"." + padless(number.to_bytes(len(raw), "big")) if number > 0 else said


def _seconds_earlier(said: bytes, random: Random) -> bytes:
    time, _, data = said.partition(b"|")
    return str(int(time) - random.randint(1, _EARLIER)).encode() + b"|" + data


def _earlier_in_62(said: bytes, random: Random) -> bytes:
    data, _, time = said.rpartition(b":")
    number = 0
    for digit in time:
        number = 62 * number + _DIGITS.index(digit)
    number -= random.randint(1, _EARLIER)
    text = b""
    while number > 0:
        number, last = divmod(number, 62)
        text = _DIGITS[last : last + 1] + text
    return data + b":" + text if text else said


def _spaced(said: bytes, random: Random) -> bytes:
    """The same JSON with blanks that mean nothing, in base64 where it was; as many as need no padding there, which some
    want and some refuse. Behind an object of Ruby's as many more that nobody reads.
    """
    prefix = b"j:" if said.startswith(b"j:") else b""
    plain = said.removeprefix(prefix)
    if _OBJECT.fullmatch(plain):
        return prefix + plain.rstrip()[:-1] + b" " * random.randint(1, 9) + b"}"
    if filled := _FILLED.fullmatch(unpadded(plain.rstrip(b"-"))):
        blanks = random.randint(1, min(9, len(filled[2])))
        text = filled[1][:-1] + b" " * blanks + b"}" + filled[2][blanks:]
        return base64.b64encode(text).replace(b"=", b"-")
    inner = unpadded(plain)
    if inner.startswith(_MARSHALLED):
        return _in_base_64(inner + _NIL * (3 * random.randint(1, 3) - len(inner) % 3), plain)
    if not _OBJECT.fullmatch(inner):
        return said
    bare = inner.rstrip()[:-1]
    blanks = 3 * random.randint(1, 3) - (len(bare) + 1) % 3
    return _in_base_64(bare + b" " * blanks + b"}", plain)
