"""An account of our own made by a registration, with what its refusals ask for.

All its fields are sent, then the needed ones alone, then those with the password that the document shows. A refusal that
names fields which the description does not have (`full_name is required`), or the form of one (`role must be one of: …`), is
followed by a registration with them, a few times.
"""

import secrets
from collections.abc import Awaitable, Callable, Container, Mapping
from typing import TypeGuard

from gatecrash.core.message import Request, Response
from gatecrash.core.points.walk import read
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.operations.graphql import operation_of
from gatecrash.core.testing.operations.narrowing import narrowed
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.outcomes.told_errors import tells_errors
from gatecrash.core.testing.own_passwords import own_password
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.profiles.entrance import Account, enrolling, fields
from gatecrash.formats.draft import Draft
from gatecrash.formats.refusals.told_fields import completed
from gatecrash.formats.refusals.told_forms import reworded
from gatecrash.node.scan.accounts.unique_accounts import is_taken_by_another, with_its_own
from gatecrash.node.scan.drafts.answered import is_unfit

_MOST_FOLLOWED = 8

Send = Callable[[Request], Awaitable[Answer]]


class Registering:
    """Makes accounts, and remembers how they are made.

    registering.both(request)               a request, and with the needed fields alone, as they are let through
    await registering.account(request, send)
    registering.enrolling(request, account)
    """

    def __init__(self, spares: Mapping[Request, Request]) -> None:
        """spares: requests with the needed fields alone, by those with all of them."""
        self._spares = spares
        self._better: dict[Request, Request] = {}
        self._called: Container[str] = ()
        self._is_unique = False  # whether more of an account than its name, address and password must be its own
        self.trouble = ""

    async def account(
        self, registration: Request, send: Send, called: Container[str] = ()
    ) -> tuple[Account, Response] | None:
        """An account with what was answered when it was made; None where `trouble` says why there is none. called: what the login
        calls its users' names, plain.
        """
        self._called = called
        for account in (made_up(), made_up(like=registration, called=called)):
            for request in self.both(registration):
                answer = await self._sent(request, account, send)
                response = answer.exchange.response
                if response is None:
                    self.trouble = unanswered(request, answer)
                    return None
                allowed = narrowed(request, response)
                if allowed is not None:  # it may have made the account all the same, so that another is asked for
                    self._better[request], account = allowed, made_up()
                    response = (await send(self.enrolling(allowed, account))).exchange.response or response
                response = await self._followed(request, account, response, send)
                if is_good(response):
                    return account, response
                self.trouble = f"{told(registration)} makes no account: it is answered {_answered(response)}"
        return None

    def enrolling(self, request: Request, account: Account) -> Request:
        """The registration with the account, and with whatever else must be its own."""
        return enrolling(with_its_own(request, account.user) if self._is_unique else request, account, self._called)

    def both(self, request: Request) -> list[Request]:
        """The request and the one with the needed fields alone, where that still says who is meant."""
        spare = self._spares.get(request)
        return [
            self.allowed(one)
            for one in (request, spare)
            if one is request or (one is not None and fields(one, self._called))
        ]

    def allowed(self, request: Request) -> Request:
        """A request with what refusals asked for, of GraphQL without what was refused of its answer, where that was found out."""
        for _ in range(_MOST_FOLLOWED + 1):
            request = self._better.get(request, request)
        return request

    async def _sent(self, request: Request, account: Account, send: Send) -> Answer:
        answer = await send(self.enrolling(request, account))
        response = answer.exchange.response
        if response is not None and not self._is_unique and is_taken_by_another(response):
            self._is_unique = True
            answer = await send(self.enrolling(request, account))
        return answer

    async def _followed(self, request: Request, account: Account, refused: Response, send: Send) -> Response:
        """The answer to the registration with what its refusals ask for; the first refusal where that makes no account either."""
        request, response, ways = self.allowed(request), refused, dict[Request, Request]()
        for _ in range(_MOST_FOLLOWED):
            better = _asked_for(request, response)
            answered = (await self._sent(better, account, send)).exchange.response if better is not None else None
            if better is None or answered is None:
                break
            ways[request] = better
            if is_good(answered):
                self._better |= ways
                return answered
            request, response = better, answered
        return refused


def _asked_for(request: Request, response: Response) -> Request | None:
    """The request with the fields that a refusal names, or values of the form that it tells; None where it tells nothing new."""
    if not is_unfit(response):
        return None
    asked = completed(Draft(request=request, response=response, drafted=True))
    return asked.request if asked is not None else reworded(request, response)


def made_up(like: Request | None = None, called: Container[str] = ()) -> Account:
    """An account that nobody has. like: a registration whose own password fits its rules, and the length of its name. called: as
    of `fields`.
    """
    word = "gc" + fresh_letters(secrets.SystemRandom(), 8)
    password = own_password(secrets.token_hex(5))
    if like is not None:
        kinds = fields(like, called)
        shown = {kind: (read(like, point) or b"").decode("utf-8", "replace") for point, kind in kinds.items()}
        password = shown.get("password") or password
        word = word[: max(3, len(shown.get("user", word)))]
    return Account(user=word, mail=f"{word}@example.com", password=password)


def is_good(response: Response | None) -> TypeGuard[Response]:
    """Whether an answer gives what was asked for: GraphQL tells errors under a good status, too."""
    return response is not None and response.status < FIRST_ERROR and not tells_errors(text_of(response))


def _answered(response: Response) -> str:
    return "errors" if response.status < FIRST_ERROR else str(response.status)


def told(request: Request) -> str:
    """A request for people: its method and path, and the field where GraphQL has one path for all."""
    operation = operation_of(request)
    named = f" {operation.field}" if operation is not None else ""
    return f"{request.method} {request.path.decode('ascii', 'backslashreplace')}{named}"


def unanswered(request: Request, answer: Answer) -> str:
    """Why there is nothing to go by: nobody answered."""
    return f"no answer came from {host_of(request)} ({answer.failure or 'closed'}); is the application running there?"


def host_of(request: Request) -> str:
    """Host and port, as an address has them."""
    host = f"[{request.host}]" if ":" in request.host else request.host
    return f"{host}:{request.port}"
