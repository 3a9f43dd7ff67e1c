"""Whether a part of the tree can be used already: asked of the part itself, never guessed from time."""

import http.client
import socket
from urllib.parse import urlsplit

LOOK_TIMEOUT = 2.0


def answers_ready(api: str) -> bool:
    """Whether the service says that it is ready."""
    parts = urlsplit(api)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=LOOK_TIMEOUT)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def accepts(host: str, port: int) -> bool:
    """Whether something listens there."""
    try:
        with socket.create_connection((host.strip("[]"), port), timeout=LOOK_TIMEOUT):
            return True
    except OSError:
        return False
