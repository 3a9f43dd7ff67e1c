"""Nodes as users see them, and the two messages of the node protocol that concern no run: hello and counts."""

# ruff: noqa: ARG001 - ninja reads path parameters from the arguments' names; the gate has looked them up already

import time

import msgspec
from django.http import HttpRequest, HttpResponse
from ninja import Query, Router
from pydantic import BaseModel

from gatecrash.control.api import fields
from gatecrash.control.api.caller import Caller, caller, found
from gatecrash.control.api.envelope import Answer, ok
from gatecrash.control.api.gate import identifier, still_there
from gatecrash.control.api.operation import operation
from gatecrash.control.api.roles import ADMIN, READ
from gatecrash.control.inventory import services as inventory
from gatecrash.control.inventory.queries import client_config
from gatecrash.control.nodes import removing, services, wire_operation
from gatecrash.control.nodes.mapping import shown_node
from gatecrash.control.nodes.models import Node
from gatecrash.control.nodes.queries import detects, there
from gatecrash.wire.counts import Counts
from gatecrash.wire.session import Hello, Welcome

router = Router(tags=["nodes"])


class NodeView(BaseModel):
    """A node. connected: it was heard within the last 10 seconds. last_seen: UNIX seconds; null before its first hello.

    detects_authentication: false for a version before the one that does; its traffic is in no share.
    """

    id: str
    name: str
    kind: str
    version: str
    detects_authentication: bool
    build_id: str | None
    workers: int
    processes: int
    proxy_address: str | None
    default: bool
    connected: bool
    last_seen: int | None
    created_at: int


class NodeList(BaseModel):
    """A part of the client's nodes."""

    objects: list[NodeView]
    total: int


@identifier("node_id")
def load(_caller: Caller, value: str) -> Node | None:
    """The node of a path."""
    row: Node | None = there().filter(id=value).first()
    return row


@router.get("/nodes", **operation(READ, NodeList, query=True, summary="List nodes"))
def list_nodes(request: HttpRequest, wanted: Query[fields.Page]) -> Answer:
    """The client's nodes, the default one first."""
    part, total = fields.page(there().order_by("-is_default", "created_at", "id"), wanted)
    now = time.time()
    return ok({"objects": [shown_node(node, now) for node in part], "total": total})


@router.get("/nodes/{node_id}", **operation(READ, NodeView, summary="Read a node"))
def show_node(request: HttpRequest, node_id: str) -> Answer:
    """A node."""
    return ok(shown_node(found(request, "node_id"), time.time()))


@router.delete("/nodes/{node_id}", **operation(ADMIN, NodeView, conflict=True, summary="Remove a silent node"))
def remove_node(request: HttpRequest, node_id: str) -> Answer:
    """Take a node off the list; what it counted and tested stays. At its next hello it is there again.

    409 while it is connected, while a run or a recording waits for it, and for the default node where no other that
    belongs to no build can take its place.
    """
    row, now = found(request, "node_id"), time.time()
    still_there(removing.remove(row, now), "node_id")
    return ok(shown_node(row, now))


@router.post("/node/hello", **wire_operation.wire_operation())
def hello(request: HttpRequest) -> HttpResponse:
    """A node says who it is.

    The configuration goes out as version 0, so that the first heartbeat brings it again, with the keys of the runs.
    """
    who = caller(request)
    node = services.hello(wire_operation.read(request, Hello), who.token_id, time.time())
    config = msgspec.structs.replace(client_config(who.client_id), version=0)
    return wire_operation.answer(Welcome(node.id, who.client_id, node.session, config))


@router.post("/node/counts", **wire_operation.wire_operation())
def counts(request: HttpRequest) -> HttpResponse:
    """A batch of traffic counts. A session that is over may hand over what it counted: a batch is applied once anyway."""
    who = caller(request)
    batch = wire_operation.read(request, Counts)
    node = services.known(batch.node_id, who.token_id)
    if not detects(node.kind, node.version):
        batch = msgspec.structs.replace(batch, detection=False)
    version = f"{node.kind} {node.version}".strip()
    return wire_operation.answer(inventory.apply_counts(who.client_id, node.id, batch, version=version))
