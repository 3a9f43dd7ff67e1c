"""A real browser through the proxy over HTTPS: a page, fetches at once, an upload, a form, a WebSocket."""

import asyncio
import base64
import hashlib
import os
import shutil
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from playwright.async_api import async_playwright
from tests.absent import require
from tests.e2e.proxy_application import PAGE, Application
from tests.e2e.proxy_node import NodeProcess, running_node
from tests.node.http2.speaking import Call, Http2Server, Speaker
from tests.node.loop import run, until
from tests.node.observe.intercepting import server_tls

QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip


def key_of(node: NodeProcess) -> str:
    """The SHA-256 of the CA's public key, as Chromium wants it; it looks at every certificate that was sent."""
    key = x509.load_pem_x509_certificate(node.ca.read_bytes()).public_key()
    form = serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    return base64.b64encode(hashlib.sha256(key.public_bytes(*form)).digest()).decode()


async def _page(speaker: Speaker, stream: int, call: Call) -> None:
    """The page in HTTP/2, its fetches too; the WebSocket is HTTP/1.1's affair."""
    path = dict(call.head)[b":path"]
    kind, body = (b"text/html", PAGE) if path == b"/" else (b"application/json", b'{"n": "h2", "size": %d}' % call.size)
    speaker.h2.send_headers(stream, [(b":status", b"200"), (b"content-type", kind)])
    await speaker.send(stream, body, end=True)


@pytest.mark.parametrize("trusting", [True, False])
@run
async def test_chromium_uses_a_site_over_https(tmp_path: Path, trusting: bool) -> None:
    chromium = shutil.which("chromium")
    require(chromium, "Chromium was not found")
    environment = {**os.environ, "SSL_CERT_FILE": str(tmp_path / "app" / "ca.pem")}
    tls, tls2 = (server_tls(tmp_path / "app", *offered) for offered in (("http/1.1",), ("h2", "http/1.1")))
    async with (
        Application(tls) as application,
        Http2Server(_page, tls2) as http2,
        running_node(tmp_path / "node", environment) as node,
        async_playwright() as playwright,
    ):
        trust = (f"--ignore-certificate-errors-spki-list={key_of(node)}",) if trusting else ()
        browser = await playwright.chromium.launch(
            executable_path=chromium, args=[*QUIET, *trust], proxy={"server": node.url}
        )
        try:
            page = await browser.new_page()
            if not trusting:
                with pytest.raises(Exception, match="ERR_CERT_AUTHORITY_INVALID"):
                    await page.goto(f"https://localhost:{application.port}/")
                await until(lambda: "a client broke off TLS" in node.log.read_text())
                return
            await page.goto(f"https://localhost:{application.port}/")
            said = await page.evaluate("all()")
            assert said == {"teas": ["1", "2", "3", "4", "5", "6", "7", "8"], "size": 3_000_000, "said": "GOOD MORNING"}
            await page.click("button")
            await page.wait_for_selector("text=You ordered tea=mint")
            await page.goto(f"https://localhost:{http2.port}/")
            fetch = "n => Promise.all([1, 2, 3].map(n => fetch('/json?n=' + n).then(a => a.json()).then(a => a.n)))"
            assert await page.evaluate(fetch) == ["h2"] * 3
            assert await page.evaluate("performance.getEntriesByType('navigation')[0].nextHopProtocol") == "h2"
            await until(lambda: node.counted(f"https://localhost:{application.port}") >= 8)
            await until(lambda: node.counted(f"https://localhost:{http2.port}") >= 3)
            # More than one row where the second in which counts are written ended between two fetches.
            fetched = [row.authenticated for row in node.rows() if (row.method, row.path) == ("GET", "/json")]
            assert sum(fetched) == 8
        finally:
            await browser.close()
            await asyncio.sleep(0)
