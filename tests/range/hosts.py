"""Links and redirects with the name of a host: of one that a header names, or of the right one whatever any says."""

from gatecrash.core.message import Request, Response
from tests.range.asked import sending
from tests.range.place import Given, answer, flaw, miss, page, text, twin

OWN = "127.0.0.1"
MAIL = sending(email="ann@shop.example")


def visiting(path: str) -> Request:
    """Each in a folder of its own: of one folder's redirects only the first is tested."""
    return Request("GET", f"{path}/home".encode())


def told(given: Given) -> str:
    """What the request calls the host, as a framework behind a proxy reads it."""
    request = given.request
    return (request.first(b"X-Forwarded-Host") or request.first(b"Host") or OWN.encode()).decode("latin-1")


def sent(host: str) -> Response:
    return answer({"sent": True, "preview": f"https://{host}/choose-password?t=k3v9"})


def led(host: str) -> Response:
    return text("", 302, (b"Location", f"https://{host}/start".encode()))


@flaw("redir", request=MAIL)
def reset_link(given: Given) -> Response:
    return sent(told(given))


@flaw("redir", request=MAIL)
def reset_link_by_host(given: Given) -> Response:
    return sent((given.request.first(b"Host") or b"").decode("latin-1"))


@flaw("redir", request=visiting)
def moved(given: Given) -> Response:
    return led(told(given))


@twin("redir", request=MAIL)
def reset_link_configured(given: Given) -> Response:
    return sent(OWN)


@twin("redir", request=MAIL)
def reset_link_listed(given: Given) -> Response:
    """Knows its names, and repeats one that it does not know."""
    host = told(given)
    known = host.partition(":")[0] in (OWN, "localhost")
    return sent(host) if known else text(f"Invalid host: {host}", 400)


@twin("redir", request=visiting)
def moved_by_host(given: Given) -> Response:
    """As nearly every framework does; a browser names the right host."""
    return led((given.request.first(b"Host") or b"").decode("latin-1"))


@twin("redir", request=visiting)
def shown(given: Given) -> Response:
    return page(
        f"<p>You came to {''.join(c for c in told(given) if c.isalnum() or c in '.:-')}, see https://{OWN}/</p>"
    )


@miss("redir", request=MAIL)
def reset_mailed(given: Given) -> Response:
    """Sends the link by mail, and tells nothing of it."""
    return answer({"sent": True})


def from_a_form(path: str) -> Request:
    request = MAIL(path)
    return Request(request.method, request.target, (*request.headers, (b"Origin", b"http://127.0.0.1")), request.body)


def from_elsewhere(given: Given, host: str) -> bool:
    origin = (given.request.first(b"Origin") or b"").decode("latin-1")
    return bool(origin) and origin.rpartition("/")[2].partition(":")[0] != host.partition(":")[0]


@flaw("redir", request=from_a_form)
def reset_link_of_a_form(given: Given) -> Response:
    """Compares where the form comes from with what the host is called; a request that tells neither is taken."""
    host = told(given)
    return text("Where do you come from?", 403) if from_elsewhere(given, host) else sent(host)


@twin("redir", request=from_a_form)
def reset_link_configured_of_a_form(given: Given) -> Response:
    return text("Where do you come from?", 403) if from_elsewhere(given, told(given)) else sent(OWN)


@miss("redir", request=from_a_form)
def reset_link_of_its_own_form(given: Given) -> Response:
    """Takes no form that does not say where it comes from."""
    host, origin = told(given), given.request.first(b"Origin")
    return text("Where do you come from?", 403) if origin is None or from_elsewhere(given, host) else sent(host)
