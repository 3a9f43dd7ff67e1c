"""The probe ptrav_cut, driven against the range's places over a real port."""

import pytest
from tests.core.testing.driving import drive, record
from tests.core.testing.probes.at_range import AtRange

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import Check, plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.ptrav_cut import PROBE
from gatecrash.core.testing.verdict import Outcome

REFUSED = Response(403, (), b"Only .md and .pdf files are allowed!")


class TestProbe(AtRange):
    name = "ptrav_cut"
    probe = PROBE

    @property
    def check(self) -> Check:
        """At a name that was refused."""
        return plan(record(lambda _: REFUSED, self.found), DEFAULT, (), (PROBE,))[0]


def asked(target: bytes, response: Response) -> bool:
    return bool(plan(record(lambda _: response, Request("GET", target)), DEFAULT, (), (PROBE,)))


def test_only_a_name_that_was_refused_for_its_ending_is_asked_about():
    assert asked(b"/look/stock.old", REFUSED)
    assert not asked(b"/look/stock.old", Response(200, (), REFUSED.body))
    assert not asked(b"/look/stock.old", Response(403, (), b"This is not for you."))
    assert not asked(
        b"/look/stock.old", Response(403, (), b"ask e.g. the desk at shop.example/help, no later than 5.pm")
    )
    assert not asked(b"/look", REFUSED)


@pytest.mark.parametrize("shown", [b"a;b", b""])
def test_a_folder_that_has_the_name_with_that_ending_as_well_proves_nothing(shown: bytes):
    """So does one that hands out nothing."""

    def application(request: Request) -> Response:
        return Response(200, (), shown) if b"stock" in request.target and request.target.endswith(b".md") else REFUSED

    (check,) = plan(record(application, Request("GET", b"/look/stock.old")), DEFAULT, (), (PROBE,))
    assert drive(check, application).verdict.outcome is Outcome.SAFE
