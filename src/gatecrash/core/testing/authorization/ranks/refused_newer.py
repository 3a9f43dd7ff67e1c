"""Functions whose newer version (`/v2/incidents` of `/v1/incidents`) is given to the higher identity and refused to the lower one."""

from collections.abc import Generator

from gatecrash.core.message import Response, reading
from gatecrash.core.statuses import UNAUTHORIZED
from gatecrash.core.testing.asking import ask, ask_as, response_of
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.oracles.outcomes.refused import is_good, refusal
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_MOST = 2


def refused_in_newer(situation: Situation, lower: Identity, _: Response) -> Generator[TestRequest, Answer, str]:
    """What says that the same is for the higher rank in a newer version of the API, in words; empty where nothing does.

    A session that one version does not know says nothing of ranks.
    """
    for target in situation.newer[:_MOST]:
        newer = reading(situation.baseline.request, target)
        kept = response_of((yield from ask_as(newer, lower.name, "control")))
        if kept.status == UNAUTHORIZED or refusal(kept) is None:
            continue
        if is_good(response_of((yield from ask(newer, "control")))):
            return f"The newer version {target.decode('latin-1')} is given to the higher one, and refused to the same identity."
    return ""
