"""Where else a cookie goes than to the host that set it: to all hosts below its Domain, and to every port of its own.

Hosts are written as endpoints have them, with a port where it is not the scheme's own (RFC 6265 sections 5.1.3 and 8.5).
"""

from functools import lru_cache

_MOST_LABELS = 12


def scope_of(host: str, domain: bytes) -> str | None:
    """The scope of a cookie that this host set: `.shop.example`, or the bare host; None where browsers refuse it."""
    bare = without_port(host)
    name = domain.strip().lstrip(b".").lower().decode("latin-1")
    if not name:
        return bare
    # One label is a registry's, and an address has nothing below it.
    if "." not in name or name.replace(".", "").isdigit():
        return bare if name == bare else None
    return f".{name}" if bare == name or bare.endswith(f".{name}") else None


@lru_cache(maxsize=1024)
def scopes_of(host: str) -> tuple[str, ...]:
    """All scopes whose cookies go to this host."""
    bare = without_port(host)
    labels = bare.split(".")[-_MOST_LABELS:]
    return (bare, *("." + ".".join(labels[start:]) for start in range(len(labels) - 1)))


def without_port(host: str) -> str:
    """The host alone."""
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0] if host.count(":") == 1 else host
