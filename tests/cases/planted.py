"""Secrets in every place a request has for them, and the forms in which one could leak: for tests that search for them.

`PLANTED` holds one exchange a place; its `secrets` are the very bytes that must not be found afterwards, in any of
`forms()`. Names that may leave a node by design (a word in a path seen 3 times) are not planted as secrets.
"""

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import quote, quote_from_bytes

from gatecrash.core.message import Exchange, Request, Response

HOST = "teashop.example"
AT = 7200.0
_SHORTEST_PIECE = 10


@dataclass(frozen=True)
class Planted:
    """One exchange with secrets in it. place: where they stand."""

    place: str
    exchange: Exchange
    secrets: tuple[bytes, ...]


class _Source:
    """Secrets that differ from place to place and look like what they stand for."""

    def __init__(self) -> None:
        self.count = 0

    def token(self, length: int = 24) -> bytes:
        """Letters and digits."""
        self.count += 1
        digest = hashlib.sha512(b"planted %d" % self.count).digest()
        return base64.b64encode(digest).translate(None, b"+/=")[:length]

    def hex(self, digits: int) -> bytes:
        """Hexadecimal digits."""
        self.count += 1
        return hashlib.sha512(b"planted %d" % self.count).hexdigest()[:digits].encode()

    def base64(self, size: int) -> bytes:
        """Base64 of so many bytes."""
        self.count += 1
        return base64.b64encode(hashlib.sha512(b"planted %d" % self.count).digest()[:size])


def _one(place: str, secrets: Iterable[bytes], *headers: tuple[bytes, bytes], **parts: object) -> Planted:
    target = parts.pop("target", b"/orders")
    answer = parts.pop("answer", Response(200))
    method = parts.pop("method", "GET")
    request = Request(method, target, headers, parts.pop("body", b""), host=HOST)  # type: ignore[arg-type]
    exchange = Exchange(request, answer, AT, connection=f"c-{place}", client="203.0.113.77")  # type: ignore[arg-type]
    return Planted(place, exchange, tuple(secrets))


def _jwt(draw: _Source) -> tuple[bytes, bytes]:
    """A token, and the secret in its payload."""
    subject = draw.token()
    parts = (b'{"alg":"HS256"}', b'{"sub":"' + subject + b'"}')
    head, body = (base64.urlsafe_b64encode(part).rstrip(b"=") for part in parts)
    return b".".join((head, body, draw.token(43))), subject


def _schemes(draw: _Source) -> Iterator[Planted]:
    """A valid value of each authentication type."""
    key, opaque, user, password = draw.token(), draw.token(), draw.token(12), draw.token()
    token, subject = _jwt(draw)
    authorization = b"Authorization"
    yield _one("api key", [key], (b"X-API-Key", key))
    yield _one("bearer", [opaque], (authorization, b"Bearer " + opaque))
    yield _one("jwt", [token, subject, token.split(b".")[1]], (authorization, b"Bearer " + token))
    pair = base64.b64encode(user + b":" + password)
    yield _one("basic", [user, password, pair], (authorization, b"Basic " + pair))
    cookie = draw.token()
    yield _one("cookie", [cookie], (b"Cookie", b"theme=dark; PHPSESSID=" + cookie))
    name, response = draw.token(12), draw.hex(32)
    digest = b'Digest username="%b", realm="r", nonce="%b", uri="/orders", response="%b"' % (
        name,
        draw.token(),
        response,
    )
    yield _one("digest", [name, response], (authorization, digest))
    key_id, mac = draw.token(12), draw.base64(32)
    yield _one("hawk", [key_id, mac], (authorization, b'Hawk id="%b", ts="1", nonce="n1", mac="%b"' % (key_id, mac)))
    access, signature = draw.token(20), draw.hex(64)
    scope = b"%b/20260101/eu-west-1/s3/aws4_request" % access
    signed = b"AWS4-HMAC-SHA256 Credential=%b, SignedHeaders=host, Signature=%b" % (scope, signature)
    yield _one("aws_sigv4", [access, signature], (authorization, signed))
    shared = draw.base64(32)
    yield _one("hmac", [shared], (authorization, b"SharedKey teashop:" + shared))
    webhook = draw.hex(64)
    yield _one("webhook", [webhook], (b"X-Hub-Signature-256", b"sha256=" + webhook))
    ticket = base64.b64encode(bytes.fromhex("6082010006062b0601050502") + draw.token(200))
    yield _one("negotiate", [ticket[40:120]], (authorization, b"Negotiate " + ticket))
    person = draw.token(10)
    message = _authenticate(person, draw.token())
    yield _one("ntlm", [person, base64.b64encode(message)[40:]], (authorization, b"NTLM " + base64.b64encode(message)))
    final = b"c=biws,r=%b,p=%b" % (draw.token(), draw.base64(32))
    data = base64.b64encode(final)
    yield _one("scram", [final[20:], data], (authorization, b"SCRAM-SHA-256 sid=1, data=" + data))


