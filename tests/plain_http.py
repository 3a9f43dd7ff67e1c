"""How tests ask servers of this machine over HTTP without TLS."""

from typing import Any

PLAIN: dict[str, Any] = {"trust_env": False, "verify": False}
"""For `httpx`: no proxy of the environment, and no certificates, whose loading costs each client 30 ms."""
