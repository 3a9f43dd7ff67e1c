"""The messages of the node protocol that concern runs; every answer is given after the commit."""

import time

from django.http import HttpRequest, HttpResponse
from ninja import Router

from gatecrash.control.api.caller import caller
from gatecrash.control.nodes import services as nodes
from gatecrash.control.nodes import wire_operation
from gatecrash.control.testruns import acquainting, claiming, describing, heartbeats, recording, results
from gatecrash.wire.session import Heartbeat
from gatecrash.wire.work import Acquaint, Claim, Describe, Recorded, Results

router = Router(tags=["node protocol"])


@router.post("/node/heartbeat", **wire_operation.wire_operation())
def heartbeat(request: HttpRequest) -> HttpResponse:
    """Progress in, orders out."""
    message = wire_operation.read(request, Heartbeat)
    return wire_operation.answer(heartbeats.beat(message, caller(request).token_id, time.time()))


@router.post("/node/baselines", **wire_operation.wire_operation())
def baselines(request: HttpRequest) -> HttpResponse:
    """Recorded baselines. A session that is over may hand over what it recorded: nothing recorded is lost."""
    message = wire_operation.read(request, Recorded)
    node = nodes.known(message.node_id, caller(request).token_id)
    return wire_operation.answer(recording.record(node, message))


@router.post("/node/claim", **wire_operation.wire_operation())
def claim(request: HttpRequest) -> HttpResponse:
    """Baselines to test."""
    message = wire_operation.read(request, Claim)
    node = nodes.known(message.node_id, caller(request).token_id)
    return wire_operation.answer(claiming.claim(node, message))


@router.post("/node/describe", **wire_operation.wire_operation())
def describe(request: HttpRequest) -> HttpResponse:
    """What nobody has sent yet."""
    message = wire_operation.read(request, Describe)
    node = nodes.known(message.node_id, caller(request).token_id)
    return wire_operation.answer(describing.describe(node, message))


@router.post("/node/acquaint", **wire_operation.wire_operation())
def acquaint(request: HttpRequest) -> HttpResponse:
    """What was recorded, before it is tested."""
    message = wire_operation.read(request, Acquaint)
    node = nodes.known(message.node_id, caller(request).token_id)
    return wire_operation.answer(acquainting.acquaint(node, message))


@router.post("/node/results", **wire_operation.wire_operation())
def take_results(request: HttpRequest) -> HttpResponse:
    """What came of baselines."""
    message = wire_operation.read(request, Results)
    node = nodes.known(message.node_id, caller(request).token_id)
    return wire_operation.answer(results.accept(node, message))
