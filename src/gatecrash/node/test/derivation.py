"""The checks of a baseline that a trial makes: all that its policy asks for, with what is known of the target by now."""

from collections.abc import Iterable

import msgspec

from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import Check, plan
from gatecrash.core.testing.pacing.parts import Todo, to_make
from gatecrash.core.testing.probe import Probe
from gatecrash.formats.draft import left_out_of
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.sessions.principal import Principal
from gatecrash.wire.session import RunOrder


def derived(
    baseline: Baseline,
    order: RunOrder,
    traffic: Traffic,
    principal: Principal,
    probes: Iterable[Probe],
    todo: Todo,
    spent: int,
) -> tuple[list[Check], list[Check]]:
    """Those to be made, and those that the budget leaves out. todo, spent: as core/testing/pacing/parts.py has them."""
    known, request = traffic.pages, baseline.request
    checks = plan(
        baseline,
        principal.limited(order.policy),
        principal.credentials,
        probes,
        identities=principal.identities,
        pages=known.beside(request),
        makers=known.makers_of(request),
        uses=known.uses_of(request),
        renewal=known.renewal_of(request),
        onward=traffic.onward.of(request),
        visited=known.is_visited(request),
        everywhere=known.is_dressed_everywhere(request) or traffic.declarations.of_all(baseline.exchange),
        around=known.around(request),
        barred=known.barred(request),
        alongside=known.alongside(request),
        newer=known.newer(request),
        kept_home=known.kept_home(request, principal.credentials),
        kept_from_links=known.kept_home(msgspec.structs.replace(request, method="GET"), principal.credentials),
        declared=traffic.declarations.of(baseline.exchange),
        has_browser=traffic.showing.is_possible,
        left_out=left_out_of(baseline.exchange),
        told=traffic.told,
        asked=traffic.asked_again[todo.part] if todo.part else None,
    )
    return to_make(checks, todo, traffic.collected, order.policy.budget, spent)
