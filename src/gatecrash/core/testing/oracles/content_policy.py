"""What an answer's Content-Security-Policy leaves of a script that was brought in."""

from gatecrash.core.message import Response


def forbids_inline(response: Response) -> bool:
    """Whether it stops inline scripts (CSP 3, section 6.1.1)."""
    scripts = _directives(response).get(b"script-src") or _directives(response).get(b"default-src")
    return scripts is not None and b"'unsafe-inline'" not in scripts


def forbids_markup_by_scripts(response: Response) -> bool:
    """Whether scripts may write no text where markup is read (Trusted Types)."""
    return b"require-trusted-types-for" in _directives(response)


def _directives(response: Response) -> dict[bytes, bytes]:
    policy = response.first(b"Content-Security-Policy") or b""
    return {each.split()[0].lower(): each.lower() for each in policy.split(b";") if each.split()}
