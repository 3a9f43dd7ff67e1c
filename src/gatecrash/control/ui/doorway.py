"""The door to the pages: what a browser needs around a view, and the API does without.

    assets, compression, security headers, session, CSRF, sign-in, lockout, and the visitor's client

The API's addresses pass it untouched. Django finds `process_view` and `process_exception` on the outermost object only,
so they are handed on from here.
"""

from collections.abc import Callable
from typing import Any

from allauth.account.middleware import AccountMiddleware
from axes.middleware import AxesMiddleware
from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.handlers.exception import convert_exception_to_response as _page_of_error
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.middleware.gzip import GZipMiddleware

from gatecrash.control import wall
from gatecrash.control.accounts import actor
from gatecrash.control.ui import visitor
from gatecrash.control.ui.assets import Assets

MACHINE_PATHS = ("/v1/", "/healthz", "/readyz", "/metrics")
# No inline script or style anywhere, nothing from another host, no framing, and forms that go nowhere else.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
ONE_YEAR = 365 * 24 * 3600

Next = Callable[[HttpRequest], HttpResponse]


class Doorway:
    """Everything around a page, in one middleware."""

    def __init__(self, get_response: Next) -> None:
        """Stand before the views."""
        self._machine = get_response
        self._account = AccountMiddleware(AxesMiddleware(_within_client(get_response)))
        self._csrf = CsrfViewMiddleware(AuthenticationMiddleware(MessageMiddleware(self._account)))
        # A database that is away breaks the session before any view is asked; that page, too, gets its headers.
        self._page = GZipMiddleware(_with_headers(_page_of_error(Assets(SessionMiddleware(self._csrf)))))

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer; the API's addresses pass."""
        return self._machine(request) if is_machine_path(request.path_info) else self._page(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        """Refuse a form that did not come from our own page."""
        if is_machine_path(request.path_info):
            return None
        refused: HttpResponse | None = self._csrf.process_view(request, view, args, kwargs)
        return refused

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Let the sign-in's steps redirect."""
        if is_machine_path(request.path_info):
            return None
        answer: HttpResponse | None = self._account.process_exception(request, error)
        return answer


def is_machine_path(path: str) -> bool:
    """Whether an address is the API's or a watcher's."""
    return path == "/v1" or path.startswith(MACHINE_PATHS)


def _within_client(get_response: Next) -> Next:
    """Find the visitor, and let the view see the rows of its client and no other."""

    def answer(request: Any) -> HttpResponse:
        request.visitor = None
        if request.user.is_authenticated:
            request.visitor = visitor.find(request.user, request.session.get(visitor.CHOSEN))
        if request.visitor is None:
            return get_response(request)
        with wall.client(request.visitor.client.id), actor.acting(request.user.pk):
            return get_response(request)

    return answer


def _with_headers(get_response: Next) -> Next:
    """Set what browsers are told; pages are never kept, for they hold one client's data."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if settings.PUBLIC_URL.startswith("https://"):
            response.headers.setdefault("Strict-Transport-Security", f"max-age={ONE_YEAR}")
        response.headers.setdefault("Cache-Control", "private, no-store")
        return response

    return answer
