"""Records of users who send their credentials: what tests of recorded users share."""

import base64
import json

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.core.testing.profiles.recorded import RecordedIdentities
from gatecrash.core.testing.profiles.recorded_sign_ins import SignIns

ALICE, BOB = "Bearer 8d5f2a90cc1e47ab", "Bearer 77f1b0e2d94c4b6a"


def jwt(subject: str, number: int) -> str:
    parts = (b'{"alg":"HS256"}', json.dumps({"sub": subject, "jti": number}).encode(), b"sig")
    return "Bearer " + ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)


def basic(user: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:pass".encode()).decode()


def seen(*credentials: str, host: str = "shop.example", status: int = 200, key: bytes = b"") -> AuthProfile | None:
    identities = RecordedIdentities(compile_recogniser())
    for place, value in enumerate(credentials):
        headers = (
            (b"Host", host.encode()),
            (b"Authorization", value.encode()),
            *(((b"X-Api-Key", key),) if key else ()),
        )
        request = Request("GET", b"/orders/%d" % place, headers, b"", "https", host, 443)
        identities.see(Exchange(request, Response(status, body=b"{}")))
    return identities.profile()


def signing_in(*exchanges: Exchange) -> AuthProfile:
    """The users who sign in there, as whom tests ask."""
    sign_ins = SignIns()
    for exchange in exchanges:
        sign_ins.see(exchange)
    profile = sign_ins.profile()
    assert profile is not None
    return profile


def names(profile: AuthProfile | None) -> list[str]:
    return [] if profile is None else [identity.name for identity in profile.identities]
