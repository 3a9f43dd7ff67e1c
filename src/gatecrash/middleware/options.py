"""What both kinds of middleware are told, and what they make of it."""

from typing import Generic, TypeVar

from gatecrash.middleware.sender import MAX_WAITING, Sender

App = TypeVar("App")


class Noting(Generic[App]):
    """An application, and where its requests are noted."""

    def __init__(
        self,
        app: App,
        collector: str = "http://127.0.0.1:8081",
        *,
        key: str | None = None,
        body_limit: int = 0,
        max_waiting: int = MAX_WAITING,
    ) -> None:
        """collector: the node's collector. key: its key. body_limit: bytes of a request's body that may be copied.

        max_waiting: notes that wait at most; those beyond are dropped.
        """
        self.app = app
        self.sender = Sender(collector, key, max_waiting)
        self._body_limit = body_limit
