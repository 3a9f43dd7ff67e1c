"""Whether the target still shows its pages after what changes it was tested; which request spoilt them where it does not.

Pages beside a baseline are asked for before it is tested and behind it, in its own name. Where all of them have become one, the
recorded request is sent once more, which puts settings right that its tests had changed. A baseline that spoils the target is
not decided, and nothing is asked of a target that stays so.
"""

from collections.abc import Awaitable, Callable, Sequence

from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.health.sameness import ENOUGH, Said, candidates, is_one, is_well, said
from gatecrash.core.testing.known.page import Page, asking
from gatecrash.core.testing.operations.graphql import only_queries
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.node.test.wording import TargetGone

SPOILT = "spoilt"

Sends = Callable[[TestRequest], Awaitable[Answer]]
Shown = tuple[Request, Said]


class Spoilt:
    """What a run knows of its targets. told: what has spoilt one, by now.

    Kept by origin: what is tested now, or has spoilt something; and since when, and by which pages, a target is known
    to be spoilt.
    """

    def __init__(self) -> None:
        """All are well."""
        self.told: tuple[str, ...] = ()
        self._open: dict[str, dict[str, str]] = {}
        self._seen: dict[str, tuple[str, tuple[Request, ...]]] = {}

    def begin(self, baseline_id: str, request: Request) -> None:
        """A baseline that changes something is tested from now on."""
        self._open.setdefault(request.origin, {})[baseline_id] = _called(request)

    def end(self, baseline_id: str, request: Request) -> None:
        """The target is well behind it."""
        self._open.get(request.origin, {}).pop(baseline_id, None)

    def note(self, request: Request, pages: Sequence[Shown]) -> str:
        """These pages have become one; the words for it."""
        names = tuple(dict.fromkeys(self._open.pop(request.origin, {}).values()))
        self.told = tuple(dict.fromkeys((*self.told, *names)))
        words = f"spoilt: every page of the target says the same since {' or '.join(names) or 'this'} was tested"
        return self._seen.setdefault(request.origin, (words, tuple(asked for asked, _ in pages)))[0]

    def seen(self, request: Request) -> tuple[str, tuple[Request, ...]] | None:
        """The words for what is known of the request's target, and what tells whether it is still so."""
        return self._seen.get(request.origin)

    def over(self, request: Request) -> None:
        """The target is well again."""
        self._seen.pop(request.origin, None)


class Wellbeing:
    """One baseline's part in it. request: as it is sent. send: in its own name.

    await wellbeing.begin(find)     before its tests; raises TargetGone where the target was spoilt before
    await wellbeing.end()           behind them; raises TargetGone where they have spoilt it
    """

    def __init__(self, baseline_id: str, request: Request, spoilt: Spoilt, send: Sends) -> None:
        """Nothing is asked yet."""
        self._id = baseline_id
        self._request = request
        self._spoilt = spoilt
        self._send = send
        self._pages: list[Shown] = []

    async def begin(self, find: Callable[[], Sequence[Page]]) -> None:
        """find: the pages known of the target, the nearest first; asked where the baseline may change something."""
        seen = self._spoilt.seen(self._request)
        if seen is not None:
            words, asked = seen
            if await self._are_one(asked):
                raise TargetGone(SPOILT, words)
            self._spoilt.over(self._request)
        if not (is_safe(self._request) or only_queries(self._request)):
            # Where its tests go on later, the pages are known: what others made meanwhile makes none of them another's.
            self._pages = self._pages or await self._shown(candidates(find()))
            self._spoilt.begin(self._id, self._request)

    async def end(self) -> None:
        """Sees whether the target is as well as it was."""
        if not self._pages or not await self._has_spoilt():
            self._spoilt.end(self._id, self._request)
            return
        words = self._spoilt.note(self._request, self._pages)
        if destroys(self._request) is None:
            await self._send(TestRequest(self._request, "control"))
            if not await self._has_spoilt():
                self._spoilt.over(self._request)
        raise TargetGone(SPOILT, words)

    async def _shown(self, pages: Sequence[Page]) -> list[Shown]:
        """Pages that are shown now and differ, enough of them or none."""
        shown: list[Shown] = []
        for page in pages:
            exchange = await self._asked(asked := asking(self._request, page))
            answer = said(exchange)
            if answer is not None and is_well(exchange) and all(answer != other for _, other in shown):
                shown.append((asked, answer))
            if len(shown) == ENOUGH:
                return shown
        return []

    async def _has_spoilt(self) -> bool:
        """Whether the pages say the same now. Most often the first is as it was, and no other is asked."""
        asked, before = self._pages[0]
        return said(await self._asked(asked)) != before and await self._are_one([asked for asked, _ in self._pages])

    async def _are_one(self, asked: Sequence[Request]) -> bool:
        answers: list[Said | None] = []
        for request in asked:
            answers.append(said(await self._asked(request)))
            if not is_one(answers):
                return False
        return True

    async def _asked(self, request: Request) -> Exchange:
        return (await self._send(TestRequest(request, "control"))).exchange


def _called(request: Request) -> str:
    return f"{request.method} {request.path.decode('latin-1')}"
