"""Changes to nodes: who they are, which of their starts counts, and when they were heard."""

from django.db import IntegrityError, transaction

from gatecrash.control import ids
from gatecrash.control.api.errors import ApiError
from gatecrash.control.api.json_body import is_storable
from gatecrash.control.ids import Prefix
from gatecrash.control.nodes.models import NAME, Node
from gatecrash.control.nodes.queries import is_connected
from gatecrash.wire.session import Hello

UNCLAIMED = "default"
SHORT = {"kind": 32, "version": 64, "spool": 64}


def hello(message: Hello, token_id: str, now: float) -> Node:
    """The node of this token and build, with a new session that ends the one before. Raises ApiError (400, 409).

    The newest start is the one that counts. One whose session was ended by it stands by, else two that were started by
    mistake would take the node from each other for ever, and no run would come to its end.

    The first node that says hello without a build takes the client's default place: on one machine that is the embedded
    node, which starts together with the service.
    """
    _check(message)
    identity = identity_of(message, token_id)
    with transaction.atomic():
        node = _find_or_adopt(identity, message, now)
        if message.again and node.session and is_connected(node, now):
            raise ApiError(
                "action_not_allowed", "Another start of this node is at work; this one takes over when it is silent."
            )
        node.name = message.name
        node.token_id = token_id
        node.identity = identity
        node.build_id = message.build_id
        node.kind = message.kind
        node.version = message.version
        node.spool = message.spool
        node.proxy_address = message.proxy_address
        node.workers = message.workers
        node.processes = message.processes
        node.session = ids.new(Prefix.NODE).removeprefix("node_")
        node.last_seen = now
        node.removed_at = None
        node.save()
    return node


def _check(message: Hello) -> None:
    """Raise ApiError (400) where a text is too long for its column, or cannot be stored."""
    texts = {"name": message.name, "build_id": message.build_id, "proxy_address": message.proxy_address}
    short = {"kind": message.kind, "version": message.version, "spool": message.spool}
    for name, text in {**texts, **short}.items():
        most = NAME if name in texts else SHORT[name]
        if len(text) > most or not is_storable(text):
            raise ApiError("invalid_value", f"The field {name} of the hello is over {most} characters or no text.")


def identity_of(message: Hello, token_id: str) -> str:
    """What makes a node the same one: its token and its build, or its name where there is no build."""
    return f"{token_id}/build/{message.build_id}" if message.build_id else f"{token_id}/name/{message.name}"


def _find_or_adopt(identity: str, message: Hello, now: float) -> Node:
    """The known node, the default place that nobody took yet, or a new one."""
    known = Node.objects.select_for_update().filter(identity=identity).first()
    if known is not None:
        return known
    default = Node.objects.select_for_update().filter(is_default=True).first()
    if default is not None and not default.session and not message.build_id:
        return default
    return _new(identity, message.name, is_default=default is None and not message.build_id, now=now)


def _new(identity: str, name: str, *, is_default: bool, now: float) -> Node:
    """A new node; where another took the name or the default place in between, that one."""
    try:
        with transaction.atomic():
            return Node.objects.create(
                id=ids.new(Prefix.NODE), name=name, identity=identity, is_default=is_default, created_at=int(now)
            )
    except IntegrityError:
        found = Node.objects.select_for_update().filter(identity=identity).first()
        return found if found is not None else _new(identity, name, is_default=False, now=now)


def default_place(now: float) -> Node:
    """The client's default node, locked; made where there is none yet, so that a run may be created before its node."""
    node = Node.objects.select_for_update().filter(is_default=True).first()
    if node is not None:
        return node
    _new(UNCLAIMED, UNCLAIMED, is_default=True, now=now)
    return Node.objects.select_for_update().get(is_default=True)


def known(node_id: str, token_id: str, *, lock: bool = False) -> Node:
    """The node of a message. Raises ApiError (404) where the token has no such node."""
    rows = Node.objects.select_for_update() if lock else Node.objects
    node: Node | None = (
        rows.filter(id=node_id, token_id=token_id, removed_at=None).first() if ids.is_shaped(node_id) else None
    )
    if node is None:
        raise ApiError("not_found", "This token has no such node; say hello first.")
    return node


def require_session(node: Node, session: str) -> None:
    """Raise ApiError (409) where another start of the node has taken over since."""
    if node.session != session:
        raise ApiError(
            "action_not_allowed", "Another start of this node has taken over; this session is over. Say hello again."
        )


def heard(node: Node, node_clock: float, now: float) -> None:
    """Note a sign of life, and how far the node's clock is off."""
    node.last_seen = now
    node.clock_offset = now - node_clock
    Node.objects.filter(id=node.id).update(last_seen=now, clock_offset=node.clock_offset)