def _authenticate(user: bytes, response: bytes) -> bytes:
    """An NTLM authenticate message ([MS-NLMP] section 2.2.1.3) of a user with a response."""
    fields = {20: response, 36: user}
    head = bytearray(b"NTLMSSP\x00\x03\x00\x00\x00".ljust(64, b"\x00"))
    offset = len(head)
    for place, part in fields.items():
        size = len(part).to_bytes(2, "little")
        head[place : place + 8] = size + size + offset.to_bytes(4, "little")
        offset += len(part)
    return bytes(head) + b"".join(fields.values())


def _places(draw: _Source) -> Iterator[Planted]:
    """Secrets where the schemes' own headers are not: addresses, bodies, names, answers, and where nobody looks."""
    query, escaped = draw.token(), b"p\xc3\xa9" + draw.token()
    yield _one("query", [query], target=b"/orders?api_key=" + query)
    yield _one("escaped query", [escaped], target=b"/orders?q=" + quote_from_bytes(escaped).encode())
    yield _one("query name", [name := draw.token()], target=b"/orders?" + name + b"=1")
    form = (b"Content-Type", b"application/x-www-form-urlencoded")
    yield _one("form", [sent := draw.token()], form, method="POST", body=b"client_secret=" + sent)
    typed = (b"Content-Type", b"application/json")
    yield _one("json", [sent := draw.token()], typed, method="POST", body=b'{"apiKey": "' + sent + b'"}')
    yield _one("path", [sent := draw.token()], target=b"/reset/" + sent)
    token, subject = _jwt(draw)
    yield _one("jwt in a path", [token, subject], target=b"/verify/" + token + b"/done")
    yield _one("address in a path", [b"ann.smith@postbox.example"], target=b"/people/ann.smith%40postbox.example")
    yield _one("file in a path", [sent := draw.hex(32)], target=b"/files/" + sent + b".pdf")
    yield _one(
        "uuid in a path", [b"8f14e45f-ceea-467f-a8d0-0b1c2d3e4f50"], target=b"/k/8f14e45f-ceea-467f-a8d0-0b1c2d3e4f50"
    )
    yield _one("matrix parameter", [sent := draw.token()], target=b"/carts;token=" + sent + b"/7")
    yield _one("session in a path", [sent := draw.hex(32)], target=b"/carts;jsessionid=" + sent)
    yield _one("key in parentheses", [b"ann.postbox"], target=b"/Customers('ann.postbox')/Orders")
    yield _one("name in a path", [b"Ann%20Postbox", b"Ann Postbox"], target=b"/people/Ann%20Postbox")
    yield _one("local address in a path", [b"ann.smith@postbox"], target=b"/people/ann.smith@postbox")
    yield _one("telephone in a path", [b"48-123-456-789"], target=b"/calls/%2B48-123-456-789")
    yield _one("card in a path", [b"4111-1111-1111-1111"], target=b"/cards/4111-1111-1111-1111")
    yield _one("network address in a path", [b"198.51.100.77"], target=b"/peers/198.51.100.77")
    sent = draw.token()
    yield _one("escapes in a path", [sent], target=b"/reset/" + b"".join(b"%%%02x" % byte for byte in sent))
    yield _one("link of Hawk", [sent := draw.base64(32)],
               target=b"/orders?bewit=" + base64.urlsafe_b64encode(b"teashop\\1700000000\\" + sent + b"\\"))  # fmt: skip
    signature = draw.hex(64)
    yield _one("presigned address", [signature], target=b"/orders?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential="
               b"AKID%2F20260101%2Feu-west-1%2Fs3%2Faws4_request&X-Amz-Date=20260101T000000Z&X-Amz-SignedHeaders=host"
               b"&X-Amz-Signature=" + signature)  # fmt: skip
    yield _one("address of a page", [sent := draw.token()], (b"Referer", b"https://teashop.example/?token=" + sent))
    yield _one("bearer in a cookie", [sent := draw.token()], (b"Cookie", b"Authorization=Bearer%20" + sent))
    yield _one("method of gRPC", [sent := draw.token()], (b"Content-Type", b"application/grpc"), method="POST",
               target=b"/tea.Shop/" + sent)  # fmt: skip
    yield _one("header name", [sent := draw.token(16)], (b"X-" + sent + b"-Signature", draw.hex(64)))
    yield _one("cookie name", [sent := draw.hex(32)], (b"Cookie", b"wordpress_logged_in_" + sent + b"=ann"))
    yield _one("agent", [sent := draw.token()], (b"User-Agent", b"teashop/1.0 (" + sent + b")"))
    yield _one("operation", [sent := draw.token(16)], typed, method="POST", target=b"/graphql",
               body=json.dumps({"query": f"query Q{sent.decode()} {{ tea }}"}).encode())  # fmt: skip
    yield _one("variables", [sent := draw.token()], typed, method="POST", target=b"/graphql",
               body=json.dumps({"query": "query Tea { tea }", "variables": {"key": sent.decode()}}).encode())  # fmt: skip
    yield _one("argument", [sent := draw.token()], typed, method="POST", target=b"/graphql",
               body=json.dumps({"query": f'{{ tea(key: "{sent.decode()}") }}'}).encode())  # fmt: skip
    xml = (b"Content-Type", b"text/xml")
    yield _one("soap", [sent := draw.token()], xml, (b"SOAPAction", b'"urn:tea#Brew"'), method="POST", target=b"/soap",
               body=b"<Envelope><Body><Brew>" + sent + b"</Brew></Body></Envelope>")  # fmt: skip
    issued = draw.token()
    login = b"username=ann&password=" + (password := draw.token())
    answer = Response(302, ((b"Set-Cookie", b"tea=" + issued + b"; HttpOnly; Path=/"),))
    yield _one("login", [issued, password], form, method="POST", target=b"/login", body=login, answer=answer)
    yield _one("learned cookie", [issued], (b"Cookie", b"tea=" + issued))
    handed = draw.token()
    visitor = Response(200, ((b"Set-Cookie", b"JSESSIONID=" + handed),))
    yield _one("handed out", [handed], answer=visitor)
    yield _one("answer's body", [sent := draw.token()], answer=Response(200, (), b'{"token": "' + sent + b'"}'))
    yield _one("invalid", [sent := draw.token(6)], (b"Authorization", b"Bearer " + sent))
    yield _one("custom", [sent := draw.token()], (b"X-Planted", sent))
    yield _one("client", [b"203.0.113.77"])


