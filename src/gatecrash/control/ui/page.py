"""What a page says of itself: who may see it and which methods it takes. The tests of roles read it from here.

@page(READ)                         everyone who is a member of the client
@page(RUN, "GET", "POST")           a form for those who may run tests
@page(EDIT, "POST")                 a change
"""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from gatecrash.control import ids
from gatecrash.control.api.errors import ApiError, FieldErrors
from gatecrash.control.api.roles import Roles
from gatecrash.control.ui import refusals

View = Callable[..., HttpResponse]


def page(roles: Roles, *methods: str) -> Callable[[View], View]:
    """Guard a view. methods: GET where none is named; HEAD goes with GET."""
    taken = frozenset(methods or ("GET",))

    def guard(view: View) -> View:
        @wraps(view)
        def guarded(request: Any, **names: str) -> HttpResponse:
            refused = _refused(request, roles, taken, names)
            if refused is not None:
                return refused
            try:
                return view(request, **names)
            except ApiError as error:
                return refusals.refused(request, error.status, error.message)
            except FieldErrors as error:
                return refusals.refused(request, error.status, refusals.sentence(error))

        guarded.roles = roles  # type: ignore[attr-defined]
        guarded.methods = taken  # type: ignore[attr-defined]
        return guarded

    return guard


def _refused(request: Any, roles: Roles, methods: frozenset[str], names: dict[str, str]) -> HttpResponse | None:
    """Why the view is not asked; None where it is."""
    if not request.user.is_authenticated:
        return to_sign_in(request)
    if request.visitor is None:
        return render(request, "accounts/no_client.html", status=403)
    if not all(map(ids.is_shaped, names.values())):
        return refusals.absent(request)
    method = "GET" if request.method == "HEAD" else request.method
    if method not in methods:
        return refusals.wrong_method(request, methods)
    if request.visitor.role not in roles:
        return refusals.refused(request, 403, f"Your role here is {request.visitor.role}, which may not do this.")
    return None


def to_sign_in(request: HttpRequest) -> HttpResponse:
    """To the sign-in page and back afterwards; a live part of a page makes the whole page go there.

    A form that was sent after its session had ended leads back to its page, and the sign-in page says that it was lost.
    """
    is_part, is_form = is_live(request), request.method not in ("GET", "HEAD")
    back = refusals.came_from(request) if is_part or is_form else request.get_full_path()
    query = {"next": back, "ended": "1" if is_form else ""}
    told = urlencode({name: value for name, value in query.items() if value}, safe="/")
    login = reverse("account_login") + (f"?{told}" if told else "")
    return HttpResponse(status=204, headers={"HX-Redirect": login}) if is_part else HttpResponseRedirect(login)


def is_live(request: HttpRequest) -> bool:
    """Whether a page asks for one of its own parts anew."""
    return request.headers.get("HX-Request") == "true" and request.headers.get("HX-Boosted") != "true"
