"""What goes on from a form that is one of several steps: the forms behind it, to the one that ends them and shows what
was said before.

onward = Onward()
onward.see(exchange)      for each exchange of the run
onward.of(request)        the forms behind a request's, in order; none where its pages lead to no end
onward.end_of(request)    the last of them; the request itself where there is none

A site leads from one step to the page of the next. That alone says nothing: whoever writes an announcement is led to
the list, and deletes another there. So the forms must stand in one folder, and the last be called as such ends are
(`/order/1`, `/order/2`, `/order/confirm`). Steps whose answers hold the next form themselves are told by `stages`.
"""

import re
from collections import OrderedDict
from typing import NamedTuple
from urllib.parse import urlsplit

from gatecrash.core.message import Exchange, Request, unsigned
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.sign_in import signs_in
from gatecrash.core.testing.forms.stages import COSTS, Stages
from gatecrash.core.testing.known.page import landing_of

_MOST_KEPT, _MOST_STEPS, _LARGEST = 500, 4, 8_000
_ENDS = re.compile(r"confirm\w{0,10}|finish\w{0,5}|complete|submit|done|save|final\w{0,5}", re.IGNORECASE)

_Host = tuple[str, int]


class _Step(NamedTuple):
    """One form. page: the path of the page that it was sent from. landing: where its answer led."""

    request: Request
    page: str
    landing: str


class Onward:
    """The forms of one run that were answered by the way to another page, or by one, newest last, a bounded number."""

    def __init__(self) -> None:
        """Begin with none."""
        self._steps: OrderedDict[tuple[_Host, str], _Step] = OrderedDict()
        self._stages = Stages()

    def see(self, exchange: Exchange) -> bool:
        """Keep a form that led on; whether it was not known before."""
        request, response = exchange.request, exchange.response
        if response is None or is_safe(request) or len(request.body) > _LARGEST or response.status >= FIRST_ERROR:
            return False
        landing = landing_of(request, response)
        if landing is None:
            return self._stages.see(exchange)
        if destroys(request) or signs_in(request) or COSTS.search(_path(request.target)):
            return False
        place = ((request.host, request.port), _path(request.target))
        is_new = place not in self._steps
        page = urlsplit((request.first(b"Referer") or b"").decode("latin-1")).path or _path(request.target)
        self._steps[place] = _Step(unsigned(request), page, _path(landing))
        if len(self._steps) > _MOST_KEPT:
            self._steps.popitem(last=False)
        return is_new

    def of(self, request: Request) -> tuple[Request, ...]:
        """The forms that go on from a request's, each sent from the page that the one before it led to."""
        host = (request.host, request.port)
        step = self._steps.get((host, _path(request.target)))
        found: list[_Step] = []
        while step is not None and len(found) < _MOST_STEPS:
            behind = self._behind(host, step, [_path(request.target), *(_path(each.request.target) for each in found)])
            if behind is None:
                break
            found.append(behind)
            step = behind
        if not found or not _ENDS.fullmatch(_last(_path(found[-1].request.target))):
            return self._stages.of(request)
        return tuple(each.request for each in found)

    def end_of(self, request: Request) -> Request:
        """What ends the steps that a request is one of: those who go through them in one session stand in each other's way."""
        return next(reversed(self.of(request)), request)

    def _behind(self, host: _Host, step: _Step, known: list[str]) -> _Step | None:
        own = _folder(_path(step.request.target))
        return next(
            (
                each
                for (where, path), each in reversed(self._steps.items())
                if where == host and each.page == step.landing and path not in known and _folder(path) == own
            ),
            None,
        )


def _path(target: bytes) -> str:
    return target.partition(b"?")[0].decode("latin-1")


def _folder(path: str) -> str:
    return path.rstrip("/").rpartition("/")[0]


def _last(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2].partition(".")[0]
