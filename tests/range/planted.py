"""Sessions that visitors are handed, and what a login makes of them."""

import itertools

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, miss, page, posted, twin

ANN = {"id": 7, "name": "Ann Marsh", "email": "ann@example.com"}
LOGIN = b'{"user": "ann", "password": "lamp-oil-and-rope"}'
RECORDED = "0b5d7e21c94f4a60b1d2"
NUMBERS = itertools.count(1)
SIGNED_IN: set[str] = set()


def signing_in(place: str) -> Request:
    return posted(f"{place}/login", LOGIN, b"application/json", ((b"Cookie", f"sid={RECORDED}".encode()),))


def handed() -> tuple[bytes, bytes]:
    return b"Set-Cookie", f"sid=5a71c0de{next(NUMBERS):012d}; Path=/; HttpOnly".encode()


def session(given: Given) -> str:
    return (given.request.first(b"Cookie") or b"").decode().removeprefix("sid=")


def signing_in_by_a_form(place: str) -> Request:
    body = b"_token=f0a1b2c3d4e5f6a7b8c9&user=ann&password=lamp-oil-and-rope"
    headers = ((b"Cookie", f"sid={RECORDED}".encode()),)
    return posted(f"{place}/login", body, b"application/x-www-form-urlencoded", headers)


def guarded_by_a_token(given: Given, *, renews: bool = False) -> Response:
    """The same, of a form whose token belongs to the session that it was handed to."""
    sid = session(given)
    if given.request.method == "POST":
        is_its_own = sid == RECORDED or given.values.get("_token") == f"token-of-{sid}"
        return site(given, renews=renews) if is_its_own else answer({"error": "this page has expired"}, 419)
    if not given.request.path.endswith(b"/login"):
        return site(given)
    sid, headers = (sid, ()) if sid else (None, (handed(),))
    sid = sid or headers[0][1].split(b";")[0].removeprefix(b"sid=").decode()
    form = f'<form method="post"><input type="hidden" name="_token" value="token-of-{sid}"><input name="user"></form>'
    return page(form, 200, *headers)


def site(
    given: Given, *, renews: bool = False, beside: bool = False, open_: bool = False, only: bytes = b""
) -> Response:
    """renews: the login makes a new session. beside: what lets in is another cookie, which only the login of the record
    did not need.
    open_: whoever has any session is let in. only: the end of the one page that hands out a session.
    """
    sid, path = session(given), given.request.path
    if path.endswith(b"/login") and given.request.method == "POST":
        if renews and sid != RECORDED:
            new = handed()
            SIGNED_IN.add(new[1].split(b";")[0].removeprefix(b"sid=").decode())
            return Response(200, (new, (b"Content-Type", b"application/json")), b'{"ok": true}')
        SIGNED_IN.update([] if beside else [sid])
        return answer({"ok": True})
    if path.endswith(b"/me"):
        return answer(ANN) if sid in SIGNED_IN or (open_ and sid) else answer({"error": "please sign in"}, 401)
    if not path.endswith(only):
        return answer({"shop": "lamps"})
    return Response(200, (handed(), (b"Content-Type", b"application/json")), b'{"shop": "lamps"}')


@flaw("auth", request=signing_in, apart=True)
def session_is_kept(given: Given) -> Response:
    return site(given)


@flaw("auth", request=signing_in_by_a_form, apart=True)
def session_is_kept_by_a_form_with_a_token(given: Given) -> Response:
    return guarded_by_a_token(given)


@twin("auth", request=signing_in_by_a_form, apart=True)
def session_is_made_anew_by_a_form_with_a_token(given: Given) -> Response:
    return guarded_by_a_token(given, renews=True)


@twin("auth", request=signing_in, apart=True)
def session_is_made_anew(given: Given) -> Response:
    return site(given, renews=True)


@twin("auth", request=signing_in, apart=True)
def session_of_a_visitor_lets_nobody_in(given: Given) -> Response:
    return site(given, beside=True)


@twin("auth", request=signing_in, apart=True)
def page_is_open_to_any_session(given: Given) -> Response:
    return site(given, open_=True)


@miss("auth", request=signing_in, apart=True)
def session_is_handed_out_elsewhere(given: Given) -> Response:
    """At a page that nobody would look at before he signs in."""
    return site(given, only=b"/window")
