"""One's own profile as a site's page shows it, with the form that changes it: bound whole to a row, or field by field."""

from collections.abc import Callable
from html import escape

import msgspec

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, page, twin
from tests.range.tenants_properties import ROW, Takes, columns, keep, kept, sent
from tests.range.tenants_store import OPAQUE, SIGNED, caller, unauthorized, written

MEMBER = {"name": "Ann Marsh", "city": "York", "role": "customer"}


def form(path: str) -> Request:
    headers = ((b"Authorization", OPAQUE["ann"].encode()), (b"Content-Type", b"application/x-www-form-urlencoded"))
    return Request("POST", path.encode() + b"/profile", headers, b"name=Ann+Marsh&city=York")


def profile(
    given: Given,
    place: str,
    takes: Takes,
    *,
    draft: bool = False,
    show: Callable[[dict], Response] | None = None,
) -> Response:
    """Shown by GET; a POST keeps what it takes, or, for a draft, shows it once and keeps nothing."""
    if not caller(given.request):
        return page("<p>Please sign in.</p>", 401)
    member = kept(place, 7, MEMBER) or MEMBER
    if given.request.method != "GET":
        member = {**member, **takes(sent(given))}
        if not draft:
            keep(place, 7, member)
    return (show or shown)(member)


def fields_of(member: dict) -> str:
    return "".join(f'<input name="{name}" value="{escape(str(member[name]))}">' for name in ("name", "city"))


def in_rows(member: dict) -> Response:
    """Each name in a plain cell, its value in the next."""
    rows = "".join(f"<tr><td>{name.title()}</td><td>{escape(str(value))}</td></tr>" for name, value in member.items())
    return page(
        f"<h1>Profile</h1><table>{rows}</table><form method=post>{fields_of(member)}<button>Save</button></form>"
    )


def shown(member: dict) -> Response:
    fields = fields_of(member)
    return page(
        f"<h1>Profile</h1><form method=post>{fields}<button>Save</button></form><p>Role: {escape(str(member['role']))}</p>"
    )


@flaw("mass_assignment", request=form)
def every_field_of_the_form(given: Given) -> Response:
    return profile(given, "every_field_of_the_form", ROW)


@twin("mass_assignment", request=form)
def fields_of_the_form(given: Given) -> Response:
    return profile(given, "fields_of_the_form", columns("name", "city"))


@flaw("mass_assignment", request=form)
def every_field_of_the_form_of_rows(given: Given) -> Response:
    return profile(given, "every_field_of_the_form_of_rows", ROW, show=in_rows)


@twin("mass_assignment", request=form)
def fields_of_the_form_of_rows(given: Given) -> Response:
    return profile(given, "fields_of_the_form_of_rows", columns("name", "city"), show=in_rows)


@twin("mass_assignment", request=form)
def previewed_form_of_rows(given: Given) -> Response:
    return profile(given, "previewed_form_of_rows", ROW, draft=True, show=in_rows)


@twin("mass_assignment", request=form)
def previewed_form(given: Given) -> Response:
    """What was sent is shown once, to look at, the role included."""
    return profile(given, "previewed_form", ROW, draft=True)


@twin("mass_assignment", request=form)
def shown_until_it_is_looked_at(given: Given) -> Response:
    """What was asked for is shown twice; then it is looked at, and the role dropped."""
    place = "shown_until_the_form_is_looked_at"
    if given.request.method != "GET":
        keep(place, 8, {"shown": [sent(given)] * 2})
        return profile(given, place, columns("name", "city"))
    asked_for, *later = (kept(place, 8) or {}).get("shown") or [{}]
    keep(place, 8, {"shown": later})
    return shown({**(kept(place, 7) or MEMBER), **asked_for})


def bill(given: Given, place: str) -> Response:
    """One bill, shown by GET; a POST keeps all of the row, whether it is approved included."""
    if not caller(given.request):
        return page("<p>Please sign in.</p>", 401)
    told = kept(place, 7, {"name": "Ann Marsh", "city": "York", "approved": "no"})
    if given.request.method != "GET":
        told = {**told, **columns("name", "city", "approved")(sent(given))}
        keep(place, 7, told)
    approved = "yes" if told["approved"] in ("1", "yes") else "no"
    names = "".join(f"<p>{name.title()}: {escape(told[name])}</p>" for name in ("name", "city"))
    return page(
        f"<h1>Bill</h1>{names}<p>Approved: {approved}</p><form method=post><input name=name><input name=city></form>"
    )


def of_kind(kind: str) -> Callable[[str], Request]:
    """The form of one thing of a kind."""
    return lambda path: msgspec.structs.replace(form(path), target=f"{path}/{kind}/7/edit".encode())


@twin("mass_assignment", request=of_kind("bills"))
def a_bill_in_ones_own_books(given: Given) -> Response:
    """Nobody else has a say in it."""
    return bill(given, "a_bill_in_ones_own_books")


@flaw("mass_assignment", request=of_kind("expenses"))
def an_expense_that_its_maker_approves(given: Given) -> Response:
    return bill(given, "an_expense_that_its_maker_approves")


ELSEWHERE = b'{"email": "ann@example.com", "password": "lamp-oil-and-rope", "site": "shop.example"}'


@twin("idor", request=written("POST", "/vault", ELSEWHERE, tokens=SIGNED))
def kept_for_another_site(given: Given) -> Response:
    """What somebody signs in with elsewhere, whatever he is called there, kept for himself."""
    if not caller(given.request):
        return unauthorized()
    return answer({"id": 31, "email": given.values.get("email"), "site": "shop.example"}, 201)
