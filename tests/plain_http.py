"""How tests ask servers of this machine over HTTP without TLS."""

from typing import Any

PATIENCE = 120.0
"""Seconds; those of `httpx` are five, which a server may need where other work shares the machine."""

PLAIN: dict[str, Any] = {"trust_env": False, "verify": False, "timeout": PATIENCE}
"""For `httpx`: no proxy of the environment, and no certificates, whose loading costs each client 30 ms."""
