"""A draft's own answer: asked for once, before its tests, and what it means where it was no good one.

A draft is a request that a user imported from a description of the API, so that nobody knows what it is answered. Where
the answer says that the request was not let in, or does not fit, tests of it that find nothing have shown nothing.
"""

import msgspec

from gatecrash.core.message import Exchange, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.oracles.refused import refusal
from gatecrash.core.testing.probe import TestRequest
from gatecrash.core.testing.replay import trimmed
from gatecrash.node.test.session_checks import Attendance

_ERROR, _SERVER_ERROR = 400, 500


def is_unanswered(exchange: Exchange) -> bool:
    """Whether this is a draft that was not sent yet."""
    return exchange.drafted and exchange.response is None


async def asked(baseline: Baseline, attendance: Attendance) -> tuple[Baseline, str]:
    """The baseline with its answer, and the failure where none came."""
    answer = await attendance.send(TestRequest(baseline.request, "control"))
    response = answer.exchange.response
    if response is None:
        return baseline, answer.failure or "closed"
    exchange: Exchange = msgspec.structs.replace(
        baseline.exchange, response=trimmed(response), started=answer.exchange.started, elapsed=answer.exchange.elapsed
    )
    return Baseline(baseline.id, exchange), ""


def fault_of(exchange: Exchange) -> tuple[str, str] | None:
    """Why a draft's tests show nothing where they found nothing: (reason of contract 2.10, detail); None where they do."""
    response = exchange.response
    if not exchange.drafted or response is None:
        return None
    if response.status >= _SERVER_ERROR:
        return "recording_error", f"the request as described is answered {response.status}; its tests show nothing"
    why = refusal(response)
    if why:
        return "auth_failed", f"the request as described is refused ({why}); give its credentials by an auth profile"
    return _unfit(response)


def _unfit(response: Response) -> tuple[str, str] | None:
    if response.status < _ERROR:
        return None
    return (
        "recording_error",
        f"the request as described is answered {response.status}; give examples whose values exist on the target",
    )
