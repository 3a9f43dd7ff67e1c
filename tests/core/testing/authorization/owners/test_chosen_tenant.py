"""Whether a request chooses its sender's tenant, by its words and driven as two tenants."""

import pytest
from msgspec.structs import replace
from tests.core.testing.driving import credentials_of, record
from tests.core.testing.probes.as_tenants import drive_as, identities
from tests.range.place import answer
from tests.range.tenants_store import asked

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.objects.named import named_objects
from gatecrash.core.testing.authorization.owners.chosen_tenant import (
    is_his_tenant,
    is_kept_of_tenant,
    is_told_of_tenant,
)
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.idor import PROBE
from gatecrash.core.testing.verdict import Outcome

OWN = frozenset({"tenant=1", "tenant=40017"})


@pytest.mark.parametrize(
    ("path", "is_his"),
    [
        ("/companies/1", True),
        ("/orgs/1", True),
        ("/my-workspace/1", True),
        ("/companies/2", False),
        ("/loads/1", False),
        ("/organizers/1", False),
        ("/loads/40017", True),
    ],
)
def test_a_small_number_is_a_tenants_where_a_word_says_so(path, is_his):
    request = asked(path)("")
    assert is_his_tenant(request, named_objects(request)[-1], OWN) is is_his


@pytest.mark.parametrize(("path", "outcome"), [("/loads/1", Outcome.SAFE), ("/companies/1", Outcome.VULNERABLE)])
def test_what_all_tenants_read_is_nobodys_for_having_the_number_of_one(path, outcome):
    def exchange(request: Request) -> Response:
        if request.first(b"Authorization") is None:
            return answer({"error": "please sign in"}, 401)
        if request.path != path.encode():
            return answer({"error": "not found"}, 404)
        return answer({"id": 1, "from": "Kiel", "to": "Ulm", "goods": "doors", "ramp": 4})

    request = asked(path)("")
    own, other, *_ = identities(request)
    known = (replace(own, known=("tenant=1",)), replace(other, known=("tenant=2",)))
    (check,) = plan(record(exchange, request), DEFAULT, credentials_of(request), (PROBE,), identities=known)
    assert drive_as(check, exchange).verdict.outcome is outcome


@pytest.mark.parametrize(
    ("path", "is_kept"),
    [
        ("/firms/north/quotes", True),
        ("/firms/north/quotes/2026/1", True),
        ("/firms/40017", True),
        ("/firms/north", False),
        ("/firms/north/jobs/openings", False),
    ],
)
def test_the_page_of_a_tenant_by_name_and_what_it_publishes_may_be_for_others(path, is_kept):
    request = asked(path)("")
    (named,) = [each for each in named_objects(request, frozenset({"north"})) if each.value in ("north", "40017")]
    assert is_kept_of_tenant(request, named) is is_kept


@pytest.mark.parametrize("third", ["tenant=north", "tenant=south"], ids=["a colleague beside", "a stranger beside"])
@pytest.mark.parametrize(
    ("path", "told", "outcome"),
    [
        ("/firms/north/quotes", [{"id": 1, "customer": "Kai", "total": 70}], Outcome.VULNERABLE),
        ("/firms/north/invites", [], Outcome.SAFE),
        ("/firms/north", {"name": "North Ltd", "town": "Kiel", "founded": 1871}, Outcome.SAFE),
        (
            "/firms/north",
            {"name": "North Ltd", "billing_email": "pay@north.example", "iban": "DE1"},
            Outcome.VULNERABLE,
        ),
        ("/firms/north/openings", [{"id": 1, "title": "Joiner", "town": "Kiel"}], Outcome.SAFE),
        ("/tides/north", {"id": "north", "high": "07:10", "low": "13:20"}, Outcome.SAFE),
        ("/tides/north/tables", [{"id": 1, "high": "07:10", "low": "13:20"}], Outcome.SAFE),
    ],
)
def test_what_stands_below_the_name_of_ones_tenant_is_its_own(path, told, outcome, third):
    def exchange(request: Request) -> Response:
        if request.first(b"Authorization") is None:
            return answer({"error": "please sign in"}, 401)
        return answer(told) if request.path == path.encode() else answer({"error": "not found"}, 404)

    request = asked(path)("")
    own, other, beside, *_ = identities(request)
    known = (("tenant=north", "ann"), ("tenant=south", "ben"), (third, "eva"))
    who = tuple(replace(each, known=values) for each, values in zip((own, other, beside), known, strict=True))
    (check,) = plan(record(exchange, request), DEFAULT, credentials_of(request), (PROBE,), identities=who)
    assert drive_as(check, exchange).verdict.outcome is outcome


@pytest.mark.parametrize(
    ("path", "told", "is_told"),
    [
        ("/reports/turnover", {"org_id": 40017, "turnover": 70}, True),
        ("/reports/turnover", {"org_id": 40018, "turnover": 70}, False),
        ("/reports/turnover", {"turnover": 40017}, False),
        ("/products", [{"id": 1, "org_id": 40017, "title": "Lamp"}], False),
    ],
)
def test_an_answer_may_say_whose_it_is_as_the_header_does(path, told, is_told):
    assert is_told_of_tenant(asked(path)(""), answer(told), OWN) is is_told
