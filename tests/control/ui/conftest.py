"""What both clients own, made through the services, for pages that show or change it."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.verdict import Outcome, Proof, Verdict
from gatecrash.wire.counts import Counts, EndpointCount, ParameterCount

HOUR = 3600
PROFILE = {"name": "own", "values": [{"point": ["header", "X-ESTATE"], "value": "an-estate-secret"}]}


@dataclass(frozen=True)
class Estate:
    """Identifiers of one of everything, by the names that addresses give them."""

    endpoint_id: str
    auth_parameter_id: str
    test_run_id: str
    baseline_id: str
    test_record_id: str
    vulnerability_id: str
    policy_id: str
    token_id: str
    user_id: str
    auth_profile_id: str
    node_id: str
    webhook_id: str
    schedule_id: str
    action: str = "pause"
    format_name: str = "json"
    form: str = "csv"


def exchange(query: bytes = b"q=1") -> Exchange:
    """A request with a credential and a query, and its answer."""
    headers = ((b"Host", b"api.example.com"), (b"Authorization", b"Bearer a-token-of-sixteen"))
    request = Request(
        method="GET", scheme="http", host="api.example.com", port=80, target=b"/items?" + query, headers=headers
    )
    return Exchange(request, Response(status=200, headers=((b"Content-Type", b"text/plain"),), body=b"found " + query))


def counted(client_id: str, requests: int = 10, authenticated: int = 4) -> str:
    """The identifier of an endpoint that was counted now."""
    from gatecrash.control import wall
    from gatecrash.control.inventory import services
    from gatecrash.control.inventory.models import Endpoint
    from gatecrash.control.nodes.models import Node

    now = int(time.time())
    parameter = ParameterCount(
        type="bearer", point=("header", "AUTHORIZATION"), seen=authenticated, valid=authenticated
    )
    count = EndpointCount(
        hour=now // HOUR,
        protocol="rest",
        method="GET",
        host="api.example.com",
        path="/items",
        requests=requests,
        authenticated=authenticated,
        refused=1 if requests else 0,
        first_seen=now,
        last_seen=now,
        statuses=((2, requests),),
        parameters=(parameter,) if authenticated else (),
    )
    with wall.client(client_id):
        node = Node.objects.filter(is_default=True).first()
    batch = Counts(node_id=node.id if node else "node_x", session="", spool="spool", sequence=1, endpoints=(count,))
    services.apply_counts(client_id, batch.node_id, batch)
    with wall.client(client_id):
        return str(Endpoint.objects.get().public_id)


@pytest.fixture
def estate(db: None) -> Callable[[str], Estate]:
    """Make one of everything for a client."""
    return made


def made(client_id: str) -> Estate:
    from gatecrash.control import wall
    from gatecrash.control.accounts import services as accounts
    from gatecrash.control.api import fields
    from gatecrash.control.api.caller import Caller
    from gatecrash.control.api.roles import Role
    from gatecrash.control.findings import services as findings
    from gatecrash.control.inventory import services as inventory
    from gatecrash.control.news import VULNERABILITY_FOUND as FOUND
    from gatecrash.control.notifications import services as webhooks
    from gatecrash.control.policies import services as policies
    from gatecrash.control.policies.bodies import NewPolicy
    from gatecrash.control.profiles import services as profiles
    from gatecrash.control.testruns import recording, services
    from gatecrash.control.testruns.bodies import NewRun
    from gatecrash.control.testruns.models import TestRecord
    from gatecrash.core.point import Point

    endpoint_id = counted(client_id)
    with wall.client(client_id):
        hook, _ = webhooks.create({"name": "own", "url": "http://127.0.0.1:9/", "events": [FOUND], "enabled": True})
        who = Caller("tok_test", client_id, Role.ADMIN, False, None, None)
        run = services.create_run(NewRun(name="the run of the estate"), who)
        baseline = Baseline(f"bl_{run.id[3:]}", exchange())
        recording.add(TestRecord.objects.get(id=run.record_id), run, [baseline])
        proof = Proof(test=exchange(b"q=%27"), verified_by="A quote changed the answer.")
        verdict = Verdict(
            outcome=Outcome.VULNERABLE, type="sqli", point=("get", "q"), threat=90, title="SQL injection", proof=proof
        )
        [found] = findings.keep(run.id, baseline, [verdict], int(time.time()))
        order = fields.validate(NewPolicy, {"name": "own", "types": ["sqli"]})
        user = accounts.create_user(f"somebody@{client_id[-8:]}.example".lower())
        accounts.add_member(user, Role.VIEWER)
        token, _ = accounts.create_token("estate", Role.CI)
        parameter = inventory.add_auth_parameter(Point.of("header", "X-ESTATE"), None)
        return Estate(
            endpoint_id,
            parameter.id,
            run.id,
            baseline.id,
            run.record_id,
            found["id"],
            policies.create(order.model_dump()).id,
            token.id,
            user.id,
            profiles.create(PROFILE).id,
            run.node_id,
            hook.id,
            scheduled(run.id),
        )


def scheduled(run_id: str) -> str:
    """The identifier of a schedule that begun this run last."""
    from gatecrash.control.schedules.models import Schedule

    moments = {"anchor": 1, "next_at": 4_000_000_000, "last_at": 1, "created_at": 1, "updated_at": 1}
    fields = {"name": "own", "source_run_id": run_id, "order": {}, "rhythm": "daily", "last_run_id": run_id}
    return str(Schedule.objects.create(id=f"sch_{run_id[3:]}", **fields, **moments).id)
