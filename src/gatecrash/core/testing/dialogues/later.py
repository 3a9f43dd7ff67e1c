"""Asking through two requests: one keeps a payload, and the answer is that of a recorded request which sets something
off with it.

    later = yield from asking_later(situation, action)
    reply = yield from later.send(payload)

Every question costs two requests. What was kept by changing an object is put back by `put_back`.
"""

from collections.abc import Generator, Mapping

from gatecrash.core.errors import UserError
from gatecrash.core.message import Exchange, Request
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.asking import ask, response_of, settled
from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry
from gatecrash.core.testing.dialogues.set_off import action_of, setting_off
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_CHANGING = ("PUT", "PATCH")


class Later(Inquiry):
    """An inquiry whose answers are those of the request that sets off what the baseline keeps. samples: such answers to the value."""

    def __init__(self, situation: Situation, samples: list[Exchange], action: str) -> None:
        """action: what the recorded request is called by the last word of its address."""
        super().__init__(situation, samples)
        self._action = action
        # The last request that set something off, for people.
        self.asked: Request | None = None

    def send(
        self, payload: str, echoes: Mapping[str, str] | None = None, purpose: str = "test", *, raw: bool = False
    ) -> Asking:
        """The later answer; None where the payload is not kept."""
        try:
            keeping = self.writer.write(payload.encode("utf-8", "surrogateescape"), raw=raw)
        except UserError:
            return None
        asked = yield from _kept(self.situation, keeping, purpose, self._action)
        if asked is None:
            return None
        self.asked = asked
        answer = yield TestRequest(asked, purpose, measured=self.measured)
        return self._reply(settled(answer), payload, echoes)


def asking_later(situation: Situation, action: str) -> Generator[TestRequest, Answer, Later | None]:
    """The inquiry, with what the value itself comes to today; None where that goes wrong, and nothing can be told."""

    def usual() -> Generator[TestRequest, Answer, Exchange | None]:
        asked = yield from _kept(situation, situation.baseline.request, "control", action)
        return (yield from ask(asked, "control")) if asked is not None else None

    sample = yield from situation.memory.once(f"set off {action}", usual)
    if sample is None or response_of(sample).status >= FIRST_ERROR:
        return None
    return Later(situation, [sample], action)


def put_back(situation: Situation) -> Generator[TestRequest, Answer, None]:
    """What the baseline keeps is kept again, where it changes what is there."""
    if situation.baseline.request.method.upper() in _CHANGING:
        yield from ask(situation.baseline.request, "control")


def _kept(
    situation: Situation, keeping: Request, purpose: str, action: str
) -> Generator[TestRequest, Answer, Request | None]:
    """The request that sets off what is kept now."""
    response = response_of(settled((yield TestRequest(keeping, purpose))))
    if response.status >= FIRST_ERROR:
        return None
    return next((each for each in setting_off(situation, response) if action_of(each) == action), None)
