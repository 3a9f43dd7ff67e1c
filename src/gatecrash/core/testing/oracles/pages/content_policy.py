"""What an answer's Content-Security-Policy leaves of a script that was brought in."""

from gatecrash.core.message import Response


def forbids_scripts(response: Response) -> bool:
    """Whether no script runs at all: in a sandbox without them, or from no source (CSP 3, sections 6.1.1 and 6.3.2)."""
    return any(map(_lets_none_run, response.all(b"Content-Security-Policy")))


def forbids_inline(response: Response) -> bool:
    """Whether it stops inline scripts (CSP 3, section 6.1.1)."""
    scripts = _for_scripts(_directives(response.first(b"Content-Security-Policy") or b""))
    return scripts is not None and b"'unsafe-inline'" not in scripts


def forbids_data(response: Response) -> bool:
    """Whether no script is loaded from a data: URL (CSP 3, section 6.7.2.8): no other source stands for that."""
    scripts = _for_scripts(_directives(response.first(b"Content-Security-Policy") or b""))
    return scripts is not None and b"data:" not in scripts.lower().split()


def forbids_markup_by_scripts(response: Response) -> bool:
    """Whether scripts may write no text where markup is read (Trusted Types)."""
    return b"require-trusted-types-for" in _directives(response.first(b"Content-Security-Policy") or b"")


def _lets_none_run(policy: bytes) -> bool:
    told = _directives(policy)
    held_back = b"allow-scripts" not in told.get(b"sandbox", b"allow-scripts")
    # Scripts in elements and in attributes may have sources of their own.
    sources = [_for_scripts(told) or b"", *(each for name, each in told.items() if name.startswith(b"script-src-"))]
    return held_back or all(each.split()[1:] == [b"'none'"] for each in sources)


def _for_scripts(told: dict[bytes, bytes]) -> bytes | None:
    return told.get(b"script-src") or told.get(b"default-src")


def _directives(policy: bytes) -> dict[bytes, bytes]:
    return {each.split()[0].lower(): each.lower() for each in policy.split(b";") if each.split()}
