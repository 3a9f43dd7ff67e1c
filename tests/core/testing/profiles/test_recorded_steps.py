"""By which steps a recorded user is let in again."""

from urllib.parse import urlencode

from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.core.testing.profiles.recorded_sign_ins import SignIns, origin_host

HOST = "yard.example"
CLIENT = (b"Authorization", b"Basic eWFyZC1hcHA6YXBwLXMzY3JldC03Nw==")
FORM = (b"Content-Type", b"application/x-www-form-urlencoded")


def asked(target: str, *headers: tuple[bytes, bytes], body: str = "", answer: Response | None = None) -> Exchange:
    sent: Headers = ((b"Host", HOST.encode()), *headers)
    request = Request("POST" if body else "GET", target.encode(), sent, body.encode(), "http", HOST, 80)
    return Exchange(request, answer or Response(200, body=b'{"ok": true}'))


def dead(*exchanges: Exchange) -> AuthProfile:
    """How they sign in whose sessions are all over."""
    sign_ins = SignIns([(origin_host(each.request), each.request.path) for each in exchanges])
    for exchange in exchanges:
        sign_ins.see(exchange)
    profile = sign_ins.profile()
    assert profile is not None
    return profile


def test_two_who_are_let_in_through_one_program_stay_two_and_the_program_is_named_again() -> None:
    def granted(name: str, token: str) -> tuple[Exchange, Exchange]:
        body = urlencode({"grant_type": "password", "username": name, "password": "sesame"})
        given = Response(200, body=f'{{"access_token": "{token}"}}'.encode())
        bearer = (b"Authorization", f"Bearer {token}".encode())
        return asked("/oauth/token", CLIENT, FORM, body=body, answer=given), asked("/me", bearer)

    profile = dead(*granted("ann", "at-111122223333"), *granted("ben", "at-444455556666"))
    assert [each.known for each in profile.identities] == [("ann",), ("ben",)]
    for identity in profile.identities:
        assert ("Authorization", CLIENT[1].decode()) in identity.login[0].headers
        assert [(each.point, each.value) for each in identity.values] == [
            (("header", "AUTHORIZATION"), "Bearer ${token}")
        ]
