"""Passwords that a mere address changes, in a session that a cookie holds."""

from gatecrash.core.message import Request, Response
from tests.range.forgery import COOKIE, refused, signed_in
from tests.range.place import Given, flaw, page, twin


def setting(path: str, more: bytes) -> Request:
    return Request("GET", path.encode() + b"?password_new=sesame-2&password_conf=sesame-2" + more, (COOKIE,))


def numbered(path: str, more: bytes = b"") -> Request:
    """Only the address speaks of a password."""
    return Request("GET", path.encode() + b"?new1=sesame-2&new2=sesame-2" + more, (COOKIE,))


@flaw("csrf", request=lambda path: setting(path, b""))
def set_by_address(given: Given) -> Response:
    """A password that a mere address changes, by a form that is shown again."""
    form_again = "<form><input type=password name=password_new><input type=password name=password_conf></form>"
    return page(form_again + "<p>Changed.</p>") if signed_in(given) else refused()


@twin("csrf", request=lambda path: setting(path, b"&password_current=sesame-1"))
def set_by_who_knows_the_old_one(given: Given) -> Response:
    if given.values.get("password_current") != "sesame-1":
        return page("That is not your password.", 403)
    return page("Changed.") if signed_in(given) else refused()


@twin("csrf", request=lambda path: setting(path, b"&user_token=9d2f77a1c0"))
def set_with_a_token(given: Given) -> Response:
    if given.values.get("user_token") != "9d2f77a1c0":
        return page("Your form has expired", 403)
    return page("Changed.") if signed_in(given) else refused()


@flaw("csrf", request=numbered)
def password(given: Given) -> Response:
    form_again = "<form><input type=password name=new1><input type=password name=new2></form>"
    return page(form_again + "<p>Password changed.</p>") if signed_in(given) else refused()


@twin("csrf", request=lambda path: numbered(path, b"&form_token=9d2f77a1c0"))
def password_with_a_token(given: Given) -> Response:
    if given.values.get("form_token") != "9d2f77a1c0":
        return page("Your form has expired", 403)
    return page("Password changed.") if signed_in(given) else refused()