_draw = _Source()
PLANTED: tuple[Planted, ...] = (*_schemes(_draw), *_places(_draw))


def forms(secret: bytes) -> frozenset[bytes]:
    """The secret as it is, in pieces, and in the codings in which it could be written down; digests of it too."""
    pieces = {secret[start : start + _SHORTEST_PIECE] for start in range(max(1, len(secret) - _SHORTEST_PIECE + 1))}
    text = secret.decode("latin-1")
    found = {secret, secret.lower(), secret.upper(), secret[::-1], secret.hex().encode(), secret.hex().upper().encode()}
    found |= {quote_from_bytes(secret, safe="").encode()}
    found |= {"".join(escape % byte for byte in secret).encode() for escape in ("%%%02X", "%%%02x")}
    found |= {
        quote(quote_from_bytes(secret, safe=""), safe="").encode(),
        text.encode("utf-16-le"),
        text.encode("utf-8"),
    }
    found |= {"".join(f"\\u{byte:04x}" for byte in secret).encode(), json.dumps(text).strip('"').encode()}
    for algorithm in ("md5", "sha1", "sha256", "blake2b"):
        digest = hashlib.new(algorithm, secret)
        found |= {digest.digest(), digest.hexdigest().encode(), base64.b64encode(digest.digest())}
    for shift in range(3):
        # Where base64 begins within a group of three bytes, all letters but those at the edges are the same.
        coded = base64.b64encode(b"\x00" * shift + secret)
        start = 0 if not shift else 4
        middle = coded[start : len(coded) - 4]
        found |= {middle, middle.translate(bytes.maketrans(b"+/", b"-_"))}
    return frozenset(form for form in found | pieces if len(form) >= min(len(secret), _SHORTEST_PIECE))


def found_in(haystack: bytes, planted: Iterable[Planted] = PLANTED) -> list[str]:
    """Where planted secrets come to light in these bytes: `place: form`, nothing where none does."""
    return [
        f"{one.place}: {form!r}"
        for one in planted
        for secret in one.secrets
        for form in sorted(forms(secret))
        if form in haystack
    ]
