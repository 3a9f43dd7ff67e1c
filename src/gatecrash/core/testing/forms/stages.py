"""What goes on from a form that is answered by the next one itself, as forms over several pages were always written: a hidden
`step` that counts, or `order1.php`, `order2.php`.

stages = Stages()
stages.see(exchange)             for each exchange of the run
stages.of(request)               the forms behind a request's, in order
holds_next(request, response)    the places of the forms that go on from there; `place_of` says which a request has

A page has other forms, too, which nobody fills in to go on: a step counts on from the one that was sent, to the same address,
or its address does in the same folder.
"""

import re
from collections import OrderedDict
from urllib.parse import urljoin

import msgspec

from gatecrash.core.message import Exchange, Request, Response, unsigned
from gatecrash.core.statuses import FIRST_REDIRECT
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.sign_in import signs_in
from gatecrash.core.testing.forms.values import addresses_of_forms, handed_out
from gatecrash.core.testing.operations.one_script import spoken_path
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.pages.reflection import renders
from gatecrash.core.testing.places.walked_points import walked

_MOST_KEPT, _MOST_STEPS, _LARGEST = 500, 4, 8_000
_STAGE = re.compile(
    r"(?:\w{1,20}_)?(?:step|stage|phase|screen|part|page_?no|page_?num(?:ber)?)|step_?no", re.IGNORECASE
)
_NUMBER = re.compile(r"(.*?)(\d{1,2})(\D{0,12})", re.DOTALL)
# What moves money or goes out is not done for every test of the steps before it.
COSTS = re.compile(r"pay|checkout|charge|transfer|withdraw|send|mail|purchase", re.IGNORECASE)

Place = tuple[str, str, str]
"""What a form is sent to, and what it calls its step, and which that is."""


class Stages:
    """The forms of one run that were answered by a page, newest last, a bounded number."""

    def __init__(self) -> None:
        """Begin with none."""
        self._steps: OrderedDict[tuple[str, int, Place], tuple[Request, frozenset[Place]]] = OrderedDict()

    def see(self, exchange: Exchange) -> bool:
        """Keep a form that may be a step; whether it was not known before."""
        request, response = exchange.request, exchange.response
        if response is None or is_safe(request) or len(request.body) > _LARGEST:
            return False
        if response.status >= FIRST_REDIRECT or not renders(response):
            return False
        place = place_of(request)
        if destroys(request) or signs_in(request) or any(map(COSTS.search, place)):
            return False
        # A last step looks like any form: it is kept where it says which step it is.
        behind = holds_next(request, response)
        if not behind and not place[2] and _NUMBER.fullmatch(place[0]) is None:
            return False
        key = (request.host, request.port, place)
        is_new = key not in self._steps
        self._steps[key] = (unsigned(request), behind)
        if len(self._steps) > _MOST_KEPT:
            self._steps.popitem(last=False)
        return is_new

    def of(self, request: Request) -> tuple[Request, ...]:
        """As far as they were seen."""
        found: list[Request] = []
        step = self._steps.get((request.host, request.port, place_of(request)))
        while step is not None and len(found) < _MOST_STEPS:
            known = (self._steps.get((request.host, request.port, each)) for each in step[1])
            step = next((each for each in known if each is not None), None)
            found += [step[0]] if step is not None else []
        return tuple(found)


def place_of(request: Request) -> Place:
    """Where a form is sent."""
    fields = (
        (each.point[-1], each.value) for each in walked(request) if each.point[0] == "post" and not each.container
    )
    stage = next(((name, value) for name, value in fields if _STAGE.fullmatch(name)), ("", b""))
    return spoken_path(request), stage[0], stage[1].decode("utf-8", "replace")


def holds_next(request: Request, response: Response) -> frozenset[Place]:
    """Of the forms in an answer."""
    if response.status >= FIRST_REDIRECT or not renders(response):
        return frozenset()
    address, name, value = place_of(request)
    steps = (
        (address, name, each.value)
        for each in handed_out(response)
        if name and each.name == name and each.action is not None and _at(request, each.action) == address
    )
    actions = (_at(request, each) for each in addresses_of_forms(text_of(response)))
    counted = frozenset((each, "", "") for each in actions if _counts_on(address, each))
    return counted | frozenset(step for step in steps if _goes_on(value, step[2]))


def _at(request: Request, action: str) -> str:
    """The address of a form's action, as `spoken_path` has it."""
    try:
        target = urljoin(request.target.decode("latin-1"), action)
    except ValueError:
        return ""
    return spoken_path(msgspec.structs.replace(request, target=target.encode("latin-1", "replace")))


def _goes_on(sent: str, offered: str) -> bool:
    """Whether a step comes behind another: one that has a name comes behind any other, for none goes back by itself."""
    if sent.isdigit() and offered.isdigit():
        return int(offered) == int(sent) + 1
    return bool(offered) and offered != sent


def _counts_on(sent: str, offered: str) -> bool:
    one, other = _NUMBER.fullmatch(sent), _NUMBER.fullmatch(offered)
    if one is None or other is None or (one[1], one[3]) != (other[1], other[3]):
        return False
    return int(other[2]) == int(one[2]) + 1
