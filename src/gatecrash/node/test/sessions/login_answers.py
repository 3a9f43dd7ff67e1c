"""What is told of the answer to a step of a login, where it lets nobody in."""

from gatecrash.core.message import Response
from gatecrash.core.statuses import FIRST_ERROR, FIRST_SERVER_ERROR
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.testing.profiles.locked_out import locked_out
from gatecrash.core.testing.profiles.second_steps import leads_to_second_step

_TOO_MANY = 429


def refused(response: Response, *, by_page: bool) -> str:
    """Why an answer to a login refuses; empty where it does not.

    by_page: whether the words of its page count. Many sites answer a wrong password with 200 and the form again; where the
    recorded login was answered in such words, too, they tell nothing.
    """
    if response.status >= FIRST_ERROR:
        return f"answered {response.status}{locked_out(response)}"
    how = refusal(response) if by_page and not leads_to_second_step(response) else None
    return "" if how is None else f"answered {response.status} ({how}){locked_out(response)}"


def may_pass(response: Response) -> bool:
    """Whether the same login may be let in a moment later."""
    return response.status >= FIRST_SERVER_ERROR or response.status == _TOO_MANY


def unanswered(failure: str | None) -> str:
    """Why no answer came."""
    return _UNANSWERED.get(failure or "", "no answer came")


_UNANSWERED = {
    "refused": "the target refuses connections",
    "timeout": "the target does not answer in time",
    "silent": "the target takes requests and answers nobody any more",
    "not_allowed": "its host may not be tested; name it in ALLOWED_HOSTS",
    "banned": "the target has banned who tests it",
}
