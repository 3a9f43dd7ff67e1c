"""What an answer, or what is asked for, says of the platform behind it: Windows, PHP, or one of those that are not Java."""

import re

from gatecrash.core.message import Request, Response

_WINDOWS = re.compile(rb"IIS|ASP\.NET|Win(?:32|64|dows)", re.IGNORECASE)
_PHP = re.compile(rb"PHP", re.IGNORECASE)
# Servers of Python, Ruby and .NET, and Node's usual framework.
_NOT_JAVA = re.compile(
    rb"Werkzeug|gunicorn|uvicorn|hypercorn|daphne|WSGI|TornadoServer|Python/|aiohttp|WEBrick|Puma|Passenger|thin|Kestrel|IIS|ASP\.NET"
    rb"|Express|Next\.js",
    re.IGNORECASE,
)
_SERVERS = (b"Server", b"X-Powered-By", b"X-AspNet-Version")


def on_windows(response: Response | None) -> bool:
    """Whether an answer's headers name Windows or what runs there alone."""
    return response is not None and any(_WINDOWS.search(told) for name in _SERVERS for told in response.all(name))


def on_php(request: Request, response: Response | None) -> bool:
    """Whether the address, the answer's headers or the name of the session's cookie say that PHP answers."""
    told = [*request.all(b"Cookie")]
    if response is not None:
        told += [each for name in (b"Server", b"X-Powered-By", b"Set-Cookie") for each in response.all(name)]
    return request.path.endswith(b".php") or any(_PHP.search(each) for each in told)


def never_in_java(request: Request, response: Response) -> bool:
    """Whether what answers says that it is written in another language than Java's."""
    told = [each for name in (b"Server", b"X-Powered-By") for each in response.all(name)]
    return on_php(request, response) or any(_NOT_JAVA.search(each) for each in told)
