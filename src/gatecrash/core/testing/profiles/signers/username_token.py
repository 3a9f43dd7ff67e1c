"""WS-Security's UsernameToken: a name and a password, or a digest of it, in the header of a SOAP envelope.

A request that holds no envelope stays as it is. A token that stands there is replaced, else one is added, with the header
around it where the envelope has none. A digest is made anew for each request; a password as it is stays good, so that what a
test writes in the name's place arrives.

Standards and references
    OASIS Web Services Security UsernameToken Profile 1.1.1, section 3 (the digest is Base64(SHA-1(nonce + created + password)));
    SOAP Message Security 1.1.1, section 5.
"""

import base64
import hashlib
import re
from datetime import UTC, datetime
from typing import Final
from xml.sax.saxutils import escape

import msgspec

from gatecrash.core.message import Request, with_header
from gatecrash.core.point import Point
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.profiles.guarded import Guarded
from gatecrash.core.testing.profiles.moment import Moment

TEXT, DIGEST = "text", "digest"
KINDS: Final = (TEXT, DIGEST)
"""How the password is sent: as it is, or as a digest."""

_OASIS: Final = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-"
_WSSE, _WSU = f"{_OASIS}wssecurity-secext-1.0.xsd", f"{_OASIS}wssecurity-utility-1.0.xsd"
_PROFILE: Final = f"{_OASIS}username-token-profile-1.0"
_ENCODING: Final = f"{_OASIS}soap-message-security-1.0#Base64Binary"
_NAMED: Final = rb"<((?:[\w.-]{1,60}:)?)%s(?=[\s/>])"
_TOKEN, _SECURITY, _HEADER, _BODY, _ENVELOPE = (
    re.compile(_NAMED % name) for name in (b"UsernameToken", b"Security", b"Header", b"Body", b"Envelope")
)
_IN_TOKEN: Final = ("Password", "Username", "Nonce", "Created")


class UsernameToken(Guarded, frozen=True, array_like=True, kw_only=True, tag="ws_username_token"):
    """A user and a password. kind: one of KINDS."""

    username: str
    password: str
    kind: str = TEXT


def points(_config: UsernameToken) -> tuple[Point, ...]:
    """None that is known without the request: an envelope's prefixes are its own."""
    return ()


def points_in(request: Request) -> tuple[Point, ...]:
    """Where the token of a request stands, the password first."""
    found: list[tuple[int, Point]] = []
    for one in walk(request).points if _ENVELOPE.search(request.body) else ():
        above, name = (step.rpartition(":")[2] for step in (one.point[-3:][0], one.point[-1]))
        if above == "UsernameToken" and name in _IN_TOKEN and one.point[:2] == ("post", "xml"):
            found.append((_IN_TOKEN.index(name), one.point))
    return tuple(point for _, point in sorted(found, key=lambda each: each[0]))


def sign(config: UsernameToken, request: Request, moment: Moment) -> Request:
    """The request with the token; an older one is replaced."""
    body = request.body
    if _ENVELOPE.search(body) is None:
        return request
    written = _placed(body, _written(config, moment).encode("utf-8", "xmlcharrefreplace"))
    headers = with_header(request.headers, b"Content-Length", b"%d" % len(written))
    changed: Request = msgspec.structs.replace(request, headers=headers, body=written)
    return changed


def _placed(body: bytes, token: bytes) -> bytes:
    """The envelope with the token in the place of its own, else in what would hold it."""
    own = _TOKEN.search(body)
    if own is not None:
        return body[: own.start()] + token + body[_end_of(body, own, b"UsernameToken") :]
    security = b'<wsse:Security xmlns:wsse="%s">%s</wsse:Security>' % (_WSSE.encode(), token)
    for tag, name, content in ((_SECURITY, b"Security", token), (_HEADER, b"Header", security)):
        found = tag.search(body)
        if found is not None:
            return _within(body, found, name, content)
    before = _BODY.search(body)
    if before is None:
        return body
    header = b"<%bHeader>%b</%bHeader>" % (before[1], security, before[1])
    return body[: before.start()] + header + body[before.start() :]


def _end_of(body: bytes, found: re.Match[bytes], name: bytes) -> int:
    """Where an element ends that begins there; of one that nothing closes its first tag."""
    tag = body.find(b">", found.end()) + 1
    if body[tag - 2 : tag] == b"/>":
        return tag
    closing = body.find(b"</%b%b" % (found[1], name), tag)
    return body.find(b">", closing) + 1 if closing >= 0 else tag


def _within(body: bytes, found: re.Match[bytes], name: bytes, content: bytes) -> bytes:
    """The content first in an element, which is opened where it was empty."""
    tag = body.find(b">", found.end()) + 1
    if body[tag - 2 : tag] != b"/>":
        return body[:tag] + content + body[tag:]
    return body[: tag - 2] + b">" + content + b"</%b%b>" % (found[1], name) + body[tag:]


def _written(config: UsernameToken, moment: Moment) -> str:
    named = f"<wsse:Username>{escape(config.username)}</wsse:Username>"
    begun = f'<wsse:UsernameToken xmlns:wsse="{_WSSE}" xmlns:wsu="{_WSU}">{named}'
    if config.kind == TEXT:
        told = f'<wsse:Password Type="{_PROFILE}#PasswordText">{escape(config.password)}</wsse:Password>'
        return f"{begun}{told}</wsse:UsernameToken>"
    created = datetime.fromtimestamp(moment.now, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    # As SOAP Message Security says; as of the profile the nonce is hashed as it was before it was encoded.
    nonce = moment.nonce.encode()
    hashed = hashlib.sha1(nonce + created.encode() + config.password.encode(), usedforsecurity=False).digest()
    return (
        f'{begun}<wsse:Password Type="{_PROFILE}#PasswordDigest">{base64.b64encode(hashed).decode()}</wsse:Password>'
        f'<wsse:Nonce EncodingType="{_ENCODING}">{base64.b64encode(nonce).decode()}</wsse:Nonce>'
        f"<wsu:Created>{created}</wsu:Created></wsse:UsernameToken>"
    )
