"""What an answer, or what is asked for, says of the platform behind it: whether it runs on Windows, and whether PHP answers."""

import re

from gatecrash.core.message import Request, Response

_WINDOWS = re.compile(rb"IIS|ASP\.NET|Win(?:32|64|dows)", re.IGNORECASE)
_PHP = re.compile(rb"PHP", re.IGNORECASE)
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
