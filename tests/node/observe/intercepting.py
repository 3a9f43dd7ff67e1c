"""A tap that opens TLS, servers with a certificate of their own, and clients that trust our CA."""

import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from gatecrash.core.testing.selection.hosts import AllowedHosts
from gatecrash.node.observe.observations import Observations
from gatecrash.node.observe.tap import Interception, Tap, TapSettings
from gatecrash.node.tls.authority import CertificateAuthority


def server_tls(folder: Path, *protocols: str, host: str = "localhost") -> ssl.SSLContext:
    """The application's own TLS, signed by a CA that is not the proxy's; its certificate is in `folder`/ca.pem."""
    return CertificateAuthority.open(folder).context(host, protocols)


@asynccontextmanager
async def intercepting(folder: Path, allowed: str = "", **settings: Any) -> AsyncIterator[Tap]:
    """A forward proxy whose CA is `folder`/ca.pem; it does not verify applications unless told to."""
    settings = {"verify_tls": False, **settings}
    interception = Interception(CertificateAuthority.open(folder), AllowedHosts(allowed).allows)
    tap = Tap(TapSettings(port=0, **settings), Observations(), interception)
    await tap.start()
    try:
        yield tap
    finally:
        await tap.close()


def trusting(folder: Path, *protocols: str) -> ssl.SSLContext:
    """A client's TLS that trusts the CA of the folder and nothing else."""
    context = ssl.create_default_context(cafile=str(folder / "ca.pem"))
    if protocols:
        context.set_alpn_protocols(list(protocols))
    return context
