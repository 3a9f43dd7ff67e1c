"""The service over its public HTTP API: envelopes opened, failures told apart by whose fault they are."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

import click

from gatecrash import __version__
from gatecrash.cli.refusal import explain
from gatecrash.cli.settings import Settings
from gatecrash.core.errors import plain_reason
from gatecrash.core.testing.selection.hosts import is_loopback_name

if TYPE_CHECKING:
    import httpx

TOKEN_HEADER = "X-Service-API-Token"  # noqa: S105 - the header's name, not a token

PAGE = 1000
_UNHURRIED = (40.0, None, 40.0, 40.0)  # seconds to connect, to read, to write, and for a free connection


class Unreachable(click.ClickException):
    """No answer came, or none of a Gatecrash."""

    exit_code = 3


class Refused(click.ClickException):
    """The service answered with an error. status: of the envelope. body: its body."""

    exit_code = 4

    def __init__(self, status: int, body: Mapping[str, Any]) -> None:
        super().__init__("\n".join(explain(status, body)))
        self.status = status
        self.body = body


class Api:
    """One client's view of the service."""

    def __init__(self, settings: Settings, timeout: float = 40.0) -> None:
        import ssl

        import httpx  # a third of what starting costs, and most commands that import this one ask nothing

        self.settings = settings
        # A HTTP_PROXY that points at our own proxy would record these calls; on this machine none is needed.
        trust_env = not is_loopback_name(urlsplit(settings.api).hostname or "")
        headers = {TOKEN_HEADER: settings.token, "User-Agent": f"gatecrash-cli/{__version__}"}
        # Certificates take as long to load as a call does, and only TLS has any. httpx would bring a list of its own, in
        # which a company's authority is not.
        verify = ssl.create_default_context() if urlsplit(settings.api).scheme == "https" else False
        self._http = httpx.Client(
            base_url=settings.api, headers=headers, timeout=timeout, trust_env=trust_env, verify=verify
        )

    def __enter__(self) -> "Api":
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    @property
    def client_id(self) -> str:
        """The client whose things are shown: as set, else asked of the service."""
        if self.settings.client:
            return self.settings.client
        clients = self.get("/v1/clients", limit=2)["objects"]
        if len(clients) != 1:
            raise click.UsageError("This token manages several clients; name one with --client or GATECRASH_CLIENT.")
        return str(clients[0]["id"])

    def get(self, path: str, /, **params: object) -> dict[str, Any]:
        """The body of a GET; parameters that are None are left out."""
        given = {name: _text(value) for name, value in params.items() if value is not None}
        return self._call("GET", path, params=given)

    def pages(self, path: str, limit: int | None = None, offset: int | None = None, **params: object) -> dict[str, Any]:
        """A listing: `objects` and `total`; without a limit every page of it, read one after the other."""
        if limit is not None:
            return self.get(path, limit=limit, offset=offset, **params)
        start = offset or 0
        first = self.get(path, limit=PAGE, offset=start, **params)
        objects, total = list(first["objects"]), first["total"]
        while start + len(objects) < total:
            more = self.get(path, limit=PAGE, offset=start + len(objects), **params)["objects"]
            if not more:
                break
            objects += more
        return {**first, "objects": objects}

    def post(self, path: str, document: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The body of the answer to a POST; without a document an empty one is sent."""
        return self._call("POST", path, json=dict(document or {}))

    def patch(self, path: str, document: Mapping[str, Any]) -> dict[str, Any]:
        """The body of the answer to a PATCH."""
        return self._call("PATCH", path, json=dict(document))

    def put(self, path: str, document: Mapping[str, Any]) -> dict[str, Any]:
        """The body of the answer to a PUT."""
        return self._call("PUT", path, json=dict(document))

    def upload(self, path: str, content: Iterable[bytes]) -> dict[str, Any]:
        """The body of the answer to a POST of a file, sent as it is read; the answer may take as long as it takes."""
        headers = {"Content-Type": "application/octet-stream"}
        return self._call("POST", path, content=content, headers=headers, timeout=_UNHURRIED)

    def download(self, path: str, /, **params: object) -> bytes:
        """The bytes of a file that a GET answers; its refusals are told as any other's."""
        given = {name: _text(value) for name, value in params.items() if value is not None}
        answer = self._send("GET", path, params=given, timeout=_UNHURRIED)
        if not answer.is_success or answer.headers.get("content-disposition") is None:
            self._open(answer)
        return answer.content

    def delete(self, path: str) -> dict[str, Any]:
        """The body of the answer to a DELETE."""
        return self._call("DELETE", path)

    def _call(self, method: str, path: str, **content: Any) -> dict[str, Any]:
        return self._open(self._send(method, path, **content))

    def _send(self, method: str, path: str, **content: Any) -> "httpx.Response":
        import httpx

        try:
            return self._http.request(method, path, **content)
        except httpx.TimeoutException as error:
            raise Unreachable(
                f"{self.settings.api} did not answer in time. Is it overloaded? `gatecrash check` looks."
            ) from error
        except httpx.TransportError as error:
            raise Unreachable(
                f"{self.settings.api} was not reached ({plain_reason(error)}). Is the service running (gatecrash up), and the address right "
                "(--api, GATECRASH_API)?"
            ) from error

    def _open(self, answer: "httpx.Response") -> dict[str, Any]:
        try:
            envelope = answer.json()
            status, body = envelope["status"], envelope["body"]
        except (ValueError, KeyError, TypeError):
            status = body = None
        if not isinstance(status, int) or not isinstance(body, dict):
            raise Unreachable(
                f"{self.settings.api} answered {answer.status_code}, but not as Gatecrash does. Is this the right address?"
            )
        if status >= 400:
            raise Refused(status, body)
        return body


def segment(identifier: str) -> str:
    """An identifier as one segment of a path."""
    return quote(identifier, safe="")


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
