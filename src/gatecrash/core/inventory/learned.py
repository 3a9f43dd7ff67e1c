"""Recognising with what was learned of a host's sessions: after a capture was read, before its requests are tested."""

from typing import Protocol

from gatecrash.core.auth.recogniser import Recognised, Recogniser
from gatecrash.core.auth.sessions import Sessions
from gatecrash.core.inventory.called_credentials import of_a_call
from gatecrash.core.inventory.endpoint import host_of
from gatecrash.core.message import Exchange, Request


class Recognises(Protocol):
    """Whatever can say which credentials a request carries."""

    def recognise(self, request: Request) -> tuple[Recognised, ...]:
        """Every credential of the request, one a point."""
        ...


class Learned:
    """A recogniser that knows the sessions of hosts: cookies that a login issued are credentials, a visitor's are none.

    Without this, leaving out the cookie that every visitor is handed would look like getting in without credentials.
    What the message of a call brings (a SOAP header's token) is one, too.
    """

    def __init__(self, recogniser: Recogniser, sessions: Sessions) -> None:
        """Recognise by this configuration, and by what these sessions have learned so far."""
        self._recogniser = recogniser
        self._sessions = sessions

    def recognise(self, request: Request) -> tuple[Recognised, ...]:
        """Every credential of the request, one a point; sessions that are no likely credentials are left out."""
        found = self._recogniser.recognise(request)
        # Without an answer there is nothing to learn from: this only judges.
        judged = self._sessions.follow(host_of(request), Exchange(request), found, likely=True)
        return (*(one for one in judged if not one.unproven), *of_a_call(request))
