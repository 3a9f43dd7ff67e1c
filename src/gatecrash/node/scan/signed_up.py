"""Two accounts made by a site's own registration while it is read, so that the record shows users as a browser's would: each begins
with the login that let him in.
"""

from collections.abc import Awaitable, Callable, Iterable

from gatecrash.core.message import Exchange, Request
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.core.testing.profiles.recorded_logins import signed_in
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.accounts.enrolment import Enrolment

Send = Callable[[Request], Awaitable[Answer]]


class SignedUp:
    """profile: who was let in; None where nobody was. logins: how they registered and signed in, in this order. trouble: why nobody
    was let in.
    """

    def __init__(self, drafts: Iterable[Draft]) -> None:
        self._enrolment = Enrolment(drafts)
        self.profile: AuthProfile | None = None
        self.logins: list[Exchange] = []
        self.trouble = ""

    async def run(self, send: Send) -> None:
        """Make the accounts and sign in, where the forms show how."""
        if not self._enrolment.possible:
            return

        async def noted(request: Request) -> Answer:
            answer = await send(request)
            response = answer.exchange.response
            if response is not None and response.status < FIRST_ERROR and signed_in(answer.exchange.request):
                self.logins.append(answer.exchange)
            return answer

        await self._enrolment.run(noted)
        self.profile, self.trouble = self._enrolment.profile, self._enrolment.trouble
