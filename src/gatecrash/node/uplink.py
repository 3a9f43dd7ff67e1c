"""The client of the control plane: node messages over HTTP, and the pauses before one is sent again. The token is never logged."""

import logging
import random
from typing import TYPE_CHECKING, Protocol, TypeVar
from urllib.parse import urlsplit

import msgspec

from gatecrash.core.errors import PeerError, UserError
from gatecrash.core.testing.selection.hosts import is_loopback_name
from gatecrash.wire import codec

if TYPE_CHECKING:
    import httpx

TOKEN_HEADER = "X-Service-API-Token"  # noqa: S105 - a header's name
HELLO = "/v1/node/hello"
HEARTBEAT = "/v1/node/heartbeat"
BASELINES = "/v1/node/baselines"
CLAIM = "/v1/node/claim"
RESULTS = "/v1/node/results"
DESCRIBE = "/v1/node/describe"
ACQUAINT = "/v1/node/acquaint"
COUNTS = "/v1/node/counts"

MAX_PAUSE = 15.0
PATIENCE_SECONDS = 30.0

Reply = TypeVar("Reply", bound=msgspec.Struct)


class Unreachable(PeerError):
    """The control plane did not answer, or answered that it cannot now (5xx, 429): worth another try.

    retry_after: seconds it asked for.
    """

    def __init__(self, text: str, retry_after: float | None = None) -> None:
        super().__init__(text)
        self.retry_after = retry_after


class Rejected(PeerError):
    """The control plane understood and refused. status: the HTTP status, as in its envelope."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


class Caller(Protocol):
    """Whatever brings a message to the control plane and its reply back."""

    async def call(
        self, path: str, message: msgspec.Struct, expected: type[Reply], patience: float = PATIENCE_SECONDS
    ) -> Reply:
        """Sends one message and reads its reply. Raises Unreachable, Rejected, or ProtocolMismatch."""
        ...


class Uplink:
    """Sends wire messages. One per node; safe for many tasks at once."""

    def __init__(self, api: str, token: str, *, insecure: bool = False) -> None:
        """Raises UserError where the address is none, or would carry the token over a network in the clear."""
        import ssl

        import httpx  # not before there is a service to talk to: a scan has none, and starts in three quarters of the time

        check_api(api, insecure=insecure)
        # httpx logs each request at INFO: noise here, and addresses may be telling.
        logging.getLogger("httpx").setLevel(logging.WARNING)
        # The system's authorities or SSL_CERT_FILE: httpx would bring a list of its own, in which a company's is not.
        verify = ssl.create_default_context() if api.lower().startswith("https") else False
        self._client = httpx.AsyncClient(
            verify=verify,
            base_url=api.rstrip("/"),
            headers={TOKEN_HEADER: token, "Content-Type": codec.CONTENT_TYPE, "Accept": codec.CONTENT_TYPE},
            timeout=httpx.Timeout(PATIENCE_SECONDS, connect=5),
            trust_env=False,
        )

    @property
    def url(self) -> "httpx.URL":
        """The control plane's address."""
        return self._client.base_url

    async def call(
        self, path: str, message: msgspec.Struct, expected: type[Reply], patience: float = PATIENCE_SECONDS
    ) -> Reply:
        """Sends one message and reads its reply. patience: seconds in which some of it must come.

        Raises Unreachable, Rejected, or ProtocolMismatch where the reply is not understood.
        """
        import httpx

        try:
            response = await self._client.post(
                path, content=codec.encode(message), timeout=httpx.Timeout(patience, connect=min(patience, 5))
            )
        except httpx.HTTPError as error:
            raise Unreachable(f"The control plane cannot be reached: {str(error) or type(error).__name__}.") from error
        if response.status_code == httpx.codes.OK:
            return codec.decode(response.content, expected)
        text = f"The control plane answered {response.status_code} to {path}: {_reason(response)}"
        if response.status_code >= 500 or response.status_code in (408, 429):
            raise Unreachable(text, _retry_after(response))
        raise Rejected(response.status_code, text)

    async def close(self) -> None:
        """Lets go of the connections."""
        await self._client.aclose()


class Pauses:
    """Growing pauses with jitter, so that many nodes do not come back at the same moment."""

    def __init__(self, first: float = 0.25, most: float = MAX_PAUSE) -> None:
        self._next = first
        self._most = most

    def next(self, at_least: float | None = None) -> float:
        """Seconds to wait now: half to all of the present pause, which doubles."""
        pause = self._next * (0.5 + random.random() / 2)  # noqa: S311 - jitter
        self._next = min(self._next * 2, self._most)
        return round(max(pause, min(at_least or 0.0, 60.0)), 3)


def check_api(api: str, *, insecure: bool) -> None:
    """Raises UserError where the address is no address, or plain HTTP to another machine without `--insecure`."""
    parts = urlsplit(api)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UserError(f"The control plane's address {api!r} is no address such as https://gatecrash.example.com.")
    if parts.scheme == "http" and not insecure and not is_loopback_name(parts.hostname):
        raise UserError(
            f"The control plane at {api} would be spoken to in the clear, token and recorded credentials included. "
            "Use https, or --insecure where the network between is trusted."
        )


def _reason(response: "httpx.Response") -> str:
    """The envelope's message; never more of the body than that."""
    try:
        body = msgspec.json.decode(response.content, type=dict[str, object]).get("body")
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return "no envelope; is this address the control plane's?"
    message = body.get("message") or body.get("error") if isinstance(body, dict) else None
    return str(message or body)[:300]


def _retry_after(response: "httpx.Response") -> float | None:
    value = response.headers.get("Retry-After", "")
    return float(value) if value.isdigit() else None
