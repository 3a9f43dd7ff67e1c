"""Who calls: what the gate knows of a request after its token was accepted."""

from dataclasses import dataclass
from typing import Any

from gatecrash.control.api.roles import Role


@dataclass(frozen=True, slots=True)
class Caller:
    """An accepted token. deployment: it may manage clients (decisions 2). expires_at: UNIX seconds or None."""

    token_id: str
    client_id: str
    role: Role
    deployment: bool
    node_id: str | None
    expires_at: int | None


def caller(request: Any) -> Caller:
    """The caller of a request that passed the gate."""
    who = request.caller
    assert isinstance(who, Caller)
    return who


def found(request: Any, name: str) -> Any:
    """The row that a path identifier named; its loader ran in the gate (see `gate.identifier`)."""
    return request.found[name]
