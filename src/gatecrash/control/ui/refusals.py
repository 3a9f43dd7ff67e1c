"""Pages that say no: what was wrong, and where to go from here. The API's addresses get their JSON as before."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

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
}


def refused(request: HttpRequest, status: int, message: str) -> HttpResponse:
    """A refusal as a page, or as a short text for a live part of one."""
    if request.headers.get("HX-Request"):
        return HttpResponse(message, status=status, content_type="text/plain; charset=utf-8")
    context = {"status": status, "title": TITLES.get(status, "This cannot be done"), "message": message}
    return render(request, "refusal.html", context, status=status)


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
    return refused(request, 500, "The service's log says what. Going back and trying again may help.")


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form whose token is missing or too old."""
    del reason
    return refused(request, 403, "This form is too old or came from elsewhere. Load the page again and repeat it.")
