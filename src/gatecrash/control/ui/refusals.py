"""Pages that say no: what was wrong, and where to go from here. The API's addresses get their JSON as before."""

import logging
import sys
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import REASON_BAD_ORIGIN
from django.shortcuts import render
from django.template.loader import render_to_string

from gatecrash.control import database_trouble
from gatecrash.control.api import health
from gatecrash.control.api.errors import FieldErrors
from gatecrash.control.ui import words

TITLES = {
    400: "This cannot be done as asked",
    403: "Not allowed",
    404: "Nothing here",
    405: "Not this way",
    409: "Not now",
    500: "Something went wrong on our side",
    503: "Not available at the moment",
}
RETRY_SECONDS = 5
_BAD_ORIGIN = REASON_BAD_ORIGIN.partition("%s")[0]

log = logging.getLogger(__name__)


def refused(request: HttpRequest, status: int, message: str, back: str = "") -> HttpResponse:
    """A refusal as a page, or as a short text for a live part of one. back: the page to go on from, if not the first."""
    if request.headers.get("HX-Request"):
        return HttpResponse(message, status=status, content_type="text/plain; charset=utf-8")
    return render(request, "refusal.html", _context(status, message) | {"back": back}, status=status)


def _context(status: int, message: str) -> dict[str, object]:
    return {"status": status, "title": TITLES.get(status, "This cannot be done"), "message": message}


def wrong_method(request: HttpRequest, methods: frozenset[str]) -> HttpResponse:
    """A method that a page does not take, as when the address of a form's button is opened by itself."""
    answer = refused(request, 405, "This address is not a page of its own: a button of another page leads to it.")
    answer["Allow"] = ", ".join(sorted(methods))
    return answer


def came_from(request: HttpRequest) -> str:
    """The page of ours on which a form was sent or a live part asked for; empty where that is not known."""
    try:
        told = urlsplit(request.headers.get("HX-Current-URL") or request.headers.get("Referer", ""))
    except ValueError:  # brackets that hold no address
        return ""
    if told.netloc != request.get_host():
        return ""
    return told.path + (f"?{told.query}" if told.query else "")


def sentence(error: FieldErrors) -> str:
    """Every faulty field in one text."""
    return " ".join(words.problem(problem) for problem in error.problems.values())


def absent(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """No such page, or no such thing in this client."""
    from gatecrash.control.ui.doorway import is_machine_path

    if is_machine_path(request.path_info):
        return health.absent(request, exception)
    return refused(request, 404, "There is nothing at this address, or it is not yours to see.")


def crashed(request: HttpRequest) -> HttpResponse:
    """Ours; the log says what."""
    from gatecrash.control.ui.doorway import is_machine_path

    if is_machine_path(request.path_info):
        return health.crashed(request)
    status, message = 500, "The service's log says what. Going back and trying again may help."
    told = database_trouble.said(sys.exc_info()[1])
    if told is not None:
        status, message = 503 if told == database_trouble.AWAY else 500, told
    try:
        answer = refused(request, status, message)
    except Exception:  # the frame asks the session, which may be what is broken
        log.warning("the page of an error could not have the frame of the others", exc_info=True)
        text = render_to_string("refusal.html", _context(status, message))
        answer = HttpResponse(text, status=status)
    if status == 503:
        answer["Retry-After"] = str(RETRY_SECONDS)
    return answer


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form whose token is missing or too old, or that came from another address than the service knows as its own.

    Browsers name where a form came from. Behind a proxy that ends TLS the service must be told that address.
    """
    origin = request.headers.get("Origin")
    if origin and reason.startswith(_BAD_ORIGIN):
        own = settings.PUBLIC_URL or f"{request.scheme}://{request.get_host()}"
        told = f"This form came from {origin}; forms are taken from {own} only, and nothing was done. Whoever runs the service behind a proxy names its outer address in GATECRASH_PUBLIC_URL."
        return refused(request, 403, told)
    told = "This form is too old or came from elsewhere; nothing was done. Load its page again and repeat it."
    return refused(request, 403, told, came_from(request))
